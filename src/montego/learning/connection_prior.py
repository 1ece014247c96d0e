"""Decisions of recorded games of Hex and Y with the features for the prior of a tree.

Shapes of twelve places are harvested first. Those of moves that were played count, and those of all other candidates by
a hundredth: a shape that is often there and never played is worth knowing too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games import Game
from montego.games.features import Array
from montego.games.tools.connection.board import DIRECTIONS
from montego.games.tools.connection.prior_features import (
    COLUMNS,
    PLACES,
    PriorTables,
    least_codes,
    prior_tables,
    write_codes,
    write_prior_features,
)
from montego.kernels import borrowing, implements
from montego.learning.decisions import Decisions
from montego.learning.plain import PlayedGame, note_candidates, plain_decisions

MOST_SHAPES = 60000  # the numbers of a column are 16 bits, and rings come after the shapes
_BATCH = 200  # games whose candidates are in memory at a time
_CANDIDATES = 100  # so many of them count as one move that was played


class ShapeCounter(NamedTuple):
    """Writes codes of shapes in place of features."""

    tables: PriorTables


@implements(note_candidates, ShapeCounter)
@borrowing
def _note_codes(counter, game, state, trace, end, moves, values):
    write_codes(game, counter.tables, state, moves, values)


@implements(note_candidates, PriorTables)
@borrowing
def _note_prior_features(tables, game, state, trace, end, moves, values):
    write_prior_features(game, tables, state, trace, end, moves, values)


def harvest_shapes(
    games: Sequence[PlayedGame],
    least: int = 20,
    share: float = 1.0,
    seed: int = 1,
    most: int = MOST_SHAPES,
    progress: Callable[[int], None] | None = None,
) -> Array:
    """Return the codes of the shapes that count at least so much in a share of the moves, in rising order.

    If there are more than ``most``, those that count most are kept. ``progress`` gets the number of games done.
    """
    if least < 1:
        raise MontegoError(f"shapes must be seen at least once, not {least} times")

    def tables(game: Game) -> ShapeCounter:
        return ShapeCounter(prior_tables(game, np.zeros(0, np.uint64)))

    played, offered = (np.zeros(4**PLACES, np.int64) for _ in range(2))
    for first in range(0, len(games), _BATCH):
        found = plain_decisions(games[first : first + _BATCH], 2, share, seed + first, tables=tables)
        offered += np.bincount(_codes(found.values), minlength=len(offered))
        played += np.bincount(_codes(found.won_values()), minlength=len(played))
        if progress:
            progress(min(first + _BATCH, len(games)))
    seen = np.flatnonzero(offered)
    names, which = np.unique(least_codes(games[0].game, seen), return_inverse=True)
    counts = np.bincount(which.reshape(-1), played[seen] + offered[seen] / _CANDIDATES)
    if np.count_nonzero(counts >= least) > most:
        least = float(np.sort(counts)[-most])  # type: ignore[assignment]
    return np.asarray(names[counts >= least][:most].astype(np.uint64))


def _codes(values: Array) -> Array:
    return values[:, 0].astype(np.int64) | values[:, 1].astype(np.int64) << (2 * DIRECTIONS)


def connection_decisions(games: Sequence[PlayedGame], shapes: Array, **options: Any) -> Decisions:
    """Return the decisions of games, with the columns ``prior_columns(game, shapes)``; see ``plain_decisions``."""
    return plain_decisions(games, COLUMNS, tables=lambda game: prior_tables(game, shapes), **options)
