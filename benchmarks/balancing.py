"""The optimisers of simulation balancing: error against playouts, for docs/results/trained-playouts.md.

    python benchmarks/balancing.py POSITIONS.npz [--seeds 3] [--iterations 25] [--chart FILE.svg] [--out
    results/balancing.json]

Both optimisers start from equal weights and learn from the same positions; every fifth is held out. The adaptive one is
run with several lengths, as its steps depend on the length of the whole run. A run that is already in the JSON file is
not repeated. The errors are those of held-out positions, what chance adds taken out.
"""

import json
from pathlib import Path
from typing import Any

import click
import numpy as np

from montego.charts import Chart, Series
from montego.learning.balancing.positions import load
from montego.learning.balancing.trainer import Balancer, Settings, roots_of

LENGTHS = (4, 8, 16, 32)  # iterations of the adaptive optimiser
MEASURED = 400  # playouts of each held-out position


def runs(iterations: int, rates: tuple[float, ...], seeds: int) -> dict[str, Settings]:
    """Return every run by its name."""
    found = {}
    for seed in range(1, seeds + 1):
        for rate in rates:
            found[f"paper α={rate:g} seed={seed}"] = Settings("paper", iterations, rate=rate, seed=seed)
        for length in LENGTHS:
            found[f"adaptive {length} seed={seed}"] = Settings("adaptive", length, seed=seed)
    return found


def measured(positions: Any, settings: Settings) -> list[tuple[int, float]]:
    """Return (playouts, held-out error) in the course of a run; of an adaptive run only the end is meant to be used."""
    learnt, tested = (roots_of(part) for part in positions.held_out(5))
    with Balancer(positions.game, settings) as balancer:
        points = [(0, balancer.error(balancer.start, tested, MEASURED))]
        for state in balancer.train(learnt):
            last = state.iterations == settings.iterations
            if last or (settings.optimiser == "paper" and state.iterations % 2 == 0):
                points.append((state.playouts, balancer.error(balancer.result(state), tested, MEASURED)))
        return points


@click.command()
@click.argument("source", metavar="POSITIONS.npz")
@click.option("--seeds", default=3, show_default=True)
@click.option("--iterations", default=25, show_default=True, help="Of Algorithm 1.")
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
        playouts, error = done[name][-1]
        click.echo(f"{name}: {error:.4f} after {playouts:,} playouts (before: {done[name][0][1]:.4f})")
    if picture:
        picture.write_text(drawn(done, str(positions.game)))


def drawn(done: dict[str, list[tuple[int, float]]], game: str) -> str:
    """Return the errors as a chart, each the mean over the seeds."""
    series = []
    for label in dict.fromkeys(name.partition(" seed")[0] for name in done if name.startswith("paper")):
        curves = np.array([points for name, points in done.items() if name.startswith(label + " seed")])
        series.append(Series(f"Algorithm 1, {label[6:]}", [(x / 1000, y) for x, y in curves.mean(axis=0)], dots=True))
    ends = {}
    for name, points in done.items():
        if name.startswith("adaptive"):
            ends.setdefault(points[-1][0], []).append(points[-1][1])
    start = np.mean([points[0][1] for points in done.values()])
    points = [(0.0, float(start)), *((x / 1000, float(np.mean(ys))) for x, ys in sorted(ends.items()))]
    series.append(Series("adaptive", points, dots=True))
    axes = ("thousands of playouts", "mean squared error, held out")
    return Chart(f"Simulation balancing, {game}", *axes, series).svg()


if __name__ == "__main__":
    main()
