"""Softmax playouts of Hex and Y with the weights of all points kept up to date from stone to stone.

The weight of a point is the γ of its ring, for each player, times the γ of its answer to the last move and of its
continuation of the own one. A stone changes the rings of its six neighbours only. The points that answer or continue
are weighed apart, as in Go (``go.py``). As in random filling, nobody asks who has won before the board is full.
"""

from typing import Any, NamedTuple

import numpy as np

from montego.games.features import Array
from montego.games.rules import begin_playout, make_move
from montego.games.tools.connection.board import DIRECTIONS, holds, point_count
from montego.games.tools.connection.features import (
    ANSWER,
    AT_BRIDGE,
    CONTINUATION,
    JOINS,
    MAKES_BRIDGE,
    RING,
    RING_CODES,
    RING_NUMBERS,
    FeatureTables,
    answer_to,
    digit_at,
)
from montego.games.tools.connection.game import ConnectionGame
from montego.kernels import borrowing, implements, index, inlined
from montego.playouts.softmax.keeping import begin_keeping, draw_weighted, keep_move, keeper_for
from montego.playouts.softmax.sums import NOTHING, TRIES, exact, listed_point, point_at
from montego.rng import uniform

ROW = 16  # points of a row of the sums
ANSWERS = 4  # a set of the list is an answer plus ANSWERS times a continuation
SETS = 12


def _board_type(points: int) -> np.dtype[Any]:
    return np.dtype(
        (
            np.record,
            [
                ("total", np.float64, (2,)),  # of each player
                ("row", np.float64, (points // ROW + 1, 2)),
                ("weight", np.float64, (points, 2)),  # by ring; 0 for stones
                ("code", np.int32, (points,)),  # of the ring for player 0; right for empty points
                ("count", np.int64),  # of the points that answer or continue; 0 between moves
                ("points", np.int32, (4 * DIRECTIONS,)),
                ("sets", np.uint8, (points,)),
            ],
        )
    )


class ConnectionKeeper(NamedTuple):
    """The weights of all points of a board of Hex or Y."""

    board: Any
    ring_weights: Array  # RING_CODES × 2: what a ring, coded for player 0, weighs for each player
    set_weights: Array
    tables: FeatureTables
    back: Array  # points × 6: the place of a point in the ring of its neighbour
    strengths: Array  # as the plain keeper has them, for weights from scratch
    values: Array


@keeper_for.register(ConnectionGame)
def _keeper(game: ConnectionGame, strengths: Array) -> ConnectionKeeper:
    tables = game.feature_tables()
    points = len(tables.rings)
    back = np.zeros_like(tables.rings)
    for point, around in enumerate(tables.rings.tolist()):
        for place, other in enumerate(around):
            if other >= 0:
                back[point, place] = tables.rings[other].tolist().index(point)
    sets = np.arange(SETS)
    set_weights = strengths[ANSWER, sets % ANSWERS] * strengths[CONTINUATION, sets // ANSWERS]
    of_code = exact(strengths[RING])[RING_NUMBERS]
    ring_weights = np.stack([of_code, of_code[_swapped(np.arange(RING_CODES))]], axis=1)
    board = np.zeros(1, _board_type(points))[0]
    values = np.zeros((game.most_legal_moves(), len(strengths)), np.uint16)
    return ConnectionKeeper(board, ring_weights, set_weights, tables, back, strengths, values)


def _swapped(codes: Array) -> Array:
    """Return ring codes with the players exchanged: own 01 and enemy 10 change places, empty and edge stay."""
    return np.asarray(((codes & 0x555) << 1) | ((codes >> 1) & 0x555))


# ------------------------------------------------------------------------------------------------------ following moves


@inlined
def refresh(keeper, point):
    """Bring the weights of an empty point and the sums up to date."""
    board, code = keeper.board, index(keeper.board.code[index(point)])
    for player in range(2):
        weight = np.float64(keeper.ring_weights[code, index(player)])
        more = weight - board.weight[index(point), index(player)]
        board.weight[index(point), index(player)] = weight
        board.row[index(point // ROW), index(player)] += more
        board.total[index(player)] += more


@borrowing
def take_off(board, point):
    """Take a point that is no longer empty off the weights and the sums."""
    for player in range(2):
        weight = board.weight[index(point), index(player)]
        board.weight[index(point), index(player)] = 0.0
        board.row[index(point // ROW), index(player)] -= weight
        board.total[index(player)] -= weight


@inlined
def clear_weights(board):
    """Make all weights and sums 0."""
    for player in range(2):
        board.total[index(player)] = 0.0
        for row in range(board.row.shape[0]):
            board.row[index(row), index(player)] = 0.0
        for point in range(board.weight.shape[0]):
            board.weight[index(point), index(player)] = 0.0


@implements(begin_keeping, ConnectionKeeper)
@borrowing
def _begin_keeping(keeper, game, state, trace, start):
    begin_playout(game, state, trace, start)
    board = keeper.board
    clear_weights(board)
    for point in range(point_count(game)):
        if not (holds(state.stones, 0, point) or holds(state.stones, 1, point)):
            code = 0
            for place in range(DIRECTIONS):
                code |= digit_at(state, 0, np.int64(keeper.tables.rings[index(point), index(place)])) << (2 * place)
            board.code[index(point)] = code
            refresh(keeper, point)


@implements(keep_move, ConnectionKeeper)
@inlined
def _keep_move(keeper, game, state, trace, end, move):
    player = np.int64(state.to_move)
    make_move(game, state, trace, end, move)
    board = keeper.board
    take_off(board, move)
    for place in range(DIRECTIONS):
        near = np.int64(keeper.tables.rings[index(move), index(place)])
        if near >= 0 and board.weight[index(near), 0] > 0.0:
            board.code[index(near)] |= (1 + player) << (2 * np.int64(keeper.back[index(move), index(place)]))
            refresh(keeper, near)


# -------------------------------------------------------------------------------------------------------------- drawing


@inlined
def add_answer(board, point, answer):
    """List an empty point with its answer, the first one if it has two; others are left alone."""
    if point >= 0 and board.weight[index(point), 0] > 0.0 and board.sets[index(point)] == 0:
        board.points[index(board.count)] = point
        board.count += 1
        board.sets[index(point)] = answer


@inlined
def add_continuation(board, point, continuation):
    """List an empty point with its continuation, the first one if it has two; it may have an answer already."""
    if point >= 0 and board.weight[index(point), 0] > 0.0 and board.sets[index(point)] < ANSWERS:
        board.points[index(board.count)] = point
        board.count += np.int64(board.sets[index(point)] == 0)
        board.sets[index(point)] += ANSWERS * continuation


@borrowing
def list_answers(board, tables, state, last, own_last):
    """List the points that answer the last move or continue the own one before it."""
    player, points = np.int64(state.to_move), board.weight.shape[0]
    if 0 <= last < points:
        for place in range(DIRECTIONS):
            near = np.int64(tables.rings[index(last), index(place)])
            if near >= 0:
                add_answer(board, near, answer_to(tables, state, player, last, near))
            add_answer(board, np.int64(tables.bridges[index(last), index(place)]), AT_BRIDGE)
    if 0 <= own_last < points:
        for place in range(DIRECTIONS):
            add_continuation(board, np.int64(tables.rings[index(own_last), index(place)]), JOINS)
            add_continuation(board, np.int64(tables.bridges[index(own_last), index(place)]), MAKES_BRIDGE)


@implements(draw_weighted, ConnectionKeeper)
@inlined
def _draw_weighted(keeper, game, state, rng, trace, end, scratch):
    """Draw between the points that answer the last moves and all the others, then among these."""
    board, player = keeper.board, index(state.to_move)
    last, own_last = np.int64(trace[index(end - 1)]), np.int64(trace[index(end - 2)])
    list_answers(board, keeper.tables, state, last, own_last)
    rest = board.total[player]
    answers = 0.0
    for place in range(board.count):
        point = index(board.points[index(place)])
        rest -= board.weight[point, player]
        answers += board.weight[point, player] * keeper.set_weights[board.sets[point]]
    mark = uniform(rng) * (answers + rest)
    if mark < answers:
        move = listed_point(board, keeper.set_weights, player, mark)
    else:
        move = point_elsewhere(board, player, rng, rest)
    for place in range(board.count):
        board.sets[index(board.points[index(place)])] = 0
    board.count = 0
    return move


@borrowing
def point_elsewhere(board, player, rng, rest):
    """Draw a point that is not on the list by its weight; ``rest`` is the sum of these weights."""
    for _ in range(TRIES):
        point = point_at(board, player, uniform(rng) * board.total[player], ROW)
        if board.sets[index(point)] == 0 and board.weight[index(point), player] > 0.0:
            return np.int64(point)
    mark = uniform(rng) * rest
    chosen = NOTHING
    for point in range(board.weight.shape[0]):
        weight = board.weight[index(point), player]
        if weight > 0.0 and mark >= 0.0 and board.sets[index(point)] == 0:
            chosen = np.int64(point)
            mark -= weight
    return chosen
