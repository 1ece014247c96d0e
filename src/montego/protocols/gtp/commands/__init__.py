"""The commands, one module for each kind of controller; which of them an engine knows depends on its game."""

from functools import cache

from montego.protocols.gtp.commands import analyze, blokus, go, gogui, hexgui, kgs, records, standard
from montego.protocols.gtp.core import Handler

_FOR_ALL = (standard, records, analyze)
_FOR_GAME = {"go": (go, kgs, gogui), "hex": (hexgui,), "y": (hexgui,), "blokus_duo": (blokus,)}


@cache
def commands_for(name: str) -> dict[str, Handler]:
    """Return the commands for the game of a name, by their own names."""
    found: dict[str, Handler] = {}
    for module in (*_FOR_ALL, *_FOR_GAME.get(name, ())):
        found |= module.COMMANDS
    return dict(sorted(found.items()))
