"""Charts as data, drawn by matplotlib as SVG and written as CSV: points over two axes, and intervals by name.

matplotlib is in the extra ``[lab]``. A chart can be made and written as CSV without it.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from montego.errors import MontegoError

Points = Sequence[tuple[float, float]]

COLOURS = ("#1f5fa8", "#c8372d", "#2e8b47", "#8a5fb0", "#c98a1b", "#3b3b3b")
_SIZE = (6.4, 4.0)  # inches
_ROW = 0.27  # inches, of a bar with its name
_LONGEST = 40  # characters of a name beside a bar
# Text stays text, and equal charts are equal files.
_STYLE = {"svg.fonttype": "none", "svg.hashsalt": "montego", "font.family": "sans-serif", "font.size": 10}


@dataclass(frozen=True)
class Series:
    """A set of points with its name in the legend; ``line`` connects them, ``dots`` marks them.

    ``ends`` are the lower and upper ends of an interval around each y.
    """

    name: str
    points: Points
    line: bool = True
    dots: bool = False
    colour: str = ""
    ends: Points = ()


@dataclass(frozen=True)
class Bar:
    """A named value between two ends; an infinite end is drawn up to the edge of the chart."""

    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Chart:
    """Series of points over two axes. ``level`` is a horizontal line to compare with, such as 50 %."""

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    logarithmic: bool = False  # the x axis
    level: float | None = None

    def svg(self) -> str:
        """Draw the chart; refuse one without points or with numbers that are not finite."""
        points = [point for one in self.series for point in one.points]
        if not points or not all(math.isfinite(number) for point in points for number in point):
            raise ValueError("a chart needs at least one point, and finite numbers only")
        figure, axes = _new_figure(_SIZE)
        for number, one in enumerate(self.series):
            x, y = [point[0] for point in one.points], [point[1] for point in one.points]
            style = {
                "color": one.colour or COLOURS[number % len(COLOURS)],
                "linestyle": "-" if one.line else "none",
                "marker": "o" if one.dots else None,
                "markersize": 4.5,
                "label": one.name or None,
            }
            if one.ends:
                below = [value - low for value, (low, _) in zip(y, one.ends, strict=True)]
                above = [high - value for value, (_, high) in zip(y, one.ends, strict=True)]
                axes.errorbar(x, y, yerr=[below, above], capsize=3, **style)
            else:
                axes.plot(x, y, **style)
        if self.level is not None:
            axes.axhline(self.level, color="#888888", linewidth=0.8, linestyle="--")
        if self.logarithmic:
            axes.set_xscale("log")
        axes.set(title=_plain(self.title), xlabel=_plain(self.x_label), ylabel=_plain(self.y_label))
        axes.grid(color="#e4e4e4")
        if any(one.name for one in self.series):
            axes.legend(framealpha=0.9)
        return _svg_of(figure)

    def csv(self) -> str:
        """Return the points: one line each, with the ends of their intervals where there are any."""
        rows: list[Sequence[Any]] = [("series", self.x_label, self.y_label, "low", "high")]
        for one in self.series:
            ends: Sequence[Sequence[Any]] = one.ends or [("", "")] * len(one.points)
            rows += [(one.name, x, y, *end) for (x, y), end in zip(one.points, ends, strict=True)]
        return _csv_of(rows)


@dataclass(frozen=True)
class BarChart:
    """One line per entry: its name, its value as a dot, and its interval as a bar."""

    title: str
    label: str
    entries: Sequence[Bar]

    def svg(self) -> str:
        """Draw the chart; refuse one without a finite number."""
        ends = [end for one in self.entries for end in (one.low, one.value, one.high) if math.isfinite(end)]
        if not ends:
            raise ValueError("a chart needs at least one finite number")
        margin = 0.05 * (max(ends) - min(ends)) or 1.0
        low, high = min(ends) - margin, max(ends) + margin
        figure, axes = _new_figure((_SIZE[0], 1.3 + _ROW * len(self.entries)))
        for row, one in enumerate(self.entries):
            axes.plot([max(one.low, low), min(one.high, high)], [row, row], color=COLOURS[0], linewidth=1.2)
            if math.isfinite(one.value):
                axes.plot([one.value], [row], color=COLOURS[0], marker="o", markersize=5)
        names = [one.name if len(one.name) <= _LONGEST else f"{one.name[: _LONGEST - 1]}…" for one in self.entries]
        axes.set_yticks(range(len(names)), [_plain(name) for name in names])
        axes.set(title=_plain(self.title), xlabel=_plain(self.label), xlim=(low, high), ylim=(len(names) - 0.5, -0.5))
        axes.grid(color="#e4e4e4", axis="x")
        return _svg_of(figure)

    def csv(self) -> str:
        """Return one line per entry."""
        rows: list[Sequence[Any]] = [("name", self.label, "low", "high")]
        return _csv_of(rows + [(one.name, one.value, one.low, one.high) for one in self.entries])


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def _new_figure(size: tuple[float, float]) -> Any:
    """Return a figure with one pair of axes. It needs no window, so it works everywhere."""
    if not can_draw():
        raise MontegoError("charts need matplotlib, which is not installed: pip install 'montego[lab]'")
    figure = import_module("matplotlib.figure").Figure(figsize=size, layout="constrained")
    return figure, figure.subplots()


def _svg_of(figure: Any) -> str:
    """Return a figure as an SVG element, without what is in front of it in a file."""
    stream = io.StringIO()
    with import_module("matplotlib").rc_context(_STYLE):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    text = stream.getvalue()
    return "\n".join(line.rstrip() for line in text[text.index("<svg") :].splitlines()) + "\n"


def _plain(text: str) -> str:
    """Keep matplotlib from reading a text as mathematics."""
    return text.replace("$", r"\$")


def _csv_of(rows: Sequence[Sequence[Any]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()
