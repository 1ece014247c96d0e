"""Progressive pruning: moves that are statistically inferior to a sibling are cut (Bouzy and Helmstetter 2003).

With the mean μ of the raw scores of a move and the standard error σ of that mean, a move is inferior to another if
μ + r_d σ of the one is below μ - r_d σ of the other; moves that are not, with both σ below σ_e, are equal. Hard
pruning is for ever; soft pruning takes a move back when it is no longer inferior. A pruned move is out of every
comparison, so that the best of the moves left always stays.

The lecture's slide prints σ < σ_e under "inferior" too. With that reading, which ``literal`` gives, nothing is pruned
at the published σ_e = 0.2: a 9×9 playout has a deviation of 39 points.
"""

import math
from typing import Annotated, NamedTuple

import numpy as np

from montego.family import Family
from montego.kernels import borrowing, index
from montego.search.records import ALL_EQUAL, BARRED, ENOUGH, ONE_LEFT, OPEN, PRUNED
from montego.spec import Param

KEEP_ALL, HARD, SOFT = 0, 1, 2

PRUNINGS = Family("pruning")


@PRUNINGS.register("off", kind=KEEP_ALL)
class NoPruning(NamedTuple):
    """Every move stays."""


class _Pruning(NamedTuple):
    rd: Annotated[
        float, Param("half width of the interval of a mean, in standard errors; the lecture: 1", 0, 1e3, "refinements")
    ] = 4.0
    sigma: Annotated[float, Param("standard error in points below which moves are equal", 1e-9, 1e9, "refinements")] = (
        0.2
    )
    visits: Annotated[int, Param("playouts of a move before it can be pruned", 2, 10**9, "refinements")] = 100
    every: Annotated[int, Param("playouts of the position between two comparisons", 1, 10**9, "refinements")] = 100
    most: Annotated[int, Param("playouts in all, per legal move, after which it stops", 1, 10**9, "refinements")] = (
        10000
    )
    literal: Annotated[bool, Param("whether inferior moves need that standard error, too", paper="refinements")] = False


@PRUNINGS.register("hard", kind=HARD)
class Hard(_Pruning):
    """Inferior moves are never tried again."""


@PRUNINGS.register("soft", kind=SOFT)
class Soft(_Pruning):
    """Inferior moves are not tried as long as they are inferior."""


@borrowing
def standard_error(moment, visits):
    """Return the standard error of the mean score of a move."""
    mean = moment.score / visits
    return math.sqrt(max(moment.score_squares / visits - mean * mean, 0.0) / visits)


@borrowing
def best_left(rule, tree, first, count):
    """Return the greatest μ - r_d σ of the moves that can be compared and are not pruned."""
    nodes, moments = tree.nodes, tree.moments
    best = -1e300
    for i in range(first, first + count):
        visits = nodes[index(i)].visits
        if visits >= rule.visits and not nodes[index(i)].status & (BARRED | PRUNED):
            error = standard_error(moments[index(i)], float(visits))
            if error < rule.sigma or not rule.literal:
                best = max(best, moments[index(i)].score / visits - rule.rd * error)
    return best


@borrowing
def prune_children(rule, tree, parent):
    """Compare the children of a node; return why the position needs no more playouts, or OPEN."""
    nodes, moments = tree.nodes, tree.moments
    node = nodes[index(parent)]
    first, count = np.int64(node.first_child), np.int64(node.children)
    left_end = best_left(rule, tree, first, count)
    left, precise, legal = 0, 0, 0
    for i in range(first, first + count):
        child = nodes[index(i)]
        if child.status & BARRED:
            continue
        legal += 1
        visits, exact = float(child.visits), False
        if visits >= rule.visits:
            error = standard_error(moments[index(i)], visits)
            exact = error < rule.sigma
            comparable = exact or not rule.literal
            if comparable and moments[index(i)].score / visits + rule.rd * error < left_end:
                child.status |= np.uint16(PRUNED)
            elif rule.kind == SOFT:
                child.status &= np.uint16(0xFFFF ^ PRUNED)
        if not child.status & PRUNED:
            left += 1
            precise += np.int64(exact)
    if left == 1:
        return ONE_LEFT
    if precise == left:
        return ALL_EQUAL
    return ENOUGH if node.visits >= rule.most * legal else OPEN
