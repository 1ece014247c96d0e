"""The playout features of Go: the 3×3 pattern with atari, and the seven features of the previous move.

They are those of ERICA's playouts (Huang, Coulom and Lin, "Monte-Carlo simulation balancing in practice", 2010, section
3.2): one column for the 2,051 patterns, one for the set of previous-move features, each of which is a group of its own.
The pass has neither.
"""

from typing import Any, NamedTuple

import numpy as np

from montego.games.features import Array, Column, Group
from montego.games.go.board import PASS
from montego.games.go.patterns import PATTERNS, pattern_number, pattern_numbers
from montego.games.go.previous_move import FEATURE_NAMES, clear_room, feature_room, previous_move_features
from montego.kernels import borrowing, index

PLAYOUT_COLUMNS = (Column.of_group(Group("3×3 pattern", PATTERNS)), Column.of_bits(FEATURE_NAMES))
PATTERN, PREVIOUS_MOVE = 0, 1  # the columns


class FeatureTables(NamedTuple):
    """What the features of a position are written with."""

    numbers: Array  # the table of pattern numbers
    room: Any  # for the previous-move features, empty between positions


def feature_tables(points: int) -> FeatureTables:
    """Return tables for a board whose points have numbers below ``points``."""
    return FeatureTables(pattern_numbers(), feature_room(points))


@borrowing
def write_playout_features(tables, state, last, before_last, moves, values):
    """Write pattern number and previous-move features of some moves of the player to move."""
    previous_move_features(state, np.int64(max(last, PASS)), np.int64(max(before_last, PASS)), tables.room)
    for place in range(len(moves)):
        move = np.int64(moves[index(place)])
        values[index(place), PATTERN] = 0 if move == PASS else pattern_number(state, move, tables.numbers)
        values[index(place), PREVIOUS_MOVE] = tables.room.sets[index(move)]
    clear_room(tables.room)
