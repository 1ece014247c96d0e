"""What ``montego match`` and ``montego tournament`` share: options, and the run from the ledger to the report."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from montego.errors import MontegoError

if TYPE_CHECKING:
    from montego.arena.ledger import Ledger
    from montego.arena.result import Result
    from montego.arena.schedule import Contest
    from montego.arena.workers import Workers

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = [
    click.option(
        "--workers",
        type=click.IntRange(min=0, max=1024),
        metavar="N",
        help="Processes that play; 0 plays in this one. Default: one for each core.",
    ),
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on the Dask cluster whose scheduler has this address, such as tcp://host:8786.",
    ),
]


def worker_options(function: F) -> F:
    """Add the options that say where games are played."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def compete(
    contest: Contest,
    games: int,
    ledger: Ledger,
    workers: int | None,
    cluster: str | None,
    files: Sequence[str],
    as_json: bool,
) -> None:
    """Play a contest to its end and print the result; after Ctrl-C or an error, say that nothing is lost."""
    from montego.arena.match import run
    from montego.cli.live import view

    if workers is not None and cluster is not None:
        raise click.UsageError("--workers and --cluster exclude each other; give one of them")
    show = view(as_json)
    try:
        with show:
            progress = run(contest, ledger, _crew(contest, workers, cluster, files), games, show)
    except (KeyboardInterrupt, MontegoError):
        if show.progress is not None and show.progress.games and not as_json:
            click.echo("\n".join(["", *_report(show.progress).lines()]))
        if show.progress is not None and ledger.durable:
            click.echo(f"montego: stopped; the finished games are in {ledger.path}: the same command goes on", err=True)
        raise
    report = _report(progress)
    if as_json:
        click.echo(json.dumps(report.as_dict() | {"ledger": ledger.path if ledger.durable else None}))
    else:
        click.echo("\n".join(report.lines()))


def _report(progress: Any) -> Result:
    from montego.arena.result import Result

    return Result.of(progress)


def _crew(contest: Contest, workers: int | None, cluster: str | None, files: Sequence[str]) -> Callable[[], Workers]:
    """Return what starts the workers, after every player has shown that it can play and its code is in the cache."""
    from montego.arena.game import warm_up
    from montego.arena.workers import LocalWorkers, NoWorkers, UserFile

    def start() -> Workers:
        warm_up(contest.game, list(contest.players))
        sources = [UserFile.read(path) for path in files]
        if cluster is not None:
            from montego.arena.cluster import ClusterWorkers

            return ClusterWorkers(cluster, contest.game, contest.players, sources)
        if workers == 0:
            return NoWorkers()
        return LocalWorkers(workers or _cores(), sources)

    return start


def _cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_openings(path: str, game: str, moves: int) -> tuple[tuple[str, ...], ...]:
    """Return the main lines of the games of an SGF file, as openings; only their first moves unless that is 0."""
    from montego.games import game as build_game
    from montego.protocols.sgf import read_all

    rules = build_game(game)
    try:
        records = read_all(Path(path).read_bytes(), rules)
    except OSError as problem:
        raise MontegoError(f"cannot read '{path}': {problem.strerror or problem}") from None
    except MontegoError as problem:
        raise MontegoError(f"'{path}': {problem}") from None
    if not records:
        raise MontegoError(f"'{path}' holds no games to open with")
    if any(record.start != rules.start() for record in records):
        raise MontegoError(f"'{path}': openings begin with the empty board, not with stones set up")
    return tuple(tuple(record.moves[: moves or None]) for record in records)
