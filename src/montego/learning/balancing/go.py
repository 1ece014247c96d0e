"""Scores of Go's moves from the weights that its keeper has at hand."""

from typing import Any, NamedTuple

import numpy as np

from montego.games import Game
from montego.games.features import Array
from montego.games.go.board import BLACK, PASS
from montego.games.go.features import PATTERN, PREVIOUS_MOVE
from montego.games.go.previous_move import FEATURE_SETS, clear_room, feature_room, previous_move_features
from montego.kernels import borrowing, implements, index
from montego.learning.balancing.gradient import add_score, room_for, set_strengths, sharing
from montego.playouts.softmax.go import GoKeeper, kind_weights, kinds_of_codes


class GoRoom(NamedTuple):
    """What the scores of Go's moves are found with."""

    numbers: Array  # the pattern number of each kind of surroundings, for Black and for White; 0 where none plays
    near: Any  # for the previous-move features, empty between moves


@room_for.register
def _room(keeper: GoKeeper, game: Game) -> GoRoom:
    return GoRoom(kinds_of_codes()[1], feature_room(game.move_limit()))


@sharing.register
def _sharing(keeper: GoKeeper, other: GoKeeper | None) -> GoKeeper:
    if other is None:
        return keeper._replace(pattern_weights=keeper.pattern_weights.copy(), set_weights=keeper.set_weights.copy())
    return keeper._replace(pattern_weights=other.pattern_weights, set_weights=other.set_weights)


@set_strengths.register
def _set_strengths(keeper: GoKeeper, room: GoRoom, strengths: Array) -> None:
    keeper.pattern_weights[:] = kind_weights(strengths[PATTERN])
    keeper.set_weights[:] = strengths[PREVIOUS_MOVE, :FEATURE_SETS]


@implements(add_score, GoKeeper)
@borrowing
def _add_score(keeper, room, game, state, trace, end, move, desk):
    """Over the empty points; a pass is only played when it is the only move, so that its score is 0."""
    if move == PASS:
        return
    board, player, score = keeper.board, index(state.turn - BLACK), desk.score
    last, before_last = max(trace[index(end - 1)], PASS), max(trace[index(end - 2)], PASS)
    previous_move_features(state, np.int64(last), np.int64(before_last), room.near)
    sets = room.near.sets
    total = 0.0
    for place in range(state.empty_count):
        point = index(state.empty[index(place)])
        if np.int64(point) != state.ko:
            total += board.weight[point, player] * keeper.set_weights[sets[point]]
    share = 1.0 / total
    for place in range(state.empty_count):
        point = index(state.empty[index(place)])
        weight = board.weight[point, player]
        if weight > 0.0 and np.int64(point) != state.ko:
            probability = weight * keeper.set_weights[sets[point]] * share
            score[PATTERN, room.numbers[keeper.kinds[index(board.code[point])], player]] -= probability
            score[PREVIOUS_MOVE, sets[point]] -= probability
    score[PATTERN, room.numbers[keeper.kinds[index(board.code[index(move)])], player]] += 1.0
    score[PREVIOUS_MOVE, sets[index(move)]] += 1.0
    clear_room(room.near)
