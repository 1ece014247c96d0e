"""When a leaf of the tree gets its children, which ones, and in what order.

The three rules of the refinements lecture: all ends, visit count, transition probability (Yajima et al. 2011).
"""

import math
from statistics import NormalDist
from typing import Annotated, NamedTuple

import numpy as np

from montego.family import Family
from montego.games.rules import to_move
from montego.kernels import borrowing, copy_record, index, inlined
from montego.playouts import HISTORY, move_values, move_weights
from montego.rng import shuffle
from montego.search.knowledge import NONE, VALUES, judge_by_weights, write_start
from montego.search.records import CHOSEN_FROM, PRUNED, ROOT
from montego.spec import Param

EXPANSIONS = Family("expansion rule")


@EXPANSIONS.register("all_ends")
class AllEnds(NamedTuple):
    """Every leaf that a simulation reaches is expanded at once."""


@EXPANSIONS.register("visits")
class Visits(NamedTuple):
    """A leaf is expanded when it has been visited often enough, perhaps only by moves that its playouts began with."""

    n: Annotated[int, Param("visits of the leaf", 1, 10**9, "refinements", (1, 50))] = 2
    least: Annotated[int, Param("playouts that must have begun with a move; 0: all are added", 0, 10**9)] = 0


@EXPANSIONS.register("transition")
class Transition(NamedTuple):
    """A leaf is expanded when it is better than its parent's average with some confidence, or at n visits anyway.

    The parent's average stands for the siblings. Variances are those of win-or-lose rewards.
    """

    confidence: Annotated[float, Param("probability that it is better", 0.5, 0.999999, "refinements")] = 0.7
    early: Annotated[int, Param("visits before which it is not expanded", 1, 10**9, "refinements")] = 2
    n: Annotated[int, Param("visits at which it is expanded in any case", 1, 10**9, "refinements", (2, 100))] = 20

    def numbers(self) -> dict[str, float]:
        """Return the rule as numbers, the confidence as a z-score."""
        return {"n": self.n, "early": self.early, "z": max(NormalDist().inv_cdf(self.confidence), 1e-9)}


@borrowing
def is_promising(settings, node, parent):
    """Whether a leaf is better than its parent's average, for the player who moved into it, with enough confidence."""
    visits, all_visits = float(node.visits), float(parent.visits)
    mean = (node.total + 0.5) / (visits + 1.0)
    average = (all_visits - parent.total + 0.5) / (all_visits + 1.0)  # the parent's total is for the other player
    variance = mean * (1.0 - mean) / visits + average * (1.0 - average) / all_visits
    return mean - average >= settings.expand.z * math.sqrt(max(variance, 0.0))


@borrowing
def is_ripe(settings, nodes, path, depth):
    """Whether the leaf at the end of a path shall get children, or choose among them, now."""
    node = nodes[index(path[index(depth)].node)]
    visits = node.visits - path[index(depth)].loss  # the virtual loss of this simulation is not a visit yet
    if visits >= settings.expand.n:
        return True
    if settings.expand.z <= 0.0 or depth == 0 or visits < settings.expand.early:
        return False
    return is_promising(settings, node, nodes[index(path[index(depth - 1)].node)])


@borrowing
def sort_by_weight(moves, weights, count):
    """Put moves into the order of falling weights, equal ones as they are: insertion, as there are few."""
    for i in range(1, count):
        move, weight = moves[index(i)], weights[index(i)]
        place = i
        while place > 0 and weights[index(place - 1)] < weight:
            moves[index(place)], weights[index(place)] = moves[index(place - 1)], weights[index(place - 1)]
            place -= 1
        moves[index(place)], weights[index(place)] = move, weight


@borrowing
def weigh(prior, game, settings, desk, end, moves):
    """Write each move's share of the prior's weights to the desk, and return how many moves the tree shall have.

    A move without weight is left out, unless none has any: then all have the same share. The moves that stay come
    first. For widening they are put into their order; moves of equal weight come in random order, or widening would
    begin in one corner of the board.
    """
    count = len(moves)
    weights = desk.weights[:count]
    if settings.widen.visits > 0.0:
        shuffle(desk.rng, moves, count)
    move_weights(prior, game, desk.prior_memory, desk.work, desk.trace, end, moves, weights)
    kept = 0
    total = 0.0
    for i in range(count):
        weight = weights[index(i)]
        moves[index(kept)], weights[index(kept)] = moves[index(i)], weight
        total += weight
        kept += np.int64(weight > 0.0)
    if kept == 0:
        kept, total = count, float(count)
        weights[:] = 1.0
    for i in range(kept):
        weights[index(i)] /= total
    if settings.widen.visits > 0.0:
        sort_by_weight(moves, weights, kept)
    return kept


@borrowing
def judge(prior, game, settings, desk, root, end, moves):
    """Write to the desk what the prior thinks that moves are worth, and how many simulations that is worth.

    The mean at the root begins at 1/2, as if there had been a draw before the first simulation.
    """
    count = len(moves)
    opinions = desk.opinions[:, :count]
    if settings.initial.kind == VALUES:
        for i in range(count):
            opinions[1, index(i)] = desk.weights[index(i)]
        move_values(prior, game, desk.prior_memory, desk.work, desk.trace, end, moves, opinions)
    else:
        mean = (root.total + 0.5) / (root.visits + 1.0)  # for the player who moved into the root
        if to_move(game, desk.work) != desk.path[0].mover:
            mean = 1.0 - mean
        judge_by_weights(desk.weights[:count], mean, opinions)


@inlined
def add_children(settings, tree, desk, parent, moves):
    """Give a leaf its children, unless the thread's part of the array is full."""
    nodes, counters, weights = tree.nodes, desk.counters, desk.weights
    count = len(moves)
    first = counters.next_node
    if first + count > counters.end_of_nodes:
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
    if len(tree.moments) > 1:
        for i in range(first, first + count):
            tree.moments[index(i)].reward_squares = 0.0
            tree.moments[index(i)].score = 0.0
            tree.moments[index(i)].score_squares = 0.0
    if len(tree.starts) > 1:
        for i in range(count):
            value, opinion = desk.opinions[0, index(i)], desk.opinions[1, index(i)]
            write_start(settings.initial, tree.starts[index(first + i)], value, opinion)
    counters.next_node += count
    nodes[index(parent)].children = count
    nodes[index(parent)].first_child = first  # last: from now on other threads see the children
    return True


@inlined
def grow(prior, game, settings, tree, desk, end, parent, moves):
    """Give a leaf, whose position is on the desk, a child for each of some moves; return whether there was room."""
    if settings.weighed:
        moves = moves[: weigh(prior, game, settings, desk, end, moves)]
    if settings.initial.kind != NONE:
        judge(prior, game, settings, desk, tree.nodes[ROOT], end, moves)
    return add_children(settings, tree, desk, parent, moves)


@borrowing
def grow_root(prior, game, settings, tree, desk, state, moves):
    """Give the root, a position that no simulation has reached yet, its children."""
    copy_record(desk.work, state)
    return grow(prior, game, settings, tree, desk, HISTORY, ROOT, moves)


@borrowing
def keep_simulated(settings, nodes, parent):
    """Leave out the children that too few playouts from the leaf began with, unless that leaves none."""
    node = nodes[index(parent)]
    node.status |= np.uint16(CHOSEN_FROM)
    enough = 0
    for i in range(node.first_child, node.first_child + node.children):
        enough += np.int64(nodes[index(i)].visits >= settings.expand.least)
    if enough == 0:
        return
    for i in range(node.first_child, node.first_child + node.children):
        if nodes[index(i)].visits < settings.expand.least:
            nodes[index(i)].status |= np.uint16(PRUNED)


@borrowing
def copy_node(tree, number, new_tree, new_number):
    """Copy a node into another tree, with all that is kept beside it."""
    new_tree.nodes[index(new_number)] = tree.nodes[index(number)]
    if len(tree.moments) > 1:
        new_tree.moments[index(new_number)] = tree.moments[index(number)]
    if len(tree.starts) > 1:
        new_tree.starts[index(new_number)] = tree.starts[index(number)]


@borrowing
def transplant(tree, new_tree, root):
    """Copy the tree below a node into a new one, breadth first, and return how many nodes it has, or 0: no room."""
    new_nodes = new_tree.nodes
    copy_node(tree, root, new_tree, ROOT)
    count = 1
    at = 0
    while at < count:
        node = new_nodes[index(at)]
        first, children = np.int64(node.first_child), np.int64(node.children)
        if first > 0:
            if count + children > len(new_nodes):
                return 0
            for i in range(children):
                copy_node(tree, first + i, new_tree, count + i)
            node.first_child = count
            count += children
        at += 1
    return count
