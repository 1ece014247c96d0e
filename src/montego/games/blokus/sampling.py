"""Random moves and playouts of Blokus Duo, every legal move exactly equally likely, without listing them early on.

While there are many moves, draw an attach point and a square of an orientation to lie on it, and accept if the piece is
left, fits, and covers none of the player's attach points by an *earlier* square: so a placement that covers several attach
points is accepted for one of them only, and all placements are equally likely. When that fails too often, find all
placements and pick. Either way gives the uniform distribution, so the mixture does.
"""

import numpy as np

from montego._jit import implements, index, kernel, lowest_bit
from montego.games.blokus.board import WORK, find_placements, fits, nth_placement, place, placement, window
from montego.games.blokus.game import BlokusDuo
from montego.games.blokus.pieces import (
    COVER_EARLIER,
    COVER_ORIENTATION,
    COVER_SHIFT,
    COVERS,
    PASS,
    PIECE_OF,
)
from montego.games.blokus.rules import settle
from montego.games.rules import random_move, random_playout
from montego.rng import below

_ZERO, _ONE = np.uint64(0), np.uint64(1)

# Measured: with fewer attempts, or with attempts in the later game, finding all placements is quicker.
ATTEMPTS = 40
MANY_PIECES = 0


@kernel
def list_attach_points(state, player, points):
    """Write the bits of a player's attach points into ``points`` and return how many there are."""
    count = 0
    for word in range(4):
        rest = state.attach[index(player), index(word)]
        while rest:
            points[index(count)] = 64 * word + lowest_bit(rest)
            rest &= rest - _ONE
            count += 1
    return count


@kernel
def try_to_draw(state, player, rng, points):
    """Draw a placement by rejection; return its orientation and bit, or -1 and 0 after too many failures."""
    count = list_attach_points(state, player, points)
    if count == 0:
        return -1, 0
    pieces = state.pieces[index(player)]
    for _ in range(ATTEMPTS):
        drawn = below(rng, count * COVERS)
        point = drawn // COVERS
        cover = drawn - point * COVERS
        orientation = np.int64(COVER_ORIENTATION[index(cover)])
        bit = np.int64(points[index(point)]) - np.int64(COVER_SHIFT[index(cover)])
        if bit < 0 or not pieces >> PIECE_OF[index(orientation)] & 1:
            continue
        if not fits(state, player, orientation, bit):
            continue
        if window(state.attach, player, bit) & COVER_EARLIER[index(cover)] == _ZERO:
            return orientation, bit
    return -1, 0


@kernel
def draw_placement(state, player, rng, points, work):
    """Draw one of a player's placements; return its orientation and bit, or -1 and 0 if there is none."""
    if state.stuck[index(player)]:
        return -1, 0
    orientation, bit = try_to_draw(state, player, rng, points)
    if orientation < 0:
        count = find_placements(state, player, work)
        if count:
            orientation, bit = nth_placement(work, below(rng, count))
    return orientation, bit


@implements(random_move, BlokusDuo)
def _random_move(game, state, rng, scratch):
    orientation, bit = draw_placement(state, state.player, rng, scratch, np.empty(1, WORK)[0])
    return np.int64(PASS) if orientation < 0 else placement(orientation, bit)


@implements(random_playout, BlokusDuo)
def _random_playout(game, state, rng, trace, scratch):
    # Who is stuck is found out by drawing in vain. A pass is a move only if the other player can still place a piece, so
    # that piece is drawn before the pass is noted, and kept for the next turn.
    work = np.empty(1, WORK)[0]
    count = 0
    kept, kept_bit = -1, 0
    while count < len(trace):
        player = state.player
        orientation, bit = kept, kept_bit
        if kept < 0:
            orientation, bit = draw_placement(state, player, rng, scratch, work)
        kept = -1
        if orientation >= 0:
            place(state, player, orientation, bit)
            trace[index(count)] = placement(orientation, bit)
        else:
            state.stuck[index(player)] = 1
            kept, kept_bit = draw_placement(state, 1 - player, rng, scratch, work)
            if kept < 0:
                state.stuck[index(1 - player)] = 1
                return count
            trace[index(count)] = PASS
        state.player = 1 - player
        count += 1
    settle(state)
    return count
