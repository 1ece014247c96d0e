"""``montego bench``: how fast, measured over the whole time, after everything has been compiled."""

from __future__ import annotations

import json
import math
import secrets
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from montego.cli.options import (
    LOADED,
    Number,
    PlayoutSettings,
    Whole,
    game_option,
    json_option,
    player_option,
    seed_option,
)
from montego.cli.progress import compiling
from montego.spec import text

if TYPE_CHECKING:
    from montego.games import Game

_WARM_UP_SECONDS = 0.2
_CHUNK_SECONDS = 0.05

here_option = click.option(
    "--here", is_flag=True, hidden=True, help="Measure here even if this process has to compile."
)


@click.group(invoke_without_command=True)
@click.pass_context
def bench(context: click.Context) -> None:
    """Measure speed on one core."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@bench.command()
@game_option()
@click.option(
    "--playout",
    "policy",
    type=PlayoutSettings(),
    default="uniform",
    show_default=True,
    metavar="SPEC",
    help="The playout policy to measure, such as softmax or cut(mercy=20).",
)
@click.option(
    "--seconds",
    type=Number(min=0, min_open=True, max=86400),
    default=5.0,
    show_default=True,
    metavar="S",
    help="How long to measure.",
)
@click.option(
    "--playouts",
    type=Whole(min=1),
    metavar="N",
    help="Measure exactly N playouts instead; the statistics are then repeatable by seed.",
)
@here_option
@seed_option
@json_option
@click.pass_context
def playouts(
    context: click.Context,
    game: Game,
    policy: Any,
    seconds: float,
    playouts: int | None,
    here: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Play random games from the start, uniformly or by another policy, and report their rate and statistics."""
    seed = secrets.randbits(32) if seed is None else seed
    if here or not _had_to_compile(game, policy):
        report = measure_playouts(game, policy, seconds, playouts, seed)
    else:
        amount = ["--seconds", str(seconds)] if playouts is None else ["--playouts", str(playouts)]
        command = ["playouts", "--game", str(game), "--playout", text(policy), *amount]
        report = _in_next_process(context, command, seed)
    if as_json:
        click.echo(json.dumps(report))
        return
    click.echo(
        f"{report['game']}, {report['playout']}: {report['playouts_per_second']:,.0f} playouts/s, "
        f"{report['moves_per_second']:,.0f} moves/s; "
        f"mean length {report['mean_length']:.2f} ± {report['mean_length_error']:.2f}, "
        f"first player wins {report['first_player_win_rate']:.2%} ± {report['first_player_win_rate_error']:.2%}"
        f" ({report['playouts']:,} playouts in {report['seconds']:.2f} s, seed {report['seed']})"
    )


def _had_to_compile(game: Game, policy: Any) -> bool:
    """Run one playout and tell whether that took the compiler."""
    from montego import _jit
    from montego.playouts import Sampler
    from montego.rng import stream

    with compiling():
        Sampler(game, game.start().state, stream(0), policy).run(1)
    return bool(_jit.compiled_here())


def _in_next_process(context: click.Context, command: list[str], seed: int) -> dict[str, Any]:
    """Measure in a process that finds the code in the cache, as every later one will.

    Code that was just compiled lies scattered over memory, kernel by kernel, and runs about a tenth slower than the
    same code loaded from the cache as one piece.
    """
    loads = [word for path in context.meta.get(LOADED, ()) for word in ("--load", path)]
    words = ["bench", *command, "--here", "--json", *loads, "--seed", str(seed)]
    done = subprocess.run([sys.executable, "-P", "-m", "montego.cli", *words], stdout=subprocess.PIPE, check=True)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def measure_playouts(game: Game, policy: Any, seconds: float, count: int | None, seed: int) -> dict[str, Any]:
    """Measure random playouts from the start: everything over the whole time, errors as one standard error."""
    from montego.playouts import Sampler
    from montego.rng import stream

    root = game.start().state
    chunk = _warm_up(Sampler(game, root, stream(seed, 0), policy))
    sampler = Sampler(game, root, stream(seed, 1), policy)
    began = time.perf_counter()
    if count is None:
        while time.perf_counter() - began < seconds:
            sampler.run(chunk)
    else:
        while (left := count - int(sampler.totals.playouts)) > 0:
            sampler.run(min(chunk, left))
    elapsed = time.perf_counter() - began
    facts = {"game": str(game), "playout": text(policy), "seed": seed, "seconds": elapsed}
    return {**facts, **_statistics(sampler.totals, elapsed)}


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


@bench.command()
@game_option()
@player_option("uct(playouts=100000, rave=silver, memory=1000)", "The tree search to measure, its playouts included.")
@click.option("--threads", type=Whole(1, 1024), metavar="N", help="Threads, in place of the player's.")
@here_option
@seed_option
@json_option
@click.pass_context
def search(
    context: click.Context,
    game: Game,
    settings: Any,
    threads: int | None,
    here: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Search the start position once and report simulations per second and the size of the tree."""
    if not hasattr(settings, "threads"):
        raise click.BadParameter(
            f"{text(settings)} is not a tree search; try uct(playouts=100000)", param_hint="'--player'"
        )
    if threads:
        settings = settings._replace(threads=threads)
    seed = secrets.randbits(32) if seed is None else seed
    if here or not _search_had_to_compile(settings, game):
        report = measure_search(game, settings, seed)
    else:
        report = _in_next_process(context, ["search", "--game", str(game), "--player", text(settings)], seed)
    if as_json:
        click.echo(json.dumps(report))
        return
    click.echo(
        f"{report['game']}, {report['player']}: {report['simulations_per_second']:,.0f} simulations/s"
        f" ({report['simulations']:,} in {report['seconds']:.2f} s); {report['nodes']:,} nodes of"
        f" {report['bytes_per_node']} bytes, mean depth {report['mean_depth']:.1f}, seed {report['seed']}"
    )


def _search_had_to_compile(settings: Any, game: Game) -> bool:
    """Search for a moment and tell whether that took the compiler."""
    from montego import _jit
    from montego.players import Player

    with compiling():
        Player(settings._replace(playouts=1, seconds=0.0), game, 0).choose(game.start())
    return bool(_jit.compiled_here())


def measure_search(game: Game, settings: Any, seed: int) -> dict[str, Any]:
    """Measure one search from the start position."""
    from montego.players import Player
    from montego.search.records import NODE

    Player(settings._replace(playouts=1, seconds=0.0), game, seed).choose(game.start())
    player = Player(settings, game, seed)
    player.choose(game.start())
    analysis = player.analysis()
    return {
        "game": str(game),
        "player": text(settings),
        "seed": seed,
        "threads": settings.threads,
        "simulations": analysis.playouts,
        "seconds": analysis.seconds,
        "simulations_per_second": analysis.playouts_per_second,
        "nodes": analysis.nodes,
        "bytes_per_node": NODE.itemsize,
        "mean_depth": analysis.mean_depth,
    }
