"""Y: the player who connects all three sides of a triangle wins; one of the players always does.

Corners belong to two sides. On the straight board points are named by column letter and row number from the top, row k
having k points: a1 is the top. On the bent board (``bent.py``) the letter is the ring from the outside, the number goes
clockwise from the top corner.
"""

from enum import IntEnum
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.errors import SpecError
from montego.games.game import Game
from montego.games.tools.connection.board import state_dtype
from montego.games.tools.connection.game import ConnectionGame
from montego.games.tools.layout import Layout, Shape, hex_board
from montego.games.y import bent
from montego.spec import Param

MAX_SIZE = 25
BENT_SIZE = 9  # points on a side of the bent board
STATE = state_dtype(MAX_SIZE * (MAX_SIZE + 1) // 2, bits=MAX_SIZE**2)


class Board(IntEnum):
    """The shape of the board."""

    STRAIGHT = 0
    BENT = 1


class _Rules(NamedTuple):
    size: Annotated[int, Param("points per side of the straight board", 1, MAX_SIZE)] = 11
    board: Annotated[Board, Param("a straight triangle of any size, or the bent board of 93 points")] = Board.STRAIGHT


class Y(_Rules, ConnectionGame, name="y"):
    """Y: connect all three sides."""

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

    def resized(self, width: int, height: int) -> Game:
        if self.board == Board.BENT and (width, height) != (BENT_SIZE, BENT_SIZE):
            raise SpecError(f"y: the bent board has one size, {BENT_SIZE}; not {width}×{height}")
        return super().resized(width, height)

    def gtp_start(self) -> list[str]:
        return [f"boardsize {self.size}", "clear_board"]

    def layout(self) -> Layout:
        return _bent_layout() if self.board == Board.BENT else hex_board(range(1, self.size + 1), lean=-1)

    def point_symmetries(self) -> list[list[int]]:
        return self.layout().symmetries()


def _bent_layout() -> Layout:
    """Return the bent board as points and lines."""
    xy = bent.positions()
    top = min(y for _, y in xy)
    left = min(x for x, _ in xy)
    joined = [(a, int(b)) for a in range(bent.POINT_COUNT) for b in bent.NEIGHBOURS[a] if b > a]
    return Layout(
        Shape.POINT,
        names=bent.names(),
        xy=xy,
        cells=[(round((x - left) * 4), round((y - top) * 2)) for x, y in xy],
        lines=joined,
        labelled=True,
    )
