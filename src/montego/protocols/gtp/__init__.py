"""Montego as an engine that other programs talk to: GTP for Go, HTP for Hex and Y, Pentobi's dialect for Blokus.

Three things are kept apart: the *protocol* (``lines``: the grammar; ``inbox``: lines that come while the engine thinks), the
*state* (``table``: the game; ``clock``: the time; ``mind`` and ``judge``: the player and its opinions) and the *commands*
that the controller gives (``commands``, a module for each program that gives them). ``core`` joins them.
"""

from montego.protocols.gtp.core import Engine
from montego.protocols.gtp.inbox import Inbox
from montego.protocols.gtp.serve import serve

__all__ = ["Engine", "Inbox", "serve"]
