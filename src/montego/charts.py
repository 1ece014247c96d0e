"""Charts as SVG, without any library: lines and points over two axes, and intervals by name."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

Points = Sequence[tuple[float, float]]

COLOURS = ("#1f5fa8", "#c8372d", "#2e8b47", "#8a5fb0", "#c98a1b", "#3b3b3b")
_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 20, 44, 58
_TICKS = 6
_ROW = 26  # height of a bar with its name
_LONGEST = 40  # characters of a name beside a bar


@dataclass(frozen=True)
class Series:
    """A set of points with its name in the legend; ``line`` connects them, ``dots`` marks them."""

    name: str
    points: Points
    line: bool = True
    dots: bool = False
    colour: str = ""


@dataclass(frozen=True)
class Bar:
    """A named value between two ends; an infinite end is drawn up to the edge of the chart."""

    name: str
    value: float
    low: float
    high: float


def chart(title: str, x_label: str, y_label: str, series: Sequence[Series]) -> str:
    """Draw series of points over two axes that include all of them."""
    points = [point for one in series for point in one.points]
    if not points or not all(math.isfinite(number) for point in points for number in point):
        raise ValueError("a chart needs at least one point, and finite numbers only")
    x_ticks = round_ticks(min(x for x, _ in points), max(x for x, _ in points))
    y_ticks = round_ticks(min(y for _, y in points), max(y for _, y in points))

    def place(x: float, y: float) -> tuple[float, float]:
        across = (x - x_ticks[0]) / (x_ticks[-1] - x_ticks[0])
        up = (y - y_ticks[0]) / (y_ticks[-1] - y_ticks[0])
        return _LEFT + across * (_WIDTH - _LEFT - _RIGHT), _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM)

    parts = _frame(title, _HEIGHT)
    for x in x_ticks:
        at, base = place(x, y_ticks[0])
        parts.append(_line((at, base), (at, _TOP), "#e4e4e4"))
        parts.append(f'<text x="{at:.1f}" y="{base + 19:.1f}" text-anchor="middle">{tick_text(x, x_ticks)}</text>')
    for y in y_ticks:
        side, at = place(x_ticks[0], y)
        parts.append(_line((side, at), (_WIDTH - _RIGHT, at), "#e4e4e4"))
        parts.append(f'<text x="{side - 8:.1f}" y="{at + 4.5:.1f}" text-anchor="end">{tick_text(y, y_ticks)}</text>')
    corner = place(x_ticks[0], y_ticks[0])
    parts += [_line(corner, (_WIDTH - _RIGHT, corner[1]), "#333"), _line(corner, (corner[0], _TOP), "#333")]
    middle = (_TOP + _HEIGHT - _BOTTOM) / 2
    parts += [
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2:g}" y="{_HEIGHT - 14}" text-anchor="middle">{escape(x_label)}</text>',
        f'<text x="18" y="{middle:g}" text-anchor="middle" transform="rotate(-90 18 {middle:g})">'
        f"{escape(y_label)}</text>",
    ]
    for number, one in enumerate(series):
        colour = one.colour or COLOURS[number % len(COLOURS)]
        placed = [place(x, y) for x, y in one.points]
        if one.line:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        if one.dots:
            parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{colour}"/>' for x, y in placed]
    return "\n".join([*parts, *_legend(series), "</svg>"]) + "\n"


def bar_chart(title: str, label: str, entries: Sequence[Bar]) -> str:
    """Draw one line per entry: its name, its value as a dot, and its interval as a bar."""
    ends = [end for one in entries for end in (one.low, one.value, one.high) if math.isfinite(end)]
    if not ends:
        raise ValueError("a chart needs at least one finite number")
    ticks = round_ticks(min(ends), max(ends))
    names = [one.name if len(one.name) <= _LONGEST else f"{one.name[: _LONGEST - 1]}…" for one in entries]
    left = 24 + round(7.2 * max(map(len, names)))
    height = _TOP + _BOTTOM + _ROW * len(entries)
    base = height - _BOTTOM

    def across(value: float) -> float:
        share = (value - ticks[0]) / (ticks[-1] - ticks[0])
        return left + min(max(share, 0.0), 1.0) * (_WIDTH - _RIGHT - left)

    parts = _frame(title, height)
    for tick in ticks:
        at = across(tick)
        parts.append(_line((at, base), (at, _TOP), "#e4e4e4"))
        parts.append(f'<text x="{at:.1f}" y="{base + 19}" text-anchor="middle">{tick_text(tick, ticks)}</text>')
    parts.append(_line((left, base), (_WIDTH - _RIGHT, base), "#333"))
    middle = (left + _WIDTH - _RIGHT) / 2
    parts.append(f'<text x="{middle:g}" y="{height - 14}" text-anchor="middle">{escape(label)}</text>')
    for row, (name, one) in enumerate(zip(names, entries, strict=True)):
        at = _TOP + _ROW * (row + 0.5)
        parts.append(f'<text x="{left - 8}" y="{at + 4.5:g}" text-anchor="end">{escape(name)}</text>')
        parts.append(_line((across(one.low), at), (across(one.high), at), COLOURS[0]))
        if math.isfinite(one.value):
            parts.append(f'<circle cx="{across(one.value):.1f}" cy="{at:.1f}" r="3.6" fill="{COLOURS[0]}"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _frame(title: str, height: int) -> list[str]:
    """Return the start of a picture: its size, a white ground and the title."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
        ' font-family="sans-serif" font-size="13" fill="#333">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="{_WIDTH / 2:g}" y="26" font-size="16" text-anchor="middle">{escape(title)}</text>',
    ]


def _line(start: tuple[float, float], end: tuple[float, float], colour: str) -> str:
    return f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" stroke="{colour}"/>'


def _legend(series: Sequence[Series]) -> list[str]:
    """List the named series in the upper left corner."""
    named = [(i, one) for i, one in enumerate(series) if one.name]
    if not named:
        return []
    width = 44 + 7.2 * max(len(one.name) for _, one in named)
    x, y = _LEFT + 12, _TOP + 8
    parts = [
        f'<rect x="{x}" y="{y}" width="{width:g}" height="{20 * len(named) + 8}" fill="#ffffff" fill-opacity="0.9"'
        ' stroke="#d0d0d0"/>'
    ]
    for row, (number, one) in enumerate(named):
        colour = one.colour or COLOURS[number % len(COLOURS)]
        at = y + 14 + 20 * row
        if one.line:
            parts.append(f'<line x1="{x + 8}" y1="{at}" x2="{x + 30}" y2="{at}" stroke="{colour}" stroke-width="2"/>')
        if one.dots:
            parts.append(f'<circle cx="{x + 19}" cy="{at}" r="3.2" fill="{colour}"/>')
        parts.append(f'<text x="{x + 38}" y="{at + 4.5:g}">{escape(one.name)}</text>')
    return parts


def round_ticks(low: float, high: float) -> list[float]:
    """Return about six evenly spaced round numbers that enclose ``low`` and ``high``."""
    if high <= low:
        low, high = low - (abs(low) or 1.0) / 2, high + (abs(high) or 1.0) / 2
    rough = (high - low) / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [step * i for i in range(first, last + 1)]


def tick_text(value: float, ticks: Sequence[float]) -> str:
    """Print a tick with as many digits as the distance between ticks needs."""
    step = ticks[1] - ticks[0]
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    if round(step, digits) != round(step, digits + 1):  # 2.5, 0.25
        digits += 1
    return f"{value + 0.0:,.{digits}f}".replace("-", "−")
