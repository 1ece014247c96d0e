"""``montego tournament``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from montego.cli.competition import compete, resign_option, worker_options
from montego.cli.options import LOADED, json_option, load_option


@click.command()
@click.argument("file", metavar="FILE.toml")
@click.option(
    "--ledger", "ledger_path", metavar="FILE", help="Where the games are kept. Default: FILE.sqlite next to FILE.toml."
)
@resign_option(None, " Default: as in the file.")
@load_option
@worker_options
@json_option
@click.pass_context
def tournament(
    context: click.Context,
    file: str,
    ledger_path: str | None,
    resign: float | None,
    workers: int | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Play the tournament that a file describes: a round robin, gauntlet or ladder over a grid of players.

    The same command resumes an interrupted tournament. docs/arena.md shows an example file.
    """
    from montego.arena.ledger import Ledger
    from montego.arena.tournament import read_tournament

    plan = read_tournament(file)
    contest = plan.contest if resign is None else replace(plan.contest, resign=resign)
    files = [*context.meta.get(LOADED, ()), *plan.files]
    with Ledger(ledger_path or Path(file).with_suffix(".sqlite")) as ledger:
        compete(contest, plan.games, ledger, workers, cluster, files, as_json)
