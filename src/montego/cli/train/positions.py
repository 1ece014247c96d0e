"""``montego train positions``: evaluated positions by self-play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from montego.cli.competition import worker_options
from montego.cli.options import LOADED, PlayerSettings, Whole, game_option, json_option
from montego.cli.progress import meter
from montego.outside import check_ending, check_outputs

if TYPE_CHECKING:
    from montego.games import Game


@click.command()
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, metavar="FILE.npz", help="The positions to write."
)
@game_option()
@click.option("--games", type=Whole(min=2), default=100, show_default=True, metavar="N", help="Games, an even number.")
@click.option("--positions", type=Whole(min=1), default=1000, show_default=True, metavar="N", help="Positions to draw.")
@click.option(
    "--player",
    "player",
    type=PlayerSettings(),
    default="uct(playouts=3000, rave=silver)",
    show_default=True,
    metavar="SPEC",
    help="Plays against itself.",
)
@click.option(
    "--evaluator",
    type=PlayerSettings(),
    default="uct(playouts=10000, rave=silver)",
    show_default=True,
    metavar="SPEC",
    help="Evaluates the positions.",
)
@click.option(
    "--opening-moves",
    type=Whole(min=0),
    default=2,
    show_default=True,
    metavar="K",
    help="Start the games with K random moves.",
)
@worker_options
@click.option("--seed", type=Whole(min=0), default=1, show_default=True, metavar="N", help="Of everything.")
@json_option
@click.pass_context
def positions(
    context: click.Context,
    /,
    out: Path,
    game: Game,
    player: Any,
    evaluator: Any,
    workers: int | None,
    cluster: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Make a set of evaluated positions by self-play, for montego train sb.

    A player plays against itself, positions are drawn from these games at random, and the evaluator gives each the
    value of its best move. Workers or a cluster play the games; threads of this process evaluate. The games stay in
    FILE.npz.games.db; the same command resumes both.
    """
    from montego.learning.balancing.self_play import Crew, SelfPlay, make_positions
    from montego.spec import text

    if workers is not None and cluster is not None:
        raise click.UsageError("give --workers or --cluster, not both")
    check_ending(out, ".npz")
    check_outputs([out])
    wanted = SelfPlay(player=text(player), evaluator=text(evaluator), **options)
    crew = Crew(workers, cluster, context.meta.get(LOADED, ()))
    with meter() as progress:
        made = make_positions(game, out, wanted, crew, progress)
    mean = float(abs(made.values).mean())
    if as_json:
        click.echo(json.dumps({"file": str(out), "count": len(made), "mean_absolute_value": mean, **made.about}))
    else:
        click.echo(f"{game}: {len(made):,} positions, mean absolute value {mean:.3f}; written to {out}")
        click.echo(f"next: montego train sb {out} --out sb.npz")
