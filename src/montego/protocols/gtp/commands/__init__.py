"""The commands, one module for each kind of controller; which of them an engine knows depends on its game."""

from functools import cache

from montego.games import BlokusDuo, Game, Go, Hex, Y
from montego.protocols.gtp.commands import analyze, blokus, go, gogui, hexgui, kgs, records, standard
from montego.protocols.gtp.core import Handler

_FOR_ALL = (standard, records, analyze)
_FOR_GAME = {Go: (go, kgs, gogui), Hex: (hexgui,), Y: (hexgui,), BlokusDuo: (blokus,)}


@cache
def commands_for(game: type[Game]) -> dict[str, Handler]:
    """Return the commands for a game, by name."""
    found: dict[str, Handler] = {}
    for module in (*_FOR_ALL, *_FOR_GAME.get(game, ())):
        found |= module.COMMANDS
    return dict(sorted(found.items()))
