"""Replies by their success rates: a Win/Loss State for every move in its context, learned from every simulation.

The use that Basaldúa and Moreno Vega made their states for. A move whose rate is above the threshold is played, else the
fallback chooses. For every context the best-rated reply is kept beside the rates, so that a move costs one look-up whatever
the number of moves; when it is refuted, the next reply that does better takes its place. The rates also help the
fallback: of ``candidates`` moves that it proposes, the best-rated is made, one never seen counting as 1/2.

``last1`` and ``last2`` have the last one or two moves as context, ``pattern`` the last move and the class of the surroundings
of the move to come, for games that have such classes (``rules.pattern_class``).
"""

from enum import IntEnum
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego._jit import implements, index, inlined
from montego.errors import MontegoError, SpecError
from montego.games.rules import (
    begin_playout,
    counts_as_first,
    is_over,
    is_playout_move,
    make_move,
    pattern_class,
    to_move,
)
from montego.playouts.learner import MOST_MEMORY, Learner, falls_back
from montego.playouts.policy import PLAYOUTS, learn, new_trace, next_move, notice, playout
from montego.playouts.replies import CELL, NONE, Keys, clear_replies, find_reply, new_replies
from montego.playouts.uniform import Uniform
from montego.playouts.wls.automaton import LEAST_Z, MOST_K, MOST_Z, QUARTILE, WinLossStates
from montego.playouts.wls.contexts import ContextTable, context_key, learn as rate, lookup
from montego.rng import uniform
from montego.spec import Param

_PAPER = "Win/Loss States"
_TREE_DEPTH = 512  # of the deepest search: classes are noted for tree and playout
MOST_E = 360  # states of two bytes


class Context(IntEnum):
    """What a success rate depends on, beside the player and the move."""

    LAST1 = 0
    LAST2 = 1
    PATTERN = 2


class _Parameters(NamedTuple):
    context: Annotated[Context, Param("what a rate depends on: the last moves, or the last and a pattern class")] = (
        Context.LAST1
    )
    threshold: Annotated[tuple, Param("(wins, visits) that a reply must be above", paper=_PAPER)] = (1, 2)  # type: ignore[type-arg]
    e: Annotated[int, Param("end of scale: most visits that a rate counts", 1, MOST_E, _PAPER)] = 21
    z: Annotated[float, Param("how much few visits count against a rate", LEAST_Z, MOST_Z, _PAPER)] = QUARTILE
    k: Annotated[float, Param("length of the jumps back at the end of scale", 0, MOST_K, _PAPER)] = 1.3
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
    best: Any  # CELL: the best-rated reply by last moves
    classes: Any  # pattern classes of the moves of this simulation, by place in the trace
    inner: Any


class Wls(_Parameters, Learner):
    """Win/Loss States: replies whose success rate in their context is above a threshold."""

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Refuse a threshold that is no state."""
        try:
            WinLossStates(values["e"], values["z"], values["k"], values["threshold"])
        except MontegoError as problem:
            raise SpecError(f"wls: {problem}") from None
        return values

    def own_memory(self, game: Any, inner: Any) -> Any:
        """Return a table in which nothing was seen yet."""
        if self.context == Context.PATTERN and game.pattern_classes() == 1:
            raise MontegoError(f"{game} has no pattern classes for wls(context=pattern); use context=last1 or last2")
        wls = WinLossStates(self.e, self.z, self.k, self.threshold)
        order = 2 if self.context == Context.LAST2 else 1
        patterns = game.pattern_classes() if self.context == Context.PATTERN else 1
        table = ContextTable(wls, game.move_limit(), order=order, patterns=patterns, memory=self.memory)
        keys, best = new_replies(game.move_limit(), order, self.memory)
        steps = wls.steps.astype(np.uint16)
        even = wls.limit_of(1, 2)
        return self.for_thread(
            game, WlsMemory(table.layout, table.cells, steps, wls.limit, even, keys, best, None, inner)
        )

    def for_thread(self, game: Any, memory: Any) -> Any:
        """Return the memory with room for the classes of one simulation."""
        room = len(new_trace(game, _TREE_DEPTH)) if self.context == Context.PATTERN else 1
        return memory._replace(classes=np.zeros(room, np.int32))

    def clear(self, memory: Any) -> None:
        """Forget all rates."""
        memory.rates[:] = 0
        clear_replies(memory.best)


PLAYOUTS.add("wls", Wls)
falls_back(Wls)

assert CELL["state"].itemsize == 2  # as large as the states of e = MOST_E


@inlined
def rating(policy, game, layout, rates, state, player, last, before_last, move):
    """Return the state of a move in a position."""
    pattern = pattern_class(game, state, move) if policy.context == Context.PATTERN else 0
    return lookup(layout, rates, context_key(layout, player, last, before_last, pattern), move)


@inlined
def good_reply(policy, game, layout, rates, good, keys, best, state, rng, player, last, before_last):
    """Return the reply to make, if there is one above the threshold that a playout may make here, else ``NONE``."""
    place, tag = find_reply(keys, best, player, last, before_last)
    cell = best[index(place)]
    move = np.int64(cell.move) - 1
    if move == NONE or cell.tag != tag or not is_playout_move(game, state, move):
        return np.int64(NONE)
    level = np.int64(cell.state)
    if policy.context == Context.PATTERN:
        level = rating(policy, game, layout, rates, state, player, last, before_last, move)
    if level <= good or (policy.p < 1.0 and uniform(rng) >= policy.p):
        return np.int64(NONE)
    return move


@inlined
def choose(policy, game, layout, rates, good, even, keys, best, classes, inner, state, rng, trace, end, scratch):
    """Return the move to make, and note its pattern class if rates depend on it."""
    player = to_move(game, state)
    last, before_last = trace[index(end - 1)], trace[index(end - 2)]
    chosen = good_reply(policy, game, layout, rates, good, keys, best, state, rng, player, last, before_last)
    if chosen == NONE:
        chosen = next_move(policy.fallback, game, inner, state, rng, trace, end, scratch)
        if policy.candidates > 1:
            highest = rating(policy, game, layout, rates, state, player, last, before_last, chosen)
            highest = even if highest == 0 else highest
            for _ in range(1, policy.candidates):
                move = next_move(policy.fallback, game, inner, state, rng, trace, end, scratch)
                level = rating(policy, game, layout, rates, state, player, last, before_last, move)
                level = even if level == 0 else level
                if level > highest:
                    highest, chosen = level, move
    if policy.context == Context.PATTERN:
        classes[index(end)] = pattern_class(game, state, chosen)
    return chosen


@implements(playout, Wls)
def _playout(policy, game, memory, state, rng, trace, begin, scratch):
    """Play move by move, as ``play_by_move`` does, with the arrays taken out of the memory once and for all."""
    layout, rates, _, good, even, keys, best, classes, inner = memory
    if policy.p == 0.0:
        return playout(policy.fallback, game, inner, state, rng, trace, begin, scratch)
    begin_playout(game, state, trace, begin)
    end = begin
    while end < len(trace) and not is_over(game, state):
        move = choose(
            policy, game, layout, rates, good, even, keys, best, classes, inner, state, rng, trace, end, scratch
        )
        make_move(game, state, trace, end, move)
        end += 1
    return end


@implements(next_move, Wls)
def _next_move(policy, game, memory, state, rng, trace, end, scratch):
    layout, rates, _, good, even, keys, best, classes, inner = memory
    if policy.p == 0.0:
        return next_move(policy.fallback, game, inner, state, rng, trace, end, scratch)
    return choose(policy, game, layout, rates, good, even, keys, best, classes, inner, state, rng, trace, end, scratch)


@implements(notice, Wls)
def _notice(policy, game, memory, state, end, move):
    if policy.context == Context.PATTERN:
        memory.classes[index(end)] = pattern_class(game, state, move)
    notice(policy.fallback, game, memory.inner, state, end, move)


@implements(learn, Wls)
def _learn(policy, game, memory, trace, begin, end, mover, result):
    """Count a win for every move of the winner and a loss for every one of the loser; a draw teaches nothing."""
    layout, rates, steps, _, _, keys, best, classes, inner = memory
    if policy.p > 0.0 and result != 0.5:
        winner = 0 if result > 0.5 else 1
        player = np.int64(mover)
        for i in range(begin, end):
            move, last, before_last = np.int64(trace[index(i)]), trace[index(i - 1)], trace[index(i - 2)]
            if counts_as_first(game, move):
                pattern = np.int64(classes[index(i)]) if policy.context == Context.PATTERN else 0
                context = context_key(layout, player, last, before_last, pattern)
                rate(layout, rates, steps, context, move, np.int64(player == winner))
                level = lookup(layout, rates, context, move)
                place, tag = find_reply(keys, best, player, last, before_last)
                cell = best[index(place)]
                if cell.tag != tag or cell.move == move + 1 or level > cell.state:
                    cell.move = move + 1
                    cell.tag = tag
                    cell.state = level
            player = 1 - player
    learn(policy.fallback, game, inner, trace, begin, end, mover, result)
