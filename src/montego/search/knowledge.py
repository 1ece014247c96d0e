"""What the prior knows of moves, as the tree uses it: a term added to their values, and simulations they begin with.

A *bias* is added to the value of a move and fades as the move is visited. An *initial value* is a number of virtual
simulations of a given result, counted together with the real ones wherever a move is valued and nowhere else: they are
kept beside the nodes, so that visits, proofs, moments, the budget and what is reported know only real simulations.
"""

import math
from typing import Annotated, NamedTuple

from montego.family import Family
from montego.kernels import borrowing, index, inlined
from montego.spec import Param

NO_BIAS, BY_VISITS, BY_ROOT, PUCT, PUCT_LOG = 0, 1, 2, 3, 4
NONE, VALUES, RELATIVE = 0, 1, 2

BIASES = Family("bias", number="progressive")
INITIALS = Family("initial value")


@BIASES.register("off", kind=NO_BIAS)
class NoBias(NamedTuple):
    """Nothing is added."""


@BIASES.register("progressive", kind=BY_VISITS)
class ByVisits(NamedTuple):
    """w P / (n + 1): fades with the visits (Chaslot et al. 2008; the form of ERICA)."""

    weight: Annotated[float, Param("w; P is the prior's share of the move", 0, 1e6, "ERICA", (0.01, 100))] = 1.0


@BIASES.register("root", kind=BY_ROOT)
class ByRoot(NamedTuple):
    """w P / √(n + 1): fades with the square root of the visits, as in MoHex 2.0."""

    weight: Annotated[float, Param("w; P is the prior's share of the move", 0, 1e6, "MoHex 2.0", (0.01, 100))] = 2.47


@BIASES.register("puct", kind=PUCT)
class Puct(NamedTuple):
    """c P √N / (1 + n): exploration in proportion to the prior (Rosin 2011; the form of AlphaGo)."""

    c: Annotated[float, Param("c; P is the prior's share of the move", 0, 1e6, "AlphaGo", (0.01, 10))] = 1.0


@BIASES.register("puct_log", kind=PUCT_LOG)
class PuctLog(NamedTuple):
    """c P √N ln(N + 1) / n: the form of Pentobi, where n is at least 1."""

    c: Annotated[float, Param("c; P is the prior's share of the move", 0, 1e6, "Pentobi", (0.01, 10))] = 0.5


# A tuple has a method ``count``, which a type checker must be told to overlook; that takes the rest of the line.
_COUNT = Param("factor of the prior's counts, for the mean", 0, 1e6, "Pachi, michi", (0, 200))
_SIMULATIONS = Param("simulations of that value, for the mean", 0, 1e6, "Pentobi", (0, 50))


@INITIALS.register("off", kind=NONE)
class NoInitial(NamedTuple):
    """Moves begin without any simulation."""


@INITIALS.register("values", kind=VALUES)
class Values(NamedTuple):
    """The values and counts that the prior states (its ``move_values``); by default value 1 with √P simulations."""

    count: Annotated[float, _COUNT] = 1.0  # type: ignore[assignment]
    amaf: Annotated[float, Param("factor of the prior's counts, for the AMAF mean", 0, 1e6, "Fuego", (0, 200))] = 0.0
    even: Annotated[float, Param("simulations of value 1/2 beside them, for the mean", 0, 1e6, "Pachi", (0, 50))] = 0.0
    even_amaf: Annotated[float, Param("the same for the AMAF mean", 0, 1e6, "MoHex 2.0")] = 0.0


@INITIALS.register("relative", kind=RELATIVE)
class Relative(NamedTuple):
    """The mean at the root for the player who moves, times √(P / greatest P), as in Pentobi."""

    count: Annotated[float, _SIMULATIONS] = 3.0  # type: ignore[assignment]
    amaf: Annotated[float, Param("the same for the AMAF mean", 0, 1e6)] = 0.0


@inlined
def bias_scale(bias, parent_visits):
    """Return what ``bias_term`` has in common for all children of a node with N visits."""
    if bias.kind == PUCT:
        return bias.c * math.sqrt(parent_visits)
    if bias.kind == PUCT_LOG:
        return bias.c * math.sqrt(parent_visits) * math.log(parent_visits + 1.0)
    return bias.weight


@inlined
def bias_term(kind, scale, prior, visits):
    """Return what is added to the value of a move with the share P of the prior and n visits, virtual ones included."""
    if kind == BY_ROOT:
        return scale * prior / math.sqrt(visits + 1.0)
    if kind == PUCT_LOG:
        return scale * prior / max(visits, 1.0)
    return scale * prior / (visits + 1.0)


@borrowing
def judge_by_weights(shares, base, opinions):
    """Write the value of each move as ``relative`` has it, with one simulation; ``base`` is the value of the best."""
    greatest = 0.0
    for i in range(len(shares)):
        greatest = max(greatest, shares[index(i)])
    scale = base / math.sqrt(greatest)
    for i in range(len(shares)):
        opinions[0, index(i)] = scale * math.sqrt(shares[index(i)])
        opinions[1, index(i)] = 1.0


@borrowing
def write_start(initial, start, value, count):
    """Write the virtual simulations of a move whose prior states a value and a number of simulations."""
    start.visits = initial.count * count + initial.even
    start.total = initial.count * count * value + 0.5 * initial.even
    start.amaf_visits = initial.amaf * count + initial.even_amaf
    start.amaf_total = initial.amaf * count * value + 0.5 * initial.even_amaf
    start.opened = 0
