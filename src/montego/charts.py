"""Charts as data, drawn by matplotlib as SVG and written as CSV: points over two axes, intervals by name, surfaces.

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
_PANEL = (4.2, 3.2)  # inches
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


@dataclass(frozen=True)
class Curve:
    """A line over one axis inside a band; ``names`` in place of numbers on the axis make it a row of dots with ends.

    ``best`` is marked. ``dots`` are drawn beside it, each with the ends of its interval.
    """

    x_label: str
    points: Points
    ends: Points
    best: float
    logarithmic: bool = False
    names: Sequence[str] = ()
    dots: Series | None = None


@dataclass(frozen=True)
class Surface:
    """Values over a grid of two axes, rows by y, with the places that were tried and the best one."""

    title: str
    x: Sequence[float]
    y: Sequence[float]
    values: Sequence[Sequence[float]]
    tried: Points
    best: tuple[float, float]
    labels: tuple[str, str]
    logarithmic: tuple[bool, bool] = (False, False)


@dataclass(frozen=True)
class Panels:
    """Curves and surfaces side by side, two in a row."""

    title: str
    y_label: str
    curves: Sequence[Curve]
    surfaces: Sequence[Surface] = ()

    def svg(self) -> str:
        """Draw all panels."""
        count = len(self.curves) + len(self.surfaces)
        columns = min(2, count)
        rows = -(-count // columns)
        figure = _figure((_PANEL[0] * columns, _PANEL[1] * rows + 0.4))
        panels = list(figure.subplots(rows, columns, squeeze=False).flat)
        for axes, curve in zip(panels, self.curves):
            _draw_curve(axes, curve, self.y_label)
        for axes, surface in zip(panels[len(self.curves) :], self.surfaces):
            _draw_surface(figure, axes, surface)
        for axes in panels[count:]:
            axes.set_axis_off()
        figure.suptitle(_plain(self.title), fontsize=10)
        return _svg_of(figure)


def _draw_curve(axes: Any, curve: Curve, y_label: str) -> None:
    x, y = [point[0] for point in curve.points], [point[1] for point in curve.points]
    low, high = [end[0] for end in curve.ends], [end[1] for end in curve.ends]
    if curve.names:
        around = [[a - b for a, b in zip(y, low)], [b - a for a, b in zip(y, high)]]
        axes.errorbar(x, y, yerr=around, color=COLOURS[0], linestyle="none", marker="o", capsize=3)
        axes.set_xticks(x, [_plain(name) for name in curve.names])
    else:
        axes.fill_between(x, low, high, color=COLOURS[0], alpha=0.2, linewidth=0)
        axes.plot(x, y, color=COLOURS[0])
        axes.axvline(curve.best, color=COLOURS[1], linewidth=1.0, linestyle="--")
    if curve.dots is not None:
        tried = curve.dots.points
        around = [
            [at - low for (_, at), (low, _) in zip(tried, curve.dots.ends)],
            [high - at for (_, at), (_, high) in zip(tried, curve.dots.ends)],
        ]
        at = [point[0] for point in tried], [point[1] for point in tried]
        axes.errorbar(*at, yerr=around, color="#777777", linestyle="none", marker="o", markersize=3.5, capsize=2)
    if curve.logarithmic:
        axes.set_xscale("log")
    axes.set(xlabel=_plain(curve.x_label), ylabel=_plain(y_label))
    axes.grid(color="#e4e4e4")


def _draw_surface(figure: Any, axes: Any, surface: Surface) -> None:
    drawn = axes.contourf(surface.x, surface.y, surface.values, levels=12, cmap="viridis")
    figure.colorbar(drawn, ax=axes)
    axes.plot([x for x, _ in surface.tried], [y for _, y in surface.tried], "o", color="white", markersize=1.2)
    axes.plot(*([end] for end in surface.best), marker="X", color=COLOURS[1], markersize=9, markeredgecolor="white")
    axes.set(title=_plain(surface.title), xlabel=_plain(surface.labels[0]), ylabel=_plain(surface.labels[1]))
    for scale, wanted in zip((axes.set_xscale, axes.set_yscale), surface.logarithmic):
        if wanted:
            scale("log")


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def _figure(size: tuple[float, float]) -> Any:
    """Return an empty figure. It needs no window, so it works everywhere."""
    if not can_draw():
        raise MontegoError("charts need matplotlib, which is not installed: pip install 'montego[lab]'")
    return import_module("matplotlib.figure").Figure(figsize=size, layout="constrained")


def _new_figure(size: tuple[float, float]) -> Any:
    """Return a figure with one pair of axes."""
    figure = _figure(size)
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
