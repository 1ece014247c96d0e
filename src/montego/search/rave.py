"""How all-moves-as-first statistics are mixed into the value of a move: the share β of the AMAF mean.

The kinds are values of the settings record; the formulas are in ``mixed_mean``. Lecture "domain-independent refinements"
(linear schedule), Gelly and Silver 2007 and Silver's thesis (β with the bias b), and the weight formula of Pachi and Fuego.
"""

from typing import Annotated, Any, NamedTuple

from montego.kernels import inlined
from montego.spec import Param, Registry

OFF, AMAF_ONLY, LINEAR, SILVER, WEIGHTS = 0, 1, 2, 3, 4

RAVES: Registry[Any] = Registry("RAVE schedule")


class NoRave(NamedTuple):
    """No AMAF statistics are kept."""

    def setting(self) -> tuple[int, float, float]:
        """Return the kind and its two constants."""
        return OFF, 0.0, 0.0


class AmafOnly(NamedTuple):
    """The AMAF mean alone, as long as there is one."""

    def setting(self) -> tuple[int, float, float]:
        """Return the kind and its two constants."""
        return AMAF_ONLY, 0.0, 0.0


class Linear(NamedTuple):
    """β falls linearly to 0 at n visits of the move (the lecture's α = min(1, N / 10000) is 1 - β)."""

    n: Annotated[float, Param("visits at which the AMAF mean has no weight any more", 1, 1e12, "refinements")] = 10000.0

    def setting(self) -> tuple[int, float, float]:
        """Return the kind and its two constants."""
        return LINEAR, self.n, 0.0


class Silver(NamedTuple):
    """β = Ñ / (N + Ñ + 4 b² N Ñ) with N visits and Ñ AMAF visits of the move."""

    b: Annotated[float, Param("assumed bias of the AMAF mean", 0, 10, "Gelly and Silver 2007")] = 0.02

    def setting(self) -> tuple[int, float, float]:
        """Return the kind and its two constants."""
        return SILVER, 4.0 * self.b * self.b, 0.0


class Weights(NamedTuple):
    """The AMAF mean weighs w = i / (1/Ñ + i/f) against the N visits: slope i at first, at most f."""

    initial: Annotated[float, Param("weight of the first AMAF visit", 1e-9, 1e9, "Fuego")] = 1.0
    final: Annotated[float, Param("greatest weight", 1e-9, 1e12, "Fuego")] = 5000.0

    def setting(self) -> tuple[int, float, float]:
        """Return the kind and its two constants."""
        return WEIGHTS, self.initial, self.final


for _name, _class in (
    ("off", NoRave),
    ("amaf", AmafOnly),
    ("linear", Linear),
    ("silver", Silver),
    ("weights", Weights),
):
    RAVES.add(_name, _class)


@inlined
def mixed_mean(kind, first, second, visits, total, amaf_visits, amaf_total):
    """Return (1 - β) · mean + β · AMAF mean of a move with at least one AMAF visit, by as few divisions as there can be.

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
