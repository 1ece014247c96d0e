"""Who has each point in the end: the mean over random playouts, for maps, dead stones and scores."""

from typing import Any

import numpy as np

from montego.games.game import Game
from montego.games.rules import final_owners
from montego.kernels import copy_record, index, kernel
from montego.playouts.policy import HISTORY, Policy, new_workspace, playout
from montego.playouts.uniform import Uniform

_UNIFORM = Uniform()


@kernel
def add_owners(game, state, owner, total):
    """Add the final owner of every point of a finished playout to ``total``: 1 for player 0, -1 for player 1.

    ``owner`` (int8, one entry per point of the layout) is memory to work in.
    """
    for point in range(len(owner)):
        owner[index(point)] = -1
    final_owners(game, state, owner)
    for point in range(len(owner)):
        if owner[index(point)] == 0:
            total[index(point)] += 1
        elif owner[index(point)] == 1:
            total[index(point)] -= 1


@kernel
def add_ownership(policy, game, root, space, count, owner, total):
    """Play ``count`` playouts from ``root`` and add their final owners to ``total``."""
    work, rng, trace, scratch, memory = space
    for _ in range(count):
        copy_record(work, root)
        playout(policy, game, memory, work, rng, trace, HISTORY, scratch)
        add_owners(game, work, owner, total)


def ownership(
    game: Game, state: Any, playouts: int, rng: Any, policy: Policy = _UNIFORM
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the mean final owner of every point of the layout over some playouts, player 0's perspective, -1 … 1.

    A state whose game is over is not played on: then the map is that of its final owners.
    """
    points = len(game.layout().names)
    owner, total = np.zeros(points, np.int8), np.zeros(points, np.int64)
    add_ownership(policy, game, state, new_workspace(policy, game, rng), playouts, owner, total)
    mean: np.ndarray[Any, np.dtype[np.float64]] = total / max(1, playouts)
    return mean
