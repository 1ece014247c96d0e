"""What many playouts of one position have in common: who owns the points, which ones decide, which move is first."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from montego.games.position import Position
from montego.games.rules import final_owners, score
from montego.kernels import copy_record, index, kernel
from montego.playouts.policy import HISTORY, Policy, new_workspace, playout
from montego.playouts.uniform import Uniform

_UNIFORM = Uniform()


@kernel
def add_maps(policy, game, root, space, count, owner, totals):
    """Play ``count`` playouts from ``root`` and count first moves, final owners and owners that won.

    ``totals`` is a tuple of counts: by first move; by owner and point; by point, of playouts whose winner owned it;
    by winner. ``owner`` (int8, one entry per point of the layout) is memory to work in.
    """
    work, rng, trace, scratch, memory = space
    first, owned, winning, wins = totals
    for _ in range(count):
        copy_record(work, root)
        if playout(policy, game, memory, work, rng, trace, HISTORY, scratch) > HISTORY:
            first[index(trace[index(HISTORY)])] += 1
        result = score(game, work)
        winner = 0 if result > 0 else 1 if result < 0 else 2
        wins[index(winner)] += 1
        for point in range(len(owner)):
            owner[index(point)] = -1
        final_owners(game, work, owner)
        for point in range(len(owner)):
            if owner[index(point)] == 0 or owner[index(point)] == 1:
                owned[index(owner[index(point)]), index(point)] += 1
                if owner[index(point)] == winner:
                    winning[index(point)] += 1


@dataclass(frozen=True)
class PlayoutMaps:
    """Maps over the playouts of one position, by point of the layout or by move.

    ``ownership`` is the mean final owner, 1 for player 0 and -1 for player 1. ``criticality`` is the covariance between
    owning a point and winning the game (Coulom, "Criticality: a Monte-Carlo heuristic for Go programs", 2009), from 0
    where the point does not matter to 0.5 where it decides. ``first_moves`` is how often the policy began with a move.
    ``replies`` are the success rates of replies to the last moves that the policy has learned (LGR, Win/Loss States).
    """

    playouts: int
    ownership: np.ndarray[Any, np.dtype[np.float64]]
    criticality: np.ndarray[Any, np.dtype[np.float64]]
    first_moves: dict[int, float]
    replies: dict[int, float]


def playout_maps(at: Position, playouts: int, rng: Any, policy: Policy = _UNIFORM, memory: Any = None) -> PlayoutMaps:
    """Return the maps of some playouts from a position; ``memory`` is what the policy has learned, if anything."""
    game, state = at.game, at.state
    points = len(game.layout().names)
    space = new_workspace(policy, game, rng)
    space.trace[:HISTORY] = ([-1] * HISTORY + at.moves)[-HISTORY:]
    if memory is not None:
        space = space._replace(memory=memory)
    first, owned = np.zeros(game.move_limit(), np.int64), np.zeros((2, points), np.int64)
    winning, wins = np.zeros(points, np.int64), np.zeros(3, np.int64)
    add_maps(policy, game, state, space, playouts, np.zeros(points, np.int8), (first, owned, winning, wins))
    count = max(1, playouts)
    share, rates = owned / count, wins / count
    criticality = winning / count - (share[0] * rates[0] + share[1] * rates[1])
    made = {int(move): float(first[move]) / count for move in np.flatnonzero(first)}
    replies = policy.replies(game, space.memory, state, at.moves)
    return PlayoutMaps(playouts, share[0] - share[1], criticality, made, replies)
