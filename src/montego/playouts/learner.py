"""What policies that learn while they play have in common: a fallback, and a memory with the fallback's inside.

Each decision of theirs is one move: where they have nothing to say, the fallback's ``next_move`` does. Threads that search
one tree share their tables, as they share the tree: everybody learns from every playout, so that n threads know after
n playouts what one thread knows after n, and not the n-th part of it; updates that get lost are too few to matter.
"""

from typing import Any, ClassVar

from montego.errors import MontegoError
from montego.kernels import borrowing, implements
from montego.playouts.policy import (
    begin_decision,
    learn,
    move_weights,
    new_memory,
    notice,
    play_by_move,
    playout,
    prepare,
    shared_memory,
)

MOST_MEMORY = 16_384  # megabytes


class Learner:
    """Base of the policies that learn: NamedTuples with fields ``p``, ``fallback`` and, if they have tables, ``keep``.

    Their memories are NamedTuples whose field ``inner`` is the fallback's memory.
    """

    spec_name: ClassVar[str]
    fallback: Any
    keep: bool

    def own_memory(self, game: Any, inner: Any) -> Any:
        """Return empty tables around the memory of the fallback."""
        raise TypeError(f"{type(self).__name__} must define own_memory()")

    def clear(self, memory: Any) -> None:
        """Empty the tables."""

    def for_thread(self, game: Any, memory: Any) -> Any:
        """Return the memory with whatever one thread needs for itself made anew."""
        return memory

    def new_memory(self, game: Any) -> Any:
        """Return empty tables for a game."""
        if not game.alternates:
            raise MontegoError(f"{game} lets a player move twice; playout {self.spec_name} needs players who alternate")
        return self.own_memory(game, new_memory(self.fallback, game))

    def shared_memory(self, game: Any, memory: Any) -> Any:
        """Return the memory of a further thread, with the same tables."""
        return self.for_thread(game, memory._replace(inner=shared_memory(self.fallback, game, memory.inner)))

    def begin_decision(self, memory: Any, same_game: bool) -> None:
        """Clear the tables, unless they are to be kept and it is the same game."""
        if not (same_game and self.keep):
            self.clear(memory)
        begin_decision(self.fallback, memory.inner, same_game)

    @property
    def needs_amaf(self) -> bool:
        """Whether the search must keep AMAF statistics."""
        return getattr(self.fallback, "needs_amaf", False)


def _playout(policy, game, memory, state, rng, trace, begin, scratch):
    if policy.p == 0.0:
        return playout(policy.fallback, game, memory.inner, state, rng, trace, begin, scratch)
    return play_by_move(policy, game, memory, state, rng, trace, begin, scratch)


def _notice(policy, game, memory, state, trace, end, move):
    notice(policy.fallback, game, memory.inner, state, trace, end, move)


def _prepare(policy, game, memory, nodes, path, depth):
    prepare(policy.fallback, game, memory.inner, nodes, path, depth)


def _learn(policy, game, memory, trace, begin, end, mover, result):
    learn(policy.fallback, game, memory.inner, trace, begin, end, mover, result)


def _move_weights(policy, game, state, trace, end, moves, count, weights):
    move_weights(policy.fallback, game, state, trace, end, moves, count, weights)


def falls_back(policy_class: type) -> None:
    """Make a policy play move by move and pass everything on to its fallback; what it implements itself comes after."""
    shared: dict[Any, Any] = {
        playout: _playout,
        notice: _notice,
        prepare: _prepare,
        learn: _learn,
        move_weights: _move_weights,
    }
    for question, answer in shared.items():
        implements(question, policy_class)(borrowing(answer))
