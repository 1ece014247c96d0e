"""Micro-reduction: the winner of a full Hex board by shrinking it.

van Rijswijck, "Search and evaluation in Hex" (2002).

Hex is Y on a triangle with two corners already filled. ``y/reduction.py`` says how a triangle of Y shrinks.
"""

import numpy as np

from montego.games.hex.game import MAX_SIZE, STATE
from montego.games.tools.connection.board import word_count
from montego.kernels import index, kernel

_U = np.uint64
_ZERO, _ONE, _63 = (np.uint64(n) for n in (0, 1, 63))


def _bits(points: list[int]) -> list[int]:
    """Return the words of a bit set."""
    chosen = sum(1 << point for point in points)
    return [chosen >> 64 * word & (2**64 - 1) for word in range(STATE["stones"].shape[1])]


# Bit sets of edge points, by size of the board.
LAST_ROW = np.array([_bits([n * (n - 1) + k for k in range(n)]) for n in range(MAX_SIZE + 1)], np.uint64)
LAST_COLUMN = np.array([_bits([k * n + n - 1 for k in range(n)]) for n in range(MAX_SIZE + 1)], np.uint64)


@kernel
def reduce_rhombus(game, cells):
    """Whether the points in the bit set ``cells`` connect top and bottom; ``cells`` is used up.

    The rhombus is the top of a Y triangle of size 2·size - 1: cell (row, column) with row + column < 2·size - 1, the
    rows below it belonging to player 0 and the columns right of it to player 1. One micro-reduction gives every cell
    the majority of itself, the cell below and the cell to the right; the two filled corners stay as they are, so only
    the rhombus is computed, 64 cells at a time. After 2·size - 2 reductions cell (0, 0) is the whole triangle.
    """
    size = game.size
    words = word_count(game)
    down, up = _U(size), _U(64 - size)
    for _ in range(2 * size - 2):
        for word in range(words):
            here, after = cells[index(word)], cells[index(word + 1)]
            below = here >> down | after << up | LAST_ROW[index(size), index(word)]
            right = (here >> _ONE | after << _63) & ~LAST_COLUMN[index(size), index(word)]
            cells[index(word)] = (here & (below | right)) | (below & right)
    return cells[index(0)] & _ONE != _ZERO


@kernel
def reduce_small_rhombus(game, low, high):
    """Do the same as ``reduce_rhombus`` with two words, in registers: twice as fast, up to size 11."""
    size = game.size
    down, up = _U(size), _U(64 - size)
    last_low, last_high = LAST_ROW[index(size), index(0)], LAST_ROW[index(size), index(1)]
    inner_low, inner_high = ~LAST_COLUMN[index(size), index(0)], ~LAST_COLUMN[index(size), index(1)]
    for _ in range(2 * size - 2):
        below_low, below_high = low >> down | high << up | last_low, high >> down | last_high
        right_low, right_high = (low >> _ONE | high << _63) & inner_low, (high >> _ONE) & inner_high
        low = (low & (below_low | right_low)) | (below_low & right_low)
        high = (high & (below_high | right_high)) | (below_high & right_high)
    return low & _ONE != _ZERO
