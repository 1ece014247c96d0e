"""``montego players``."""

import click

from montego.cli.options import json_option, load_option


@click.command()
@load_option
@json_option
def players(as_json: bool) -> None:
    """List the players with their parameters, defaults and ranges."""
    from montego.cli.listing import show
    from montego.players import PLAYERS

    show(PLAYERS, as_json)
