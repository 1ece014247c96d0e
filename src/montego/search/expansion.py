"""When a leaf of the tree gets its children, which ones, and in what order.

The three rules of the refinements lecture: all ends, visit count, transition probability (Yajima et al. 2011).
"""

import math
from statistics import NormalDist
from typing import Annotated, NamedTuple

import numpy as np

from montego.family import Family
from montego.games.rules import search_moves, to_move
from montego.kernels import borrowing, copy_record, index, inlined
from montego.playouts import HISTORY, move_values, move_weights
from montego.rng import shuffle
from montego.search.keeping import copy_node
from montego.search.knowledge import NONE, VALUES, judge_by_weights, write_start
from montego.search.records import CHOSEN_FROM, FULL, HAS_ROOM, MORE, PRUNED, ROOT
from montego.spec import Param

EXPANSIONS = Family("expansion rule")

# Where choices look at one untried child at a time, a node begins with the likeliest few of its moves, and has so many
# times more whenever all have been tried. Of several hundred moves most are never tried.
AT_FIRST = 16
STEPS = 4


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
def sort_by_weight(moves, weights, count, wanted):
    """Put the ``wanted`` moves of the greatest weights in front, in their order, equal ones as they are.

    What else is left there is of no use. By insertion: most moves are not among the wanted, or these are few.
    """
    for i in range(1, count):
        move, weight = moves[index(i)], weights[index(i)]
        place = min(i, wanted)
        while place > 0 and weights[index(place - 1)] < weight:
            if place < wanted:
                moves[index(place)], weights[index(place)] = moves[index(place - 1)], weights[index(place - 1)]
            place -= 1
        if place < wanted:
            moves[index(place)], weights[index(place)] = move, weight


@borrowing
def weigh(prior, game, settings, desk, end, moves):
    """Write each move's share of the prior's weights to the desk, and return how many moves the tree shall have.

    A move without weight is left out, unless none has any: then all have the same share. The moves that stay come
    first. For widening they come in random order, in which moves of equal weight stay when they are sorted; else
    widening would begin in one corner of the board.
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


@borrowing
def write_child(settings, tree, desk, number, move, place):
    """Write a node that no simulation has reached yet, by what the desk has on the move at a place."""
    child = tree.nodes[index(number)]
    child.total = 0.0
    child.amaf_total = 0.0
    child.visits = 0
    child.amaf_visits = 0
    child.move = move
    child.first_child = 0
    child.prior = desk.weights[index(place)]
    child.children = 0
    child.status = 0
    if len(tree.moments) > 1:
        moment = tree.moments[index(number)]
        moment.reward_squares = 0.0
        moment.score = 0.0
        moment.score_squares = 0.0
    if len(tree.starts) > 1:
        value, opinion = desk.opinions[0, index(place)], desk.opinions[1, index(place)]
        write_start(settings.initial, tree.starts[index(number)], value, opinion)


@inlined
def room_for(counters, count):
    """Whether the thread's part of the array has room for so many nodes; note it if not."""
    if counters.next_node + count <= counters.end_of_nodes:
        return True
    if counters.room == HAS_ROOM:
        counters.room = FULL
    return False


@inlined
def link(tree, counters, parent, count):
    """Make the next nodes of the array, which are written, a node's children: last, as other threads then see them."""
    node = tree.nodes[index(parent)]
    node.children = count
    node.first_child = counters.next_node
    counters.next_node += count


@inlined  # as a function of its own it halved the speed of searches of small games in every second process
def offer(prior, game, settings, desk, root, end, moves, wanted):
    """Write to the desk what the prior thinks of moves, and return how many there are and how many come to the tree.

    Only up to ``wanted`` of them come, the likeliest, where choices look at one untried child at a time.
    """
    count = len(moves)
    if settings.weighed:
        count = weigh(prior, game, settings, desk, end, moves)
    chosen = min(count, wanted)
    if settings.widen.visits > 0.0 or settings.by_prior:
        sort_by_weight(moves, desk.weights, count, chosen)
    if settings.initial.kind != NONE:
        judge(prior, game, settings, desk, root, end, moves[:chosen])
    return count, chosen


@inlined
def grow(settings, tree, desk, parent, moves, count, chosen):
    """Give a leaf a child for each of the first ``chosen`` of ``count`` moves; return whether there was room."""
    counters = desk.counters
    if not room_for(counters, chosen):
        return False
    for i in range(chosen):
        write_child(settings, tree, desk, counters.next_node + i, moves[index(i)], i)
    if chosen < count:
        tree.nodes[index(parent)].status |= np.uint16(MORE)
    link(tree, counters, parent, chosen)
    return True


@inlined
def wants_more(tree, parent):
    """Whether all children of a node have been tried, and there are moves that it has no children for."""
    node = tree.nodes[index(parent)]
    return (node.status & MORE) != 0 and tree.nodes[index(node.first_child + node.children - 1)].visits > 0


@borrowing
def has_child(nodes, parent, move):
    """Whether a node has a child for a move."""
    node = nodes[index(parent)]
    for i in range(node.first_child, node.first_child + node.children):
        if nodes[index(i)].move == move:
            return True
    return False


@borrowing
def add_children(settings, tree, desk, parent, moves, count, chosen):
    """Give a node those of the first ``chosen`` of ``count`` moves that it lacks, all its children in a new place."""
    nodes, counters = tree.nodes, desk.counters
    old, first = np.int64(nodes[index(parent)].children), np.int64(counters.next_node)
    if not room_for(counters, old + chosen):
        return False
    for i in range(old):
        copy_node(tree, nodes[index(parent)].first_child + i, first + i)
    total = old
    for i in range(chosen):
        if not has_child(nodes, parent, moves[index(i)]):
            write_child(settings, tree, desk, first + total, moves[index(i)], i)
            total += 1
    if chosen == count:
        nodes[index(parent)].status &= np.uint16(0xFFFF ^ MORE)
    link(tree, counters, parent, total)
    return True


@borrowing
def add_likely_children(prior, game, settings, tree, desk, depth, parent):
    """Give a node on the path, whose children have all been tried, some more."""
    moves = desk.scratch[: search_moves(game, desk.work, desk.scratch)]
    wanted = STEPS * np.int64(tree.nodes[index(parent)].children)
    count, chosen = offer(prior, game, settings, desk, tree.nodes[ROOT], HISTORY + depth, moves, wanted)
    add_children(settings, tree, desk, parent, moves, count, chosen)


@borrowing
def grow_root(prior, game, settings, tree, desk, state, moves):
    """Give the root, whatever children it has, one for each of some moves; return whether there was room."""
    copy_record(desk.work, state)
    count, chosen = offer(prior, game, settings, desk, tree.nodes[ROOT], HISTORY, moves, len(moves))
    if tree.nodes[ROOT].first_child == 0:
        return grow(settings, tree, desk, ROOT, moves, count, chosen)
    return add_children(settings, tree, desk, ROOT, moves, count, chosen)


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
