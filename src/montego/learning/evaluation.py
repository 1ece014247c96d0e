"""How well weights predict decisions: share of top choices and mean log-likelihood, and the γ table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from montego.games.features import Array, Column
from montego.kernels import kernel
from montego.learning.decisions import Decisions
from montego.weights import strengths


class Prediction(NamedTuple):
    """The quality of a prediction over some decisions.

    ``top[n]`` is the share of decisions whose chosen move was among the n + 1 strongest candidates; equally strong
    candidates are ordered by chance. ``log_likelihood`` is the mean natural logarithm of the chosen move's probability.
    """

    decisions: int
    top: tuple[float, ...]
    log_likelihood: float

    @property
    def top1(self) -> float:
        """The share of moves predicted."""
        return self.top[0]

    @property
    def top5(self) -> float:
        """The share of moves among the five strongest candidates."""
        return self.top[4]


def evaluate(decisions: Decisions, columns: Sequence[Column], gammas: Sequence[Array], most: int = 20) -> Prediction:
    """Return how well weights predict decisions, for the 1 to ``most`` strongest candidates."""
    decisions.check(columns)
    top = np.zeros(most)
    log_sum = add_ranks(decisions, strengths(columns, gammas), top)
    return Prediction(decisions.size, tuple((top / decisions.size).tolist()), float(log_sum) / decisions.size)


@kernel
def add_ranks(decisions, table, top):
    """Add to ``top[n]`` the chance of each chosen move to be among the n + 1 strongest; return the log-likelihood."""
    values, counts, starts = decisions.values, decisions.counts, decisions.starts
    log_sum = 0.0
    for decision in range(len(decisions.winners)):
        winner = starts[decision] + decisions.winners[decision]
        chosen = 1.0
        for number in range(values.shape[1]):
            chosen *= table[number, values[winner, number]]
        total = 0.0
        stronger = 0
        equal = 0
        for row in range(starts[decision], starts[decision + 1]):
            strength = 1.0
            for number in range(values.shape[1]):
                strength *= table[number, values[row, number]]
            count = np.int64(counts[row])
            total += strength * count
            stronger += count * np.int64(strength > chosen)
            equal += count * np.int64(strength == chosen)
        log_sum += np.log(chosen / total)
        for number in range(len(top)):
            top[number] += min(max((number + 1 - stronger) / equal, 0.0), 1.0)
    return log_sum
