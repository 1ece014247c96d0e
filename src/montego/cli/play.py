"""``montego play``: a game in the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from montego.cli.options import favourite_game, game_option, player_option, seed_option

if TYPE_CHECKING:
    from montego.games import Game


@click.command()
@game_option(required=False)
@player_option(
    "uct(playouts=5000, rave=silver, reuse=true)", "The opponent, such as random; montego players lists them."
)
@click.option(
    "--side",
    type=click.Choice(["first", "second", "none"]),
    help="Your side; none lets the player play against itself. Default: first, or none without a terminal.",
)
@seed_option
def play(game: Game | None, settings: Any, side: str | None, seed: int | None) -> None:
    """Play a game against the computer.

    Type a move or one of: help, moves, undo, hint, show, save FILE, load FILE, quit. Ctrl-C while the computer thinks
    makes it move at once. Without a terminal the computer plays one game alone and prints it.
    """
    from montego.cli.terminal import TerminalGame, play_alone
    from montego.sessions import PLAY_ON, Manners, Mind

    if side is None:
        side = "first" if sys.stdin.isatty() else "none"
    mind = Mind(settings, seed, PLAY_ON if side == "none" else Manners())
    game = game or favourite_game()
    try:
        if side == "none":
            play_alone(mind, game, show_boards=sys.stdout.isatty())
        else:
            TerminalGame(mind, game, ("first", "second").index(side)).run()
    finally:
        mind.close()
