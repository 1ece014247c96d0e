"""Moves of Blokus in words: ``T5 e10 90 flip``, beside the list of squares.

The square is the leftmost one in the top row of the piece as it lies. ``flip`` mirrors the piece from left to right,
then it is turned clockwise by 90, 180 or 270 degrees.
"""

import re
from functools import lru_cache

from montego.games.blokus.pieces import (
    ORIENTATION_OF,
    PIECE_NAMES,
    PIECE_OF,
    SHAPES,
    Cells,
    squares_of,
    turned,
)

_PIECES = {name.lower(): name for name in PIECE_NAMES}


@lru_cache(maxsize=1)
def _turns() -> dict[tuple[str, Cells], str]:
    """Return for every piece and shape the simplest words that turn the one into the other."""
    found: dict[tuple[str, Cells], str] = {}
    for name in PIECE_NAMES:
        for flip in (False, True):
            for quarters in range(4):
                words = [str(90 * quarters)] if quarters else []
                words += ["flip"] if flip else []
                found.setdefault((name, turned(name, quarters, flip)), " ".join(words))
    return found


def piece_of(move: int) -> str:
    """Return the name of the piece of a placement."""
    return PIECE_NAMES[int(PIECE_OF[int(ORIENTATION_OF[move])])]


def describe(move: int) -> tuple[str, tuple[int, int], str]:
    """Return the piece of a placement, its first square (row, column) from the top left, and how it is turned."""
    name, shape = piece_of(move), SHAPES[int(ORIENTATION_OF[move])]
    return name, min(squares_of(move)), _turns()[name, shape]


def read(words: list[str]) -> tuple[str, str, Cells] | None:
    """Return piece, name of the square and shape out of words such as ``T5 e10 90 flip``; None if they are not such."""
    piece = _PIECES.get(words[0].lower()) if len(words) > 1 else None
    if piece is None or not re.fullmatch(r"[a-z]\d{1,2}", words[1].lower()):
        return None
    quarters, flip = 0, False
    for word in words[2:]:
        angle = re.fullmatch(r"r?(0|90|180|270)°?", word.lower())
        if angle:
            quarters = int(angle[1]) // 90
        elif word.lower() in ("flip", "f"):
            flip = True
        else:
            return None
    return piece, words[1].lower(), turned(piece, quarters, flip)


def placed(shape: Cells, row: int, column: int) -> list[tuple[int, int]]:
    """Return the squares of a shape whose first square lies at (row, column)."""
    return [(row + down, column + right - shape[0][1]) for down, right in shape]
