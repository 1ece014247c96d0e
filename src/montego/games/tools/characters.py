"""Boards in characters: a grid of glyphs that ``text`` joins to plain lines and that a terminal may colour."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from montego.games.rules import NEUTRAL, NOBODY

if TYPE_CHECKING:
    from montego.games.position import Position


class Kind(Enum):
    """What a character of a drawing shows."""

    MARK = "mark"  # a coordinate at the edge
    POINT = "point"  # a point of the board, empty or not
    BRACKET = "bracket"  # a parenthesis around the last move


@dataclass(frozen=True)
class Glyph:
    """One character. ``point`` is the index of the point it shows, ``owner`` the player it belongs to, or -1."""

    letter: str
    kind: Kind
    owner: int = NOBODY
    point: int = -1


Grid = dict[tuple[int, int], Glyph]  # by (column, row)


def grid(position: Position) -> Grid:
    """Return the characters of a board, without the lines below it."""
    game = position.game
    layout = game.layout()
    symbols = {0: game.symbols[0], 1: game.symbols[1], NOBODY: game.symbols[2], NEUTRAL: game.neutral_symbol}
    found: Grid = {}
    for column, row, mark in layout.text_marks:
        for offset, letter in enumerate(mark):
            found[column + offset, row] = Glyph(letter, Kind.MARK)
    for number, ((column, row), owner) in enumerate(zip(layout.cells, position.owners(), strict=True)):
        found[column, row] = Glyph(symbols[int(owner)], Kind.POINT, int(owner), number)
    for name in game.last_points(position)[:1]:
        column, row = layout.cells[list(layout.names).index(name)]
        for at, bracket in ((column - 1, "("), (column + 1, ")")):
            if (at, row) not in found or found[at, row].letter == " ":
                found[at, row] = Glyph(bracket, Kind.BRACKET)
    return found


def rows(drawn: Grid) -> list[list[Glyph | None]]:
    """Return a grid row by row from its leftmost column, without anything behind the last glyph of a row."""
    left = min(0, min(column for column, _ in drawn))
    height = max(row for _, row in drawn) + 1
    lines = []
    for row in range(height):
        width = max((column for column, at in drawn if at == row), default=left - 1) + 1
        lines.append([drawn.get((column, row)) for column in range(left, width)])
    return lines


def text(position: Position) -> str:
    """Draw the board in characters; the last move stands in parentheses where there is room."""
    lines = ["".join(glyph.letter if glyph else " " for glyph in row) for row in rows(grid(position))]
    return "\n".join([*lines, *position.game.notes(position), position.result])
