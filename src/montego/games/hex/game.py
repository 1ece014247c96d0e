"""Hex: connect your two sides of a rhombus of hexagons; one of the players always does.

Red (player 0) connects top and bottom, Blue (player 1) left and right. Points are named by column letter and row number
from the top: a1 is the top left corner, and (row, column) touches (row + 1, column - 1) and (row - 1, column + 1), so
that a1 and the opposite corner are the acute ones with two neighbours.

The swap rule takes away the first player's advantage: after the first stone the second player may take it over instead
of playing. There are two equivalent conventions:

- *swap-pieces*, used here (move ``swap-pieces``, or ``swap`` for short): the players keep their sides and colours, the
  stone changes its colour and goes to its mirror image (row and column exchanged), and the first player moves again;
- *swap-sides*: the stone stays, the players exchange colours and sides, and the first player, now with the other
  colour, moves again. Mirror every stone and exchange the colours, and a swap-sides game is a swap-pieces game.
"""

import math
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

import numpy as np

from montego.games.hex.sgf import HexDialect
from montego.games.tools.connection.board import state_dtype
from montego.games.tools.connection.features import FIRSTS_EDGE, SECONDS_EDGE
from montego.games.tools.connection.game import ConnectionGame
from montego.games.tools.dialect import Dialect
from montego.games.tools.layout import Layout, hex_board
from montego.spec import Param

if TYPE_CHECKING:
    from montego.games.position import Position

MAX_SIZE = 25
STATE = state_dtype(MAX_SIZE**2, bits=MAX_SIZE**2)
SWAP = "swap-pieces"


class _Rules(NamedTuple):
    size: Annotated[int, Param("points per side", 1, MAX_SIZE)] = 11
    swap: Annotated[bool, Param("the second player may take over the first stone (swap-pieces)")] = False


class Hex(_Rules, ConnectionGame, name="hex"):
    """Hex: Red connects top and bottom, Blue left and right."""

    players = ("Red", "Blue")
    symbols = "RB."
    colours = ("#d9432f", "#2f6fd9")
    sgf: ClassVar[Dialect] = HexDialect()

    def state_dtype(self) -> np.dtype[Any]:
        return STATE

    def move_limit(self) -> int:
        return self.size**2 + self.swap

    def most_legal_moves(self) -> int:
        return self.size**2  # swapping takes the place of the point that is occupied

    def max_length(self) -> int:
        return self.size**2 + self.swap

    def move_name(self, move: int) -> str:
        return SWAP if move == self.size**2 else super().move_name(move)

    def parse_move(self, source: str) -> int:
        if self.swap and source.strip().lower() in (SWAP, "swap"):
            return self.size**2
        return super().parse_move(source)

    def why_illegal(self, position: "Position", move: int) -> str:
        if self.move_name(move) == SWAP:
            return "only the second player may swap, instead of the first answer"
        return super().why_illegal(position, move)

    def turning_move(self) -> int | None:
        return self.size**2 if self.swap else None

    def gtp_start(self) -> list[str]:
        return [f"boardsize {self.size}", "clear_board"]

    def layout(self) -> Layout:
        return hex_board([self.size] * self.size, lean=1, borders=_borders(self.size), sides=(0, 1))

    def ring_of(self, point: int) -> list[int]:
        """Return what lies around a point, clockwise from above; an edge counts for the player whose it is."""
        row, column = divmod(point, self.size)
        ring = []
        for up, right in ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)):
            if not 0 <= row + up < self.size:
                ring.append(FIRSTS_EDGE)
            elif not 0 <= column + right < self.size:
                ring.append(SECONDS_EDGE)
            else:
                ring.append((row + up) * self.size + column + right)
        return ring

    def ring_symmetries(self) -> list[tuple[int, ...]]:
        return [(0, 1, 2, 3, 4, 5), (3, 4, 5, 0, 1, 2)]  # half a turn: a shape knows where the player's sides are

    def ring_for_second(self) -> tuple[int, ...]:
        return (5, 4, 3, 2, 1, 0)  # rows and columns exchanged

    def point_symmetries(self) -> list[list[int]]:
        points = list(range(self.size**2))
        return [points, points[::-1]]  # half a turn; a reflection would exchange the players' sides


def _borders(size: int) -> list[tuple[int, list[tuple[float, float]]]]:
    """Return the outline of the board as four polylines in the colours of the players."""
    side, last = 1 / math.sqrt(3), size - 1

    def corner(row: int, column: int, k: int) -> tuple[float, float]:
        """Return corner k of a cell, clockwise from its top."""
        angle = math.pi * k / 3
        return column + row / 2 + math.sin(angle) * side, row * math.sqrt(3) / 2 - math.cos(angle) * side

    top = [corner(0, c, k) for c in range(size) for k in (5, 0)] + [corner(0, last, 1)]
    bottom = [corner(last, c, k) for c in range(size) for k in (4, 3)] + [corner(last, last, 2)]
    left = [corner(r, 0, k) for r in range(size) for k in (5, 4)] + [corner(last, 0, 3)]
    right = [corner(0, last, 0)] + [corner(r, last, k) for r in range(size) for k in (1, 2)]
    return [(1, left), (1, right), (0, top), (0, bottom)]
