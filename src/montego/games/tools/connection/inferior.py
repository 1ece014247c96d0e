"""Points of Hex and Y that need not be played, by what is around them.

A point is *dead* if its colour can never decide who connects: however the empty places around it are filled, the own
stones around it stand side by side, and so do the enemy's. A stone there would join nothing that is not joined already.
A point is *vulnerable* for a player if the enemy can make it dead by a move beside it. If a move there wins, then so
does what the player would play after the enemy's answer, and sooner, since the dead stone does nothing for him. Hence
whoever can win can win without it (Hayward and van Rijswijck, "Hex and combinatorics", 2006).

Edges of one player count as his stones. A point on an edge that serves both players is never called inferior.
"""

from functools import cache

import numpy as np

from montego.games.features import Array
from montego.games.tools.connection.board import DIRECTIONS
from montego.games.tools.connection.features import EDGE, EMPTY, ENEMY, OWN, RING_CODES

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
def inferior_rings() -> Array:
    """Return for each code of a ring, for the player to move, whether its middle is dead or vulnerable."""
    codes, dead = np.arange(RING_CODES), dead_rings()
    inferior = dead.copy()
    for place in range(DIRECTIONS):
        is_empty = _digits(codes)[:, place] == EMPTY
        inferior |= is_empty & dead[codes | ENEMY << (2 * place)]
    return inferior
