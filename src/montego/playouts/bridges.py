"""Random playouts of Hex and Y in which a player whose bridge is cut into answers at once.

Two stones with two common empty neighbours are a *bridge*: if the enemy takes one of these, the other still connects.
A player answers the enemy's last move there if the points around that move, in order, hold own, empty, own; an edge
counts as a stone of whoever may use it, but two edges that both players may use do not make a bridge. Every other move
is uniform. This is the *save bridge* rule of Arneson, Hayward and Henderson, "Monte Carlo tree search in Hex" (2010).

**One pass.** A move that is uniform over the empty points is the next one of a random order that is still empty:
answers depend only on the points drawn so far, so those to come are in random order whatever was answered. A playout
so costs one shuffle, and for each move a look at the six points around it, whose colours are one number of twelve bits
that a table turns into the answers.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games.features import Array
from montego.games.rules import draw_move
from montego.games.tools.connection.board import (
    DIRECTIONS,
    add_stone,
    empty_points,
    full_board_winner,
    holds,
    list_empty_points,
    point_count,
    word_count,
)
from montego.games.tools.connection.features import NO_POINT, RING_CODES
from montego.games.tools.connection.game import ConnectionGame
from montego.kernels import bit_count, borrowing, implements, index, inlined
from montego.playouts.policy import Policy, next_move, play_by_move, playout
from montego.rng import below, shuffle, uniform
from montego.spec import Param

_BOTH = 3  # on a place around a point: an edge that serves both players; 1 and 2: a stone or edge of one of them
_ZERO, _ONE = np.uint64(0), np.uint64(1)
NOTHING = -1


class _Parameters(NamedTuple):
    p: Annotated[float, Param("probability that an intrusion is answered", 0, 1, "MoHex 2010")] = 1.0


class BridgesMemory(NamedTuple):
    """What lies around each point, and the board of a playout with its edges."""

    cells: Array  # by point, then five places for edges: 0 empty, 1 player 0, 2 player 1, 3 both
    around: Array  # points × 6: places of ``cells``
    inside: Array  # by point: the set of places around it that are points, bit k for place k
    answers: Array  # 2 × 4**6: the set of places that save a bridge of a player, by the colours around the last move


class Bridges(_Parameters, Policy, name="bridges"):
    """Uniform moves, but bridges that are cut into are saved at once. Hex and Y only."""

    def new_memory(self, game: Any) -> BridgesMemory:
        if not isinstance(game, ConnectionGame):
            raise MontegoError(f"bridges are shapes of Hex and Y; {game} has none")
        rings = game.feature_tables().rings
        points = len(rings)
        around = np.where(rings >= 0, rings, points - 1 - rings).astype(np.int16)  # NO_POINT: points, and so on
        inside = ((rings >= 0) << np.arange(DIRECTIONS)).sum(axis=1).astype(np.uint64)
        cells = np.zeros(points + 5, np.uint8)
        cells[points - 1 - NO_POINT :][:4] = (0, 1, 2, _BOTH)  # NO_POINT, FIRSTS_EDGE, SECONDS_EDGE, COMMON_EDGE
        return BridgesMemory(cells, around, inside, ANSWERS)


def _answers() -> Array:
    """Return which of the six places around an enemy's move save a bridge, by the colours on them and the player."""
    colours = (np.arange(RING_CODES)[:, None] >> (2 * np.arange(DIRECTIONS))) & 3
    before, after = np.roll(colours, 1, axis=1), np.roll(colours, -1, axis=1)
    saving = []
    for player in range(2):
        owned = [(side == 1 + player) | (side == _BOTH) for side in (before, after)]
        is_saving = (colours == 0) & owned[0] & owned[1] & ((before != _BOTH) | (after != _BOTH))
        saving.append((is_saving << np.arange(DIRECTIONS)).sum(axis=1))
    return np.array(saving, np.uint64)


ANSWERS = _answers()


# -------------------------------------------------------------------------------------------------------------- kernels


@inlined
def drawn_answer(policy, memory, code, player, last, rng):
    """Return the point where a player answers the last move, around which there is ``code``, or NOTHING."""
    saving = memory.answers[index(player), index(code)] & memory.inside[index(last)]
    if saving == _ZERO or (policy.p < 1.0 and uniform(rng) >= policy.p):
        return NOTHING
    choices = np.int64(bit_count(saving))
    skip = below(rng, choices) if choices > 1 else 0
    for place in range(DIRECTIONS):
        if saving >> np.uint64(place) & _ONE:
            if skip == 0:
                return np.int64(memory.around[index(last), index(place)])
            skip -= 1
    return NOTHING


@implements(next_move, Bridges)
@borrowing
def _next_move(policy, game, memory, state, rng, trace, end, scratch):
    points, player, last = point_count(game), np.int64(state.to_move), np.int64(trace[index(end - 1)])
    if 0 <= last < points:
        code = 0
        for place in range(DIRECTIONS):
            at = np.int64(memory.around[index(last), index(place)])
            colour = np.int64(memory.cells[index(at)])
            if at < points:
                colour = np.int64(holds(state.stones, 0, at)) + 2 * np.int64(holds(state.stones, 1, at))
            code |= colour << (2 * place)
        answer = drawn_answer(policy, memory, code, player, last, rng)
        if answer != NOTHING:
            return answer
    return draw_move(game, state, rng, trace, end, scratch)


@inlined
def copy_stones(game, state, cells):
    """Write the colours of all points."""
    for point in range(point_count(game)):
        cells[index(point)] = np.int64(holds(state.stones, 0, point)) + 2 * np.int64(holds(state.stones, 1, point))


@borrowing
def fill_with_answers(policy, game, memory, state, rng, trace, start, order):
    """Fill the board from the player to move on, note the points in ``trace[start:]``, return their end.

    Links are left as they were: the winner of the full board is for the caller to find.
    """
    cells, around = memory.cells, memory.around
    copy_stones(game, state, cells)
    end = start + list_empty_points(game, state.stones, order)
    shuffle(rng, order, end - start)
    player, last, drawn = np.int64(state.to_move), np.int64(trace[index(start - 1)]), 0
    if last >= point_count(game):
        last = NOTHING  # a swap
    for at in range(start, end):
        move = NOTHING
        if last >= 0:
            code = 0
            for place in range(DIRECTIONS):
                code |= np.int64(cells[index(around[index(last), index(place)])]) << (2 * place)
            move = drawn_answer(policy, memory, code, player, last, rng)
        if move == NOTHING:
            while cells[index(order[index(drawn)])] != 0:
                drawn += 1
            move = np.int64(order[index(drawn)])
        cells[index(move)] = 1 + player
        trace[index(at)] = move
        last = move
        player = 1 - player
    first = np.int64(state.to_move)
    for at in range(start, end, 2):
        add_stone(state.stones, first, trace[index(at)])
    for word in range(word_count(game)):
        state.stones[index(1 - first), index(word)] |= empty_points(game, state.stones, word)
    return end


@implements(playout, Bridges)
@borrowing
def _playout(policy, game, memory, state, rng, trace, start, scratch):
    if state.winner >= 0:
        return start
    if point_count(game) - state.placed > len(trace) - start:
        return play_by_move(policy, game, memory, state, rng, trace, start, scratch)
    end = fill_with_answers(policy, game, memory, state, rng, trace, start, scratch)
    state.winner = full_board_winner(game, state)
    return end
