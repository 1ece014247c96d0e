"""Montego: a Monte-Carlo game-playing engine and laboratory in Python.

>>> import montego as mg
>>> position = mg.game("tictactoe").start()
>>> position.play("b2").legal_moves()
['a3', 'b3', 'c3', 'a2', 'c2', 'a1', 'b1', 'c1']

The public names are listed in ``montego.names`` and explained in docs/api.md. Each is loaded when it is first used, so
that ``import montego`` takes milliseconds.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from montego.names import HOMES as _HOMES

__version__ = "0.1.0"

__all__ = sorted(["__version__", *_HOMES])

if TYPE_CHECKING:  # the same names for type checkers and editors; a test compares the two lists
    from montego.api import analyse as analyse, read_sgf as read_sgf, write_sgf as write_sgf
    from montego.arena.compete import match as match, tournament as tournament
    from montego.arena.game import FinishedGame as FinishedGame
    from montego.arena.result import Result as Result
    from montego.arena.tuning import Tuning as Tuning, tune as tune
    from montego.errors import (
        Forfeit as Forfeit,
        IllegalMove as IllegalMove,
        MontegoError as MontegoError,
        Resignation as Resignation,
        SpecError as SpecError,
        StateError as StateError,
    )
    from montego.games import (
        GAMES as GAMES,
        BlokusDuo as BlokusDuo,
        Game as Game,
        Go as Go,
        Hex as Hex,
        Position as Position,
        TicTacToe as TicTacToe,
        Y as Y,
        game as game,
    )
    from montego.players import (
        PLAYERS as PLAYERS,
        Depth as Depth,
        FirstOrder as FirstOrder,
        Flat as Flat,
        Gtp as Gtp,
        HigherOrder as HigherOrder,
        MicroReduction as MicroReduction,
        PlainUct as PlainUct,
        Player as Player,
        Random as Random,
        SecondOrder as SecondOrder,
        Ucb as Ucb,
        Uct as Uct,
        player as player,
    )
    from montego.playouts import (
        PLAYOUTS as PLAYOUTS,
        Bridges as Bridges,
        Careful as Careful,
        Cut as Cut,
        Gobble as Gobble,
        Lgr as Lgr,
        Lgrf as Lgrf,
        Patterns as Patterns,
        PoolRave as PoolRave,
        Reduction as Reduction,
        Rules as Rules,
        Softmax as Softmax,
        Uniform as Uniform,
        Wls as Wls,
    )
    from montego.playouts.wls import WinLossStates as WinLossStates
    from montego.protocols.remarks import Review as Review
    from montego.rewards import (
        REWARDS as REWARDS,
        FinalScore as FinalScore,
        Phased as Phased,
        Quality as Quality,
        Sigmoid as Sigmoid,
        WinLoss as WinLoss,
    )
    from montego.search import Analysis as Analysis, Limits as Limits, MoveStatistics as MoveStatistics
    from montego.search.higher_order import OrderN as OrderN
    from montego.sgf import GameRecord as GameRecord


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'montego' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
