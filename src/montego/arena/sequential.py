"""A sequential test of a match: play until the pairs tell two Elo differences apart.

The generalised sequential probability ratio test (GSPRT) on the five possible scores of a pair. After each pair the
log-likelihood ratio compares the best multinomial distribution with the mean of H1 to the best with the mean of H0.
Only the mean score is tested: draws, colours and openings may have any distribution.
Li, Liu and Ying, "Generalized sequential probability ratio test for separate families of hypotheses" (2014);
Proposition 1.1 of Van den Bergh's note for Fishtest (support_MLE_multinomial.pdf) gives the best distribution.
"""

from math import exp, expm1, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from montego.arena.statistics import expected_rate, pair_counts, pair_variance
from montego.errors import MontegoError

Floats = NDArray[np.float64]

PAIR_RATES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # A's mean score in a pair of score 0, ½, 1, 1½, 2

# Every pair score counts as if it had been seen this often before the first pair. Then every mean has a likelihood,
# even if all pairs were won, and the ratio is finite from the first pair on.
PSEUDO_COUNT = 1e-3

_ROUNDS = 100  # of bisection at worst; Newton's method usually needs five


class Gsprt:
    """A test of H0, "A is ``elo0`` better", against H1, "A is ``elo1`` better", in logistic Elo.

    ``alpha`` bounds the probability to accept H1 where the difference is elo0 or less, ``beta`` that to accept H0 where
    it is elo1 or more. When the verdict is reached, it is frozen with the ratio and the number of pairs: pairs that end
    later may be added and are only counted as ``late_pairs``. Add pairs in the order of the schedule, not in the order
    in which they finish: short games, which finish first, are not a fair sample.
    """

    def __init__(self, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> None:
        for name, value in (("elo0", elo0), ("elo1", elo1)):
            if not -2000 <= value <= 2000:
                raise MontegoError(f"{name} must be a number between -2000 and 2000, not {value}")
        if not elo0 < elo1:
            raise MontegoError(f"elo0 must be less than elo1, not {elo0} and {elo1}")
        for name, value in (("alpha", alpha), ("beta", beta)):
            if not 0 < value < 0.5:
                raise MontegoError(f"{name} must lie between 0 and 0.5 (both excluded), not {value}; 0.05 is usual")
        self.elo0, self.elo1, self.alpha, self.beta = float(elo0), float(elo1), float(alpha), float(beta)
        self.lower = log(beta / (1 - alpha))
        self.upper = log((1 - beta) / alpha)
        self.pentanomial = [0] * 5
        self.llr = 0.0
        self.verdict: str | None = None
        self.late_pairs = 0

    @property
    def pairs(self) -> int:
        """The number of pairs that the test has used."""
        return sum(self.pentanomial)

    def add_pair(self, first: float, second: float) -> str | None:
        """Count A's two scores of a pair and return the verdict: None to go on, else "H0" or "H1"."""
        counts = pair_counts([(first, second)])
        if self.verdict is not None:
            self.late_pairs += 1
            return self.verdict
        self.pentanomial = [old + new for old, new in zip(self.pentanomial, counts)]
        self.llr = float(log_likelihood_ratio(np.array(self.pentanomial), self.elo0, self.elo1))
        if self.llr >= self.upper:
            self.verdict = "H1"
        elif self.llr <= self.lower:
            self.verdict = "H0"
        return self.verdict

    def probability_h1(self, elo: float) -> float:
        """Return the probability that the test ends with H1 if A is ``elo`` better, by Wald's approximation.

        It treats the ratio as a Brownian motion with drift; the overshoot at the end makes a real test err less often.
        """
        exponent = -2 * self._distance(elo)
        if abs(exponent) < 1e-9:
            return -self.lower / (self.upper - self.lower)
        width = self.upper - self.lower
        if exponent < 0:  # two forms of one formula, so that neither overflows
            return expm1(-exponent * self.lower) / expm1(exponent * width)
        return exp(-exponent * self.upper) * expm1(exponent * self.lower) / expm1(-exponent * width)

    def expected_pairs(self, elo: float, variance: float | None = None) -> float:
        """Return roughly how many pairs a whole test takes if A is ``elo`` better: Wald's approximation, a little low.

        ``variance`` is that of A's mean score in a pair; by default it is estimated from the pairs so far, and without
        any it is that of two independent games without draws.
        """
        rate0, rate1 = expected_rate(self.elo0), expected_rate(self.elo1)
        if variance is None:
            variance = pair_variance(self.pentanomial, (rate0 + rate1) / 2)
        if not 0 < variance <= 0.25:
            raise MontegoError(f"the variance of a pair's mean score lies between 0 and 0.25, not {variance}")
        step_variance = (rate1 - rate0) ** 2 / variance
        drift = step_variance * self._distance(elo)
        probability = self.probability_h1(elo)
        if abs(self._distance(elo)) < 1e-6:
            return -self.lower * self.upper / step_variance
        return (probability * self.upper + (1 - probability) * self.lower) / drift

    def as_dict(self) -> dict[str, Any]:
        """Return the settings and the state of the test, ready for JSON."""
        return {
            "elo0": self.elo0,
            "elo1": self.elo1,
            "alpha": self.alpha,
            "beta": self.beta,
            "llr": self.llr,
            "lower": self.lower,
            "upper": self.upper,
            "verdict": self.verdict,
            "pairs": self.pairs,
            "late_pairs": self.late_pairs,
            "pentanomial": list(self.pentanomial),
        }

    def __str__(self) -> str:
        state = {None: "undecided", "H0": "H0 accepted", "H1": "H1 accepted"}[self.verdict]
        return (
            f"LLR {self.llr:+.2f} ({self.lower:.2f}…{self.upper:+.2f}) after {self.pairs} pairs, "
            f"H0 Elo {self.elo0:+g}, H1 Elo {self.elo1:+g}: {state}"
        )

    def _distance(self, elo: float) -> float:
        """Return how far the rate at ``elo`` lies from the middle of H0 (at -1/2) and H1 (at 1/2)."""
        rate0, rate1 = expected_rate(self.elo0), expected_rate(self.elo1)
        return (expected_rate(elo) - (rate0 + rate1) / 2) / (rate1 - rate0)


def log_likelihood_ratio(pentanomial: NDArray[Any], elo0: float, elo1: float) -> Floats:
    """Return the log-likelihood ratio of H1 to H0 for counts of pair scores, of shape (..., 5); the result is (...)."""
    counts = np.asarray(pentanomial, dtype=np.float64) + PSEUDO_COUNT
    return _log_likelihood(counts, expected_rate(elo1)) - _log_likelihood(counts, expected_rate(elo0))


def _log_likelihood(counts: Floats, mean: float) -> Floats:
    """Return the greatest log-likelihood of a distribution with this mean, up to a term that does not depend on it.

    With frequencies f, the maximum lies at p = f / (1 + θ(rate - mean)), with θ such that the mean is right.
    """
    deviations = PAIR_RATES - mean
    tilt = _tilt(counts / counts.sum(axis=-1, keepdims=True), deviations)
    return np.asarray(-(counts * np.log1p(tilt[..., None] * deviations)).sum(axis=-1))


def _tilt(frequencies: Floats, deviations: Floats) -> Floats:
    """Return θ with g(θ) = Σ f d / (1 + θ d) = 0, by Newton's method kept within a shrinking bracket.

    g falls from one pole to the other. Times the two factors that are 0 at the poles it is almost a straight line,
    and exactly one if all pairs were won or lost, so few rounds are needed.
    """
    low = np.full(frequencies.shape[:-1], -1 / deviations[-1])
    high = np.full(frequencies.shape[:-1], -1 / deviations[0])
    tilt = np.zeros(frequencies.shape[:-1])
    for _ in range(_ROUNDS):
        terms = deviations / (1 + tilt[..., None] * deviations)
        value = (frequencies * terms).sum(axis=-1)
        slope = -(frequencies * terms**2).sum(axis=-1)
        low = np.where(value > 0, tilt, low)
        high = np.where(value < 0, tilt, high)
        # The derivative of the two factors over their product is the sum of the outermost terms.
        newton = tilt - value / (slope + value * (terms[..., 0] + terms[..., -1]))
        better = np.where((newton >= low) & (newton <= high), newton, (low + high) / 2)
        converged = np.abs(better - tilt) <= 1e-13 * np.maximum(1, np.abs(tilt))
        tilt = better
        if converged.all():
            break
    return tilt
