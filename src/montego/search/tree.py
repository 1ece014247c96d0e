"""The search tree as an array of records, and one simulation: descend, expand, play out, back up.

UCT of Kocsis and Szepesvári (2006) with RAVE. All kinds of refinements are numbers in one settings record, so that only
the game and the playout policy are compiled for.

Values are from the perspective of the player who made the move that leads to a node: a parent takes the best child as it
is. The children of a node are a block of the array. Games must alternate turns for AMAF (a pass is a move).
"""

import math

import numpy as np

from montego._jit import copy_record, index, inlined, kernel
from montego.games.rules import is_over, play, score, search_moves, to_move
from montego.playouts.policy import playout
from montego.rewards import reward
from montego.search.rave import OFF, mixed_mean

ROOT = 0

NODE = np.dtype(
    (
        np.record,
        [
            ("total", np.float64),  # sum of rewards of the simulations through the node
            ("amaf_total", np.float64),  # sum of rewards of the simulations in which the move was made later
            ("visits", np.int32),
            ("amaf_visits", np.int32),
            ("move", np.int32),  # that leads here
            ("first_child", np.int32),  # 0: not expanded
            ("children", np.int32),
            ("unused", np.int32),  # keeps the record at 40 bytes, a multiple of 8
        ],
    )
)

SETTINGS = np.dtype(
    (
        np.record,
        [
            ("exploration", np.float64),  # c of c √(ln N / n)
            ("first_play", np.float64),  # value of a move that was never tried
            ("expand_visits", np.int64),  # visits of a leaf before it gets children
            ("max_depth", np.int64),  # plies of the tree; 1 is a bandit over the moves
            ("rave", np.int64),  # kind and constants of the AMAF share
            ("rave_first", np.float64),
            ("rave_second", np.float64),
            ("reward", np.int64),  # kind and constant
            ("reward_constant", np.float64),
        ],
    )
)

# How much of the node array is in use, what was done, and the number of the simulation that the marks belong to.
TREE = np.dtype((np.record, [("nodes", np.int64), ("simulations", np.int64), ("depth_sum", np.int64)]))


@kernel
def add_children(nodes, tree, parent, moves, count):
    """Give a leaf its children, unless the array is full."""
    first = tree.nodes
    if first + count > len(nodes):
        return False
    for i in range(count):
        child = nodes[index(first + i)]
        child.total = 0.0
        child.amaf_total = 0.0
        child.visits = 0
        child.amaf_visits = 0
        child.move = moves[index(i)]
        child.first_child = 0
        child.children = 0
    nodes[index(parent)].first_child = first
    nodes[index(parent)].children = count
    tree.nodes += count
    return True


@inlined
def child_value(settings, child, log_visits):
    """Return the value by which a child is chosen: UCB1, its mean mixed with the AMAF mean."""
    visits = float(child.visits)
    if settings.rave != OFF and child.amaf_visits > 0:
        value = mixed_mean(
            settings.rave,
            settings.rave_first,
            settings.rave_second,
            visits,
            child.total,
            float(child.amaf_visits),
            child.amaf_total,
        )
    elif visits > 0.0:
        value = child.total / visits
    else:
        value = settings.first_play
    if settings.exploration > 0.0:
        value += settings.exploration * math.sqrt(log_visits / max(visits, 1.0))
    return value


@kernel
def best_child(settings, nodes, parent):
    """Return the child of the highest value, the first of equal ones."""
    node = nodes[index(parent)]
    log_visits = math.log(max(node.visits, 1))
    best = np.int64(node.first_child)
    best_value = child_value(settings, nodes[index(best)], log_visits)
    for child in range(node.first_child + 1, node.first_child + node.children):
        value = child_value(settings, nodes[index(child)], log_visits)
        if value > best_value:
            best, best_value = np.int64(child), value
    return best


@kernel
def descend(game, settings, nodes, tree, work, path, scratch):
    """Go from the root to a leaf, playing its moves in ``work``, and return the depth.

    If it is time to expand the leaf, one of its new children becomes the end of the path: the tree grows by the children
    of one node a simulation.
    """
    depth = 0
    node = np.int64(ROOT)
    path[0] = ROOT
    grown = False
    while depth < settings.max_depth and not grown:
        if nodes[index(node)].first_child == 0:
            if nodes[index(node)].visits < settings.expand_visits or is_over(game, work):
                break
            grown = add_children(nodes, tree, node, scratch, search_moves(game, work, scratch))
            if not grown:
                break
        node = best_child(settings, nodes, node)
        play(game, work, np.int64(nodes[index(node)].move))
        depth += 1
        path[index(depth)] = node
    return depth


@kernel
def update_amaf(nodes, parent, marks, mark, value):
    """Add a reward to the AMAF statistics of the children whose moves the player at the parent made later."""
    node = nodes[index(parent)]
    for i in range(node.first_child, node.first_child + node.children):
        child = nodes[index(i)]
        if marks[index(child.move)] == mark:
            child.amaf_visits += 1
            child.amaf_total += value


@kernel
def back_up(settings, nodes, tree, path, depth, leaf_player, trace, length, marks, result):
    """Add the reward of a simulation to every node of the path, and to AMAF statistics beside it.

    ``result`` is for player 0; ``leaf_player`` moves at the end of the path. ``marks[move]`` tells who made a move first
    from here on, by going backwards: 2 * simulation + player. A point that is played again after a capture so counts for
    its first player only.
    """
    base = 2 * tree.simulations
    rave = settings.rave != OFF
    if rave:
        for i in range(length - 1, -1, -1):
            marks[index(trace[index(i)])] = base + (leaf_player ^ (i & 1))
    player = leaf_player
    for level in range(depth, -1, -1):
        here = path[index(level)]
        if rave and nodes[index(here)].first_child != 0:
            update_amaf(nodes, here, marks, base + player, result if player == 0 else 1.0 - result)
        player ^= 1  # the one who moved into this node
        node = nodes[index(here)]
        node.visits += 1
        node.total += result if player == 0 else 1.0 - result
        if rave and level > 0:
            marks[index(node.move)] = base + player


@kernel
def simulate(policy, game, settings, root, work, nodes, tree, rng, path, trace, scratch, marks, count):
    """Run ``count`` simulations from the position ``root``."""
    for _ in range(count):
        tree.simulations += 1
        copy_record(work, root)
        depth = descend(game, settings, nodes, tree, work, path, scratch)
        leaf_player = np.int64(to_move(game, work))
        length = 0
        if not is_over(game, work):
            length = playout(policy, game, work, rng, trace, scratch)
        result = reward(settings.reward, settings.reward_constant, score(game, work))
        back_up(settings, nodes, tree, path, depth, leaf_player, trace, length, marks, result)
        tree.depth_sum += depth
