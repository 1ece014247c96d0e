"""Where the points of a board are, for people: one description that the text and the SVG drawing share."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum


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
