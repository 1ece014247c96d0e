"""The optimisers of simulation balancing: error against playouts, for docs/results/trained-playouts.md.

    python benchmarks/balancing.py TRAINING.npz VALIDATION.npz TEST.npz [--start go-playout] [--seeds 3] [--passes 2]
    [--chart FILE.svg] [--out results/balancing.json]

The three sets come from different games (``montego train positions`` with other seeds). Both optimisers start from
the same weights, by default equal ones, and learn from the first set. Algorithm 1 runs with the paper's α and with the
one of the smallest error on the second set with the first seed; the third set is only looked at to report. A run that
is already in the JSON file is not repeated. Errors are those of the mean outcome of ``MEASURED`` playouts of each
position, what chance adds taken out.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np

from montego.charts import Chart, Series
from montego.learning.balancing.positions import load
from montego.learning.balancing.trainer import Balancer, Root, Settings, State, roots_of
from montego.weights import load as load_weights

MEASURED = 100  # playouts of each position when an error is measured
POINTS = 2  # errors of Algorithm 1 in one pass over the training set
PUBLISHED = 10.0  # α of the paper
BUDGETS = ((1, 32), (2, 32), (4, 32), (8, 32))  # passes and playouts of the adaptive optimiser

Curve = list[tuple[int, float, float]]  # playouts, error on the validation and on the test set


def paper_states(balancer: Balancer, roots: list[Root], passes: int) -> Iterator[State]:
    """Yield the states of Algorithm 1 several times in each pass over the positions."""
    state = balancer.fresh()
    yield state
    order = np.random.default_rng(balancer.settings.seed).permutation(len(roots))
    for _ in range(passes):
        for part in np.array_split(order, POINTS):
            state = next(balancer.train([roots[number] for number in part], state))
            yield state


def adaptive_states(balancer: Balancer, roots: list[Root]) -> Iterator[State]:
    """Yield the state after an adaptive training, which plans its steps for a number of passes."""
    yield balancer.fresh()
    *_, last = balancer.train(roots)
    yield last


def measured(sets: list[list[Root]], game: Any, settings: Settings, gammas: list[Any] | None) -> Curve:
    """Run an optimiser and return its errors on the way."""
    training, *others = sets
    with Balancer(game, settings, gammas) as balancer:
        if settings.optimiser == "paper":
            states = paper_states(balancer, training, settings.iterations // POINTS)
        else:
            states = adaptive_states(balancer, training)
        curve = []
        for state in states:
            theta = balancer.result(state) if state.iterations else balancer.start
            errors = [balancer.error(theta, roots, MEASURED) for roots in others]
            curve.append((state.playouts, errors[0], errors[1]))
        return curve


class Store:
    """Finished runs in a JSON file."""

    def __init__(self, path: Path, sets: list[list[Root]], game: Any, start: str) -> None:
        self.path, self.sets, self.game, self.start = path, sets, game, start
        self.gammas = list(load_weights(start).gammas) if start else None
        self.runs: dict[str, Curve] = json.loads(path.read_text()) if path.exists() else {}

    def run(self, name: str, settings: Settings) -> Curve:
        """Return the errors of a run, which is made if it is not there yet."""
        name = f"{name} start={self.start} seed={settings.seed}"
        if name not in self.runs:
            self.runs[name] = measured(self.sets, self.game, settings, self.gammas)
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps(self.runs))
        playouts, validation, test = self.runs[name][-1]
        click.echo(f"{name}: {playouts:,} playouts, validation {validation:.4f}, test {test:.4f}")
        return self.runs[name]


def summary(curves: list[Curve]) -> list[tuple[int, float, float]]:
    """Return playouts, the mean test error over the seeds and its standard error, at each point."""
    tests = np.array([[point[2] for point in curve] for curve in curves])
    errors = tests.std(axis=0, ddof=1) / np.sqrt(len(tests)) if len(tests) > 1 else np.zeros(tests.shape[1])
    playouts = [point[0] for point in curves[0]]
    return list(zip(playouts, tests.mean(axis=0).tolist(), errors.tolist(), strict=True))


def _series(label: str, rows: list[tuple[int, float, float]]) -> Series:
    """Return the errors of an optimiser for a chart, with one standard error of the mean over the seeds."""
    points = [(count / 1000, mean) for count, mean, _ in rows]
    return Series(label, points, dots=True, ends=[(mean - error, mean + error) for _, mean, error in rows])


@click.command()
@click.argument("training", metavar="TRAINING.npz")
@click.argument("validation", metavar="VALIDATION.npz")
@click.argument("test", metavar="TEST.npz")
@click.option("--start", default="", help="Weights to start from; left out: all equal.")
@click.option("--seeds", default=3, show_default=True)
@click.option("--passes", default=2, show_default=True, help="Of Algorithm 1 over the training set.")
@click.option("--playouts", default=100, show_default=True, help="M and N of Algorithm 1.")
@click.option(
    "--rate",
    "rates",
    multiple=True,
    type=float,
    default=(PUBLISHED, 30.0, 100.0),
    show_default=True,
    help="α to choose from.",
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("results/balancing.json"), show_default=True)
@click.option("--chart", "picture", type=click.Path(path_type=Path), help="Draw the errors.")
def main(
    training: str,
    validation: str,
    test: str,
    start: str,
    seeds: int,
    passes: int,
    playouts: int,
    rates: tuple[float, ...],
    out: Path,
    picture: Path | None,
) -> None:
    """Run both optimisers and print the errors."""
    parts = [load(source) for source in (training, validation, test)]
    store = Store(out, [roots_of(part) for part in parts], parts[0].game, start)

    def paper(rate: float, seed: int) -> Curve:
        settings = Settings("paper", POINTS * passes, playouts, playouts, rate, seed=seed)
        return store.run(f"Algorithm 1, M=N={playouts}, α={rate:g}", settings)

    best = min(rates, key=lambda rate: paper(rate, 1)[-1][1])
    theirs = {
        rate: summary([paper(rate, seed) for seed in range(1, seeds + 1)]) for rate in dict.fromkeys((PUBLISHED, best))
    }
    ours = []
    for iterations, count in BUDGETS:
        settings = Settings("adaptive", iterations, playouts=count)
        name = f"adaptive, {iterations} × {count}"
        curves = [store.run(name, settings._replace(seed=seed)) for seed in range(1, seeds + 1)]
        ours.append(summary(curves)[-1])
    click.echo("\n| optimiser | playouts | test error |\n|---|---:|---:|")
    labelled = {**{f"Algorithm 1, α = {rate:g}": rows for rate, rows in theirs.items()}, "adaptive": ours}
    for label, rows in labelled.items():
        for count, mean, error in rows:
            click.echo(f"| {label} | {count:,} | {mean:.4f} ± {error:.4f} |")
    if picture:
        series = [_series(label, [row for row in rows if row[0]]) for label, rows in labelled.items()]
        title = f"Simulation balancing, {parts[0].game}"
        picture.write_text(Chart(title, "thousands of playouts", "mean squared error, test set", series).svg())


if __name__ == "__main__":
    main()
