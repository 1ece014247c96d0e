"""The seven features of a move that come from the previous move, and the tactics behind them.

They are those of Huang, Coulom and Lin, "Monte-Carlo simulation balancing in practice" (2010), section 3.2. A move is a
candidate of the player to move, "own" means his, "the last move" is the enemy's. Where the paper leaves room:

- A string "in new atari" is an own chain beside the last stone with one liberty: the last stone took the one before.
- A capture is "also self-atari" if the string to be saved still has one liberty after it, the captured points counted.
- A move that saves by capturing does not count as an extension, even on the string's last liberty.
- "A new ko" is one that the player himself took with his last move, two moves ago: now that the enemy has played
  elsewhere, capturing a string beside that stone ends the ko. (When the enemy has just taken a ko, no string beside it
  can be captured except on the forbidden point.)
- "Kill by giving atari": the enemy's chain of two liberties cannot get a second one by extending, and the stone that
  gives atari is not in atari itself.

With these readings the weights that MM finds for features 1 to 6 on 19×19 games are near the published ones. That of
feature 7 is not (2.3 against 32); it becomes 9 if the own string must be unable to get three liberties. Other readings
are in docs/results/trained-playouts.md.
"""

from typing import Any

import numpy as np

from montego.games.go.board import BLACK, EMPTY, NO_CHAIN, PASS, WHITE, friend, stride_of
from montego.kernels import bit_count, borrowing, index, inlined, lowest_bit

# Bits of a feature set, in the order of the paper. Each of the others comes with CONTIGUOUS.
CONTIGUOUS = 1
SAVE_BY_CAPTURE = 2
SAVE_BY_CAPTURE_SELF_ATARI = 4
SAVE_BY_EXTENSION = 8
SAVE_BY_EXTENSION_SELF_ATARI = 16
SOLVE_KO = 32
SEMEAI = 64
FEATURE_SETS = 128

FEATURE_NAMES = (
    "contiguous to the previous move",
    "save the string in new atari by capturing",
    "save by capturing, self-atari",
    "save the string in new atari by extension",
    "save by extension, self-atari",
    "solve a new ko by capturing",
    "two-point semeai",
)


# ------------------------------------------------------------------------------------------------------------ liberties


@inlined
def bit_in_word(point, word):
    """Return the bit of a point in the word of that number of a liberty set, 0 if the point is in another word."""
    return np.uint64(point >> 6 == word) << index(point & 63)


@inlined
def has_liberty(state, chain, point):
    """Whether an empty point is a liberty of a chain."""
    return (state.liberty_set[chain, index(point >> 6)] >> index(point & 63)) & np.uint64(1) != 0


@inlined
def first_liberty(state, chain):
    """Return the lowest liberty of a chain, or 0 if it has none.

    All words are looked at, so that the processor need not guess which one it is in.
    """
    found = 0
    for back in range(state.liberty_set.shape[1]):
        word = state.liberty_set.shape[1] - 1 - back
        bits = state.liberty_set[chain, index(word)]
        found = 64 * word + np.int64(lowest_bit(bits)) if bits != 0 else found
    return found


@inlined
def last_liberty(state, chain, first):
    """Return the other liberty of a chain that has two, ``first`` being one of them."""
    found = 0
    for word in range(state.liberty_set.shape[1]):
        bits = state.liberty_set[chain, index(word)] & ~bit_in_word(first, word)
        found = 64 * word + np.int64(lowest_bit(bits)) if bits != 0 else found
    return found


@borrowing
def liberties_after(state, point, colour, taken):
    """Return how many liberties the chain of a stone of a colour would have on an empty point, captures counted.

    ``taken`` is an empty point that the enemy is supposed to have occupied before, without capturing anything, or 0.
    """
    stride = stride_of(state)
    north, west = friend(state, point - stride, colour), friend(state, point - 1, colour)
    east, south = friend(state, point + 1, colour), friend(state, point + stride, colour)
    count = 0
    for word in range(state.liberty_set.shape[1]):
        at = index(word)
        joint = state.liberty_set[north, at] | state.liberty_set[west, at]
        joint |= state.liberty_set[east, at] | state.liberty_set[south, at]
        for near in (point - stride, point - 1, point + 1, point + stride):
            joint |= bit_in_word(near, word) * np.uint64(state.colour[index(near)] == EMPTY)
        count += np.int64(bit_count(joint & ~(bit_in_word(point, word) | bit_in_word(taken, word))))
    enemy = BLACK + WHITE - colour
    for near in (point - stride, point - 1, point + 1, point + stride):
        captured = friend(state, near, enemy)
        if state.liberties[captured] == 1 and not met_before(state, point, near, captured):
            count += freed_liberties(state, captured, point, north, west, east, south)
    return count


@inlined
def met_before(state, point, near, chain):
    """Whether a chain also stands on one of the four points beside ``point`` that come before ``near``."""
    stride = stride_of(state)
    for earlier in (point - stride, point - 1, point + 1, point + stride):
        if earlier == near:
            break
        if state.chain[index(earlier)] == chain:
            return True
    return False


@borrowing
def freed_liberties(state, captured, point, north, west, east, south):
    """Count the stones of a captured chain that are beside ``point`` or beside one of the four (or fewer) chains."""
    stride = stride_of(state)
    first = np.int64(captured) + stride
    stone = first
    count = 0
    while True:
        is_beside = False
        for near in (stone - stride, stone - 1, stone + 1, stone + stride):
            chain = index(state.chain[index(near)])
            joined = (chain == north) | (chain == west) | (chain == east) | (chain == south)
            is_beside |= (near == point) | (joined & (chain != NO_CHAIN))
        count += np.int64(is_beside)
        stone = np.int64(state.next[index(stone)])
        if stone == first:
            return count


# ------------------------------------------------------------------------------------------------------------- features


def room_fields(points: int) -> list[Any]:
    """Return the fields of a record that holds the features of a position, for points with numbers below ``points``."""
    return [
        ("count", np.int64),  # of the points that have features
        ("points", np.int32, (points,)),  # these points, in no particular order
        ("sets", np.uint8, (points,)),  # by point: its set of features; 0 if it has none
    ]


def feature_room(points: int) -> Any:
    """Return an empty room for the features of a position."""
    return np.zeros(1, np.dtype((np.record, room_fields(points))))[0]


@borrowing
def previous_move_features(state, last, before_last, room):
    """Write the feature set of every empty point that has one to an empty room; the caller clears it again.

    ``last`` and ``before_last`` are the last two moves (PASS if there are none). Points may be illegal because of a
    ko, or senseless: the caller asks only about his candidates. Suicides have no feature but CONTIGUOUS.
    """
    stride = stride_of(state)
    if last != PASS:
        for row in (last - stride, last, last + stride):
            for near in (row - 1, row, row + 1):
                if state.colour[index(near)] == EMPTY:
                    add_feature(room, near, CONTIGUOUS)
    add_answers(state, last, before_last, room)


@inlined
def clear_room(room):
    """Make a room empty again."""
    for place in range(room.count):
        room.sets[index(room.points[index(place)])] = 0
    room.count = 0


@inlined
def add_answers(state, last, before_last, room):
    """Add features 2 to 7 to the sets of their points: in an empty room, the points with more than CONTIGUOUS."""
    stride = stride_of(state)
    if last != PASS and state.colour[index(last)] == BLACK + WHITE - state.turn:
        is_weak = False  # first whether there is anything to do, so that most moves cost the processor one guess
        for near in (last - stride, last - 1, last + 1, last + stride):
            liberties = state.liberties[friend(state, near, state.turn)]
            is_weak |= (liberties == 1) | (liberties == 2)
        if is_weak:
            add_answers_beside(state, last, room)
    if state.old_ko != 0 and before_last != PASS and state.colour[index(before_last)] == state.turn:
        add_ko_solutions(state, before_last, room)


@borrowing
def add_answers_beside(state, last, room):
    """Add features 2 to 5 and 7 for the own chains with one or two liberties beside the last move."""
    stride = stride_of(state)
    new_atari = False
    for near in (last - stride, last - 1, last + 1, last + stride):
        chain = friend(state, near, state.turn)
        liberties = state.liberties[chain]  # 0 if there is no own chain
        if liberties == 0 or liberties > 2 or met_before(state, last, near, chain):
            continue
        if liberties == 1:
            add_captures_beside(state, chain, room)
            add_extension(state, chain, room)
            new_atari = True
        else:
            add_semeai(state, chain, room)
    if new_atari:
        keep_best_saving(room)


@inlined
def has_beside(state, stone, chain, liberties):
    """Whether another chain with so many liberties stands beside a stone of a chain."""
    stride = stride_of(state)
    found = False
    for near in (stone - stride, stone - 1, stone + 1, stone + stride):
        beside = index(state.chain[index(near)])
        found |= (state.liberties[beside] == liberties) & (beside != chain)
    return found


@inlined
def add_feature(room, point, feature):
    """Add a feature to the set of a point."""
    room.points[index(room.count)] = point
    room.count += np.int64(room.sets[index(point)] == 0)
    room.sets[index(point)] |= feature | CONTIGUOUS


@borrowing
def add_captures_beside(state, chain, room):
    """Features 2 and 3: capture an enemy chain beside an own chain in atari."""
    stride = stride_of(state)
    first = np.int64(chain) + stride
    stone = first
    while True:
        if has_beside(state, stone, chain, 1):
            only_liberty = first_liberty(state, chain)
            for near in (stone - stride, stone - 1, stone + 1, stone + stride):
                beside = index(state.chain[index(near)])  # the same chain, the enemy's, or none
                if (state.liberties[beside] == 1) & (beside != chain):
                    point = first_liberty(state, beside)
                    in_atari = point == only_liberty and liberties_after(state, point, state.turn, 0) == 1
                    feature = SAVE_BY_CAPTURE_SELF_ATARI if in_atari else SAVE_BY_CAPTURE
                    add_feature(room, point, feature)
        stone = np.int64(state.next[index(stone)])
        if stone == first:
            break


@borrowing
def keep_best_saving(room):
    """Leave each point one feature of those that save a string: a capture before an extension, the good one first."""
    for place in range(room.count):
        point = index(room.points[index(place)])
        features = np.int64(room.sets[point])
        if features & SAVE_BY_CAPTURE:
            features &= ~(SAVE_BY_CAPTURE_SELF_ATARI | SAVE_BY_EXTENSION | SAVE_BY_EXTENSION_SELF_ATARI)
        elif features & SAVE_BY_CAPTURE_SELF_ATARI:
            features &= ~(SAVE_BY_EXTENSION | SAVE_BY_EXTENSION_SELF_ATARI)
        room.sets[point] = features


@borrowing
def add_extension(state, chain, room):
    """Features 4 and 5: play on the last liberty of an own chain in atari, unless that is suicide."""
    point = first_liberty(state, chain)
    liberties = np.int64(state.neighbours[index(point)]) & 15  # the empty points beside it: often enough to know
    if liberties < 2:
        liberties = liberties_after(state, point, state.turn, 0)
    if liberties > 0:
        add_feature(room, point, SAVE_BY_EXTENSION_SELF_ATARI if liberties == 1 else SAVE_BY_EXTENSION)


@borrowing
def add_ko_solutions(state, ko_stone, room):
    """Feature 6: capture an enemy chain beside the own stone that took the ko two moves ago."""
    stride = stride_of(state)
    enemy = BLACK + WHITE - state.turn
    for near in (ko_stone - stride, ko_stone - 1, ko_stone + 1, ko_stone + stride):
        beside = friend(state, near, enemy)
        if state.liberties[beside] == 1:
            add_feature(room, first_liberty(state, beside), SOLVE_KO)


@borrowing
def add_semeai(state, chain, room):
    """Feature 7: give atari to an enemy chain of two liberties beside an own chain of two, so that it cannot escape."""
    stride = stride_of(state)
    first = np.int64(chain) + stride
    stone = first
    tested = index(NO_CHAIN)
    while True:
        if has_beside(state, stone, chain, 2):
            for near in (stone - stride, stone - 1, stone + 1, stone + stride):
                beside = index(state.chain[index(near)])  # the same chain, the enemy's, or none
                if (state.liberties[beside] == 2) & (beside != chain) & (beside != tested):
                    tested = beside
                    one = first_liberty(state, beside)
                    two = last_liberty(state, beside, one)
                    if not room.sets[index(one)] & SEMEAI and kills(state, one, two):
                        add_feature(room, one, SEMEAI)
                    if not room.sets[index(two)] & SEMEAI and kills(state, two, one):
                        add_feature(room, two, SEMEAI)
        stone = np.int64(state.next[index(stone)])
        if stone == first:
            break


@borrowing
def kills(state, atari, escape):
    """Whether an enemy chain with two liberties is lost after an own stone on the one and an escape on the other.

    Most often the empty points beside the escape tell that it is not.
    """
    stride = stride_of(state)
    step = abs(atari - escape)
    beside = np.int64((step == 1) | (step == stride))
    if (np.int64(state.neighbours[index(escape)]) & 15) - beside >= 2:
        return False
    if liberties_after(state, atari, state.turn, 0) < 2:
        return False
    return liberties_after(state, escape, BLACK + WHITE - state.turn, atari) < 2
