"""Playouts that end early: when one side leads by so much that the rest is a formality, or after a number of moves.

The mercy rule of MoGo and others, and the cap with an estimate of "early playout termination" (refinements lecture).
The estimate is the score of the position as it stands.
"""

from typing import Annotated, Any, NamedTuple

from montego.games.rules import is_over, score
from montego.kernels import borrowing, implements, inlined
from montego.playouts.policy import PLAYOUTS, playout
from montego.playouts.uniform import Uniform
from montego.playouts.wrapper import Wrapper, inside
from montego.spec import Param


class _Parameters(NamedTuple):
    moves: Annotated[int, Param("most moves of a playout; 0: no cap", 0, 10**9, "refinements")] = 0
    mercy: Annotated[float, Param("lead at which a playout is decided; 0: never", 0, 1e9, "refinements")] = 0.0
    every: Annotated[int, Param("moves between two looks at the lead", 1, 10**6)] = 16
    policy: Annotated[Any, Param("how moves are drawn"), PLAYOUTS] = Uniform()


class CutMemory(NamedTuple):
    """What the policy inside has learned."""

    inner: Any


class Cut(_Parameters, Wrapper, name="cut"):
    """Another policy's playouts, ended early and scored as they stand."""

    def wrapped(self) -> Any:
        return self.policy

    def own_memory(self, game: Any, inner: Any) -> CutMemory:
        return CutMemory(inner)


@implements(inside, Cut)
@inlined
def _inside(policy):
    return policy.policy


@implements(playout, Cut)
@borrowing
def _playout(policy, game, memory, state, rng, trace, start, scratch):
    last = len(trace)
    if policy.moves > 0:
        last = min(last, start + policy.moves)
    end = start
    while end < last and not is_over(game, state):
        stop = last
        if policy.mercy > 0.0:
            stop = min(last, end + policy.every)
        end = playout(policy.policy, game, memory.inner, state, rng, trace[:stop], end, scratch)
        if policy.mercy > 0.0 and abs(score(game, state)) >= policy.mercy:
            break
    return end
