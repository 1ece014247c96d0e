"""The win-rate graph of a game: in characters for the terminal, and as SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from rich.text import Text

_LABELS = 6  # columns left of the graph
_WIDTH, _HEIGHT = 900, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 16, 40, 46
_INK = "#12707d"


@dataclass(frozen=True)
class Rate:
    """The first player's win rate before a move, with its 95 % interval if it is known."""

    number: int  # of the move to come, from 1
    value: float
    bounds: tuple[float, float] | None = None
    mistake_of: int | None = None  # the player whose move here was a mistake


def graph_text(rates: Sequence[Rate], players: tuple[str, str], width: int = 80, height: int = 11) -> Text:
    """Draw the graph in characters: a dot for each value, shades for its uncertainty, ! below mistakes."""
    last = max(rate.number for rate in rates)
    columns = max(2, min(width - _LABELS - 2, last))

    def column(number: int) -> int:
        return 0 if last == 1 else round((number - 1) * (columns - 1) / (last - 1))

    def row(value: float) -> int:
        return round((1 - min(max(value, 0.0), 1.0)) * (height - 1))

    cells = [[" "] * columns for _ in range(height)]
    cells[row(0.5)] = ["┄"] * columns
    gathered: dict[int, list[Rate]] = {}
    for rate in rates:
        gathered.setdefault(column(rate.number), []).append(rate)
    for at, here in gathered.items():
        bounds = [rate.bounds for rate in here if rate.bounds]
        if bounds:
            low, high = (sum(bound[end] for bound in bounds) / len(bounds) for end in (0, 1))
            for line in range(row(high), row(low) + 1):
                cells[line][at] = "░"
        cells[row(sum(rate.value for rate in here) / len(here))][at] = "●"
    graph = Text(f"{players[0]}'s win rate\n", style="bold")
    for line, signs in enumerate(cells):
        share = 1 - line / (height - 1)
        label = f"{share:.0%}" if line % ((height - 1) // 2) == 0 else ""
        graph.append(f"{label:>{_LABELS - 1}} │", style="not bold")
        for sign in signs:
            graph.append(
                sign, style={"●": "bold cyan", "░": "not bold cyan", "┄": "not bold dim"}.get(sign, "not bold")
            )
        graph.append("\n")
    graph.append(" " * _LABELS + "└" + "─" * columns + "\n", style="not bold")
    graph.append(_marks(rates, column, columns), style="bold red")
    graph.append(_numbers(last, column, columns), style="not bold dim")
    return graph


def _marks(rates: Sequence[Rate], column: Callable[[int], int], columns: int) -> str:
    places = {column(rate.number) for rate in rates if rate.mistake_of is not None}
    if not places:
        return ""
    return " " * (_LABELS + 1) + "".join("!" if at in places else " " for at in range(columns)).rstrip() + "\n"


def _numbers(last: int, column: Callable[[int], int], columns: int) -> str:
    """Return the line of move numbers below the graph."""
    line = [" "] * max(columns, len(str(last)))
    for tick in [1, last, *(tick for tick in _round_numbers(max(last, 2)) if 1 < tick < last)]:
        word = str(tick)
        at = max(0, min(column(tick), columns - len(word)))
        if all(sign == " " for sign in line[max(0, at - 1) : at + len(word) + 1]):
            line[at : at + len(word)] = list(word)
    return " " * (_LABELS + 1) + "".join(line).rstrip()


def graph_svg(rates: Sequence[Rate], players: tuple[str, str], title: str = "") -> str:
    """Draw the graph as SVG: the curve, its uncertainty as a band, and a dot on every mistake."""
    last = max(2, max(rate.number for rate in rates))

    def x(number: float) -> float:
        return _LEFT + (number - 1) / (last - 1) * (_WIDTH - _LEFT - _RIGHT)

    def y(value: float) -> float:
        return _TOP + (1 - value) * (_HEIGHT - _TOP - _BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="graph" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}"'
        f' height="{_HEIGHT}" font-family="sans-serif" font-size="13" fill="#333" role="img">',
        f"<title>{escape(players[0])}'s win rate over the game</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="24" font-size="15">{escape(title or players[0] + chr(39) + "s win rate")}</text>',
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        dash = ' stroke-width="1.5"' if share == 0.5 else ""
        line = f'x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(share):g}" y2="{y(share):g}"'
        parts.append(f'<line {line} stroke="{"#777" if dash else "#ddd"}"{dash}/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y(share) + 4.5:g}" text-anchor="end">{share:.0%}</text>')
    for tick in sorted({1, *(t for t in _round_numbers(last) if 1 < t <= last)}):
        parts.append(f'<text x="{x(tick):.1f}" y="{_HEIGHT - _BOTTOM + 20}" text-anchor="middle">{tick}</text>')
    parts.append(f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2:g}" y="{_HEIGHT - 8}" text-anchor="middle">move</text>')
    known = [(rate.number, *rate.bounds) for rate in rates if rate.bounds]
    if known:
        path = [f"{x(n):.1f},{y(high):.1f}" for n, _, high in known]
        path += [f"{x(n):.1f},{y(low):.1f}" for n, low, _ in reversed(known)]
        parts.append(f'<polygon class="band" points="{" ".join(path)}" fill="{_INK}" fill-opacity="0.18"/>')
    curve = " ".join(f"{x(rate.number):.1f},{y(rate.value):.1f}" for rate in rates)
    parts.append(f'<polyline class="curve" points="{curve}" fill="none" stroke="{_INK}" stroke-width="2"/>')
    for rate in rates:
        if rate.mistake_of is not None:
            words = f"move {rate.number}: a mistake of {players[rate.mistake_of]}"
            place = f'cx="{x(rate.number):.1f}" cy="{y(rate.value):.1f}"'
            title = f"<title>{escape(words)}</title>"
            parts.append(f'<circle class="mistake" {place} r="5" fill="#b8432f" stroke="#fff">{title}</circle>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def graph_frame() -> tuple[int, int, int]:
    """Return the width of the picture and the margins left and right of the curve, for a page that is clicked on."""
    return _WIDTH, _LEFT, _RIGHT


def _round_numbers(last: int) -> list[int]:
    """Return about six round numbers of moves, evenly spaced, up to the last move."""
    rough = max(1.0, last / 6)
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return list(range(step, last + 1, step))
