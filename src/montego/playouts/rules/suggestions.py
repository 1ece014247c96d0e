"""What each rule of a playout of Go proposes after the last move, as points in an array.

``situation`` tells at a glance which rules may have something to say. Then a rule writes its points to ``room``, each
once, and returns how many there are. Points may be illegal or senseless; the policy asks before it plays one. "Own" is
what belongs to the player to move; the last stone is the enemy's.
"""

import numpy as np

from montego.games.go.board import BLACK, EMPTY, PASS, WHITE, friend, stride_of
from montego.games.go.mogo import matches_bit
from montego.games.go.nakade import contains, is_way_in, vital_point
from montego.games.go.previous_move import first_liberty, last_liberty, liberties_after, met_before
from montego.games.go.self_atari import is_self_atari
from montego.kernels import borrowing, index, inlined

ROOM = 64  # most points that a rule proposes; more captures than that save nothing

# Bits of a situation: the last stone's chain is in atari; an own chain beside it is; one of them all has two liberties;
# a point beside the last stone may belong to an eye space of the enemy.
CAPTURE, SAVE, TWO_LIBERTIES, EYE_SPACE = 1, 2, 4, 8


@inlined
def situation(state, last):
    """Return what the last move makes urgent, as a sum of the bits above.

    There is no branch, as the processor cannot predict what stands around a move.
    """
    stride = stride_of(state)
    liberties = state.liberties[friend(state, last, BLACK + WHITE - state.turn)]
    found = np.int64(liberties == 1) * CAPTURE | np.int64(liberties == 2) * TWO_LIBERTIES
    for near in (last - stride, last - 1, last + 1, last + stride):
        liberties = state.liberties[friend(state, near, state.turn)]
        found |= np.int64(liberties == 1) * SAVE | np.int64(liberties == 2) * TWO_LIBERTIES
        found |= np.int64((state.colour[index(near)] == EMPTY) & is_way_in(state, near)) * EYE_SPACE
    return found


@borrowing
def add_point(room, count, point):
    """Write a point unless it is there already or the room is full; return how many there are."""
    if count == len(room) or contains(room, count, point):
        return count
    room[index(count)] = point
    return count + 1


@borrowing
def suggest_capture(state, last, room):
    """Take the chain of the last stone, which is in atari."""
    room[0] = first_liberty(state, friend(state, last, BLACK + WHITE - state.turn))
    return 1


@borrowing
def suggest_saves(state, last, room):
    """Save the own chains beside the last stone that are in atari, by extending or by capturing what attacks them."""
    stride = stride_of(state)
    count = np.int64(0)
    for near in (last - stride, last - 1, last + 1, last + stride):
        chain = friend(state, near, state.turn)
        if state.liberties[chain] == 1 and not met_before(state, last, near, chain):
            point = first_liberty(state, chain)
            if not is_self_atari(state, point):
                count = add_point(room, count, point)
            count = add_counter_captures(state, chain, room, count)
    return count


@borrowing
def add_counter_captures(state, chain, room, count):
    """Add the captures of the enemy's chains beside an own chain."""
    stride = stride_of(state)
    first = np.int64(chain) + stride
    stone = first
    while True:
        for near in (stone - stride, stone - 1, stone + 1, stone + stride):
            beside = friend(state, near, BLACK + WHITE - state.turn)
            if state.liberties[beside] == 1:
                count = add_point(room, count, first_liberty(state, beside))
        stone = np.int64(state.next[index(stone)])
        if stone == first:
            return count


@borrowing
def suggest_nakade(state, last, room):
    """Play the vital point of an eye space of the enemy beside the last stone."""
    point = vital_point(state, last, room)
    room[0] = point
    return np.int64(point != 0)


@borrowing
def suggest_two_liberties(state, last, room):
    """Play a liberty of the last stone's chain or of an own chain beside it that has two and gains by that point."""
    stride = stride_of(state)
    enemy = BLACK + WHITE - state.turn
    count = np.int64(0)
    chain = friend(state, last, enemy)
    if state.liberties[chain] == 2:
        count = add_good_liberties(state, chain, enemy, room, count)
    for near in (last - stride, last - 1, last + 1, last + stride):
        chain = friend(state, near, state.turn)
        if state.liberties[chain] == 2 and not met_before(state, last, near, chain):
            count = add_good_liberties(state, chain, state.turn, room, count)
    return count


@borrowing
def add_good_liberties(state, chain, colour, room, count):
    """Add those of the two liberties of a chain where a stone of its colour would give it three or more."""
    one = first_liberty(state, chain)
    two = last_liberty(state, chain, one)
    stride = stride_of(state)
    apart = np.int64(two - one != 1 and two - one != stride)
    for point in (one, two):
        empty = np.int64(state.neighbours[index(point)]) & 15
        if empty + apart > 2 or gains_by_others(state, point, chain, colour):
            count = add_point(room, count, point)
    return count


@borrowing
def gains_by_others(state, point, chain, colour):
    """Whether a chain would get three liberties on a point because it joins or captures other chains there.

    Liberties are counted one by one only where the chains to be joined have two or three each.
    """
    stride = stride_of(state)
    most = 0
    captures = False
    for near in (point - stride, point - 1, point + 1, point + stride):
        beside = index(state.chain[index(near)])
        liberties = np.int64(state.liberties[beside])
        is_friend = (state.colour[index(near)] == colour) & (beside != chain)
        most = max(most, liberties * np.int64(is_friend))
        captures |= (liberties == 1) & (state.colour[index(near)] != colour)
    if most > 3:
        return True
    return (most > 1 or captures) and liberties_after(state, point, colour, 0) > 2


@inlined
def beside_bit(state, point, other):
    """Return 1 if a point on the board is the other one or one of the eight around it, else 0.

    The nine differences of such points, counted from the lowest, are the bits of a mask that fits into one word.
    """
    stride = stride_of(state)
    mask = 7 | 7 << stride | 7 << (2 * stride)
    place = point - other + stride + 1
    return (mask >> (place & 63)) & np.int64((place >= 0) & (place < 64))


@borrowing
def suggest_shapes(state, last, before_last, patterns, room):
    """Play a pattern of MoGo around one of the last two moves.

    There is no branch on what stands where: every point is written, and the next one over it if it was not wanted.
    """
    stride = stride_of(state)
    steps = (-stride, -1, 1, stride, -stride - 1, -stride + 1, stride - 1, stride + 1)
    empty = np.int64(0)
    for step in steps:
        room[index(empty)] = last + step
        empty += np.int64(state.colour[index(last + step)] == EMPTY)
    if before_last > PASS:
        for step in steps:
            point = before_last + step
            room[index(empty)] = point
            empty += np.int64(state.colour[index(point)] == EMPTY) & ~beside_bit(state, point, last)
    count = np.int64(0)
    for place in range(empty):
        point = room[index(place)]
        room[index(count)] = point
        count += matches_bit(state, point, patterns)
    return count
