"""Y: the player who connects all three sides of a triangle wins; one of the players always does.

Corners belong to two sides. On the straight board points are named by column letter and row number from the top, row k
having k points: a1 is the top. On the bent board (``bent.py``) the letter is the ring from the outside, the number goes
clockwise from the top corner.
"""

import math
from enum import IntEnum
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.errors import SpecError
from montego.games import connection
from montego.games.connection import (
    full_board_winner,
    give_rest_to_second,
    goal,
    neighbour,
    point_count,
    sides_at,
)
from montego.games.game import Game
from montego.games.layout import Layout, Shape
from montego.games.y import bent
from montego.games.y.reduction import first_owns_last_cell, spread_bent, spread_straight
from montego.kernels import implements, index
from montego.spec import Param

MAX_SIZE = 25
BENT_SIZE = 9  # points on a side of the bent board
GOAL = 7  # all three sides
STATE = connection.state_dtype(MAX_SIZE * (MAX_SIZE + 1) // 2, bits=MAX_SIZE**2)
LETTERS = "abcdefghijklmnopqrstuvwxyz"

# The row of every point of a straight board: the same for all sizes.
ROW = np.array([row for row in range(MAX_SIZE) for _ in range(row + 1)], np.int64)
# The six directions as steps of (row, column).
STEPS = np.array([(-1, -1), (-1, 0), (0, -1), (0, 1), (1, 0), (1, 1)], np.int64)


class Board(IntEnum):
    """The shape of the board."""

    STRAIGHT = 0
    BENT = 1


class _Rules(NamedTuple):
    size: Annotated[int, Param("points a side of the straight board", 1, MAX_SIZE)] = 11
    board: Annotated[Board, Param("a straight triangle of any size, or the bent board of 93 points")] = Board.STRAIGHT


class Y(_Rules, Game, name="y"):
    """Y: connect all three sides."""

    gtp_dialect = "hex"

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Give the bent board its only size."""
        if values["board"] == Board.BENT:
            if values["size"] not in (BENT_SIZE, cls._field_defaults["size"]):
                raise SpecError(
                    f"y: the bent board has one size, {BENT_SIZE}; leave size out, not size={values['size']}"
                )
            values["size"] = BENT_SIZE
        return values

    def state_dtype(self) -> np.dtype[Any]:
        return STATE

    def move_limit(self) -> int:
        return bent.POINT_COUNT if self.board == Board.BENT else self.size * (self.size + 1) // 2

    def max_length(self) -> int:
        return self.move_limit()

    def pattern_classes(self) -> int:
        return connection.RINGS

    def directions(self) -> int:
        return connection.DIRECTIONS

    def set_up(self, state: Any, stones: dict[str, int], to_move: int) -> None:
        connection.set_up_stones(self, state, stones, to_move)

    def layout(self) -> Layout:
        return _bent_layout() if self.board == Board.BENT else _straight_layout(self.size)

    def symmetries(self) -> list[list[int]]:
        return self.layout().symmetries()


def _straight_layout(size: int) -> Layout:
    """Return a triangle of hexagons, the apex on top."""
    height = math.sqrt(3) / 2
    points = [(row, column) for row in range(size) for column in range(row + 1)]
    edge = len(str(size)) + 1
    letters = [(column - (size - 1) / 2, (size - 1) * height + 1.0, LETTERS[column]) for column in range(size)]
    return Layout(
        Shape.HEXAGON,
        names=[f"{LETTERS[column]}{row + 1}" for row, column in points],
        xy=[(column - row / 2, row * height) for row, column in points],
        cells=[(edge + size - 1 - row + 2 * column, row) for row, column in points],
        marks=[(-row / 2 - 0.95, row * height - 0.15, str(row + 1)) for row in range(size)] + letters,
        text_marks=[(size - 1 - row, row, str(row + 1).rjust(edge - 1)) for row in range(size)]
        + [(edge + 2 * column, size, LETTERS[column]) for column in range(size)],
    )


def _bent_layout() -> Layout:
    """Return the bent board as points and lines."""
    xy = bent.positions()
    top = min(y for _, y in xy)
    left = min(x for x, _ in xy)
    joined = [(a, int(b)) for a in range(bent.POINT_COUNT) for b in bent.NEIGHBOURS[a] if b > a]
    corners = [k * (BENT_SIZE - 1) for k in range(3)]
    names = bent.names()
    return Layout(
        Shape.POINT,
        names=names,
        xy=xy,
        cells=[(round((x - left) * 4), round((y - top) * 2)) for x, y in xy],
        lines=joined,
        marks=[(xy[k][0] * 1.12, xy[k][1] * 1.12, names[k]) for k in corners],
    )


# ---------------------------------------------------------------------------------------------------------- the board


connection.share_rules(Y)


@implements(goal, Y)
def _goal(game):
    return GOAL


@implements(point_count, Y)
def _point_count(game):
    return bent.POINT_COUNT if game.board == Board.BENT else game.size * (game.size + 1) // 2


@implements(neighbour, Y)
def _neighbour(game, point, direction):
    if game.board == Board.BENT:
        return bent.NEIGHBOURS[index(point), index(direction)]
    row = ROW[index(point)]
    column = point - row * (row + 1) // 2 + STEPS[index(direction), index(1)]
    row += STEPS[index(direction), index(0)]
    if 0 <= row < game.size and 0 <= column <= row:
        return row * (row + 1) // 2 + column
    return -1


@implements(sides_at, Y)
def _sides_at(game, player, point):
    if game.board == Board.BENT:
        return bent.SIDES[index(point)]
    row = ROW[index(point)]
    column = point - row * (row + 1) // 2
    return (1 if column == 0 else 0) | (2 if column == row else 0) | (4 if row == game.size - 1 else 0)


# ----------------------------------------------------------------------------------------------------------- playouts


@implements(full_board_winner, Y)
def winner_by_reduction(game, state):
    """Return the winner of a full board by micro-reduction.

    The bits of player 1 are what player 0 leaves over, so their words serve as work space and are written anew.
    """
    stones, cells = state.stones[0], state.stones[1]
    if game.board == Board.BENT:
        size = bent.STRAIGHT_SIZE
        spread_bent(stones, cells)
    else:
        size = game.size
        spread_straight(stones, size, cells)
    first_won = first_owns_last_cell(cells, size, size)
    give_rest_to_second(game, state.stones)
    return 0 if first_won else 1
