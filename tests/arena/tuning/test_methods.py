"""The methods on problems with a known answer: they lose less than random search, and choose by results alone."""

import sys

import numpy as np
import pytest

from benchmarks.tuning import PLAIN, PROBLEMS, regrets
from montego.arena.tuning.methods import METHODS, make_method
from montego.arena.tuning.regression import Games
from montego.errors import MontegoError


@pytest.mark.parametrize("method", ["clop", pytest.param("tpe", marks=pytest.mark.slow)])
def test_less_regret_than_random_search(method: str) -> None:
    """Three seeds on three problems, 600 games each, against random settings of which the best mean is taken.

    The seeds are fixed; docs/results/tuning.md has the same comparison with more of them.
    """
    lost, baseline = [], []
    for name in ("peak", "ridge", "choice"):
        for seed in range(3):
            lost += regrets(PROBLEMS[name], method, (600,), seed)
            baseline += regrets(PROBLEMS[name], PLAIN, (600,), seed)
    assert np.mean(lost) < 0.75 * np.mean(baseline)
    assert np.mean(lost) < 0.05
    assert min(lost) >= 0


@pytest.mark.parametrize("method", list(METHODS))
def test_the_next_setting_follows_from_the_results_alone(method: str) -> None:
    """One that has seen the results grow, and one that sees them for the first time, choose alike."""
    problem, rng = PROBLEMS["choice"], np.random.default_rng(1)
    rows = np.array([problem.space.random(rng) for _ in range(60)])
    played = Games(rows, np.array([problem.play(row, rng) for row in rows]), np.full(60, 2.0))
    old = make_method(method, problem.space)
    for pairs in (0, 1, 30, 59):
        old.propose(played.first(pairs), np.random.default_rng(pairs))
    for seed in range(5):
        new = make_method(method, problem.space)
        chosen = [one.propose(played, np.random.default_rng(seed)) for one in (old, new)]
        assert np.array_equal(*chosen)
        assert chosen[0][1:].sum() == 1
        assert -1 <= chosen[0][0] <= 1


def test_unknown_methods_and_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    space = PROBLEMS["peak"].space
    with pytest.raises(MontegoError, match="unknown method 'clopp'; did you mean 'clop'"):
        make_method("clopp", space)
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(MontegoError, match="needs Optuna, which is not installed: pip install"):
        make_method("tpe", space)
