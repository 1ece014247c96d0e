"""Order-N statistics as a prior: which patterns apply in a position, and what the search finds, against all boards."""

import math
from itertools import product

import numpy as np
import pytest

import montego as mg
from montego.errors import MontegoError
from montego.games.tools.connection.board import add_stone
from montego.playouts import HISTORY, move_values, move_weights, new_trace
from montego.rng import stream
from montego.search.higher_order import OrderN
from tests.games.naive_connection import board_of

pytestmark = pytest.mark.both_modes


def weights_of(policy, memory, position):
    game = position.game
    moves = np.array([game.parse_move(name) for name in position.legal_moves()])
    weights = np.zeros(len(moves))
    move_weights(policy, game, memory, position.state, new_trace(game), HISTORY, moves, weights)
    return dict(zip(moves.tolist(), weights.tolist(), strict=True))


def with_patterns(policy, game, patterns):
    """Return a memory of hand-made patterns: sets of (player, point), each with the point it likes."""
    memory = policy.new_memory(game)
    memory.found[0] = len(patterns)
    for number, (moves, liked) in enumerate(patterns):
        for player, point in moves:
            add_stone(memory.needed[number], player, point)
        memory.worth[number, :, liked] = 0.1 * (number + 1)
        for other, (larger, _) in enumerate(patterns):
            if moves < larger:
                memory.below[other, number // 64] |= np.uint64(1 << number % 64)
    return memory


def test_patterns_apply_unless_a_larger_one_does():
    """A pattern that is part of another may come before it in the list or after it."""
    game, policy = mg.game("y(size=5)"), OrderN(patterns=5, sharpness=1.0)
    a, b = (0, 0), (1, 14)  # player 0 on a corner, player 1 on another
    memory = with_patterns(policy, game, [(set(), 5), ({a}, 6), ({a, b}, 7), ({b}, 8), ({(1, 3)}, 9)])
    position = game.start()
    for move, liked in ((None, {5}), (0, {6}), (14, {7})):
        if move is not None:
            position.play(move)
        weights = weights_of(policy, memory, position)
        assert {point for point, weight in weights.items() if weight == 1.0} == liked
        assert len({weight for point, weight in weights.items() if point not in liked}) == 1


def test_two_patterns_side_by_side_give_the_greater_worth():
    game, policy = mg.game("y(size=5)"), OrderN(patterns=3, sharpness=2.0)
    memory = with_patterns(policy, game, [(set(), 5), ({(0, 0)}, 6), ({(1, 14)}, 7)])
    weights = weights_of(policy, memory, game.start().play(0).play(14))
    assert (weights[7], weights[6], weights[5]) == pytest.approx((1.0, math.exp(-2 * 0.1), math.exp(-2 * 0.3)))


def test_values_are_those_of_the_pattern_that_likes_the_move_most():
    game, policy = mg.game("y(size=5)"), OrderN(patterns=3)
    memory = with_patterns(policy, game, [(set(), 5), ({(0, 0)}, 6), ({(1, 14)}, 7)])
    memory.rate[:] = [[0.5, 0.5], [0.75, 0.25], [0.125, 0.875]]
    position = game.start().play(0).play(14)
    moves, opinions = np.array([7, 6, 8]), np.zeros((2, 3))
    move_values(policy, game, memory, position.state, new_trace(game), HISTORY, moves, opinions)
    assert opinions[0] == pytest.approx([0.125 + 0.3, 0.75 + 0.2, 0.75])  # of equal ones the first
    assert opinions[1].tolist() == [1, 1, 1]


def test_the_empty_pattern_says_what_all_boards_say():
    """Random playouts of a board of 10 points: h(m) less the winning rate, by counting all 1,024 boards.

    With 64,000 playouts the standard error of a mean over half of them is 0.003, so that 5 of them and the doubt of a
    few visits stay within 0.02; that one of 20 numbers does not happens once in 10 000 runs.
    """
    game = mg.game("y(size=4)")
    policy = OrderN(playouts=64_000, patterns=1, order=1, noise=0.0)
    memory = policy.new_memory(game)
    policy.study(memory, game.start(), stream(3))
    board = board_of(game)
    wins = np.zeros((2, 10))
    for owners in product((0, 1), repeat=10):
        (winner,) = board.winners(owners)
        for point, owner in enumerate(owners):
            wins[owner, point] += owner == winner
    expected = wins / 512 - 0.5
    assert memory.worth[0] == pytest.approx(expected, abs=0.02)


def test_what_is_found_depends_on_the_stream_alone():
    game, policy = mg.game("y(size=4)"), OrderN(playouts=512, patterns=8)
    position = game.start().play("b2")
    found = []
    for seed in (1, 1, 2):
        memory = policy.new_memory(game)
        policy.study(memory, position, stream(seed))
        found.append(memory)
    assert found[0].found[0] > 1
    assert all((one == other).all() for one, other in zip(found[0], found[1], strict=True))
    assert (found[0].worth != found[2].worth).any()
    taken = game.parse_move("b2")
    assert not found[0].worth[:, :, taken].any()


def test_a_search_studies_each_position_once_and_threads_share_it(monkeypatch):
    studied = []
    plain = OrderN.study

    def study(self, memory, position, rng):
        studied.append(len(position.moves))
        plain(self, memory, position, rng)

    monkeypatch.setattr(OrderN, "study", study)
    spec = "uct(playouts=40, prior=order_n(playouts=64, patterns=2), bias=1, threads=2)"
    player = mg.player(spec, "y(size=4)", seed=1)
    position = mg.game("y(size=4)").start()
    for _ in range(2):
        position.play(player.choose(position))
    assert studied == [0, 1]


def test_other_games_are_refused():
    with pytest.raises(MontegoError, match="order_n knows hex and y; it knows nothing about go"):
        mg.player("uct(playouts=10, prior=order_n)", "go(size=5)")
