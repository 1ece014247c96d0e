"""What ``montego match``, ``tournament`` and ``tune`` share: the options, and the run from the ledger to the result."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from montego.cli.options import Number, Whole
from montego.errors import MontegoError
from montego.outside import printable

if TYPE_CHECKING:
    from montego.arena.ledger import Ledger
    from montego.arena.schedule import Contest

F = TypeVar("F", bound=Callable[..., Any])

opening_moves_option = click.option(
    "--opening-moves",
    type=Whole(0, 10**6),
    default=0,
    show_default=True,
    metavar="K",
    help="Start each pair of games with K random moves, different for every pair.",
)
max_moves_option = click.option(
    "--max-moves",
    type=Whole(0, 10**9),
    default=0,
    metavar="N",
    help="Stop longer games and score them as they stand; 0: the limit of the game.",
)


def resign_option(default: float | None, more: str = "") -> Callable[[F], F]:
    """Add ``--resign``; ``more`` ends its help."""
    return click.option(
        "--resign",
        type=Number(0, 50),
        default=default,
        metavar="PERCENT",
        help="A player whose expected win rate stayed below this at its last three moves resigns, "
        "in Hex and Y also one who has lost for certain; 0: never. "
        f"docs/arena.md says which players do.{more}",
    )


def games_option(default: int, what: str) -> Callable[[F], F]:
    """Add ``--games``; ``what`` is tried twice, with sides exchanged."""
    return click.option(
        "--games",
        type=Whole(2, 10**9),
        default=default,
        show_default=True,
        metavar="N",
        help=f"Games to play, an even number: {what} twice, with sides exchanged.",
    )


def ledger_option(what: str) -> Callable[[F], F]:
    """Add ``--ledger``, a file from which ``what`` is resumed."""
    text = f"Keep every game in FILE, and resume the {what} that is in it."
    return click.option("--ledger", "ledger_path", metavar="FILE", help=text)


_OPTIONS = [
    click.option(
        "--workers",
        type=Whole(min=0, max=1024),
        metavar="N",
        help="Number of processes that play; 0: play in this one. Default: one per core.",
    ),
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on the Dask cluster with this scheduler address, such as tcp://host:8786.",
    ),
]


def worker_options(function: F) -> F:
    """Add the options that decide where games are played."""
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
    """Play a contest to its end and print the result; after Ctrl-C or an error, say where the finished games are."""
    from montego.arena.compete import crew
    from montego.arena.match import run
    from montego.arena.result import Result
    from montego.cli.live import view

    if workers is not None and cluster is not None:
        raise click.UsageError("give --workers or --cluster, not both")
    show = view(as_json)
    try:
        with show:
            progress = run(contest, ledger, crew(contest, workers, cluster, files), games, show)
    except (KeyboardInterrupt, MontegoError):
        played = show.progress is not None and show.progress.games
        if show.progress is not None and played and not as_json:
            click.echo(printable("\n".join(["", *Result.of(show.progress).lines()])))
        if played and ledger.durable:
            click.echo(f"montego: stopped; the finished games are in {ledger.path}; the same command resumes", err=True)
        raise
    result = Result.of(progress)
    if as_json:
        click.echo(json.dumps(result.as_dict() | {"ledger": ledger.path if ledger.durable else None}))
    else:
        click.echo(printable("\n".join(result.lines())))
