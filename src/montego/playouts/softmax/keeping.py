"""Keeping the weights of all moves of a position: what a softmax policy draws from.

A *keeper* is the part of a policy's memory that knows the weights. The plain keeper works for every game that has
features: it lists the moves of a position and weighs each one. A game for which there is a quicker way registers a
keeper of its own (``@keeper_for.register``) and answers for its type those of the four kernels below that it does in
another way; after any moves its weights must equal those of the plain keeper.
"""

from functools import singledispatch
from typing import Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games.rules import play, playout_moves, write_features
from montego.kernels import borrowing, generic_with_default, index
from montego.rng import below, uniform


class PlainKeeper(NamedTuple):
    """Weighs the moves of a position one by one."""

    strengths: Any  # columns × values: what a number in a column multiplies the weight by
    tables: Any  # of the game's features
    values: Any  # moves × columns: room for the features
    weights: Any  # room for the weights


@singledispatch
def keeper_for(game: Any, strengths: Any) -> Any:
    """Return a keeper for a game, given the strength of each value of each column of its features."""
    return plain_keeper(game, strengths)


def plain_keeper(game: Any, strengths: Any) -> PlainKeeper:
    """Return the keeper that works for every game with features."""
    moves, columns = game.most_legal_moves(), len(game.feature_columns())
    if columns == 0:
        raise MontegoError(f"{game} has no features, so that softmax cannot weigh its moves; see docs/adding-a-game.md")
    values = np.zeros((moves, columns), np.uint16)
    return PlainKeeper(strengths, game.feature_tables(), values, np.zeros(moves))


@generic_with_default
@borrowing
def begin_keeping(keeper, game, state, trace, start):
    """Look at the whole board once, at the beginning of a playout whose moves will stand in ``trace[start:]``."""


@generic_with_default
@borrowing
def keep_move(keeper, game, state, trace, end, move):
    """Play a move, note it as ``trace[end]`` and bring the weights up to date.

    The plain keeper plays by the rules and not by the quicker hooks of playouts, so that every rule may be asked.
    """
    play(game, state, move)
    trace[index(end)] = move


@generic_with_default
@borrowing
def write_weights(keeper, game, state, trace, end, moves, weights):
    """Write the weight of each of some moves of the player to move, worked out from scratch."""
    write_features(game, keeper.tables, state, trace, end, moves, keeper.values)
    for place in range(len(moves)):
        weight = 1.0
        for column in range(keeper.values.shape[1]):
            weight *= keeper.strengths[index(column), keeper.values[index(place), index(column)]]
        weights[index(place)] = weight


@generic_with_default
@borrowing
def draw_weighted(keeper, game, state, rng, trace, end, scratch):
    """Draw one of the ``playout_moves`` after ``trace[:end]``, each with a probability in proportion to its weight.

    If none of them has any weight, each is equally likely.
    """
    count = playout_moves(game, state, scratch)
    moves, weights = scratch[:count], keeper.weights[:count]
    write_weights(keeper, game, state, trace, end, moves, weights)
    total = 0.0
    for place in range(count):
        total += weights[index(place)]
    if total == 0.0:
        return np.int64(moves[index(below(rng, count))])
    mark = uniform(rng) * total
    for place in range(count - 1):
        mark -= weights[index(place)]
        if mark < 0.0:
            return np.int64(moves[index(place)])
    return np.int64(moves[index(count - 1)])
