"""Minorisation–maximisation: the weights γ of move features that make the recorded decisions most likely.

Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007), after Hunter (2004). With W_i the number of
decisions that a move with feature i won, E_j the sum of strengths in decision j, and C_ij the strength of the
candidates with feature i without γ_i, one step for all features of one group is

    γ_i ← (W_i + a) / (Σ_j C_ij / E_j + 2a / (γ_i + 1)),

where the prior of a = 1 stands for one win and one loss against a virtual opponent of strength 1. The sum over j of
γ_i C_ij / E_j is how often the model expects feature i to win, X_i, so the step is

    γ_i ← γ_i (W_i + a) / (X_i + 2a γ_i / (γ_i + 1)).

Each step raises the objective. Groups take turns; steps of several groups at once would overshoot.

A pass over the decisions is a kernel that runs on chunks in several threads. The sums of the chunks are added in order,
so the result does not depend on the number of threads. A pass for a rare group visits only the decisions where the
group occurs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games.features import Array, Column
from montego.kernels import index, kernel
from montego.learning.decisions import Decisions, mark_decisions
from montego.weights import strengths

_CHUNK = 1 << 14  # decisions that one call of a kernel visits
_NEARLY_ALL = 0.9  # a group in more than this share of the decisions is not rare


class Fit(NamedTuple):
    """Weights and how they were found; also the state from which training can go on.

    ``gammas`` has an array for each group, in the order of the columns; entry i is the γ of feature i, entry 0 is 1.
    ``objectives`` has for each sweep the objective before it: the mean over the decisions of the log-likelihood with
    the log-prior.
    """

    gammas: tuple[Array, ...]
    sweeps: int = 0
    objectives: tuple[float, ...] = ()
    converged: bool = False


class Training(NamedTuple):
    """Settings: strength of the prior, when to stop, and threads (0 means one per core).

    ``groups`` are the places of the groups whose γ are found; those of the others stay as they are. None means all.
    """

    prior: float = 1.0
    sweeps: int = 100
    tolerance: float = 1e-5
    threads: int = 0
    chunk: int = _CHUNK
    groups: tuple[int, ...] | None = None


def untrained(columns: Sequence[Column]) -> Fit:
    """Return the weights before any training, all 1."""
    return Fit(tuple(np.ones(group.size + 1) for column in columns for group in column.groups))


def train(
    decisions: Decisions,
    columns: Sequence[Column],
    settings: Training | None = None,
    start: Fit | None = None,
    progress: Callable[[Fit], None] | None = None,
) -> Fit:
    """Return the weights of greatest posterior probability.

    Training ends after ``settings.sweeps`` sweeps over all groups, those of ``start`` included, or when a sweep has
    raised the objective by less than ``settings.tolerance``. ``progress`` sees the state after each sweep; an exception
    that it raises ends the training, and the last state that it saw can be given as ``start`` to go on as if nothing
    had happened.
    """
    decisions.check(columns)
    wanted, fit = settings or Training(), start or untrained(columns)
    _check(fit, columns, wanted)
    with _threads(wanted) as pool:
        trainer = _Trainer(decisions, columns, wanted, pool)
        while fit.sweeps < wanted.sweeps and not fit.converged:
            fit = trainer.sweep(fit)
            if progress:
                progress(fit)
    return fit


def _check(fit: Fit, columns: Sequence[Column], settings: Training) -> None:
    sizes = [group.size + 1 for column in columns for group in column.groups]
    if [len(gamma) for gamma in fit.gammas] != sizes:
        raise MontegoError(
            f"weights for groups of {[len(g) - 1 for g in fit.gammas]} features do not fit these columns"
        )
    if not all(np.isfinite(gamma).all() and (gamma >= 0).all() for gamma in fit.gammas):
        raise MontegoError("damaged weights: every γ must be a number of at least 0")
    if settings.prior < 0 or settings.chunk < 1 or settings.threads < 0:
        raise MontegoError("prior and threads must be at least 0, and chunk at least 1")
    if settings.groups is not None and (
        not settings.groups or not all(0 <= place < len(sizes) for place in settings.groups)
    ):
        raise MontegoError(f"groups to train must be some of 0 to {len(sizes) - 1}, not {settings.groups}")


@contextmanager
def _threads(settings: Training) -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(settings.threads or os.cpu_count() or 1) as pool:
        yield pool


class _Step(NamedTuple):
    """What the step of one group needs: its place among all, its column, the feature that each value of the column has,
    how often each feature won, and the decisions to visit: those that the group occurs in, or all for the first."""

    place: int
    column: int
    features: Array
    wins: Array
    visited: Array


class _Trainer:
    """The decisions with all that does not change from sweep to sweep."""

    def __init__(
        self, decisions: Decisions, columns: Sequence[Column], settings: Training, pool: ThreadPoolExecutor
    ) -> None:
        self.decisions, self.columns, self.settings, self.pool = decisions, columns, settings, pool
        self.won = decisions.won_values()
        self.everywhere = np.arange(decisions.size, dtype=np.int32)
        self.longest = int(np.diff(decisions.starts).max())
        self.steps: list[_Step] = []
        place = -1
        for number, column in enumerate(columns):
            for at, group in enumerate(column.groups):
                place += 1
                if settings.groups is None or place in settings.groups:
                    won = np.bincount(column.features[self.won[:, number], at], minlength=group.size + 1)
                    visited = self._decisions_with(number, at) if self.steps else self.everywhere
                    self.steps.append(_Step(place, number, column.features[:, at], won.astype(np.float64), visited))

    def _decisions_with(self, column: int, place: int) -> Array:
        """Return the decisions where a group occurs, or all of them if it is not rare."""
        marks = np.zeros(self.decisions.size, np.bool_)
        mark_decisions(self.decisions, column, self.columns[column].features[:, place] != 0, marks)
        return self.everywhere if marks.mean() > _NEARLY_ALL else np.flatnonzero(marks).astype(np.int32)

    def sweep(self, fit: Fit) -> Fit:
        """Return the state after a step for each group in turn, or the same weights if the last sweep gained little."""
        gammas = [gamma.copy() for gamma in fit.gammas]
        table = strengths(self.columns, gammas)
        objectives = fit.objectives
        for step in self.steps:
            expected, log_sums = self._expected_wins(step.visited, table, step.column, len(step.features))
            if step is self.steps[0]:
                objectives = (*objectives, self._objective(gammas, table, log_sums))
                if len(objectives) > 1 and objectives[-1] - objectives[-2] < self.settings.tolerance:
                    return Fit(fit.gammas, fit.sweeps, objectives, converged=True)
            gammas[step.place] = self._stepped(gammas[step.place], step, expected)
            table = strengths(self.columns, gammas)
        return Fit(tuple(gammas), fit.sweeps + 1, objectives)

    def _expected_wins(self, visited: Array, table: Array, column: int, size: int) -> tuple[Array, float]:
        """Return how often each value of a column is expected to win, and the sum of log E over the decisions."""

        def chunk(begin: int) -> tuple[Array, float]:
            wins = np.zeros(size)
            weights = np.zeros(self.longest)
            part = visited[begin : begin + self.settings.chunk]
            return wins, add_expected_wins(self.decisions, part, table, column, wins, weights)

        total, log_sums = np.zeros(size), 0.0
        for wins, log_sum in self.pool.map(chunk, range(0, len(visited), self.settings.chunk)):
            total += wins
            log_sums += log_sum
        return total, log_sums

    def _stepped(self, gamma: Array, step: _Step, expected: Array) -> Array:
        """Return the new γ of one group; a feature without wins, expectation and prior keeps its own."""
        prior = self.settings.prior
        expected_of_feature = np.bincount(step.features, weights=expected, minlength=len(gamma))
        below = expected_of_feature + 2 * prior * gamma / (gamma + 1)
        new = np.where(below > 0, gamma * (step.wins + prior) / np.where(below > 0, below, 1), gamma)
        new[0] = 1.0
        return new

    def _objective(self, gammas: Sequence[Array], table: Array, log_sums: float) -> float:
        """Return the log-likelihood with the log-prior, per decision."""
        chosen = np.ones(self.decisions.size)
        for number in range(len(self.columns)):
            chosen *= table[number, self.won[:, number]]
        with np.errstate(divide="ignore"):
            total = float(np.log(chosen).sum()) - log_sums
            if self.settings.prior:
                for gamma in gammas:
                    total += self.settings.prior * float((np.log(gamma[1:]) - 2 * np.log1p(gamma[1:])).sum())
        return total / self.decisions.size


@kernel
def add_expected_wins(decisions, visited, table, column, wins, weights):
    """Add to ``wins`` how often each value of a column is expected to win the visited decisions; return Σ log E.

    ``table`` has the strength of each value of each column; ``weights`` is room for the rows of one decision.
    """
    values, counts, starts = decisions.values, decisions.counts, decisions.starts
    log_sum = 0.0
    for place in range(len(visited)):
        first = index(starts[visited[place]])
        rows = index(starts[visited[place] + 1]) - first
        total = 0.0
        for row in range(rows):
            weight = np.float64(counts[first + row])
            for number in range(values.shape[1]):
                weight *= table[index(number), values[first + row, index(number)]]
            weights[row] = weight
            total += weight
        log_sum += np.log(total)
        share = 1 / total
        for row in range(rows):
            wins[values[first + row, index(column)]] += weights[row] * share
    return log_sum
