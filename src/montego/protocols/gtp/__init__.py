"""Montego as an engine that other programs talk to: GTP for Go, HTP for Hex and Y, Pentobi's dialect for Blokus.

Only the protocol is here: ``lines`` (the grammar), ``inbox`` (lines that arrive while the engine thinks),
``commands`` (one module for each kind of controller), ``conversation`` (what the commands share) and ``server``
(lines in, replies out). The game itself is a ``montego.sessions.Session``, the player a ``montego.sessions.Mind``.
"""

from montego.protocols.gtp.conversation import Conversation
from montego.protocols.gtp.inbox import Inbox
from montego.protocols.gtp.server import GtpServer, serve

__all__ = ["Conversation", "GtpServer", "Inbox", "serve"]
