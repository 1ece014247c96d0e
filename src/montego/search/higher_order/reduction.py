"""Probabilistic micro-reduction: the chance to win a board whose empty points are coloured by chance, quick and dirty.

Van Rijswijck, "Search and evaluation in Hex" (2002): instead of sampling colourings, the probabilities of the points are reduced, a
cell of the smaller triangle getting the probability that two of its three cells are player 0's, as if they were
independent. The cells of one point of the bent board are taken as independent too.
"""

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games import Game, Position
from montego.games.hex import Hex
from montego.games.tools.connection import holds, point_count
from montego.games.y import Board, Y
from montego.games.y.bent import POINT_OF_CELL, STRAIGHT_SIZE
from montego.kernels import generic, implements, index, kernel
from montego.rng import below
from montego.search.analysis import NO_LIMITS, Analysis, Limits, MoveStatistics
from montego.search.higher_order.boards import cells_of


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
    """Return the chance to connect top and bottom of a rhombus; ``cells`` is used up. See ``boards.rhombus_won``."""
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
    """Write into ``chances[side, point]`` the chance of ``player`` (side 0) and of the opponent (side 1) to win after a
    stone of ``player`` on the point; -1 where there is a stone already. Return the chance of ``player`` as it stands.

    Both are reduced, as 1 - x would lose the digits of a chance near 0, and many are: each step makes a lead greater.
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
    """Return the chances [player's, opponent's] after the player's stone on each point, -1 on stones, and the player's now."""
    if not isinstance(game, (Hex, Y)):
        raise MontegoError(f"micro-reduction decides hex and y; it knows nothing about {game}")
    points = np.zeros(int(point_count(game)))
    chances = np.zeros((2, len(points)))
    now = chances_of_moves(game, state, player, points, np.zeros(cells_of(game)), chances)
    return chances, float(now)


class MicroReduction(NamedTuple):
    """The move with the best chance by probabilistic micro-reduction, one move ahead (Hex and Y)."""

    def search(self, game: Game) -> "ReductionSearch":
        """Return the search that these settings describe."""
        if not isinstance(game, (Hex, Y)):
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
        return Analysis(name(number), number, 0, time.perf_counter() - began, moves, [name(number)])
