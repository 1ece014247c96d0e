"""Last good reply: what the winner of a playout answered is answered again.

Drake, "The last-good-reply policy for Monte-Carlo Go" (2009), and with forgetting (``lgrf``: the loser's replies are
dropped again) Baier and Drake, "The power of forgetting: improving the last-good-reply policy in Monte Carlo Go"
(2010). Order 2 first looks for a reply to the last two moves, then for one to the last. Departs from the papers in that
a draw teaches nothing and that moves which mean something else each time (Go: the pass) are not kept as replies.
"""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.games.rules import counts_as_first, is_playout_move, to_move
from montego.kernels import borrowing, generic_with_default, implements, index, inlined
from montego.playouts.policy import PLAYOUTS, learn, next_move
from montego.playouts.replies import (
    NONE,
    Keys,
    clear_replies,
    drop_reply,
    new_replies,
    reply_to,
    store_reply,
)
from montego.playouts.uniform import Uniform
from montego.playouts.wrapper import MOST_MEMORY, Learner
from montego.rng import uniform
from montego.spec import Param

_DRAKE = "Drake 2009"


class _Parameters(NamedTuple):
    order: Annotated[int, Param("how many last moves are replied to", 1, 2, _DRAKE)] = 1
    p: Annotated[float, Param("probability that a known reply is made; 0 switches the policy off", 0, 1)] = 1.0
    keep: Annotated[bool, Param("whether replies are kept for the next move of the game")] = True
    memory: Annotated[float, Param("megabytes for replies to two moves", 0.001, MOST_MEMORY)] = 16.0
    fallback: Annotated[Any, Param("policy for moves without a reply"), PLAYOUTS] = Uniform()


class LgrMemory(NamedTuple):
    """What the policy has learned: replies to the last move and, if it asks for them, to the last two."""

    keys: Keys
    cells: Any
    pair_keys: Keys
    pair_cells: Any
    inner: Any


class Lgr(_Parameters, Learner, name="lgr"):
    """Last good reply: the winner's answers to the last move, or first to the last two."""

    def own_memory(self, game: Any, inner: Any) -> LgrMemory:
        """Return empty tables of replies."""
        moves = game.move_limit()
        pairs = new_replies(moves, 2, self.memory) if self.order == 2 else new_replies(0, 1, 0.1)
        return LgrMemory(*new_replies(moves, 1, self.memory), *pairs, inner)

    def clear(self, memory: Any) -> None:
        """Forget all replies."""
        clear_replies(memory.cells)
        clear_replies(memory.pair_cells)

    def replies(self, game: Any, memory: Any, state: Any, history: Sequence[int]) -> dict[int, float]:
        """Return the replies to the last move and to the last two, which are made whenever they are legal: rate 1."""
        before_last, last = [NONE, NONE, *history][-2:]
        player = int(to_move(game, state))
        found = [int(reply_to(memory.keys, memory.cells, player, last, before_last))]
        if self.order == 2:
            found.append(int(reply_to(memory.pair_keys, memory.pair_cells, player, last, before_last)))
        return {move: 1.0 for move in found if move != NONE}


class Lgrf(Lgr, name="lgrf"):
    """Last good reply with forgetting: an answer that was given again in a lost playout is forgotten."""


@generic_with_default
@inlined
def forgets(policy):
    """Whether the loser's replies are dropped."""
    return False


@implements(forgets, Lgrf)
@inlined
def _forgets(policy):
    return True


@inlined
def is_made(policy, game, state, rng, move):
    """Whether a stored reply is to be made: there is one, a playout may make it here, and chance agrees."""
    return move != NONE and is_playout_move(game, state, move) and (policy.p >= 1.0 or uniform(rng) < policy.p)


@implements(next_move, Lgr)
@inlined
def _next_move(policy, game, memory, state, rng, trace, end, scratch):
    player = to_move(game, state)
    last, before_last = trace[index(end - 1)], trace[index(end - 2)]
    if policy.order == 2:
        move = reply_to(memory.pair_keys, memory.pair_cells, player, last, before_last)
        if is_made(policy, game, state, rng, move):
            return np.int64(move)
    move = reply_to(memory.keys, memory.cells, player, last, before_last)
    if is_made(policy, game, state, rng, move):
        return np.int64(move)
    return np.int64(next_move(policy.fallback, game, memory.inner, state, rng, trace, end, scratch))


@borrowing
def learn_replies(policy, game, memory, trace, start, end, mover, winner):
    """Store the replies of the winner of ``trace[start:end]``; drop those of the loser, if the policy forgets."""
    keys, cells, pair_keys, pair_cells, _ = memory
    player = np.int64(mover)
    for i in range(start, end):
        move, last, before_last = np.int64(trace[index(i)]), trace[index(i - 1)], trace[index(i - 2)]
        if counts_as_first(game, move):
            if player == winner:
                store_reply(keys, cells, player, last, before_last, move)
                if policy.order == 2:
                    store_reply(pair_keys, pair_cells, player, last, before_last, move)
            elif forgets(policy):
                drop_reply(keys, cells, player, last, before_last, move)
                if policy.order == 2:
                    drop_reply(pair_keys, pair_cells, player, last, before_last, move)
        player = 1 - player


@implements(learn, Lgr)
@borrowing
def _learn(policy, game, memory, trace, start, end, mover, result):
    if policy.p > 0.0 and result != 0.5:
        learn_replies(policy, game, memory, trace, start, end, mover, 0 if result > 0.5 else 1)
    learn(policy.fallback, game, memory.inner, trace, start, end, mover, result)
