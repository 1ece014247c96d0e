"""``montego bench``: how fast, measured over the whole time, after everything has been compiled."""

from __future__ import annotations

import json
import math
import secrets
import time
from typing import TYPE_CHECKING, Any

import click

from montego.cli.options import game_option, json_option, seed_option

if TYPE_CHECKING:
    from montego.games import Game

_WARM_UP_SECONDS = 0.2
_CHUNK_SECONDS = 0.05


@click.group(invoke_without_command=True)
@click.pass_context
def bench(context: click.Context) -> None:
    """Measure speed on one core."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@bench.command()
@game_option()
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True, max=86400),
    default=5.0,
    show_default=True,
    metavar="S",
    help="How long to measure.",
)
@click.option(
    "--playouts",
    type=click.IntRange(min=1),
    metavar="N",
    help="Measure exactly N playouts instead; the statistics are then repeatable by seed.",
)
@seed_option
@json_option
def playouts(game: Game, seconds: float, playouts: int | None, seed: int | None, as_json: bool) -> None:
    """Play uniformly random games from the start and report their rate and statistics."""
    if math.isnan(seconds):
        raise click.BadParameter("nan is no length of time", param_hint="'--seconds'")
    report = measure_playouts(game, seconds, playouts, secrets.randbits(32) if seed is None else seed)
    if as_json:
        click.echo(json.dumps(report))
        return
    click.echo(
        f"{report['game']}: {report['playouts_per_second']:,.0f} playouts/s, {report['moves_per_second']:,.0f} moves/s; "
        f"mean length {report['mean_length']:.2f} ± {report['mean_length_error']:.2f}, "
        f"first player wins {report['first_player_win_rate']:.2%} ± {report['first_player_win_rate_error']:.2%}"
        f" ({report['playouts']:,} playouts in {report['seconds']:.2f} s, seed {report['seed']})"
    )


def measure_playouts(game: Game, seconds: float, count: int | None, seed: int) -> dict[str, Any]:
    """Measure random playouts from the start: everything over the whole time, errors as one standard error."""
    from montego.playouts import Sampler
    from montego.rng import stream

    root = game.start().state
    chunk = _warm_up(Sampler(game, root, stream(seed, 0)))
    sampler = Sampler(game, root, stream(seed, 1))
    began = time.perf_counter()
    if count is None:
        while time.perf_counter() - began < seconds:
            sampler.run(chunk)
    else:
        while (left := count - int(sampler.totals.playouts)) > 0:
            sampler.run(min(chunk, left))
    elapsed = time.perf_counter() - began
    return {"game": str(game), "seed": seed, "seconds": elapsed, **_statistics(sampler.totals, elapsed)}


def _warm_up(sampler: Any) -> int:
    """Compile, play for a moment, and return how many playouts fill one chunk of time."""
    sampler.run(1)
    began = time.perf_counter()
    count = 1
    while (elapsed := time.perf_counter() - began) < _WARM_UP_SECONDS:
        sampler.run(count)
        count *= 2
    return max(1, int((sampler.totals.playouts - 1) / elapsed * _CHUNK_SECONDS))


def _statistics(totals: Any, seconds: float) -> dict[str, Any]:
    played, moves, wins = int(totals.playouts), int(totals.moves), int(totals.wins)
    length, win_rate = moves / played, wins / played
    variance = max(0.0, int(totals.moves_squared) / played - length * length)
    return {
        "playouts": played,
        "playouts_per_second": played / seconds,
        "moves_per_second": moves / seconds,
        "mean_length": length,
        "mean_length_error": math.sqrt(variance / played),
        "first_player_win_rate": win_rate,
        "first_player_win_rate_error": math.sqrt(win_rate * (1 - win_rate) / played),
        "draw_rate": int(totals.draws) / played,
        "mean_score": float(totals.score) / played,
    }
