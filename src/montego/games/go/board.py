"""The Go board: stones, chains and their exact liberties, kept up to date move by move.

Points are numbers on a board with a border of OFF points around it: ``point = (row + 1) * stride + column + 1``, row 0
at the top. Its neighbours are ``point ± 1`` and ``point ± stride``, with no test for the edge. The border to the
right of a row is the one to the left of the next. Point 0 is never on the board, so 0 serves as "no point" and as the
pass.

There are four capacities (9, 13, 19, 25), each a record type of its own, so that a small board is a small record and
the many sizes share four compilations. The record of a board of up to 9×9 takes 2.5 kB.
"""

from typing import Any, NamedTuple

import numpy as np

from montego.kernels import bit_count, generic_with_default, implements, index, inlined, kernel, lowest_bit

EMPTY, BLACK, WHITE, OFF = 0, 1, 2, 3
PASS = 0
NO_CHAIN = 0  # the head of points without a stone: a chain that never has a liberty, so that loops need no test
CAPACITIES = (9, 13, 19, 25)
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # no I: it looks like a 1

_ONE = np.uint64(1)
_WORD_BITS = np.uint64(63)
_WORD_SHIFT = np.uint64(6)

# The neighbour count of a point packs three counts of four bits each: empty neighbours, then Black's, then White's. A
# neighbour off the board counts for both colours, so that "all four are mine" holds on the edge too (libego's idea).
_NEIGHBOUR_OF_COLOUR = np.array([0x001, 0x010, 0x100, 0x110], np.int64)


def capacity_of(width: int, height: int) -> int:
    """Return the smallest capacity that holds the board."""
    return next(capacity for capacity in CAPACITIES if capacity >= max(width, height))


def points_of(capacity: int) -> int:
    """Return the number of points with the border."""
    return (capacity + 2) * (capacity + 1) + 1


def _state_type(capacity: int) -> np.dtype[Any]:
    points = points_of(capacity)
    chains = capacity * (capacity + 1)
    number = np.uint8 if points < 256 else np.uint16
    words = (chains + capacity) // 64 + 1
    return np.dtype(
        (
            np.record,
            [
                ("turn", np.int64),  # colour to move
                ("ko", np.int64),  # the point that may not be retaken now, or 0
                ("old_ko", np.int64),  # what ``ko`` was before the last move
                ("passes", np.int64),  # in a row
                ("empty_count", np.int64),
                # One entry per chain.
                ("liberty_set", np.uint64, (chains, words)),  # a bit set: bit p for point p
                ("liberties", number, (chains,)),  # how many, exactly
                ("stones", number, (chains,)),  # how many stones
                # One entry per point.
                ("neighbours", np.uint16, (points,)),  # packed counts, see above
                ("chain", number, (points,)),  # that the stone belongs to, or NO_CHAIN
                ("next", number, (points,)),  # stone of the chain, round and round
                ("empty_place", number, (points,)),  # where an empty point stands in the list ``empty``
                ("empty", number, (capacity * capacity,)),  # the empty points in no particular order
                ("colour", np.uint8, (points,)),
            ],
        )
    )


STATES = {capacity: _state_type(capacity) for capacity in CAPACITIES}


@inlined
def stride_of(state):
    """Return the distance between a point and the one below it: a constant of the record's type."""
    points = state.colour.shape[0]
    return 10 if points < 200 else 14 if points < 300 else 20 if points < 500 else 26


@kernel
def clear(state, width, height):
    """Make the board empty, Black to move."""
    stride = stride_of(state)
    state.empty_count = 0
    state.turn = BLACK
    state.ko = 0
    state.old_ko = 0
    state.passes = 0
    for point in range(state.colour.shape[0]):
        row = point // stride - 1
        column = point % stride - 1
        state.colour[point] = EMPTY if 0 <= row < height and 0 <= column < width else OFF
    for point in range(state.colour.shape[0]):
        if state.colour[point] == EMPTY:
            counts = 0
            for near in (point - stride, point - 1, point + 1, point + stride):
                counts += _NEIGHBOUR_OF_COLOUR[state.colour[near]]
            state.neighbours[point] = counts
            add_empty(state, point)


@kernel
def write_star_points(width, height, places):
    """Write the handicap points as (column, row) in the order of GTP's fixed handicap; return how many there are.

    They lie on the third line, from 13 on the fourth, and on the middle lines if both sides are odd and at least 9.
    """
    if min(width, height) < 7:
        return 0
    left, top = 2 if width < 13 else 3, 2 if height < 13 else 3
    right, bottom = width - 1 - left, height - 1 - top
    places[0, 0], places[0, 1] = left, bottom
    places[1, 0], places[1, 1] = right, top
    places[2, 0], places[2, 1] = left, top
    places[3, 0], places[3, 1] = right, bottom
    if min(width, height) < 9 or width % 2 == 0 or height % 2 == 0:
        return 4
    places[4, 0], places[4, 1] = left, height // 2
    places[5, 0], places[5, 1] = right, height // 2
    places[6, 0], places[6, 1] = width // 2, bottom
    places[7, 0], places[7, 1] = width // 2, top
    places[8, 0], places[8, 1] = width // 2, height // 2
    return 9


def star_points(width: int, height: int) -> list[tuple[int, int]]:
    """Return the handicap points of a board as (column, row) from the top left."""
    places = np.zeros((9, 2), np.int64)
    return [(int(column), int(row)) for column, row in places[: write_star_points(width, height, places)]]


@kernel
def put_handicap(state, width, height, handicap):
    """Put black stones on the first star points; 5 and 7 stones take the centre as their last. White moves first."""
    places = np.zeros((9, 2), np.int64)
    write_star_points(width, height, places)
    for number in range(handicap):
        last_is_centre = number == handicap - 1 and (handicap == 5 or handicap == 7)
        place = 8 if last_is_centre else number
        play_stone(state, (places[place, 1] + 1) * stride_of(state) + places[place, 0] + 1, np.int64(BLACK))
    state.turn = WHITE


# ---------------------------------------------------------------------------------------------------------------- notes
# A move is played by the same kernels whether somebody wants to know what it changed (``Noted``) or not
# (``Unnoted``): the type of ``notes`` decides when they are compiled.


class Unnoted(NamedTuple):
    """Nobody wants to know what a move changes."""


class Noted(NamedTuple):
    """Changes are written to a record (``games/changes.py``)."""

    changes: Any


@generic_with_default
@inlined
def note_point(notes, point):
    """Note that a stone came to a point or went from it."""


@generic_with_default
@inlined
def note_if_in_atari(notes, state, chain):
    """Note the only liberty of a chain that has no other."""


@implements(note_point, Noted)
@inlined
def _note_point(notes, point):
    notes.changes.points[index(notes.changes.point_count)] = point
    notes.changes.point_count += 1


@implements(note_if_in_atari, Noted)
@inlined
def _note_if_in_atari(notes, state, chain):
    if state.liberties[chain] == 1:
        notes.changes.liberties[index(notes.changes.liberty_count)] = only_liberty(state, chain)
        notes.changes.liberty_count += 1


@inlined
def only_liberty(state, chain):
    """Return the liberty of a chain in atari."""
    word = np.int64(0)
    while state.liberty_set[chain, index(word)] == 0:
        word += 1
    return 64 * word + lowest_bit(state.liberty_set[chain, index(word)])


# ------------------------------------------------------------------------------------------------- points and liberties


@inlined
def add_empty(state, point):
    """Append a point to the list of empty points."""
    state.empty_place[index(point)] = state.empty_count
    state.empty[index(state.empty_count)] = point
    state.empty_count += 1


@inlined
def drop_empty(state, point):
    """Take a point off the list of empty points; the last one fills its place."""
    state.empty_count -= 1
    place = state.empty_place[index(point)]
    last = state.empty[index(state.empty_count)]
    state.empty[place] = last
    state.empty_place[last] = place


@inlined
def add_liberty(state, chain, point, present):
    """Add a point to the liberties of a chain if ``present`` is 1; do nothing if it is 0 or the point is one already.

    Without a branch: what stands beside a random move cannot be predicted, and a wrong guess of the processor costs
    more than the whole function.
    """
    place = index(point)
    word, shift = place >> _WORD_SHIFT, place & _WORD_BITS
    before = state.liberty_set[chain, word]
    state.liberty_set[chain, word] = before | (present << shift)
    state.liberties[chain] += present & ~(before >> shift)


@inlined
def add_empty_neighbours(state, chain, point, colours):
    """Make the empty neighbours of a point, by the colours around it, liberties of a chain, all four at once.

    From the northern to the southern neighbour there are at most 2 * 26 bits, so a mask of one word holds all four;
    shifted to its place it covers two words of the set.
    """
    stride = stride_of(state)
    north, west, east, south = colours
    mask = np.uint64(north == EMPTY) | np.uint64(west == EMPTY) << np.uint64(stride - 1)
    mask |= np.uint64(east == EMPTY) << np.uint64(stride + 1)
    mask |= np.uint64(south == EMPTY) << np.uint64(2 * stride)
    place = index(point - stride)
    word, shift = place >> _WORD_SHIFT, place & _WORD_BITS
    low = mask << shift
    high = (mask >> _ONE) >> (_WORD_BITS - shift)
    before = state.liberty_set[chain, word]
    state.liberty_set[chain, word] = before | low
    count = bit_count(low & ~before)
    word = min(word + _ONE, index(state.liberty_set.shape[1] - 1))  # no bits are left for a word beyond the last
    before = state.liberty_set[chain, word]
    state.liberty_set[chain, word] = before | high
    state.liberties[chain] += count + bit_count(high & ~before)


@inlined
def drop_liberty(state, chain, point):
    """Take a point away from the liberties of a chain; do nothing if it is none (any more)."""
    place = index(point)
    word, shift = place >> _WORD_SHIFT, place & _WORD_BITS
    before = state.liberty_set[chain, word]
    state.liberty_set[chain, word] = before & ~(_ONE << shift)
    state.liberties[chain] -= (before >> shift) & _ONE


@kernel
def merge(state, target, source):
    """Make the stones and liberties of the chain ``source`` part of the chain ``target``."""
    count = 0
    for word in range(state.liberty_set.shape[1]):
        joint = state.liberty_set[target, index(word)] | state.liberty_set[source, index(word)]
        state.liberty_set[target, index(word)] = joint
        count += bit_count(joint)
    state.liberties[target] = count
    state.stones[target] += state.stones[source]
    first = source + index(stride_of(state))
    stone = first
    while True:
        state.chain[stone] = target
        stone = index(state.next[stone])
        if stone == first:
            break
    other = target + index(stride_of(state))
    state.next[other], state.next[first] = state.next[first], state.next[other]


@kernel
def remove_chain(state, chain, notes):
    """Take a chain off the board, giving its points as liberties to the chains around it."""
    stride = stride_of(state)
    first = np.int64(chain) + stride
    colour = np.int64(state.colour[index(first)])
    other = BLACK + WHITE - colour
    change = _NEIGHBOUR_OF_COLOUR[EMPTY] - _NEIGHBOUR_OF_COLOUR[index(colour)]
    stone = first
    while True:
        state.colour[index(stone)] = EMPTY
        state.chain[index(stone)] = NO_CHAIN
        add_empty(state, stone)
        note_point(notes, stone)
        for near in (stone - stride, stone - 1, stone + 1, stone + stride):
            state.neighbours[index(near)] += change
            note_if_in_atari(notes, state, state.chain[index(near)])
            add_liberty(state, state.chain[index(near)], stone, np.uint64(state.colour[index(near)] == other))
        stone = np.int64(state.next[index(stone)])
        if stone == first:
            break


@inlined
def friend(state, point, colour):
    """Return the chain on a point if it has the colour, else NO_CHAIN."""
    return index(state.chain[index(point)]) * index(state.colour[index(point)] == colour)


@inlined
def join_friends(state, point, colour, friends):
    """Make the stone just put on a point part of the chains beside it, or a chain of its own; return the chain.

    An empty chain of its own is made ready in any case: whether there are friends cannot be predicted.
    """
    stride = stride_of(state)
    north, west, east, south = friends
    own = index(point - stride)
    state.next[index(point)] = point
    state.stones[own] = 0
    state.liberties[own] = 0
    for word in range(state.liberty_set.shape[1]):
        state.liberty_set[own, index(word)] = np.uint64(0)
    chain = max(max(north, west), max(east, south))
    chain += own * index(chain == NO_CHAIN)
    first = chain + index(stride)
    state.chain[index(point)] = chain
    state.next[index(point)] = state.next[first]
    state.next[first] = point
    state.stones[chain] += 1
    if differs(north, chain) | differs(west, chain) | differs(east, chain) | differs(south, chain):
        for near in (point - stride, point - 1, point + 1, point + stride):
            other = friend(state, near, colour)
            if differs(other, chain):
                if state.stones[other] > state.stones[chain]:
                    chain, other = other, chain
                merge(state, chain, other)
    return chain


@inlined
def differs(chain, other):
    """Whether ``chain`` is a chain, and not the other one."""
    return (chain != NO_CHAIN) & (chain != other)


@inlined
def press(state, near, point, change, notes):
    """Update a neighbour of a point that got a stone; return the chain there and how many liberties it has left."""
    state.neighbours[index(near)] += change
    chain = index(state.chain[index(near)])
    drop_liberty(state, chain, point)
    note_if_in_atari(notes, state, chain)
    return chain, state.liberties[chain]


@kernel
def play_stone(state, point, colour):
    """Put a stone on an empty point, capture what has lost its last liberty, and set the ko point."""
    play_noted_stone(state, point, colour, Unnoted())


@inlined
def play_noted_stone(state, point, colour, notes):
    """Do what ``play_stone`` does, and note what it changes.

    A stone or chain without a liberty at the end is taken off itself (suicide); callers that forbid it check before.
    Colours around the point are read once: the compiler must take every store for one that may have changed them.
    """
    stride = stride_of(state)
    other = BLACK + WHITE - colour
    state.colour[index(point)] = colour
    drop_empty(state, point)
    note_point(notes, point)
    change = _NEIGHBOUR_OF_COLOUR[index(colour)] - _NEIGHBOUR_OF_COLOUR[EMPTY]
    north, west = np.int64(state.colour[index(point - stride)]), np.int64(state.colour[index(point - 1)])
    east, south = np.int64(state.colour[index(point + 1)]), np.int64(state.colour[index(point + stride)])
    north_chain, north_free = press(state, point - stride, point, change, notes)
    west_chain, west_free = press(state, point - 1, point, change, notes)
    east_chain, east_free = press(state, point + 1, point, change, notes)
    south_chain, south_free = press(state, point + stride, point, change, notes)
    captures = (north == other) & (north_free == 0) | (west == other) & (west_free == 0)
    captures |= (east == other) & (east_free == 0) | (south == other) & (south_free == 0)
    friends = (
        north_chain * index(north == colour),
        west_chain * index(west == colour),
        east_chain * index(east == colour),
        south_chain * index(south == colour),
    )
    chain = join_friends(state, point, colour, friends)
    add_empty_neighbours(state, chain, point, (north, west, east, south))
    state.ko = 0
    note_if_in_atari(notes, state, chain)
    if captures:
        capture(state, point, other, chain, notes)
    if state.liberties[chain] == 0:
        remove_chain(state, chain, notes)


@kernel
def capture(state, point, colour, chain, notes):
    """Remove the chains of a colour beside a point that have no liberty left; ``chain`` is the capturing one.

    If one stone was captured by one stone that now has this one liberty, retaking at once is forbidden (ko).
    """
    stride = stride_of(state)
    captured = 0
    last_captured = 0
    for near in (point - stride, point - 1, point + 1, point + stride):
        if state.colour[index(near)] == colour:
            victim = index(state.chain[index(near)])
            if state.liberties[victim] == 0:
                captured += np.int64(state.stones[victim])
                last_captured = near
                remove_chain(state, victim, notes)
    if captured == 1 and state.stones[chain] == 1 and state.liberties[chain] == 1:
        state.ko = last_captured
