"""What a tuning found: the best setting with its uncertainty, tables, a picture, and the match that confirms it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from montego.arena.match import Progress
from montego.arena.result import Result
from montego.arena.statistics import Interval, percent, wilson
from montego.arena.tuning.campaign import Campaign, tried_spec
from montego.arena.tuning.estimate import Estimate, estimate
from montego.arena.tuning.regression import Array
from montego.charts import Curve, Panels, Series, Surface
from montego.errors import MontegoError
from montego.frames import frame
from montego.spec import print_value

_STEPS = 61  # points of a curve and of each side of a surface
_DOTS = 6  # groups of games beside the curve of a single parameter
_SHOWN = 60  # characters of a meaning


@dataclass(frozen=True, repr=False)
class Tuning:
    """The result of a tuning so far.

    ``best`` is the spec of the best setting that was found, ``estimate`` what the games say about it, ``confirmation``
    the result of the match against the starting settings (None if there was none). Print it for a report.
    """

    progress: Progress
    confirmation: Result | None = None
    confirm: int = 0  # games of that match
    ledger: str = ""  # the file that keeps that match

    @property
    def campaign(self) -> Campaign:
        """What was played."""
        contest = self.progress.contest
        if not isinstance(contest, Campaign):
            raise MontegoError("these are not the games of a tuning")
        return contest

    @cached_property
    def pairs(self) -> int:
        """The number of complete pairs of games, in the order of the schedule."""
        return min(self.campaign.complete_pairs(self.progress.games), self.progress.total // 2)

    @cached_property
    def estimate(self) -> Estimate:
        """What the games say."""
        if not self.pairs:
            raise MontegoError("there is nothing to estimate: no pair of games has been finished yet")
        return estimate(self.campaign.space, self.campaign.played(self.progress.games, self.pairs))

    @property
    def best(self) -> str:
        """The player with the best setting."""
        return self.campaign.space.spec(self.estimate.values)

    @property
    def start(self) -> str:
        """The player with the starting settings."""
        return self.campaign.players[0]

    @property
    def improved(self) -> bool:
        """Whether the confirmation shows that the best setting is better: the interval of its Elo lies above 0."""
        return self.confirmation is not None and self.confirmation.elo_interval[0] > 0

    # -- for people

    def headline(self) -> str:
        """Return the best setting so far in one line."""
        if not self.pairs:
            return "no pair of games is finished yet"
        found = self.estimate
        shown = [f"{path}={_shown(value)}{self._spread(path)}" for path, value in found.values.items()]
        return f"best so far: {', '.join(shown)}; expected score {_rate(found.rate, found.interval)}"

    def _spread(self, path: str) -> str:
        """Return the interval of a number, or how likely the best value of a choice is the right one."""
        if path in self.estimate.intervals:
            low, high = self.estimate.intervals[path]
            return f" ({_shown(low)} – {_shown(high)})"
        return f" ({percent(self.estimate.shares[path][str(self.estimate.values[path])])} likely)"

    def lines(self) -> list[str]:
        """Return the result as lines of text."""
        campaign = self.campaign
        lines = [
            f"{campaign.game}: {self.start} tuned against {campaign.players[1]}, method {campaign.method}, "
            f"seed {campaign.seed}, {2 * self.pairs} of {self.progress.total} games"
        ]
        if not self.pairs:
            return lines
        found = self.estimate
        lines += ["", *_table(*self._parameter_table()), ""]
        expected = f"expected score {_rate(found.rate, found.interval)}"
        if (before := self._start_rate()) is not None:
            expected += f", of the starting setting {_rate(*before)}"
        lines += [f"best setting: {self.best}", expected, "", *_table(*self._region_table()), "", *self.verdict()]
        return lines

    def _parameter_table(self) -> tuple[list[str], list[list[str]]]:
        started = self.campaign.space.values_of(self.start)
        rows = []
        for one in self.campaign.space.dimensions:
            best = f"{_shown(self.estimate.values[one.path])}{self._spread(one.path)}"
            meaning = one.meaning if len(one.meaning) <= _SHOWN else f"{one.meaning[: _SHOWN - 1]}…"
            rows.append([one.path, best, _shown(started[one.path]), one.searched(), meaning])
        return ["parameter", "best (95 %)", "start", "searched", "meaning"], rows

    def _region_table(self) -> tuple[list[str], list[list[str]]]:
        paths = [one.path for one in self.campaign.space.dimensions]
        rows = [
            [
                "all settings" if one.share == 1 else f"best {percent(one.share)}",
                str(one.games),
                _rate(one.rate, one.interval),
                *(one.ranges[path] for path in paths),
            ]
            for one in self.estimate.regions()
        ]
        return ["tried", "games", "score", *paths], rows

    def verdict(self) -> list[str]:
        """Say what the confirmation shows, how to repeat it, and whether a default should change."""
        if self.best == self.start:
            return ["the best setting is the starting one: no default should change"]
        command = [f"    {self.command()}"] if self.confirm else []
        if self.confirmation is None:
            return [f"not confirmed; a match with fresh seeds shows what it gains{':' if command else ''}", *command]
        result = self.confirmation
        lines = [
            f"confirmation with fresh seeds, against the starting setting: {result.summaries[0].line('best setting')}",
            *command,
        ]
        if self.improved:
            verdict = "the confirmation shows a gain: if the starting setting is a default, the default should change"
        elif result.elo_interval[1] < 0:
            verdict = "the confirmation shows a loss: no default should change"
        else:
            verdict = "the confirmation shows no difference: no default should change"
        return [*lines, verdict]

    def command(self) -> str:
        """Return the command that plays the confirmation."""
        campaign = self.campaign
        match = campaign.confirmation(self.best)
        words = ["montego", "match", "--game", campaign.game, "--player", self.best, "--player", self.start]
        words += ["--games", str(self.confirm), "--seed", str(match.seed)]
        words += ["--opening-moves", str(campaign.openings.moves)] if campaign.openings.moves else []
        words += ["--max-moves", str(campaign.max_moves)] if campaign.max_moves else []
        words += ["--resign", f"{campaign.resign:g}"] if campaign.resign else []
        words += ["--ledger", self.ledger] if self.ledger else []
        return shlex.join(words)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<{self.campaign.game}: {self.start}, {2 * self.pairs} games; {self.headline()}>"

    def _start_rate(self) -> tuple[float, Interval] | None:
        """Return the expected score of the starting setting, if it is in the space."""
        row = self._start_row()
        if row is None:
            return None
        middle, low, high = self.estimate.rates(row[None])
        return float(middle[0]), (float(low[0]), float(high[0]))

    def _start_row(self) -> Array | None:
        space = self.campaign.space
        row = space.coordinates(space.values_of(self.start))
        outside = bool(np.any(np.abs(row[: len(space.numbers)]) > 1.0 + 1e-9))
        return None if outside or any(not row[block].any() for block in space.blocks()) else row

    # -- the picture

    def svg(self) -> str:
        """Return the response surface: the expected score along each parameter, and over the first two numbers.

        Along a parameter, the others have their best values; bands and bars are 95 % intervals. Two numbers or more
        add two maps over the first two of them: the expected score, and half the width of its interval.
        """
        space = self.campaign.space
        curves = [self._curve(column) for column in range(len(space.numbers))]
        curves += [self._dots(place) for place in range(len(space.choices))]
        surfaces = self._surfaces() if len(space.numbers) > 1 else []
        title = f"{self.campaign.game}: {self.start}, {2 * self.pairs} games"
        return Panels(title, "expected score, %", curves, surfaces).svg()

    def _curve(self, column: int) -> Curve:
        number = self.campaign.space.numbers[column]
        steps = np.linspace(-1.0, 1.0, _STEPS)
        rows = np.repeat(self.estimate.row[None], _STEPS, axis=0)
        rows[:, column] = steps
        middle, low, high = (100 * part for part in self.estimate.rates(rows))
        at = [number.exact(step) for step in steps]
        return Curve(
            number.path,
            list(zip(at, middle.tolist())),
            list(zip(low.tolist(), high.tolist())),
            float(self.estimate.values[number.path]),
            number.logarithmic,
            dots=self._observed() if len(self.campaign.space.dimensions) == 1 else None,
        )

    def _observed(self) -> Series:
        """Return what groups of neighbouring values really scored."""
        played, number = self.estimate.played, self.campaign.space.numbers[0]
        points, ends = [], []
        for group in np.array_split(np.argsort(played.coordinates[:, 0], kind="stable"), _DOTS):
            if len(group):
                games, won = float(played.games[group].sum()), float(played.points[group].sum())
                low, high = wilson(won, games)
                points.append((number.exact(float(np.median(played.coordinates[group, 0]))), 100 * won / games))
                ends.append((100 * low, 100 * high))
        return Series("", points, line=False, dots=True, ends=ends)

    def _dots(self, place: int) -> Curve:
        choice, block = self.campaign.space.choices[place], self.campaign.space.blocks()[place]
        rows = np.repeat(self.estimate.row[None], len(choice.values), axis=0)
        rows[:, block] = np.eye(len(choice.values))
        middle, low, high = (100 * part for part in self.estimate.rates(rows))
        points = list(enumerate(middle.tolist()))
        return Curve(choice.path, points, list(zip(low.tolist(), high.tolist())), 0.0, names=choice.values)

    def _surfaces(self) -> list[Surface]:
        first, second = self.campaign.space.numbers[:2]
        steps = np.linspace(-1.0, 1.0, _STEPS)
        rows = np.repeat(self.estimate.row[None], _STEPS**2, axis=0)
        rows[:, 0], rows[:, 1] = np.tile(steps, _STEPS), np.repeat(steps, _STEPS)
        middle, low, high = (100 * part.reshape(_STEPS, _STEPS) for part in self.estimate.rates(rows))
        tried = [(first.exact(x), second.exact(y)) for x, y in self.estimate.played.coordinates[:, :2]]
        best = float(self.estimate.values[first.path]), float(self.estimate.values[second.path])
        axes = [first.exact(step) for step in steps], [second.exact(step) for step in steps]
        labels, scales = (first.path, second.path), (first.logarithmic, second.logarithmic)
        return [
            Surface(title, *axes, values.tolist(), tried, best, labels, scales)
            for title, values in (("expected score, %", middle), ("half width of its interval, %", (high - low) / 2))
        ]

    # -- for programs

    def to_frame(self) -> Any:
        """Return a pandas table: one row per pair of games, the values it tried, its points, and the spec.

        Needs pandas, which Montego does not install by itself.
        """
        games = self.progress.games
        rows = [
            {
                "pair": pair,
                **self.campaign.tried(games[2 * pair]),
                "points": games[2 * pair].points_of(0) + games[2 * pair + 1].points_of(0),
                "spec": tried_spec(games[2 * pair]),
            }
            for pair in range(self.pairs)
        ]
        paths = [one.path for one in self.campaign.space.dimensions]
        return frame(rows, ["pair", *paths, "points", "spec"], index="pair")

    def as_dict(self) -> dict[str, Any]:
        """Return the result, ready for JSON."""
        found = self.estimate if self.pairs else None
        return {
            **self.campaign.settings(),
            "games": 2 * self.pairs,
            "scheduled": self.progress.total,
            "complete": self.progress.finished >= self.progress.total,
            "best": None if found is None else self.best,
            "values": None if found is None else found.values,
            "intervals": None if found is None else {path: list(ends) for path, ends in found.intervals.items()},
            "shares": None if found is None else found.shares,
            "rate": None if found is None else found.rate,
            "rate_interval": None if found is None else list(found.interval),
            "regions": []
            if found is None
            else [
                {"share": o.share, "games": o.games, "rate": o.rate, "interval": list(o.interval), "ranges": o.ranges}
                for o in found.regions()
            ],
            "confirmation": None if self.confirmation is None else self.confirmation.as_dict(),
            "command": self.command() if found is not None and self.confirm else None,
            "improved": self.improved if self.confirmation is not None else None,
        }


def _rate(value: float, interval: Interval) -> str:
    return f"{percent(value)} ({100 * interval[0]:.0f}–{100 * interval[1]:.0f} %)"


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:.3g}" if isinstance(value, float) else print_value(value)


def _table(header: list[str], rows: list[list[str]]) -> list[str]:
    """Return columns of text, each as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(header, *rows)]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip() for row in [header, *rows]]
