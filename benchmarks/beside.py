"""Measuring Montego beside OpenSpiel's C++ ``MCTSBot``, on one core, in one run.

The two take turns within each row, and the best of several repeats counts for either: what another program on the
machine takes away is then taken from both. OpenSpiel's number is simulations per second of a search with one random
rollout each, from the start position.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import click
import pyspiel
from rich.console import Console
from rich.table import Table

Rate = Callable[[], float]  # measures for a moment and returns units of work per second


@dataclass(frozen=True)
class Row:
    """One game, as both call it, and what is expected of it."""

    game: str
    openspiel: str | None
    target: float | None  # per second
    target_ratio: float | None  # to OpenSpiel


@dataclass(frozen=True)
class Result:
    """What was measured for one row; rates are per second."""

    game: str
    montego_per_second: float
    openspiel_per_second: float | None
    ratio: float | None
    target: float | None
    target_ratio: float | None

    def met(self) -> bool | None:
        """Whether the targets are reached: the ratio where there is one, as it is what counts."""
        if self.target_ratio is not None and self.ratio is not None:
            return self.ratio >= self.target_ratio
        return None if self.target is None else self.montego_per_second >= self.target


def openspiel_rate(spec: str, seed: int, seconds: float) -> Rate:
    """Return a function that searches for some seconds and returns simulations per second."""
    game = pyspiel.load_game(spec)
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)

    def search(simulations: int) -> None:
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, seed, False)
        bot.mcts_search(state)

    return lambda: rate(search, seconds)


def rate(run: Callable[[int], object], seconds: float) -> float:
    """Return how many units of work a second ``run(count)`` does, in one long call of about the given time."""
    count = 1
    while True:
        began = time.perf_counter()
        run(count)
        elapsed = time.perf_counter() - began
        if elapsed >= seconds / 2:
            return count / elapsed
        count = max(2 * count, int(count * min(100.0, seconds / max(elapsed, 1e-6))))


def compile_first(*words: str) -> None:
    """Run ``montego bench`` once in another process: code from the cache is faster than new code."""
    command = [sys.executable, "-m", "montego.cli", "bench", *words, "--here"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def measure(row: Row, ours: Rate, seconds: float, repeats: int, seed: int) -> Result:
    """Let the two take turns and keep the best of each."""
    theirs = openspiel_rate(row.openspiel, seed, seconds) if row.openspiel else None
    best_ours, best_theirs = 0.0, 0.0
    for _ in range(repeats):
        best_ours = max(best_ours, ours())
        if theirs:
            best_theirs = max(best_theirs, theirs())
    reference = best_theirs if theirs else None
    ratio = best_ours / best_theirs if theirs else None
    return Result(row.game, best_ours, reference, ratio, row.target, row.target_ratio)


def show(title: str, results: list[Result], as_json: bool) -> None:
    """Print the results as a table or as JSON."""
    if as_json:
        click.echo(json.dumps([{**asdict(result), "met": result.met()} for result in results], indent=2))
        return
    table = Table(title=title)
    table.add_column("game", no_wrap=True)
    for heading in ("Montego /s", "target /s", "OpenSpiel /s", "ratio", "target ratio", "met"):
        table.add_column(heading, justify="right")
    for result in results:
        table.add_row(
            result.game,
            number(result.montego_per_second),
            number(result.target),
            number(result.openspiel_per_second),
            number(result.ratio, 1),
            number(result.target_ratio, 1),
            {True: "yes", False: "no", None: ""}[result.met()],
        )
    Console(width=110).print(table)


def number(value: float | None, digits: int = 0) -> str:
    """Write a number for people."""
    return "" if value is None else f"{value:,.{digits}f}"
