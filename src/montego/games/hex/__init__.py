"""Hex. Read ``game`` (parameters, notation, layout), ``rules``, ``reduction`` (who has won a full board), ``sgf``."""

from montego.games.hex import rules
from montego.games.hex.game import Hex

__all__ = ["Hex", "rules"]
