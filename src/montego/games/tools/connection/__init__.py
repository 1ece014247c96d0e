"""What connection games share: ``game`` (the base class), ``board`` (stones and chains), ``rules``."""

from montego.games.tools.connection import rules
from montego.games.tools.connection.board import holds, neighbour, point_count, state_dtype
from montego.games.tools.connection.game import ConnectionGame

__all__ = ["ConnectionGame", "holds", "neighbour", "point_count", "rules", "state_dtype"]
