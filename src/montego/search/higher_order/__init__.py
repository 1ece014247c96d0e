"""Higher-order statistics of playouts: what a move is worth after a pattern of other moves.

Raiko, "Higher order statistics in play-out analysis" (2006). In the order of reading: ``arrays.py`` (what is kept),
``patterns.py`` (counting and refinement), ``batches.py`` (how playouts choose their moves), ``micro_reduction.py``
(Hex and Y, 64 boards at a time, and van Rijswijck's heuristic), ``conclusions.py`` (the final move),
``pattern_search.py`` (the players), ``prior.py`` (what the patterns know, for a tree).
"""

from montego.search.higher_order.conclusions import FinalRule, Pattern
from montego.search.higher_order.micro_reduction import MicroReduction, move_chances
from montego.search.higher_order.pattern_search import FirstOrder, HigherOrder, HigherOrderSearch, SecondOrder
from montego.search.higher_order.prior import OrderN

__all__ = [
    "FinalRule",
    "FirstOrder",
    "HigherOrder",
    "HigherOrderSearch",
    "MicroReduction",
    "OrderN",
    "Pattern",
    "SecondOrder",
    "move_chances",
]
