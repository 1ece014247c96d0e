"""``montego tune``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from montego.cli.competition import games_option, ledger_option, max_moves_option, opening_moves_option, worker_options
from montego.cli.options import LOADED, PlayerSettings, Whole, game_option, json_option, seed_option
from montego.errors import MontegoError
from montego.outside import check_ending, check_outputs, printable, write_file

if TYPE_CHECKING:
    from montego.arena.ledger import Ledger
    from montego.arena.tuning.campaign import Campaign
    from montego.games import Game


@click.command()
@game_option()
@click.option(
    "--player",
    "settings",
    type=PlayerSettings(),
    required=True,
    metavar="SPEC",
    help="The player to tune, with its starting settings.",
)
@click.option(
    "--against",
    type=PlayerSettings(),
    metavar="SPEC",
    help="The opponent. Default: the player with its starting settings.",
)
@click.option(
    "--parameter",
    "wanted",
    multiple=True,
    required=True,
    metavar="NAME[=RANGE]",
    help="What to tune, such as c, rave.b, c=0..1 or rave=off|silver; may be repeated.",
)
@games_option(400, "each setting is tried")
@click.option(
    "--confirm",
    type=Whole(0, 10**9),
    default=400,
    show_default=True,
    metavar="GAMES",
    help="Games of the match at the end, best against starting settings, with fresh seeds; 0: none.",
)
@click.option(
    "--method",
    type=click.Choice(["clop", "tpe", "random"]),
    default="clop",
    show_default=True,
    help="How settings are chosen: by local regression, by Optuna's TPE, or at random.",
)
@click.option(
    "--ahead",
    type=Whole(1, 10**4),
    default=8,
    show_default=True,
    metavar="PAIRS",
    help="Pairs of games that may be under way at a time; at least as many as there are workers.",
)
@opening_moves_option
@max_moves_option
@ledger_option("tuning")
@click.option("--plot", metavar="FILE.svg", help="Draw the expected score and its uncertainty over the parameters.")
@worker_options
@seed_option
@json_option
@click.pass_context
def tune(context: click.Context, /, game: Game, settings: Any, wanted: tuple[str, ...], **options: Any) -> None:
    """Find the best values of a player's parameters by playing games.

    Each pair of games tries one setting against the opponent, chosen from the results so far. Ranges and meanings come
    from the player's declarations (montego players NAME). In the end the best setting plays a match with fresh seeds
    against the starting one. With --ledger a tuning can be interrupted at any time: the same command resumes it, and a
    larger --games makes it longer. montego results FILE shows what a ledger holds.
    """
    from montego.arena.compete import choose_seed, even
    from montego.arena.ledger import MEMORY, Ledger
    from montego.arena.openings import Openings
    from montego.arena.tuning.campaign import Campaign
    from montego.charts import can_draw
    from montego.spec import text

    even(options["games"])
    if options["confirm"]:
        even(options["confirm"])
    if options["workers"] is not None and options["cluster"] is not None:
        raise click.UsageError("give --workers or --cluster, not both")
    if options["plot"]:
        check_ending(options["plot"], ".svg")
    check_outputs([options["plot"]], [options["ledger_path"]])
    if options["plot"] and not can_draw():
        raise MontegoError("--plot needs matplotlib, which is not installed: pip install 'montego[lab]'")
    with Ledger(options["ledger_path"] or MEMORY) as ledger:
        campaign = Campaign(
            game=str(game),
            players=(text(settings), text(settings if options["against"] is None else options["against"])),
            pairings=((0, 1),),
            seed=choose_seed(options["seed"], ledger),
            openings=Openings(options["opening_moves"]),
            max_moves=options["max_moves"],
            parameters=wanted,
            method=options["method"],
            ahead=options["ahead"],
        )
        if not options["as_json"]:
            for one in campaign.space.dimensions:
                click.echo(f"{one.path} = {one.searched()}: {one.meaning}", err=True)
            if not ledger.durable:
                click.echo("the games will not be kept; --ledger FILE keeps them", err=True)
        _run(campaign, ledger, context.meta.get(LOADED, ()), options)


def _run(campaign: Campaign, ledger: Ledger, files: tuple[str, ...], options: dict[str, Any]) -> None:
    """Play a tuning to its end and print the result; after Ctrl-C or an error, say where the finished games are."""
    from montego.arena.match import Progress
    from montego.arena.tuning import Tuning
    from montego.arena.tuning.tuner import play_campaign
    from montego.cli.live import view

    show = view(options["as_json"])
    seen: list[Progress] = []

    def watch(progress: Progress) -> None:
        if progress.contest is campaign:
            seen[:] = [progress]
        show(progress)

    where = (options["workers"], options["cluster"], files)
    try:
        with show:
            result = play_campaign(campaign, ledger, options["games"], options["confirm"], *where, watch)
    except (KeyboardInterrupt, MontegoError):
        played = seen and seen[0].games
        if played and not options["as_json"]:
            click.echo(printable(f"\n{Tuning(seen[0])}"))
        if played and ledger.durable:
            click.echo(f"montego: stopped; the finished games are in {ledger.path}; the same command resumes", err=True)
        raise
    if options["plot"]:
        write_file(options["plot"], result.svg())
    if options["as_json"]:
        click.echo(json.dumps(result.as_dict() | {"ledger": ledger.path if ledger.durable else None}))
    else:
        click.echo(printable(str(result)))
