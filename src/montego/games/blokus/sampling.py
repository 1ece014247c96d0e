"""Random moves and playouts of Blokus Duo: every legal move exactly equally likely, seldom with all of them listed.

A *candidate* is an attach point and a cover (a square of an orientation) to lie on it. The eight squares around the
point select a list of covers that do not collide there. A candidate is accepted if its piece is left, if it fits, and
if none of its *earlier* squares is an attach point, too: so a placement that covers several attach points is accepted
for one of them only, and all placements are equally likely. There are three ways to draw an accepted candidate, all of
them uniform:

- few candidates: check them all and pick one that was accepted (or see that there is none);
- many: draw candidates until one is accepted;
- many, but too many drawn in vain: find all placements with ``find_placements`` and pick one.
"""

import numpy as np

from montego.games.blokus.board import (
    WORK,
    blocked,
    find_placements,
    neighbourhood,
    nth_placement,
    place,
    placement,
    window,
)
from montego.games.blokus.game import BlokusDuo
from montego.games.blokus.pieces import (
    COVER_EARLIER,
    COVER_LIST_STARTS,
    COVER_LISTS,
    COVER_ORIENTATION,
    COVER_SHIFT,
    PASS,
    PIECE_OF,
)
from montego.games.blokus.rules import settle
from montego.games.rules import random_move, random_playout
from montego.kernels import borrowing, implements, index, kernel, lowest_bit
from montego.rng import below

_U = np.uint64
_ZERO, _ONE = np.uint64(0), np.uint64(1)

# Measured: what costs the least time.
FEW = 100  # candidates that are all checked
ATTEMPTS = 60  # candidates drawn before all placements are found

# Where things are in the scratch array: attach points (at most 196); where their lists of covers begin, less the number
# of candidates of the points before, so that a candidate's rank leads to its cover; the number of candidates up to and
# with each point; and the placements found.
_LISTS, _SUMS, _FOUND = 256, 512, 768


@borrowing
def list_candidates(state, player, scratch):
    """Write a player's attach points and their lists of covers into ``scratch``.

    Returns the number of points and of candidates.
    """
    points = 0
    candidates = 0
    for word in range(4):
        rest = state.attach[index(player), index(word)]
        while rest:
            bit = 64 * word + lowest_bit(rest)
            rest &= rest - _ONE
            free = neighbourhood(state.free, player, bit)
            start = COVER_LIST_STARTS[index(free)]
            scratch[index(points)] = bit
            scratch[index(_LISTS + points)] = start - candidates
            candidates += COVER_LIST_STARTS[index(free + 1)] - start
            scratch[index(_SUMS + points)] = candidates
            points += 1
    return points, candidates


@borrowing
def check(state, player, point, cover):
    """Return the orientation and the bit of a candidate, and bits that are zero if it is accepted."""
    orientation = np.int64(COVER_ORIENTATION[index(cover)])
    # Below bit 0 the shape leaves the board at the top; at bit 0 it lies in the margin and does not fit either.
    bit = max(np.int64(point) - np.int64(COVER_SHIFT[index(cover)]), 0)
    # No branches: the processor cannot foresee the outcome of any of the three tests.
    refused = ~_U(state.pieces[index(player)] >> PIECE_OF[index(orientation)]) & _ONE
    refused |= blocked(state, player, orientation, bit)
    refused |= window(state.attach, player, bit) & COVER_EARLIER[index(cover)]
    return orientation, bit, refused


@borrowing
def draw_from_few(state, player, rng, scratch, points):
    """Check all candidates and draw one that is accepted; return its orientation and bit, or -1 and 0."""
    found = 0
    before = np.int64(0)
    for number in range(points):
        list_start, end = np.int64(scratch[index(_LISTS + number)]), np.int64(scratch[index(_SUMS + number)])
        for at in range(list_start + before, list_start + end):
            orientation, bit, refused = check(state, player, scratch[index(number)], COVER_LISTS[index(at)])
            scratch[index(_FOUND + found)] = orientation << 8 | bit
            found += refused == _ZERO
        before = end
    if found == 0:
        return -1, 0
    drawn = np.int64(scratch[index(_FOUND + below(rng, found))])
    return drawn >> 8, drawn & 255


@borrowing
def draw_from_many(state, player, rng, scratch, points, candidates):
    """Draw candidates until one is accepted; return its orientation and bit, or -1 and 0 after too many attempts."""
    for _ in range(ATTEMPTS):
        rank = below(rng, candidates)
        number = 0
        for other in range(points - 1):  # without branches, as in ``check``
            number += scratch[index(_SUMS + other)] <= rank
        at = np.int64(scratch[index(_LISTS + number)]) + rank
        orientation, bit, refused = check(state, player, scratch[index(number)], COVER_LISTS[index(at)])
        if refused == _ZERO:
            return orientation, bit
    return -1, 0


@kernel
def draw_from_all(state, player, rng):
    """Find all placements and draw one; return its orientation and bit, or -1 and 0 if there is none."""
    return draw_found(state, player, rng, np.empty(1, WORK))


@borrowing
def draw_found(state, player, rng, room):
    """Do what ``draw_from_all`` promises in the working memory ``room[0]``."""
    work = room[0]
    count = find_placements(state, player, work)
    if count == 0:
        return -1, 0
    return nth_placement(work, below(rng, count))


@borrowing
def draw_placement(state, player, rng, scratch):
    """Draw one of a player's placements; return its orientation and bit, or -1 and 0 if there is none."""
    if state.stuck[index(player)]:
        return -1, 0
    points, candidates = list_candidates(state, player, scratch)
    if candidates <= FEW:
        return draw_from_few(state, player, rng, scratch, points)
    orientation, bit = draw_from_many(state, player, rng, scratch, points, candidates)
    if orientation < 0:
        orientation, bit = draw_from_all(state, player, rng)
    return orientation, bit


@implements(random_move, BlokusDuo)
@borrowing
def _random_move(game, state, rng, scratch):
    orientation, bit = draw_placement(state, state.player, rng, scratch)
    return np.int64(PASS) if orientation < 0 else placement(orientation, bit)


@implements(random_playout, BlokusDuo)
def _random_playout(game, state, rng, trace, scratch):
    # Who is stuck is found out by drawing in vain. A pass is a move only if the other player can still place a piece,
    # so that piece is drawn before the pass is noted, and kept for the next turn.
    count = 0
    kept, kept_bit = -1, 0
    while count < len(trace):
        player = state.player
        orientation, bit = kept, kept_bit
        if kept < 0:
            orientation, bit = draw_placement(state, player, rng, scratch)
        kept = -1
        if orientation >= 0:
            place(state, player, orientation, bit)
            trace[index(count)] = placement(orientation, bit)
        else:
            state.stuck[index(player)] = 1
            kept, kept_bit = draw_placement(state, 1 - player, rng, scratch)
            if kept < 0:
                state.stuck[index(1 - player)] = 1
                return count
            trace[index(count)] = PASS
        state.player = 1 - player
        count += 1
    settle(state)
    return count
