"""The bent Y board: 93 points in six rings around a middle, with three points that have five neighbours.

It is the straight triangle of size 17 with its corners folded together. Write a cell of the triangle as distances
(a, b, c) from the three sides, a + b + c = 16. The rhombus between a corner, say (16, 0, 0), and the point (8, 4, 4)
becomes a line of five points: its cells with a = 8, 9, 10, 11 and with a ≥ 12 are one point each. That cuts a wedge
of 60° out of the board at (8, 4, 4), which is left with five neighbours.

The cells of one point hang together, two points are neighbours exactly when cells of theirs are, and a point lies on a
side exactly when a cell of it does. So a chain of the bent board is a chain of the triangle after every stone has been
copied to all cells of its point, and the winner is the same (Raiko, "Higher order statistics in play-out analysis",
2006, Figure 2).
"""

import math
from itertools import groupby
from typing import Any

import numpy as np

STRAIGHT_SIZE = 17  # the triangle that the bent board is folded from
RINGS = 6
_SUM = STRAIGHT_SIZE - 1
_FOLD = 4  # cells so near to two sides lie in a folded corner

Cell = tuple[int, int, int]  # distances from the bottom, the right and the left side


def _fold(cell: Cell) -> Cell:
    """Return the cell that stands for all cells of a point; it is as far from the nearest side as the point's ring."""
    for corner in range(3):
        if all(cell[other] <= _FOLD for other in range(3) if other != corner):
            out = min(cell[corner], _SUM - _FOLD)
            folded = [0, 0, 0]
            folded[corner] = out
            folded[(corner + 1) % 3] = _FOLD
            folded[(corner + 2) % 3] = _SUM - _FOLD - out
            return folded[0], folded[1], folded[2]
    return cell


def _rings() -> list[list[Cell]]:
    """Return the points of each ring, outermost first, clockwise from the top corner."""
    rings = []
    for ring in range(RINGS):
        around: list[Cell] = []
        for start, end, side in ((0, 2, 1), (2, 1, 0), (1, 0, 2)):  # along the right, the bottom, the left side
            for along in range(ring, _SUM - 2 * ring + 1):
                cell = [0, 0, 0]
                cell[side], cell[end], cell[start] = ring, along, _SUM - ring - along
                around.append(_fold((cell[0], cell[1], cell[2])))
        # A line of the triangle runs through the folded corners over points of other rings too.
        distinct = [point for point, _ in groupby(point for point in around if min(point) == ring)]
        rings.append(distinct[:-1])  # the last is the first again
    return rings


RING_POINTS = _rings()
_POINTS = [point for ring in RING_POINTS for point in ring]
_NUMBER = {point: number for number, point in enumerate(_POINTS)}
POINT_COUNT = len(_POINTS)

# For every cell of the triangle, row by row from the top, the point that it belongs to.
POINT_OF_CELL = np.array(
    [_NUMBER[_fold((_SUM - row, row - column, column))] for row in range(STRAIGHT_SIZE) for column in range(row + 1)],
    np.int64,
)


def _neighbours() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the neighbours of every point, filled up to six with -1."""
    found: list[set[int]] = [set() for _ in _POINTS]
    places = [(row, column) for row in range(STRAIGHT_SIZE) for column in range(row + 1)]
    cells = dict(zip(places, POINT_OF_CELL.tolist(), strict=True))
    for (row, column), point in cells.items():
        for step in ((0, 1), (1, 0), (1, 1)):
            other = cells.get((row + step[0], column + step[1]), point)
            if other != point:
                found[point].add(other)
                found[other].add(point)
    return np.array([sorted(near) + [-1] * (6 - len(near)) for near in found], np.int64)


def _sides() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return for every point the sides it lies on: 1 left, 2 right, 4 bottom."""
    sides = np.zeros(POINT_COUNT, np.int64)
    for row in range(STRAIGHT_SIZE):
        for column in range(row + 1):
            touched = (1 if column == 0 else 0) | (2 if column == row else 0) | (4 if row == _SUM else 0)
            sides[POINT_OF_CELL[row * (row + 1) // 2 + column]] |= touched
    return sides


NEIGHBOURS = _neighbours()
SIDES = _sides()


def names() -> list[str]:
    """Name the points by a letter for the ring, from the outside, and a number clockwise from the top corner."""
    return [f"{'abcdef'[ring]}{k + 1}" for ring, points in enumerate(RING_POINTS) for k in range(len(points))]


def positions() -> list[tuple[float, float]]:
    """Return where the points are drawn: rings whose sides bulge the more the farther out they are."""
    corners = [(math.sin(angle), -math.cos(angle)) for angle in (0, 2 * math.pi / 3, 4 * math.pi / 3)]
    placed = []
    for ring, points in enumerate(RING_POINTS):
        out = 4 - ring  # rings outside of the inner triangle
        side = len(points) // 3
        radius = 2.62 + 1.05 * out if out >= 0 else 0.66
        bulge = 0.18 + 0.4 * out if out >= 0 else 0.0
        for k in range(len(points)):
            (x0, y0), (x1, y1) = corners[k // side], corners[(k // side + 1) % 3]
            share = k % side / side
            lift = bulge * 4 * share * (1 - share)  # the middle of a side lies opposite to the third corner
            x2, y2 = corners[(k // side + 2) % 3]
            x = radius * ((1 - share) * x0 + share * x1) - lift * x2
            y = radius * ((1 - share) * y0 + share * y1) - lift * y2
            placed.append((round(x, 3), round(y, 3)))
    return placed
