"""Careful playouts of Go: whatever another policy draws, a self-atari is corrected or refused.

A pattern of 3×3 points does not see most self-ataris, since liberties may lie further away. So trained playouts give
away groups that any player would keep. Fuego plays the one liberty that would be left instead, if that is no self-atari
itself (Enzenberger, Müller, Arneson and Segal 2010); michi draws again. Each happens with a probability, as a
self-atari can be the best move: a throw-in, or the vital point of an eye space.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games.go import Go
from montego.games.go.board import PASS
from montego.games.go.rules import sensible
from montego.games.go.self_atari import is_self_atari, remaining_liberty
from montego.kernels import generic, implements, inlined
from montego.playouts.policy import PLAYOUTS, next_move
from montego.playouts.uniform import Uniform
from montego.playouts.wrapper import Wrapper
from montego.rng import happens
from montego.spec import Param

DRAWS = 8  # moves at most, before a self-atari is made after all


class _Parameters(NamedTuple):
    refuse: Annotated[float, Param("probability that a self-atari is refused and drawn again", 0, 1, "michi")] = 0.9
    correct: Annotated[float, Param("probability that the liberty it leaves is played instead", 0, 1, "Fuego")] = 0.9
    fallback: Annotated[Any, Param("policy that draws the moves"), PLAYOUTS] = Uniform()


class CarefulMemory(NamedTuple):
    """There is nothing to remember."""

    inner: Any


class Careful(_Parameters, Wrapper, name="careful"):
    """Go: the moves of another policy, but self-ataris are corrected or refused."""

    def own_memory(self, game: Any, inner: Any) -> CarefulMemory:
        """Return the memory of the policy inside."""
        if not isinstance(game, Go):
            raise MontegoError(f"playout careful knows self-ataris of Go only, not of {game}; leave it out")
        return CarefulMemory(inner)


@generic
def doubts(policy):
    """Return the probabilities with which a policy refuses and corrects the self-ataris of its fallback."""


@implements(doubts, Careful)
@inlined
def _doubts(policy):
    return policy.refuse, policy.correct


@inlined
def careful_move(policy, game, memory, state, rng, trace, end, scratch):
    """Return a move of the fallback of a policy; a self-atari is corrected or refused."""
    refuse, correct = doubts(policy)
    move = np.int64(PASS)
    for _ in range(DRAWS):
        move = np.int64(next_move(policy.fallback, game, memory.inner, state, rng, trace, end, scratch))
        if move == PASS or not is_self_atari(state, move):
            return move
        if happens(rng, correct):
            other = remaining_liberty(state, move)
            if other != 0 and sensible(state, other, state.turn) and not is_self_atari(state, other):
                return other
        if not happens(rng, refuse):
            return move
    return move


@implements(next_move, Careful)
@inlined
def _next_move(policy, game, memory, state, rng, trace, end, scratch):
    return careful_move(policy, game, memory, state, rng, trace, end, scratch)
