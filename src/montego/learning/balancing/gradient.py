"""The gradient of a softmax policy's mean outcome, added up in the playouts themselves.

The score of a move is ψ(s, a) = ∇ log π(s, a) = φ(s, a) − Σ_b π(s, b) φ(s, b) (Huang, Coulom and Lin,
"Monte-Carlo simulation balancing in practice", 2010, section 2), and the gradient of the mean outcome is the mean of
z Σ_t ψ(s_t, a_t). φ counts the values of the game's feature columns, so that a score is a table of columns ×
values; ``by_group`` turns it into derivatives by θ = log γ. Outcomes are those of the player to move at
the beginning: 1, 0 or -1.

Every keeper of weights (``playouts/softmax/keeping.py``) has its way to find the scores; all must agree.
"""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any, NamedTuple

import numpy as np

from montego.games import Game
from montego.games.features import Array, Column
from montego.games.rules import is_over, playout_moves, to_move, winner
from montego.kernels import borrowing, copy_record, generic_with_default, index, kernel
from montego.playouts.policy import HISTORY, new_trace
from montego.playouts.softmax.keeping import (
    begin_keeping,
    draw_weighted,
    keep_move,
    keeper_for,
    plain_keeper,
    write_weights,
)
from montego.rng import RNG


class Sums(NamedTuple):
    """What playouts of one position add up to. Tables are columns × values.

    ``outcomes`` are the sums of z and z², of the playouts and of their moves; ``scores`` the sum of Σψ over the
    playouts, ``products`` that of zΣψ, ``drawn`` that of Σψ over those with z = 0.
    """

    outcomes: Array
    scores: Array
    products: Array
    drawn: Array


class Desk(NamedTuple):
    """What one thread plays balancing playouts with."""

    keeper: Any
    room: Any  # what the keeper needs to find scores
    work: Any
    rng: Any
    trace: Array
    scratch: Array
    score: Array  # of the playout that is going on


def new_sums(columns: Sequence[Column]) -> Sums:
    """Return sums of nothing."""
    shape = len(columns), max(len(column.features) for column in columns)
    return Sums(np.zeros(4), np.zeros(shape), np.zeros(shape), np.zeros(shape))


def new_desk(game: Game, strengths: Array, like: Desk | None = None) -> Desk:
    """Return a desk for playouts by the strengths of the values of a game's feature columns.

    It has these strengths to itself, or shares those of another desk, so that ``set_strengths`` concerns both.
    """
    keeper = keeper_for(game, strengths)
    if not differentiates(keeper):
        keeper = plain_keeper(game, strengths)
    keeper = sharing(keeper, like.keeper if like else None)
    rng = np.zeros(1, RNG)[0]
    score = np.zeros((len(strengths), strengths.shape[1]))
    return Desk(keeper, room_for(keeper, game), game.new_state(), rng, new_trace(game), game.new_moves(), score)


def differentiates(keeper: Any) -> bool:
    """Whether a keeper has its own way to find scores; the others are replaced by the plain one."""
    return type(keeper) in room_for.registry


@singledispatch
def room_for(keeper: Any, game: Game) -> Any:
    """Return what ``add_score`` of a keeper needs besides the keeper."""
    return np.zeros(1, np.uint8)


@singledispatch
def sharing(keeper: Any, other: Any) -> Any:
    """Return a keeper with the strengths of another one of its kind, or with a copy of its own."""
    return keeper._replace(strengths=keeper.strengths.copy() if other is None else other.strengths)


@singledispatch
def set_strengths(keeper: Any, room: Any, strengths: Array) -> None:
    """Give a keeper other strengths."""
    keeper.strengths[:] = strengths


def by_group(columns: Sequence[Column], table: Array) -> list[Array]:
    """Return a table of columns × values as one array for each group; entry i belongs to feature i, entry 0 is 0."""
    arrays = []
    for number, column in enumerate(columns):
        for place, group in enumerate(column.groups):
            values = table[number, : len(column.features)]
            array = np.bincount(column.features[:, place], weights=values, minlength=group.size + 1)
            array[0] = 0.0
            arrays.append(array)
    return arrays


# -------------------------------------------------------------------------------------------------------------- kernels


@generic_with_default
@borrowing
def add_score(keeper, room, game, state, trace, end, move, desk):
    """Add ψ of a move that is about to be made to ``desk.score``; by default over the list of all moves."""
    count = playout_moves(game, state, desk.scratch)
    moves, weights = desk.scratch[:count], keeper.weights[:count]
    write_weights(keeper, game, state, trace, end, moves, weights)
    total = 0.0
    for place in range(count):
        total += weights[index(place)]
    if total == 0.0:
        return  # drawn as if all were equal, whatever the weights
    for place in range(count):
        change = np.float64(np.int64(moves[index(place)]) == move) - weights[index(place)] / total
        for column in range(keeper.values.shape[1]):
            desk.score[index(column), keeper.values[index(place), index(column)]] += change


@kernel
def add_playouts(game, root, desk, count, sums, per_move, with_gradient):
    """Play ``count`` playouts from ``root`` and add them to ``sums``; ``desk.trace`` begins with the moves before it.

    ``per_move`` divides each playout's score by the number of its moves, as Algorithm 1 does. Without the gradient only
    the outcomes are added.
    """
    keeper, work, trace, score = desk.keeper, desk.work, desk.trace, desk.score
    player = to_move(game, root)
    for _ in range(count):
        copy_record(work, root)
        begin_keeping(keeper, game, work, trace, HISTORY)
        end = HISTORY
        while end < len(trace) and not is_over(game, work):
            move = draw_weighted(keeper, game, work, desk.rng, trace, end, desk.scratch)
            if with_gradient:
                add_score(keeper, desk.room, game, work, trace, end, move, desk)
            keep_move(keeper, game, work, trace, end, move)
            end += 1
        won = winner(game, work)
        outcome = 0.0 if won < 0 else 1.0 if won == player else -1.0
        sums.outcomes[0] += outcome
        sums.outcomes[1] += outcome * outcome
        sums.outcomes[2] += 1.0
        sums.outcomes[3] += end - HISTORY
        if with_gradient:
            add_table(score, sums, outcome, 1.0 / max(end - HISTORY, 1) if per_move else 1.0)


@kernel
def add_table(score, sums, outcome, scale):
    """Add the score of a finished playout to the sums and clear it."""
    for column in range(score.shape[0]):
        for value in range(score.shape[1]):
            change = score[index(column), index(value)]
            if change != 0.0:
                change *= scale
                sums.scores[index(column), index(value)] += change
                sums.products[index(column), index(value)] += change * outcome
                if outcome == 0.0:
                    sums.drawn[index(column), index(value)] += change
                score[index(column), index(value)] = 0.0
