"""Blokus Duo against published counts, against a naive implementation, and against itself."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies
from scipy import stats

import montego
from montego.errors import IllegalMove, SpecError
from montego.games import game, rules
from montego.games.blokus import board, sampling
from montego.games.blokus.pieces import (
    FIRST_ORIENTATION,
    FIRST_PLACEMENT,
    ORIENTATIONS,
    PASS,
    PIECE_NAMES,
    PIECES,
    PLACEMENTS,
    SQUARES_OF,
    bit_of,
    squares_of,
)
from montego.games.tools.perft import perft
from montego.kernels import copy_record, index, kernel
from montego.playouts import Sampler
from montego.rng import below, stream
from tests.games import naive_blokus
from tests.games.naive_blokus import NaiveBlokus

DUO = game("blokus_duo")
FREE = game("blokus_duo(starts=free)")


def squares(move):
    """Return a move as the naive implementation writes it: (column, row) from the bottom left, empty for a pass."""
    return frozenset() if move == PASS else frozenset((column + 1, 14 - row) for row, column in squares_of(move))


SQUARES = [squares(move) for move in range(PLACEMENTS + 1)]


def random_position(rng, length, duo=DUO):
    """Play ``length`` random moves, fewer if the game ends."""
    position = duo.start()
    for _ in range(length):
        if position.over:
            break
        position.play(int(rules.random_move(duo, position.state, rng, duo.new_moves())))
    return position


# -------------------------------------------------------------------------------------------------------------- pieces


@pytest.mark.both_modes
def test_counts_of_pieces():
    """The counts that several Blokus programs agree on (Pentobi among them)."""
    assert (PIECES, ORIENTATIONS, PLACEMENTS) == (21, 91, 13_729)
    assert sum(int(SQUARES_OF[first]) for first in FIRST_ORIENTATION[:-1]) == 89  # squares a player has


@pytest.mark.both_modes
def test_placements_are_the_naive_ones_and_ordered_by_piece():
    assert {squares(move) for move in range(PLACEMENTS)} == {p for some in naive_blokus.PLACEMENTS for p in some}
    for piece in range(PIECES):
        moves = range(FIRST_PLACEMENT[FIRST_ORIENTATION[piece]], FIRST_PLACEMENT[FIRST_ORIENTATION[piece + 1]])
        kinds = {
            number
            for number, variants in enumerate(naive_blokus.PIECES)
            if any(naive_blokus.normal(squares(move)) in variants for move in (moves[0], moves[-1]))
        }
        assert len(kinds) == 1
        assert len(moves) == len(naive_blokus.PLACEMENTS[kinds.pop()]), PIECE_NAMES[piece]


@pytest.mark.both_modes
def test_placement_numbers_and_bits_belong_together():
    for move in range(0, PLACEMENTS, 13):
        orientation, bit = board.orientation_and_bit(move)
        assert board.placement(orientation, bit) == move
        assert bit == bit_of(min(row for row, _ in squares_of(move)), min(column for _, column in squares_of(move)))


# --------------------------------------------------------------------------------------------------------------- perft


@pytest.mark.parametrize(
    ("duo", "depth", "count"),
    [(DUO, 1, 414), (DUO, 2, 171_396), (DUO, 3, 89_204_762), (FREE, 1, 828), (FREE, 2, 342_792)],
    ids=str,
)
def test_perft(duo, depth, count):
    """Published counts of other programs; also 414 = the number of squares of all orientations."""
    assert perft(duo, duo.start().state, depth) == count


# -------------------------------------------------------------------------------------------------------------- oracle


def compare_with_naive(duo, games, seed):
    """Play random games beside the naive implementation, compare at every step, and return the number of passes."""
    rng = np.random.default_rng(seed)
    moves = duo.new_moves()
    passes = 0
    for _ in range(games):
        state = duo.start().state
        naive = NaiveBlokus(free_start=duo == FREE)
        while True:
            legal = moves[: rules.legal_moves(duo, state, moves)]
            expected = naive.moves()
            assert {SQUARES[move] for move in legal.tolist()} == expected
            assert len(legal) == len(expected)
            assert rules.to_move(duo, state) == naive.player
            assert rules.score(duo, state) == naive.score()
            assert rules.is_over(duo, state) == (not expected)
            tried = rng.integers(0, PLACEMENTS + 1, 20)
            legal_set = set(legal.tolist())
            assert all(rules.is_legal(duo, state, move) == (move in legal_set) for move in tried.tolist())
            assert all(rules.is_legal(duo, state, move) for move in legal[:20].tolist())
            if not expected:
                break
            move = int(rng.choice(legal))
            passes += move == PASS
            rules.play(duo, state, move)
            naive.play(SQUARES[move])
    return passes


@pytest.mark.both_modes
def test_one_game_like_the_naive_implementation():
    compare_with_naive(DUO, 1, seed=1)


@pytest.mark.parametrize("duo", [DUO, FREE], ids=str)
def test_like_the_naive_implementation(duo):
    assert compare_with_naive(duo, 100, seed=2) > 50


@pytest.mark.slow
@pytest.mark.parametrize("duo", [DUO, FREE], ids=str)
def test_thousands_of_games_like_the_naive_implementation(duo):
    compare_with_naive(duo, 2000, seed=3)


@pytest.mark.both_modes
@settings(max_examples=25, deadline=None)
@given(strategies.integers(0, 42), strategies.integers(0, 2**32 - 1), strategies.booleans())
def test_incremental_equals_rebuilt(length, seed, free_start):
    """The sets of squares that ``play`` keeps up to date are those that follow from the squares on the board."""
    duo = FREE if free_start else DUO
    position = random_position(stream(seed), length, duo)
    own: list[set[tuple[int, int]]] = [set(), set()]
    left = [(1 << PIECES) - 1] * 2
    for turn, move in enumerate(position.moves):
        if move != PASS:
            own[turn % 2] |= squares(move)
            orientation, _ = board.orientation_and_bit(move)
            left[turn % 2] &= ~(1 << int(np.searchsorted(FIRST_ORIENTATION, orientation, side="right") - 1))
    for player in range(2):
        taken = own[0] | own[1]
        free = {s for s in naive_blokus.BOARD - taken if not naive_blokus.beside(s) & own[player]}
        if own[player]:
            attach = {square for square in free if naive_blokus.diagonal(square) & own[player]}
        else:
            points = naive_blokus.START_POINTS
            attach = set(points if free_start else [points[player]]) & free
        assert on_board(position.state.squares[player]) == own[player]
        assert on_board(position.state.free[player]) == free
        assert on_board(position.state.attach[player]) == attach
        assert position.state.pieces[player] == left[player]


def on_board(words):
    """Return the (column, row) of the bits of a board; nothing may lie in the margin."""
    bits = {64 * word + bit for word in range(len(words)) for bit in range(64) if int(words[word]) >> bit & 1}
    found = {(column + 1, 14 - row): bit_of(row, column) for row in range(14) for column in range(14)}
    assert bits <= set(found.values())
    return {square for square, bit in found.items() if bit in bits}


# ------------------------------------------------------------------------------------------------------------ sampling


@kernel
def count_draws(duo, state, rng, scratch, draws, counts):
    """Draw random moves of one position and count them."""
    for _ in range(draws):
        counts[index(rules.random_move(duo, state, rng, scratch))] += 1


@pytest.mark.parametrize("length", [0, 1, 2, 5, 9, 13, 16, 19, 22, 25])
def test_random_moves_are_uniform(length):
    """Chi-square over all legal moves; a right sampler fails one of the ten tests with probability 1e-4."""
    state = random_position(stream(4, length), length, FREE).state
    moves = FREE.new_moves()
    legal = moves[: rules.legal_moves(FREE, state, moves)].copy()
    counts = np.zeros(FREE.move_limit(), np.int64)
    count_draws(FREE, state, stream(5, length), moves, 400 * len(legal), counts)
    assert counts.sum() == counts[legal].sum()
    assert len(legal) < 2 or stats.chisquare(counts[legal]).pvalue > 1e-5


@pytest.mark.both_modes
@pytest.mark.parametrize("length", [0, 1, 10, 18, 22, 26, 30])
def test_a_glance_and_the_whole_board_agree_on_whether_anything_can_be_placed(length):
    state = random_position(stream(8, length), length).state
    for player in range(2):
        for pieces in (int(state.pieces[player]), 0, *(1 << piece for piece in range(21))):
            state.pieces[player] = pieces
            assert board.can_place(state, player) == board.can_place_anything(state, player)


@pytest.mark.parametrize("length", range(2, 26, 3))
def test_the_three_ways_to_draw_are_uniform(length):
    """Each way, forced where the sampler would choose another; a right one fails anywhere with probability < 1e-3."""
    position = random_position(stream(6, length), length)
    state, player, scratch = position.state, position.to_move, DUO.new_moves()
    legal = set(position.legal_numbers().tolist())
    if PASS in legal or position.over:
        return
    work = np.zeros(1, board.WORK)[0]
    assert board.find_placements(state, player, work) == len(legal)
    ranks = {int(board.placement(*board.nth_placement(work, rank))) for rank in range(len(legal))}
    assert ranks == legal
    points, candidates = sampling.list_candidates(state, player, scratch)
    rng = stream(7, length)
    few, many = Counter(), Counter()
    for _ in range(20 * len(legal)):
        few[int(board.placement(*sampling.draw_from_few(state, player, rng, scratch, points)))] += 1
        orientation, bit = sampling.draw_from_many(state, player, rng, scratch, points, candidates)
        if orientation >= 0:
            many[int(board.placement(orientation, bit))] += 1
    for counts in (few, many):
        assert set(counts) <= legal
        expected = counts.total() / len(legal)
        if expected > 5 and len(legal) > 1:
            assert stats.chisquare([counts[move] for move in legal]).pvalue > 5e-5


@kernel
def plain_playout(duo, state, rng, moves):
    """Play to the end by listing the legal moves and picking one; return the number of moves."""
    length = 0
    while not rules.is_over(duo, state):
        count = rules.playout_moves(duo, state, moves)
        rules.play(duo, state, np.int64(moves[index(below(rng, count))]))
        length += 1
    return length


@kernel
def plain_playouts(duo, root, work, rng, moves, count, lengths, scores):
    """Play plain playouts and note their lengths and scores."""
    for number in range(count):
        copy_record(work, root)
        lengths[index(number)] = plain_playout(duo, work, rng, moves)
        scores[index(number)] = rules.score(duo, work)


@pytest.mark.parametrize("duo", [DUO, FREE], ids=str)
def test_fast_and_plain_playouts_agree(duo):
    """Mean length, mean score and the share of wins within 4.5 standard errors; false alarm 4e-5 for the six."""
    root, count = duo.start().state, 30_000
    totals = Sampler(duo, root, stream(8)).run(count)
    lengths, scores = np.zeros(count, np.int64), np.zeros(count)
    plain_playouts(duo, root, duo.new_state(), stream(9), duo.new_moves(), count, lengths, scores)
    wins = (scores > 0).mean()
    for fast, plain, deviation in (
        (totals.moves / count, lengths.mean(), lengths.std()),
        (totals.score / count, scores.mean(), scores.std()),
        (totals.wins / count, wins, np.sqrt(wins * (1 - wins))),
    ):
        assert abs(fast - plain) < 4.5 * deviation * np.sqrt(2 / count)


@pytest.mark.both_modes
@pytest.mark.parametrize("seed", range(3))
def test_a_playout_is_a_game(seed):
    """Its trace can be replayed by the rules and leads to the same end."""
    state, trace = DUO.start().state, DUO.new_trace()
    length = rules.random_playout(DUO, state, stream(10, seed), trace, DUO.new_moves())
    position = DUO.start()
    for move in trace[:length].tolist():
        position.play(move)
    assert position.over
    assert rules.is_over(DUO, state)
    assert position.score() == rules.score(DUO, state)
    assert position.key == rules.state_hash(DUO, state)


_GAME_OF_SEED = """
from montego.games import game, rules
from montego.rng import stream
duo = game("blokus_duo")
state, trace = duo.start().state, duo.new_trace()
length = rules.random_playout(duo, state, stream(11), trace, duo.new_moves())
print(trace[:length].tolist(), int(rules.state_hash(duo, state)))
"""


def test_interpreted_equals_compiled():
    environment = {**os.environ, "PYTHONPATH": str(Path(montego.__file__).parents[1])}
    outputs = {
        subprocess.run(
            [sys.executable, "-W", "error", "-c", _GAME_OF_SEED],
            env={**environment, "NUMBA_DISABLE_JIT": mode}, check=True, capture_output=True, text=True,
        ).stdout
        for mode in "01"
    }  # fmt: skip
    assert len(outputs) == 1


# ------------------------------------------------------------------------------------------------ notation and drawing


@pytest.mark.both_modes
def test_notation():
    position = DUO.start().play("e8,d9,e9,f9,e10")
    assert position.last_move == "e8,d9,e9,f9,e10"
    assert DUO.points_of(position.moves[0]) == ["e8", "d9", "e9", "f9", "e10"]
    assert DUO.parse_move(" E10, f9,D9 ,e9,E8 ") == position.moves[0]
    assert DUO.parse_move("PASS") == PASS
    assert DUO.points_of(PASS) == []
    for move in range(0, PLACEMENTS + 1, 11):
        assert DUO.parse_move(DUO.move_name(move)) == move


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("", "no square ''"),
        ("e15", "no square 'e15'.*such as e8,d9,e9,f9,e10"),
        ("e10,o3", "no square 'o3'"),
        ("e10,e10", "names a square twice"),
        ("e10,f11", "is not a piece"),
        ("e10,e9,e8,e7,e6,e5", "is not a piece"),
        ("j5", "illegal move j5 for Purple"),
        ("pass", "illegal move pass for Purple"),
        (PASS + 1, "no move number 13730"),
        (-1, "no move number -1"),
    ],
)
def test_bad_moves(move, message):
    position = DUO.start()
    key = position.key
    with pytest.raises(IllegalMove, match=message):
        position.play(move)
    assert position.key == key
    assert position.moves == []


@pytest.mark.both_modes
def test_parameters():
    assert str(DUO) == "blokus_duo"
    assert str(FREE) == "blokus_duo(starts=free)"
    with pytest.raises(SpecError, match="must be one of fixed, free, not both"):
        game("blokus_duo(starts=both)")
    with pytest.raises(SpecError, match="did you mean 'starts'"):
        game("blokus_duo(start=free)")


@pytest.mark.both_modes
def test_start_points():
    assert DUO.start().is_legal("e10")
    assert not DUO.start().play("e10").is_legal("e10")
    assert DUO.start().play("e10").is_legal("j5")
    assert FREE.start().is_legal("j5")
    taken = FREE.start().play("j5")
    assert taken.is_legal("e10")
    assert not taken.is_legal("j5")
    # After the own first move the other start point is an ordinary square, too far away here.
    apart = FREE.start()
    apart.play("e10").play("j5")
    assert not apart.is_legal("j3,j4")
    assert on_board(apart.state.attach[0]) == {(4, 9), (4, 11), (6, 9), (6, 11)}


@pytest.mark.both_modes
def test_edges_and_corners():
    position = DUO.start().play("e10,e11").play("j5,j6")
    assert position.is_legal("f12,f13,f14")
    assert position.is_legal("d9,c9,b9")
    assert not position.is_legal("f11,f12,f13"), "touches by an edge"
    assert not position.is_legal("g12,g13,g14"), "touches nothing"
    assert not position.is_legal("f12,f13"), "the piece is used"
    assert not position.is_legal("e10,e9,e8"), "overlaps"


def test_saving_and_comparing():
    position = random_position(stream(12), 60)
    assert position.over
    twin = type(position).loads(position.dumps())
    assert twin == position
    assert twin.result == position.result
    with pytest.raises(IllegalMove, match="the game is over"):
        position.play(0)
    assert position.undo() != twin


def test_hashes_differ():
    """Some 4,000 positions of random games: the hash tells them apart."""
    positions, keys = set(), set()
    for seed in range(150):
        position = random_position(stream(13, seed), 0)
        while not position.over:
            positions.add((position.state.squares.tobytes(), position.to_move))
            keys.add(position.key)
            position.play(
                int(rules.random_move(DUO, position.state, stream(14, seed, len(position.moves)), DUO.new_moves()))
            )
    assert len(keys) == len(positions) > 3000


@pytest.mark.both_modes
def test_text():
    lines = str(DUO.start().play("e8,d9,e9,f9,e10").play("j5")).splitlines()
    assert lines[4] == "10 . . . . X . . . . . . . . ."
    assert lines[5] == " 9 . . . X X X . . . . . . . ."
    assert lines[9] == " 5 . . . . . . . . .(O). . . ."
    assert lines[14] == "   a b c d e f g h i j k l m n"
    assert lines[15] == "X Purple: 5 squares, left: 1 2 I3 V3 I4 L4 T4 Z4 O F I5 L5 N P T5 U V5 W Y Z5"
    assert lines[16].startswith("O Orange: 1 squares, left: 2 I3")
    assert lines[17] == "Purple to move"


@pytest.mark.both_modes
def test_svg():
    drawing = DUO.start().play("e8,d9,e9,f9,e10").svg(heat={"a1": 1.0}, labels={"n14": "x"})
    assert drawing.count('class="stone0"') == drawing.count('class="last"') == 5
    assert DUO.start().svg().count('class="dot"') == 2  # the start points
