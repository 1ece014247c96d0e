"""``montego gtp``: an engine for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from montego.cli.options import Number, favourite_game, game_option, player_option, seed_option

if TYPE_CHECKING:
    from montego.games import Game


_SECONDS = 3.0  # of a move without a clock


@click.command()
@game_option(required=False)
@player_option(None, "Who plays; montego players lists them. A clock replaces its seconds, its playouts stay a limit.")
@click.option(
    "--resign",
    type=Number(0, 100),
    default=5.0,
    show_default=True,
    metavar="PERCENT",
    help="Give up when the expected win rate stays below this; 0: never.",
)
@click.option(
    "--lag",
    type=Number(0, 60),
    default=0.1,
    show_default=True,
    metavar="SECONDS",
    help="Time that a move takes outside of this program, kept back on the clock.",
)
@seed_option
def gtp(game: Game | None, settings: Any, resign: float, lag: float, seed: int | None) -> None:
    """Run as an engine for GoGui, Sabaki, Lizzie, HexGui, KGS and the like.

    Commands come from standard input, replies go to standard output: GTP 2 for Go and other games, HTP for Hex and Y,
    Pentobi's dialect for Blokus Duo. docs/protocols.md says how to plug it in.
    """
    from montego.players import default_settings
    from montego.protocols.gtp import serve
    from montego.sessions import Manners

    game = game or favourite_game()
    if settings is None:
        settings = default_settings(game, playouts=0, seconds=_SECONDS, reuse=True, stop="decided")
    serve(settings, game, seed, Manners(resign_below=resign / 100, lag=lag))
