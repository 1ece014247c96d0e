"""How the next setting to be tried is chosen from the results so far.

A method is a pure function of the results it is shown and of a random stream of its own for each pair of games. So a
run that is resumed chooses the same settings, whichever worker finishes when.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from montego.arena.tuning.regression import Array, Games, LocalFit, fit_locally
from montego.arena.tuning.space import Space
from montego.errors import MontegoError, nearest

_GRID = 64  # points of a coordinate among which one is drawn
_SWEEPS = 3  # over the coordinates
_LEAST = 0.02  # share of settings that are drawn from the whole space, whatever was found


class Method(Protocol):
    """A way to choose settings."""

    def propose(self, played: Games, rng: np.random.Generator) -> Array:
        """Return the coordinates of the next setting to try."""


class RandomSearch:
    """Settings drawn evenly from the whole space, whatever the results are: the baseline."""

    def __init__(self, space: Space) -> None:
        self.space = space

    def propose(self, played: Games, rng: np.random.Generator) -> Array:
        return self.space.random(rng)


class Clop:
    """Settings drawn by their weight in the local regression: where the best one may still be."""

    def __init__(self, space: Space) -> None:
        self.space = space

    def propose(self, played: Games, rng: np.random.Generator) -> Array:
        row = self.space.random(rng)
        if not len(played) or rng.random() < _LEAST:
            return row
        found = fit_locally(self.space.shape, played)
        row = played.coordinates[rng.choice(len(played), p=found.weights / found.weights.sum())].copy()
        for _ in range(_SWEEPS):
            row = self._sweep(row, found, rng)
        return row

    def _sweep(self, row: Array, found: LocalFit, rng: np.random.Generator) -> Array:
        """Draw one coordinate after the other by the weight that the setting would have (Gibbs sampling)."""
        blocks = self.space.blocks()
        for column in range(len(self.space.numbers)):
            rows = np.repeat(row[None], _GRID, axis=0)
            rows[:, column] = -1.0 + 2.0 * (np.arange(_GRID) + rng.random(_GRID)) / _GRID
            row = _drawn(rows, found, rng)
        for block in blocks:
            rows = np.repeat(row[None], block.stop - block.start, axis=0)
            rows[:, block] = np.eye(block.stop - block.start)
            row = _drawn(rows, found, rng)
        return row


def _drawn(rows: Array, found: LocalFit, rng: np.random.Generator) -> Array:
    weights = found.weight(rows) + 1e-300
    return np.asarray(rows[rng.choice(len(rows), p=weights / weights.sum())], np.float64)


class Tpe:
    """Optuna's tree-structured Parzen estimator: settings that are likelier among the good results than the others."""

    def __init__(self, space: Space) -> None:
        self.space = space
        try:
            self._optuna: Any = import_module("optuna")
        except ImportError:
            raise MontegoError(
                "the method 'tpe' needs Optuna, which is not installed: pip install 'montego[lab]'"
            ) from None
        self._optuna.logging.set_verbosity(self._optuna.logging.ERROR)
        self._study: Any = self._optuna.create_study(direction="maximize")
        self._shown = 0  # pairs that the study knows
        distributions = self._optuna.distributions
        self._ranges: dict[str, Any] = {n.path: distributions.FloatDistribution(-1.0, 1.0) for n in space.numbers}
        for choice in space.choices:
            self._ranges[choice.path] = distributions.CategoricalDistribution(choice.values)

    def propose(self, played: Games, rng: np.random.Generator) -> Array:
        for pair in range(self._shown, len(played)):
            values = self.space.values(played.coordinates[pair])
            tried: dict[str, Any] = {choice.path: values[choice.path] for choice in self.space.choices}
            for column, number in enumerate(self.space.numbers):
                tried[number.path] = float(np.clip(played.coordinates[pair, column], -1.0, 1.0))
            rate = float(played.points[pair] / played.games[pair])
            create = self._optuna.trial.create_trial
            self._study.add_trial(create(params=tried, distributions=self._ranges, value=rate))
        self._shown = len(played)
        self._study.sampler = self._optuna.samplers.TPESampler(
            seed=int(rng.integers(2**32)), n_startup_trials=10 + 5 * len(self._ranges)
        )
        trial = self._study.ask(self._ranges)
        self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)  # its result comes by add_trial, in order
        row = np.zeros(self.space.shape.columns)
        for column, number in enumerate(self.space.numbers):
            row[column] = trial.params[number.path]
        for block, choice in zip(self.space.blocks(), self.space.choices, strict=True):
            row[block.start + choice.values.index(trial.params[choice.path])] = 1.0
        return row


METHODS: dict[str, Callable[[Space], Method]] = {"clop": Clop, "tpe": Tpe, "random": RandomSearch}


def make_method(name: str, space: Space) -> Method:
    """Return a method by its name."""
    if name not in METHODS:
        raise MontegoError(f"unknown method '{name}'{nearest(name, list(METHODS))}")
    return METHODS[name](space)
