"""Policies around another policy: whatever they do not answer themselves is passed on to the one inside."""

from collections.abc import Sequence
from typing import Any

from montego.errors import MontegoError
from montego.kernels import borrowing, generic_with_default, implements, inlined
from montego.playouts.policy import (
    Policy,
    advance,
    begin,
    learn,
    move_values,
    move_weights,
    next_move,
    notice,
    play_by_move,
    playout,
    prepare,
)

MOST_MEMORY = 16_384  # megabytes of one table


class Wrapper(Policy):
    """Base of the policies around another one: the field ``fallback``, or what ``inside`` returns.

    The memory of a wrapper is a NamedTuple whose field ``inner`` is the memory of the policy inside.
    """

    fallback: Any

    def wrapped(self) -> Any:
        """Return the policy inside, in Python; ``inside`` does so in kernels."""
        return self.fallback

    def own_memory(self, game: Any, inner: Any) -> Any:
        """Return an empty memory around the memory of the policy inside."""
        raise TypeError(f"{type(self).__name__} must define own_memory()")

    def for_thread(self, game: Any, memory: Any) -> Any:
        """Return the memory with whatever one thread needs for itself made anew."""
        return memory

    def new_memory(self, game: Any) -> Any:
        return self.own_memory(game, self.wrapped().new_memory(game))

    def shared_memory(self, game: Any, memory: Any) -> Any:
        return self.for_thread(game, memory._replace(inner=self.wrapped().shared_memory(game, memory.inner)))

    def begin_decision(self, memory: Any, same_game: bool) -> None:
        self.wrapped().begin_decision(memory.inner, same_game)

    def replies(self, game: Any, memory: Any, state: Any, history: Sequence[int]) -> dict[int, float]:
        inner: dict[int, float] = self.wrapped().replies(game, memory.inner, state, history)
        return inner

    @property
    def needs_amaf(self) -> bool:
        return bool(self.wrapped().needs_amaf)


class Learner(Wrapper):
    """Base of the policies that learn while they play: NamedTuples with fields ``p``, ``keep`` and ``fallback``.

    Each decision of theirs is one move: where they know nothing, the fallback's ``next_move`` decides. Threads that
    search one tree share their tables, as they share the tree: everybody learns from every playout, so that n threads
    know after n playouts what one thread knows after n, and not the n-th part of it. Lost updates are too few to
    matter.
    """

    keep: bool

    def clear(self, memory: Any) -> None:
        """Empty the tables."""

    def new_memory(self, game: Any) -> Any:
        if not game.alternates:
            raise MontegoError(f"{game} lets a player move twice; playout {self.spec_name} needs players who alternate")
        return super().new_memory(game)

    def begin_decision(self, memory: Any, same_game: bool) -> None:
        """Clear the tables, unless they are to be kept and it is the same game."""
        if not (same_game and self.keep):
            self.clear(memory)
        super().begin_decision(memory, same_game)


@generic_with_default
@inlined
def inside(policy):
    """Return the policy inside a wrapper."""
    return policy.fallback


@implements(next_move, Wrapper)
@inlined
def _next_move(policy, game, memory, state, rng, trace, end, scratch):
    return next_move(inside(policy), game, memory.inner, state, rng, trace, end, scratch)


@implements(begin, Wrapper)
@inlined
def _begin(policy, game, memory, state, trace, start):
    begin(inside(policy), game, memory.inner, state, trace, start)


@implements(advance, Wrapper)
@inlined
def _advance(policy, game, memory, state, trace, end, move):
    advance(inside(policy), game, memory.inner, state, trace, end, move)


@implements(playout, Learner)
@borrowing
def _playout(policy, game, memory, state, rng, trace, start, scratch):
    if policy.p == 0.0:
        return playout(policy.fallback, game, memory.inner, state, rng, trace, start, scratch)
    return play_by_move(policy, game, memory, state, rng, trace, start, scratch)


@implements(notice, Wrapper)
@borrowing
def _notice(policy, game, memory, state, trace, end, move):
    notice(inside(policy), game, memory.inner, state, trace, end, move)


@implements(prepare, Wrapper)
@borrowing
def _prepare(policy, game, memory, nodes, path, depth):
    prepare(inside(policy), game, memory.inner, nodes, path, depth)


@implements(learn, Wrapper)
@borrowing
def _learn(policy, game, memory, trace, start, end, mover, result):
    learn(inside(policy), game, memory.inner, trace, start, end, mover, result)


@implements(move_weights, Wrapper)
@borrowing
def _move_weights(policy, game, memory, state, trace, end, moves, weights):
    move_weights(inside(policy), game, memory.inner, state, trace, end, moves, weights)


@implements(move_values, Wrapper)
@borrowing
def _move_values(policy, game, memory, state, trace, end, moves, opinions):
    move_values(inside(policy), game, memory.inner, state, trace, end, moves, opinions)
