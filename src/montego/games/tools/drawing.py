"""Boards as text and as SVG, for every game, from its ``Layout``."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

from montego.errors import MontegoError, nearest
from montego.games.rules import NEUTRAL, NOBODY
from montego.games.tools.layout import Layout, Shape

if TYPE_CHECKING:
    from montego.games.position import Position

CELL = 40  # pixels per unit of the layout
_BACKGROUND = {Shape.SQUARE: "#e9e6df", Shape.HEXAGON: "#e9e6df", Shape.POINT: "#e3c08a"}
_NEUTRAL = "#8a8a8a"  # blocked points, and borders that are nobody's


# ----------------------------------------------------------------------------------------------------------------- text


def text(position: Position) -> str:
    """Draw the board in characters; the last move stands in parentheses where there is room."""
    layout = position.game.layout()
    game = position.game
    symbols = {0: game.symbols[0], 1: game.symbols[1], NOBODY: game.symbols[2], NEUTRAL: game.neutral_symbol}
    grid: dict[tuple[int, int], str] = {}
    for column, row, mark in layout.text_marks:
        for offset, letter in enumerate(mark):
            grid[column + offset, row] = letter
    for (column, row), owner in zip(layout.cells, position.owners(), strict=True):
        grid[column, row] = symbols[int(owner)]
    for name in position.game.last_points(position)[:1]:
        column, row = layout.cells[list(layout.names).index(name)]
        for at, bracket in ((column - 1, "("), (column + 1, ")")):
            if grid.get((at, row), " ") == " ":
                grid[at, row] = bracket
    left = min(0, min(column for column, _ in grid))
    height = max(row for _, row in grid) + 1
    lines = []
    for row in range(height):
        width = max((column for column, at in grid if at == row), default=left - 1) + 1
        lines.append("".join(grid.get((column, row), " ") for column in range(left, width)))
    return "\n".join([*lines, *position.game.notes(position), position.result])


# ------------------------------------------------------------------------------------------------------------------ SVG


def svg(position: Position, heat: dict[str, float] | None = None, labels: dict[str, str] | None = None) -> str:
    """Draw the board as SVG; ``heat`` colours points from low (blue) to high (red), ``labels`` writes on them."""
    layout = position.game.layout()
    number = {name: i for i, name in enumerate(layout.names)}
    for name in [*(heat or {}), *(labels or {})]:
        if name not in number:
            raise MontegoError(f"no point {str(name)!r} in {position.game}{nearest(str(name), list(number))}")
    for name, value in (heat or {}).items():
        if not math.isfinite(value):
            raise MontegoError(f"the heat of {name} must be a finite number, not {value}")
    spots = [*layout.xy, *((x, y) for x, y, _ in layout.marks)]
    left, top = min(x for x, _ in spots) - 0.8, min(y for _, y in spots) - 0.8
    width = max(x for x, _ in spots) + 0.8 - left
    height = max(y for _, y in spots) + 0.8 - top
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg"'
        f' viewBox="{left * CELL:g} {top * CELL:g} {width * CELL:g} {height * CELL:g}"'
        f' width="{width * CELL:g}" height="{height * CELL:g}" font-family="sans-serif" text-anchor="middle">',
        f'<rect x="{left * CELL:g}" y="{top * CELL:g}" width="{width * CELL:g}" height="{height * CELL:g}"'
        f' fill="{_BACKGROUND[layout.shape]}"/>',
        *_board(layout, position),
        *_heat(layout, number, heat or {}),
        *_stones(layout, position),
    ]
    for name in position.game.last_points(position):
        x, y = layout.xy[number[name]]
        parts.append(
            f'<circle class="last" cx="{x * CELL:g}" cy="{y * CELL:g}" r="{CELL * 0.12:g}"'
            ' fill="#d62728" stroke="#fff"/>'
        )
    owners = position.owners()
    for name, label in (labels or {}).items():
        label = str(label)
        x, y = layout.xy[number[name]]
        ink = "#ffffff" if owners[number[name]] == 0 else "#000000"
        parts.append(_label(x, y, label, ink, 0.32 if len(label) < 4 else 0.24))
    return "\n".join([*parts, "</svg>"])


def _label(x: float, y: float, label: str, ink: str, size: float) -> str:
    place = f'x="{x * CELL:g}" y="{(y + size / 3) * CELL:g}"'
    return f'<text {place} font-size="{size * CELL:g}" fill="{ink}">{escape(label)}</text>'


def _outline(shape: Shape, x: float, y: float, scale: float = 1.0) -> str:
    """Return the SVG points of the cell at (x, y)."""
    if shape is Shape.HEXAGON:
        corners = [(math.sin(math.pi * k / 3), math.cos(math.pi * k / 3)) for k in range(6)]
        size = scale / math.sqrt(3)
    else:
        corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        size = scale / 2
    return " ".join(f"{(x + dx * size) * CELL:.2f},{(y + dy * size) * CELL:.2f}" for dx, dy in corners)


def _board(layout: Layout, position: Position) -> list[str]:
    """Draw borders, cells or lines, and coordinates."""
    parts = []
    for player, corners in layout.borders:
        colour = position.game.colours[player] if player >= 0 else _NEUTRAL
        path = " ".join(f"{x * CELL:.2f},{y * CELL:.2f}" for x, y in corners)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{CELL * 0.22:g}"'
            ' stroke-linejoin="round"/>'
        )
    if layout.shape is not Shape.POINT:
        parts += [
            f'<polygon points="{_outline(layout.shape, x, y)}" fill="#fbfaf7" stroke="#999"/>' for x, y in layout.xy
        ]
    for a, b in layout.lines:
        (x1, y1), (x2, y2) = layout.xy[a], layout.xy[b]
        parts.append(
            f'<line x1="{x1 * CELL:g}" y1="{y1 * CELL:g}" x2="{x2 * CELL:g}" y2="{y2 * CELL:g}"'
            ' stroke="#443" stroke-width="1"/>'
        )
    for i in layout.dots:
        x, y = layout.xy[i]
        parts.append(f'<circle cx="{x * CELL:g}" cy="{y * CELL:g}" r="{CELL * 0.08:g}" fill="#443"/>')
    parts += [_label(x, y, mark, "#555", 0.34) for x, y, mark in layout.marks]
    return parts


def _stones(layout: Layout, position: Position) -> list[str]:
    parts = []
    for (x, y), owner in zip(layout.xy, position.owners(), strict=True):
        if owner == NOBODY:
            continue
        fill = _NEUTRAL if owner == NEUTRAL else position.game.colours[owner]
        kind = "neutral" if owner == NEUTRAL else f"stone{owner}"
        if layout.shape is Shape.SQUARE:
            parts.append(
                f'<polygon class="{kind}" points="{_outline(layout.shape, x, y, 0.94)}" fill="{fill}" stroke="#333"/>'
            )
        else:
            radius = CELL * (0.47 if layout.shape is Shape.POINT else 0.4)
            parts.append(
                f'<circle class="{kind}" cx="{x * CELL:g}" cy="{y * CELL:g}" r="{radius:g}"'
                f' fill="{fill}" stroke="#333"/>'
            )
    return parts


def _heat(layout: Layout, number: dict[str, int], heat: dict[str, float]) -> list[str]:
    """Colour points by value, the lowest blue, the middle white, the highest red."""
    if not heat:
        return []
    low, high = min(heat.values()), max(heat.values())
    parts = []
    for name, value in heat.items():
        x, y = layout.xy[number[name]]
        share = (value - low) / (high - low) if high > low else 0.5
        parts.append(
            f'<polygon class="heat" points="{_outline(layout.shape, x, y)}" fill="{_heat_colour(share)}"'
            f' fill-opacity="0.85"><title>{escape(name)}: {value:g}</title></polygon>'
        )
    return parts


def _heat_colour(share: float) -> str:
    """Return a colour between blue (0), white (0.5) and red (1)."""
    blue, white, red = (49, 104, 189), (250, 250, 250), (200, 40, 40)
    low, high, part = (blue, white, share * 2) if share < 0.5 else (white, red, share * 2 - 1)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(low, high, strict=True))
