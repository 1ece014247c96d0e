"""Boards as SVG, for every game, from its ``Layout``: stones, the last move, heat maps with their legend, labels."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from montego.errors import MontegoError, nearest
from montego.games.rules import NEUTRAL, NOBODY
from montego.games.tools import palette
from montego.games.tools.layout import Layout, Shape, Stone

if TYPE_CHECKING:
    from montego.games.position import Position

CELL = 40  # pixels per unit of the layout
_MARGIN = 0.8  # around the outermost points and coordinates, in cells
_LEGEND = 1.7  # height of the scale below the board, in cells
_BACKGROUND = {Shape.SQUARE: "#e9e6df", Shape.HEXAGON: "#e9e6df", Shape.POINT: "#e3c08a"}
_EMPTY_CELL, _LINE = "#fbfaf7", "#999"
_NEUTRAL = "#8a8a8a"  # blocked points, and borders that are nobody's
_FAINTEST, _STRONGEST = 0.25, 0.92  # opacity of heat without weight and with the greatest one
_GRADATIONS = 24  # steps of colour that the scale shows


@dataclass(frozen=True)
class Heat:
    """A heat map: a number per point or move, and how the colours are explained.

    The scale runs from ``low`` to ``high``, by default from the least value to the greatest; ``ends`` are words for
    both ends, in place of the numbers. ``weights`` (visits, say) make a colour the fainter the less it is founded on.
    """

    values: Mapping[str, float]
    title: str = ""
    low: float | None = None
    high: float | None = None
    ends: tuple[str, str] = ("", "")
    weights: Mapping[str, float] = field(default_factory=dict)
    percent: bool = False

    def scale(self) -> tuple[float, float]:
        """Return the values that have the first and the last colour."""
        low = min(self.values.values()) if self.low is None else self.low
        return low, max(self.values.values()) if self.high is None else self.high

    def share(self, value: float) -> float:
        """Return where a value lies between the ends of the scale, 0 … 1."""
        low, high = self.scale()
        return min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 0.5

    def opacity(self, name: str) -> float:
        """Return how strongly a point is coloured: by the root of its weight, so that little is still seen."""
        if not self.weights:
            return _STRONGEST
        most = max(self.weights.values())
        share = max(self.weights.get(name, 0.0), 0.0) / most if most > 0 else 0.0
        return _FAINTEST + (_STRONGEST - _FAINTEST) * math.sqrt(share)

    def word(self, value: float) -> str:
        """Return a value as it stands at the scale."""
        return f"{value:.0%}" if self.percent else f"{value:.3g}".replace("-", "−")


def svg(
    position: Position, heat: Heat | Mapping[str, float] | None = None, labels: Mapping[str, str] | None = None
) -> str:
    """Draw the board as SVG; ``heat`` colours points, ``labels`` writes on them, both by the names of points."""
    layout = position.game.layout()
    number = {name: i for i, name in enumerate(layout.names)}
    warmth = heat if isinstance(heat, Heat) else Heat(heat or {})
    _check(position, number, warmth, labels or {})
    left, top, width, height = _frame(layout, bool(warmth.values))
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg"'
        f' viewBox="{left * CELL:g} {top * CELL:g} {width * CELL:g} {height * CELL:g}"'
        f' width="{width * CELL:g}" height="{height * CELL:g}" font-family="sans-serif" text-anchor="middle">',
        f'<rect x="{left * CELL:g}" y="{top * CELL:g}" width="{width * CELL:g}" height="{height * CELL:g}"'
        f' fill="{_BACKGROUND[layout.shape]}"/>',
        *_board(layout, position),
        *_heat(layout, number, warmth),
        *_names(layout, position, warmth, labels or {}),
        '<g class="stones">',
        *stones(position, set(labels or {})),
        "</g>",
        *_labels(layout, position, number, warmth, labels or {}),
    ]
    if warmth.values:
        parts += _legend(warmth, left + _MARGIN, top + height - _LEGEND, width - 2 * _MARGIN)
    return "\n".join([*parts, "</svg>"])


def _check(position: Position, number: Mapping[str, int], heat: Heat, labels: Mapping[str, str]) -> None:
    """Refuse names that are not points, and heat that is not a number."""
    for name in [*heat.values, *labels]:
        if name not in number:
            raise MontegoError(f"no point {str(name)!r} in {position.game}{nearest(str(name), list(number))}")
    for name, value in heat.values.items():
        if not math.isfinite(value):
            raise MontegoError(f"the heat of {name} must be a finite number, not {value}")


def _frame(layout: Layout, has_legend: bool) -> tuple[float, float, float, float]:
    """Return left, top, width and height of the picture, in cells."""
    spots = [*layout.xy, *((x, y) for x, y, _ in layout.marks)]
    left, top = min(x for x, _ in spots) - _MARGIN, min(y for _, y in spots) - _MARGIN
    width = max(x for x, _ in spots) + _MARGIN - left
    height = max(y for _, y in spots) + _MARGIN - top
    return left, top, width, height + (_LEGEND if has_legend else 0)


# ---------------------------------------------------------------------------------------------------------------- board


def _label(x: float, y: float, label: str, ink: str, size: float, halo: str = "") -> str:
    """Return a text centred on a place; a halo keeps it readable on any ground."""
    place = f'x="{x * CELL:g}" y="{(y + size * 0.36) * CELL:g}" font-size="{size * CELL:g}" fill="{ink}"'
    ring = f' stroke="{halo}" stroke-width="{size * CELL * 0.22:.2g}" stroke-linejoin="round" paint-order="stroke"'
    return f"<text {place}{ring if halo else ''}>{escape(label)}</text>"


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
            f'<polygon points="{_outline(layout.shape, x, y)}" fill="{_EMPTY_CELL}" stroke="{_LINE}">'
            f"<title>{escape(name)}</title></polygon>"
            for name, (x, y) in zip(layout.names, layout.xy, strict=True)
        ]
    for a, b in layout.lines:
        (x1, y1), (x2, y2) = layout.xy[a], layout.xy[b]
        parts.append(
            f'<line x1="{x1 * CELL:g}" y1="{y1 * CELL:g}" x2="{x2 * CELL:g}" y2="{y2 * CELL:g}"'
            ' stroke="#443" stroke-width="1"/>'
        )
    radius = CELL * (0.08 if layout.shape is Shape.POINT else 0.17)
    for i in layout.dots:
        x, y = layout.xy[i]
        parts.append(f'<circle class="dot" cx="{x * CELL:g}" cy="{y * CELL:g}" r="{radius:g}" fill="#443"/>')
    parts += [_label(x, y, mark, "#444", 0.34) for x, y, mark in layout.marks]
    return parts


def _names(layout: Layout, position: Position, heat: Heat, labels: Mapping[str, str]) -> Iterator[str]:
    """Write the names of empty points on boards whose edges cannot tell them."""
    if not layout.labelled:
        return
    owners = position.owners()
    for name, (x, y), owner in zip(layout.names, layout.xy, owners, strict=True):
        if owner == NOBODY and name not in labels:
            warm = name in heat.values and heat.opacity(name) > 0.5
            ground = palette.colour(heat.share(heat.values[name])) if warm else _BACKGROUND[layout.shape]
            ink, halo = palette.ink_on(ground)
            yield _label(x, y, name, ink, 0.27, halo if warm else ground)


# --------------------------------------------------------------------------------------------------------------- stones


def stones(position: Position, unmarked: Collection[str] = ()) -> list[str]:
    """Return the SVG elements of all stones and of the mark on the last move, unless it is on an ``unmarked`` point."""
    layout = position.game.layout()
    parts = _tiles(layout, position) if layout.stones is Stone.TILE else _discs(layout, position)
    number = {name: i for i, name in enumerate(layout.names)}
    for name in position.game.last_points(position):
        if name in unmarked:
            continue
        x, y = layout.xy[number[name]]
        parts.append(
            f'<circle class="last" cx="{x * CELL:g}" cy="{y * CELL:g}" r="{CELL * 0.12:g}"'
            ' fill="#d62728" stroke="#fff" stroke-width="1.5"/>'
        )
    return parts


def _fill(position: Position, owner: int) -> tuple[str, str]:
    """Return the class and the colour of a stone."""
    return ("neutral", _NEUTRAL) if owner == NEUTRAL else (f"stone{owner}", position.game.colours[owner])


def _discs(layout: Layout, position: Position) -> list[str]:
    parts = []
    radius = CELL * (0.47 if layout.shape is Shape.POINT else 0.4)
    for (x, y), owner in zip(layout.xy, position.owners(), strict=True):
        if owner != NOBODY:
            kind, fill = _fill(position, int(owner))
            parts.append(
                f'<circle class="{kind}" cx="{x * CELL:g}" cy="{y * CELL:g}" r="{radius:g}"'
                f' fill="{fill}" stroke="#333"/>'
            )
    return parts


def _tiles(layout: Layout, position: Position) -> list[str]:
    """Fill cells, and outline those of one move as one piece."""
    owners, number = position.owners(), {name: i for i, name in enumerate(layout.names)}
    pieces = [[number[name] for name in position.game.points_of(move)] for move in position.moves]
    placed = {point for piece in pieces for point in piece}
    pieces += [[point] for point, owner in enumerate(owners) if owner != NOBODY and point not in placed]
    parts, outlines = [], []
    for piece in pieces:
        for point in piece:
            kind, fill = _fill(position, int(owners[point]))
            x, y = layout.xy[point]
            parts.append(
                f'<polygon class="{kind}" points="{_outline(layout.shape, x, y)}" fill="{fill}"'
                ' stroke="#fff" stroke-opacity="0.35"/>'
            )
        outlines.append(_rim([layout.xy[point] for point in piece]))
    path = " ".join(outlines)
    outline = f'<path class="piece" d="{path}" fill="none" stroke="#222" stroke-width="2.4" stroke-linecap="round"/>'
    return [*parts, outline] if path else parts


def _rim(cells: list[tuple[float, float]]) -> str:
    """Return the edges of square cells that no two of them share, as an SVG path."""
    inside = set(cells)
    steps = []
    for x, y in cells:
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            if (x + dx, y + dy) not in inside:
                start = (x + (dx - dy) / 2, y + (dy + dx) / 2)
                end = (x + (dx + dy) / 2, y + (dy - dx) / 2)
                steps.append(f"M{start[0] * CELL:g} {start[1] * CELL:g}L{end[0] * CELL:g} {end[1] * CELL:g}")
    return "".join(steps)


# ----------------------------------------------------------------------------------------------------- heat and labels


def _heat(layout: Layout, number: Mapping[str, int], heat: Heat) -> Iterator[str]:
    """Colour points by value: cells as they are, crossings as discs."""
    for name, value in heat.values.items():
        x, y = layout.xy[number[name]]
        paint = f'fill="{palette.colour(heat.share(value))}" fill-opacity="{heat.opacity(name):.2f}"'
        title = f"<title>{escape(name)}: {value:g}</title>"
        if layout.shape is Shape.POINT:
            place = f'cx="{x * CELL:g}" cy="{y * CELL:g}" r="{CELL * 0.46:g}"'
            yield f'<circle class="heat" {place} {paint}>{title}</circle>'
        else:
            outline = f'points="{_outline(layout.shape, x, y)}" stroke="{_LINE}"'
            yield f'<polygon class="heat" {outline} {paint}>{title}</polygon>'


def _labels(
    layout: Layout, position: Position, number: Mapping[str, int], heat: Heat, labels: Mapping[str, str]
) -> Iterator[str]:
    """Write on points, in black or white by what lies below, with a halo in the other colour."""
    owners = position.owners()
    for name, label in labels.items():
        x, y = layout.xy[number[name]]
        owner = int(owners[number[name]])
        if owner != NOBODY:
            ground = _fill(position, owner)[1]
        elif name in heat.values and heat.opacity(name) > 0.5:
            ground = palette.colour(heat.share(heat.values[name]))
        else:
            ground = _BACKGROUND[layout.shape]
        ink, halo = palette.ink_on(ground)
        yield _label(x, y, str(label), ink, 0.34 if len(str(label)) < 4 else 0.26, halo)


def _legend(heat: Heat, left: float, top: float, width: float) -> Iterator[str]:
    """Draw the scale: a bar with all colours, the values at both ends and in the middle, and the title."""
    step = width / _GRADATIONS
    bar, thick = top + 0.55, 0.32
    yield f'<g class="legend"><rect x="{left * CELL:g}" y="{bar * CELL:g}" width="{width * CELL:g}"' + (
        f' height="{thick * CELL:g}" fill="none" stroke="#444"/>'
    )
    for k in range(_GRADATIONS):
        yield (
            f'<rect x="{(left + k * step) * CELL:.2f}" y="{bar * CELL:g}" width="{step * CELL + 0.5:.2f}"'
            f' height="{thick * CELL:g}" fill="{palette.colour(k / (_GRADATIONS - 1))}"/>'
        )
    low, high = heat.scale()
    words = [heat.ends[0] or heat.word(low), heat.ends[1] or heat.word(high)]
    places = [(left, words[0], "start"), (left + width, words[1], "end")]
    if high > low and width > 4:
        places.append((left + width / 2, heat.word((low + high) / 2), "middle"))
    for x, word, anchor in places:
        yield f'<g text-anchor="{anchor}">{_label(x, bar + thick + 0.24, word, "#333", 0.3)}</g>'
    faint = "; fainter: fewer visits" if heat.weights and heat.title and width > 8 else ""
    yield _label(left + width / 2, bar - 0.24, f"{heat.title}{faint}", "#333", 0.32) + "</g>"
