"""Criticality: how much owning a point goes together with winning (Coulom 2009), as wins added to AMAF statistics.

The criticality of a point is P(its owner wins) - [P(Black owns it) P(Black wins) + P(White owns it) P(White wins)]: the
covariance of owning and winning, 0 where the point does not matter, 1/2 where it decides. Pachi adds a number of wins
in proportion to it to the AMAF statistics of the move there. This does the same and departs in two ways: it is measured
over the surveyed simulations of the decision (``survey``) and not anew in every position, and moves on points whose
criticality is negative, which is chance, are left alone.
"""

from contextlib import suppress
from typing import Any

import numpy as np

from montego.errors import IllegalMove
from montego.games import Game
from montego.kernels import borrowing, index

OWNED, WON = 0, 2  # rows of the tally: by player 0, by player 1, by the winner; the last column: all simulations


def point_of_moves(game: Game) -> Any:
    """Return for each move the number of the point whose name it has, or -1: a pass, a piece of several squares."""
    points = np.full(game.move_limit(), -1, np.int32)
    for number, name in enumerate(game.layout().names):
        with suppress(IllegalMove):
            points[game.parse_move(name)] = number
    return points


@borrowing
def tally_owners(owners, score, tally):
    """Count a final position by its owners and its score, player 0's, which is not a draw."""
    winner = 0 if score > 0 else 1
    last = tally.shape[1] - 1
    for point in range(last):
        owner = np.int64(owners[index(point)])
        if 0 <= owner <= 1:
            tally[index(OWNED + owner), index(point)] += 1
            tally[index(WON), index(point)] += np.int64(owner == winner)
    tally[index(OWNED + winner), index(last)] += 1
    tally[index(WON), index(last)] += 1


@borrowing
def write_criticality(tally, point_of, critical):
    """Write the criticality of the point of every move, at least 0, by a tally of at least one simulation."""
    last = tally.shape[1] - 1
    count = float(tally[index(WON), index(last)])
    first, second = tally[index(OWNED), index(last)] / count, tally[index(OWNED + 1), index(last)] / count
    for move in range(len(critical)):
        point = np.int64(point_of[index(move)])
        if point >= 0:
            by_chance = tally[index(OWNED), index(point)] * first + tally[index(OWNED + 1), index(point)] * second
            critical[index(move)] = max((tally[index(WON), index(point)] - by_chance) / count, 0.0)
