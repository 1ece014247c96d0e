"""Montego: a Monte-Carlo game-playing engine and laboratory in Python.

>>> import montego as mg
>>> position = mg.game("tictactoe").start()
>>> position.play("b2").legal_moves()
['a3', 'b3', 'c3', 'a2', 'c2', 'a1', 'b1', 'c1']

The names below are loaded when they are first used, so that ``import montego`` takes milliseconds.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "montego.errors": ["IllegalMove", "MontegoError", "SpecError", "StateError"],
    "montego.games": ["GAMES", "BlokusDuo", "Game", "Go", "Hex", "Position", "TicTacToe", "Y", "game"],
    "montego.players": ["PLAYERS", "Player", "player"],
    "montego.playouts.wls": ["WinLossStates"],
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

if TYPE_CHECKING:
    from montego.errors import IllegalMove, MontegoError, SpecError, StateError
    from montego.games import GAMES, BlokusDuo, Game, Go, Hex, Position, TicTacToe, Y, game
    from montego.players import PLAYERS, Player, player
    from montego.playouts.wls import WinLossStates

__all__ = [
    "GAMES",
    "PLAYERS",
    "BlokusDuo",
    "Game",
    "Go",
    "Hex",
    "IllegalMove",
    "MontegoError",
    "Player",
    "Position",
    "SpecError",
    "StateError",
    "TicTacToe",
    "WinLossStates",
    "Y",
    "__version__",
    "game",
    "player",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'montego' has no attribute {name!r}")
    try:
        value = getattr(import_module(_HOME_OF[name]), name)
    except AttributeError:
        raise AttributeError(f"module 'montego' has no attribute {name!r}") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
