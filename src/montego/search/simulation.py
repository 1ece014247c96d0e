"""One simulation of a tree search: descend, expand, play out, back up.

UCT of Kocsis and Szepesvári (2006) with RAVE. Several threads may simulate on one tree: they write to the same nodes
without locks, and now and then one loses the other's update (Enzenberger and Müller, "A lock-free multithreaded
Monte-Carlo tree search algorithm", 2009). Nobody waits, and nothing but statistics can be wrong: a thread has its own
part of the array for new nodes, and children are linked when they are complete.
"""

import numpy as np

from montego.games.rules import NOBODY, counts_as_first, final_owners, is_over, play, score, search_moves, to_move
from montego.kernels import borrowing, copy_record, index, inlined
from montego.playouts import HISTORY, learn, notice, playout, prepare
from montego.rewards import reward
from montego.search.choice import choose_child
from montego.search.criticality import tally_owners, write_criticality
from montego.search.expansion import add_likely_children, grow, is_ripe, keep_simulated, offer, wants_more
from montego.search.proofs import note_proof, proof_of, proof_of_score, prove_path, proven_result
from montego.search.pruning import KEEP_ALL, prune_children
from montego.search.rave import FALLING, OFF, units_at
from montego.search.records import (
    AMAF_EVERY,
    BINS,
    BUSY,
    CHOSEN_FROM,
    COUNTED,
    FULL,
    MOST_UNITS,
    MOST_VISITS,
    OPEN,
    PROOF,
    PROVEN,
    ROOT,
    UNPROVEN,
)

# What a simulation may do at the node it has reached.
STOP, GO_ON, GO_ON_ONCE = 0, 1, 2

MANY = 4  # children for each move to come: with fewer, many of the children are moves to come


@inlined
def open_leaf(prior, game, settings, tree, desk, depth):
    """Expand the node at the end of a path if it is time to, and tell whether the simulation goes on below it.

    The tree grows by the children of one node per simulation. Where only simulated children shall be added, the
    children are there from the first visit on, to count the playouts that begin with them.
    """
    number = np.int64(desk.path[index(depth)].node)
    ripe = is_ripe(settings, tree.nodes, desk.path, depth)
    if tree.nodes[index(number)].first_child == 0:
        if not (ripe or settings.expand.least > 0) or is_over(game, desk.work):
            return STOP
        moves = desk.scratch[: search_moves(game, desk.work, desk.scratch)]
        root = tree.nodes[ROOT]
        count, chosen = offer(prior, game, settings, desk, root, HISTORY + depth, moves, settings.at_first)
        if not grow(settings, tree, desk, number, moves, count, chosen):
            return STOP
        return GO_ON_ONCE if ripe else STOP
    if not ripe:
        return STOP
    keep_simulated(settings, tree.nodes, number)
    return GO_ON


@inlined
def compare_children(settings, tree, counters, number):
    """Prune the moves of a node when it is time to compare them, and note at the root that it is settled."""
    visits = tree.nodes[index(number)].visits
    if visits > 0 and visits % settings.prune.every == 0:
        settled = prune_children(settings.prune, tree, number)
        if number == ROOT:
            counters.settled = settled


@inlined
def schedule_now(settings, counters):
    """Return the RAVE schedule of the next choice: one choice in so many may go without (MoHex, Fuego)."""
    if settings.rave_rest > 0:
        counters.selections += 1
        if counters.selections % settings.rave_rest == 0:
            return np.int64(OFF)
    return settings.rave.kind


@inlined
def enter(settings, nodes, path, depth, number, mover):
    """Let a path go on to a node, with a virtual loss for other threads to see."""
    step, node = path[index(depth)], nodes[index(number)]
    step.node = number
    step.mover = mover
    step.loss = settings.virtual_loss if node.visits < BUSY else 0
    node.visits += step.loss


@inlined
def descend(policy, prior, game, settings, tree, desk):
    """Go from the root to a leaf, playing its moves on the desk, and return the depth."""
    nodes, work, path, trace = tree.nodes, desk.work, desk.path, desk.trace
    depth = np.int64(0)
    number = np.int64(ROOT)
    path[0].node = ROOT
    path[0].mover = 1 - to_move(game, work)
    path[0].loss = 0
    step = GO_ON
    while depth < settings.depth and step == GO_ON:
        node = nodes[index(number)]
        if node.status & PROOF:
            break
        if node.first_child == 0 or (settings.expand.least > 0 and not node.status & CHOSEN_FROM and depth > 0):
            step = open_leaf(prior, game, settings, tree, desk, depth)
            if step == STOP:
                break
        if settings.prune.kind != KEEP_ALL:
            compare_children(settings, tree, desk.counters, number)
        if settings.by_prior and wants_more(tree, number):
            add_likely_children(prior, game, settings, tree, desk, depth, number)
        rave = schedule_now(settings, desk.counters)
        number = choose_child(settings, tree, number, rave, desk.rng, desk.weights)
        depth += 1
        enter(settings, nodes, path, depth, number, to_move(game, work))
        move = np.int64(nodes[index(number)].move)
        trace[index(HISTORY + depth - 1)] = move
        notice(policy, game, desk.memory, work, trace, HISTORY + depth - 1, move)
        play(game, work, move)
    return depth


@borrowing
def update_amaf(game, nodes, node, marks, mark, value, weight):
    """Add rewards to the AMAF statistics of the children whose moves the player at the parent made later."""
    for i in range(node.first_child, node.first_child + node.children):
        child = nodes[index(i)]
        if marks[index(child.move)] == mark and counts_as_first(game, np.int64(child.move)):
            child.amaf_visits += weight
            child.amaf_total += weight * value


@borrowing
def update_most_amaf(game, nodes, node, marks, mark, value, weight):
    """Do what ``update_amaf`` does where many of the moves were made.

    Without a branch: the processor cannot predict which moves a playout makes, and a wrong guess costs more than to add
    nothing to a child.
    """
    worth = weight * value
    for i in range(node.first_child, node.first_child + node.children):
        child = nodes[index(i)]
        made = np.int64(marks[index(child.move)] == mark) & np.int64(counts_as_first(game, np.int64(child.move)))
        child.amaf_visits += made * weight
        child.amaf_total += made * worth


@borrowing
def update_weighted_amaf(game, weight, nodes, desk, level, end, value, times):
    """Do what ``update_amaf`` does at a level of the path, with weights that fall with the distance of the move."""
    path, here = desk.path, HISTORY + level
    node = nodes[index(path[index(level)].node)]
    mark = desk.counters.mark + 1 - path[index(level)].mover
    for i in range(node.first_child, node.first_child + node.children):
        child = nodes[index(i)]
        move = np.int64(child.move)
        if desk.marks[index(move)] == mark and counts_as_first(game, move):
            units = times * units_at(weight, desk.places[index(move)] - here, end - here)
            if child.amaf_visits < MOST_UNITS:
                child.amaf_visits += units
                child.amaf_total += units * value


@inlined
def back_up(game, settings, nodes, desk, depth, player, end, result):
    """Add the reward of a simulation to every node of the path, and to AMAF statistics beside it.

    ``result`` is for player 0; ``player`` moves at the end of the path. ``marks[move]`` tells who made a move first
    from here on, by going backwards: a number of this simulation + player. A point that is played again after a capture
    so counts for its first player only.
    """
    path, trace, marks, mark = desk.path, desk.trace, desk.marks, desk.counters.mark
    rave = settings.rave.kind != OFF
    falling = settings.amaf_weight.kind == FALLING
    sampled = desk.counters.simulations % AMAF_EVERY == 0
    if rave:
        for i in range(end - 1, HISTORY + depth - 1, -1):
            marks[index(trace[index(i)])] = mark + (player ^ ((i - HISTORY - depth) & 1))
    if falling:
        for i in range(end - 1, HISTORY + depth - 1, -1):
            desk.places[index(trace[index(i)])] = i
    for level in range(depth, -1, -1):
        here = np.int64(path[index(level)].node)
        node = nodes[index(here)]
        node.visits -= path[index(level)].loss
        busy = settings.shared != 0 and node.visits >= BUSY
        if rave and node.first_child != 0 and (sampled or not busy):
            value, weight = result if player == 0 else 1.0 - result, AMAF_EVERY if busy else 1
            if falling:
                update_weighted_amaf(game, settings.amaf_weight, nodes, desk, level, end, value, weight)
            elif node.children < MANY * (end - HISTORY - level):
                update_most_amaf(game, nodes, node, marks, mark + player, value, weight)
            else:
                update_amaf(game, nodes, node, marks, mark + player, value, weight)
        player = np.int64(path[index(level)].mover)
        node.visits += 1
        node.total += result if player == 0 else 1.0 - result
        if rave and level > 0:
            marks[index(node.move)] = mark + player
            if falling:
                desk.places[index(node.move)] = HISTORY + level - 1


@borrowing
def add_moments(moments, path, depth, result, points):
    """Add the squared reward and the score of a simulation, both player 0's, along the path."""
    for level in range(depth + 1):
        first = path[index(level)].mover == 0
        worth = result if first else 1.0 - result
        moment = moments[index(path[index(level)].node)]
        moment.reward_squares += worth * worth
        moment.score += points if first else -points
        moment.score_squares += points * points


@borrowing
def survey_points(game, settings, desk, critical, points):
    """Count a final position: its score in the histogram and, now and then, the owner of every point."""
    counters, owners = desk.counters, desk.owners
    place = np.int64((points - settings.lowest_score) / settings.bin_width)
    counters.histogram[min(max(place, 0), BINS - 1)] += 1
    if settings.survey > 0 and counters.simulations % settings.survey == 0:
        counters.surveys += 1
        owners[:] = NOBODY
        final_owners(game, desk.work, owners)
        for i in range(len(owners)):
            if 0 <= owners[index(i)] <= 1:
                desk.survey[index(i)] += 1 - 2 * np.int64(owners[index(i)])
        if settings.criticality > 0.0 and points != 0:
            tally_owners(owners, points, desk.tally)
            write_criticality(desk.tally, desk.point_of, critical)


@borrowing
def first_reply(settings, nodes, path, depth, player, move):
    """Lengthen the path to a leaf without chosen children by the first move of the playout; return the depth."""
    leaf = nodes[index(path[index(depth)].node)]
    if leaf.status & CHOSEN_FROM or depth == 0 or depth >= settings.depth:
        return depth
    for i in range(leaf.first_child, leaf.first_child + leaf.children):
        if nodes[index(i)].move == move:
            enter(settings, nodes, path, depth + 1, np.int64(i), player)
            return depth + 1
    return depth


@inlined
def finish(policy, game, settings, tree, desk, depth):
    """Play the position at the end of a path to its end; return the end of the moves, the reward and the points.

    Reward and points are player 0's. A position whose result is proven is not played out.
    """
    nodes, path, trace, work, memory = tree.nodes, desk.path, desk.trace, desk.work, desk.memory
    end = HISTORY + depth
    leaf = np.int64(path[index(depth)].node)
    over = is_over(game, work)
    if over and settings.solver != 0:
        note_proof(nodes, leaf, proof_of_score(score(game, work), path[index(depth)].mover))
        prove_path(nodes, path, depth)
    if not over and proof_of(nodes[index(leaf)]) != UNPROVEN:
        result, points = proven_result(tree, path[index(depth)])
        return end, result, points
    if not over:
        prepare(policy, game, memory, nodes, path, depth)
        end = playout(policy, game, memory, work, desk.rng, trace, end, desk.scratch)
    points = score(game, work)
    result = reward(settings.reward, desk.counters, points, end - HISTORY)
    survey_points(game, settings, desk, tree.critical, points)
    learn(policy, game, memory, trace, HISTORY, end, 1 - np.int64(path[0].mover), result)
    return end, result, points


@borrowing
def simulate(policy, prior, game, settings, root, tree, desk, count):
    """Run up to ``count`` simulations from the position ``root``; fewer if the move is settled or the tree full."""
    nodes, counters = tree.nodes, desk.counters
    for _ in range(count):
        if proof_of(nodes[ROOT]) != UNPROVEN:
            counters.settled = PROVEN
        elif nodes[ROOT].visits >= MOST_VISITS:
            counters.settled = COUNTED
        if counters.settled != OPEN or counters.room == FULL:
            break
        counters.simulations += 1
        counters.mark += 2
        copy_record(desk.work, root)
        depth = descend(policy, prior, game, settings, tree, desk)
        player = np.int64(to_move(game, desk.work))
        end, result, points = finish(policy, game, settings, tree, desk, depth)
        counters.depth_sum += depth
        counters.deepest = max(counters.deepest, depth)
        if settings.expand.least > 0 and end > HISTORY + depth:
            longer = first_reply(settings, nodes, desk.path, depth, player, desk.trace[index(HISTORY + depth)])
            player ^= longer - depth
            depth = longer
        back_up(game, settings, nodes, desk, depth, player, end, result)
        if len(tree.moments) > 1:
            add_moments(tree.moments, desk.path, depth, result, points)
