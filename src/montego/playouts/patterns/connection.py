"""The prior of Hex and Y: the γ of shapes, answers and lines (``games/tools/connection/prior_features.py``)."""

from typing import Any, NamedTuple

import numpy as np

from montego.games.features import Array
from montego.games.tools.connection.board import point_count
from montego.games.tools.connection.game import ConnectionGame
from montego.games.tools.connection.inferior import leave_out
from montego.games.tools.connection.prior_features import (
    COLUMNS,
    SHAPE,
    PriorTables,
    inferior_numbers,
    prior_columns,
    prior_tables,
    write_prior_features,
)
from montego.kernels import borrowing, implements, index
from montego.playouts.patterns.policy import memory_for, weigh
from montego.weights import Weights


class ConnectionPatterns(NamedTuple):
    """The weights, and what one thread works with."""

    strengths: Array  # columns × values: what a number in a column multiplies the weight by
    tables: PriorTables
    values: Array  # moves × columns: room for the numbers of all moves
    captured: bool  # whether to fill captured points, and leave out what then need not be played


@memory_for.register(ConnectionGame)
def _memory(game: Any, weights: Weights, settings: Any) -> ConnectionPatterns:
    shapes = weights.array("shapes", np.uint64)
    strengths = weights.strengths(prior_columns(game, shapes))
    if not settings.inferior:
        strengths[SHAPE, inferior_numbers(shapes)] = 0.0
    values = np.zeros((game.most_legal_moves(), COLUMNS), np.uint16)
    captured = settings.captured and not settings.inferior
    return ConnectionPatterns(strengths, prior_tables(game, shapes), values, captured)


@implements(weigh, ConnectionPatterns)
@borrowing
def _weigh(memory, game, state, trace, end, moves, weights):
    write_prior_features(game, memory.tables, state, trace, end, moves, memory.values)
    for row in range(len(moves)):
        weight = 1.0
        for column in range(COLUMNS):
            weight *= memory.strengths[index(column), memory.values[index(row), index(column)]]
        weights[index(row)] = weight
    if memory.captured:
        leave_out(memory.tables, np.int64(state.to_move), point_count(game), moves, weights)
