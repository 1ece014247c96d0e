"""The arrays that a tree search works on, field by field.

A tree is an array of ``NODE`` records; the children of a node are a block of it. Values are from the perspective of the
player who made the move that leads to a node, so a parent takes the best child as it is.
"""

from typing import Any, NamedTuple

import numpy as np

from montego.games import Game
from montego.playouts import Policy, new_trace
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
# Links and visits are 32 bits wide. Threads may add a visit each, and AMAF statistics four at a time, after the last
# look.
MOST_NODES = 2**31 - 1
MOST_VISITS = 2**31 - 2**20
MOST_UNITS = 2**30  # of weighted AMAF visits, thousands of which may come at a time; then their mean is settled

# The statistics of several trees together, which may exceed those of one.
SUMS = np.dtype([(name, np.int64 if name.endswith("visits") else NODE[name]) for name in NODE.names or ()])

# The status of a node. The two lowest bits are what is proven of it, for the player who moved here.
UNPROVEN, LOST, DRAWN, WON = 0, 1, 2, 3
PROOF = 3
PRUNED = 4  # statistically inferior to a sibling, or never simulated before its parent was expanded
CHOSEN_FROM = 8  # its children were selected by the visit-count rule
BARRED = 16  # forbidden by the history of the game (a root child only)
MORE = 32  # has moves without a child so far, which are less likely than those with one

# Kept beside the nodes only by searches that need them (UCB1-tuned, progressive pruning).
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

# The virtual simulations of a node, kept beside it only by searches that have them.
START = np.dtype(
    (
        np.record,
        [
            ("visits", np.float32),
            ("total", np.float32),  # their rewards, for the player who moved here
            ("amaf_visits", np.float32),
            ("amaf_total", np.float32),
            ("opened", np.int32),  # children that a choice looks at (``choice.best_by_prior``)
        ],
    )
)


class Tree(NamedTuple):
    """A tree: its nodes, and beside them what only some searches need (else an array of one)."""

    nodes: Any
    moments: Any  # MOMENTS
    starts: Any  # START: virtual simulations, by the prior
    critical: Any = np.zeros(1)  # per move: the criticality of its point (``criticality.py``)


# Processors wait for lines that another one has just written, and near the root all threads write to the same nodes. So
# at a node with that many visits a shared tree does without virtual losses, which would send no thread another way, and
# takes AMAF statistics from one simulation in four, which counts four times: their error by chance stays far below
# their bias.
BUSY = 1024
AMAF_EVERY = 4

BINS = 128  # of the histogram of scores

# What one thread has done in this decision, and where it puts nodes: its part of the array begins at ``first_node``.
COUNTERS = np.dtype(
    (
        np.record,
        [
            ("first_node", np.int64),
            ("next_node", np.int64),
            ("end_of_nodes", np.int64),
            ("room", np.int64),  # whether new nodes still fit in
            ("simulations", np.int64),
            ("depth_sum", np.int64),
            ("deepest", np.int64),
            ("surveys", np.int64),
            ("settled", np.int64),  # why the root needs no more simulations; 0: it does
            ("mark", np.int64),  # what marks of this simulation are counted from
            ("selections", np.int64),  # choices among children so far, if some of them go without RAVE
            ("histogram", np.int64, (BINS,)),
            *QUALITY_FIELDS,
        ],
    )
)
OPEN, PROVEN, ONE_LEFT, ALL_EQUAL, ENOUGH, DECIDED, COUNTED = 0, 1, 2, 3, 4, 5, 6  # values of ``settled``

HAS_ROOM, FULL, FULL_FOR_GOOD = 0, 1, 2  # values of ``room``; a full tree is cut back (``keeping.py``) if it can be

# One step of a simulation through the tree: a node, who moved into it, and the virtual losses that it got.
STEP = np.dtype((np.record, [("node", np.int32), ("mover", np.int16), ("loss", np.int16)]))

_CACHE_LINES = 128  # bytes that processors fetch together


class Desk(NamedTuple):
    """What one thread works with, beside the tree."""

    work: Any  # the state that a simulation plays in
    counters: Any  # COUNTERS
    rng: Any
    path: Any  # STEP, root first
    trace: Any  # moves: the last ones of the game, of the path, of the playout
    scratch: Any  # room for the moves of a position
    weights: Any  # room for their weights
    opinions: Any  # room for what the prior thinks that they are worth, and how many simulations that is worth
    marks: Any  # per move: who made it first, in this simulation
    places: Any  # per move: where in the trace
    owners: Any  # room for the final owners of the points
    survey: Any  # per point: how often player 0 had it in the end, minus player 1
    tally: Any  # per point: who had it in the end, and how often its owner won (``criticality.py``)
    point_of: Any  # per move: its point; an array of one unless criticality is wanted
    memory: Any  # of the playout policy
    prior_memory: Any  # of the policy that weighs moves for the tree


def on_own_lines(record: Any) -> Any:
    """Return a copy of a record that shares no cache line with anything else, for one thread to write to alone.

    Small arrays lie side by side in memory. Two threads whose random streams share a line wait for each other at every
    draw.
    """
    before = -(-_CACHE_LINES // record.dtype.itemsize)
    room = np.zeros(2 * before + 1, record.dtype)
    room[before] = record
    return room[before]


def new_desk(game: Game, depth: int, rng: Any, memory: Any, prior_memory: Any, point_of: Any = None) -> Desk:
    """Return an empty desk with the memories of the playout policy and of the prior."""
    points = len(game.layout().names)
    moves = game.new_moves()
    return Desk(
        game.new_state(),
        np.zeros(1, COUNTERS)[0],
        rng,
        np.zeros(depth + 1, STEP),
        new_trace(game, depth),
        moves,
        np.zeros(len(moves)),
        np.zeros((2, len(moves))),
        np.zeros(game.move_limit(), np.int64),
        np.zeros(game.move_limit(), np.int32),
        np.full(points, -1, np.int8),
        np.zeros(points, np.int64),
        np.zeros((3, points + 1), np.int64),
        np.zeros(1, np.int32) if point_of is None else point_of,
        memory,
        prior_memory,
    )


def memories(policy: Policy, game: Game, trees: int, threads: int) -> list[Any]:
    """Return a memory of a policy for each thread; threads on one tree share what can be shared."""
    first = [policy.new_memory(game) for _ in range(trees)]
    return first + [policy.shared_memory(game, first[thread % trees]) for thread in range(trees, threads)]
