"""What a move changed on the board, for policies that keep the probabilities of all moves up to date.

Looking at every point again after every move of a playout would cost more than the playout. A game that knows which
points a move concerns writes them here (``rules.make_noted_move``); a point may be named more than once.
"""

from typing import Any, NamedTuple

import numpy as np

POINTS, LIBERTIES = 0, 1  # places in ``counts``


class Changes(NamedTuple):
    """The points that one move concerns."""

    counts: Any  # int64: how many entries of each list are valid
    points: Any  # int32: points whose content changed: the move, then what it captured
    liberties: Any  # int32, Go: the liberty of a chain that came into atari, or that it had before it got out of atari


def new_changes(game: Any) -> Changes:
    """Return empty lists with room for the changes of any move of a game."""
    room = game.move_limit() + 1
    return Changes(np.zeros(2, np.int64), np.zeros(room, np.int32), np.zeros(4 * room, np.int32))
