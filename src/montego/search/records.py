"""The arrays that a tree search works on, field by field.

A tree is an array of ``NODE`` records; the children of a node are a block of it. Values are from the perspective of the
player who made the move that leads to a node, so a parent takes the best child as it is. Every refinement is a number in
one ``SETTINGS`` record: only the game and the playout policies are compiled for.
"""

from typing import Any, NamedTuple

import numpy as np

from montego.games import Game
from montego.playouts import new_trace
from montego.rewards import QUALITY_FIELDS

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
            ("first_child", np.int32),  # 0: has none
            ("prior", np.float32),  # the policy's share of this move among its siblings
            ("children", np.uint16),
            ("status", np.uint16),
        ],
    )
)
MOST_CHILDREN = 65535

# The status of a node. The two lowest bits are what is proven of it, for the player who moved here.
UNPROVEN, LOST, DRAWN, WON = 0, 1, 2, 3
PROOF = 3
PRUNED = 4  # statistically inferior to a sibling, or never simulated before its parent was expanded
CHOSEN_FROM = 8  # its children were selected by the visit-count rule
BARRED = 16  # forbidden by the history of the game (a root child only)

# Kept beside the nodes only by searches that ask for them (UCB1-tuned, progressive pruning).
MOMENTS = np.dtype(
    (
        np.record,
        [
            ("reward_squares", np.float64),
            ("score", np.float64),  # of the player who moved here, in points
            ("score_squares", np.float64),
        ],
    )
)

SETTINGS = np.dtype(
    (
        np.record,
        [
            ("bandit", np.int64),  # how a child is valued
            ("exploration", np.float64),  # c of c √(ln N / n)
            ("first_play", np.float64),  # value of a move that was never tried
            ("choice", np.int64),  # best value, or by chance: kind and constants
            ("choice_first", np.float64),
            ("choice_second", np.float64),
            ("rave", np.int64),  # kind and constants of the AMAF share
            ("rave_first", np.float64),
            ("rave_second", np.float64),
            ("expand_visits", np.int64),  # visits of a leaf before it gets children
            ("expand_least", np.int64),  # simulations that a child needs to be among them
            ("expand_confidence", np.float64),  # z-score against the parent that lets a leaf expand before its visits
            ("expand_early", np.int64),  # visits before which it does not
            ("bias", np.float64),  # weight of the prior, divided by the visits
            ("widen", np.float64),  # visits for the second child; 0: all children at once
            ("widen_growth", np.float64),  # factor for every further child
            ("widen_first", np.int64),  # children at the beginning
            ("prune", np.int64),  # kind
            ("prune_distance", np.float64),  # r_d
            ("prune_sigma", np.float64),  # σ_e in points
            ("prune_visits", np.int64),  # of a move before it can be pruned
            ("prune_every", np.int64),  # visits of the parent between two comparisons
            ("max_depth", np.int64),  # plies of the tree; 1 is a bandit over the moves
            ("reward", np.int64),  # kind and constants
            ("reward_first", np.float64),
            ("reward_second", np.float64),
            ("solver", np.int64),  # whether proofs are kept
            ("virtual_loss", np.int64),  # visits added on the way down, for other threads to see
            ("shared", np.int64),  # whether several threads write to the tree, see ``BUSY``
            ("survey_every", np.int64),  # simulations between two counts of who owns the points
            ("bin_width", np.float64),  # of the histogram of scores
            ("lowest_score", np.float64),  # where it begins
        ],
    )
)

# Processors wait for lines that another one has just written, and near the root all threads write to the same nodes. So at
# a node with that many visits a shared tree does without virtual losses, which would send no thread another way, and takes
# AMAF statistics from one simulation in four, which counts four times: their error by chance stays far below their bias.
BUSY = 1024
AMAF_EVERY = 4

BINS = 128

# What one thread has done, and where it puts nodes: its part of the array begins at ``first_node``.
TREE = np.dtype(
    (
        np.record,
        [
            ("first_node", np.int64),
            ("next_node", np.int64),
            ("end_of_nodes", np.int64),
            ("simulations", np.int64),
            ("depth_sum", np.int64),
            ("deepest", np.int64),
            ("surveys", np.int64),
            ("settled", np.int64),  # why the root needs no more simulations; 0: it does
            ("mark", np.int64),  # what marks of this simulation are counted from
            ("histogram", np.int64, (BINS,)),
            *QUALITY_FIELDS,
        ],
    )
)
OPEN, PROVEN, ONE_LEFT, ALL_EQUAL, ENOUGH = 0, 1, 2, 3, 4  # values of ``settled``

# The way of a simulation: a node, who moved into it, and the virtual losses that it got.
STEP = np.dtype((np.record, [("node", np.int32), ("mover", np.int16), ("loss", np.int16)]))


_LINES = 128  # bytes that processors fetch together


class Desk(NamedTuple):
    """What one thread works with, beside the tree."""

    work: Any  # the state that a simulation plays in
    tree: Any  # TREE
    rng: Any
    path: Any  # STEP, root first
    trace: Any  # moves: the last ones of the game, of the path, of the playout
    scratch: Any  # room for the moves of a position
    weights: Any  # room for their weights
    marks: Any  # per move: who made it first, in this simulation
    owners: Any  # room for the final owners of the points
    survey: Any  # per point: how often player 0 had it in the end, minus player 1
    memory: Any  # what the playout policy learned


def on_own_lines(record: Any) -> Any:
    """Return a copy of a record that shares no cache line with anything else, for one thread to write to alone.

    Small arrays lie side by side in memory. Two threads whose random streams share a line wait for each other at every draw.
    """
    before = -(-_LINES // record.dtype.itemsize)
    room = np.zeros(2 * before + 1, record.dtype)
    room[before] = record
    return room[before]


def new_desk(game: Game, depth: int, rng: Any, memory: Any) -> Desk:
    """Return an empty desk with a memory of the playout policy."""
    points = len(game.layout().names)
    moves = game.new_moves()
    return Desk(
        game.new_state(),
        np.zeros(1, TREE)[0],
        rng,
        np.zeros(depth + 1, STEP),
        new_trace(game, depth),
        moves,
        np.zeros(len(moves)),
        np.zeros(game.move_limit(), np.int64),
        np.full(points, -1, np.int8),
        np.zeros(points, np.int64),
        memory,
    )
