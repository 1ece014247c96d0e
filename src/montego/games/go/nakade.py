"""Nakade: the vital point of a small eye space, where one stone keeps the enemy from making two eyes of it.

The eye spaces of three to six points that have exactly one vital point are known by heart to every player: both threes,
the pyramid four, the bulky and the crossed five, and the rabbity six. In each it is the point with the most neighbours
inside, and the number of pairs of neighbours tells these shapes from the others of their size.
"""

import numpy as np

from montego.games.go.board import BLACK, EMPTY, WHITE, stride_of
from montego.games.go.previous_move import has_liberty
from montego.kernels import borrowing, index, inlined

LARGEST_EYE = 6
LEAST_DEGREES, MOST_DEGREES = 2, 6  # of the neighbours inside of a point on the rim, over all these shapes


@borrowing
def vital_point(state, last, room):
    """Return the vital point of an eye space beside the last stone, or 0: empty, with the enemy's stones only around
    it.

    From the perspective of the player to move, who would play there. ``room`` has space for seven points.
    """
    stride = stride_of(state)
    enemy = BLACK + WHITE - state.turn
    for near in (last - stride, last - 1, last + 1, last + stride):
        if state.colour[index(near)] == EMPTY and is_way_in(state, near) and is_narrow(state, near):
            size = fill_eye(state, near, enemy, room)
            if size >= 3:
                point = centre_of_eye(state, room, size)
                if point != 0:
                    return point
    return 0


@inlined
def is_inside(state, point, colour):
    """Whether what is beside an empty point is empty, of a colour or off the board."""
    counts = np.int64(state.neighbours[index(point)])
    return (counts & 15) + ((counts >> (4 * colour)) & 15) == 4


@inlined
def is_way_in(state, point):
    """Whether an eye space may begin at an empty point: nothing of mine beside it, and one or two empty neighbours.

    Only a last stone beside the centre of the pyramid four or the bulky five goes unnoticed by this. Those points have
    three empty neighbours, as nearly every point of the open board, where the search would be in vain.
    """
    counts = np.int64(state.neighbours[index(point)])
    return is_inside(state, point, BLACK + WHITE - state.turn) & ((counts & 15) - 1 < 2) & (counts & 15 > 0)


@borrowing
def is_narrow(state, point):
    """Whether the surroundings of a point fit a shape with a vital point: no own stones, and not too much room.

    A glance that spares most points the search for their region.
    """
    stride = stride_of(state)
    degrees = 0
    enclosed = True
    enemy = BLACK + WHITE - state.turn
    for near in (point - stride, point - 1, point + 1, point + stride):
        is_empty = state.colour[index(near)] == EMPTY
        degrees += (np.int64(state.neighbours[index(near)]) & 15) * np.int64(is_empty)
        enclosed &= is_inside(state, near, enemy) | ~is_empty
    return enclosed & (degrees >= LEAST_DEGREES) & (degrees <= MOST_DEGREES)


@borrowing
def fill_eye(state, first, colour, room):
    """Write the empty points connected to one of them; return how many, or 0: too many, or the other colour is there.

    ``colour`` is that of the stones around them.
    """
    stride = stride_of(state)
    room[0] = first
    count, done = 1, 0
    while done < count:
        point = room[index(done)]
        done += 1
        if not is_inside(state, point, colour):
            return 0
        for near in (point - stride, point - 1, point + 1, point + stride):
            if state.colour[index(near)] == EMPTY and not contains(room, count, near):
                if count == LARGEST_EYE:
                    return 0
                room[index(count)] = near
                count += 1
    return count


@inlined
def contains(room, count, point):
    """Whether a point is among the first ``count`` ones."""
    found = False
    for place in range(count):
        found |= room[index(place)] == point
    return found


@borrowing
def centre_of_eye(state, room, size):
    """Return the vital point of an eye space, or 0 if it has none or more than one."""
    degrees, most, centre = 0, 0, 0
    for place in range(size):
        degree = np.int64(state.neighbours[index(room[index(place)])]) & 15
        degrees += degree
        if degree > most:
            most, centre = degree, np.int64(room[index(place)])
    pairs = degrees // 2
    is_three = size == 3
    is_pyramid = size == 4 and most == 3
    is_crossed_or_bulky_five = size == 5 and (most == 4 or pairs == 5)
    is_rabbity_six = size == 6 and most == 4 and pairs == 6
    return centre if is_three or is_pyramid or is_crossed_or_bulky_five or is_rabbity_six else 0


@borrowing
def is_question_of_life(state, point, room):
    """Whether an empty point is the vital one of an eye space that is all that the chains around it have.

    For either player: who plays there lives, or kills. ``room`` has space for seven points.
    """
    for colour in (BLACK, WHITE):
        if is_inside(state, point, colour):
            size = fill_eye(state, point, colour, room)
            if size >= 3 and centre_of_eye(state, room, size) == point:
                return all_liberties_inside(state, colour, room, size)
    return False


@borrowing
def all_liberties_inside(state, colour, room, size):
    """Whether the chains of a colour around an eye space have no liberties elsewhere."""
    stride = stride_of(state)
    for place in range(size):
        point = room[index(place)]
        for near in (point - stride, point - 1, point + 1, point + stride):
            if state.colour[index(near)] == colour:
                chain = state.chain[index(near)]
                inside = 0
                for other in range(size):
                    inside += np.int64(has_liberty(state, index(chain), np.int64(room[index(other)])))
                if inside < state.liberties[index(chain)]:
                    return False
    return True
