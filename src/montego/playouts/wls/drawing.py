"""The automaton of a ``WinLossStates`` and the values of its states, as SVG."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from montego.charts import Chart, Series
from montego.errors import MontegoError

if TYPE_CHECKING:
    from montego.playouts.wls.automaton import WinLossStates

MOST_DRAWN = 8  # more columns than that are a thicket
_WIN, _LOSS, _ABOVE = "#2e8b47", "#c8372d", "#e2f2e6"
_ACROSS, _UP, _RADIUS = 150, 104, 25
_MARGIN, _HEAD = 62, 78

Point = tuple[float, float]
Bow = tuple[Point, Point, Point, Point]  # start, end, and the two control points between them


def automaton(wls: WinLossStates) -> str:
    """Draw every state as a circle with its number and its n/m; a column for each m, wins go up, losses down."""
    if wls.e > MOST_DRAWN:
        raise MontegoError(f"the automaton is drawn for e from 1 to {MOST_DRAWN}, not {wls.e}")
    width = max(400, 2 * _MARGIN + wls.e * _ACROSS + 30)
    height = _HEAD + wls.e * _UP + 2 * _RADIUS + 44
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' font-family="sans-serif" text-anchor="middle" fill="#222">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *_head(wls, height),
    ]
    arrows, circles = [], []
    for state in range(len(wls)):
        for won in (0, 1):
            arrows += _arrow(wls, state, int(wls.steps[2 * state + won]), bool(won))
        circles += _circle(wls, state)
    return "\n".join([*parts, *arrows, *circles, "</svg>"]) + "\n"


def _head(wls: WinLossStates, height: int) -> list[str]:
    """Write the title, the meaning of the colours, and the visits of each column."""
    parts = [
        '<text x="16" y="26" font-size="15" text-anchor="start">'
        f"Win/Loss States, e = {wls.e}, K = {wls.k:g}, z = {wls.z:g}</text>"
    ]
    for x, colour, word in ((16, _WIN, "win"), (92, _LOSS, "loss")):
        parts.append(f'<path d="M{x},46 h20" stroke="{colour}" stroke-width="2" fill="none"/>')
        parts.append(_tip((x + 26.0, 46.0), 0.0, colour))
        parts.append(f'<text x="{x + 33}" y="51" font-size="13" text-anchor="start">{word}</text>')
    if wls.e > 1:
        n, m = wls.threshold
        parts.append(f'<circle cx="182" cy="46" r="8" fill="{_ABOVE}" stroke="#444"/>')
        parts.append(f'<text x="197" y="51" font-size="13" text-anchor="start">above {n}/{m}</text>')
    for m in range(wls.e + 1):
        parts.append(f'<text x="{_MARGIN + m * _ACROSS}" y="{height - 14}" font-size="13" fill="#666">m = {m}</text>')
    return parts


def _centre(wls: WinLossStates, state: int) -> Point:
    n, m = wls.fraction(state)
    return _MARGIN + m * _ACROSS, _HEAD + wls.e * _UP / 2 + _RADIUS + (m / 2 - n) * _UP


def _circle(wls: WinLossStates, state: int) -> list[str]:
    x, y = _centre(wls, state)
    n, m = wls.fraction(state)
    fill = "#f4f4f4" if state == 0 else _ABOVE if wls.above(state) else "#fae4e1"
    return [
        f'<circle class="state" cx="{x:g}" cy="{y:g}" r="{_RADIUS}" fill="{fill}" stroke="#444" stroke-width="1.4"/>',
        f'<text x="{x:g}" y="{y + 3:g}" font-size="17">{state}</text>',
        f'<text x="{x:g}" y="{y + 17:g}" font-size="11" fill="#555">{n}/{m}</text>',
    ]


def _arrow(wls: WinLossStates, state: int, following: int, won: bool) -> list[str]:
    """Draw a transition: straight to the next column, a loop at the ends, an arc back in time or within a column."""
    colour, label = (_WIN, "win") if won else (_LOSS, "loss")
    start, end = _centre(wls, state), _centre(wls, following)
    side = -1 if won else 1  # upwards or downwards
    if state == following:  # a loop at the upper right of e/e, at the lower right of 0/e
        x, y = start[0] + 70, start[1] + side * 22
        return _curve(
            _rim(start, side * 1.05),
            _rim(start, -side * 0.1),
            (x - 28, y + side * 42),
            (x + 4, y - side * 6),
            colour,
            label,
        )
    if wls.visits[following] > wls.visits[state]:
        aim = math.atan2(end[1] - start[1], end[0] - start[0])
        return _curve(_rim(start, aim), _rim(end, aim + math.pi), None, None, colour, label)
    if wls.visits[following] == wls.visits[state] and not won:  # straight, so that it stays clear of the way back
        return _curve(_rim(start, math.pi / 2), _rim(end, -math.pi / 2), None, None, colour, label)
    if wls.visits[following] == wls.visits[state]:
        a, b = _rim(start, -0.75), _rim(end, 0.75)
        return _curve(a, b, (a[0] + 26, a[1] - 14), (b[0] + 26, b[1] + 14), colour, label)
    bows = [
        _bow(start, end, turn)
        for turn in ((0.42, -0.42, 0.75, -0.75, 1.1, -1.1) if won else (-0.42, 0.42, -0.75, 0.75, -1.1, 1.1))
    ]
    others = [_centre(wls, other) for other in range(len(wls)) if other not in (state, following)]
    free = [bow for bow in bows if _clearance(bow, others) > _RADIUS + 7]
    return _curve(*(free[0] if free else max(bows, key=lambda bow: _clearance(bow, others))), colour, label)


def _bow(start: Point, end: Point, turn: float) -> Bow:
    """Return a cubic curve between two circles that leaves the straight way by an angle at both ends."""
    straight = math.atan2(end[1] - start[1], end[0] - start[0])
    a, b = _rim(start, straight + turn), _rim(end, straight + math.pi - turn)
    reach, lead = 0.3 * math.dist(a, b), 1.48 * turn
    first = (a[0] + reach * math.cos(straight + lead), a[1] + reach * math.sin(straight + lead))
    second = (b[0] - reach * math.cos(straight - lead), b[1] - reach * math.sin(straight - lead))
    return a, b, first, second


def _clearance(bow: Bow, others: list[Point]) -> float:
    """Return how near a curve comes to the centre of a circle that it has nothing to do with."""
    a, b, first, second = bow
    nearest = math.inf
    for step in range(1, 20):
        t = step / 20
        shares = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        x, y = (sum(share * point[axis] for share, point in zip(shares, (a, first, second, b))) for axis in (0, 1))
        nearest = min([nearest, *(math.dist((x, y), other) for other in others)])
    return nearest


def _rim(centre: Point, angle: float) -> Point:
    """Return the point of a circle in a direction (0 is right, growing downwards)."""
    return centre[0] + (_RADIUS + 1) * math.cos(angle), centre[1] + (_RADIUS + 1) * math.sin(angle)


def _curve(a: Point, b: Point, first: Point | None, second: Point | None, colour: str, label: str) -> list[str]:
    """Draw a line or a cubic curve that ends in the tip of an arrow at ``b``."""
    origin = second or a
    aim = math.atan2(b[1] - origin[1], b[0] - origin[0])
    neck = (b[0] - 7 * math.cos(aim), b[1] - 7 * math.sin(aim))
    bend = "" if first is None or second is None else f"C{first[0]:.1f},{first[1]:.1f} {second[0]:.1f},{second[1]:.1f}"
    to = f"{neck[0]:.1f},{neck[1]:.1f}"
    path = f"M{a[0]:.1f},{a[1]:.1f} {bend + ' ' if bend else 'L'}{to}"
    return [
        f'<path class="{label}" d="{path}" stroke="{colour}" stroke-width="1.8" fill="none"/>',
        _tip(b, aim, colour),
    ]


def _tip(point: Point, aim: float, colour: str) -> str:
    corners = [point]
    for turn in (2.72, -2.72):
        corners.append((point[0] + 10 * math.cos(aim + turn), point[1] + 10 * math.sin(aim + turn)))
    return f'<polygon points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in corners)}" fill="{colour}"/>'


def value_curve(wls: WinLossStates) -> str:
    """Draw v of every state but 0/0 in their order: upper bounds of the lower half, lower bounds of the upper half."""
    lower = [(i, float(wls.values[i]) + 1) for i in range(1, len(wls)) if 2 * wls.wins[i] < wls.visits[i]]
    upper = [(i, float(wls.values[i])) for i in range(1, len(wls)) if 2 * wls.wins[i] >= wls.visits[i]]
    dots = len(wls) < 100
    return Chart(
        f"Win/Loss States, e = {wls.e}, z = {wls.z:g}: bounds in the order of states",
        "state",
        "bound of the success rate",
        [
            Series("n/m < 1/2: upper bound", lower, dots=dots, colour=_LOSS),
            Series("n/m ≥ 1/2: lower bound", upper, dots=dots, colour=_WIN),
        ],
    ).svg()
