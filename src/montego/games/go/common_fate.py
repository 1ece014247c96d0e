"""Distances on the common-fate graph: the stones of a chain are one vertex, as they live and die together.

Graepel, Goutrié, Krüger and Herbrich, "Learning on graphs in the game of Go" (2001). Programs use the distance to the
last move to tell what belongs to the fight in hand: a liberty of a long chain is near, however far away it lies.
"""

import numpy as np

from montego.games.go.board import OFF, stride_of
from montego.kernels import borrowing, index

FAR = 255  # what is farther away than was asked


@borrowing
def common_fate_distances(state, start, limit, distances, queue):
    """Write for every point the steps from ``start`` to it, a step within a chain being free; FAR beyond ``limit``.

    ``distances`` is indexed by point; ``queue`` has room for every point.
    """
    stride = stride_of(state)
    for point in range(len(distances)):
        distances[index(point)] = FAR
    count = reach(state, start, 0, distances, queue, 0)
    done = 0
    while done < count:
        point = queue[index(done)]
        done += 1
        steps = np.int64(distances[index(point)])
        if steps == limit:
            break
        for near in (point - stride, point - 1, point + 1, point + stride):
            if state.colour[index(near)] != OFF and distances[index(near)] == FAR:
                count = reach(state, near, steps + 1, distances, queue, count)


@borrowing
def reach(state, point, steps, distances, queue, count):
    """Write the distance of a point and of the whole chain on it; return the length of the queue."""
    stone = point
    while True:
        distances[index(stone)] = steps
        queue[index(count)] = stone
        count += 1
        if state.chain[index(point)] == 0:
            return count
        stone = np.int64(state.next[index(stone)])
        if stone == point:
            return count
