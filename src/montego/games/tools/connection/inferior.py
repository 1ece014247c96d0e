"""Points of Hex and Y that need not be played, by what is around them.

A point is *dead* if its colour can never decide who connects: however the empty places around it are filled, the own
stones around it stand side by side, and so do the enemy's. A stone there would join nothing that is not joined already.
A point is *vulnerable* for a player if the enemy can make it dead by a move beside it. If a move there wins, then so
does what the player would play after the enemy's answer, and sooner, since the dead stone does nothing for him. Hence
whoever can win can win without it (Hayward and van Rijswijck, "Hex and combinatorics", 2006).

Two empty points side by side are *captured* by a player if each is dead as soon as he has the other: whatever the enemy
plays there, he answers beside it, so both are his already, and neither need be played by anyone. They are filled with
his stones, which may make further points dead or captured, and so on (Björnsson, Hayward, Johanson and van Rijswijck,
"Dead cell analysis in Hex and the Shannon game", 2007).

Edges of one player count as his stones. A point on an edge that serves both players is never called inferior.
"""

from functools import cache

import numpy as np

from montego.games.features import Array
from montego.games.tools.connection.board import DIRECTIONS
from montego.games.tools.connection.features import EDGE, EMPTY, ENEMY, OWN, RING_CODES
from montego.kernels import borrowing, index, inlined

DEAD = 1 << (2 * DIRECTIONS)
_PLACES = np.arange(DIRECTIONS)


def _digits(codes: Array) -> Array:
    return np.asarray((codes[:, None] >> (2 * _PLACES)) & 3)


@cache
def dead_rings() -> Array:
    """Return for each code of a ring whether its middle is dead."""
    rings = _digits(np.arange(RING_CODES))
    full = _digits(np.arange(RING_CODES))
    full = full[((full == OWN) | (full == ENEMY)).all(axis=1)]
    beginnings = (full == OWN) & (np.roll(full, 1, axis=1) == ENEMY)
    joining = full[beginnings.sum(axis=1) > 1]  # those whose own stones fall into two parts
    fits = ((rings[:, None, :] == EMPTY) | (rings[:, None, :] == joining)).all(axis=2)
    return np.asarray(~fits.any(axis=1) & ~(rings == EDGE).any(axis=1))


@cache
def deadly_places() -> Array:
    """Return for each code of a ring what makes its middle dead, as bits.

    Bit 2k is an own stone at place k, which is empty, and bit 2k + 1 an enemy's; ``DEAD`` says that it is dead already.
    """
    codes, dead = np.arange(RING_CODES), dead_rings()
    bits = np.where(dead, DEAD, 0)
    for place in range(DIRECTIONS):
        is_empty = _digits(codes)[:, place] == EMPTY
        for bit, stone in enumerate((OWN, ENEMY)):
            bits |= (is_empty & dead[codes | stone << (2 * place)]).astype(np.int64) << (2 * place + bit)
    return bits.astype(np.uint16)


@cache
def inferior_rings() -> Array:
    """Return for each code of a ring, for the player to move, whether its middle is dead or vulnerable."""
    codes, dead = np.arange(RING_CODES), dead_rings()
    inferior = dead.copy()
    for place in range(DIRECTIONS):
        is_empty = _digits(codes)[:, place] == EMPTY
        inferior |= is_empty & dead[codes | ENEMY << (2 * place)]
    return inferior


# -------------------------------------------------------------------------------------------------------------- kernels


@inlined
def _bits_at(tables, player, point):
    """Return what makes an empty point dead, on the board with filled points."""
    code = 0
    for place in range(DIRECTIONS):
        at = tables.around[index(player), index(point), index(place)]
        code |= np.int64(tables.filled[index(at)]) << (2 * place)
    return np.int64(tables.deadly[index(code)])


@borrowing
def _captor(tables, player, points, point, bits):
    """Return the place of the other of two captured points and whose they are, or -1 and nobody."""
    for place in range(DIRECTIONS):
        other = np.int64(tables.around[index(player), index(point), index(place)])
        here = bits >> (2 * place) & 3
        if here == 0 or other >= points:
            continue
        there = _bits_at(tables, player, other)
        for back in range(DIRECTIONS):
            if tables.around[index(player), index(other), index(back)] == point:
                both = here & (there >> (2 * back))
                if both != 0:
                    return place, OWN if both & 1 else ENEMY
    return -1, EMPTY


@borrowing
def fill_captured(tables, player, points, moves):
    """Fill the dead and captured ones of some empty points on the board that ``leave_out`` works with."""
    changed = True
    while changed:
        changed = False
        for row in range(len(moves)):
            point = np.int64(moves[index(row)])
            if point >= points or tables.filled[index(point)] != EMPTY:
                continue
            bits = _bits_at(tables, player, point)
            if bits == 0:
                continue
            place, owner = -1, OWN  # whose a dead point is makes no difference
            if bits & DEAD == 0:
                place, owner = _captor(tables, player, points, point, bits)
                if place < 0:
                    continue
                tables.filled[index(tables.around[index(player), index(point), index(place)])] = owner
            tables.filled[index(point)] = owner
            changed = True


@borrowing
def leave_out(tables, player, points, moves, weights):
    """Give no weight to moves that need not be played once captured points are filled, after ``look_at_board``."""
    for place in range(len(tables.cells)):
        tables.filled[index(place)] = tables.cells[index(place)]
    fill_captured(tables, player, points, moves)
    for row in range(len(moves)):
        point = np.int64(moves[index(row)])
        if point < points and is_inferior(tables, player, points, point):
            weights[index(row)] = 0.0


@borrowing
def is_inferior(tables, player, points, point):
    """Whether a point is filled, dead, or vulnerable for the player to move."""
    if tables.filled[index(point)] != EMPTY:
        return True
    bits = _bits_at(tables, player, point)
    if bits & DEAD != 0:
        return True
    for place in range(DIRECTIONS):
        if bits >> (2 * place + 1) & 1 and tables.around[index(player), index(point), index(place)] < points:
            return True
    return False
