"""Hex and Y: full boards and chances decided by micro-reduction (van Rijswijck, "Search and evaluation in Hex", 2002).

A triangle of cells becomes a smaller one: each new cell belongs to whoever has two of three cells. What is left in
the end is the winner. It is used in two ways.

*Full boards.* The order of moves does not matter in these games, so a playout is a full board. A batch of 64 playouts
has one word for each point, bit k for board k, set for player 0. A random filling is a random word for each point,
and one majority of three words does one step of micro-reduction on all 64 boards.

*Chances.* Probabilistic micro-reduction gives the chance to win a board whose empty points are coloured at random,
quickly and roughly: a cell of the smaller triangle gets the probability that two of its three cells are player 0's,
as if they were independent. The cells of one point of the bent board are taken as independent too.
"""

import time
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games import Game, Position
from montego.games.hex import Hex
from montego.games.tools.connection import holds, point_count
from montego.games.y import Board, Y
from montego.games.y.bent import POINT_OF_CELL, STRAIGHT_SIZE
from montego.kernels import borrowing, generic, implements, index, kernel
from montego.rng import below, next_word
from montego.search.analysis import NO_LIMITS, Analysis, Limits, MoveStatistics
from montego.search.higher_order.arrays import TAKEN
from montego.search.higher_order.batches import (
    apply_fresh,
    begin_playout,
    completes,
    fill_lanes,
    is_filling,
    judge_lanes,
    note_choice,
    pick,
    play_lane,
)

_U = np.uint64
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@singledispatch
def cells_of(game: Game) -> int:
    """Return how many cells micro-reduction of a board needs; 1 for games that it does not decide."""
    return 1


@cells_of.register
def _(game: Hex) -> int:
    return game.size**2


@cells_of.register
def _(game: Y) -> int:
    size = STRAIGHT_SIZE if game.board == Board.BENT else game.size
    return size * (size + 1) // 2


@generic
def boards_won(game, points, cells):
    """Return the full boards that player 0 won, as bits, from one word for each point; ``cells`` is room to work."""


@borrowing
def _fill_lanes(game, root, bench, lanes):
    """Colour every empty point of all boards by chance (Raiko, 1.3)."""
    made, rng = bench.made, bench.rng
    for slot in range(made.shape[1]):
        word = next_word(rng)
        made[index(0), index(slot)] = word
        made[index(1), index(slot)] = ~word


@borrowing
def _play_lane(game, root, bench, table, lane):
    """Fill one board in turns, each player by the evaluations that hold when it moves."""
    made, current, noise = bench.made, bench.current, bench.noise
    missing, maximal, fresh = bench.missing, bench.maximal, bench.fresh
    containing, below, values = table.containing, table.below, table.values
    patterns = np.int64(bench.head.patterns)
    begin_playout(patterns, table.sizes, values, missing, maximal, current)
    bit = _ONE << _U(lane)
    player = np.int64(bench.head.mover)
    for _ in range(made.shape[1]):
        slot = pick(current, noise, player)
        if bench.settings.selected:
            note_choice(table, bench, player, slot)
        noise[index(0), index(slot)] = TAKEN
        noise[index(1), index(slot)] = TAKEN
        made[index(player), index(slot)] |= bit
        if completes(containing, patterns, player, slot, missing, fresh):
            apply_fresh(below, values, patterns, fresh, maximal, current)
        player = 1 - player


@borrowing
def _judge_lanes(game, root, bench):
    """Put the boards of the batch together and find all their winners."""
    points, made, moves = bench.points, bench.made, bench.moves
    for point in range(point_count(game)):
        points[index(point)] = _ALL if holds(root.stones, 0, point) else _ZERO
    for slot in range(made.shape[1]):
        points[index(moves[index(slot)])] = made[index(0), index(slot)]
    won = boards_won(game, points, bench.cells)
    bench.outcome[index(0)] = won
    bench.outcome[index(1)] = ~won
    bench.outcome[index(2)] = _ZERO


@borrowing
def _is_filling(game):
    return True


@borrowing
def majority(a, b, c):
    """Return the bits that two of three words have."""
    return (a & (b | c)) | (b & c)


@borrowing
def triangle_won(cells, size):
    """Return the boards whose last cell is player 0's; ``cells`` of a triangle, row by row, is used up."""
    for smaller in range(size - 1, 0, -1):
        at = 0
        for row in range(smaller):
            for cell in range(at, at + row + 1):
                here = cells[index(cell)]
                cells[index(cell)] = majority(here, cells[index(cell + row + 1)], cells[index(cell + row + 2)])
            at += row + 1
    return cells[index(0)]


@borrowing
def rhombus_won(cells, size):
    """Return the boards on which player 0 connects top and bottom; ``cells`` is used up.

    The rhombus is the top of a triangle whose other corners are filled: below the last row all is player 0's, right
    of the last column player 1's (as in the rules of Hex). Cells too far from the top to matter any more are left as
    they are.
    """
    for reach in range(2 * size - 2, 0, -1):
        for row in range(min(size, reach)):
            last = min(size, reach - row) - 1
            for column in range(last + 1):
                cell = row * size + column
                below = cells[index(cell + size)] if row < size - 1 else _ALL
                right = cells[index(cell + 1)] if column < size - 1 else _ZERO
                cells[index(cell)] = majority(cells[index(cell)], below, right)
    return cells[index(0)]


@implements(boards_won, Hex)
@borrowing
def _hex_boards_won(game, points, cells):
    for point in range(point_count(game)):
        cells[index(point)] = points[index(point)]
    return rhombus_won(cells, game.size)


@implements(boards_won, Y)
@borrowing
def _y_boards_won(game, points, cells):
    if game.board == Board.BENT:
        for cell in range(len(POINT_OF_CELL)):
            cells[index(cell)] = points[index(POINT_OF_CELL[index(cell)])]
        return triangle_won(cells, STRAIGHT_SIZE)
    for point in range(point_count(game)):
        cells[index(point)] = points[index(point)]
    return triangle_won(cells, game.size)


for _game in (Hex, Y):  # not every connection game: a board must be decided by micro-reduction
    implements(is_filling, _game)(_is_filling)
    implements(fill_lanes, _game)(_fill_lanes)
    implements(play_lane, _game)(_play_lane)
    implements(judge_lanes, _game)(_judge_lanes)


# ------------------------------------------------------------------------------------------------------------- chances


@kernel
def chance_of_two(a, b, c):
    """Return the probability that at least two of three independent events happen."""
    return a * b + c * (a + b - 2.0 * a * b)


@kernel
def triangle_chance(cells, size):
    """Return the chance of the last cell of a triangle; ``cells``, row by row, is used up."""
    for smaller in range(size - 1, 0, -1):
        at = 0
        for row in range(smaller):
            for cell in range(at, at + row + 1):
                here = cells[index(cell)]
                cells[index(cell)] = chance_of_two(here, cells[index(cell + row + 1)], cells[index(cell + row + 2)])
            at += row + 1
    return cells[index(0)]


@kernel
def rhombus_chance(cells, size):
    """Return the chance to connect top and bottom of a rhombus; ``cells`` is used up. See ``rhombus_won``."""
    for reach in range(2 * size - 2, 0, -1):
        for row in range(min(size, reach)):
            for column in range(min(size, reach - row)):
                cell = row * size + column
                under = cells[index(cell + size)] if row < size - 1 else 1.0
                right = cells[index(cell + 1)] if column < size - 1 else 0.0
                cells[index(cell)] = chance_of_two(cells[index(cell)], under, right)
    return cells[index(0)]


@generic
def chance_of(game, player, points, cells):
    """Return a player's chance to win, from the chance of every point to be the player's; ``cells`` is room to work."""


@implements(chance_of, Hex)
def _hex_chance(game, player, points, cells):
    size = game.size
    for row in range(size):
        for column in range(size):
            # Player 1's board is mirrored, so that it too goes from top to bottom.
            point = row * size + column if player == 0 else column * size + row
            cells[index(row * size + column)] = points[index(point)]
    return rhombus_chance(cells, size)


@implements(chance_of, Y)
def _y_chance(game, player, points, cells):
    if game.board == Board.BENT:
        for cell in range(len(POINT_OF_CELL)):
            cells[index(cell)] = points[index(POINT_OF_CELL[index(cell)])]
        return triangle_chance(cells, STRAIGHT_SIZE)
    for point in range(point_count(game)):
        cells[index(point)] = points[index(point)]
    return triangle_chance(cells, game.size)


@kernel
def chances_of_moves(game, root, player, points, cells, chances):
    """Write the chances to win after a stone of ``player`` on each point; return the chance of ``player`` now.

    ``chances[side, point]`` is the chance of ``player`` (side 0) or of the opponent (side 1); -1 where there is a stone
    already. Both are reduced, as 1 - x would lose the digits of a chance near 0. Many chances are near 0, because each
    step makes a lead greater.
    """
    now = 0.5
    for side in range(2):
        own = player if side == 0 else 1 - player  # whose chance is reduced: its stones are 1
        for point in range(point_count(game)):
            stone = holds(root.stones, own, point)
            points[index(point)] = 1.0 if stone else (0.0 if holds(root.stones, 1 - own, point) else 0.5)
        if side == 0:
            now = chance_of(game, own, points, cells)
        for point in range(point_count(game)):
            chances[index(side), index(point)] = -1.0
            if points[index(point)] == 0.5:
                points[index(point)] = 1.0 - side
                chances[index(side), index(point)] = chance_of(game, own, points, cells)
                points[index(point)] = 0.5
    return now


def move_chances(game: Game, state: Any, player: int) -> tuple[Any, float]:
    """Return the chances [player's, opponent's] after a stone of the player on each point, and the player's chance now.

    The chances are -1 where there is a stone already.
    """
    if not is_filling(game):
        raise MontegoError(f"micro-reduction decides hex and y; it knows nothing about {game}")
    points = np.zeros(int(point_count(game)))
    chances = np.zeros((2, len(points)))
    now = chances_of_moves(game, state, player, points, np.zeros(cells_of(game)), chances)
    return chances, float(now)


# ------------------------------------------------------------------------------------------------------------ a player


class MicroReduction(NamedTuple):
    """The move with the best chance by probabilistic micro-reduction, one move ahead (Hex and Y)."""

    def search(self, game: Game) -> "ReductionSearch":
        """Return the search that these settings describe."""
        if not is_filling(game):
            raise MontegoError(f"micro_reduction plays hex and y, not {game}")
        return ReductionSearch(game)


@dataclass
class ReductionSearch:
    """Evaluates every move by micro-reduction; of equally good ones any is played."""

    game: Game

    def run(self, position: Position, rng: Any, limits: Limits = NO_LIMITS) -> Analysis:
        began = time.perf_counter()
        (own, other), _ = move_chances(self.game, position.state, position.to_move)
        empty = np.flatnonzero(own >= 0)
        with np.errstate(divide="ignore"):
            odds = np.log(own[empty]) - np.log(other[empty])
        best = empty[odds >= odds.max() - 1e-9]
        number = int(best[below(rng, len(best))])
        name = self.game.move_name
        moves = [MoveStatistics(name(int(m)), int(m), 1, float(own[m])) for m in empty]
        seconds = time.perf_counter() - began
        return Analysis(name(number), number, 0, seconds, moves, [name(number)], position=position)
