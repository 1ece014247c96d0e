"""Random playouts of Montego beside those of OpenSpiel's C++ ``MCTSBot``, on one core, in one run.

The two take turns within each row, and the best of several repeats counts for either: what another program on the
machine takes away is then taken from both. OpenSpiel's number is simulations per second of a search with one random
rollout each, from the start position: the plainest use of its C++ code.

    python benchmarks/playouts.py [--quick] [--json] [--only go]
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

import montego as mg
from montego.playouts import Sampler
from montego.rng import stream


@dataclass(frozen=True)
class Row:
    """One game, as both call it, and what is expected of it."""

    game: str
    openspiel: str | None
    target: float | None  # playouts a second
    target_ratio: float | None  # to OpenSpiel


ROWS = [
    Row("tictactoe", "tic_tac_toe", None, None),
    Row("go(size=9, komi=7.5)", "go(board_size=9,komi=7.5)", 120_000, 16),
    Row("go(size=19, komi=7.5)", "go(board_size=19,komi=7.5)", 28_000, 60),
    Row("hex(size=11)", "hex(board_size=11)", 1_200_000, 70),
    Row("y(size=11)", "y(board_size=11)", 1_500_000, 25),
    Row("blokus_duo", None, 30_000, None),
]


@dataclass(frozen=True)
class Result:
    """What was measured for one row; rates are per second."""

    game: str
    playouts_per_second: float
    openspiel_per_second: float | None
    ratio: float | None
    target: float | None
    target_ratio: float | None

    def met(self) -> bool | None:
        """Whether the targets are reached: the ratio where there is one, as it is what counts."""
        if self.target_ratio is not None and self.ratio is not None:
            return self.ratio >= self.target_ratio
        return None if self.target is None else self.playouts_per_second >= self.target


def montego_rate(spec: str, seed: int) -> Callable[[float], float]:
    """Return a function that plays for some seconds and returns playouts per second."""
    compile_first = [
        sys.executable,
        "-m",
        "montego.cli",
        "bench",
        "playouts",
        "--here",
        "--playouts",
        "1",
        "--game",
        spec,
    ]
    subprocess.run(compile_first, stdout=subprocess.DEVNULL, check=True)  # code from the cache is faster than new code
    game = mg.game(spec)
    sampler = Sampler(game, game.start().state, stream(seed))
    sampler.run(1)
    return lambda seconds: _rate(sampler.run, seconds)


def openspiel_rate(spec: str, seed: int) -> Callable[[float], float]:
    """Return a function that searches for some seconds and returns simulations per second."""
    game = pyspiel.load_game(spec)
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)

    def search(simulations: int) -> None:
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, seed, False)
        bot.mcts_search(state)

    return lambda seconds: _rate(search, seconds)


def _rate(run: Callable[[int], object], seconds: float) -> float:
    """Return how many units of work a second ``run(count)`` does, in one long call of about the given time."""
    count = 1
    while True:
        began = time.perf_counter()
        run(count)
        elapsed = time.perf_counter() - began
        if elapsed >= seconds / 2:
            return count / elapsed
        count = max(2 * count, int(count * min(100.0, seconds / max(elapsed, 1e-6))))


def measure(row: Row, seconds: float, repeats: int, seed: int) -> Result:
    """Let the two take turns and keep the best of each."""
    ours = montego_rate(row.game, seed)
    theirs = openspiel_rate(row.openspiel, seed) if row.openspiel else None
    best_ours, best_theirs = 0.0, 0.0
    for _ in range(repeats):
        best_ours = max(best_ours, ours(seconds))
        if theirs:
            best_theirs = max(best_theirs, theirs(seconds))
    reference = best_theirs if theirs else None
    ratio = best_ours / best_theirs if theirs else None
    return Result(row.game, best_ours, reference, ratio, row.target, row.target_ratio)


def show(results: list[Result]) -> None:
    """Print the table."""
    table = Table(title="Random playouts from the start, one core, best of the repeats")
    table.add_column("game", no_wrap=True)
    for heading in ("Montego /s", "target /s", "OpenSpiel /s", "ratio", "target ratio", "met"):
        table.add_column(heading, justify="right")
    for result in results:
        table.add_row(
            result.game,
            _number(result.playouts_per_second),
            _number(result.target),
            _number(result.openspiel_per_second),
            _number(result.ratio, 1),
            _number(result.target_ratio),
            {True: "yes", False: "no", None: ""}[result.met()],
        )
    Console(width=110).print(table)


def _number(value: float | None, digits: int = 0) -> str:
    return "" if value is None else f"{value:,.{digits}f}"


@click.command()
@click.option("--quick", is_flag=True, help="A rough look in a fraction of the time.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
@click.option("--only", metavar="TEXT", default="", help="Only the games whose spec starts with TEXT.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
def main(quick: bool, as_json: bool, only: str, seed: int) -> None:
    """Measure random playouts beside OpenSpiel's."""
    seconds, repeats = (0.15, 6) if quick else (0.15, 40)
    known = mg.GAMES.names()
    rows = [row for row in ROWS if row.game.partition("(")[0] in known and row.game.startswith(only)]
    results = []
    for row in rows:
        click.echo(f"measuring {row.game} ...", err=True)
        results.append(measure(row, seconds, repeats, seed))
    if as_json:
        click.echo(json.dumps([{**asdict(result), "met": result.met()} for result in results], indent=2))
    else:
        show(results)


if __name__ == "__main__":
    main()
