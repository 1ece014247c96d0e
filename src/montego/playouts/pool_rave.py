"""PoolRAVE: playouts made of moves that all-moves-as-first statistics recommend.

Rimmel, Teytaud and Teytaud, "Biasing Monte-Carlo simulations through RAVE values" (2010). Before a playout, the n moves
of the best AMAF mean at the last node of the path with enough RAVE visits are pooled; then each move of the playout is,
with probability p, one drawn from the pool, if it can be made. Departs from the paper in that each player has a pool,
from the last node at which it is to move, as the AMAF statistics of a node are those of the player to move.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.games.rules import counts_as_first, is_playout_move, to_move
from montego.kernels import borrowing, implements, index, inlined
from montego.playouts.policy import PLAYOUTS, next_move, prepare
from montego.playouts.replies import NONE
from montego.playouts.uniform import Uniform
from montego.playouts.wrapper import Learner
from montego.rng import below, uniform
from montego.spec import Param

_PAPER = "PoolRAVE"


class _Parameters(NamedTuple):
    n: Annotated[int, Param("moves in a pool", 1, 1000, _PAPER)] = 10
    p: Annotated[float, Param("probability of a move from the pool; 0 switches the policy off", 0, 1, _PAPER)] = 0.5
    min_visits: Annotated[int, Param("AMAF visits of a move before it comes into a pool", 1, 10**9, _PAPER)] = 50
    fallback: Annotated[Any, Param("policy for the other moves"), PLAYOUTS] = Uniform()


class PoolMemory(NamedTuple):
    """The pools of one thread."""

    pools: Any  # moves by player, best first
    values: Any  # room for the means of n moves
    sizes: Any  # of both pools
    inner: Any


class PoolRave(_Parameters, Learner, name="pool_rave"):
    """PoolRAVE: moves drawn from the best by AMAF at the last well-known node of the tree."""

    keep = True  # there is nothing to clear: pools are made for every playout

    def own_memory(self, game: Any, inner: Any) -> PoolMemory:
        """Return empty pools."""
        return PoolMemory(np.zeros((2, self.n), np.int32), np.zeros(self.n), np.zeros(2, np.int64), inner)

    def for_thread(self, game: Any, memory: Any) -> Any:
        """Return pools of the thread's own."""
        return self.own_memory(game, memory.inner)

    @property
    def needs_amaf(self) -> bool:
        """Whether the search must keep AMAF statistics."""
        return self.p > 0 or super().needs_amaf


@inlined
def fill_pool(game, nodes, parent, least, pool, values):
    """Write the moves of a node's children of the best AMAF means of ``least`` visits, best first; return the count."""
    node = nodes[index(parent)]
    size = 0
    for i in range(node.first_child, node.first_child + node.children):
        child = nodes[index(i)]
        if child.amaf_visits < least or not counts_as_first(game, np.int64(child.move)):
            continue
        mean = child.amaf_total / child.amaf_visits
        if size == len(pool) and mean <= values[index(size - 1)]:
            continue
        place = min(size, len(pool) - 1)
        size = place + 1
        while place > 0 and values[index(place - 1)] < mean:
            pool[index(place)], values[index(place)] = pool[index(place - 1)], values[index(place - 1)]
            place -= 1
        pool[index(place)], values[index(place)] = child.move, mean
    return size


@implements(prepare, PoolRave)
@borrowing
def _prepare(policy, game, memory, nodes, path, depth):
    """Fill each player's pool from the last node of the path at which it is to move and that has moves for it."""
    pools, values, sizes, inner = memory
    sizes[0] = 0
    sizes[1] = 0
    if policy.p > 0.0:
        level = depth
        while level >= 0 and (sizes[0] == 0 or sizes[1] == 0):
            number = np.int64(path[index(level)].node)
            player = 1 - np.int64(path[index(level)].mover)
            if nodes[index(number)].first_child != 0 and sizes[index(player)] == 0:
                pool = pools[index(player)]
                sizes[index(player)] = fill_pool(game, nodes, number, policy.min_visits, pool, values)
            level -= 1
    prepare(policy.fallback, game, inner, nodes, path, depth)


@inlined
def pooled_move(policy, game, memory, state, rng):
    """Return a move from the pool of the player to move, or ``NONE``."""
    player = np.int64(to_move(game, state))
    size = memory.sizes[index(player)]
    if size == 0 or uniform(rng) >= policy.p:
        return np.int64(NONE)
    move = np.int64(memory.pools[index(player), index(below(rng, size))])
    return move if is_playout_move(game, state, move) else np.int64(NONE)


@implements(next_move, PoolRave)
@inlined
def _next_move(policy, game, memory, state, rng, trace, end, scratch):
    move = pooled_move(policy, game, memory, state, rng)
    if move == NONE:
        move = next_move(policy.fallback, game, memory.inner, state, rng, trace, end, scratch)
    return move
