"""Which playouts tell best who won? Positions of recorded games of Go: a table of docs/results/trained-playouts.md.

    python benchmarks/judgement.py GAMES.sgfs --playout softmax --playout "softmax(power=2)" [--positions 400]

A position in the second half of a game that was counted is played out many times. The share of playouts that Black wins
is a forecast of the recorded result. Its error is the Brier score, the mean of (forecast - result)²: 0 is perfect, 1/4
what a coin knows. Playouts of strong and of weak policies differ in how extreme their shares are, which a search does
not mind, so the second score is that of forecasts recalibrated by a logistic curve of two parameters. The last column
compares it with that of the first policy, position by position.
"""

import itertools
import re

import click
import numpy as np

import montego as mg
from montego.arena.markdown import table
from montego.games.position import Position
from montego.learning.records import RecordedGame, read_games

_COUNTED = re.compile(r"([BW])\+(\d+(?:\.\d*)?)")
_LEAST_MARGIN = 2.0  # area and territory scoring differ by a point
_LEAST_LENGTH = 40
_LEAST_FORECAST = 0.005


def drawn(record: RecordedGame, chance: np.random.Generator) -> tuple[Position, float] | None:
    """Return a position of a game and 1 if Black won it, 0 if White; None if the game does not serve."""
    counted = _COUNTED.fullmatch(record.result)
    if not counted or float(counted[2]) < _LEAST_MARGIN or record.stones or record.komi is None:
        return None
    if record.length < _LEAST_LENGTH:
        return None
    length = chance.integers(record.length // 2, record.length - record.length // 6)
    places, colours = record.places[:length], record.colours[:length]
    if (places < 0).any() or (colours != np.arange(length) % 2 + 1).any():
        return None
    game = mg.game(f"go(size={record.width}, komi={record.komi})")
    names = game.layout().names
    position = game.start()
    for place in places:
        position.play(names[place])
    return position, float(counted[1] == "B")


def forecast(position: Position, playout: str, playouts: int) -> float:
    """Return the share of playouts that Black wins."""
    moves = mg.analyse(position, player=f"flat(playouts={playouts}, playout={playout})", seed=1).moves
    won = sum(move.visits * (move.value or 0.0) for move in moves) / sum(move.visits for move in moves)
    return won if position.to_move == 0 else 1.0 - won


def recalibrated(shares: np.ndarray, results: np.ndarray) -> np.ndarray:
    """Return forecasts σ(a + b log(s / (1 - s))) with the a and b of greatest likelihood, by Newton's method."""
    safe = np.clip(shares, _LEAST_FORECAST, 1 - _LEAST_FORECAST)
    inputs = np.stack([np.ones_like(safe), np.log(safe / (1 - safe))], axis=1)
    weights = np.array([0.0, 1.0])
    for _ in range(30):
        expected = 1 / (1 + np.exp(-inputs @ weights))
        curvature = (inputs * (expected * (1 - expected))[:, None]).T @ inputs + 1e-9 * np.eye(2)
        weights -= np.linalg.solve(curvature, inputs.T @ (expected - results))
    return np.asarray(1 / (1 + np.exp(-inputs @ weights)))


@click.command()
@click.argument("games", type=click.Path(exists=True))
@click.option("--playout", "policies", multiple=True, default=("softmax", "uniform"), metavar="SPEC")
@click.option("--positions", type=click.IntRange(min=10), default=400, show_default=True)
@click.option("--every", type=click.IntRange(min=1), default=6, show_default=True, help="Take each so manieth game.")
@click.option("--playouts", type=click.IntRange(min=1), default=1_500, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of the choice of positions.")
def main(games: str, policies: tuple[str, ...], positions: int, every: int, playouts: int, seed: int) -> None:
    """Print the scores of playout policies."""
    chance = np.random.default_rng(seed)
    records = itertools.islice(read_games(games, []), 0, None, every)
    found = list(itertools.islice(filter(None, (drawn(record, chance) for record in records)), positions))
    if len(found) < 10:
        raise click.ClickException(f"{len(found)} even games in {games} were counted; at least 10 expected")
    results = np.array([won for _, won in found])
    first: np.ndarray | None = None
    rows = []
    for policy in policies:
        shares = np.array([forecast(position, policy, playouts) for position, _ in found])
        errors = (recalibrated(shares, results) - results) ** 2
        first = errors if first is None else first
        less = errors - first
        right = ((shares > 0.5) == (results > 0.5)).mean()
        change = f"{less.mean():+.4f} ± {1.96 * less.std(ddof=1) / len(less) ** 0.5:.4f}" if len(rows) else ""
        score = f"{((shares - results) ** 2).mean():.4f}"
        rows.append((f"`{policy}`", f"{100 * right:.1f} %", score, f"{errors.mean():.4f}", change))
        click.echo(" ".join(rows[-1]), err=True)
    heading = ("playouts", "winner right", "Brier score", "recalibrated", "against the first (95 %)")
    click.echo(f"{len(found)} positions\n\n" + table(heading, rows, right=(1, 2, 3)))


if __name__ == "__main__":
    main()
