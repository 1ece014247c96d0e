"""Softmax playouts: a move is drawn with a probability in proportion to the product of the γ of its features.

π(s, a) = Π γ / Σ_b Π γ, with γ = exp(θ): the policy of Coulom (2007), of simulation balancing (Silver and
Tesauro 2009) and of ERICA (Huang, Coulom and Lin, "Monte-Carlo simulation balancing in practice", 2010, equation 1).
The game says what the features of a move are; a file says what they weigh.

Weights that predict the moves of people as well as possible leave much to chance, since people differ. A playout need
not: ``power`` p draws by (Π γ)^p, a temperature of 1/p.
"""

from typing import Annotated, Any, NamedTuple

from montego.kernels import borrowing, implements, inlined
from montego.playouts.policy import Policy, advance, begin, move_weights, next_move
from montego.playouts.softmax.keeping import (
    begin_keeping,
    draw_weighted,
    keep_move,
    keeper_for,
    write_weights,
)
from montego.spec import Name, Param
from montego.weights import load_for

KIND = "playout"


class _Parameters(NamedTuple):
    weights: Annotated[
        Name,
        Param("file that montego train wrote, or a name; left out: the best for the game and board", paper="ERICA"),
    ] = Name()
    without: Annotated[
        Name, Param("groups of features that shall not count, separated by commas, such as local value")
    ] = Name()
    power: Annotated[
        float, Param("power of all γ: above 1 surer of the best moves, 0 uniform", 0, 4, usual=(0.5, 3))
    ] = 1.0


class Softmax(_Parameters, Policy, name="softmax"):
    """Moves drawn in proportion to their trained weights: patterns, answers to the last move."""

    def new_memory(self, game: Any) -> Any:
        weights = load_for(game, KIND, str(self.weights))
        weights = weights.without(group.strip() for group in str(self.without).split(",") if group.strip())
        return keeper_for(game, weights.raised(self.power).strengths(game.feature_columns()))


@implements(next_move, Softmax)
@inlined
def _next_move(policy, game, memory, state, rng, trace, end, scratch):
    return draw_weighted(memory, game, state, rng, trace, end, scratch)


@implements(begin, Softmax)
@inlined
def _begin(policy, game, memory, state, trace, start):
    begin_keeping(memory, game, state, trace, start)


@implements(advance, Softmax)
@inlined
def _advance(policy, game, memory, state, trace, end, move):
    keep_move(memory, game, state, trace, end, move)


@implements(move_weights, Softmax)
@borrowing
def _move_weights(policy, game, memory, state, trace, end, moves, weights):
    write_weights(memory, game, state, trace, end, moves, weights)
