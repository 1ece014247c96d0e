"""The optimisers of simulation balancing: error against playouts, for docs/results/trained-playouts.md.

    python benchmarks/balancing.py POSITIONS.npz [--seeds 3] [--iterations 6] [--chart FILE.svg] [--out
    results/balancing.json]

Both optimisers start from equal weights and learn from the same positions; every fifth is held out. The adaptive one is
run with several numbers of playouts. A run that is already in the JSON file is not repeated. The errors are those of
held-out positions and of as many training positions, what chance adds taken out.
"""

import json
from pathlib import Path
from typing import Any

import click
import numpy as np

from montego.charts import Series, chart
from montego.learning.balancing.positions import load
from montego.learning.balancing.trainer import Balancer, Settings, roots_of

SIZES = (16, 32, 64)  # playouts of a position in a step of the adaptive optimiser
MEASURED = 200  # playouts of each held-out position


def runs(iterations: int, rates: tuple[float, ...], seeds: int) -> dict[str, Settings]:
    """Return every run by its name."""
    found = {}
    for seed in range(1, seeds + 1):
        for rate in rates:
            found[f"paper α={rate:g} seed={seed}"] = Settings("paper", iterations, rate=rate, seed=seed)
        for size in SIZES:
            found[f"adaptive n={size} seed={seed}"] = Settings("adaptive", playouts=size, seed=seed)
    return found


def measured(positions: Any, settings: Settings) -> list[tuple[int, float, float]]:
    """Return (playouts, held-out error, training error) after each iteration, of an adaptive run only at its end."""
    learnt, tested = (roots_of(part) for part in positions.held_out(5))
    sample = learnt[: len(tested)]
    with Balancer(positions.game, settings) as balancer:
        points = []
        for state in (balancer.fresh(), *balancer.train(learnt)):
            if settings.optimiser == "paper" or state.iterations in (0, settings.iterations):
                theta = balancer.start if state.iterations == 0 else balancer.result(state)
                errors = [balancer.error(theta, roots, MEASURED) for roots in (tested, sample)]
                points.append((state.playouts, errors[0], errors[1]))
        return points


@click.command()
@click.argument("source", metavar="POSITIONS.npz")
@click.option("--seeds", default=3, show_default=True)
@click.option("--iterations", default=6, show_default=True, help="Of Algorithm 1.")
@click.option(
    "--rate", "rates", multiple=True, type=float, default=(10.0,), show_default=True, help="α of Algorithm 1."
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("results/balancing.json"), show_default=True)
@click.option("--chart", "picture", type=click.Path(path_type=Path), help="Draw the errors.")
def main(source: str, seeds: int, iterations: int, rates: tuple[float, ...], out: Path, picture: Path | None) -> None:
    """Run both optimisers and print the errors."""
    positions = load(source)
    done = json.loads(out.read_text()) if out.exists() else {}
    for name, settings in runs(iterations, rates, seeds).items():
        if name not in done:
            done[name] = measured(positions, settings)
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(json.dumps(done))
        playouts, held_out, training = done[name][-1]
        click.echo(f"{name}: {playouts:,} playouts, held out {held_out:.4f}, training {training:.4f}")
    if picture:
        picture.write_text(drawn(done, str(positions.game)))


def drawn(done: dict[str, list[tuple[int, float, float]]], game: str) -> str:
    """Return the errors as a chart, each the mean over the seeds."""
    series = []
    for column, kind in ((1, "held out"), (2, "training")):
        runs_of: dict[str, list[list[tuple[float, float]]]] = {}
        for name, points in done.items():
            label = "adaptive" if name.startswith("adaptive") else f"Algorithm 1, {name.split()[1]}"
            runs_of.setdefault(label, []).append([(point[0] / 1000, point[column]) for point in points])
        for label, curves in runs_of.items():
            at: dict[float, list[float]] = {}
            for playouts, error in (point for curve in curves for point in curve):
                at.setdefault(playouts, []).append(error)
            means = [(playouts, float(np.mean(errors))) for playouts, errors in sorted(at.items())]
            series.append(Series(f"{label}, {kind}", means, dots=True))
    return chart(f"Simulation balancing, {game}", "thousands of playouts", "mean squared error", series)


if __name__ == "__main__":
    main()
