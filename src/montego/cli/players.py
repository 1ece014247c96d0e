"""``montego players``."""

import click

from montego.cli.options import json_option, load_option


@click.command()
@click.argument("name", required=False, metavar="[NAME]")
@load_option
@click.option("--all", "everything", is_flag=True, help="Explain every player with all its parameters.")
@json_option
def players(name: str | None, everything: bool, as_json: bool) -> None:
    """List the players, or explain the one called NAME.

    An explanation gives the meaning, the default and the range of every parameter, and the paper that it comes from.
    Without NAME, the strongest known player of each game follows: it plays where no player is named.
    """
    from montego.cli.listing import show
    from montego.games import GAMES, game as build_game
    from montego.players import LARGE_BOARD, PLAYERS, default_settings
    from montego.spec import text

    show(PLAYERS, name, everything, as_json)
    if name is None and not everything and not as_json:
        click.echo("\nThe strongest known player of each game:")
        for game in GAMES:
            click.echo(f"  {game}: {text(default_settings(build_game(game)))}")
        large = f"go(size={LARGE_BOARD})"
        click.echo(f"  {large} and larger: {text(default_settings(build_game(large)))}")
        click.echo(
            "montego play gives them playouts, as listed, and montego gtp seconds; "
            "both end a decided move early and keep the tree."
        )
