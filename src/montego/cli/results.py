"""``montego results``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from montego.cli.options import json_option, load_option
from montego.errors import MontegoError, counted
from montego.outside import check_outputs, printable, write_file

if TYPE_CHECKING:
    from montego.arena.game import FinishedGame
    from montego.arena.schedule import Contest


@click.command()
@click.argument("file", metavar="LEDGER")
@click.option("--csv", "csv_path", metavar="FILE", help="Write a table with one line per game to FILE.")
@click.option("--sgf", "sgf_folder", metavar="DIR", help="Write each game to DIR as an SGF file.")
@click.option("--markdown", is_flag=True, help="Print the result as a Markdown page.")
@click.option("--repair", "new", metavar="NEW", help="Write the sound games of a damaged ledger to the new ledger NEW.")
@load_option
@json_option
def results(
    file: str, csv_path: str | None, sgf_folder: str | None, markdown: bool, new: str | None, as_json: bool
) -> None:
    """Show the result in a ledger, or export its games.

    The match may still be running.
    """
    from montego.arena.ledger import Ledger, repair
    from montego.arena.match import Progress
    from montego.arena.result import Result
    from montego.arena.schedule import Contest
    from montego.arena.tuning.campaign import Campaign, is_campaign
    from montego.arena.tuning.tuner import kept_tuning

    check_outputs([csv_path], [file, new])
    if new is not None:
        sound, damaged = repair(file, new)
        lost = f"; damaged and to be played again: {counted(damaged, 'game')}" if damaged else ""
        click.echo(f"{new} has the {counted(sound, 'sound game')} of {file}{lost}", err=True)
        file = new
    tuning = None
    with Ledger(file, read_only=True) as ledger:
        settings, scheduled = ledger.settings()
        contest = Contest.from_settings(settings)
        games = list(ledger.games())
        if is_campaign(settings):
            tuning = kept_tuning(Campaign.from_settings(settings), ledger, scheduled)
    if csv_path:
        _write_csv(csv_path, games)
    if sgf_folder:
        _write_sgf(sgf_folder, contest, games)
    if tuning is not None and not markdown:
        click.echo(json.dumps(tuning.as_dict()) if as_json else printable(str(tuning)))
        return
    result = Result.of(Progress.of(contest, scheduled, games))
    if as_json:
        click.echo(json.dumps(result.as_dict()))
    elif markdown:
        from montego.arena.markdown import page

        click.echo(printable(page(result.as_dict())), nl=False)
    else:
        click.echo(printable("\n".join(result.lines())))


def _write_csv(path: str, games: list[FinishedGame]) -> None:
    from montego.arena.rows import COLUMNS, row_of

    stream = io.StringIO(newline="")
    table = csv.writer(stream)
    table.writerow(COLUMNS)
    table.writerows(row_of(game) for game in games)
    write_file(path, stream.getvalue())


def _write_sgf(folder: str, contest: Contest, games: list[FinishedGame]) -> None:
    """Write one file per game, named by its number."""
    from montego.arena.result import final_position
    from montego.sgf import write

    width = len(str(max((one.task.number for one in games), default=0)))
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for one in games:
            names = (contest.names[one.task.players[0]], contest.names[one.task.players[1]])
            info = {"DT": one.finished[:10], "AP": f"Montego:{one.version}", "GN": f"game {one.task.number}"}
            said = "\n".join(part for part in (one.reason, one.detail) if part)
            comments = {len(one.moves): said}
            end = final_position(one)
            written = write(end, players=names, result=_sgf_result(one), comments=comments, info=info)
            write_file(Path(folder) / f"game-{one.task.number:0{width}d}.sgf", written)
    except OSError as problem:
        raise MontegoError(f"cannot write to '{folder}': {problem.strerror or problem}") from None


def _sgf_result(game: FinishedGame) -> str:
    """Return a result in the notation of SGF: B+3.5, W+R, B+F, 0."""
    from montego.arena.game import FORFEIT, RESIGNED

    if game.points == 0.5:
        return "0"
    if game.reason == RESIGNED:
        margin = "R"
    elif game.reason.startswith(FORFEIT):
        margin = "F"
    else:
        margin = f"{abs(game.score):g}"
    return f"{'B' if game.points == 1 else 'W'}+{margin}"
