"""When a decision needs less than its budget, and when it needs more.

Less: no other move can catch up with the most visited one (Fuego, Pachi). More: the most visited move is not the best
valued one (MoHex 2.0 and Fuego search half as long again, once). Both are looked at from Python between chunks of
simulations; the first one after fixed numbers of them, so that a search with a seed stays repeatable.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.family import Family
from montego.search.findings import Final, best_places
from montego.search.records import BARRED, LOST, PROOF, PRUNED
from montego.spec import Param

TO_THE_END, WHEN_DECIDED = 0, 1

STOPS = Family("stopping rule")


@STOPS.register("off", kind=TO_THE_END)
class ToTheEnd(NamedTuple):
    """The whole budget is spent, unless the result is proven."""


@STOPS.register("decided", kind=WHEN_DECIDED)
class WhenDecided(NamedTuple):
    """The search ends when the rest of the budget cannot make another move the most visited one; needs final=visits.

    Only a proof that the move loses could still have changed it.
    """

    every: Annotated[int, Param("simulations between two looks", 1, 10**9, "Fuego, Pachi")] = 64


def is_decided(children: Any, left: float) -> bool:
    """Whether ``left`` more simulations cannot make another child of the root the most visited one."""
    out = (children["status"] & (PRUNED | BARRED) != 0) | (children["status"] & PROOF == LOST)
    visits = np.sort(children["visits"][~out].astype(np.int64))
    return len(visits) == 1 or (len(visits) > 1 and int(visits[-1] - visits[-2]) > left)


def is_unclear(children: Any) -> bool:
    """Whether the most visited child of the root is not the one of the highest lower bound of its mean.

    Departs from Fuego and MoHex, which compare means: one lucky playout would make any search unclear.
    """
    most_visited, best_valued = (best_places(children, final) for final in (Final.VISITS, Final.LCB))
    return not np.intersect1d(most_visited, best_valued).size
