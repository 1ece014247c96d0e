"""What the games say about the best setting: where it is, how sure that is, and what it scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from montego.arena.statistics import Z95, Interval, wilson
from montego.arena.tuning.regression import Array, Games, LocalFit, Shape, fit_locally, rate
from montego.arena.tuning.space import Space, Value

_DRAWS = 400  # of coefficients, for the interval of the best setting
_STARTS = 8  # of the search for the top of a quadratic
_SWEEPS = 25  # over the coordinates
_SEED = 2011  # of these draws: equal games give equal estimates
_SHARES = (0.1, 0.25, 0.5, 1.0)  # of the pairs, best first, in the table of regions


@dataclass(frozen=True)
class Region:
    """The pairs of games with the best settings by the regression: their ranges and what they really scored."""

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
        order = np.argsort(-self.local.fit.log_odds(self.played.coordinates), kind="stable")
        return [self._region(share, order[: max(1, round(share * len(order)))]) for share in _SHARES]

    def _region(self, share: float, chosen: npt.NDArray[np.intp]) -> Region:
        games, points = float(self.played.games[chosen].sum()), float(self.played.points[chosen].sum())
        rows, ranges = self.played.coordinates[chosen], {}
        for column, number in enumerate(self.space.numbers):
            low, high = (number.value(end) for end in (rows[:, column].min(), rows[:, column].max()))
            ranges[number.path] = f"{low:g} – {high:g}"
        for block, choice in zip(self.space.blocks(), self.space.choices, strict=True):
            counts = rows[:, block].mean(axis=0)
            listed = [f"{value} {count:.0%}" for value, count in zip(choice.values, counts) if count > 0]
            ranges[choice.path] = ", ".join(listed)
        return Region(share, ranges, round(games), points / games, wilson(points, games))


def estimate(space: Space, played: Games) -> Estimate:
    """Fit the local regression and find its top, with what is known about it."""
    local = fit_locally(space.shape, played)
    rng = np.random.default_rng(_SEED)
    tops = top_of(space.shape, local.fit.draws(_DRAWS, rng), rng)
    row = space.coordinates(space.values(_surest(space, local, played, tops, rng)))
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


def _surest(space: Space, local: LocalFit, played: Games, tops: Array, rng: np.random.Generator) -> Array:
    """Return the setting whose score is surely the best: the one with the highest lower end of its 95 % interval.

    The top of the fit may lie where nobody has played, and the weighted mean of CLOP is never at an end of a range.
    """
    mean = (local.weights @ played.coordinates)[None] / local.weights.sum()
    for block in space.blocks():
        mean[0, block] = np.arange(block.stop - block.start) == np.argmax(mean[0, block])
    anywhere = np.array([space.random(rng) for _ in range(_DRAWS)])
    rows = np.vstack([mean, played.coordinates, tops, anywhere])
    sure = local.fit.log_odds(rows) - Z95 * local.fit.deviation(rows)
    return np.asarray(rows[int(np.argmax(sure))], np.float64)


def top_of(shape: Shape, coefficients: Array, rng: np.random.Generator) -> Array:
    """Return where quadratics, a row of coefficients each, are greatest: one coordinate after the other is moved."""
    count, numbers = len(coefficients), shape.numbers
    linear = coefficients[:, 1 : 1 + shape.columns]
    squares = np.zeros((count, numbers, numbers))
    first, second = np.triu_indices(numbers)
    squares[:, first, second] = coefficients[:, 1 + shape.columns :]
    symmetric = squares + squares.transpose(0, 2, 1)  # twice the square terms on the diagonal
    best, best_value = np.zeros((count, numbers)), np.full(count, -np.inf)
    for start in range(_STARTS):
        x = np.zeros((count, numbers)) if not start else np.sign(rng.uniform(-1, 1, (count, numbers)))
        for _ in range(_SWEEPS):
            for column in range(numbers):
                x[:, column] = 0.0
                slope = linear[:, column] + np.einsum("ij,ij->i", symmetric[:, column], x)
                x[:, column] = _top_of_parabola(symmetric[:, column, column] / 2, slope)
        value = np.einsum("ij,ij->i", linear[:, :numbers], x) + 0.5 * np.einsum("ij,ijk,ik->i", x, symmetric, x)
        better = value > best_value
        best[better], best_value[better] = x[better], value[better]
    row = np.zeros((count, shape.columns))
    row[:, :numbers] = best
    begin = numbers
    for values in shape.choices:
        row[np.arange(count), begin + np.argmax(linear[:, begin : begin + values], axis=1)] = 1.0
        begin += values
    return row


def _top_of_parabola(curvature: Array, slope: Array) -> Array:
    """Return where a x² + b x is greatest between -1 and 1."""
    inside = np.clip(-slope / np.where(curvature < 0, 2 * curvature, -1.0), -1.0, 1.0)
    return np.where(curvature < 0, inside, np.where(slope >= 0, 1.0, -1.0))
