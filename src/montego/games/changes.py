"""What a move changed on the board, for policies that keep the probabilities of all moves up to date.

Looking at every point again after every move of a playout would cost more than the playout. A game that knows which
points a move concerns writes them here (``rules.make_noted_move``); a liberty may be named more than once.
"""

from typing import Any

import numpy as np


def new_changes(game: Any) -> Any:
    """Return an empty record with room for the changes of any move of a game."""
    room = game.move_limit() + 1
    fields = [
        ("point_count", np.int64),
        ("liberty_count", np.int64),
        ("points", np.int32, (room,)),  # whose content changed: the move, then what it captured
        # Go: the only liberty of a chain that came into atari, or that it had before it got out of atari.
        ("liberties", np.int32, (4 * room,)),
    ]
    return np.zeros(1, np.dtype((np.record, fields)))[0]
