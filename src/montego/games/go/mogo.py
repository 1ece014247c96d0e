"""The 3×3 patterns of MoGo: contact fights in which a move is nearly always worth trying.

Gelly, Wang, Munos and Teytaud, "Modification of UCT with patterns in Monte-Carlo Go" (2006), section 3.2: hane, cuts,
and moves on the edge. The list here is theirs as later programs refined it: the hane of one colour only is left out,
and the diagonal contact and the knight's-move cut are added. Every pattern holds for both players and with both
colours, so one bit for each of the 2**16 surroundings of a point says it all.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from montego.games.go.board import BLACK, EMPTY, OFF, WHITE, stride_of
from montego.games.go.patterns import STEPS, symmetries
from montego.kernels import index, inlined

_Array = np.ndarray[Any, Any]

# Three rows each, ``*`` the point to play. X and O are the two colours, ``.`` is empty, ``x`` is O or empty, ``o`` is X
# or empty, ``?`` is anything, ``#`` is off the board.
SHAPES = {
    "hane that encloses": "XOX .*. ???",
    "hane that does not cut": "XO. .*. ?.?",
    "hane that turns": "XO? X*. x.?",
    "diagonal contact": ".O. X*. ...",
    "cut that is not protected": "XO? O*o ?o?",
    "cut at a peep": "XO? O*X ???",
    "push through": "?X? O*O ooo",
    "cut of a knight's move": "OX? o*O ???",
    "chase on the edge": "X.? O*? ###",
    "block of a cut on the edge": "OX? X*O ###",
    "block of a connection on the edge": "?X? x*O ###",
    "descent": "?XO x*x ###",
    "cut on the edge": "?OX X*O ###",
}
_ALLOWED = {
    "X": (BLACK,),
    "O": (WHITE,),
    ".": (EMPTY,),
    "x": (WHITE, EMPTY),
    "o": (BLACK, EMPTY),
    "?": (EMPTY, BLACK, WHITE, OFF),
    "#": (OFF,),
}
_OTHER_COLOUR = np.array([EMPTY, WHITE, BLACK, OFF])


@lru_cache(maxsize=1)
def mogo_patterns() -> _Array:
    """Return the set of the surroundings that match: 1,024 words, bit ``code % 64`` of word ``code // 64``."""
    codes = np.arange(1 << 16)
    colours = (codes[:, None] >> (2 * np.arange(8))) & 3  # in the order of patterns.py
    matches = np.zeros(len(codes), bool)
    for picture in SHAPES.values():
        rows = picture.split()
        letters = [rows[1 + row][1 + column] for row, column in STEPS]
        for symmetry in symmetries():
            matches |= np.all(
                [np.isin(colours[:, place], _ALLOWED[letters[source]]) for place, source in enumerate(symmetry)], axis=0
            )
    other = (_OTHER_COLOUR[colours] << (2 * np.arange(8))).sum(axis=1)
    matches |= matches[other]
    words = np.packbits(matches, bitorder="little").view(np.uint64)
    words.setflags(write=False)
    return words


@inlined
def shape_code(state, point):
    """Return the colours around an empty point as 16 bits: the pattern code of ``patterns.py`` without the ataris."""
    stride = stride_of(state)
    code = 0
    steps = (-stride, -1, 1, stride, -stride - 1, -stride + 1, stride - 1, stride + 1)
    for place, step in enumerate(steps):
        code |= np.int64(state.colour[index(point + step)]) << (2 * place)
    return code


@inlined
def matches_bit(state, point, patterns):
    """Return 1 if an empty point and its surroundings are one of the patterns, else 0."""
    code = index(shape_code(state, point))
    return np.int64((patterns[code >> np.uint64(6)] >> (code & np.uint64(63))) & np.uint64(1))
