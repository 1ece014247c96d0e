"""A quadratic that says how the score depends on the settings, fitted to the results of games, near the best ones.

The log-odds of winning are a quadratic q of the coordinates of a setting (numbers from -1 to 1; a choice is a constant
for each of its values). A quadratic fits nothing everywhere, so games far from the best settings count less and less:
the weights of CLOP (Coulom, "CLOP: Confident Local Optimization for Noisy Black-Box Parameter Tuning", 2011). A
setting whose q lies below the mean strength m of the weighted games counts exp((q - m) / (H σ)), σ the standard error
of m; the fit is repeated with the smaller weights until they settle. The more games there are, the smaller is σ, and
the narrower the region that counts.

Departs from the paper in three ways: a draw is half a win and half a loss, the prior of the coefficients is narrower
(a game engine seldom gains 1,000 Elo by one number), and choices are allowed beside numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

LOCALITY = 3.0  # H of the paper
PRIOR_DEVIATION = 2.0  # of every coefficient but the constant, in log-odds
CONSTANT_DEVIATION = 10.0
_DEVIATIONS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)  # among which the result chooses
_MOST_ROUNDS = 30  # of fitting with smaller weights
_SETTLED = 0.99  # share of the total weight that is left when the weights have settled
_MOST_STEPS = 30  # of Newton's method
_SMALL_STEP = 1e-7
_LARGEST_ODDS = 30.0


@dataclass(frozen=True)
class Games:
    """What was played: a row of coordinates per pair of games, its points and its number of games."""

    coordinates: Array
    points: Array
    games: Array

    def __len__(self) -> int:
        return len(self.points)

    def first(self, count: int) -> Games:
        """Return the first pairs."""
        return Games(self.coordinates[:count], self.points[:count], self.games[:count])


@dataclass(frozen=True)
class Shape:
    """The terms of the quadratic for settings of ``numbers`` numbers, followed by choices with so many values each.

    Coordinates are the numbers, then one column per value of a choice: 1 for the chosen one, 0 for the others.
    """

    numbers: int
    choices: tuple[int, ...] = ()

    @property
    def columns(self) -> int:
        """The number of coordinates."""
        return self.numbers + sum(self.choices)

    def terms(self, coordinates: Array) -> Array:
        """Return the constant, the coordinates, and the squares and products of the numbers, a row per setting."""
        x = coordinates[:, : self.numbers]
        first, second = _pairs(self.numbers)
        return np.hstack([np.ones((len(x), 1)), coordinates, x[:, first] * x[:, second]])

    def precision(self, deviation: float) -> Array:
        """Return the inverse variances of the coefficients before any game was played."""
        count = 1 + self.columns + self.numbers * (self.numbers + 1) // 2
        inverse = np.full(count, deviation**-2)
        inverse[0] = CONSTANT_DEVIATION**-2
        return inverse


@cache
def _pairs(numbers: int) -> tuple[Any, Any]:
    """Return the squares and products of so many numbers, as the places of their factors."""
    return np.triu_indices(numbers)


@dataclass(frozen=True)
class Quadratic:
    """A fitted quadratic: coefficients with their covariance."""

    shape: Shape
    coefficients: Array
    covariance: Array

    def log_odds(self, coordinates: Array) -> Array:
        """Return q, a number per setting."""
        return np.asarray(self.shape.terms(coordinates) @ self.coefficients, np.float64)

    def deviation(self, coordinates: Array) -> Array:
        """Return the standard error of q, a number per setting."""
        terms = self.shape.terms(coordinates)
        variance = np.einsum("ij,jk,ik->i", terms, self.covariance, terms)
        return np.asarray(np.sqrt(np.maximum(variance, 0.0)), np.float64)

    def draws(self, count: int, rng: np.random.Generator) -> Array:
        """Return coefficients that are as likely as the fitted ones are sure, a row per draw."""
        drawn = rng.multivariate_normal(self.coefficients, self.covariance, count, method="eigh")
        return np.asarray(drawn, np.float64)


@dataclass(frozen=True)
class _Level:
    """A round of the fit: settings whose q is below ``mean`` by ``scale`` count 1/e."""

    fit: Quadratic
    mean: float
    scale: float


@dataclass(frozen=True)
class LocalFit:
    """The quadratic near the best settings, and the weights that say what is near."""

    fit: Quadratic
    weights: Array  # of the games that were fitted
    levels: tuple[_Level, ...]

    def weight(self, coordinates: Array) -> Array:
        """Return how much any settings count: 1 among the best, nearly 0 where it is sure that others are better."""
        return _weights(self.levels, self.fit.shape.terms(coordinates))


def _weights(levels: Sequence[_Level], terms: Array) -> Array:
    log_weights = np.zeros(len(terms))
    for level in levels:
        log_weights = np.minimum(log_weights, (terms @ level.fit.coefficients - level.mean) / level.scale)
    return np.asarray(np.exp(log_weights), np.float64)


def rate(log_odds: Any) -> Any:
    """Return the expected score of log-odds."""
    return 1.0 / (1.0 + np.exp(-np.clip(log_odds, -_LARGEST_ODDS, _LARGEST_ODDS)))


def fit_quadratic(
    shape: Shape,
    terms: Array,
    played: Games,
    weights: Array,
    start: Array | None = None,
    deviation: float = PRIOR_DEVIATION,
) -> Quadratic:
    """Return the most likely quadratic under the prior: logistic regression by Newton's method.

    ``terms`` are those of the games, ``deviation`` is that of the prior.
    """
    prior = shape.precision(deviation)
    games, points = played.games * weights, played.points * weights
    beta = np.zeros(len(prior)) if start is None else start
    for _ in range(_MOST_STEPS):
        expected = rate(terms @ beta)
        curvature = (terms.T * (games * expected * (1 - expected))) @ terms + np.diag(prior)
        step = np.linalg.solve(curvature, terms.T @ (points - games * expected) - prior * beta)
        largest = float(np.max(np.abs(step)))
        beta = beta + step * min(1.0, 4.0 / largest if largest else 1.0)
        if largest < _SMALL_STEP:
            break
    expected = rate(terms @ beta)
    curvature = (terms.T * (games * expected * (1 - expected))) @ terms + np.diag(prior)
    return Quadratic(shape, beta, np.linalg.inv(curvature))


def fit_locally(shape: Shape, played: Games) -> LocalFit:
    """Fit the quadratic again and again with smaller weights far from the best, until the weights settle."""
    terms, weights = shape.terms(played.coordinates), np.ones(len(played))
    fit = fit_quadratic(shape, terms, played, weights)
    levels: list[_Level] = []
    for _ in range(_MOST_ROUNDS):
        total = float(played.games @ weights)
        # One win and one loss more keep the mean finite while all games are won or lost.
        mean_rate = (float(played.points @ weights) + 1.0) / (total + 2.0)
        mean = float(np.log(mean_rate / (1 - mean_rate)))
        deviation = 1.0 / np.sqrt((total + 2.0) * mean_rate * (1 - mean_rate))
        levels.append(_Level(fit, mean, LOCALITY * deviation))
        smaller = _weights(levels, terms)
        settled = float(played.games @ smaller) > _SETTLED * total
        weights = smaller
        fit = fit_quadratic(shape, terms, played, weights, fit.coefficients)
        if settled:
            break
    return LocalFit(fit, weights, tuple(levels))


def calibrate(local: LocalFit, played: Games) -> LocalFit:
    """Fit again with the prior under which the games are likeliest, so that chance is not taken for a response.

    While settings are being chosen, a wide prior keeps all doors open. For the result it would overrate what few games
    say where the score hardly depends on the parameters, as it often does near good settings.
    """
    shape = local.fit.shape
    terms, all_equal = shape.terms(played.coordinates), np.ones(len(played))
    evidence = []
    for deviation in _DEVIATIONS:
        fit = fit_quadratic(shape, terms, played, all_equal, deviation=deviation)
        evidence.append(_log_evidence(fit, terms, played, shape.precision(deviation)))
    likeliest = _DEVIATIONS[int(np.argmax(evidence))]
    fit = fit_quadratic(shape, terms, played, local.weights, deviation=likeliest)
    return LocalFit(fit, local.weights, local.levels)


def _log_evidence(fit: Quadratic, terms: Array, played: Games, prior: Array) -> float:
    """Return the logarithm of the probability of the games under a prior, by Laplace's method, but for a constant."""
    odds, beta = terms @ fit.coefficients, fit.coefficients
    likelihood = float(played.points @ odds - played.games @ np.logaddexp(0.0, odds))
    volume = float(np.log(prior).sum() + np.linalg.slogdet(fit.covariance)[1])
    return likelihood - 0.5 * float(beta @ (prior * beta)) + 0.5 * volume
