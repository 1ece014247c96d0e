"""Policies that follow the board: after every move of a playout they are told what it changed.

A softmax policy keeps a weight for every point. A move changes the weights near it and near what it captured; with the
game's list of changes an update costs as much as the move itself.
"""

from montego.games.rules import make_noted_move
from montego.kernels import generic, implements, inlined
from montego.playouts.policy import Policy, advance


class Observer(Policy):
    """Base of the policies that follow the board. Their memories have a field ``changes`` (``games/changes.py``).

    They answer ``after_move``, and ``begin`` to look at the whole board once, at the beginning of a playout.
    """


@generic
def after_move(policy, game, memory, state, trace, end):
    """Bring the memory up to date after the move ``trace[end]``, whose effects stand in ``memory.changes``."""


@implements(advance, Observer)
@inlined
def _advance(policy, game, memory, state, trace, end, move):
    make_noted_move(game, state, trace, end, move, memory.changes)
    after_move(policy, game, memory, state, trace, end)
