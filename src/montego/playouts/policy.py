"""What a playout policy is: a NamedTuple type that plays a position to its end in its own way.

The search is specialised for the policy's type, as it is for the game's. ``playout`` is what every policy answers, and
``next_move`` every one that others may fall back to. A policy that learns while it plays keeps its tables in a ``memory``
(an array or a NamedTuple of arrays), made by its method ``new_memory(game)``, and also answers ``learn``; what it needs to
know of the tree, ``notice`` and ``prepare`` tell it. One that knows good moves answers ``move_weights``; progressive bias and
widening ask for them.
"""

from typing import Any

import numpy as np

from montego.games.rules import begin_playout, is_over, make_move
from montego.kernels import borrowing, generic, generic_with_default, index
from montego.spec import Registry

PLAYOUTS: Registry[tuple] = Registry("playout policy")  # type: ignore[type-arg]

HISTORY = 2  # places at the beginning of a trace for the last moves before the search; -1 where there was none


@generic
def playout(policy, game, memory, state, rng, trace, begin, scratch):
    """Play ``state`` to its end or until ``trace`` is full, write the moves from ``trace[begin]`` on, return their end.

    ``trace[:begin]`` are the moves that led here, at least the last ``HISTORY`` ones.
    """


@generic
def next_move(policy, game, memory, state, rng, trace, end, scratch):
    """Return the move that the policy makes after ``trace[:end]`` in a playout begun by ``begin_playout``."""


@generic_with_default
@borrowing
def notice(policy, game, memory, state, trace, end, move):
    """Look at a position in the tree before a move, to stand at place ``end`` of the trace, is made in it."""


@generic_with_default
@borrowing
def prepare(policy, game, memory, nodes, path, depth):
    """Look at the tree and the path of a simulation (``search/records.py``) before the playout from its end."""


@generic_with_default
@borrowing
def learn(policy, game, memory, trace, begin, end, mover, result):
    """Learn from one simulation: ``trace[begin:end]`` in turn from ``mover`` on, and its reward for player 0."""


@borrowing
def play_by_move(policy, game, memory, state, rng, trace, begin, scratch):
    """Do what ``playout`` promises by asking the policy for one move after the other."""
    begin_playout(game, state, trace, begin)
    end = begin
    while end < len(trace) and not is_over(game, state):
        move = next_move(policy, game, memory, state, rng, trace, end, scratch)
        make_move(game, state, trace, end, move)
        end += 1
    return end


@generic_with_default
@borrowing
def move_weights(policy, game, state, trace, end, moves, count, weights):
    """Write how likely a good player is to make each of ``moves[:count]``, in any scale, after ``trace[:end]``."""
    for i in range(count):
        weights[index(i)] = 1.0


def new_memory(policy: Any, game: Any) -> Any:
    """Return the array that a policy learns in; one without ``new_memory`` gets an empty one."""
    return policy.new_memory(game) if hasattr(policy, "new_memory") else np.zeros(1, np.uint8)


def shared_memory(policy: Any, game: Any, memory: Any) -> Any:
    """Return the memory of a further thread of the same tree: what can be shared is; else it is a new one."""
    return policy.shared_memory(game, memory) if hasattr(policy, "shared_memory") else new_memory(policy, game)


def begin_decision(policy: Any, memory: Any, same_game: bool) -> None:
    """Tell a policy that a decision begins, in the game of the last one or in another: it may clear its memory."""
    if hasattr(policy, "begin_decision"):
        policy.begin_decision(memory, same_game)


def new_trace(game: Any, tree_depth: int = 0) -> Any:
    """Return an array with room for the history, the moves of a tree and those of a playout."""
    trace = np.zeros(HISTORY + tree_depth + game.max_length(), np.int32)
    trace[:HISTORY] = -1
    return trace
