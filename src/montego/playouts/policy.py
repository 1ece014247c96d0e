"""What a playout policy is: a NamedTuple type that plays a position to its end in its own way.

The search is specialised for the policy's type, as it is for the game's. ``playout`` is what every policy answers.
A policy that learns while it plays keeps its tables in a ``memory`` array, made by its method ``new_memory(game)``, and
also answers ``learn``. One that knows good moves answers ``move_weights``; progressive bias and widening ask for them.
"""

from typing import Any

import numpy as np

from montego._jit import generic, generic_with_default, index
from montego.spec import Registry

PLAYOUTS: Registry[tuple] = Registry("playout policy")  # type: ignore[type-arg]

HISTORY = 2  # places at the beginning of a trace for the last moves before the search; -1 where there was none


@generic
def playout(policy, game, memory, state, rng, trace, begin, scratch):
    """Play ``state`` to its end or until ``trace`` is full, write the moves from ``trace[begin]`` on, return their end.

    ``trace[:begin]`` are the moves that led here, at least the last ``HISTORY`` ones.
    """


@generic_with_default
def learn(policy, game, memory, trace, begin, end, mover, result):
    """Learn from one simulation: ``trace[begin:end]`` in turn from ``mover`` on, and its reward for player 0."""


@generic_with_default
def move_weights(policy, game, state, trace, end, moves, count, weights):
    """Write how likely a good player is to make each of ``moves[:count]``, in any scale, after ``trace[:end]``."""
    for i in range(count):
        weights[index(i)] = 1.0


def new_memory(policy: Any, game: Any) -> Any:
    """Return the array that a policy learns in; one without ``new_memory`` gets an empty one."""
    return policy.new_memory(game) if hasattr(policy, "new_memory") else np.zeros(1, np.uint8)


def new_trace(game: Any, tree_depth: int = 0) -> Any:
    """Return an array with room for the history, the moves of a tree and those of a playout."""
    trace = np.zeros(HISTORY + tree_depth + game.max_length(), np.int32)
    trace[:HISTORY] = -1
    return trace
