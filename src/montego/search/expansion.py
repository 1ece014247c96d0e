"""When a leaf of the tree gets its children, which ones, and in what order.

The three rules of the refinements lecture: all ends, visit count, transition probability (Yajima et al. 2011).
"""

import math
from statistics import NormalDist
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.kernels import index, kernel
from montego.playouts import move_weights
from montego.rng import shuffle
from montego.search.records import CHOSEN_FROM, PRUNED, ROOT
from montego.spec import Param, Registry

EXPANSIONS: Registry[Any] = Registry("expansion rule")


class Setting(NamedTuple):
    """An expansion rule as numbers for the kernels; the fields of the settings record say what they mean."""

    visits: int
    least: int = 0
    confidence: float = 0.0
    early: int = 0


class AllEnds(NamedTuple):
    """Every leaf that a simulation reaches is expanded at once."""

    def setting(self) -> Setting:
        """Return the rule as numbers."""
        return Setting(0)


class Visits(NamedTuple):
    """A leaf is expanded when it has been visited often enough, perhaps only by moves that its playouts began with."""

    n: Annotated[int, Param("visits of the leaf", 1, 10**9, "refinements")] = 2
    least: Annotated[int, Param("playouts that must have begun with a move; 0: all are added", 0, 10**9)] = 0

    def setting(self) -> Setting:
        """Return the rule as numbers."""
        return Setting(self.n, self.least)


class Transition(NamedTuple):
    """A leaf is expanded when it is better than its parent's average with some confidence, or at n visits anyway.

    The parent's average stands for the siblings. Variances are those of win-or-lose rewards.
    """

    confidence: Annotated[float, Param("probability that it is better", 0.5, 0.999999, "refinements")] = 0.7
    early: Annotated[int, Param("visits before which it is not expanded", 1, 10**9, "refinements")] = 2
    n: Annotated[int, Param("visits at which it is expanded in any case", 1, 10**9, "refinements")] = 20

    def setting(self) -> Setting:
        """Return the rule as numbers."""
        return Setting(self.n, 0, max(NormalDist().inv_cdf(self.confidence), 1e-9), self.early)


EXPANSIONS.add("all_ends", AllEnds)
EXPANSIONS.add("visits", Visits)
EXPANSIONS.add("transition", Transition)


@kernel
def is_promising(settings, node, parent):
    """Whether a leaf is better than its parent's average, for the player who moved into it, with enough confidence."""
    visits, all_visits = float(node.visits), float(parent.visits)
    mean = (node.total + 0.5) / (visits + 1.0)
    average = (all_visits - parent.total + 0.5) / (all_visits + 1.0)  # the parent's total is for the other player
    variance = mean * (1.0 - mean) / visits + average * (1.0 - average) / all_visits
    return mean - average >= settings.expand_confidence * math.sqrt(max(variance, 0.0))


@kernel
def is_ripe(settings, nodes, path, depth):
    """Whether the leaf at the end of a path shall get children, or choose among them, now."""
    node = nodes[index(path[index(depth)].node)]
    visits = node.visits - path[index(depth)].loss  # the virtual loss of this simulation is no visit yet
    if visits >= settings.expand_visits:
        return True
    if settings.expand_confidence <= 0.0 or depth == 0 or visits < settings.expand_early:
        return False
    return is_promising(settings, node, nodes[index(path[index(depth - 1)].node)])


@kernel
def sort_by_weight(moves, weights, count):
    """Put moves into the order of falling weights, equal ones as they are: insertion, as there are few."""
    for i in range(1, count):
        move, weight = moves[index(i)], weights[index(i)]
        place = i
        while place > 0 and weights[index(place - 1)] < weight:
            moves[index(place)], weights[index(place)] = moves[index(place - 1)], weights[index(place - 1)]
            place -= 1
        moves[index(place)], weights[index(place)] = move, weight


@kernel
def weigh(prior, game, settings, state, rng, trace, end, moves, count, weights):
    """Write each move's share of the policy's weights; for widening also put the moves into their order.

    Moves of equal weight come in random order, or widening would begin in one corner of the board.
    """
    if settings.widen > 0.0:
        shuffle(rng, moves, count)
    move_weights(prior, game, state, trace, end, moves, count, weights)
    total = 0.0
    for i in range(count):
        total += weights[index(i)]
    for i in range(count):
        weights[index(i)] /= total
    if settings.widen > 0.0:
        sort_by_weight(moves, weights, count)


@kernel
def add_children(nodes, moments, tree, parent, moves, weights, count):
    """Give a leaf its children, unless the thread's part of the array is full."""
    first = tree.next_node
    if first + count > tree.end_of_nodes:
        return False
    for i in range(count):
        child = nodes[index(first + i)]
        child.total = 0.0
        child.amaf_total = 0.0
        child.visits = 0
        child.amaf_visits = 0
        child.move = moves[index(i)]
        child.first_child = 0
        child.prior = weights[index(i)]
        child.children = 0
        child.status = 0
    if len(moments) > 1:
        for i in range(first, first + count):
            moments[index(i)].reward_squares = 0.0
            moments[index(i)].score = 0.0
            moments[index(i)].score_squares = 0.0
    tree.next_node += count
    nodes[index(parent)].children = count
    nodes[index(parent)].first_child = first  # last: from now on other threads see the children
    return True


@kernel
def keep_simulated(settings, nodes, parent):
    """Leave out the children that too few playouts from the leaf began with, unless that leaves none."""
    node = nodes[index(parent)]
    node.status |= np.uint16(CHOSEN_FROM)
    enough = 0
    for i in range(node.first_child, node.first_child + node.children):
        enough += np.int64(nodes[index(i)].visits >= settings.expand_least)
    if enough == 0:
        return
    for i in range(node.first_child, node.first_child + node.children):
        if nodes[index(i)].visits < settings.expand_least:
            nodes[index(i)].status |= np.uint16(PRUNED)


@kernel
def transplant(nodes, moments, new_nodes, new_moments, root):
    """Copy the tree below a node into new arrays, breadth first, and return how many nodes it has, or 0: no room."""
    new_nodes[ROOT] = nodes[index(root)]
    count = 1
    if len(moments) > 1:
        new_moments[ROOT] = moments[index(root)]
    at = 0
    while at < count:
        node = new_nodes[index(at)]
        first, children = np.int64(node.first_child), np.int64(node.children)
        if first > 0:
            if count + children > len(new_nodes):
                return 0
            for i in range(children):
                new_nodes[index(count + i)] = nodes[index(first + i)]
                if len(moments) > 1:
                    new_moments[index(count + i)] = moments[index(first + i)]
            node.first_child = count
            count += children
        at += 1
    return count
