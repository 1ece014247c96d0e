"""The commands, one module for each kind of controller; a game's GTP dialect decides which of them an engine knows."""

from functools import cache

from montego.protocols.gtp.commands import analyze, blokus, go, gogui, hexgui, kgs, records, standard
from montego.protocols.gtp.conversation import Handler

_FOR_ALL = (standard, records, analyze)
_FOR_DIALECT = {"go": (go, kgs, gogui), "hex": (hexgui,), "blokus": (blokus,), "plain": ()}


@cache
def commands_for(dialect: str) -> dict[str, Handler]:
    """Return the commands of a dialect, by name."""
    found: dict[str, Handler] = {}
    for module in (*_FOR_ALL, *_FOR_DIALECT[dialect]):
        found |= module.COMMANDS
    return found
