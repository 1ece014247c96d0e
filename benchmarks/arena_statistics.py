"""Measure by simulation how far the arena's intervals and its sequential test keep what they promise.

Prints the tables of docs/statistics.md: python benchmarks/arena_statistics.py [--matches N] [--seed S]
"""

import argparse
from collections.abc import Sequence

import numpy as np

from montego.arena.sequential import PAIR_RATES, Gsprt, log_likelihood_ratio
from montego.arena.statistics import expected_rate, summarize

PAIRS = [(0, 0), (0.5, 0), (1, 0), (1, 0.5), (1, 1)]


def two_games(first: float, second: float, draws: float = 0.0) -> np.ndarray:
    """Return the distribution of pair scores for two independent games with these mean scores."""
    one, two = (np.array([1 - rate - draws / 2, draws, rate - draws / 2]) for rate in (first, second))
    return np.convolve(one, two)


def repeated(rate: float) -> np.ndarray:
    """Return the distribution of pair scores where the second game always ends as the first did."""
    return np.array([1 - rate, 0, 0, 0, rate])


def decided_by_colour(rate: float) -> np.ndarray:
    """Return the distribution of pair scores where nearly all pairs end 1-1."""
    return np.array([0.02, 0, 0.96 - (2 * rate - 1), 0, 0.02 + 2 * rate - 1])


def coverages(probabilities: np.ndarray, pairs: int, matches: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return the shares of matches whose Elo interval and whose Wilson interval hold the truth."""
    truth = float(probabilities @ PAIR_RATES)
    elo_covered = rate_covered = 0
    for counts, times in zip(*np.unique(rng.multinomial(pairs, probabilities, matches), axis=0, return_counts=True)):
        summary = summarize([pair for pair, count in zip(PAIRS, counts) for _ in range(count)])
        low, high = (expected_rate(end) for end in summary.elo_interval)
        elo_covered += times * (low <= truth <= high)
        rate_covered += times * (summary.rate_interval[0] <= truth <= summary.rate_interval[1])
    return elo_covered / matches, rate_covered / matches


def errors(test: Gsprt, probabilities: np.ndarray, matches: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return the share of matches that end with H1, and their mean number of pairs."""
    observed = np.zeros((matches, 5))
    running = np.arange(matches)
    accepted = pairs = 0
    while len(running):
        pairs += len(running)
        observed[running, rng.choice(5, size=len(running), p=probabilities)] += 1
        ratio = log_likelihood_ratio(observed[running], test.elo0, test.elo1)
        accepted += int((ratio >= test.upper).sum())
        running = running[(ratio > test.lower) & (ratio < test.upper)]
    return accepted / matches, pairs / matches


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows])


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    lengths = (5, 10, 20, 50, 100, 400)
    rows = []
    for name, probabilities in (
        ("even, independent games", two_games(0.5, 0.5)),
        ("80 %, independent games", two_games(0.8, 0.8)),
        ("95 %, independent games", two_games(0.95, 0.95)),
        ("60 % drawn", two_games(0.58, 0.58, draws=0.6)),
        ("86 % drawn", two_games(0.55, 0.55, draws=0.86)),
        ("90 % with one colour, 20 % with the other", two_games(0.9, 0.2)),
        ("60 %, each game played twice", repeated(0.6)),
    ):
        found = [coverages(probabilities, pairs, arguments.matches, rng) for pairs in lengths]
        rows.append([name, *(f"{100 * elo:.1f} / {100 * rate:.1f}" for elo, rate in found)])
    print(table(["match", *(f"{pairs} pairs" for pairs in lengths)], rows), end="\n\n", flush=True)
    rows = []
    for elo1 in (30, 60, 100, 200):
        test = Gsprt(0, elo1)
        for name, family in (
            ("independent", lambda rate: two_games(rate, rate)),
            ("45 % drawn", lambda rate: two_games(rate, rate, draws=0.45)),
            ("colours ±35 %", lambda rate: two_games(min(rate + 0.35, 1), rate - 0.35 + max(0, rate - 0.65))),
            ("96 % of pairs 1-1", decided_by_colour),
            ("played twice", repeated),
        ):
            false_h1, pairs0 = errors(test, family(0.5), arguments.matches, rng)
            true_h1, pairs1 = errors(test, family(expected_rate(elo1)), arguments.matches, rng)
            expected = [
                test.expected_pairs(elo, float(family(rate) @ (PAIR_RATES - rate) ** 2))
                for elo, rate in ((0, 0.5), (elo1, expected_rate(elo1)))
            ]
            rows.append(
                [f"0, {elo1}", name, f"{100 * false_h1:.1f}", f"{100 * (1 - true_h1):.1f}"]
                + [f"{pairs:.0f} ({formula:.0f})" for pairs, formula in zip((pairs0, pairs1), expected)]
            )
    print(table(["elo0, elo1", "pairs", "false H1 %", "false H0 %", "pairs under H0", "pairs under H1"], rows))


if __name__ == "__main__":
    main()
