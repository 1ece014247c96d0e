"""Playouts that end early: when one side leads by so much that the rest is a formality, or after a number of moves.

The mercy rule of MoGo and others, and the cap with an estimate of "early playout termination" (refinements lecture). The
estimate is the score of the position as it stands.
"""

from typing import Annotated, Any, NamedTuple

from montego.games.rules import is_over, score
from montego.kernels import borrowing, implements, inlined
from montego.playouts.policy import (
    PLAYOUTS,
    begin_decision,
    learn,
    move_weights,
    new_memory,
    next_move,
    notice,
    playout,
    prepare,
    shared_memory,
)
from montego.playouts.uniform import Uniform
from montego.spec import Param


class Cut(NamedTuple):
    """Another policy's playouts, ended early and scored as they stand."""

    moves: Annotated[int, Param("most moves of a playout; 0: no cap", 0, 10**9, "refinements")] = 0
    mercy: Annotated[float, Param("lead at which a playout is decided; 0: never", 0, 1e9, "refinements")] = 0.0
    every: Annotated[int, Param("moves between two looks at the lead", 1, 10**6)] = 16
    policy: Annotated[Any, Param("how moves are drawn"), PLAYOUTS] = Uniform()

    def new_memory(self, game: Any) -> Any:
        """Return what the policy inside learns in."""
        return new_memory(self.policy, game)

    def shared_memory(self, game: Any, memory: Any) -> Any:
        """Return the memory of a further thread for the policy inside."""
        return shared_memory(self.policy, game, memory)

    def begin_decision(self, memory: Any, same_game: bool) -> None:
        """Tell the policy inside."""
        begin_decision(self.policy, memory, same_game)

    @property
    def needs_amaf(self) -> bool:
        """Whether the policy inside needs a search with RAVE."""
        return getattr(self.policy, "needs_amaf", False)


PLAYOUTS.add("cut", Cut)


@implements(playout, Cut)
@borrowing
def _playout(policy, game, memory, state, rng, trace, begin, scratch):
    last = len(trace)
    if policy.moves > 0:
        last = min(last, begin + policy.moves)
    end = begin
    while end < last and not is_over(game, state):
        stop = last
        if policy.mercy > 0.0:
            stop = min(last, end + policy.every)
        end = playout(policy.policy, game, memory, state, rng, trace[:stop], end, scratch)
        if policy.mercy > 0.0 and abs(score(game, state)) >= policy.mercy:
            break
    return end


@implements(next_move, Cut)
@inlined
def _next_move(policy, game, memory, state, rng, trace, end, scratch):
    return next_move(policy.policy, game, memory, state, rng, trace, end, scratch)


@implements(notice, Cut)
@borrowing
def _notice(policy, game, memory, state, trace, end, move):
    notice(policy.policy, game, memory, state, trace, end, move)


@implements(prepare, Cut)
@borrowing
def _prepare(policy, game, memory, nodes, path, depth):
    prepare(policy.policy, game, memory, nodes, path, depth)


@implements(learn, Cut)
@borrowing
def _learn(policy, game, memory, trace, begin, end, mover, result):
    learn(policy.policy, game, memory, trace, begin, end, mover, result)


@implements(move_weights, Cut)
@borrowing
def _move_weights(policy, game, state, trace, end, moves, count, weights):
    move_weights(policy.policy, game, state, trace, end, moves, count, weights)
