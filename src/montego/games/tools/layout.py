"""Where the points of a board are, for people: one description that the text and the SVG drawing share.

``square_board`` and ``hex_board`` make the usual ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

_SAME_PLACE = 0.01  # of a cell


class Shape(Enum):
    """How a point is drawn."""

    SQUARE = "square"  # a square cell, as in tic-tac-toe and Blokus
    HEXAGON = "hexagon"  # a pointy-top hexagonal cell, as in Hex
    POINT = "point"  # a crossing of lines, as in Go and on the bent Y board


class Stone(Enum):
    """How the stones lie on their points."""

    ROUND = "round"  # a disc on each point
    TILE = "tile"  # a coloured cell; the cells of one move are outlined as one piece, as in Blokus


@dataclass(frozen=True)
class Layout:
    """The points of a board in a fixed order, with the places where they are drawn.

    ``names`` are what people call the points; ``xy`` their centres in units of one cell, y growing downwards;
    ``cells`` their (column, row) in a text drawing, in characters. ``lines`` joins points by index; ``marks`` are
    texts at fixed places of the picture and ``text_marks`` of the text drawing (coordinates along the edges).
    ``borders`` are coloured polylines in picture coordinates with the player (0, 1) whose edge it is, or -1;
    ``text_sides`` are the same in characters: (column, row, text, player), drawn where there are colours.
    ``dots`` are the indices of points with a small dot: star points and start points. ``stones`` says how stones are
    drawn. With ``labelled`` every empty point bears its name, for boards whose edges cannot tell it.
    """

    shape: Shape
    names: Sequence[str]
    xy: Sequence[tuple[float, float]]
    cells: Sequence[tuple[int, int]]
    lines: Sequence[tuple[int, int]] = ()
    marks: Sequence[tuple[float, float, str]] = ()
    text_marks: Sequence[tuple[int, int, str]] = ()
    borders: Sequence[tuple[int, Sequence[tuple[float, float]]]] = ()
    dots: Sequence[int] = field(default=())
    stones: Stone = Stone.ROUND
    labelled: bool = False
    text_sides: Sequence[tuple[int, int, str, int]] = ()

    def symmetries(self) -> list[list[int]]:
        """Return the turns and reflections that map the board onto itself, as permutations of the points.

        The identity comes first. Whether one is a symmetry of the game is for the game to say: in Hex a reflection
        exchanges the players' sides.
        """
        places = np.array([complex(x, y) for x, y in self.xy])
        places -= places.mean()
        joined = {frozenset(line) for line in self.lines}
        found: list[list[int]] = []
        for image in (places, places.conjugate()):
            for turn in range(12):  # twelfths cover squares, rectangles, triangles and hexagons
                turned = image * np.exp(1j * np.pi * turn / 6)
                distance = np.abs(turned[:, None] - places[None, :])
                images = [int(point) for point in distance.argmin(axis=1)]
                lines = {frozenset((images[a], images[b])) for a, b in self.lines}
                if distance.min(axis=1).max() < _SAME_PLACE and lines == joined and images not in found:
                    found.append(images)
        return found


LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ROW = math.sqrt(3) / 2  # between two rows of hexagons, in units of their width


def square_board(
    width: int,
    height: int,
    shape: Shape = Shape.SQUARE,
    letters: str = LETTERS,
    *,
    numbers: bool = True,
    dots: Sequence[int] = (),
    stones: Stone = Stone.ROUND,
) -> Layout:
    """Return a board of ``width`` columns and ``height`` rows, its points row by row from the top left.

    Points are called by the letter of their column and the number of their row from the bottom: a1 is at the bottom
    left. With ``Shape.POINT`` lines join neighbours. Without ``numbers`` only the letters stand at the edge of the
    drawings.
    """
    places = [(column, row) for row in range(height) for column in range(width)]
    crossings = shape is Shape.POINT
    lines = [(c + r * width, c + 1 + r * width) for c, r in places if c + 1 < width]
    lines += [(c + r * width, c + (r + 1) * width) for c, r in places if r + 1 < height]
    digits = max(2, len(str(height))) if crossings else len(str(height))
    left = digits + (2 if crossings else 1) if numbers else 1
    away = 1.0 if crossings else 0.8  # from the outermost points to the letters and numbers, in the picture
    rows = [(row, str(height - row)) for row in range(height)] if numbers else []
    columns = list(enumerate(letters[:width]))
    return Layout(
        shape,
        names=[f"{letters[column]}{height - row}" for column, row in places],
        xy=places,
        cells=[(left + 2 * column, row) for column, row in places],
        lines=lines if crossings else (),
        marks=[(-away, row, number) for row, number in rows]
        + [(column, height - 1 + away, letter) for column, letter in columns],
        text_marks=[(0, row, number.rjust(digits)) for row, number in rows]
        + [(left + 2 * column, height, letter) for column, letter in columns],
        dots=dots,
        stones=stones,
    )


def hex_board(
    widths: Sequence[int],
    lean: int,
    *,
    borders: Sequence[tuple[int, Sequence[tuple[float, float]]]] = (),
    sides: tuple[int, int] | None = None,
) -> Layout:
    """Return a board of hexagons in rows of the given widths, its points row by row from the top left.

    Each row begins half a cell to the right of the one above (``lean`` = 1: the rhombus of Hex, ``[n] * n``) or to its
    left (``lean`` = -1: the triangle of Y, ``range(1, n + 1)``). Points are called by the letter of their column,
    counted within the row, and the number of their row from the top: a1 is at the top left. The letters of the columns
    stand above the first row of a rhombus and below the last row of a triangle. ``sides`` are the players to whom the
    upper and lower and the left and right sides of a rhombus belong.
    """
    rows, last = range(len(widths)), len(widths) - 1
    points = [(row, column) for row in rows for column in range(widths[row])]
    digits = len(str(len(widths)))
    above = lean > 0
    left = digits + 2 if above else digits + 1 + last
    letters = list(enumerate(LETTERS[: widths[0] if above else widths[last]]))
    if above:
        marks = [(column - 0.55, -0.95, letter) for column, letter in letters]
        marks += [(row / 2 - 1.05, row * _ROW, str(row + 1)) for row in rows]
    else:
        marks = [(-row / 2 - 0.95, row * _ROW - 0.15, str(row + 1)) for row in rows]
        marks += [(column - last / 2, last * _ROW + 1.0, letter) for column, letter in letters]
    return Layout(
        Shape.HEXAGON,
        names=[f"{LETTERS[column]}{row + 1}" for row, column in points],
        xy=[(column + lean * row / 2, row * _ROW) for row, column in points],
        cells=[(left + lean * row + 2 * column, row + above) for row, column in points],
        marks=marks,
        text_marks=[(digits + 1 + 2 * column, 0 if above else last + 1, letter) for column, letter in letters]
        + [(row if above else last - row, row + above, str(row + 1).rjust(digits)) for row in rows],
        borders=borders,
        text_sides=_rhombus_sides(widths[0], len(widths), sides) if sides else (),
    )


def _rhombus_sides(width: int, height: int, sides: tuple[int, int]) -> list[tuple[int, int, str, int]]:
    """Return coordinates on all four sides of a rhombus, each with the player whose side it is."""
    digits = len(str(height))
    across, along = sides
    letters = [(digits + 1 + 2 * column, letter) for column, letter in enumerate(LETTERS[:width])]
    found = [(column, 0, letter, across) for column, letter in letters]
    found += [(column + height + 1, height + 1, letter, across) for column, letter in letters]
    for row in range(height):
        found.append((row, row + 1, str(row + 1).rjust(digits), along))
        found.append((row + digits + 2 * width + 2, row + 1, str(row + 1), along))
    return found
