"""Tactical classes of a move for the prior of a tree: captures, extensions, self-atari, atari, line and distances.

Each class is one of a few numbers, 0 for none, after the features of Coulom, "Computing Elo ratings of move patterns in
the game of Go" (2007), section 4. Ladders are read to the end, so this is for nodes of a tree, not for playouts.
"""

import numpy as np

from montego.games.go.board import BLACK, EMPTY, OFF, PASS, WHITE, friend, play_stone, stride_of
from montego.games.go.ladders import is_caught
from montego.games.go.previous_move import liberties_after, met_before
from montego.kernels import copy_record, index, kernel

# Capture: beside an own chain in atari; of the last stone; of a chain that could escape; of one that could not.
# Extension of a chain in atari: new and it escapes; new and in a ladder; old and it escapes; old and in a ladder.
# Self-atari: of one stone; of more; and with two liberties left. Atari: in a ladder; while there is a ko; other.
# Line: 1 to 4 from the edge, 5 for the rest.
TACTICS = (("capture", 4), ("extension", 4), ("self-atari", 3), ("atari", 3), ("line", 5))
MAX_DISTANCE = 17  # greater distances count as this one
DISTANCES = (("distance to the last move", MAX_DISTANCE), ("distance to the move before", MAX_DISTANCE))


@kernel
def tactics_number(game, state, point, last, room, work):
    """Return the classes of a move as digits of one number, in the order of TACTICS, the capture lowest.

    ``room`` is for reading ladders, ``work`` an array with one more state.
    """
    capture = capture_class(state, point, last, room)
    extension = extension_class(state, point, last, room)
    liberties = liberties_after(state, point, state.turn, 0)
    self_atari = 0 if liberties > 2 else 3 if liberties == 2 else 1
    if self_atari == 1 and has_friend(state, point):
        self_atari = 2
    atari = atari_class(state, point, room, work)
    stride = stride_of(state)
    row, column = point // stride, point % stride
    line = min(min(row, game.height + 1 - row), min(column, game.size + 1 - column), 5)
    return capture + 5 * (extension + 5 * (self_atari + 4 * (atari + 4 * line)))


@kernel
def is_snapback(state, point):
    """Whether a lone stone with one liberty at a point can only be taken by a chain that is then taken itself.

    The enemy's stone on that liberty would have no liberty but the point of the stone it took.
    """
    stride = stride_of(state)
    liberty, enemies = 0, 0
    for near in (point - stride, point - 1, point + 1, point + stride):
        colour = state.colour[index(near)]
        if colour == state.turn or (colour == EMPTY and liberty != 0):
            return False
        if colour == EMPTY:
            liberty = near
        elif colour != OFF:
            enemies += 1
            if state.liberties[state.chain[index(near)]] == 1:
                return False  # a capture
    enemy = BLACK + WHITE - state.turn
    return liberty != 0 and enemies > 0 and liberties_after(state, liberty, enemy, point) == 0


@kernel
def distances_number(state, point, last, before_last):
    """Return the distances to the last two moves as digits of one number, in the order of DISTANCES; 0 after a pass."""
    return distance(state, point, last) + (MAX_DISTANCE + 1) * distance(state, point, before_last)


@kernel
def distance(state, point, other):
    """Return |dx| + |dy| + max(|dx|, |dy|), at most MAX_DISTANCE, less 1 so that neighbours have 1; 0 to a pass.

    A point that was just played and captured again has distance 1 as well.
    """
    if other == PASS:
        return 0
    stride = stride_of(state)
    rows = abs(point // stride - other // stride)
    columns = abs(point % stride - other % stride)
    return max(1, min(rows + columns + max(rows, columns) - 1, MAX_DISTANCE))


@kernel
def has_friend(state, point):
    """Whether an own stone is beside a point."""
    stride = stride_of(state)
    found = False
    for near in (point - stride, point - 1, point + 1, point + stride):
        found |= state.colour[index(near)] == state.turn
    return found


@kernel
def capture_class(state, point, last, room):
    """Return the class of the most important capture at a point."""
    stride = stride_of(state)
    best = 5
    for near in (point - stride, point - 1, point + 1, point + stride):
        chain = friend(state, near, BLACK + WHITE - state.turn)
        if state.liberties[chain] == 1 and not met_before(state, point, near, chain):
            if touches_atari(state, chain):
                best = 1
            elif last != PASS and state.chain[index(last)] == chain:
                best = min(best, 2)
            elif best > 3:
                best = 4 if is_caught(state, near, room) else 3
    return best % 5


@kernel
def touches_atari(state, chain):
    """Whether an enemy of a chain beside it is in atari."""
    stride = stride_of(state)
    first = np.int64(chain) + stride
    enemy = BLACK + WHITE - np.int64(state.colour[index(first)])
    stone = first
    while True:
        for near in (stone - stride, stone - 1, stone + 1, stone + stride):
            if state.liberties[friend(state, near, enemy)] == 1:
                return True
        stone = np.int64(state.next[index(stone)])
        if stone == first:
            return False


@kernel
def extension_class(state, point, last, room):
    """Return the class of the most important extension of an own chain in atari at a point."""
    stride = stride_of(state)
    best = 5
    for near in (point - stride, point - 1, point + 1, point + stride):
        chain = friend(state, near, state.turn)
        if state.liberties[chain] == 1 and not met_before(state, point, near, chain):
            is_new = False
            if last != PASS:
                for beside in (last - stride, last - 1, last + 1, last + stride):
                    is_new |= friend(state, beside, state.turn) == chain
            best = min(best, (1 if is_new else 3) + np.int64(is_caught(state, near, room)))
    return best % 5


@kernel
def atari_class(state, point, room, work):
    """Return the class of the most important atari at a point."""
    stride = stride_of(state)
    best = 4
    for near in (point - stride, point - 1, point + 1, point + stride):
        chain = friend(state, near, BLACK + WHITE - state.turn)
        if state.liberties[chain] == 2 and best > 1 and not met_before(state, point, near, chain):
            copy_record(work[0], state)
            play_stone(work[0], point, state.turn)
            best = 1 if is_caught(work[0], near, room) else 2 if state.ko else 3
    return best % 4
