"""The prior of Go: how likely a strong player is to make each move, by large shapes, tactics and distances.

The features are those of Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007), as ERICA uses them
for progressive bias (Huang, Coulom and Lin 2010, section 4.1). They are too dear for playouts, where this policy plays
uniformly; a tree asks for them once a node: ``uct(prior=patterns, bias=…)``.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games.go import Go
from montego.games.go.board import PASS
from montego.games.go.prior_features import COLUMNS, PriorTables, prior_columns, prior_tables, write_prior_features
from montego.kernels import implements, index, kernel
from montego.playouts.policy import Policy, move_weights
from montego.spec import Name, Param
from montego.weights import load_for

KIND = "prior"
PASS_WEIGHT = 1e-3  # the records that weights are trained on say little about passing


class _Parameters(NamedTuple):
    weights: Annotated[
        Name,
        Param("file that montego train wrote, or a name; left out: the best for the game and board", paper="ERICA"),
    ] = Name()


class PatternsMemory(NamedTuple):
    """The weights, and what one thread works with."""

    strengths: Any  # columns × values: what a number in a column multiplies the weight by
    tables: PriorTables
    values: Any  # room for the numbers of a move


class Patterns(_Parameters, Policy, name="patterns"):
    """Knowledge for the tree: shapes up to radius 10, captures, ladders, distances to the last moves. Go only."""

    def new_memory(self, game: Any) -> PatternsMemory:
        if not isinstance(game, Go):
            raise MontegoError(f"patterns know the shapes of Go; {game} has none")
        weights = load_for(game, KIND, str(self.weights))
        shapes = weights.array("shapes", np.uint64)
        strengths = weights.strengths(prior_columns(shapes))
        return PatternsMemory(strengths, prior_tables(game, shapes), np.zeros(COLUMNS, np.uint16))


@implements(move_weights, Patterns)
@kernel
def _move_weights(policy, game, memory, state, trace, end, moves, weights):
    last, before_last = max(np.int64(trace[index(end - 1)]), PASS), max(np.int64(trace[index(end - 2)]), PASS)
    for place in range(len(moves)):
        move = np.int64(moves[index(place)])
        weight = PASS_WEIGHT
        if move != PASS:
            weight = 1.0
            write_prior_features(game, memory.tables, state, last, before_last, move, memory.values)
            for column in range(COLUMNS):
                weight *= memory.strengths[index(column), memory.values[index(column)]]
        weights[index(place)] = weight
