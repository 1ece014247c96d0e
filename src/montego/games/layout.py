"""Where the points of a board are, for people: one description that the text and the SVG drawing share."""

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


@dataclass(frozen=True)
class Layout:
    """The points of a board in a fixed order, with the places where they are drawn.

    ``names`` are what people call the points; ``xy`` their centres in units of one cell, y growing downwards;
    ``cells`` their (column, row) in a text drawing, in characters. ``lines`` joins points by index; ``marks`` are
    texts at fixed places of the picture and ``text_marks`` of the text drawing (coordinates along the edges).
    ``borders`` are coloured polylines in picture coordinates with the player (0, 1) whose edge it is, or -1.
    """

    shape: Shape
    names: Sequence[str]
    xy: Sequence[tuple[float, float]]
    cells: Sequence[tuple[int, int]]
    lines: Sequence[tuple[int, int]] = ()
    marks: Sequence[tuple[float, float, str]] = ()
    text_marks: Sequence[tuple[int, int, str]] = ()
    borders: Sequence[tuple[int, Sequence[tuple[float, float]]]] = ()
    dots: Sequence[int] = field(default=())  # indices of points with a small dot (Go's star points)

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
