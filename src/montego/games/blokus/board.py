"""Kernels on the bits of a Blokus board: does a shape fit, what does it change, and where do all of them fit.

The question "where can this orientation lie?" is answered for the whole board at once: shift the free squares back by
each square of the shape and intersect, do the same with the attach points and unite, and the bits that are left in both
are the places. Fifteen shifts serve all 91 orientations.
"""

import numpy as np

from montego.games.blokus.pieces import (
    ALL_PIECES,
    BESIDE_BITS,
    COLUMNS_OF,
    CORNER_BITS,
    CORNER_OF,
    COVER_LIST_STARTS,
    COVER_LISTS,
    COVER_ORIENTATION,
    COVER_SHIFT,
    FIRST_ORIENTATION,
    FIRST_PLACEMENT,
    ORIENTATION_OF,
    ORIENTATIONS,
    PIECE_OF,
    PIECES,
    SHAPE_BITS,
    SHIFT_NUMBERS,
    SHIFTS,
)
from montego.kernels import all_of_five, any_of_five, bit_count, borrowing, index, inlined, kernel, lowest_bit

_U = np.uint64
_ZERO, _ONE, _SEVEN, _63 = np.uint64(0), np.uint64(1), np.uint64(7), np.uint64(63)
_8, _13, _14, _16 = np.uint64(8), np.uint64(13), np.uint64(14), np.uint64(16)

# Candidates that are tried before all orientations are; 15 is slower by a tenth, 60 by a twentieth.
GLANCES = 240

# Working memory of ``find_placements``: boards shifted by ``SHIFTS``, and the orientations that can be placed
# somewhere. Kernels are handed an array of one such record: a record alone does not keep its array alive.
WORK = np.dtype(
    (
        np.record,
        [
            ("shifted", np.uint64, (len(SHIFTS) * 8,)),  # for each shift four words free squares, four attach points
            ("places", np.uint64, (ORIENTATIONS, 4)),  # where the k-th orientation found can lie
            ("orientation", np.int64, (ORIENTATIONS,)),  # which orientation that is
            ("count", np.int64, (ORIENTATIONS,)),  # and the number of its places
            ("found", np.int64),  # how many orientations were found
        ],
    )
)


@kernel
def orientation_and_bit(move):
    """Return the orientation of a placement and the bit of the top left corner of its box."""
    return np.int64(ORIENTATION_OF[index(move)]), np.int64(CORNER_OF[index(move)])


@kernel
def placement(orientation, bit):
    """Return the number of the placement of an orientation at a bit."""
    row, column = (bit >> 4) - 1, (bit & 15) - 1
    return FIRST_PLACEMENT[index(orientation)] + row * COLUMNS_OF[index(orientation)] + column


@kernel
def window(boards, player, bit):
    """Return the 64 bits of a player's board from ``bit`` on: four rows."""
    word, shift = bit >> 6, _U(bit & 63)
    low, high = boards[index(player), index(word)], boards[index(player), index(word + 1)]
    return (low >> shift) | ((high << _ONE) << (_63 - shift))


@kernel
def beyond(boards, player, bit):
    """Return the bits of a player's board from ``bit + 64`` on, as many as one word holds: the fifth row."""
    return boards[index(player), index((bit >> 6) + 1)] >> _U(bit & 63)


@kernel
def blocked(state, player, orientation, bit):
    """Return bits, zero if all squares of an orientation at a bit are free for a player."""
    low, high = SHAPE_BITS[index(orientation), index(0)], SHAPE_BITS[index(orientation), index(1)]
    return (low & ~window(state.free, player, bit)) | (high & ~beyond(state.free, player, bit))


@kernel
def attaches(state, player, orientation, bit):
    """Whether a square of an orientation at a bit is an attach point of a player."""
    low, high = SHAPE_BITS[index(orientation), index(0)], SHAPE_BITS[index(orientation), index(1)]
    covered = (low & window(state.attach, player, bit)) | (high & beyond(state.attach, player, bit))
    return covered != _ZERO


@kernel
def part(pattern, orientation, shift, word):
    """Return word 0, 1 or 2 of the two words of a pattern shifted up by 0 … 63 bits."""
    if word == 0:
        return pattern[index(orientation), index(0)] << shift
    if word == 1:
        carried = (pattern[index(orientation), index(0)] >> _ONE) >> (_63 - shift)
        return carried | (pattern[index(orientation), index(1)] << shift)
    return (pattern[index(orientation), index(1)] >> _ONE) >> (_63 - shift)


@kernel
def place(state, player, orientation, bit):
    """Put a piece on the board: its squares are taken for both players, its neighbours for its owner."""
    piece = np.int64(1) << PIECE_OF[index(orientation)]
    other = 1 - player
    if state.pieces[index(player)] == ALL_PIECES:  # the start points count for the first piece only
        for word in range(4):
            state.attach[index(player), index(word)] = _ZERO
    state.pieces[index(player)] &= ~piece
    for word in range(3):
        at = index((bit >> 6) + word)
        if at < 4:
            state.squares[index(player), at] |= part(SHAPE_BITS, orientation, _U(bit & 63), word)
            state.free[index(other), at] &= ~part(SHAPE_BITS, orientation, _U(bit & 63), word)
            state.attach[index(other), at] &= state.free[index(other), at]
    corner = bit - 17  # one row up and one column left, where these patterns begin
    for word in range(3):
        at = index((corner >> 6) + word)
        if at < 4:
            state.free[index(player), at] &= ~part(BESIDE_BITS, orientation, _U(corner & 63), word)
            state.attach[index(player), at] |= part(CORNER_BITS, orientation, _U(corner & 63), word)
            state.attach[index(player), at] &= state.free[index(player), at]


@kernel
def shift_boards(state, player, work):
    """Write a player's free squares and attach points, shifted by each of ``SHIFTS``, into the working memory."""
    last = len(SHIFTS) - 1
    for number in range(last):
        shift = _U(SHIFTS[index(number)])
        for word in range(4):
            at = index(8 * number + word)
            low, high = state.free[index(player), index(word)], state.free[index(player), index(word + 1)]
            work.shifted[at] = (low >> shift) | ((high << _ONE) << (_63 - shift))
            low, high = state.attach[index(player), index(word)], state.attach[index(player), index(word + 1)]
            work.shifted[at + index(4)] = (low >> shift) | ((high << _ONE) << (_63 - shift))
    for word in range(4):  # the last shift is one word exactly
        work.shifted[index(8 * last + word)] = state.free[index(player), index(word + 1)]
        work.shifted[index(8 * last + 4 + word)] = state.attach[index(player), index(word + 1)]


@kernel
def shifts_of(orientation):
    """Return where the words of the five shifts of an orientation begin in the working memory."""
    o, words = index(orientation), index(8)
    a, b = index(SHIFT_NUMBERS[o, index(0)]) * words, index(SHIFT_NUMBERS[o, index(1)]) * words
    c, d = index(SHIFT_NUMBERS[o, index(2)]) * words, index(SHIFT_NUMBERS[o, index(3)]) * words
    return a, b, c, d, index(SHIFT_NUMBERS[o, index(4)]) * words


@inlined
def find_in_orientation(shifted, orientation, places):
    """Write where an orientation can lie into the four words of ``places`` and return in how many places."""
    a, b, c, d, e = shifts_of(orientation)
    free_0, free_1, free_2, free_3 = all_of_five(shifted, a, b, c, d, e)
    if (free_0 | free_1 | free_2 | free_3) == _ZERO:  # the most frequent case late in the game
        return 0
    four = index(4)
    near_0, near_1, near_2, near_3 = any_of_five(shifted, a + four, b + four, c + four, d + four, e + four)
    places[0], places[1], places[2], places[3] = free_0 & near_0, free_1 & near_1, free_2 & near_2, free_3 & near_3
    return bit_count(places[0]) + bit_count(places[1]) + bit_count(places[2]) + bit_count(places[3])


@kernel
def find_placements(state, player, work):
    """Find all placements of a player, fill ``work`` with them by orientation, and return how many there are."""
    return find_placements_of(state, player, state.pieces[index(player)], work)


@kernel
def find_placements_of(state, player, pieces, work):
    """Find the placements of some pieces of a player, bit k for piece k, as ``find_placements`` does for all."""
    shift_boards(state, player, work)
    found = 0
    total = 0
    for piece in range(PIECES):
        if not pieces >> piece & 1:
            continue
        for orientation in range(FIRST_ORIENTATION[index(piece)], FIRST_ORIENTATION[index(piece + 1)]):
            count = find_in_orientation(work.shifted, orientation, work.places[index(found)])
            if count:
                work.orientation[index(found)] = orientation
                work.count[index(found)] = count
                found += 1
                total += count
    work.found = found
    return total


@borrowing
def neighbourhood(free, player, bit):
    """Return the eight squares around a bit as one number: bit k is 1 where neighbour k (``AROUND``) is free."""
    square = window(free, player, bit - 17)
    above = square & _SEVEN
    beside = ((square >> _13) & _8) | ((square >> _14) & _16)
    return np.int64(above | beside | (((square >> _U(32)) & _SEVEN) << _U(5)))


@borrowing
def can_place(state, player):
    """Whether a player can place any piece; the first covers of an attach point mostly tell, else all are tried."""
    pieces = state.pieces[index(player)]
    left = GLANCES
    for word in range(4):
        rest = state.attach[index(player), index(word)]
        while rest:
            bit = 64 * word + lowest_bit(rest)
            rest &= rest - _ONE
            free = neighbourhood(state.free, player, bit)
            for at in range(COVER_LIST_STARTS[index(free)], COVER_LIST_STARTS[index(free + 1)]):
                cover = index(COVER_LISTS[index(at)])
                orientation = np.int64(COVER_ORIENTATION[cover])
                corner = max(bit - np.int64(COVER_SHIFT[cover]), 0)  # at 0 it lies in the margin and does not fit
                if pieces >> PIECE_OF[index(orientation)] & 1 and blocked(state, player, orientation, corner) == _ZERO:
                    return True
                left -= 1
                if left == 0:
                    return pieces != 0 and can_place_anything(state, player)
    return False


@kernel
def can_place_anything(state, player):
    """Whether a player can place any piece, all orientations tried on the whole board."""
    return fits_anything(state, player, np.empty(1, WORK))


@borrowing
def fits_anything(state, player, room):
    """Do what ``can_place_anything`` promises in the working memory ``room[0]``."""
    work = room[0]
    shift_boards(state, player, work)
    pieces = state.pieces[index(player)]
    for piece in range(PIECES):
        if pieces >> piece & 1:
            for orientation in range(FIRST_ORIENTATION[index(piece)], FIRST_ORIENTATION[index(piece + 1)]):
                if find_in_orientation(work.shifted, orientation, work.places[0]):
                    return True
    return False


@inlined
def nth_bit(places, rank):
    """Return the bit of a rank, from 0, among those that are set in four words."""
    word = 0
    rest = places[0]
    while rank >= bit_count(rest):
        rank -= bit_count(rest)
        word += 1
        rest = places[index(word)]
    for _ in range(rank):
        rest &= rest - _ONE
    return 64 * word + lowest_bit(rest)


@kernel
def nth_placement(work, rank):
    """Return the orientation and the bit of the placement of a rank, from 0, among those found."""
    slot = 0
    while rank >= work.count[index(slot)]:
        rank -= work.count[index(slot)]
        slot += 1
    return work.orientation[index(slot)], nth_bit(work.places[index(slot)], rank)
