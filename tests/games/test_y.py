"""Y against OpenSpiel, the geometry of the bent board, and two ways to find the winner."""

import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from montego.errors import SpecError
from montego.games import Y, game, rules
from montego.games.rules import start
from montego.games.tools.connection.board import all_points, holds, place, point_count, word_count
from montego.games.y import Board, bent
from montego.games.y.reduction import first_owns_last_cell, reduce, spread_bent, spread_straight
from montego.games.y.rules import GOAL, winner_by_reduction
from montego.kernels import INTERPRETED, kernel
from montego.rng import next_word, stream
from tests.games.naive_connection import bent_y_board, board_of, straight_y_board

BENT_FILE = Path(__file__).parents[3] / "shared" / "data" / "y_bent93" / "board.json"


def started(g):
    state = g.new_state()
    rules.start(g, state)
    return state


def play_full(g, owners):
    """Place every stone of a full board one by one with union-find and return the state at its end."""
    state = started(g)
    g.set_up(state, {name: int(owner) for name, owner in zip(g.layout().names, owners, strict=True)}, 0)
    return state


@pytest.mark.both_modes
@pytest.mark.parametrize(("size", "games"), [(1, 3), (2, 100), (3, 200), (5, 400), (8, 200), (11, 100), (19, 20)])
def test_agrees_with_openspiel(size, games):
    """Legal moves, end and winner at every step; OpenSpiel's cell (x, y) is column x of row size - 1 - y."""
    pyspiel = pytest.importorskip("pyspiel")
    oracle_game = pyspiel.load_game(f"y(board_size={size})")
    g, choose = Y(size), random.Random(size)
    moves = g.new_moves()
    row_start = [row * (row + 1) // 2 for row in range(size)]
    ours = {y * size + x: row_start[size - 1 - y] + x for y in range(size) for x in range(size - y)}
    for _ in range(max(2, games // 50) if INTERPRETED else games):
        state, oracle = started(g), oracle_game.new_initial_state()
        while True:
            legal = moves[: rules.legal_moves(g, state, moves)].tolist()
            assert legal == sorted(ours[action] for action in oracle.legal_actions())
            assert rules.is_over(g, state) == oracle.is_terminal()
            if oracle.is_terminal():
                break
            assert rules.to_move(g, state) == oracle.current_player()
            action = choose.choice(oracle.legal_actions())
            rules.play(g, state, ours[action])
            oracle.apply_action(action)
        assert rules.score(g, state) == oracle.returns()[0]


@pytest.mark.both_modes
def test_bent_board_facts():
    """Facts of the 93-point board: 252 edges, 160 faces, rings of 24, 21, 18, 15, 12, 3; three points of degree 5."""
    near = [[other for other in row if other >= 0] for row in bent.NEIGHBOURS.tolist()]
    assert bent.POINT_COUNT == 93
    assert [len(ring) for ring in bent.RING_POINTS] == [24, 21, 18, 15, 12, 3]
    assert sum(map(len, near)) == 2 * 252
    assert Counter(map(len, near)) == {3: 3, 4: 21, 5: 3, 6: 66}
    faces = [(a, b, c) for a in range(93) for b in near[a] for c in near[b] if a < b < c and c in near[a]]
    assert len(faces) == 160
    assert 93 - 252 + len(faces) == 1
    corners = [point for point in range(93) if len(near[point]) == 3]
    assert corners == [0, 8, 16]
    assert [bin(bent.SIDES[corner]).count("1") for corner in corners] == [2, 2, 2]
    assert [int((bent.SIDES & side > 0).sum()) for side in (1, 2, 4)] == [9, 9, 9]
    assert not bent.SIDES[24:].any()


@pytest.mark.both_modes
def test_bent_board_is_the_one_of_the_shared_file():
    if not BENT_FILE.is_file():
        pytest.skip("the file is a check, not part of the project")
    expected = json.loads(BENT_FILE.read_text())["adjacency"]
    same = {**{point: point for point in range(93)}, 90: 92, 92: 90}  # the file numbers the innermost three otherwise
    for point, row in enumerate(bent.NEIGHBOURS.tolist()):
        assert sorted(same[other] for other in row if other >= 0) == sorted(expected[same[point]])


@pytest.mark.both_modes
def test_folding_the_triangle_gives_the_bent_board():
    """The proof behind the mapping: cells of a point are connected; neighbours and sides are those of the points."""
    triangle, board = straight_y_board(bent.STRAIGHT_SIZE), bent_y_board()
    for point in range(bent.POINT_COUNT):
        cells = np.flatnonzero(point == bent.POINT_OF_CELL)
        assert len(triangle.chains((point == bent.POINT_OF_CELL).astype(int) - 1, 0)) == 1
        beyond = {int(bent.POINT_OF_CELL[other]) for cell in cells for other in triangle.neighbours[cell]} - {point}
        assert beyond == set(board.neighbours[point])
    folded = {frozenset(int(bent.POINT_OF_CELL[cell]) for cell in side) for side in triangle.goals[0]}
    assert folded == {frozenset(side) for side in board.goals[0]}


@pytest.mark.both_modes
@pytest.mark.parametrize(
    "spec",
    ["y(size=1)", "y(size=2)", "y(size=5)", "y(size=11)", "y(size=12)", "y(size=19)", "y(size=25)", "y(board=bent)"],
)
def test_a_full_board_has_one_winner(spec):
    """Search, union-find and micro-reduction find the same one."""
    g = game(spec)
    board, choose = board_of(g), random.Random(spec)
    for _ in range(4 if INTERPRETED else 60):
        owners = [int(choose.random() < choose.choice((0.4, 0.5, 0.6))) for _ in range(g.move_limit())]
        state = play_full(g, owners)
        stones = state.stones.copy()
        assert board.winners(owners) == [state.winner] == [winner_by_reduction(g, state)]
        assert (state.stones == stones).all()


@kernel
def disagreements(game, state, fresh, rng, count):
    """Fill boards at random, evenly and unevenly, and count those for which the two ways find different winners."""
    wrong = 0
    for k in range(count):
        start(game, fresh)
        for word in range(state.stones.shape[1]):
            for player in range(2):
                fresh.stones[player, word] = 0
            state.stones[0, word] = next_word(rng)
            if k % 3 == 1:
                state.stones[0, word] |= next_word(rng) & next_word(rng)
            if k % 3 == 2:
                state.stones[0, word] &= next_word(rng) | next_word(rng)
            inside = all_points(game, word) if word < word_count(game) else np.uint64(0)
            state.stones[0, word] &= inside
            state.stones[1, word] = inside & ~state.stones[0, word]
        connected = [0, 0]
        for point in range(point_count(game)):
            player = 0 if holds(state.stones, 0, point) else 1
            if place(game, fresh, player, point) == GOAL:
                connected[player] = 1
        winner = winner_by_reduction(game, state)
        if connected[winner] != 1 or connected[1 - winner] != 0:
            wrong += 1
    return wrong


@pytest.mark.skipif(INTERPRETED, reason="needs many fillings")
@pytest.mark.parametrize("spec", ["y(board=bent)", "y(size=11)", "y(size=14)"])
def test_both_ways_find_the_winner_of_many_thousand_fillings(spec):
    g = game(spec)
    assert disagreements(g, started(g), started(g), stream(93), 50_000) == 0


@pytest.mark.both_modes
def test_one_reduction_is_a_majority_of_three():
    choose = random.Random(5)
    for size in (2, 3, 7, 13):
        colour = {(r, c): choose.random() < 0.5 for r in range(size) for c in range(r + 1)}
        chosen = sum(1 << r * (r + 1) // 2 + c for (r, c), mine in colour.items() if mine)
        points = np.array([chosen >> 64 * w & (2**64 - 1) for w in range(4)], np.uint64)
        cells = np.zeros(12, np.uint64)
        spread_straight(points, size, cells)
        assert all(bit_of(cells, r * size + c) == mine for (r, c), mine in colour.items())
        reduce(cells, size, size)
        for r in range(size - 1):
            for c in range(r + 1):
                assert bit_of(cells, r * size + c) == (colour[r, c] + colour[r + 1, c] + colour[r + 1, c + 1] >= 2)


@pytest.mark.both_modes
def test_one_stone_of_the_bent_board_fills_the_cells_of_its_point():
    for point in range(93):
        points, cells = np.zeros(3, np.uint64), np.zeros(12, np.uint64)
        points[point // 64] = np.uint64(1 << point % 64)
        spread_bent(points, cells)
        filled = [bit_of(cells, r * 17 + c) for r in range(17) for c in range(r + 1)]
        assert filled == (point == bent.POINT_OF_CELL).tolist()
        assert not first_owns_last_cell(cells, 17, 17)


def bit_of(words, bit):
    return int(words[bit // 64]) >> bit % 64 & 1 == 1


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("y(size=0)", "from 1 to 25, not 0"),
        ("y(size=99)", "not 99"),
        ("y(board=round)", "one of straight, bent"),
        ("y(size=5, board=bent)", "the bent board has one size"),
    ],
)
def test_bad_parameters(spec, message):
    with pytest.raises(SpecError, match=message):
        game(spec)


@pytest.mark.both_modes
def test_specs_read_back():
    assert str(game("y(board=bent)")) == "y(board=bent)"
    assert game("y(board=bent)") == game("y(size=9, board=bent)")
    assert str(Y(board=Board.BENT)) == "y(board=bent)"
    assert str(game("y(size=11)")) == "y"
    assert str(Y(5)) == "y(size=5)"


@pytest.mark.both_modes
def test_a_game_on_the_bent_board():
    """Three arms that meet in the middle win; the last stone to arrive makes the connection."""
    position = game("y(board=bent)").start()
    arms = [
        ["f1", "e3", "d4", "c4", "b4", "a4"],
        ["f2", "e7", "d9", "c10", "b11", "a12"],
        ["f3", "e11", "d14", "c16", "b18", "a20"],
    ]
    ours = [name for arm in arms for name in arm]
    theirs = [name for name in position.game.layout().names if name not in ours]
    for reply, name in enumerate(ours):
        assert not position.over
        position.play(name)
        if name != ours[-1]:
            position.play(theirs[reply])
    assert position.winner == 0
    assert position.result == "Black+1"
    assert position.legal_moves() == []
