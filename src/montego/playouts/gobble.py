"""Playouts with a temperature: every move is drawn by its all-moves-as-first value so far.

Brügmann's Gobble ("Monte Carlo Go", 1993), and the K table of Bouzy and Helmstetter (2003) in the refinements lecture:
a player makes move m with a probability in proportion to exp(K v(m)), in every position of the random games. v(m) is
the mean reward, from 0 to 1, of the simulations of this decision in which that player was the first to make m, and 1/2
before there is one. So K is per unit of reward: with ``reward=score`` a point of 9×9 Go with komi 7.5 is 1/177 of a
unit, and with ``win_loss`` the unit is a win. Annealing lets K rise from 0 with the number of playouts.
"""

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.games.rules import counts_as_first, draw_move, playout_moves, to_move
from montego.kernels import borrowing, implements, index, inlined
from montego.playouts.policy import PLAYOUTS, begin, learn, next_move
from montego.playouts.uniform import Uniform
from montego.playouts.wrapper import Learner, inside
from montego.rng import uniform
from montego.spec import Param

_PAPER = "refinements"
DRAWS = 8  # moves that are drawn evenly and may be rejected, before all moves are weighed
WORTH_DRAWING = 0.2  # mean weight above which drawing evenly is the quicker way


class _Parameters(NamedTuple):
    k: Annotated[
        float, Param("K, the inverse of the temperature; the lecture's K = 2 on -1 … 1 is 4 here", 0, 1e9, _PAPER)
    ] = 5.0
    n: Annotated[int, Param("playouts in which K rises from 0 to k; 0: it is constant", 0, 10**12, _PAPER)] = 0
    p: Annotated[float, Param("probability that a move is drawn so; 0 switches the policy off", 0, 1)] = 1.0
    keep: Annotated[bool, Param("whether values are kept for the next move of the game")] = False
    fallback: Annotated[Any, Param("policy for the other moves, such as passes"), PLAYOUTS] = Uniform()


class GobbleMemory(NamedTuple):
    """What the simulations so far were worth, by player and move."""

    totals: Any  # rewards, for the player
    counts: Any
    weights: Any  # exp(K v), scaled; made anew for each playout
    playouts: Any  # their number
    draws: Any  # per player: how many moves to draw evenly before all are weighed
    sums: Any  # room for running sums of the weights of the moves of one position
    marks: Any  # per move: the last simulation in which somebody made it
    inner: Any


class Gobble(_Parameters, Learner, name="gobble"):
    """Every move drawn by its all-moves-as-first value, at a temperature."""

    def own_memory(self, game: Any, inner: Any) -> GobbleMemory:
        """Return a memory of no playouts."""
        moves = game.move_limit()
        totals, counts, weights = np.zeros((3, 2, moves))
        playouts, draws = np.zeros(1, np.int64), np.zeros(2, np.int64)
        sums, marks = np.zeros(moves), np.zeros(moves, np.int64)
        return GobbleMemory(totals, counts, weights, playouts, draws, sums, marks, inner)

    def for_thread(self, game: Any, memory: Any) -> Any:
        """Return the memory with room of the thread's own."""
        fresh = self.own_memory(game, memory.inner)
        return memory._replace(weights=fresh.weights, draws=fresh.draws, sums=fresh.sums, marks=fresh.marks)

    def clear(self, memory: Any) -> None:
        """Forget all values."""
        for table in memory[:-1]:
            table[:] = 0


@implements(begin, Gobble)
@borrowing
def _begin(policy, game, memory, state, trace, start):
    """Write the weights of this playout; the greatest of a player is 1, so that none overflows."""
    inverse = policy.k
    if policy.n > 0:
        inverse *= min(1.0, memory.playouts[0] / policy.n)
    for player in range(2):
        best = 0.0
        weights = memory.weights[index(player)]
        for move in range(len(weights)):
            count = memory.counts[index(player), index(move)]
            value = 0.5
            if count > 0.0:
                value = memory.totals[index(player), index(move)] / count
            weights[index(move)] = value
            best = max(best, value)
        total = 0.0
        for move in range(len(weights)):
            weights[index(move)] = math.exp(inverse * (weights[index(move)] - best))
            total += weights[index(move)]
        memory.draws[index(player)] = DRAWS if total > WORTH_DRAWING * len(weights) else 0
    begin(inside(policy), game, memory.inner, state, trace, start)


@borrowing
def warm_move(game, memory, state, rng, trace, end, scratch):
    """Return a move drawn by the weights, or -1 if no move that has a value can be made.

    A move that is drawn evenly and kept with the probability of its weight follows the same distribution (rejection
    sampling). Only after several rejections, which are common at low temperatures, are all moves weighed; and after a
    move without a value, such as a pass, as there may be no other.
    """
    player = np.int64(to_move(game, state))
    weights = memory.weights[index(player)]
    for _ in range(memory.draws[index(player)]):
        move = np.int64(draw_move(game, state, rng, trace, end, scratch))
        if not counts_as_first(game, move):
            break
        if uniform(rng) < weights[index(move)]:
            return move
    moves = scratch[: playout_moves(game, state, scratch)]
    return weighted_move(game, moves, weights, memory.sums, rng)


@borrowing
def weighted_move(game, moves, weights, sums, rng):
    """Draw one of some moves by the weights of those that have a value, or return -1."""
    total = 0.0
    for i in range(len(moves)):
        move = np.int64(moves[index(i)])
        total += weights[index(move)] if counts_as_first(game, move) else 0.0
        sums[index(i)] = total
    mark, before, chosen = uniform(rng) * total, 0.0, np.int64(-1)
    for i in range(len(moves)):
        if sums[index(i)] > before:
            chosen = np.int64(moves[index(i)])
            before = sums[index(i)]
        if mark < before:
            break
    return chosen


@implements(next_move, Gobble)
@inlined
def _next_move(policy, game, memory, state, rng, trace, end, scratch):
    move = np.int64(-1)
    if policy.p >= 1.0 or uniform(rng) < policy.p:
        move = warm_move(game, memory, state, rng, trace, end, scratch)
    if move < 0:
        move = np.int64(next_move(inside(policy), game, memory.inner, state, rng, trace, end, scratch))
    return move


@implements(learn, Gobble)
@borrowing
def _learn(policy, game, memory, trace, start, end, mover, result):
    """Add the reward to every move of the simulation, for the player who made it first."""
    memory.playouts[0] += 1
    player = np.int64(mover)
    for i in range(start, end):
        move = np.int64(trace[index(i)])
        if memory.marks[index(move)] != memory.playouts[0] and counts_as_first(game, move):
            memory.marks[index(move)] = memory.playouts[0]
            memory.counts[index(player), index(move)] += 1.0
            memory.totals[index(player), index(move)] += result if player == 0 else 1.0 - result
        player = 1 - player
    learn(inside(policy), game, memory.inner, trace, start, end, mover, result)
