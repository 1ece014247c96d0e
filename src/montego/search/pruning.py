"""Progressive pruning: moves that are statistically inferior to a sibling are cut (Bouzy and Helmstetter 2003).

With the mean μ of the raw scores of a move and the standard error σ of that mean, a move is inferior to another if
μ + r_d σ of the one is below μ - r_d σ of the other and both σ are below σ_e; moves that are not, with both σ below σ_e,
are equal. Hard pruning is for ever; soft pruning takes a move back when it is no longer inferior.
"""

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.kernels import index, kernel
from montego.search.records import ALL_EQUAL, BARRED, ENOUGH, ONE_LEFT, OPEN, PRUNED
from montego.spec import Param, Registry

KEEP_ALL, HARD, SOFT = 0, 1, 2
_MOST_VISITS = 10000  # playouts a move after which it stops, by the paper

PRUNINGS: Registry[Any] = Registry("pruning")


class Setting(NamedTuple):
    """A pruning as numbers for the kernels; the fields of the settings record say what they mean."""

    kind: int
    distance: float = 1.0
    sigma: float = 1.0
    visits: int = 1
    every: int = 1


class NoPruning(NamedTuple):
    """Every move stays."""

    def setting(self) -> Setting:
        """Return the pruning as numbers."""
        return Setting(KEEP_ALL)


class Hard(NamedTuple):
    """Inferior moves are never tried again."""

    rd: Annotated[float, Param("half width of the interval of a mean, in standard errors", 0, 1e3, "refinements")] = 4.0
    sigma: Annotated[float, Param("standard error in points below which moves compare", 1e-9, 1e9, "refinements")] = 0.2
    visits: Annotated[int, Param("playouts of a move before it can be pruned", 2, 10**9, "refinements")] = 100
    every: Annotated[int, Param("playouts of the position between two comparisons", 1, 10**9, "refinements")] = 100

    def setting(self) -> Setting:
        """Return the pruning as numbers."""
        return Setting(HARD, *self)


class Soft(NamedTuple):
    """Inferior moves are not tried as long as they are inferior."""

    rd: Annotated[float, Param("half width of the interval of a mean, in standard errors", 0, 1e3, "refinements")] = 4.0
    sigma: Annotated[float, Param("standard error in points below which moves compare", 1e-9, 1e9, "refinements")] = 0.2
    visits: Annotated[int, Param("playouts of a move before it can be pruned", 2, 10**9, "refinements")] = 100
    every: Annotated[int, Param("playouts of the position between two comparisons", 1, 10**9, "refinements")] = 100

    def setting(self) -> Setting:
        """Return the pruning as numbers."""
        return Setting(SOFT, *self)


PRUNINGS.add("off", NoPruning)
PRUNINGS.add("hard", Hard)
PRUNINGS.add("soft", Soft)


@kernel
def standard_error(moment, visits):
    """Return the standard error of the mean score of a move."""
    mean = moment.score / visits
    return math.sqrt(max(moment.score_squares / visits - mean * mean, 0.0) / visits)


@kernel
def best_left(settings, nodes, moments, first, count):
    """Return the greatest μ - r_d σ of the moves that can be compared."""
    best = -1e300
    for i in range(first, first + count):
        visits = nodes[index(i)].visits
        if visits >= settings.prune_visits and not nodes[index(i)].status & BARRED:
            error = standard_error(moments[index(i)], float(visits))
            if error < settings.prune_sigma:
                best = max(best, moments[index(i)].score / visits - settings.prune_distance * error)
    return best


@kernel
def prune_children(settings, nodes, moments, parent):
    """Compare the children of a node; return why the position needs no more playouts, or OPEN."""
    node = nodes[index(parent)]
    first, count = np.int64(node.first_child), np.int64(node.children)
    left_end = best_left(settings, nodes, moments, first, count)
    left, comparable, enough = 0, 0, 0
    for i in range(first, first + count):
        child = nodes[index(i)]
        if child.status & BARRED:
            continue
        visits = float(child.visits)
        known = visits >= settings.prune_visits
        if known:
            error = standard_error(moments[index(i)], visits)
            known = error < settings.prune_sigma
            if known and moments[index(i)].score / visits + settings.prune_distance * error < left_end:
                child.status |= np.uint16(PRUNED)
            elif settings.prune == SOFT:
                child.status &= np.uint16(0xFFFF ^ PRUNED)
        if not child.status & PRUNED:
            left += 1
            comparable += np.int64(known)
            enough += np.int64(visits >= _MOST_VISITS)
    if left == 1:
        return ONE_LEFT
    if comparable == left:
        return ALL_EQUAL
    return ENOUGH if enough == left else OPEN
