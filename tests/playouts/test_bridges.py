"""Playouts that save bridges, against a naive twin that knows the board by its coordinates."""

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest

from montego.errors import MontegoError
from montego.games import game
from montego.games.rules import is_over, play
from montego.games.tools.connection.board import add_stone
from montego.games.tools.connection.features import SAVES_BRIDGE, answer_to
from montego.playouts import HISTORY, PLAYOUTS, Bridges, new_trace, play_by_move, playout
from montego.rng import stream

HEX = game("hex(size=3)")


def cells_around(cell, size):
    """Return the six places around a cell of Hex, clockwise: cells, or the player whose edge it is."""
    row, column = cell
    for up, right in ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)):
        if not 0 <= row + up < size:
            yield 0
        elif not 0 <= column + right < size:
            yield 1
        else:
            yield row + up, column + right


def naive_answers(stones, player, last, size):
    """Return the cells that save a bridge of a player after the last move."""
    around = list(cells_around(last, size))
    owners = [place if isinstance(place, int) else stones.get(place) for place in around]
    return [
        place
        for k, place in enumerate(around)
        if not isinstance(place, int) and owners[k] is None and owners[k - 1] == owners[(k + 1) % 6] == player
    ]


def naive_lines(stones, player, last, size, p):
    """Yield every way to fill the board, with its probability."""
    empty = [cell for cell in product(range(size), repeat=2) if cell not in stones]
    if not empty:
        yield (), 1.0
        return
    answers = naive_answers(stones, player, last, size) if last else []
    chances = {cell: (1 - p if answers else 1.0) / len(empty) for cell in empty}
    for cell in answers:
        chances[cell] += p / len(answers)
    for cell, chance in chances.items():
        if chance > 0:
            for line, share in naive_lines(stones | {cell: player}, 1 - player, cell, size, p):
                yield (cell, *line), chance * share


def chi_squared_quantile(freedom, z):
    """Return the quantile of the χ² distribution at a z-score (Wilson and Hilferty)."""
    return freedom * (1 - 2 / (9 * freedom) + z * math.sqrt(2 / (9 * freedom))) ** 3


def winner_by_the_rules(position, moves):
    """Return who wins when moves are played in turn until the game is over."""
    state = position.state.copy()
    for move in moves:
        if not is_over(HEX, state):
            play(HEX, state, move)
    return state.winner


@pytest.mark.compiled
@pytest.mark.parametrize("way", [playout, play_by_move])
@pytest.mark.parametrize("p", [1.0, 0.5])
def test_playouts_are_distributed_as_those_of_the_naive_twin(way, p):
    """A right program fails one case in 10,000; the seed makes it repeatable."""
    position = HEX.start()
    for move in ("b2", "a1", "c3", "b1"):  # the last one cuts into the bridge between b2 and the upper edge
        position.play(move)
    stones = {divmod(move, 3): number % 2 for number, move in enumerate(position.moves)}
    assert naive_answers(stones, 0, (0, 1), 3) == [(0, 2)]
    exact = dict(naive_lines(stones, 0, (0, 1), 3, p))
    assert sum(exact.values()) == pytest.approx(1)
    policy = Bridges(p)
    memory, rng, scratch = policy.new_memory(HEX), stream(7), HEX.new_moves()
    counts: Counter = Counter()
    for number in range(20000):
        state, trace = position.state.copy(), new_trace(HEX)
        trace[:HISTORY] = position.moves[-HISTORY:]
        end = way(policy, HEX, memory, state, rng, trace, HISTORY, scratch)
        line = tuple(divmod(int(move), 3) for move in trace[HISTORY:end])
        counts[line] += 1
        if number < 50:
            assert state.winner == winner_by_the_rules(position, trace[HISTORY:end])
    assert set(counts) <= set(exact)
    statistic = sum((counts[line] - 20000 * chance) ** 2 / (20000 * chance) for line, chance in exact.items())
    assert statistic < chi_squared_quantile(len(exact) - 1, 3.719)


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["hex(size=4)", "y(size=4)", "y(board=bent)"])
def test_every_bridge_is_saved(spec):
    """The answers are those that the features of softmax playouts know, which are found in another way."""
    board = game(spec)
    policy, tables = Bridges(), board.feature_tables()
    memory, rng, trace = policy.new_memory(board), stream(3), new_trace(board)
    saved = 0
    for _ in range(5):
        state = board.start().state
        end = playout(policy, board, memory, state, rng, trace, HISTORY, board.new_moves())
        assert sorted(trace[HISTORY:end].tolist()) == list(range(len(tables.rings)))
        again = board.start().state
        for at in range(HISTORY + 1, end):
            add_stone(again.stones, (at - HISTORY - 1) % 2, trace[at - 1])
            empty = {int(move) for move in trace[at:end]}
            player, last = (at - HISTORY) % 2, int(trace[at - 1])
            saving = {point for point in empty if answer_to(tables, again, player, last, point) == SAVES_BRIDGE}
            assert not saving or trace[at] in saving
            saved += bool(saving)
    assert saved > 5


@pytest.mark.both_modes
def test_the_policy_is_registered_and_refuses_other_games():
    assert PLAYOUTS.build("bridges(p=0.5)") == Bridges(0.5)
    with pytest.raises(MontegoError, match="bridges are shapes of Hex and Y; tictactoe has none"):
        Bridges().new_memory(game("tictactoe"))


@pytest.mark.both_modes
def test_a_trace_that_is_too_short_for_a_full_board_is_played_move_by_move():
    board = game("hex(size=3)")
    policy = Bridges()
    trace = np.full(HISTORY + 4, -1, np.int32)
    state = board.start().state
    end = playout(policy, board, policy.new_memory(board), state, stream(1), trace, HISTORY, board.new_moves())
    assert end == len(trace)
    assert state.placed == 4
