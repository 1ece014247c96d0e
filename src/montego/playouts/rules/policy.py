"""Playouts of Go by rules: answer what the last move does, play a known shape beside it, else a random move.

The order of the rules is that of Fuego (Enzenberger, Müller, Arneson and Segal 2010): capture, save, nakade, two
liberties, MoGo's patterns, chance. The first rule that has a point the player may sensibly play makes the move; among
its points each is equally likely. Every rule is skipped with a probability of its own, as in Pachi (Baudiš and Gailly
2011), so that no answer is ever certain: playouts that always answer alike are wrong in the same way every time.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games.go import Go
from montego.games.go.board import PASS, capacity_of, points_of
from montego.games.go.ladders import LadderRoom, ladder_room
from montego.games.go.mogo import mogo_patterns
from montego.games.go.rules import sensible
from montego.games.go.self_atari import is_self_atari
from montego.kernels import borrowing, implements, index, inlined
from montego.playouts.careful import careful_move, doubts
from montego.playouts.policy import PLAYOUTS, next_move
from montego.playouts.replies import NONE
from montego.playouts.rules.suggestions import (
    CAPTURE,
    EYE_SPACE,
    ROOM,
    SAVE,
    TWO_LIBERTIES,
    situation,
    suggest_capture,
    suggest_nakade,
    suggest_saves,
    suggest_shapes,
    suggest_two_liberties,
)
from montego.playouts.uniform import Uniform
from montego.playouts.wrapper import Wrapper
from montego.rng import below, happens
from montego.spec import Param

_FUEGO, _PACHI, _MOGO = "Fuego", "Pachi", "MoGo"


class _Parameters(NamedTuple):
    capture: Annotated[float, Param("probability of taking the last stone when it is in atari", 0, 1, _FUEGO)] = 0.9
    save: Annotated[float, Param("probability of saving chains that the last stone put in atari", 0, 1, _FUEGO)] = 0.9
    nakade: Annotated[
        float, Param("probability of the vital point of an eye space beside the last stone", 0, 1, _PACHI)
    ] = 0.0  # no gain was measured, and looking for it costs speed
    two_liberties: Annotated[
        float, Param("probability of playing about chains of two liberties at the last stone", 0, 1, _FUEGO)
    ] = 0.9
    patterns: Annotated[float, Param("probability of a pattern beside one of the last two moves", 0, 1, _MOGO)] = 0.95
    self_atari: Annotated[
        float, Param("probability that a self-atari which a rule proposes is refused", 0, 1, _PACHI)
    ] = 0.9
    random_self_atari: Annotated[float, Param("probability that a random self-atari is refused", 0, 1, "michi")] = 0.5
    correction: Annotated[
        float,
        Param("probability that the liberty it would leave is played instead of a random self-atari", 0, 1, _FUEGO),
    ] = 0.9
    fallback: Annotated[Any, Param("policy for the moves that no rule makes, random above"), PLAYOUTS] = Uniform()


class RulesMemory(NamedTuple):
    """Tables, and room for one thread. Nothing is learned."""

    patterns: Any  # those of MoGo, see games/go/mogo.py
    room: Any  # for the points that a rule proposes
    distances: Any  # [0] to the last move, [1] to the one before, by point: for the weights of a prior
    queue: Any  # for working them out
    ladders: LadderRoom
    inner: Any


class Rules(_Parameters, Wrapper, name="rules"):
    """Go: capture, save, nakade, two liberties, patterns beside the last two moves, no self-atari; else uniform."""

    def own_memory(self, game: Any, inner: Any) -> RulesMemory:
        """Return tables and room for a thread."""
        if not isinstance(game, Go):
            raise MontegoError(f"playout rules knows the rules of thumb of Go only, not of {game}; use uniform or wls")
        points = points_of(capacity_of(game.size, game.height))
        return RulesMemory(
            mogo_patterns(),
            np.zeros(ROOM, np.int64),
            np.zeros((2, points), np.uint8),
            np.zeros(points, np.int64),
            ladder_room(game),
            inner,
        )

    def for_thread(self, game: Any, memory: Any) -> Any:
        """Return room of the thread's own."""
        return self.own_memory(game, memory.inner)


@borrowing
def pick(state, rng, room, refusal, count):
    """Return one of the points that a rule proposes, each of the playable ones equally likely, or ``NONE``."""
    while count > 0:
        place = below(rng, count)
        point = room[index(place)]
        if sensible(state, point, state.turn) and not (is_self_atari(state, point) and happens(rng, refusal)):
            return point
        count -= 1
        room[index(place)] = room[index(count)]
    return np.int64(NONE)


@inlined
def urgent_move(policy, state, rng, last, room, found):
    """Return the answer of the first of the tactical rules that has one, or ``NONE``."""
    move = np.int64(NONE)
    if found & CAPTURE and happens(rng, policy.capture):
        move = pick(state, rng, room, policy.self_atari, suggest_capture(state, last, room))
    if move == NONE and found & SAVE and happens(rng, policy.save):
        move = pick(state, rng, room, policy.self_atari, suggest_saves(state, last, room))
    if move == NONE and found & EYE_SPACE and happens(rng, policy.nakade):
        move = pick(state, rng, room, policy.self_atari, suggest_nakade(state, last, room))
    if move == NONE and found & TWO_LIBERTIES and happens(rng, policy.two_liberties):
        move = pick(state, rng, room, policy.self_atari, suggest_two_liberties(state, last, room))
    return move


@implements(doubts, Rules)
@inlined
def _doubts(policy):
    return policy.random_self_atari, policy.correction


@implements(next_move, Rules)
@inlined
def _next_move(policy, game, memory, state, rng, trace, end, scratch):
    last, before_last = np.int64(trace[index(end - 1)]), np.int64(trace[index(end - 2)])
    if last > PASS:
        room = memory.room
        move = np.int64(NONE)
        found = situation(state, last)
        if found:
            move = urgent_move(policy, state, rng, last, room, found)
        if move == NONE and happens(rng, policy.patterns):
            move = pick(
                state, rng, room, policy.self_atari, suggest_shapes(state, last, before_last, memory.patterns, room)
            )
        if move != NONE:
            return move
    return careful_move(policy, game, memory, state, rng, trace, end, scratch)
