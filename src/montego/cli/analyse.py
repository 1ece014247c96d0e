"""``montego analyse``: a player's opinion on every move of a game record."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from montego.cli.options import json_option, load_option, player_option, seed_option
from montego.cli.progress import bar, compiling
from montego.outside import printable_line, read_file, write_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.protocols.review import Review


@click.command()
@click.argument("file", type=click.Path(dir_okay=False), metavar="FILE.sgf")
@load_option
@player_option("uct(playouts=5000, rave=silver)", "Who analyses; montego players lists them.")
@click.option(
    "--out", type=click.Path(dir_okay=False), metavar="FILE.sgf", help="Write the game with the remarks here."
)
@click.option(
    "--mistakes", type=click.IntRange(min=0), default=5, show_default=True, metavar="N", help="How many to list."
)
@json_option
@seed_option
def analyse(file: str, settings: Any, out: str | None, mistakes: int, as_json: bool, seed: int | None) -> None:
    """Analyse a game record move by move, and list the biggest mistakes.

    Reads SGF of any game (Go, Hex, .blksgf of Blokus Duo, …). With --out the record is written again with a comment on
    every position (win rate, visits of the best moves) and the line that the player expected as a variation.
    """
    from montego import sgf
    from montego.players import Player
    from montego.protocols.review import review

    record = sgf.read(read_file(file))
    player = Player(settings, record.game, seed)
    try:
        coming = review(record, player)
        with compiling():
            reviews = list(islice(coming, 1))
        reviews += bar(coming, "analysing", len(record.moves))
    finally:
        player.close()
    if out:
        write_file(out, record.dumps())
    worst = sorted((r for r in reviews if r.loss is not None and r.loss > 0), key=lambda r: -(r.loss or 0))[:mistakes]
    if as_json:
        click.echo(json.dumps(_report(file, record, player, reviews, worst), indent=2))
    else:
        _show(record, player, reviews, worst, out)


def _report(file: str, record: Any, player: Any, reviews: Sequence[Review], worst: Sequence[Review]) -> dict[str, Any]:
    return {
        "file": file,
        "game": str(record.game),
        "player": str(player),
        "seed": player.seed,
        "positions": [review.as_dict() for review in reviews],
        "mistakes": [review.number for review in worst],
        "warnings": record.warnings,
    }


def _show(record: Any, player: Any, reviews: Sequence[Review], worst: Sequence[Review], out: str | None) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    names = [f"{side} {name}".strip() for side, name in zip(record.game.players, record.players, strict=True)]
    result = record.result or "no result"
    click.echo(printable_line(f"{record.game}: {names[0]} against {names[1]}, {len(record.moves)} moves, {result}"))
    click.echo(f"analysed by {player} with seed {player.seed}")
    for warning in record.warnings:
        click.echo(f"note: {printable_line(warning)}")
    if not any(review.value is not None for review in reviews):
        click.echo("this player keeps no statistics; try uct or flat")
    elif not worst:
        click.echo("no mistakes found")
    else:
        table = Table(box=box.SIMPLE_HEAD, title="biggest mistakes", title_justify="left")
        for column, justify in (("move", "right"), ("player", "left"), ("played", "left"), ("better", "left")):
            table.add_column(column, justify=justify)  # type: ignore[arg-type]
        for column in ("with it", "with better", "loss"):
            table.add_column(column, justify="right")
        for review in worst:
            table.add_row(
                str(review.number),
                record.game.players[review.to_move],
                review.played,
                review.best,
                *(
                    f"{value:.0%}"
                    for value in (review.after_played or 0.0, review.after_best or 0.0, review.loss or 0.0)
                ),
            )
        Console(highlight=False, soft_wrap=True).print(table)
    if out:
        click.echo(f"written to {out}")
