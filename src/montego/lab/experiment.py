"""An experiment and its report: our figures, the paper's, and the differences between them.

A module of the laboratory declares its experiments like this; ``montego reproduce`` finds them by name:

    @experiment("my-table-1", paper="Author, Title", summary="What is measured.")
    def table_1(quick: bool, seed: int) -> Report: ...
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from montego.errors import MontegoError, nearest

STANDARD_ERRORS = 3.0  # by chance, one difference in 370 exceeds this


@dataclass(frozen=True)
class Row:
    """One figure: ours, the paper's, and the standard error of the difference between them.

    ``allowance`` is how far published figures may be off apart from chance, rounding included. A row without a paper's
    figure, or with ``judged`` False, is only informative. ``holds`` overrides the comparison for claims without a
    number.
    """

    label: str
    quantity: str
    ours: float
    paper: float | None = None
    error: float = 0.0
    allowance: float = 0.0
    judged: bool = True
    holds: bool | None = None
    digits: int = 4
    note: str = ""

    @property
    def difference(self) -> float | None:
        """Our figure minus the paper's."""
        return None if self.paper is None else self.ours - self.paper

    @property
    def deviation(self) -> float | None:
        """The difference in standard errors; None where chance plays no part."""
        return self.difference / self.error if self.difference is not None and self.error > 0 else None

    @property
    def verdict(self) -> str:
        """``agrees``, ``differs``, or ``not judged``."""
        if not self.judged or (self.paper is None and self.holds is None):
            return "not judged"
        if self.holds is not None:
            return "agrees" if self.holds else "differs"
        assert self.difference is not None
        return "agrees" if abs(self.difference) <= STANDARD_ERRORS * self.error + self.allowance else "differs"

    def data(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return {
            "label": self.label,
            "quantity": self.quantity,
            "ours": _finite(self.ours),
            "paper": self.paper,
            "standard_error": self.error,
            "difference": self.difference,
            "difference_in_standard_errors": self.deviation,
            "allowance": self.allowance,
            "verdict": self.verdict,
            "note": self.note,
        }


@dataclass(frozen=True)
class Listing:
    """A table of facts that are not compared with anything."""

    title: str
    headings: tuple[str, ...]
    rows: list[tuple[Any, ...]]


@dataclass
class Report:
    """What an experiment found."""

    rows: list[Row]
    notes: list[str] = field(default_factory=list)
    listings: list[Listing] = field(default_factory=list)
    figures: dict[str, str] = field(default_factory=dict)  # file name -> SVG
    settings: dict[str, Any] = field(default_factory=dict)  # repeats and other choices

    @property
    def agrees(self) -> bool:
        """Whether every judged row agrees with the paper."""
        return all(row.verdict != "differs" for row in self.rows)

    def data(self) -> dict[str, Any]:
        """Return everything except the figures, ready for JSON."""
        return {
            "settings": self.settings,
            "agrees": self.agrees,
            "rows": [row.data() for row in self.rows],
            "listings": [
                {
                    "title": listing.title,
                    "headings": list(listing.headings),
                    "rows": [list(row) for row in listing.rows],
                }
                for listing in self.listings
            ],
            "notes": self.notes,
            "figures": sorted(self.figures),
        }


@dataclass(frozen=True)
class Experiment:
    """An experiment of a paper."""

    name: str
    paper: str
    summary: str
    function: Callable[[bool, int], Report]

    def run(self, *, quick: bool = False, seed: int = 0) -> tuple[Report, float]:
        """Run it; return the report and the seconds it took."""
        began = time.perf_counter()
        report = self.function(quick, seed)
        return report, time.perf_counter() - began


class Experiments:
    """All experiments, in the order in which they were declared."""

    def __init__(self) -> None:
        self._known: dict[str, Experiment] = {}

    def add(self, one: Experiment) -> None:
        if one.name in self._known:
            raise MontegoError(f"an experiment '{one.name}' exists already; choose another name")
        self._known[one.name] = one

    def __getitem__(self, name: str) -> Experiment:
        if name not in self._known:
            raise MontegoError(f"unknown experiment '{name}'{nearest(name, self.names())}")
        return self._known[name]

    def __iter__(self) -> Any:
        return iter(self._known.values())

    def names(self) -> list[str]:
        return list(self._known)


EXPERIMENTS = Experiments()


def experiment(name: str, *, paper: str, summary: str) -> Callable[[Callable[[bool, int], Report]], Any]:
    """Declare a function of (quick, seed) as an experiment."""

    def register(function: Callable[[bool, int], Report]) -> Callable[[bool, int], Report]:
        EXPERIMENTS.add(Experiment(name, paper, summary, function))
        return function

    return register


def difference_error(spread: float, repeats: int, paper_spread: float, paper_repeats: int) -> float:
    """Return the standard error of the difference of two means, from their standard deviations."""
    return math.sqrt(spread**2 / repeats + paper_spread**2 / paper_repeats)


def spread_error(spread: float, repeats: int, paper_spread: float, paper_repeats: int) -> float:
    """Return the standard error of the difference of two standard deviations of nearly normal figures."""
    return math.sqrt(spread**2 / (2 * repeats) + paper_spread**2 / (2 * paper_repeats))


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
