"""An experiment and its report: our figures, the paper's, and the differences between them.

A module of the laboratory declares its experiments like this; ``montego reproduce`` finds them by name:

    @experiment("my-table-1", paper="Author, Title", summary="What is measured.", cost="1 min; 5 h")
    def table_1(how: Conditions) -> Report: ...

Experiments that are nothing but matches are declared as data, see ``matches.py``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from montego.arena.game import FinishedGame
from montego.arena.match import Progress
from montego.charts import BarChart, Chart
from montego.errors import MontegoError, nearest
from montego.lab.rows import AGREES, DIFFERS, NOT_DECIDED, NOT_JUDGED, Row, chi_square

SIGNIFICANT = 0.001  # p-value of a table below which it differs from the paper's


class Size(StrEnum):
    """How much is done: a look within a minute, about 20 minutes on two cores, or as much as the paper did."""

    QUICK = "quick"
    DEFAULT = "default"
    FULL = "full"


class Skipped(MontegoError):
    """An experiment cannot run here: something is missing, or a better result would be replaced."""


def _silent(part: str, progress: Progress) -> None:
    """Show nothing."""


@dataclass(frozen=True)
class Conditions:
    """How an experiment is run.

    ``folder`` keeps the ledgers of its games, so that it can be resumed; without one the games are forgotten.
    ``judge`` evaluates the games in the ledgers and plays none. ``opponent`` is the spec or the GTP command of the
    reference opponent where an experiment has one; without ``programs`` it must be a player of ours, as no other
    program may be started. ``watch`` is told the part of the experiment and its progress.
    """

    size: Size = Size.DEFAULT
    seed: int = 0
    folder: Path | None = None
    workers: int | None = None
    cluster: str | None = None
    opponent: str = ""
    programs: bool = True
    judge: bool = False
    watch: Callable[[str, Progress], None] = _silent

    @property
    def quick(self) -> bool:
        """Whether only a look is wanted."""
        return self.size == Size.QUICK

    def of(self, quick: Any, default: Any, full: Any) -> Any:
        """Return what belongs to the size."""
        return {Size.QUICK: quick, Size.DEFAULT: default, Size.FULL: full}[self.size]


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
    figures: dict[str, str] = field(default_factory=dict)  # file name -> SVG, of boards and automata
    settings: dict[str, Any] = field(default_factory=dict)  # repeats and other choices
    charts: dict[str, Chart | BarChart] = field(default_factory=dict)  # name without suffix -> chart
    samples: list[FinishedGame] = field(default_factory=list)  # a few games, to look at
    thought: float = 0.0  # seconds of all players in all games, those that an earlier run played included

    @property
    def verdict(self) -> str:
        """``differs`` if a row or the χ² of a table does, ``not decided`` if a row is open, else ``agrees``."""
        found = {row.verdict for row in self.rows}
        if DIFFERS in found or any(p < SIGNIFICANT for *_, p in self.chi_squares()):
            return DIFFERS
        if NOT_DECIDED in found:
            return NOT_DECIDED
        return AGREES if AGREES in found else NOT_JUDGED

    @property
    def agrees(self) -> bool:
        """Whether nothing judged differs from the paper."""
        return self.verdict != DIFFERS

    def chi_squares(self) -> list[tuple[str, float, int, float]]:
        """Return (quantity, χ², rows, p) of each quantity with at least two judged rows that involve chance.

        Rows that follow from others say nothing more and would count twice.
        """
        by_quantity: dict[str, list[Row]] = {}
        for row in self.rows:
            if row.judged and row.deviation is not None and row.holds is None and not row.derived:
                by_quantity.setdefault(row.quantity, []).append(row)
        return [(name, *chi_square(rows)) for name, rows in by_quantity.items() if len(rows) > 1]

    def data(self) -> dict[str, Any]:
        """Return everything except the pictures, ready for JSON."""
        return {
            "settings": self.settings,
            "verdict": self.verdict,
            "rows": [row.data() for row in self.rows],
            "chi_square": [
                {"quantity": name, "chi_square": round(value, 3), "rows": rows, "p": float(f"{p:.3g}")}
                for name, value, rows, p in self.chi_squares()
            ],
            "listings": [
                {
                    "title": listing.title,
                    "headings": list(listing.headings),
                    "rows": [list(row) for row in listing.rows],
                }
                for listing in self.listings
            ],
            "notes": self.notes,
            "figures": sorted([*self.figures, *(f"{name}.svg" for name in self.charts)]),
            "samples": [sample_data(game) for game in self.samples],
        }

    def files(self) -> dict[str, str]:
        """Return the pictures and their numbers as files: SVG, and CSV beside every chart."""
        written = dict(self.figures)
        for name, chart in self.charts.items():
            written[f"{name}.svg"] = chart.svg()
            written[f"{name}.csv"] = chart.csv()
        return written


def sample_data(game: FinishedGame) -> dict[str, Any]:
    """Return what is needed to replay and caption a game."""
    return {
        "number": game.task.number,
        "game": game.task.game,
        "players": list(game.task.specs),
        "opening": len(game.task.opening),
        "moves": " ".join(game.moves),
        "result": game.result,
    }


@dataclass(frozen=True)
class Experiment:
    """An experiment of a paper. ``cost`` tells how long the default and the full size take on two cores.

    ``opposed`` is whether a reference opponent plays in it, which can be chosen.
    """

    name: str
    paper: str
    summary: str
    function: Callable[[Conditions], Report]
    cost: str = ""
    opposed: bool = False

    def run(self, how: Conditions) -> tuple[Report, float]:
        """Run it; return the report and the seconds it took."""
        began = time.perf_counter()
        report = self.function(how)
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

    def __iter__(self) -> Iterator[Experiment]:
        return iter(self._known.values())

    def names(self) -> list[str]:
        return list(self._known)


EXPERIMENTS = Experiments()


def experiment(
    name: str, *, paper: str, summary: str, cost: str = ""
) -> Callable[[Callable[[Conditions], Report]], Callable[[Conditions], Report]]:
    """Declare a function of the conditions as an experiment."""

    def register(function: Callable[[Conditions], Report]) -> Callable[[Conditions], Report]:
        EXPERIMENTS.add(Experiment(name, paper, summary, function, cost))
        return function

    return register
