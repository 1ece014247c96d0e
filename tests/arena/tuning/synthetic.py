"""Tuning problems with a known answer: a function says the log-odds of winning, and games are drawn from it.

benchmarks/tuning.py compares the methods on them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from montego.arena.tuning.estimate import estimate
from montego.arena.tuning.methods import make_method
from montego.arena.tuning.regression import Games, rate
from montego.arena.tuning.space import Choice, Number, Space

AHEAD = 8  # pairs of games under way


@dataclass(frozen=True)
class Problem:
    """A strength by coordinates (-1 to 1), greatest at ``best``; ``draws`` is the share of drawn games."""

    name: str
    space: Space
    log_odds: Callable[[np.ndarray], float]
    best: tuple[float, ...]
    draws: float = 0.0

    def regret(self, row: np.ndarray) -> float:
        """Return how much of the score a setting loses against the best one."""
        return float(rate(self.log_odds(np.array(self.best))) - rate(self.log_odds(row)))

    def play(self, row: np.ndarray, rng: np.random.Generator) -> float:
        """Return the points of a pair of games, of which one colour wins more easily."""
        points = 0.0
        for colour in (0.3, -0.3):
            expected = float(rate(self.log_odds(row) + colour))
            drawn = min(self.draws, 2 * expected, 2 - 2 * expected)
            chance = rng.random()
            points += 0.5 if chance < drawn else float(chance < drawn + (expected - drawn / 2))
        return points


def numbers(count: int) -> tuple[Number, ...]:
    """Return parameters from 0 to 1."""
    return tuple(Number(f"x{place}", 0.0, 1.0, False) for place in range(count))


def _peak(x: np.ndarray) -> float:
    """A smooth top inside, 250 Elo above the worst corner, not a quadratic: steeper on one side."""
    d = x[:2] - np.array([0.3, -0.4])
    return 0.5 - 2.2 * (1 - np.exp(-1.2 * d[0] ** 2 - 0.8 * d[1] ** 2 * (1.6 if d[1] < 0 else 0.7)))


def _edge(x: np.ndarray) -> float:
    """The best value of the first number is at the end of its range, as c = 0 with RAVE."""
    return 0.2 - 0.7 * (x[0] + 1) - 0.6 * (x[1] - 0.2) ** 2


def _ridge(x: np.ndarray) -> float:
    """Four numbers, two of which make up for each other."""
    return 0.4 - 1.5 * (x[0] + x[1] - 0.2) ** 2 - 0.3 * (x[0] - x[1]) ** 2 - 0.5 * (x[2] + 0.5) ** 2 - 0.1 * x[3] ** 2


def _chosen(x: np.ndarray) -> float:
    """A number and a choice of three."""
    return 0.3 - 0.9 * (x[0] + 0.3) ** 2 + float(x[1:] @ np.array([-0.5, 0.0, -0.2]))


PROBLEMS = {
    problem.name: problem
    for problem in (
        Problem("peak", Space(None, numbers(2), ()), _peak, (0.3, -0.4)),
        Problem("edge", Space(None, numbers(2), ()), _edge, (-1.0, 0.2)),
        Problem("ridge", Space(None, numbers(4), ()), _ridge, (0.1, 0.1, -0.5, 0.0)),
        Problem("choice", Space(None, numbers(1), (Choice("kind", ("a", "b", "c")),)), _chosen, (-0.3, 0, 1, 0), 0.2),
    )
}


def regrets(problem: Problem, method: str, games: tuple[int, ...], seed: int) -> list[float]:
    """Return the regret of the estimated best setting after so many games, for each of the numbers of games."""
    chooser, chance = make_method(method, problem.space), np.random.default_rng([seed, 1])
    rows = np.zeros((games[-1] // 2, problem.space.shape.columns))
    points = np.zeros(len(rows))
    played = Games(rows, points, np.full(len(rows), 2.0))
    found = []
    for pair in range(len(rows)):
        rows[pair] = chooser.propose(played.first(max(0, pair - AHEAD + 1)), np.random.default_rng([seed, 2, pair]))
        points[pair] = problem.play(rows[pair], chance)
        if 2 * (pair + 1) in games:
            found.append(problem.regret(estimate(problem.space, played.first(pair + 1)).row))
    return found
