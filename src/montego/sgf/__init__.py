"""Game records: SGF FF[4], read and written for every game.

``read`` turns a text into a ``GameRecord``: a tree of nodes, each with its position; every move is checked by our
rules. ``write`` turns a position, with its moves, into a text. How a game writes its moves is the game's own matter:
its class attribute ``sgf`` is a ``Dialect``. Read ``record``, ``writing``, ``reading``.
"""

from montego.errors import SgfError
from montego.sgf.reading import read, read_all
from montego.sgf.record import GameRecord, Node
from montego.sgf.writing import new, sgf_result, write

__all__ = ["GameRecord", "Node", "SgfError", "new", "read", "read_all", "sgf_result", "write"]
