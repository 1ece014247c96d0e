"""How all-moves-as-first statistics are mixed into the value of a move: the share β of the AMAF mean.

Lecture "domain-independent refinements" (linear schedule), Gelly and Silver 2007 and Silver's thesis (β with the bias
b), and the weight formula of Pachi and Fuego. ``mixed_mean`` has the formulas.
"""

from typing import Annotated, NamedTuple

import numpy as np

from montego.family import Family
from montego.kernels import inlined
from montego.spec import Param

OFF, AMAF_ONLY, LINEAR, SILVER, WEIGHTS = 0, 1, 2, 3, 4
EVEN, FALLING = 0, 1
_UNIT = 1 / 64  # of an AMAF visit: node counts are whole numbers

RAVES = Family("RAVE schedule")
AMAF_WEIGHTS = Family("AMAF weight")


@RAVES.register("off", kind=OFF)
class NoRave(NamedTuple):
    """No AMAF statistics are kept."""


@RAVES.register("amaf", kind=AMAF_ONLY)
class AmafOnly(NamedTuple):
    """The AMAF mean alone, as long as there is one."""


@RAVES.register("linear", kind=LINEAR)
class Linear(NamedTuple):
    """β falls linearly to 0 at n visits of the move (the lecture's α = min(1, N / 10000) is 1 - β)."""

    n: Annotated[float, Param("visits at which the AMAF mean no longer counts", 1, 1e12, "refinements", (10, 1e5))] = (
        10000.0
    )


@RAVES.register("silver", kind=SILVER)
class Silver(NamedTuple):
    """β = Ñ / (N + Ñ + 4 b² N Ñ) with N visits and Ñ AMAF visits of the move."""

    b: Annotated[float, Param("assumed bias of the AMAF mean", 0, 10, "Gelly and Silver 2007", (1e-3, 1))] = 0.02


@RAVES.register("weights", kind=WEIGHTS)
class Weights(NamedTuple):
    """The AMAF mean weighs w = i / (1/Ñ + i/f) against the N visits: slope i at first, at most f."""

    initial: Annotated[float, Param("weight of the first AMAF visit", 1e-9, 1e9, "Fuego", (0.1, 10))] = 1.0
    final: Annotated[float, Param("greatest weight", 1e-9, 1e12, "Fuego", (10, 1e5))] = 5000.0


@AMAF_WEIGHTS.register("even", kind=EVEN)
class Even(NamedTuple):
    """Every later move counts once, however late it was made."""

    def numbers(self) -> dict[str, float]:
        """Return the unit in which AMAF visits are kept."""
        return {"unit": 1.0}


@AMAF_WEIGHTS.register("falling", kind=FALLING)
class Falling(NamedTuple):
    """A move counts the less the later it was made: linearly from ``near`` for the next move to ``far`` at the end.

    1 and 0 are the weights of Fuego and Pentobi (1 - distance / length), 3 and 1 those of Pachi.
    """

    near: Annotated[float, Param("weight of a move made at once", 0, 100, "Fuego, Pentobi", (0, 4))] = 1.0
    far: Annotated[float, Param("weight of the last move of the playout", 0, 100, "Pachi", (0, 2))] = 0.0
    within: Annotated[int, Param("moves that count at all, from the position on; 0: to the end", 0, 10**6)] = 0

    def numbers(self) -> dict[str, float]:
        """Return the weights, and the unit in which AMAF visits are kept: whole numbers of it are exact."""
        return {"near": self.near / _UNIT, "far": self.far / _UNIT, "within": self.within, "unit": _UNIT}


@inlined
def units_at(weight, distance, length):
    """Return how many units a move counts that was made after ``distance`` of the ``length`` moves to come, rounded."""
    if weight.within > 0 and distance >= weight.within:
        return 0
    return np.int64(weight.near + (weight.far - weight.near) * distance / length + 0.5)


@inlined
def mixing_constants(rave):
    """Return the two numbers that ``mixed_mean`` needs, out of the record of a schedule."""
    if rave.kind == SILVER:
        return 4.0 * rave.b * rave.b, 0.0
    if rave.kind == LINEAR:
        return rave.n, 0.0
    return rave.initial, rave.final


@inlined
def mixed_mean(kind, first, second, visits, total, amaf_visits, amaf_total):
    """Return (1 - β) · mean + β · AMAF mean of a move with at least one AMAF visit, with the fewest divisions.

    Silver's β gives (total · (1 + 4b²Ñ) + AMAF total) / (N + Ñ + 4b²NÑ), which also holds for N = 0.
    """
    if kind == SILVER:
        grown = 1.0 + first * amaf_visits
        return (total * grown + amaf_total) / (visits * grown + amaf_visits)
    if kind == AMAF_ONLY or visits == 0.0:
        return amaf_total / amaf_visits
    if kind == LINEAR:
        share = max(0.0, 1.0 - visits / first)
        return (1.0 - share) * total / visits + share * amaf_total / amaf_visits
    weight = first / (1.0 / amaf_visits + first / second)
    return (total + weight * amaf_total / amaf_visits) / (visits + weight)
