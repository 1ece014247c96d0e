"""``montego games``."""

import click

from montego.cli.options import json_option, load_option


@click.command()
@load_option
@json_option
def games(as_json: bool) -> None:
    """List the games with their parameters, defaults and ranges."""
    from montego.cli.listing import show
    from montego.games import GAMES

    show(GAMES, as_json)
