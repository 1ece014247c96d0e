"""Replies by their success rates: a Win/Loss State for every move in its context, learned from every simulation.

The use that Basaldúa and Moreno Vega made their states for. A move whose rate is above the threshold is played, else
the fallback chooses. For every context the best-rated reply is kept beside the rates, so that a move costs one look-up
whatever the number of moves; when it is refuted, the next reply that does better takes its place. The rates also help
the fallback: of ``candidates`` moves that it proposes, the best-rated is made, one never seen counting as 1/2.

``last1`` and ``last2`` have the last one or two moves as context, ``pattern`` the last move and the class of the
surroundings of the move to come, for games that have such classes (``rules.pattern_class``). ``shape`` forgets where
that is: the class, and on which side of the last move the point lies, so that all places of the board teach the same
few rates. With ``near`` the points beside the last move are tried instead of the best reply, as the paper suggests, and
the best-rated above the threshold is played, or with ``pick=random`` any above it, as the paper has it. With ``e=0``
wins and visits are counted in full instead of states, which tells what the states themselves gain.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.errors import MontegoError, SpecError
from montego.games.rules import counts_as_first, is_playout_move, nearby, pattern_class, to_move
from montego.kernels import borrowing, implements, index, inlined
from montego.playouts.policy import PLAYOUTS, TREE_DEPTH, learn, new_trace, next_move, notice
from montego.playouts.replies import CELL, NONE, Keys, clear_replies, find_reply, new_replies
from montego.playouts.uniform import Uniform
from montego.playouts.wls.automaton import LEAST_Z, MOST_K, MOST_Z, QUARTILE, WinLossStates
from montego.playouts.wls.contexts import ContextTable, context_key, kept_for, learn as rate, lookup
from montego.playouts.wls.counters import Counters
from montego.playouts.wrapper import MOST_MEMORY, Learner
from montego.rng import below, uniform
from montego.spec import Param

_PAPER = "Win/Loss States"
MOST_E = 360  # states of two bytes
SIDES = 9  # on which a point may lie beside another, 0 for elsewhere


class Context(IntEnum):
    """What a success rate depends on, beside the player and the move."""

    LAST1 = 0
    LAST2 = 1
    PATTERN = 2
    SHAPE = 3


class Pick(IntEnum):
    """Which of several good points beside the last move is played."""

    BEST = 0
    RANDOM = 1


class _Parameters(NamedTuple):
    context: Annotated[Context, Param("what a rate depends on: last moves, a pattern class, or both")] = Context.LAST1
    threshold: Annotated[
        tuple,  # type: ignore[type-arg]
        Param("(wins, visits) that a reply must be above", paper=_PAPER),
    ] = (1, 2)
    e: Annotated[int, Param("end of scale: most visits of a state; 0: wins and visits in full", 0, MOST_E, _PAPER)] = 21
    z: Annotated[
        float, Param("how much few visits count against a rate; the paper does not say", LEAST_Z, MOST_Z, _PAPER)
    ] = QUARTILE
    k: Annotated[float, Param("length of the jumps back at the end of scale", 0, MOST_K, _PAPER)] = 1.3
    near: Annotated[bool, Param("whether points beside the last move are tried first", paper=_PAPER)] = False
    pick: Annotated[Pick, Param("which of the good points near; the paper takes any", paper=_PAPER)] = Pick.BEST
    candidates: Annotated[int, Param("moves of the fallback of which the best-rated is made", 1, 100)] = 1
    p: Annotated[float, Param("probability that a good reply is made; 0 switches the policy off", 0, 1)] = 1.0
    keep: Annotated[bool, Param("whether rates are kept for the next move of the game", paper=_PAPER)] = True
    memory: Annotated[float, Param("most megabytes of a table", 0.001, MOST_MEMORY)] = 16.0
    fallback: Annotated[Any, Param("policy for moves without a good reply"), PLAYOUTS] = Uniform()


class WlsMemory(NamedTuple):
    """What the policy has learned."""

    layout: Any  # of ``rates``, see contexts.py
    rates: Any  # states by context and move
    steps: Any  # of the automaton
    good: int  # the threshold as a state
    even: int  # the state of 1/2
    keys: Keys
    best: Any  # CELL: the best-rated reply by last moves; not kept with ``near``
    classes: Any  # pattern classes of the moves of this simulation, by place in the trace
    around: Any  # room for the points beside the last move
    inner: Any


class Wls(_Parameters, Learner, name="wls"):
    """Win/Loss States: replies whose success rate in their context is above a threshold."""

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Refuse a threshold that is not a state."""
        try:
            _model(values["e"], values["z"], values["k"], values["threshold"])
        except MontegoError as problem:
            raise SpecError(f"wls: {problem}") from None
        return values

    def own_memory(self, game: Any, inner: Any) -> Any:
        """Return a table in which nothing was seen yet."""
        self._refuse_misfits(game)
        wls = _model(self.e, self.z, self.k, self.threshold)
        order = {Context.LAST2: 2, Context.SHAPE: 0}.get(self.context, 1)
        moves = 1 if self.context == Context.SHAPE else game.move_limit()
        classes = {Context.PATTERN: game.pattern_classes(), Context.SHAPE: game.pattern_classes() * SIDES}
        table = ContextTable(wls, moves, order=order, patterns=classes.get(self.context, 1), memory=self.memory)
        keys, best = new_replies(0 if self.near else game.move_limit(), max(order, 1), self.memory)
        steps = wls.steps.astype(np.uint16)
        even = wls.limit_of(1, 2)
        return self.for_thread(
            game, WlsMemory(table.layout, table.cells, steps, wls.limit, even, keys, best, None, None, inner)
        )

    def _refuse_misfits(self, game: Any) -> None:
        if self.context >= Context.PATTERN and game.pattern_classes() == 1:
            name = self.context.name.lower()
            raise MontegoError(f"{game} has no pattern classes for wls(context={name}); use context=last1 or last2")
        if self.near and not game.directions():
            raise MontegoError(f"{game} does not tell which moves are near each other: use wls(near=false)")

    def for_thread(self, game: Any, memory: Any) -> Any:
        """Return the memory with room for the classes of one simulation and for the points beside a move."""
        room = len(new_trace(game, TREE_DEPTH)) if self.context >= Context.PATTERN else 1
        return memory._replace(classes=np.zeros(room, np.int32), around=np.zeros(SIDES - 1, np.int64))

    def replies(self, game: Any, memory: Any, state: Any, history: Sequence[int]) -> dict[int, float]:
        """Return the success rates of the moves seen after the last moves; none where rates depend on a pattern."""
        if self.context >= Context.PATTERN:
            return {}
        before_last, last = [NONE, NONE, *history][-2:]
        context = context_key(memory.layout, int(to_move(game, state)), last, before_last, 0)
        seen = {move: int(kept_for(memory.layout, memory.rates, context, move)) for move in range(game.move_limit())}
        wls = _model(self.e, self.z, self.k, self.threshold)
        return {move: float(wls.proportion(kept)) for move, kept in seen.items() if kept > 0}

    def clear(self, memory: Any) -> None:
        """Forget all rates."""
        memory.rates[:] = 0
        clear_replies(memory.best)


def _model(e: int, z: float, k: float, threshold: tuple[int, int]) -> WinLossStates | Counters:
    """Return how rates are kept: as states, or with e = 0 as counters."""
    return WinLossStates(e, z, k, threshold) if e else Counters(z, threshold)


assert CELL["state"].itemsize == 2  # as large as the states of e = MOST_E


@inlined
def list_near(policy, game, state, last, around):
    """Write the free points beside the last move, if the policy asks for them, and return how many."""
    if policy.near or policy.context == Context.SHAPE:
        return np.int64(nearby(game, state, np.int64(last), around))
    return np.int64(0)


@inlined
def side_of(around, count, move):
    """Return on which side of the last move a move lies, 0 for elsewhere."""
    side = np.int64(0)
    for i in range(count):
        if around[index(i)] >> 3 == move:
            side = (around[index(i)] & 7) + 1
    return side


@inlined
def local_class(policy, game, state, move, side):
    """Return the part of a move's context that the board around it gives."""
    if policy.context == Context.PATTERN:
        return np.int64(pattern_class(game, state, move))
    if policy.context == Context.SHAPE:
        return np.int64(pattern_class(game, state, move)) * SIDES + side
    return np.int64(0)


@inlined
def rating(policy, memory, context, move, local):
    """Return the state of a move of a local class; ``context`` is that of class 0."""
    return lookup(memory.layout, memory.rates, context + local, 0 if policy.context == Context.SHAPE else move)


@inlined
def good_reply(policy, game, memory, state, rng, trace, end, count):
    """Return the reply to make and its class, if there is one above the threshold that a playout may make here.

    ``count`` points beside the last move stand in ``memory.around``.
    """
    last, before_last = trace[index(end - 1)], trace[index(end - 2)]
    place, tag = find_reply(memory.keys, memory.best, to_move(game, state), last, before_last)
    cell = memory.best[index(place)]
    move = np.int64(cell.move) - 1
    if move == NONE or cell.tag != tag or not is_playout_move(game, state, move):
        return np.int64(NONE), np.int64(NONE)
    level, local = np.int64(cell.state), np.int64(0)
    if policy.context >= Context.PATTERN:
        context = context_key(memory.layout, to_move(game, state), last, before_last, 0)
        local = local_class(policy, game, state, move, side_of(memory.around, count, move))
        level = rating(policy, memory, context, move, local)
    if level <= memory.good or (policy.p < 1.0 and uniform(rng) >= policy.p):
        return np.int64(NONE), np.int64(NONE)
    return move, local


@inlined
def good_neighbour(policy, game, memory, state, rng, context, count):
    """Return a point beside the last move above the threshold and its class: the best-rated, or any of them."""
    around = memory.around
    chosen, noted, highest = np.int64(NONE), np.int64(NONE), np.int64(memory.good)
    good = 0
    for i in range(count):
        move, direction = np.int64(around[index(i)]) >> 3, np.int64(around[index(i)]) & 7
        local = local_class(policy, game, state, move, direction + 1)
        level = rating(policy, memory, context, move, local)
        if level > highest and is_playout_move(game, state, move):
            good += 1
            if policy.pick == Pick.BEST:
                highest = level
            elif good > 1 and below(rng, good) > 0:  # each of them with the same probability
                continue
            chosen, noted = move, local
    if chosen != NONE and policy.p < 1.0 and uniform(rng) >= policy.p:
        return np.int64(NONE), np.int64(NONE)
    return chosen, noted


@implements(next_move, Wls)
@inlined
def _next_move(policy, game, memory, state, rng, trace, end, scratch):
    """Choose a move, and note its class if rates depend on it."""
    last, before_last = trace[index(end - 1)], trace[index(end - 2)]
    context = context_key(memory.layout, to_move(game, state), last, before_last, 0)
    count = list_near(policy, game, state, last, memory.around)
    chosen, local = np.int64(NONE), np.int64(NONE)
    if policy.near and policy.p > 0.0:
        chosen, local = good_neighbour(policy, game, memory, state, rng, context, count)
    elif policy.p > 0.0:
        chosen, local = good_reply(policy, game, memory, state, rng, trace, end, count)
    if chosen == NONE:
        candidates = policy.candidates if policy.p > 0.0 else 1
        highest = np.int64(-1)
        for _ in range(candidates):
            move = np.int64(next_move(policy.fallback, game, memory.inner, state, rng, trace, end, scratch))
            seen = local_class(policy, game, state, move, side_of(memory.around, count, move))
            level = rating(policy, memory, context, move, seen) if candidates > 1 else np.int64(0)
            level = np.int64(memory.even) if level == 0 else level
            if level > highest:
                chosen, local, highest = move, seen, level
    if policy.context >= Context.PATTERN:
        memory.classes[index(end)] = local
    return chosen


@implements(notice, Wls)
@borrowing
def _notice(policy, game, memory, state, trace, end, move):
    if policy.context >= Context.PATTERN:
        around = memory.around
        count = list_near(policy, game, state, trace[index(end - 1)], around)
        memory.classes[index(end)] = local_class(policy, game, state, move, side_of(around, count, move))
    notice(policy.fallback, game, memory.inner, state, trace, end, move)


@implements(learn, Wls)
@borrowing
def _learn(policy, game, memory, trace, start, end, mover, result):
    """Count a win for every move of the winner and a loss for every one of the loser; a draw teaches nothing."""
    layout, rates, steps, _, _, keys, best, classes, _, inner = memory
    if policy.p > 0.0 and result != 0.5:
        winner = 0 if result > 0.5 else 1
        player = np.int64(mover)
        for i in range(start, end):
            move, last, before_last = np.int64(trace[index(i)]), trace[index(i - 1)], trace[index(i - 2)]
            if counts_as_first(game, move):
                pattern = np.int64(classes[index(i)]) if policy.context >= Context.PATTERN else 0
                context = context_key(layout, player, last, before_last, pattern)
                rated = 0 if policy.context == Context.SHAPE else move
                rate(layout, rates, steps, context, rated, np.int64(player == winner))
                if not policy.near:
                    level = lookup(layout, rates, context, rated)
                    place, tag = find_reply(keys, best, player, last, before_last)
                    cell = best[index(place)]
                    if cell.tag != tag or cell.move == move + 1 or level > cell.state:
                        cell.move = move + 1
                        cell.tag = tag
                        cell.state = level
            player = 1 - player
    learn(policy.fallback, game, inner, trace, start, end, mover, result)
