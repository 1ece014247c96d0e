"""How a simulation chooses among the children of a node.

By the best value: UCB1 (Auer, Cesa-Bianchi and Fischer 2002; Kocsis and Szepesvári 2006), UCB1-tuned, with AMAF and
progressive bias mixed in; or the least visits, for equal playouts. By chance: the temperatures of the refinements
lecture.
"""

import math
from enum import IntEnum
from typing import Annotated, NamedTuple

import numpy as np

from montego.family import Family
from montego.kernels import borrowing, index, inlined
from montego.rng import uniform
from montego.search.knowledge import NO_BIAS, bias_scale, bias_term
from montego.search.rave import OFF, SILVER, mixed_mean, mixing_constants
from montego.search.records import BARRED, LOST, PROOF, PRUNED
from montego.search.widening import open_children
from montego.spec import Param

UCB1, TUNED, EQUAL = 0, 1, 2
BEST, PROPORTIONAL, BOLTZMANN, ANNEALED = 0, 1, 2, 3

_SLACK = 1.0 - 1e-12  # of a comparison of products in place of quotients: a thousand times what rounding can do

CHOICES = Family("choice")


class Bandit(IntEnum):
    """How the uncertainty of a move is added to its value: UCB1, or UCB1-tuned by the variance of its rewards."""

    UCB1 = UCB1
    TUNED = TUNED


@CHOICES.register("best", kind=BEST)
class Best(NamedTuple):
    """Always the best."""


@CHOICES.register("proportional", kind=PROPORTIONAL)
class Proportional(NamedTuple):
    """By chance in proportion to the values."""


@CHOICES.register("boltzmann", kind=BOLTZMANN)
class Boltzmann(NamedTuple):
    """By chance in proportion to exp(K v): K = 0 is uniform, a great K takes the best."""

    k: Annotated[float, Param("K, the inverse of the temperature", 0, 1e9, "refinements")] = 5.0


@CHOICES.register("annealed", kind=ANNEALED)
class Annealed(NamedTuple):
    """Like boltzmann with a K that rises from 0 in proportion to the visits of the position, up to k."""

    k: Annotated[float, Param("greatest K", 0, 1e9, "refinements")] = 5.0
    n: Annotated[float, Param("visits of the position at which it is reached", 1, 1e12, "refinements")] = 1000.0


@inlined
def evidence(settings, tree, number):
    """Return visits, total, AMAF visits and AMAF total of a child, with virtual simulations and wins of criticality."""
    child, unit = tree.nodes[index(number)], settings.amaf_weight.unit
    visits, total = float(child.visits), float(child.total)
    amaf_visits, amaf_total = unit * child.amaf_visits, unit * child.amaf_total
    if len(tree.starts) > 1:
        start = tree.starts[index(number)]
        visits += float(start.visits)
        total += float(start.total)
        amaf_visits += float(start.amaf_visits)
        amaf_total += float(start.amaf_total)
    if len(tree.critical) > 1:
        wins = settings.criticality * tree.critical[index(child.move)] * amaf_visits
        amaf_visits += wins
        amaf_total += wins
    return visits, total, amaf_visits, amaf_total


@inlined
def expected(settings, rave, visits, total, amaf_visits, amaf_total):
    """Return what is expected of a child: its mean mixed with the AMAF mean, or the value of a first play."""
    if rave != OFF and amaf_visits > 0.0:
        first, second = mixing_constants(settings.rave)
        return mixed_mean(rave, first, second, visits, total, amaf_visits, amaf_total)
    if visits > 0.0:
        return total / visits
    return settings.first_play


@borrowing
def tuned_width(child, squares, log_visits):
    """Return the uncertainty of UCB1-tuned without its constant: √(ln N / n · min(1/4, V + √(2 ln N / n)))."""
    visits = max(float(child.visits), 1.0)
    ratio = log_visits / visits
    mean = child.total / visits
    variance = max(squares / visits - mean * mean, 0.0)
    return math.sqrt(ratio * min(0.25, variance + math.sqrt(2.0 * ratio)))


@inlined
def child_value(settings, tree, number, rave, scale, log_visits):
    """Return the value by which a child is chosen: by its visits, by UCB1 or by UCB1-tuned, with the prior's bias."""
    child = tree.nodes[index(number)]
    if settings.bandit == EQUAL:
        return -float(child.visits)
    visits, total, amaf_visits, amaf_total = evidence(settings, tree, number)
    value = expected(settings, rave, visits, total, amaf_visits, amaf_total)
    if settings.bandit == TUNED:
        value += settings.c * tuned_width(child, tree.moments[index(number)].reward_squares, log_visits)
    elif settings.c > 0.0:
        counted = amaf_visits if settings.counted else visits
        value += settings.c * math.sqrt(log_visits / max(counted, 1.0))
    if settings.bias.kind != NO_BIAS:
        value += bias_term(settings.bias.kind, scale, float(child.prior), visits)
    return value


@inlined
def is_out(child):
    """Whether a child must not be chosen: a proven loss, pruned, or forbidden."""
    return (child.status & PROOF) == LOST or (child.status & (PRUNED | BARRED)) != 0


@borrowing
def best_by_silver(settings, tree, first, last):
    """Return the child of the highest mean by Silver's schedule, the first of equal ones, nearly without divisions.

    A fraction is above the best value so far only if its numerator is above that value times its denominator. Few are,
    and only these are divided, so that the values that decide are those of ``mixed_mean``. The slack covers rounding.
    """
    growth, first_play = mixing_constants(settings.rave)[0], settings.first_play
    best = first
    best_value, threshold = -1e300, -1.0
    for i in range(first, last):
        visits, total, amaf_visits, amaf_total = evidence(settings, tree, i)
        grown = 1.0 + growth * amaf_visits
        numerator, denominator = total * grown + amaf_total, visits * grown + amaf_visits
        if numerator > threshold * denominator or denominator == 0.0:
            value = numerator / denominator if denominator > 0.0 else first_play
            if value > best_value and not is_out(tree.nodes[index(i)]):
                best, best_value, threshold = np.int64(i), value, value * _SLACK
    return best


@borrowing
def best_by_ucb1(settings, nodes, first, last, log_visits):
    """Return the child of the highest UCB1 value, the first of equal ones, nearly without divisions and roots.

    A child of n visits and a total t is above a value B only if t + c √(n ln N) > n B: if n B - t is negative or its
    square below n c² ln N. Few are above the best so far, and only these are worth a division and a root, so that the
    values that decide are those of the formula. The slack covers rounding.
    """
    c, wide = settings.c, settings.c * settings.c * log_visits
    untried = settings.first_play + c * math.sqrt(log_visits)
    best = first
    best_value, threshold = -1e300, -1.0
    for i in range(first, last):
        child = nodes[index(i)]
        visits, value = float(child.visits), untried
        if visits > 0.0:
            missing = threshold * visits - child.total
            if missing > 0.0 and missing * missing > wide * visits:
                continue
            value = child.total / visits + c * math.sqrt(log_visits / visits)
        if value > best_value and not is_out(child):
            best, best_value, threshold = np.int64(i), value, value * _SLACK
    return best


@borrowing
def best_by_ucb1_and_rave(settings, nodes, rave, first, last, log_visits):
    """Return the child of the highest UCB1 value, its mean mixed with the AMAF mean, the first of equal ones.

    The hottest loop of a search: nothing but what UCB1 and RAVE need, the settings in registers.
    """
    rave_first, rave_second = mixing_constants(settings.rave)
    c, first_play = settings.c, settings.first_play
    best = first
    best_value = -1e300
    for i in range(first, last):
        child = nodes[index(i)]
        visits, amaf_visits = float(child.visits), float(child.amaf_visits)
        if amaf_visits > 0.0:
            value = mixed_mean(rave, rave_first, rave_second, visits, child.total, amaf_visits, child.amaf_total)
        elif visits > 0.0:
            value = child.total / visits
        else:
            value = first_play
        if c > 0.0:
            value += c * math.sqrt(log_visits / max(visits, 1.0))
        if value > best_value and not is_out(child):  # in this order, as few children are ever the best so far
            best, best_value = np.int64(i), value
    return best


@borrowing
def best_by_prior(settings, tree, parent, first, last, scale, log_visits):
    """Return the child of the highest value, where untried children are worth the more the likelier they are.

    Of these only the likeliest can be the best. Children stand in the order of the prior, so those that have been tried
    stand in front, and of the others only the first is looked at. A kept root that gets its missing children, with
    the history that a prior sees at a root, may have a few of them not quite in that order.
    """
    start = tree.starts[index(parent)]
    end = first + np.int64(start.opened)
    best, best_value, is_untried = first, -1e300, False
    number = first
    while number < end or (number < last and not is_untried):
        child = tree.nodes[index(number)]
        if not is_out(child):
            is_untried |= child.visits == 0
            value = child_value(settings, tree, number, OFF, scale, log_visits)
            if value > best_value:
                best, best_value = number, value
        number += 1
    start.opened = number - first
    return best


@borrowing
def counted_visits(settings, tree, first, last):
    """Return the visits of a node as though every AMAF update of a child of it were a playout too (the lecture's)."""
    count = 0.0
    for number in range(first, last):
        count += evidence(settings, tree, number)[2]
    return count


@borrowing
def best_child(settings, tree, parent, rave):
    """Return the child of the highest value, the first of equal ones; ``rave`` is the kind of the RAVE schedule."""
    nodes = tree.nodes
    node = nodes[index(parent)]
    first = np.int64(node.first_child)
    last = first + open_children(settings.widen, node)
    if rave == SILVER and settings.greedy:
        return best_by_silver(settings, tree, first, last)
    visits = float(node.visits)
    if settings.plain:
        log_visits = math.log(max(visits, 1.0))
        if rave == OFF:
            return best_by_ucb1(settings, nodes, first, last, log_visits)
        return best_by_ucb1_and_rave(settings, nodes, rave, first, last, log_visits)
    scale = bias_scale(settings.bias, visits)
    if settings.counted:
        visits = counted_visits(settings, tree, first, last)
    log_visits = math.log(max(visits, 1.0))
    if settings.by_prior:
        return best_by_prior(settings, tree, parent, first, last, scale, log_visits)
    best = first
    best_value = -1e300
    for number in range(first, last):
        if is_out(nodes[index(number)]):
            continue
        value = child_value(settings, tree, number, rave, scale, log_visits)
        if value > best_value:
            best, best_value = np.int64(number), value
    return best


@borrowing
def drawn_child(settings, tree, parent, rave, rng, weights):
    """Return a child drawn by the temperature; without any difference between them each is equally likely."""
    nodes = tree.nodes
    node = nodes[index(parent)]
    first, count = np.int64(node.first_child), open_children(settings.widen, node)
    inverse = settings.choice.k
    if settings.choice.kind == ANNEALED:
        inverse *= min(1.0, node.visits / settings.choice.n)
    best = 0.0
    for i in range(count):
        visits, total, amaf_visits, amaf_total = evidence(settings, tree, first + i)
        value = min(expected(settings, rave, visits, total, amaf_visits, amaf_total), 1.0)
        weights[index(i)] = -1.0 if is_out(nodes[index(first + i)]) else value
        best = max(best, weights[index(i)])
    total = 0.0
    for i in range(count):
        weight = weights[index(i)]
        if weight >= 0.0:
            weight = weight + 1e-9 if settings.choice.kind == PROPORTIONAL else math.exp(inverse * (weight - best))
            total += weight
        weights[index(i)] = max(weight, 0.0)
    mark = uniform(rng) * total
    chosen = first
    for i in range(count):
        if weights[index(i)] > 0.0:
            chosen = first + i
            mark -= weights[index(i)]
            if mark < 0.0:
                break
    return chosen


@inlined
def choose_child(settings, tree, parent, rave, rng, weights):
    """Return the child that a simulation goes to; ``rave`` is the kind of the RAVE schedule for this choice."""
    if settings.choice.kind == BEST:
        return best_child(settings, tree, parent, rave)
    return drawn_child(settings, tree, parent, rave, rng, weights)
