"""Options that several commands share, and the values they read."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from montego.errors import MontegoError

if TYPE_CHECKING:
    from montego.games import Game

F = TypeVar("F", bound=Callable[..., Any])

LOADED = "montego.loaded"  # key of the files given by --load in click's context
FAVOURITE_GAMES = ["go(size=9)", "tictactoe"]  # what is played and measured when nobody says otherwise


def load_file(path: str) -> None:
    """Import a user's Python file, under its own name so that compiled code is found again by the next process."""
    file = Path(path)
    if file.suffix != ".py" or not file.is_file():
        raise MontegoError(f"cannot load '{path}': expected an existing Python file such as examples/connect_four.py")
    name = file.stem
    taken = importlib.util.find_spec(name) if name.isidentifier() else None
    if not name.isidentifier() or (taken is not None and Path(taken.origin or "").resolve() != file.resolve()):
        raise MontegoError(f"cannot load '{path}': '{name}' is no free name for a module; rename the file")
    if name in sys.modules:
        return
    module_spec = importlib.util.spec_from_file_location(name, file.resolve())
    assert module_spec is not None
    assert module_spec.loader is not None
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[name] = module
    try:
        module_spec.loader.exec_module(module)
    except Exception as problem:
        del sys.modules[name]
        raise MontegoError(f"cannot load '{path}': {type(problem).__name__}: {problem}") from problem


def _load_all(context: click.Context, option: click.Parameter, paths: tuple[str, ...]) -> None:
    for path in paths:
        load_file(path)
    context.meta[LOADED] = paths


class GameSpec(click.ParamType):  # type: ignore[type-arg]
    """A game, given by its spec."""

    name = "spec"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from montego.games import game

        return game(value) if isinstance(value, str) else value


class PlayerSettings(click.ParamType):  # type: ignore[type-arg]
    """The settings of a player, given by its spec."""

    name = "spec"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from montego.players import PLAYERS

        return PLAYERS.build(value) if isinstance(value, str) else value


load_option = click.option(
    "--load",
    metavar="FILE.py",
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=_load_all,
    help="First import a Python file that adds games or players (may be repeated).",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), metavar="N", help="Seed of everything random; drawn by chance if left out."
)


def game_option(required: bool = True) -> Callable[[F], F]:
    """Add ``--game`` and ``--load``."""

    def decorate(function: F) -> F:
        shown = "" if required else " Default: go(size=9)."
        text = f"The game, such as go(size=9, komi=7.5); montego games lists them.{shown}"
        option = click.option("--game", "game", type=GameSpec(), required=required, metavar="SPEC", help=text)
        return load_option(option(function))

    return decorate


def favourite_game() -> Game:
    """Return the game to play when none was named: the first favourite that exists."""
    from montego.games import GAMES, game

    return game(next(spec for spec in FAVOURITE_GAMES if spec.partition("(")[0] in GAMES.names()))
