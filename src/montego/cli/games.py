"""``montego games``."""

import click

from montego.cli.options import json_option, load_option


@click.command()
@click.argument("name", required=False, metavar="[NAME]")
@load_option
@click.option("--all", "everything", is_flag=True, help="Explain every game with all its parameters.")
@json_option
def games(name: str | None, everything: bool, as_json: bool) -> None:
    """List the games, or explain the one called NAME.

    An explanation gives the meaning, the default and the range of every parameter, and the paper that it comes from.
    """
    from montego.cli.listing import show
    from montego.games import GAMES

    show(GAMES, name, everything, as_json)
