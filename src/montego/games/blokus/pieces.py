"""The 21 pieces of Blokus, their 91 orientations and their 13,729 placements on the 14×14 board.

Rows count from the top of the board, columns from the left, both from 0. An *orientation* is a piece turned and
flipped, as offsets (row, column) inside its bounding box. A *placement* is an orientation and the square of the board
under the top left corner of that box; placements are numbered by piece, orientation, row and column, so that the
placements of a piece and those of an orientation are ranges of numbers.
"""

from typing import Any

import numpy as np

SIZE = 14

# The names are Pentobi's; the digit is the number of squares where a letter has several sizes.
_PICTURES = {
    "1": "#",
    "2": "##",
    "I3": "###",
    "V3": "#. ##",
    "I4": "####",
    "L4": "#.. ###",
    "T4": ".#. ###",
    "Z4": "##. .##",
    "O": "## ##",
    "F": ".## ##. .#.",
    "I5": "#####",
    "L5": "#... ####",
    "N": "##.. .###",
    "P": "### ##.",
    "T5": "### .#. .#.",
    "U": "#.# ###",
    "V5": "#.. #.. ###",
    "W": "#.. ##. .##",
    "X": ".#. ### .#.",
    "Y": ".#.. ####",
    "Z5": "##. .#. .##",
}

PIECE_NAMES = tuple(_PICTURES)
PIECES = len(PIECE_NAMES)
ALL_PIECES = (1 << PIECES) - 1

Cells = tuple[tuple[int, int], ...]


def _normal(cells: list[tuple[int, int]]) -> Cells:
    """Move squares to the top left corner and sort them by row and column."""
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


def turned(piece: str, quarters: int, flip: bool) -> Cells:
    """Return the cells of a piece, first mirrored from left to right if ``flip``, then turned clockwise."""
    lines = _PICTURES[piece].split()
    cells = [(row, column) for row, line in enumerate(lines) for column, sign in enumerate(line) if sign == "#"]
    if flip:
        cells = [(row, -column) for row, column in cells]
    for _ in range(quarters % 4):
        cells = [(column, -row) for row, column in cells]
    return _normal(cells)


def _orientations(piece: str) -> list[Cells]:
    """Return the different ways to turn and flip a piece."""
    return sorted({turned(piece, quarters, flip) for quarters in range(4) for flip in (False, True)})


# What follows has one entry per orientation.
SHAPES: list[Cells] = []
_piece_of = []
for _piece, _name in enumerate(PIECE_NAMES):
    for _shape in _orientations(_name):
        SHAPES.append(_shape)
        _piece_of.append(_piece)

ORIENTATIONS = len(SHAPES)
PIECE_OF = np.array(_piece_of, np.int64)
SQUARES_OF = np.array([len(shape) for shape in SHAPES], np.int64)
ROWS_OF = np.array([SIZE - max(row for row, _ in shape) for shape in SHAPES], np.int64)  # places from top to bottom
COLUMNS_OF = np.array([SIZE - max(column for _, column in shape) for shape in SHAPES], np.int64)  # from left to right
FIRST_PLACEMENT = np.concatenate([[0], np.cumsum(ROWS_OF * COLUMNS_OF)])  # … and the number of placements at the end
PLACEMENTS = int(FIRST_PLACEMENT[-1])
PASS = PLACEMENTS

# The first orientation of every piece, and the number of orientations at the end.
FIRST_ORIENTATION = np.searchsorted(PIECE_OF, np.arange(PIECES + 1))

# The orientation of every placement.
ORIENTATION_OF = np.repeat(np.arange(ORIENTATIONS, dtype=np.uint8), np.diff(FIRST_PLACEMENT))


def squares_of(move: int) -> list[tuple[int, int]]:
    """Return the (row, column) of the squares that a placement covers, from the top and from the left."""
    orientation = int(ORIENTATION_OF[move])
    row, column = divmod(move - int(FIRST_PLACEMENT[orientation]), int(COLUMNS_OF[orientation]))
    return [(row + down, column + right) for down, right in SHAPES[orientation]]


# ------------------------------------------------------------------------------------ the same as bits, for the kernels

# A set of squares is a number of 256 bits in four words: bit 16·row + column, where the board fills rows and columns 1
# to 14 and the rest is a margin. An orientation lies at the bit of the top left corner of its box, and its squares are
# that bit shifted by 16·down + right. A shape of at most five squares needs 15 different shifts, and only the upright
# bar of five reaches the last of them, 64.
MARGIN = 1
STRIDE = 16
SHIFTS = np.array([STRIDE * down + right for down in range(5) for right in range(5 - down)], np.int64)


def bit_of(row: int, column: int) -> int:
    """Return the bit of a square of the board, counted from 0 at the top left."""
    return STRIDE * (row + MARGIN) + column + MARGIN


def words_of(bits: Any, words: int) -> list[int]:
    """Return a set of bit numbers as 64-bit words."""
    number = sum(1 << bit for bit in set(bits))
    return [number >> 64 * word & (1 << 64) - 1 for word in range(words)]


def _shift_numbers(shape: Cells) -> list[int]:
    """Return which of ``SHIFTS`` the squares of a shape are, five of them: the last repeats for a smaller shape."""
    numbers = [int(np.searchsorted(SHIFTS, STRIDE * down + right)) for down, right in shape]
    return (numbers + numbers[-1:] * 5)[:5]


def _around(shape: Cells, corners: bool) -> set[int]:
    """Return a shape with its edge neighbours, or only its corner neighbours, from one row up and one column left."""
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0), (0, 0))
    beside = {(row + down, column + right) for row, column in shape for down, right in steps}
    diagonal = {(row + down, column + right) for row, column in shape for down in (-1, 1) for right in (-1, 1)}
    return {STRIDE * (row + 1) + column + 1 for row, column in (diagonal - beside if corners else beside)}


# The bit of the top left corner of the box of every placement.
CORNER_OF = np.concatenate(
    [
        [bit_of(row, column) for row in range(rows) for column in range(columns)]
        for rows, columns in zip(ROWS_OF.tolist(), COLUMNS_OF.tolist(), strict=True)
    ]
).astype(np.uint8)

SHIFT_NUMBERS = np.array([_shift_numbers(shape) for shape in SHAPES], np.uint8)
SHAPE_BITS = np.array([words_of((STRIDE * d + r for d, r in shape), 2) for shape in SHAPES], np.uint64)
BESIDE_BITS = np.array([words_of(_around(shape, corners=False), 2) for shape in SHAPES], np.uint64)
CORNER_BITS = np.array([words_of(_around(shape, corners=True), 2) for shape in SHAPES], np.uint64)

# A *cover* is a square of an orientation, 414 in all: "this orientation lies with this square on that point".
COVER_ORIENTATION = np.repeat(np.arange(ORIENTATIONS, dtype=np.uint8), SQUARES_OF)
COVER_SHIFT = np.array([STRIDE * down + right for shape in SHAPES for down, right in shape], np.uint8)
# The first word of the squares of the orientation that come before this one.
COVER_EARLIER = np.array(
    [words_of((STRIDE * d + r for d, r in shape if (d, r) < square), 2)[0] for shape in SHAPES for square in shape],
    np.uint64,
)

# The eight squares around a point, in the order of the bits of a neighbourhood.
AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


def _cover_lists() -> tuple[Any, Any]:
    """Return for each of the 256 sets of free squares around a point the covers that need no other square there.

    Two arrays: the lists one after the other (15,000 numbers of covers), and where each begins, with the total at the
    end.
    """
    needs = np.array(
        [
            sum(1 << k for k, (down, right) in enumerate(AROUND) if (square[0] + down, square[1] + right) in shape)
            for shape in SHAPES
            for square in shape
        ]
    )
    fits = needs & ~np.arange(256)[:, np.newaxis] == 0
    starts = np.concatenate([[0], np.cumsum(fits.sum(axis=1))])
    return np.nonzero(fits)[1].astype(np.uint16), starts.astype(np.int64)


COVER_LISTS, COVER_LIST_STARTS = _cover_lists()
