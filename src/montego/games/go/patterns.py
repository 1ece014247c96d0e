"""The 3×3 patterns with atari of Go: what surrounds a point, as a code of 20 bits and as one of 2,051 numbers.

The patterns are those of Huang, Coulom and Lin, "Monte-Carlo simulation balancing in practice" (2010), section 3.2: the
eight points around an empty point, each own, enemy, empty or off the board, and for each of the four points directly
beside it whether the stone on it is in atari. Patterns that a rotation or reflection turns into each other are one.
A pattern counts only if it can arise and if the point may be played as far as the pattern shows.

**Code.** Two bits for each neighbour (empty 00, Black 01, White 10, off 11: the colours of ``board``) in the order N,
W, E, S, NW, NE, SW, SE from the lowest bit up, then four atari bits for N, W, E, S. The opposite of direction ``d`` is
``3 - d`` for the first four and ``11 - d`` for the others. ``swapped`` exchanges the colours: White's view as if it
were Black's.

**Number.** ``pattern_numbers()[code]`` is the number of the pattern for Black to move, from 1 to 2,051; 0 means that
the code cannot arise or that Black may not play there. White's is ``pattern_numbers()[swapped(code)]``.

**Keeping codes up to date in a playout.** Only empty points need a code. When a stone of colour c comes to or goes from
a point p, the code of its neighbour in direction d changes by ``code ^= c << 2 * opposite(d)``, whatever else stands
there. An atari bit belongs to a chain with one liberty, and only that liberty can show it: when the liberties of a
chain fall to one, the code of that liberty gets the bits of its neighbours in the chain; when they rise from one, the
code of the former liberty loses them. A point that becomes empty gets its code from ``pattern_code``. So a move costs
eight exclusive-ors and a look at each chain that enters or leaves atari.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from montego.errors import MontegoError
from montego.games.go.board import BLACK, EMPTY, OFF, WHITE, stride_of
from montego.kernels import index, inlined

PATTERNS = 2051
NOT_PLAYABLE = 0
CODES = 1 << 20

_Array = np.ndarray[Any, Any]

# The neighbours in the order of the code, as (row, column) steps, and the same eight places round the centre.
STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))
_RING = (4, 0, 5, 2, 7, 3, 6, 1)  # NW, N, NE, E, SE, S, SW, W

_EVEN_BITS = 0x5555


# -------------------------------------------------------------------------------------------------------------- kernels


@inlined
def pattern_code(state, point):
    """Return the code of what surrounds an empty point, in the colours of the board, worked out from scratch."""
    stride = stride_of(state)
    code = 0
    place = 0
    for near in (point - stride, point - 1, point + 1, point + stride):
        code |= np.int64(state.colour[index(near)]) << (2 * place)
        code |= np.int64(state.liberties[state.chain[index(near)]] == 1) << (16 + place)
        place += 1
    for near in (point - stride - 1, point - stride + 1, point + stride - 1, point + stride + 1):
        code |= np.int64(state.colour[index(near)]) << (2 * place)
        place += 1
    return code


@inlined
def swapped(code):
    """Return a code with the colours exchanged; empty and off stay as they are."""
    return (code & 0xF0000) | ((code & _EVEN_BITS) << 1) | ((code >> 1) & _EVEN_BITS)


@inlined
def pattern_number(state, point, numbers):
    """Return the number of the pattern around an empty point for the player to move; ``numbers`` is the table."""
    code = pattern_code(state, point)
    return np.int64(numbers[index(code if state.turn == BLACK else swapped(code))])


# --------------------------------------------------------------------------------------------------------------- tables


@lru_cache(maxsize=1)
def _tables() -> tuple[_Array, _Array]:
    """Return the number of each code, and the code that stands for each number (0 for number 0)."""
    codes = _playable_codes()
    lowest = np.min([_image(codes, symmetry) for symmetry in symmetries()], axis=0)
    representatives, number = np.unique(lowest, return_inverse=True)
    numbers = np.zeros(CODES, np.uint16)
    numbers[codes] = number + 1
    numbers.setflags(write=False)
    return numbers, np.concatenate(([0], representatives))


def pattern_numbers() -> _Array:
    """Return the table from code to pattern number for Black to move: 2**20 entries, uint16, made once per process."""
    return _tables()[0]


def representative(number: int) -> int:
    """Return the lowest code of a pattern, for drawing."""
    if not 1 <= number <= PATTERNS:
        raise MontegoError(f"no 3×3 pattern {number}; numbers go from 1 to {PATTERNS}")
    return int(_tables()[1][number])


def describe(number: int) -> str:
    """Return a pattern as a picture of three rows.

    ``*`` is the point to play, ``X`` an own stone, ``O`` an enemy stone, both in small letters if in atari, ``#`` off
    the board.
    """
    code = representative(number)
    rows = [[" ", " ", " "], [" ", "*", " "], [" ", " ", " "]]
    for place, (row, column) in enumerate(STEPS):
        symbol = ".XO#"[code >> 2 * place & 3]
        in_atari = place < 4 and code >> (16 + place) & 1
        rows[1 + row][1 + column] = symbol.lower() if in_atari else symbol
    return "\n".join(" ".join(row) for row in rows)


def _playable_codes() -> _Array:
    """Return every code that can arise around a point that Black may play, as far as the code shows."""
    grids = np.concatenate([_surroundings(off) for off in _edges()])
    codes = (grids << (2 * np.arange(8))).sum(axis=1)
    all_codes = (codes[:, None] | (np.arange(16) << 16)[None, :]).ravel()
    return np.asarray(all_codes[_can_arise(all_codes) & _may_play(all_codes)])


def _edges() -> list[set[int]]:
    """Return which neighbours can be off a board of at least two rows and columns: none, a side, or a corner."""
    sides = [{place for place, step in enumerate(STEPS) if step[axis] == end} for axis in (0, 1) for end in (-1, 1)]
    corners = [sides[vertical] | sides[2 + horizontal] for vertical in (0, 1) for horizontal in (0, 1)]
    return [set(), *sides, *corners]


def _surroundings(off: set[int]) -> _Array:
    """Return every colouring of the eight neighbours with the given ones off the board, one per row."""
    choices = [(OFF,) if place in off else (EMPTY, BLACK, WHITE) for place in range(8)]
    return np.stack([axis.ravel() for axis in np.meshgrid(*choices, indexing="ij")], axis=1).astype(np.int64)


def _colours(codes: _Array) -> _Array:
    """Return the colours of the eight neighbours, one code per row."""
    return np.asarray((codes[:, None] >> (2 * np.arange(8))) & 3)


def _atari_bits(codes: _Array) -> _Array:
    return np.asarray((codes[:, None] >> (16 + np.arange(4))) & 1).astype(bool)


def _can_arise(codes: _Array) -> _Array:
    """Return for each code whether its atari bits fit its stones.

    Only a stone can be in atari. Stones of one colour next to each other on the ring are one chain and share the bit;
    it is 0 if an empty point of the ring beside them is a second liberty.
    """
    colour, atari = _colours(codes), _atari_bits(codes)
    is_stone = (colour == BLACK) | (colour == WHITE)
    fits = (~atari | is_stone[:, :4]).all(axis=1)
    chain = np.tile(np.arange(8), (len(codes), 1))  # for each place of the ring the lowest place of its chain
    ring = np.array(_RING)
    around = colour[:, ring]
    for _ in range(8):
        for step in (1, -1):
            beside = np.roll(around, -step, axis=1) == around
            chain = np.where(beside, np.minimum(chain, np.roll(chain, -step, axis=1)), chain)
    has_liberty = (np.roll(around, 1, axis=1) == EMPTY) | (np.roll(around, -1, axis=1) == EMPTY)
    position = np.argsort(ring)  # where each neighbour stands on the ring
    for place in range(4):
        same = chain == chain[:, [position[place]]]
        breathes = (same & has_liberty).any(axis=1)
        fits &= ~(atari[:, place] & breathes)
        for other in range(place):
            joined = is_stone[:, place] & (chain[:, position[other]] == chain[:, position[place]])
            fits &= ~joined | (atari[:, place] == atari[:, other])
    return np.asarray(fits)


def _may_play(codes: _Array) -> _Array:
    """Return for each code whether Black may play: beside an empty point, a friend with a liberty, or a capture."""
    beside, atari = _colours(codes)[:, :4], _atari_bits(codes)
    breathes = (beside == EMPTY) | ((beside == BLACK) & ~atari) | ((beside == WHITE) & atari)
    return np.asarray(breathes.any(axis=1))


def symmetries() -> list[list[int]]:
    """Return the eight symmetries of the square: the place from which each of the eight neighbours is taken."""
    images = []
    for transposed in (False, True):
        for vertical in (1, -1):
            for horizontal in (1, -1):
                moved = [(row * vertical, column * horizontal) for row, column in STEPS]
                images.append([STEPS.index(step[::-1] if transposed else step) for step in moved])
    return images


def _image(codes: _Array, symmetry: list[int]) -> _Array:
    """Return what a symmetry makes of each code."""
    image = np.zeros_like(codes)
    for place, source in enumerate(symmetry):
        image |= (codes >> (2 * source) & 3) << (2 * place)
        if place < 4:
            image |= (codes >> (16 + source) & 1) << (16 + place)
    return image
