"""``montego match``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from montego.cli.competition import (
    compete,
    games_option,
    ledger_option,
    max_moves_option,
    opening_moves_option,
    resign_option,
    worker_options,
)
from montego.cli.options import LOADED, Number, PlayerSettings, game_option, json_option, seed_option

if TYPE_CHECKING:
    from montego.games import Game


F = TypeVar("F", bound=Callable[..., Any])


class EloBounds(click.ParamType):  # type: ignore[type-arg]
    """Two Elo differences, ``elo0,elo1``."""

    name = "elo0,elo1"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        if isinstance(value, tuple):
            return value
        try:
            first, second = (float(part) for part in value.split(","))
        except ValueError:
            self.fail(f"expected two numbers such as 0,20, not {value!r}", param, ctx)
        return first, second


def _error_rate(name: str, text: str) -> Callable[[F], F]:
    """Add an error rate of the sequential test."""
    rate = Number(0, 0.5, min_open=True, max_open=True)
    return click.option(name, type=rate, default=0.05, show_default=True, metavar="P", help=text)


@click.command()
@game_option()
@click.option(
    "--player",
    "settings",
    type=PlayerSettings(),
    multiple=True,
    required=True,
    metavar="SPEC",
    help="A player; give two. See montego players.",
)
@games_option(100, "each opening is played")
@ledger_option("match")
@opening_moves_option
@click.option(
    "--openings",
    metavar="FILE.sgf",
    help="Start the pairs with the games of a file in turn; with --opening-moves, with their first K moves.",
)
@max_moves_option
@resign_option(0.0)
@click.option(
    "--sprt",
    type=EloBounds(),
    metavar="ELO0,ELO1",
    help="Stop as soon as it is clear whether the first player is ELO0 or ELO1 better.",
)
@_error_rate("--alpha", "Highest probability of wrongly accepting ELO1.")
@_error_rate("--beta", "Highest probability of wrongly accepting ELO0.")
@worker_options
@seed_option
@json_option
@click.pass_context
def match(
    context: click.Context,
    game: Game,
    settings: tuple[Any, ...],
    games: int,
    ledger_path: str | None,
    opening_moves: int,
    openings: str | None,
    max_moves: int,
    resign: float,
    sprt: tuple[float, float] | None,
    alpha: float,
    beta: float,
    workers: int | None,
    cluster: str | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Play a match between two players and report the score with its uncertainty.

    With --ledger a match can be interrupted at any time: the same command resumes it. A larger --games makes it longer.
    """
    from montego.arena.compete import choose_seed
    from montego.arena.ledger import MEMORY, Ledger
    from montego.arena.openings import Openings, read_openings
    from montego.arena.schedule import Contest
    from montego.arena.sequential import Gsprt
    from montego.spec import text

    if len(settings) != 2:
        raise click.UsageError(f"a match has two players: give --player twice, not {len(settings)} times")
    rates = [name for name in ("alpha", "beta") if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if rates and sprt is None:
        raise click.UsageError(f"--{rates[0]} belongs to a sequential test; give --sprt ELO0,ELO1 too")
    if games % 2:
        raise click.BadParameter(
            f"expected an even number, as games come in pairs with sides exchanged, not {games}", param_hint="'--games'"
        )
    if sprt is not None:
        Gsprt(*sprt, alpha, beta)  # refuses bounds that make no sense
    with Ledger(ledger_path or MEMORY) as ledger:
        contest = Contest(
            game=str(game),
            players=(text(settings[0]), text(settings[1])),
            pairings=((0, 1),),
            seed=choose_seed(seed, ledger),
            openings=Openings(book=read_openings(openings, str(game), opening_moves))
            if openings
            else Openings(opening_moves),
            max_moves=max_moves,
            resign=resign,
            test=None if sprt is None else (*sprt, alpha, beta),
        )
        if not ledger.durable and not as_json:
            click.echo("the games will not be kept; --ledger FILE keeps them", err=True)
        compete(contest, games, ledger, workers, cluster, context.meta.get(LOADED, ()), as_json)
