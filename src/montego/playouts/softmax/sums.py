"""Drawing from weights whose sums are kept: what the keepers of single games share.

A keeper's board is a record with ``weight`` (point × player), ``row`` (row × player: the sums over so many points in
the order of their numbers), ``total`` (per player), and a list of points that are weighed apart: ``count``, ``points``
and, by point, ``sets``, the number of what they are multiplied by.

**Exact sums.** Weights are multiples of 2⁻³⁰ below 2¹², and a board has fewer than 2¹⁰ points. So a sum needs
at most 52 bits, fewer than a float64 has: adding and taking away never rounds, and a sum is 0 exactly when nothing can
be played.
"""

import numpy as np

from montego.games.features import Array
from montego.kernels import borrowing, index, inlined

UNIT = 2.0**-30
MOST_WEIGHT = 2.0**12
NOTHING = -1  # no point could be drawn
TRIES = 8  # draws from the whole board before the rest of it is weighed point by point


def exact(weights: Array) -> Array:
    """Return weights as multiples of UNIT that a float32 can hold; only a weight of 0 becomes 0.

    If there are greater ones than may be, all are made smaller in proportion.
    """
    scale = min(1.0, (MOST_WEIGHT - 1.0) / max(float(np.max(weights)), 1.0))
    units = np.round(weights * scale / UNIT)
    return np.asarray(np.where(weights > 0, np.maximum(units, 1.0), 0.0) * UNIT).astype(np.float32)


@inlined
def point_at(board, player, mark, row_length):
    """Return the point at which the sum of the weights, in the order of their numbers, passes a mark below the total.

    A mark that was rounded up to the total leads to the last point, whatever it weighs.
    """
    row, last_row = 0, board.row.shape[0] - 1
    while row < last_row and mark >= board.row[index(row), player]:
        mark -= board.row[index(row), player]
        row += 1
    point, last = row * row_length, board.weight.shape[0] - 1
    while point < last and mark >= board.weight[index(point), player]:
        mark -= board.weight[index(point), player]
        point += 1
    return point


@borrowing
def listed_point(board, set_weights, player, mark):
    """Return the point of the list at which the sum of their weights passes a mark, or NOTHING from an empty list."""
    chosen = NOTHING
    for place in range(board.count):
        point = index(board.points[index(place)])
        weight = board.weight[point, player] * set_weights[board.sets[point]]
        if weight > 0.0 and mark >= 0.0:
            chosen = np.int64(point)
            mark -= weight
    return chosen
