"""Progressive widening: a position offers its moves one by one, likeliest first (Coulom 2007, Chaslot et al. 2008)."""

import math
from typing import Annotated, NamedTuple

import numpy as np

from montego.family import Family
from montego.kernels import borrowing
from montego.spec import Param

WIDENINGS = Family("widening")


@WIDENINGS.register("off")
class AtOnce(NamedTuple):
    """All moves are there from the beginning."""

    def numbers(self) -> dict[str, float]:
        """Return the widening as numbers: no visits between two moves."""
        return {"visits": 0.0}


@WIDENINGS.register("progressive")
class Progressive(NamedTuple):
    """Some moves at first; the next one after a number of visits, every further one after a number that grows."""

    visits: Annotated[float, Param("visits of the position for the first further move", 1e-3, 1e9, "Coulom 2007")] = (
        40.0
    )
    growth: Annotated[float, Param("factor of these visits from one move to the next", 1, 100, "Coulom 2007")] = 1.4
    first: Annotated[int, Param("moves at the beginning", 1, 65535, "Chaslot et al. 2008")] = 2


@borrowing
def open_children(widen, node):
    """Return how many children a node offers; child n + 1 after the first ones opens b gⁿ visits after child n."""
    count = np.int64(node.children)
    if widen.visits <= 0.0 or count == 0:
        return count
    steps = node.visits / widen.visits
    if widen.growth > 1.0:
        steps = math.log(1.0 + steps * (widen.growth - 1.0)) / math.log(widen.growth)
    return min(count, widen.first + np.int64(steps))
