"""A board in a terminal: coloured where there are colours, plain characters everywhere else."""

from __future__ import annotations

from rich.console import Console
from rich.style import Style
from rich.text import Text

from montego.games import Position
from montego.games.rules import NOBODY
from montego.games.tools.characters import Glyph, Grid, Kind, grid, rows, text
from montego.games.tools.layout import Layout, Shape, Stone
from montego.games.tools.palette import lightness

_GROUND = {Shape.POINT: "#d9b36c", Shape.HEXAGON: "#d8d4c8", Shape.SQUARE: "#d8d4c8"}
_DISC, _EMPTY, _STAR = "●", "·", "+"


def board_text(position: Position, console: Console) -> Text:
    """Draw a position with its notes and its result, or who is to move."""
    if console.color_system is None:
        return Text(text(position))
    drawing = Text("\n").join(_lines(position, "utf" in console.encoding.lower()))
    for note in (*position.game.notes(position), position.result):
        drawing.append(f"\n{note}")
    return drawing


def _lines(position: Position, has_discs: bool) -> list[Text]:
    layout = position.game.layout()
    drawn = _with_sides(position, grid(position))
    lines = []
    for row in rows(drawn):
        board = _extent(layout, row)
        row += [None] * (board.stop - len(row))
        line = Text()
        skip = 0  # characters that the one before covers
        for at, glyph in enumerate(row):
            if skip:
                skip -= 1
                continue
            word, style = _drawn(position, glyph, has_discs, at in board)
            if layout.stones is Stone.TILE and glyph is not None and glyph.kind is Kind.POINT:
                word = word * 2 if glyph.owner != NOBODY else f"{word} "
            skip = len(word) - 1
            line.append(word, style)
        lines.append(line)
    return lines


def _extent(layout: Layout, row: list[Glyph | None]) -> range:
    """Return the columns of a row that lie on the board: around its points, or everywhere on a labelled board."""
    if layout.labelled:
        return range(max(column for column, _ in layout.cells) + 4)
    points = [at for at, glyph in enumerate(row) if glyph is not None and glyph.kind is Kind.POINT]
    return range(min(points) - 1, max(points) + 2) if points else range(0)


def _with_sides(position: Position, drawn: Grid) -> Grid:
    """Add the coordinates that tell whose side is which."""
    for column, row, mark, player in position.game.layout().text_sides:
        for offset, letter in enumerate(mark):
            drawn[column + offset, row] = Glyph(letter, Kind.MARK, player)
    return drawn


def _drawn(position: Position, glyph: Glyph | None, has_discs: bool, on_board: bool) -> tuple[str, Style]:
    """Return what is written for a character, and in which colours."""
    layout, colours = position.game.layout(), position.game.colours
    ground = _GROUND[layout.shape]
    if glyph is None:
        return " ", Style(bgcolor=ground if on_board else None)
    if glyph.kind is Kind.MARK:
        return glyph.letter, Style(color=colours[glyph.owner], bold=True) if glyph.owner >= 0 else Style(dim=True)
    if glyph.kind is Kind.BRACKET:
        return glyph.letter, Style(color="#b3151f", bgcolor=ground, bold=True)
    if glyph.owner == NOBODY:
        star = glyph.point in layout.dots
        if layout.labelled:
            return layout.names[glyph.point], Style(color="#5c5030", bgcolor=ground)
        return (_STAR if star else _EMPTY if has_discs else "."), Style(color="#5c5030", bgcolor=ground, bold=star)
    if glyph.owner not in (0, 1):
        return glyph.letter, Style(color="#444444", bgcolor=ground)
    colour = colours[glyph.owner]
    if layout.stones is Stone.TILE:
        newest = layout.names[glyph.point] in position.game.last_points(position)
        ink = "#ffffff" if lightness(colour) < 0.4 else "#000000"
        return ("▪" if has_discs else "#") if newest else " ", Style(color=ink, bgcolor=colour)
    symbol = glyph.letter if position.game.players[glyph.owner] == glyph.letter or not has_discs else _DISC
    return symbol, Style(color=colour, bgcolor=ground, bold=True)
