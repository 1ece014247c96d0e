"""Micro-reduction: the winner of a full Y board by shrinking it (van Rijswijck, "Search and evaluation in Hex", 2002).

Each three cells of a triangle of size n that touch one another and point upwards become one cell of a triangle of size
n - 1, with the colour that two of them have. Who has won before has won after, down to the one cell of size 1.

Here a triangle is a bit set: cell ``column`` of row ``row`` (0 ≤ column ≤ row < size) is bit row·stride + column,
set for player 0, with a stride of at least ``size``. Bits outside of the triangle never reach the cells within, so they
may hold anything; the word after the last one is read and must exist.
"""

from typing import Any

import numpy as np

from montego.games.y.bent import POINT_COUNT, POINT_OF_CELL, STRAIGHT_SIZE
from montego.kernels import index, kernel

_U = np.uint64
_ZERO, _ONE, _SIX, _63 = (np.uint64(n) for n in (0, 1, 6, 63))


@kernel
def reduce(cells, size, stride):
    """Shrink a triangle from ``size`` to ``size - 1``, 64 cells at a time."""
    left, right = _U(stride), _U(stride + 1)
    left_back, right_back = _U(64 - stride), _U(63 - stride)
    for word in range(((size - 1) * stride + 63) >> 6):
        top, after = cells[index(word)], cells[index(word + 1)]
        below_left = top >> left | after << left_back
        below_right = top >> right | after << right_back
        cells[index(word)] = (top & (below_left | below_right)) | (below_left & below_right)


@kernel
def first_owns_last_cell(cells, size, stride):
    """Whether the one cell that a triangle shrinks to is player 0's; ``cells`` is used up."""
    for smaller in range(size, 1, -1):
        reduce(cells, smaller, stride)
    return cells[index(0)] & _ONE != _ZERO


@kernel
def spread_straight(points, size, cells):
    """Write a bit set of points of the straight board as the cells of a triangle with stride ``size``."""
    for word in range(((size * size + 63) >> 6) + 1):
        cells[index(word)] = _ZERO
    for row in range(size):
        source, target = _U(row * (row + 1) // 2), _U(row * size)
        at, shift = index(source >> _SIX), source & _63
        # Two shifts by at most 63 bits each, as a shift by 64 is undefined.
        bits = points[at] >> shift | points[at + index(1)] << _ONE << (_63 - shift)
        bits &= (_ONE << _U(row + 1)) - _ONE
        at, shift = index(target >> _SIX), target & _63
        cells[at] |= bits << shift
        cells[at + index(1)] |= bits >> _ONE >> (_63 - shift)


@kernel
def spread_bent(points, cells):
    """Write a bit set of points of the bent board as the cells of the triangle that it is folded from."""
    for word in range(_BENT_WORDS):
        cells[index(word)] = _ZERO
    for nibble in range(_NIBBLES):
        bits = index(points[index(nibble >> 4)] >> _U(4 * (nibble & 15)) & _U(15))
        for word in range(_BENT_WORDS):
            cells[index(word)] |= CELLS_OF_NIBBLE[index(nibble), bits, index(word)]


_BENT_WORDS = (STRAIGHT_SIZE**2 + 63) // 64
_NIBBLES = (POINT_COUNT + 3) // 4


def _cells_of_nibbles() -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return for every four points of the bent board and every subset of them the cells that they fill."""
    filled = [0] * (4 * _NIBBLES)
    cells = [(row, column) for row in range(STRAIGHT_SIZE) for column in range(row + 1)]
    for (row, column), point in zip(cells, POINT_OF_CELL, strict=True):
        filled[point] |= 1 << (row * STRAIGHT_SIZE + column)
    table = np.zeros((_NIBBLES, 16, _BENT_WORDS), np.uint64)
    for nibble in range(_NIBBLES):
        for subset in range(16):
            union = 0
            for k in range(4):
                union |= filled[4 * nibble + k] if subset >> k & 1 else 0
            table[nibble, subset] = [union >> 64 * word & (2**64 - 1) for word in range(_BENT_WORDS)]
    return table


CELLS_OF_NIBBLE = _cells_of_nibbles()
