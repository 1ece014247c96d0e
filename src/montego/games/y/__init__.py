"""Y. Read ``game`` (parameters, notation, layout), ``bent`` (the bent board), ``rules``, ``reduction`` (the winner)."""

from montego.games.y import rules
from montego.games.y.game import Board, Y

__all__ = ["Board", "Y", "rules"]
