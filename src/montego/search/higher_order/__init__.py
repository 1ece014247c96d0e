"""Higher-order statistics of playouts: what a move is worth after a pattern of other moves.

Raiko, "Higher order statistics in play-out analysis" (2006). ``settings.py`` are the players, ``playouts.py`` the loop,
``choice.py`` and ``lanes.py`` a playout, ``boards.py`` Hex and Y, ``statistics.py`` the counts, ``refinement.py`` the patterns, ``findings.py`` the final
move; ``reduction.py`` is van Rijswijck's heuristic.
"""

from montego.search.higher_order.findings import Final, Pattern
from montego.search.higher_order.reduction import MicroReduction, move_chances
from montego.search.higher_order.settings import FirstOrder, HigherOrder, SecondOrder

__all__ = ["Final", "FirstOrder", "HigherOrder", "MicroReduction", "Pattern", "SecondOrder", "move_chances"]
