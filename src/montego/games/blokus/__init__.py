"""Blokus Duo.

Read ``pieces`` (tables), ``notation``, ``game`` (parameters, layout), ``board`` (bits), ``rules``, ``sampling``.
"""

from montego.games.blokus import rules, sampling
from montego.games.blokus.game import BlokusDuo, Start

__all__ = ["BlokusDuo", "Start", "rules", "sampling"]
