"""Hex against OpenSpiel, against solved boards, and its swap rule."""

import random

import numpy as np
import pytest

from montego.errors import IllegalMove, SpecError
from montego.games import Hex, Position, game, rules
from montego.games.hex.reduction import LAST_ROW, reduce_rhombus, reduce_small_rhombus
from montego.games.hex.rules import may_swap, winner_by_reduction
from montego.kernels import INTERPRETED, copy_record, kernel
from montego.playouts import Sampler
from montego.rng import stream
from tests.games.naive_connection import hex_board


def started(g):
    state = g.new_state()
    rules.start(g, state)
    return state


@pytest.mark.both_modes
@pytest.mark.parametrize(("size", "games"), [(2, 200), (3, 300), (5, 300), (8, 150), (11, 80), (19, 10)])
def test_agrees_with_openspiel(size, games):
    """Legal moves, end and winner at every step of random games; OpenSpiel's player 0 connects top and bottom too.

    Size 1 is left out: OpenSpiel does not see the end there.
    """
    pyspiel = pytest.importorskip("pyspiel")
    oracle_game = pyspiel.load_game(f"hex(board_size={size})")
    g, choose = Hex(size), random.Random(size)
    moves = g.new_moves()
    for _ in range(max(2, games // 50) if INTERPRETED else games):
        state, oracle = started(g), oracle_game.new_initial_state()
        while True:
            legal = moves[: rules.legal_moves(g, state, moves)].tolist()
            assert legal == oracle.legal_actions()
            assert rules.is_over(g, state) == oracle.is_terminal()
            if oracle.is_terminal():
                break
            assert rules.to_move(g, state) == oracle.current_player()
            move = choose.choice(legal)
            assert g.move_name(move) == oracle.action_to_string(oracle.current_player(), move)
            rules.play(g, state, move)
            oracle.apply_action(move)
        assert rules.score(g, state) == oracle.returns()[0]


@pytest.mark.both_modes
@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 11, 12, 16, 19, 25])
def test_a_full_board_has_one_winner(size):
    """Micro-reduction, in both its forms, agrees with searching for the connections of both players."""
    g, board, choose = Hex(size), hex_board(size), random.Random(size)
    for _ in range(5 if INTERPRETED else 60):
        owners = [choose.random() < choose.choice((0.4, 0.5, 0.6)) for _ in range(size * size)]
        state = started(g)
        for point, owner in enumerate(owners):
            state.stones[int(owner), point // 64] |= np.uint64(1 << point % 64)
        stones = state.stones.copy()
        winner = winner_by_reduction(g, state)
        assert board.winners([int(owner) for owner in owners]) == [winner]
        assert (state.stones == stones).all()
        assert reduce_rhombus(g, stones[0].copy()) == (winner == 0)
        if size <= 11:
            assert reduce_small_rhombus(g, stones[0, 0], stones[0, 1]) == (winner == 0)


def test_tables_hold_the_edges():
    assert LAST_ROW[3, 0] == 0b111000000
    assert [int(LAST_ROW[n].sum() > 0) for n in range(4)] == [0, 1, 1, 1]


@kernel
def first_wins(game, states, depth, code, known):
    """Whether player 0 wins ``states[depth]``, by exhaustive search; ``known[code]`` remembers, in base 3."""
    if rules.is_over(game, states[depth]):
        return rules.score(game, states[depth]) > 0
    if known[code] != 0:
        return known[code] == 1
    player = rules.to_move(game, states[depth])
    digit, found = player + 1, player == 1
    for point in range(game.size * game.size):
        if rules.is_legal(game, states[depth], point):
            copy_record(states[depth + 1], states[depth])
            rules.play(game, states[depth + 1], point)
            if first_wins(game, states, depth + 1, code + digit, known) == (player == 0):
                found = player == 0
                break
        digit *= 3
    known[code] = 1 if found else 2
    return found


@pytest.mark.skipif(INTERPRETED, reason="searches up to millions of positions")
@pytest.mark.parametrize(("size", "openings"), [(1, "a1"), (2, "b1 a2"), (3, "c1 a2 b2 c2 a3"), (4, "d1 c2 b3 a4")])
def test_solved_openings(size, openings):
    """The winning first moves of small boards are known from exhaustive searches of others."""
    g, known = Hex(size), np.zeros(3 ** (size * size), np.int8)
    states = np.zeros(size * size + 1, g.state_dtype())
    found = []
    for point, name in enumerate(g.layout().names):
        states[0] = started(g)
        rules.play(g, states[0], point)
        if first_wins(g, states, 0, 3**point, known):
            found.append(name)
    assert " ".join(found) == openings


@pytest.mark.both_modes
def test_swap_moves_the_stone_to_its_mirror_image():
    position = game("hex(size=5, swap=true)").start()
    assert "swap-pieces" not in position.legal_moves()
    assert not position.is_legal("swap")
    position.play("b4")
    assert position.legal_moves()[-1] == "swap-pieces"
    assert len(position.legal_moves()) == 25
    position.play("swap")
    assert position.last_move == "swap-pieces"
    assert position.to_move == 0
    owners = dict(zip(position.game.layout().names, position.owners(), strict=True))
    assert owners.pop("d2") == 1
    assert set(owners.values()) == {-1}
    assert len(position.legal_moves()) == 24
    assert not position.is_legal("swap-pieces")
    position.play("b4")
    assert not position.is_legal("swap")
    assert position == Position(position.game, {"d2": 1, "b4": 0}, 1)
    assert Position.loads(position.dumps()) == position
    assert position.undo().undo() == Position(position.game, {"b4": 0}, 1)
    assert "swap" not in position.svg()


@pytest.mark.both_modes
def test_swap_joins_chains_as_any_stone_does():
    position = game("hex(size=2, swap=true)").start()
    for move in ("b1", "swap-pieces", "a1", "b2"):
        position.play(move)
    assert position.winner == 1  # a2 b2


@pytest.mark.both_modes
def test_swap_is_for_the_second_move_only():
    plain, swapping = game("hex(size=3)"), game("hex(size=3, swap=true)")
    assert plain.move_limit() == 9
    assert swapping.move_limit() == 10
    with pytest.raises(IllegalMove, match="no move 'swap'"):
        plain.start().play("a1").play("swap")
    with pytest.raises(IllegalMove, match="illegal move swap-pieces for Blue"):
        swapping.start().play("a1").play("b1").play("c1").play("swap")
    for stones, to_move, legal in (
        ({"a1": 0}, 1, True),
        ({"a1": 0}, 0, False),
        ({"a1": 1}, 1, False),
        ({"a1": 1}, 0, False),
    ):
        assert bool(may_swap(swapping, Position(swapping, stones, to_move).state)) is legal
    alone = game("hex(size=1, swap=true)").start().play("a1")
    assert alone.winner == 0
    assert alone.legal_moves() == []


@pytest.mark.both_modes
def test_swap_is_never_played_in_playouts():
    g = game("hex(size=3, swap=true)")
    root, work, trace, scratch = g.start().play("b2").state, started(g), g.new_trace(), g.new_moves()
    for seed in range(20):
        for name in root.dtype.names:
            work[name] = root[name]
        assert rules.random_playout(g, work, stream(seed), trace, scratch) == 8
        assert max(trace[:8]) < 9
        assert rules.random_move(g, root, stream(seed), scratch) < 9
    assert rules.playout_moves(g, root, scratch) == 8
    assert rules.legal_moves(g, root, scratch) == 9


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("hex(size=0)", "from 1 to 25, not 0"),
        ("hex(size=99)", "not 99"),
        ("hex(size=x)", "a whole number"),
        ("hex(swap=3)", "true or false"),
    ],
)
def test_bad_parameters(spec, message):
    with pytest.raises(SpecError, match=message):
        game(spec)


@pytest.mark.both_modes
def test_games_that_are_equal_tuples_keep_their_own_names():
    assert game("hex(size=4)").parse_move("d1") == 3
    assert game("y(size=4)").parse_move("d4") == 9
    with pytest.raises(IllegalMove):
        game("y(size=4)").parse_move("d1")


@pytest.mark.skipif(INTERPRETED, reason="needs many playouts")
def test_first_player_advantage_of_random_play():
    """The first of 25 stones is an advantage; by symmetry the second player's stones win as often when he starts."""
    g = Hex(5)
    first = Sampler(g, started(g), stream(1)).run(100_000).wins / 100_000
    mirrored = started(g)
    mirrored.to_move = 1
    second = 1 - Sampler(g, mirrored, stream(2)).run(100_000).wins / 100_000
    assert first > 0.55
    assert abs(first - second) < 0.0101
