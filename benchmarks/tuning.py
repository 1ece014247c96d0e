"""Compare the methods of montego tune on problems with a known answer: how much they lose after how many games.

A function says the log-odds of winning by the setting, and games are drawn from it. Prints the tables of
docs/results/tuning.md and draws their chart: python benchmarks/tuning.py [--seeds N] [--games 100,300] [--plot FILE]
"""

import argparse
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from montego.arena.tuning.estimate import estimate
from montego.arena.tuning.methods import make_method
from montego.arena.tuning.regression import Games, rate
from montego.arena.tuning.space import Choice, Number, Space
from montego.charts import Chart, Series

AHEAD = 8  # pairs of games under way
PLAIN = "best mean"  # random settings, each played equally often; the one with the best score is taken
EACH = 20  # games of each of them


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
    """A smooth top inside, not a quadratic: flat far away, and steeper on one side."""
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


def _flat(x: np.ndarray) -> float:
    """Three numbers that hardly matter, as those of a player that is good already."""
    return -0.3 * (x[0] + 0.2) ** 2 - 0.15 * (x[1] - 0.3) ** 2 + 0.05 * x[2]


PROBLEMS = {
    problem.name: problem
    for problem in (
        Problem("peak", Space(None, numbers(2), ()), _peak, (0.3, -0.4)),
        Problem("edge", Space(None, numbers(2), ()), _edge, (-1.0, 0.2)),
        Problem("ridge", Space(None, numbers(4), ()), _ridge, (0.1, 0.1, -0.5, 0.0)),
        Problem("choice", Space(None, numbers(1), (Choice("kind", ("a", "b", "c")),)), _chosen, (-0.3, 0, 1, 0), 0.2),
        Problem("flat", Space(None, numbers(3), ()), _flat, (-0.2, 0.3, 1.0)),
    )
}


def regrets(problem: Problem, method: str, games: Sequence[int], seed: int) -> list[float]:
    """Return the regret of the estimated best setting after so many games, for each of the numbers of games."""
    if method == PLAIN:
        return [_plain_regret(problem, count, seed) for count in games]
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


def _plain_regret(problem: Problem, games: int, seed: int) -> float:
    """Return the regret of the random setting with the best mean, all of which have played equally many games."""
    rng = np.random.default_rng([seed, 3, games])
    rows = [problem.space.random(rng) for _ in range(max(2, games // EACH))]
    points = [sum(problem.play(row, rng) for _ in range(games // len(rows) // 2)) for row in rows]
    return problem.regret(rows[int(np.argmax(points))])


def main() -> None:
    """Print a table per problem, and the mean over all of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--games", default="100,300,1000,2000", help="numbers of games, separated by commas")
    parser.add_argument("--methods", default=f"clop,tpe,random,{PLAIN}")
    parser.add_argument("--plot", type=Path, help="the chart of the means over all problems, as SVG")
    options = parser.parse_args()
    counts, methods = [int(count) for count in options.games.split(",")], options.methods.split(",")
    found: dict[str, list[np.ndarray]] = {method: [] for method in methods}
    for problem in PROBLEMS.values():
        print(f"\n### {problem.name}\n\n| method | {' | '.join(f'{count} games' for count in counts)} | s |")
        print(f"|---|{'---|' * (len(counts) + 1)}")
        for method in methods:
            began = time.process_time()
            lost = 100 * np.array([regrets(problem, method, counts, seed) for seed in range(options.seeds)])
            found[method].append(lost)
            cells = [
                f"{lost[:, k].mean():.1f} ({', '.join(f'{one:.1f}' for one in lost[:, k])})" for k in range(len(counts))
            ]
            seconds = (time.process_time() - began) / options.seeds
            print(f"| {method} | {' | '.join(cells)} | {seconds:.0f} |", flush=True)
    print(f"\n### All problems\n\n| method | {' | '.join(f'{count} games' for count in counts)} |")
    print(f"|---|{'---|' * len(counts)}")
    series = []
    for method, parts in found.items():
        means = np.mean(np.stack(parts), axis=(0, 1))
        spread = np.stack(parts).mean(axis=0).std(axis=0, ddof=1) / math.sqrt(options.seeds)
        print(f"| {method} | {' | '.join(f'{mean:.1f} ± {error:.1f}' for mean, error in zip(means, spread))} |")
        ends = [(mean - error, mean + error) for mean, error in zip(means.tolist(), spread.tolist())]
        series.append(Series(method, list(zip(map(float, counts), means.tolist())), dots=True, ends=ends))
    if options.plot:
        chart = Chart("Score lost against the best setting", "games", "regret, %", series, logarithmic=True)
        options.plot.write_text(chart.svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
