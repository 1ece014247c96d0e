"""``montego analyse``: a player's opinion on every move of the games of a record."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from montego.cli.options import Number, Whole, json_option, load_option, player_option, seed_option
from montego.cli.progress import compiling, meter
from montego.errors import MontegoError, counted
from montego.outside import check_outputs, printable_line, read_file, write_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.players import Player
    from montego.protocols.remarks import Review
    from montego.sgf import GameRecord

_SECONDS = 120.0  # of a game, where nobody says otherwise
_WARM_UP_SECONDS = 0.01


@dataclass(frozen=True)
class Reviewed:
    """A game with what the player thinks of it."""

    record: GameRecord
    player: Player
    reviews: list[Review]


@click.command()
@click.argument("file", type=click.Path(dir_okay=False), metavar="FILE.sgf")
@load_option
@player_option(None, "Who analyses; montego players lists them.")
@click.option(
    "--seconds",
    type=Number(min=0, min_open=True),
    metavar="S",
    help="Time for each game, shared out over its moves. Default: as much as the moves need, but at most two minutes; "
    "with --player, whatever that player needs.",
)
@click.option("--game", "number", type=Whole(min=1), metavar="N", help="Only the Nth game of a collection.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False),
    metavar="FILE.sgf",
    help="Write the games with remarks, win rates and lines.",
)
@click.option(
    "--html", type=click.Path(dir_okay=False), metavar="FILE.html", help="Write a page with boards and graph."
)
@click.option(
    "--svg", type=click.Path(dir_okay=False), metavar="FILE.svg", help="Write the win-rate graph as a picture."
)
@click.option("--mistakes", type=Whole(min=0), default=5, show_default=True, metavar="N", help="How many to list.")
@click.option("--brief", is_flag=True, help="Leave out the table of all moves.")
@json_option
@seed_option
def analyse(
    file: str,
    settings: Any,
    seconds: float | None,
    number: int | None,
    out: str | None,
    html: str | None,
    svg: str | None,
    mistakes: int,
    brief: bool,
    as_json: bool,
    seed: int | None,
) -> None:
    """Analyse game records move by move: win rates, a graph, and the biggest mistakes.

    Reads SGF of any game (Go, Hex, .blksgf of Blokus Duo, …), all games of a collection. A move is called a mistake
    only if a second search confirms that it loses significantly more than another. With --out the record is written
    again with a comment on every position, better lines as variations, and the win rates that Sabaki and Lizzie draw.
    --out may name FILE.sgf itself, unless --game is given.
    """
    in_place = out is not None and number is None and Path(out).resolve() == Path(file).resolve()
    check_outputs([None if in_place else out, html, svg], [file])
    records = _records(file, number)
    done = [_review(record, settings, seconds, seed) for record in records]
    if out:
        write_file(out, "\n".join(game.record.dumps() for game in done))
    if html:
        from montego.cli.page import page

        write_file(html, page(Path(file).name, done))
    if svg:
        write_file(svg, _graph(done))
    if as_json:
        reports = [_report(file, game, mistakes) for game in done]
        click.echo(json.dumps(reports[0] if len(reports) == 1 else reports, indent=2))
    else:
        for game in done:
            _show(game, mistakes, every_move=not brief)
        for name in (out, html, svg):
            if name:
                click.echo(f"written to {name}")


def _records(file: str, number: int | None) -> list[GameRecord]:
    """Return the games of a file, or one of them."""
    from montego import sgf

    records = sgf.read_all(read_file(file))
    if number is None:
        return records
    if number > len(records):
        raise MontegoError(
            f"{file} has {counted(len(records), 'game')}; expected a number from 1 to {len(records)}, not {number}"
        )
    return [records[number - 1]]


def _review(record: GameRecord, settings: Any, seconds: float | None, seed: int | None) -> Reviewed:
    from montego.cli.review_text import rates
    from montego.players import Player, default_settings
    from montego.protocols.review import review
    from montego.search import Limits

    if settings is None:
        settings, seconds = default_settings(record.game), seconds or _SECONDS
    player = Player(settings, record.game, seed)
    with compiling():  # before any time counts, and not by the player itself, which may learn from every search
        warm = Player(settings, record.game, 0)
        try:
            if not record.game.start().over:
                warm.choose_number(record.game.start(), Limits(seconds=_WARM_UP_SECONDS))
        finally:
            warm.close()
    try:
        with meter() as show:
            found = review(record, player, seconds, lambda done, total: show("analysing", done / total))
        if found and not rates(found):
            raise MontegoError(f"{player} keeps no statistics to analyse with; try uct or flat")
        return Reviewed(record, player, found)
    finally:
        player.close()


def _graph(done: Sequence[Reviewed]) -> str:
    """Return the graph of the only game; a collection has one graph per game on the page."""
    from montego.cli.graph import graph_svg
    from montego.cli.review_text import rates

    if len(done) > 1:
        raise MontegoError(f"--svg draws one game, the file has {len(done)}; choose one by --game N, or use --html")
    known = rates(done[0].reviews)
    if not known:
        raise MontegoError("this player keeps no statistics to draw; try uct or flat")
    return graph_svg(known, done[0].record.game.players)


def _report(file: str, game: Reviewed, most: int) -> dict[str, Any]:
    from montego.protocols.review import mistakes

    return {
        "file": file,
        "game": str(game.record.game),
        "player": str(game.player),
        "seed": game.player.seed,
        "positions": [review.as_dict() for review in game.reviews],
        "mistakes": [review.number for review in mistakes(game.reviews)[:most]],
        "warnings": game.record.warnings,
    }


def heading(record: GameRecord) -> str:
    """Return who played what, how long, and with which result."""
    names = [f"{side} {name}".strip() for side, name in zip(record.game.players, record.players, strict=True)]
    moves = counted(len(record.moves), "move")
    return f"{record.game}: {names[0]} against {names[1]}, {moves}, {record.result or 'no result'}"


def _show(game: Reviewed, most: int, every_move: bool) -> None:
    from rich.console import Console

    from montego.cli.review_text import show_review

    click.echo(printable_line(heading(game.record)))
    click.echo(f"analysed by {game.player} with seed {game.player.seed}")
    for warning in game.record.warnings:
        click.echo(f"note: {printable_line(warning)}")
    show_review(Console(highlight=False, soft_wrap=True), game.record, game.reviews, most, every_move)
