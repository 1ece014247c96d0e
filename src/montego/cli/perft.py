"""``montego perft``: the number of move sequences of a given length."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import click

from montego.cli.options import Whole, game_option, json_option
from montego.cli.progress import compiling

if TYPE_CHECKING:
    from montego.games import Game


@click.command()
@game_option()
@click.option("--depth", type=Whole(0, 1000), required=True, metavar="D", help="Number of moves to look ahead.")
@json_option
def perft(game: Game, depth: int, as_json: bool) -> None:
    """Count the move sequences of a given length from the start.

    The count is the standard check of a rule engine against another one.
    """
    from montego.games.tools.perft import perft as count

    with compiling():
        count(game, game.start().state, min(depth, 1))
    began = time.perf_counter()
    nodes = int(count(game, game.start().state, depth))
    seconds = time.perf_counter() - began
    if as_json:
        click.echo(json.dumps({"game": str(game), "depth": depth, "nodes": nodes, "seconds": round(seconds, 6)}))
    else:
        click.echo(f"{game}, depth {depth}: {nodes:,} sequences of moves in {seconds:.2f} s")
