"""What the games say about the best setting: where it is, how sure that is, and what it scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from montego.arena.statistics import Z95, Interval, percent, wilson
from montego.arena.tuning.regression import Array, Games, LocalFit, calibrate, fit_locally, rate
from montego.arena.tuning.space import Space, Value

_DRAWS = 400  # of coefficients, for the interval of the best setting
_PLAUSIBLE = 0.1  # weight from which on a setting may be the best one
_SEED = 2011  # of these draws: equal games give equal estimates
_SHARES = (0.1, 0.25, 0.5, 1.0)  # of the pairs, best first, in the table of regions


@dataclass(frozen=True)
class Region:
    """The pairs of games with the surest settings by the regression: their ranges and what they really scored."""

    share: float
    ranges: dict[str, str]
    games: int
    rate: float
    interval: Interval


@dataclass(frozen=True)
class Estimate:
    """The best setting, from the games of all settings that were tried.

    ``intervals`` are those of the best value of each number, ``shares`` how likely each value of a choice is the best
    one. ``rate`` is the score that the regression expects, with its 95 % interval. It flatters the best setting, which
    was chosen by the same games: only a match with fresh seeds shows what it gains.
    """

    space: Space
    played: Games
    local: LocalFit
    row: Array
    values: dict[str, Value]
    intervals: dict[str, tuple[Value, Value]]
    shares: dict[str, dict[str, float]]
    rate: float
    interval: Interval

    def rates(self, rows: Array) -> tuple[Array, Array, Array]:
        """Return the expected scores of settings, and the ends of their 95 % intervals."""
        odds, error = self.local.fit.log_odds(rows), self.local.fit.deviation(rows)
        return rate(odds), rate(odds - Z95 * error), rate(odds + Z95 * error)

    def regions(self) -> list[Region]:
        """Return what the best tenth, quarter and half of the pairs scored, and all of them."""
        fit, rows = self.local.fit, self.played.coordinates
        order = np.argsort(Z95 * fit.deviation(rows) - fit.log_odds(rows), kind="stable")
        return [self._region(share, order[: max(1, round(share * len(order)))]) for share in _SHARES]

    def _region(self, share: float, chosen: npt.NDArray[np.intp]) -> Region:
        games, points = float(self.played.games[chosen].sum()), float(self.played.points[chosen].sum())
        rows, ranges = self.played.coordinates[chosen], {}
        for column, number in enumerate(self.space.numbers):
            low, high = (number.value(end) for end in (rows[:, column].min(), rows[:, column].max()))
            ranges[number.path] = f"{low:.3g} – {high:.3g}"
        for block, choice in zip(self.space.blocks(), self.space.choices, strict=True):
            counts = rows[:, block].mean(axis=0)
            listed = [f"{value} {percent(count)}" for value, count in zip(choice.values, counts) if count > 0]
            ranges[choice.path] = ", ".join(listed)
        return Region(share, ranges, round(games), points / games, wilson(points, games))


def estimate(space: Space, played: Games) -> Estimate:
    """Fit the local regression and find its best setting, with what is known about it.

    The best setting is the one that is surely good: the one with the highest lower end of its 95 % interval. The top of
    the fit may lie where nobody has played, and the weighted mean, which CLOP takes, is never at the end of a range.
    The interval of the best value is that of the tops of quadratics that are as likely as the fitted one.
    """
    local = calibrate(fit_locally(space.shape, played), played)
    rng = np.random.default_rng(_SEED)
    rows = _plausible(space, local, played, rng)
    sure = local.fit.log_odds(rows) - Z95 * local.fit.deviation(rows)
    row = space.coordinates(space.values(rows[int(np.argmax(sure))]))
    likely = space.shape.terms(rows) @ local.fit.draws(_DRAWS, rng).T
    tops = rows[np.argmax(likely, axis=0)]
    intervals: dict[str, tuple[Value, Value]] = {}
    for column, number in enumerate(space.numbers):
        low, high = np.quantile(tops[:, column], (0.025, 0.975))
        intervals[number.path] = (number.value(min(low, row[column])), number.value(max(high, row[column])))
    shares = {
        choice.path: dict(zip(choice.values, tops[:, block].mean(axis=0).tolist()))
        for block, choice in zip(space.blocks(), space.choices, strict=True)
    }
    odds, error = float(local.fit.log_odds(row[None])[0]), float(local.fit.deviation(row[None])[0])
    interval = (float(rate(odds - Z95 * error)), float(rate(odds + Z95 * error)))
    return Estimate(space, played, local, row, space.values(row), intervals, shares, float(rate(odds)), interval)


def _plausible(space: Space, local: LocalFit, played: Games, rng: np.random.Generator) -> Array:
    """Return settings that count in the local regression: tried ones, ends of the ranges beside them, and others."""
    mean = (local.weights @ played.coordinates)[None] / local.weights.sum()
    for block in space.blocks():
        mean[0, block] = np.arange(block.stop - block.start) == np.argmax(mean[0, block])
    found = [mean, played.coordinates, np.array([space.random(rng) for _ in range(_DRAWS)])]
    for column in range(len(space.numbers)):
        for end in (-1.0, 1.0):
            beside = played.coordinates.copy()
            beside[:, column] = end
            found.append(beside)
    rows = np.vstack(found)
    counting = rows[local.weight(rows) >= _PLAUSIBLE]
    return counting if len(counting) else rows
