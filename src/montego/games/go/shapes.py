"""Nested shapes around a point: what stands within a radius, hashed so that all symmetries give the same number.

The distance of two points is |dx| + |dy| + max(|dx|, |dy|), which makes nearly round shapes, as in Coulom, "Computing
Elo ratings of move patterns in the game of Go" (2007). The shape of radius r has every point with a distance up to r,
from 3 (the eight neighbours) to 10. A point is empty, own, enemy, or off the board, which is how a shape knows the
edge.

A hash is the exclusive-or of one key for each point that is not empty, kept for all eight symmetries at once; the
lowest of the eight names the shape. The keys depend only on the seed below, so hashes can be stored in files.
"""

import numpy as np

from montego.games.go.board import EMPTY, OFF, stride_of
from montego.kernels import index, kernel

RADII = np.arange(3, 11)
SHAPE_SIZES = len(RADII)
_SEED = 2010


def _distance(row: int, column: int) -> int:
    return abs(row) + abs(column) + max(abs(row), abs(column))


# The points around the centre from near to far, as (row, column) steps, and how many of them each radius has.
_STEPS = sorted(
    ((row, column) for row in range(-5, 6) for column in range(-5, 6) if 0 < _distance(row, column) <= RADII[-1]),
    key=lambda step: (_distance(*step), step),
)
STEPS = np.array(_STEPS, np.int64)
ENDS = np.array([sum(_distance(*step) <= radius for step in _STEPS) for radius in RADII])


def _keys() -> np.ndarray[tuple[int, int, int], np.dtype[np.uint64]]:
    """Return for each step, each symmetry and each kind of point (own, enemy, off) the key."""
    own_keys = np.random.SeedSequence(_SEED).generate_state(3 * len(_STEPS), np.uint64).reshape(-1, 3)
    keys = np.zeros((len(_STEPS), 8, 3), np.uint64)
    for place, (row, column) in enumerate(_STEPS):
        images = [(row * v, column * h) for v in (1, -1) for h in (1, -1)]
        images += [(b, a) for a, b in images]
        for symmetry, image in enumerate(images):
            keys[place, symmetry] = own_keys[_STEPS.index(image)]
    return keys


KEYS = _keys()
SIZE_KEYS = np.random.SeedSequence(_SEED + 1).generate_state(SHAPE_SIZES, np.uint64)


@kernel
def add_ring(game, state, point, size, kept):
    """Add the points of one more radius to the hashes of all symmetries; return the hash of the shape so far.

    ``kept`` (8 words) is zero before the first radius; radii are added in order. From the view of the player to move.
    """
    stride = stride_of(state)
    row, column = point // stride - 1, point % stride - 1
    for place in range(ENDS[size - 1] if size else 0, ENDS[size]):
        near_row, near_column = row + STEPS[place, 0], column + STEPS[place, 1]
        on_board = 0 <= near_row < game.height and 0 <= near_column < game.size
        colour = np.int64(state.colour[index((near_row + 1) * stride + near_column + 1)]) if on_board else OFF
        if colour != EMPTY:
            kind = 2 if colour == OFF else 0 if colour == state.turn else 1
            for symmetry in range(8):
                kept[symmetry] ^= KEYS[index(place), index(symmetry), index(kind)]
    lowest = kept[0]
    for symmetry in range(1, 8):
        lowest = min(lowest, kept[symmetry])
    return lowest ^ SIZE_KEYS[size]


@kernel
def write_shapes(game, state, point, hashes):
    """Write the hash of the shape of each radius around a point, for the player to move."""
    kept = np.zeros(8, np.uint64)
    for size in range(SHAPE_SIZES):
        hashes[size] = add_ring(game, state, point, size, kept)


@kernel
def shape_number(game, state, point, known):
    """Return the place, counted from 1, of the largest shape around a point that is among the known ones; 0 if none is.

    ``known`` are hashes in rising order. Whoever knows a shape knows the smaller ones in it, so the first one missing
    ends it.
    """
    kept = np.zeros(8, np.uint64)
    number = 0
    for size in range(SHAPE_SIZES):
        key = add_ring(game, state, point, size, kept)
        place = np.searchsorted(known, key)
        if place == len(known) or known[place] != key:
            break
        number = np.int64(place) + 1
    return number
