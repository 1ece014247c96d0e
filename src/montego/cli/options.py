"""Options that several commands share, and the values they read."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from montego.loading import load_file

if TYPE_CHECKING:
    from montego.games import Game

F = TypeVar("F", bound=Callable[..., Any])

LOADED = "montego.loaded"  # key of the files given by --load in click's context
FAVOURITE_GAMES = ["go(size=9)", "tictactoe"]  # what is played and measured by default


def _load_all(context: click.Context, option: click.Parameter, paths: tuple[str, ...]) -> None:
    for path in paths:
        load_file(path)
    context.meta[LOADED] = paths


class Whole(click.IntRange):
    """A whole number in a range, called that in messages."""

    name = "whole number"


class Number(click.FloatRange):
    """A number in a range; unlike click's own type it refuses ``nan`` and infinity."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            finite = math.isfinite(float(value))
        except ValueError:
            finite = False
        if not finite:
            self.fail(f"expected a finite number, not {value}", param, ctx)
        return float(super().convert(value, param, ctx))


class GameSpec(click.ParamType):  # type: ignore[type-arg]
    """A game, given by its spec."""

    name = "spec"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from montego.games import game

        return game(value) if isinstance(value, str) else value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from montego.games import GAMES

        return _completions(GAMES.names(), incomplete)


class PlayerSettings(click.ParamType):  # type: ignore[type-arg]
    """The settings of a player, given by its spec."""

    name = "spec"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from montego.players import PLAYERS

        return PLAYERS.build(value) if isinstance(value, str) else value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from montego.players import PLAYERS

        return _completions(PLAYERS.names(), incomplete)


def _completions(names: list[str], incomplete: str) -> list[CompletionItem]:
    """Return what a shell may complete a word to."""
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


class PlayoutSettings(click.ParamType):  # type: ignore[type-arg]
    """A playout policy, given by its spec."""

    name = "spec"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from montego.playouts import PLAYOUTS

        return PLAYOUTS.build(value) if isinstance(value, str) else value


load_option = click.option(
    "--load",
    metavar="FILE.py",
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=_load_all,
    help="Import a Python file that adds games or players; may be repeated.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
seed_option = click.option(
    "--seed",
    type=Whole(0, 2**128),
    metavar="N",
    help="Seed of everything random; chosen at random if left out.",
)


def game_option(required: bool = True) -> Callable[[F], F]:
    """Add ``--game`` and ``--load``."""

    def decorate(function: F) -> F:
        shown = "" if required else " Default: go(size=9)."
        text = f"The game, such as go(size=9, komi=7.5); see montego games.{shown}"
        option = click.option("--game", "game", type=GameSpec(), required=required, metavar="SPEC", help=text)
        return load_option(option(function))

    return decorate


def player_option(default: str | None, text: str) -> Callable[[F], F]:
    """Add ``--player`` with a default, read as the settings of a player; None: the command chooses by the game."""
    shown = text if default else f"{text} Default: the strongest known one of the game."
    return click.option(
        "--player",
        "settings",
        type=PlayerSettings(),
        default=default,
        show_default=default is not None,
        metavar="SPEC",
        help=shown,
    )


def favourite_game() -> Game:
    """Return the default game: the first favourite that exists."""
    from montego.games import GAMES, game

    return game(next(spec for spec in FAVOURITE_GAMES if spec.partition("(")[0] in GAMES.names()))
