"""``montego play``: a game in the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from montego.cli.options import favourite_game, game_option, player_option, seed_option
from montego.errors import MontegoError

if TYPE_CHECKING:
    from montego.games import Game


@click.command()
@game_option(required=False)
@player_option(None, "The opponent, such as random or uct(playouts=500); montego players lists them.")
@click.option(
    "--side",
    metavar="SIDE",
    help="Your side: first or second, or by name, such as black or red; none lets the computer play against itself. "
    "Default: first, or none without a terminal.",
)
@seed_option
def play(game: Game | None, settings: Any, side: str | None, seed: int | None) -> None:
    """Play a game against the computer.

    Type a move, or help for the commands: undo, hint, score, level, save FILE, graph, analyse, new, quit and others.
    Tab completes what you type. Ctrl-C while the computer thinks makes it move at once; at the prompt, two in a row
    leave. Without a terminal the computer plays one game alone and prints it.
    """
    from montego.cli.terminal import TerminalGame, play_alone
    from montego.cli.thinking import usual_settings
    from montego.sessions import PLAY_ON, Manners, Mind

    game = game or favourite_game()
    player = _player_of_side(game, side or ("first" if sys.stdin.isatty() else "none"))
    named = settings is not None
    mind = Mind(settings if named else usual_settings(game), seed, PLAY_ON if player is None else Manners())
    try:
        if player is None:
            play_alone(mind, game, show_boards=sys.stdout.isatty())
        else:
            TerminalGame(mind, game, player, named).run()
    finally:
        mind.close()


def _player_of_side(game: Game, side: str) -> int | None:
    """Return the player that a person chose, None for neither."""
    words = {"first": 0, "second": 1, "none": None, **game.colour_words}
    for player in (0, 1):
        words |= {game.colour_names[player]: player, game.players[player].lower(): player}
    if side.lower() not in words:
        names = [name.lower() for name in game.players]
        raise MontegoError(f"no side '{side}' in {game}; expected first, second, {names[0]}, {names[1]} or none")
    return words[side.lower()]
