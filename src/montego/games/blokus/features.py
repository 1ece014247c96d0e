"""The features of Blokus Duo: what a placement covers, what it touches, which corners it wins, and how large it is.

A placement concerns squares in three ways: it *covers* its own squares, it lies *beside* their edge neighbours, which
are lost to its owner from then on, and it reaches the squares at its *corners*, from which its owner may go on. Each
such square is of some class, and the features count the squares of each class: a group has one feature for each number
of them. The remaining groups are the piece, its size by the stage of the game, and how much it covers of the squares
that the opponent's last moves have opened (*local* squares). The ideas are those of Pentobi's priors and playouts;
counts as features, the classes of covered squares and all weights are our own.

**Counting all classes at once.** A class is four bits of a number, and each square has one number for each of the three
ways. The sum of these numbers over the squares of a placement holds all its counts.
"""

from typing import NamedTuple

import numpy as np

from montego.games.blokus.board import orientation_and_bit, part
from montego.games.blokus.pieces import (
    BESIDE_BITS,
    CORNER_BITS,
    ORIENTATIONS,
    PASS,
    PIECE_OF,
    PIECES,
    SHAPE_BITS,
    SIZE,
    SQUARES_OF,
    bit_of,
)
from montego.games.features import Array, Column, Group
from montego.kernels import bit_count, borrowing, index, inlined

_U = np.uint64
_ZERO, _ONE, _16, _48 = np.uint64(0), np.uint64(1), np.uint64(16), np.uint64(48)
_MARGIN = 17  # where the patterns of edge and corner neighbours begin: one row up and one column left

# The stages of the game, by the pieces that both players together have placed: from 0, 4, 6 and 10 on.
STAGE_STARTS = np.array([4, 6, 10], np.int64)
STAGES = len(STAGE_STARTS) + 1
MOST_SQUARES = 5  # of a piece

# The groups that count squares, in the order of their four bits. The last feature of each stands for that number or
# more.
COVERS_LOCAL, COVERS_HIS_CORNER, COVERS_NEAR_HIS_CORNER, COVERS_MY_CORNER = 0, 1, 2, 3
BESIDE_HIS, BESIDE_LOST, BESIDE_MY_CORNER, BESIDE_OPEN = 4, 5, 6, 7
CORNER_MINE, CORNER_LOST, CORNER_OPEN = 8, 9, 10  # the last one is five groups, by open neighbours from 0 to 4
COUNTS = (
    ("local value", 5),
    ("covers his corner squares", 3),
    ("covers squares next to his corner squares", 3),
    ("covers my corner squares", 4),
    ("beside his pieces", 10),
    ("beside squares lost to me", 7),
    ("beside my corner squares", 3),
    ("beside squares open to me", 10),
    ("corner at my own pieces", 4),
    ("corner at squares lost to me", 5),
    ("corner with 0 open neighbours", 2),
    ("corner with 1 open neighbour", 3),
    ("corner with 2 open neighbours", 3),
    ("corner with 3 open neighbours", 5),
    ("corner with 4 open neighbours", 6),
)

# The columns: one group each.
PIECE, SIZE_BY_STAGE, FIRST_COUNT = 0, 1, 2
LOCAL = FIRST_COUNT + COVERS_LOCAL
GROUPS = (
    Group("piece", PIECES),
    Group("size by stage", STAGES * MOST_SQUARES),
    *(Group(name, most) for name, most in COUNTS),
)
COLUMNS = tuple(Column.of_group(group) for group in GROUPS)

_SQUARE_BITS = np.array([bit_of(row, column) for row in range(SIZE) for column in range(SIZE)], np.int64)
_BITS = 256
_BESIDE, _CORNER, _NOTHING = 1, 2, 3  # the roles of a square beside being covered
_MOST_CLASSES = 21  # of the squares of a placement in their three roles
_MOST = np.array([most for _, most in COUNTS], np.int64)


def _bits(words: Array) -> list[int]:
    """Return the numbers of the bits that are set in words of 64 bits."""
    return np.flatnonzero(np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little")).tolist()


def _steps() -> Array:
    """Return for each orientation where the classes of its squares stand, counted from its bit.

    First those that it covers, then those beside it and at its corners; the rest stands where there is always 0.
    """
    steps = np.full((ORIENTATIONS, _MOST_CLASSES), _NOTHING * _BITS, np.int16)
    for orientation in range(ORIENTATIONS):
        covered = _bits(SHAPE_BITS[orientation])
        beside = sorted({bit - _MARGIN for bit in _bits(BESIDE_BITS[orientation])} - set(covered))
        corners = [bit - _MARGIN for bit in _bits(CORNER_BITS[orientation])]
        places = [role * _BITS + bit for role, bits in enumerate((covered, beside, corners)) for bit in bits]
        steps[orientation, : len(places)] = places
    return steps


STEPS = _steps()


class FeatureTables(NamedTuple):
    """What the features of a position are written with: for each bit of the board the classes of its square."""

    classes: Array  # by role and bit: squares covered, beside, at a corner; the last part stays zero
    local: Array  # four words, the local squares; a fifth one stays zero
    threatened: Array  # four words: the opponent's corner squares and their neighbours


def feature_tables() -> FeatureTables:
    """Return empty tables."""
    return FeatureTables(np.zeros((_NOTHING + 1) * _BITS, np.int64), np.zeros(5, np.uint64), np.zeros(4, np.uint64))


@inlined
def has(boards, player, bit):
    """Return 1 if a bit of a player's board is set, else 0."""
    return np.int64((boards[index(player), index(bit >> 6)] >> _U(bit & 63)) & _ONE)


@inlined
def spread(before, middle, after):
    """Return the middle one of three words of a set of squares with its edge neighbours, those in the margin too."""
    beside = (middle << _ONE) | (middle >> _ONE) | (middle << _16) | (middle >> _16)
    return middle | beside | (before >> _48) | (after << _48)


@inlined
def stage_of(state):
    """Return the stage of the game, from 0, by the number of pieces on the board."""
    placed = 2 * PIECES - bit_count(_U(state.pieces[0])) - bit_count(_U(state.pieces[1]))
    stage = 0
    for start in STAGE_STARTS:
        stage += np.int64(placed >= start)
    return stage


@borrowing
def find_local(state, player, trace, end, local):
    """Write the squares that the opponent's last two moves have opened to him, and whether there are any.

    They are the corners of these moves that he can still use and their edge neighbours open to him, as far as they are
    open to ``player``, too. Of the two moves, those that the trace still knows.
    """
    other = 1 - player
    for word in range(4):
        local[index(word)] = _ZERO
    for back in (1, 3):
        move = np.int64(trace[index(end - back)]) if end >= back else -1
        if 0 <= move < PASS:
            orientation, bit = orientation_and_bit(move)
            corner = bit - _MARGIN
            for word in range(3):
                at = index((corner >> 6) + word)
                if at < 4:
                    local[at] |= part(CORNER_BITS, orientation, _U(corner & 63), word) & state.attach[index(other), at]
    before = _ZERO
    for word in range(4):
        middle = local[index(word)]
        near = spread(before, middle, local[index(word + 1)])
        local[index(word)] = near & state.free[index(other), index(word)] & state.free[index(player), index(word)]
        before = middle
    return (local[0] | local[1] | local[2] | local[3]) != _ZERO


@borrowing
def classify_squares(tables, state, player):
    """Write the classes of all squares as ``player`` sees them; ``tables.local`` has been found."""
    other = 1 - player
    mine, his = state.attach[index(player)], state.attach[index(other)]
    for word in range(4):
        before = his[index(word - 1)] if word > 0 else _ZERO
        tables.threatened[index(word)] = spread(before, his[index(word)], his[index(word + 1)])
    for square in range(SIZE * SIZE):
        bit = _SQUARE_BITS[index(square)]
        word, shift = bit >> 6, _U(bit & 63)
        free = has(state.free, player, bit)
        my_corner = np.int64((mine[index(word)] >> shift) & _ONE)
        if free:
            his_corner = np.int64((his[index(word)] >> shift) & _ONE)
            near = (
                np.int64((tables.threatened[index(word)] >> shift) & _ONE)
                & has(state.free, other, bit)
                & (1 - his_corner)
            )
            local = np.int64((tables.local[index(word)] >> shift) & _ONE) * (1 + my_corner)
            tables.classes[index(bit)] = (
                local << 4 * COVERS_LOCAL
                | his_corner << 4 * COVERS_HIS_CORNER
                | near << 4 * COVERS_NEAR_HIS_CORNER
                | my_corner << 4 * COVERS_MY_CORNER
            )
            around = has(state.free, player, bit - 16) + has(state.free, player, bit + 16)
            around += has(state.free, player, bit - 1) + has(state.free, player, bit + 1)
            tables.classes[index(_BESIDE * _BITS + bit)] = np.int64(1) << 4 * (BESIDE_OPEN - my_corner)
            tables.classes[index(_CORNER * _BITS + bit)] = np.int64(1) << 4 * (CORNER_OPEN + around)
        else:
            taken = has(state.squares, other, bit)
            tables.classes[index(_BESIDE * _BITS + bit)] = np.int64(1) << 4 * (BESIDE_LOST - taken)
            tables.classes[index(_CORNER * _BITS + bit)] = np.int64(1) << 4 * (
                CORNER_LOST - has(state.squares, player, bit)
            )


@inlined
def count_squares(tables, orientation, bit):
    """Return the counts of a placement, four bits each, once the squares have been classified."""
    o, counts = index(orientation), np.int64(0)
    for place in range(_MOST_CLASSES):
        counts += tables.classes[index(bit + STEPS[o, index(place)])]
    return counts


@borrowing
def write_placement_features(tables, state, trace, end, moves, values):
    """Write the numbers of some moves of the player to move, in the order of COLUMNS; a pass has no feature."""
    find_local(state, state.player, trace, end, tables.local)
    classify_squares(tables, state, state.player)
    stage = stage_of(state)
    for place in range(len(moves)):
        move = np.int64(moves[index(place)])
        row = values[index(place)]
        if move == PASS:
            for column in range(len(row)):
                row[index(column)] = 0
            continue
        orientation, bit = orientation_and_bit(move)
        counts = count_squares(tables, orientation, bit)
        row[PIECE] = 1 + PIECE_OF[index(orientation)]
        row[SIZE_BY_STAGE] = MOST_SQUARES * stage + SQUARES_OF[index(orientation)]
        for column in range(FIRST_COUNT, len(row)):
            count = (counts >> 4 * (column - FIRST_COUNT)) & 15
            row[index(column)] = min(count, _MOST[index(column - FIRST_COUNT)])
