"""Order-N statistics as knowledge for the tree of Hex and Y: what patterns found at the root say further down.

Raiko ("Higher Order Statistics in Play-out Analysis", 2006) finds patterns of moves after which other moves are worth
more or less than usual, and lets them guide playouts. A position in the tree is the root with some moves made, so the
same patterns apply there. Before each decision a search by order-N statistics finds patterns; a position asks those
whose moves have all been made and which are not part of a larger one that applies too. As in the paper's playouts, a
move is worth the greatest of its evaluations by them.
"""

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games import Position
from montego.games.features import Array
from montego.games.rules import to_move
from montego.games.tools.connection import point_count
from montego.games.tools.connection.board import add_stone
from montego.kernels import borrowing, implements, index, lowest_bit
from montego.playouts.policy import Policy, move_values, move_weights
from montego.rng import next_word, stream
from montego.search.higher_order.arrays import words
from montego.search.higher_order.batches import is_filling
from montego.search.higher_order.conclusions import list_patterns
from montego.search.higher_order.pattern_search import HigherOrder, HigherOrderSearch
from montego.search.higher_order.patterns import winning_rate
from montego.spec import Param

_U = np.uint64
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_DOUBT = 4.0  # visits that a move after a pattern is given, of the pattern's own winning rate


class Findings(NamedTuple):
    """The patterns of a decision, P at most; the first is the empty one, which always applies."""

    found: Array  # [1]: how many there are
    needed: Array  # P × 2 × words: the stones that a pattern asks for, as the state of a game has them
    below: Array  # P × words: the patterns that are part of a pattern
    rate: Array  # P × 2: how often each player wins after the pattern
    worth: Array  # P × 2 × points: what a move of his adds to that
    applying: Array  # words: room for the patterns that apply


class _Parameters(NamedTuple):
    playouts: Annotated[int, Param("playouts that look for patterns before each decision", 64, 10**9)] = 1000
    patterns: Annotated[int, Param("patterns at most, the empty one included", 1, 4096)] = 32
    order: Annotated[int, Param("moves of a pattern and the one evaluated, at most", 1, 64)] = 4
    noise: Annotated[float, Param("greatest noise in the playouts' choice of moves; 0: random playouts", 0, 100)] = 1.0
    sharpness: Annotated[float, Param("weight e times as much for 1 / sharpness more of the chance to win", 0, 1e3)] = (
        10.0
    )


class OrderN(_Parameters, Policy, name="order_n"):
    """Knowledge for the tree: patterns found before each decision by statistics of order N. Hex and Y."""

    def new_memory(self, game: Any) -> Findings:
        if not is_filling(game):
            raise MontegoError(f"order_n knows hex and y; it knows nothing about {game}")
        stones = game.new_state().stones
        return Findings(
            np.zeros(1, np.int64),
            np.zeros((self.patterns, *stones.shape), np.uint64),
            np.zeros((self.patterns, words(self.patterns)), np.uint64),
            np.zeros((self.patterns, 2)),
            np.zeros((self.patterns, 2, len(game.layout().names))),
            np.zeros(words(self.patterns), np.uint64),
        )

    def shared_memory(self, game: Any, memory: Findings) -> Findings:
        return memory._replace(applying=np.zeros_like(memory.applying))

    def study(self, memory: Findings, position: Position, rng: Any) -> None:
        """Find patterns by the player ``higher_order``, and keep what they say about every point."""
        search = HigherOrderSearch(position.game, self._searching())
        search.run(position, stream(int(next_word(rng))))
        table, bench = search.table, search.bench
        patterns = list_patterns(table, bench)
        memory.found[0] = len(patterns)
        memory.needed[:] = 0
        memory.worth[:] = 0.0
        memory.below[: len(patterns)] = table.below[: len(patterns)]
        for number, pattern in enumerate(patterns):
            for player, move in pattern.moves:
                add_stone(memory.needed[number], player, move)
            for player in range(2):
                memory.rate[number, player] = rate = winning_rate(table, number, player)
                gained = table.wins[number, player] - rate * table.made[number, player]
                memory.worth[number, player, bench.moves] = gained / (table.made[number, player] + _DOUBT)

    def _searching(self) -> HigherOrder:
        return HigherOrder(playouts=self.playouts, patterns=self.patterns, order=self.order, noise=self.noise)


@implements(move_weights, OrderN)
@borrowing
def _move_weights(policy, game, memory, state, trace, end, moves, weights):
    """Write exp(sharpness × worth), the greatest being 1; a swap is worth what the position is."""
    _mark_applying(memory, state.stones)
    points, player = point_count(game), index(to_move(game, state))
    greatest = -1.0
    for row in range(len(moves)):
        weights[index(row)] = 0.0
        if moves[index(row)] < points:
            pattern = _best_pattern(memory, player, index(moves[index(row)]))
            weights[index(row)] = memory.worth[pattern, player, index(moves[index(row)])]
        greatest = max(greatest, weights[index(row)])
    for row in range(len(moves)):
        weights[index(row)] = math.exp(policy.sharpness * (weights[index(row)] - greatest))


@implements(move_values, OrderN)
@borrowing
def _move_values(policy, game, memory, state, trace, end, moves, opinions):
    """Write h(m | p) as the value of a move, for one simulation each."""
    _mark_applying(memory, state.stones)
    points, player = point_count(game), index(to_move(game, state))
    for row in range(len(moves)):
        opinions[0, index(row)], opinions[1, index(row)] = 0.5, 0.0
        if moves[index(row)] < points:
            move = index(moves[index(row)])
            pattern = _best_pattern(memory, player, move)
            value = memory.rate[pattern, player] + memory.worth[pattern, player, move]
            opinions[0, index(row)], opinions[1, index(row)] = min(1.0, max(0.0, value)), 1.0


@borrowing
def _mark_applying(memory, stones):
    """Mark the patterns whose stones are all there and which are not part of a larger one of this kind."""
    applying = memory.applying
    for word in range(len(applying)):
        applying[index(word)] = _ZERO
    for pattern in range(memory.found[0]):
        if _is_there(memory.needed[index(pattern)], stones):
            applying[index(pattern >> 6)] |= _ONE << _U(pattern & 63)
    for pattern in range(memory.found[0]):
        if applying[index(pattern >> 6)] >> _U(pattern & 63) & _ONE != _ZERO:
            for word in range(len(applying)):
                applying[index(word)] &= ~memory.below[index(pattern), index(word)]


@borrowing
def _is_there(needed, stones):
    """Whether all stones that a pattern asks for are on the board."""
    missing = _ZERO
    for player in range(2):
        for word in range(stones.shape[1]):
            missing |= needed[index(player), index(word)] & ~stones[index(player), index(word)]
    return missing == _ZERO


@borrowing
def _best_pattern(memory, player, point):
    """Return the marked pattern after which a point is worth most to a player."""
    best, greatest = index(0), -2.0
    for word in range(len(memory.applying)):
        rest = memory.applying[index(word)]
        while rest != _ZERO:
            pattern = index(64 * word + lowest_bit(rest))
            rest &= rest - _ONE
            if memory.worth[pattern, player, point] > greatest:
                best, greatest = pattern, memory.worth[pattern, player, point]
    return best
