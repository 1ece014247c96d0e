"""Knowledge for the tree of Hex and Y: how much each point matters, by probabilistic micro-reduction.

Micro-reduction shrinks a triangle of cells until one is left (van Rijswijck, "Search and evaluation in Hex", 2002).
With chances in the cells, 1/2 where a point is empty, a new cell has the chance that two of its three cells are player
0's, as if they were independent, and the last cell the chance to win. How fast that chance changes with a cell is what
a stone there is worth, and it is worth the same to both players. Raiko ("Higher Order Statistics in Play-out Analysis")
asks how micro-reduction does beside playouts.

All these derivatives come from one pass down to the last cell and one pass back (the chain rule): for about the time of
one playout where evaluating every move by itself would take as many reductions as there are moves.

Cell (i, j) of a triangle of size S has i + j < S and is reduced with (i + 1, j) and (i, j + 1). Hex is such a triangle
of size 2·n - 1, with one corner filled for each player.
"""

from functools import singledispatch
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games.features import Array
from montego.games.hex import Hex
from montego.games.tools.connection import holds, point_count
from montego.games.y import Board, Y
from montego.games.y.bent import POINT_OF_CELL, STRAIGHT_SIZE
from montego.kernels import borrowing, implements, index
from montego.playouts.policy import Policy, move_weights
from montego.spec import Param

_OF_PLAYER_0, _OF_PLAYER_1 = -1, -2  # cells that are filled from the beginning


@singledispatch
def triangle_of(game: Any) -> Array:
    """Return a square array with the point of each cell (i, j), or whose the cell is; what lies beyond is not read."""
    raise MontegoError(f"reduction knows hex and y; it knows nothing about {game}")


@triangle_of.register
def _hex_triangle(game: Hex) -> Array:
    """Rows below the rhombus are player 0's, columns right of it are player 1's."""
    size = 2 * game.size - 1
    points = np.full((size, size), _OF_PLAYER_0, np.int16)
    points[:, game.size :] = _OF_PLAYER_1
    points[: game.size, : game.size] = np.arange(game.size**2).reshape(game.size, game.size)
    return points


@triangle_of.register
def _y_triangle(game: Y) -> Array:
    """Cell ``column`` of row ``row`` of the board, or of what it is folded from, is cell (row - column, column)."""
    bent = game.board == Board.BENT
    size = STRAIGHT_SIZE if bent else game.size
    points = np.zeros((size, size), np.int16)
    cells = [(row - column, column) for row in range(size) for column in range(row + 1)]
    for number, cell in enumerate(cells):
        points[cell] = POINT_OF_CELL[number] if bent else number
    return points


class Triangle(NamedTuple):
    """What one thread reduces with."""

    points: Array  # S × S: see ``triangle_of``
    chances: Array  # S × S × S: of the triangle of size s + 1, cell (i, j)
    slopes: Array  # S × S: how fast the last chance changes with each cell
    worth: Array  # the same for each point


class _Parameters(NamedTuple):
    sharpness: Annotated[float, Param("power to which the worth of a point is taken", 0, 20, None, (0, 8))] = 2.0


class Reduction(_Parameters, Policy, name="reduction"):
    """Knowledge for the tree: what a stone on each point changes by probabilistic micro-reduction. Hex and Y."""

    def new_memory(self, game: Any) -> Triangle:
        points = triangle_of(game)
        size = len(points)
        return Triangle(points, np.zeros((size, size, size)), np.zeros((size, size)), np.zeros(game.move_limit()))


@implements(move_weights, Reduction)
@borrowing
def _move_weights(policy, game, memory, state, trace, end, moves, weights):
    _write_chances(state, memory)
    _write_slopes(memory)
    greatest = _write_worth(memory)
    points = point_count(game)
    for row in range(len(moves)):
        move = moves[index(row)]
        weights[index(row)] = 1.0  # for the swap, and where the game is decided
        if greatest > 0.0 and move < points:
            weights[index(row)] = (memory.worth[index(move)] / greatest) ** policy.sharpness


@borrowing
def _write_chances(state, memory):
    """Fill the largest triangle from the board, and shrink it."""
    points, chances = memory.points, memory.chances
    size = len(points)
    for i in range(size):
        for j in range(size - i):
            point = np.int64(points[index(i), index(j)])
            chance = 0.5
            if point < 0:
                chance = 1.0 if point == _OF_PLAYER_0 else 0.0
            elif holds(state.stones, 0, point):
                chance = 1.0
            elif holds(state.stones, 1, point):
                chance = 0.0
            chances[index(size - 1), index(i), index(j)] = chance
    for smaller in range(size - 2, -1, -1):
        above = chances[index(smaller + 1)]
        for i in range(smaller + 1):
            for j in range(smaller + 1 - i):
                a, b, c = above[index(i), index(j)], above[index(i + 1), index(j)], above[index(i), index(j + 1)]
                chances[index(smaller), index(i), index(j)] = a * b + c * (a + b - 2.0 * a * b)


@borrowing
def _write_slopes(memory):
    """Go back from the last cell. Rows and columns are taken from the end, so that one array holds old and new slopes.

    The slope of a cell of the larger triangle comes from the three cells of the smaller one that it is a part of: the
    one with its own numbers, the one above it and the one to its left, the last two of which come later in turn.
    """
    chances, slopes = memory.chances, memory.slopes
    slopes[:] = 0.0
    slopes[0, 0] = 1.0
    for larger in range(1, len(slopes)):
        cells = chances[index(larger)]
        for i in range(larger, -1, -1):
            for j in range(larger - i, -1, -1):
                slope = 0.0
                if i + j < larger:
                    b, c = cells[index(i + 1), index(j)], cells[index(i), index(j + 1)]
                    slope += slopes[index(i), index(j)] * (b + c - 2.0 * b * c)
                if i > 0:
                    a, c = cells[index(i - 1), index(j)], cells[index(i - 1), index(j + 1)]
                    slope += slopes[index(i - 1), index(j)] * (a + c - 2.0 * a * c)
                if j > 0:
                    a, b = cells[index(i), index(j - 1)], cells[index(i + 1), index(j - 1)]
                    slope += slopes[index(i), index(j - 1)] * (a + b - 2.0 * a * b)
                slopes[index(i), index(j)] = slope


@borrowing
def _write_worth(memory):
    """Add up the slopes of the cells of each point; return the greatest sum."""
    points, slopes, worth = memory.points, memory.slopes, memory.worth
    worth[:] = 0.0
    size = len(points)
    for i in range(size):
        for j in range(size - i):
            point = np.int64(points[index(i), index(j)])
            if point >= 0:
                worth[index(point)] += slopes[index(i), index(j)]
    greatest = 0.0
    for value in worth:
        greatest = max(greatest, value)
    return greatest
