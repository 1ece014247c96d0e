"""The prior of Go: large shapes, tactics with ladders, distances to the last moves.

The features are those of Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007), as ERICA uses them
for progressive bias (Huang, Coulom and Lin 2010, section 4.1). Departs from them by two tactics that strong players'
games are too short of to learn a weight from, as they avoid getting there: the snapback and the vital point of the only
eye space of a group. Their weights are set by hand; Pachi does the same.
"""

from typing import Any, NamedTuple

import numpy as np

from montego.games.go import Go
from montego.games.go.board import PASS
from montego.games.go.nakade import LARGEST_EYE, is_question_of_life
from montego.games.go.prior_features import COLUMNS, PriorTables, prior_columns, prior_tables, write_prior_features
from montego.games.go.tactics import is_snapback
from montego.kernels import implements, index, kernel
from montego.playouts.patterns.policy import memory_for, weigh
from montego.weights import Weights

PASS_WEIGHT = 1e-3  # the records that weights are trained on say little about passing
SNAPBACK = 20.0  # Pachi
QUESTION_OF_LIFE = 100.0


class GoPatterns(NamedTuple):
    """The weights, and what one thread works with."""

    strengths: Any  # columns × values: what a number in a column multiplies the weight by
    tables: PriorTables
    values: Any  # room for the numbers of a move
    factors: Any  # of the weight of a snapback, and of a question of life
    eye: Any  # room for the points of an eye space


@memory_for.register(Go)
def _go_memory(game: Go, weights: Weights, settings: Any) -> GoPatterns:
    shapes = weights.array("shapes", np.uint64)
    strengths = weights.strengths(prior_columns(shapes))
    factors = np.array([SNAPBACK, QUESTION_OF_LIFE]) if settings.tactics else np.ones(2)
    values, eye = np.zeros(COLUMNS, np.uint16), np.zeros(LARGEST_EYE + 1, np.int64)
    return GoPatterns(strengths, prior_tables(game, shapes), values, factors, eye)


@implements(weigh, GoPatterns)
@kernel
def _weigh_go(memory, game, state, trace, end, moves, weights):
    last, before_last = max(np.int64(trace[index(end - 1)]), PASS), max(np.int64(trace[index(end - 2)]), PASS)
    for place in range(len(moves)):
        move = np.int64(moves[index(place)])
        weight = PASS_WEIGHT
        if move != PASS:
            weight = 1.0
            write_prior_features(game, memory.tables, state, last, before_last, move, memory.values)
            for column in range(COLUMNS):
                weight *= memory.strengths[index(column), memory.values[index(column)]]
            if is_snapback(state, move):
                weight *= memory.factors[0]
            if is_question_of_life(state, move, memory.eye):
                weight *= memory.factors[1]
        weights[index(place)] = weight
