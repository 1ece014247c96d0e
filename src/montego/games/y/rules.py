"""The rules of Y as kernels: the straight and the bent board, and who has won a full board."""

import numpy as np

from montego.games.tools.connection.board import (
    full_board_winner,
    give_rest_to_second,
    goal,
    neighbour,
    point_count,
    sides_at,
)
from montego.games.y import bent
from montego.games.y.game import MAX_SIZE, Board, Y
from montego.games.y.reduction import first_owns_last_cell, spread_bent, spread_straight
from montego.kernels import implements, index

GOAL = 7  # all three sides

# The row of every point of a straight board: the same for all sizes.
ROW = np.array([row for row in range(MAX_SIZE) for _ in range(row + 1)], np.int64)
# The six directions as steps of (row, column).
STEPS = np.array([(-1, -1), (-1, 0), (0, -1), (0, 1), (1, 0), (1, 1)], np.int64)


@implements(goal, Y)
def _goal(game):
    return GOAL


@implements(point_count, Y)
def _point_count(game):
    return bent.POINT_COUNT if game.board == Board.BENT else game.size * (game.size + 1) // 2


@implements(neighbour, Y)
def _neighbour(game, point, direction):
    if game.board == Board.BENT:
        return bent.NEIGHBOURS[index(point), index(direction)]
    row = ROW[index(point)]
    column = point - row * (row + 1) // 2 + STEPS[index(direction), index(1)]
    row += STEPS[index(direction), index(0)]
    if 0 <= row < game.size and 0 <= column <= row:
        return row * (row + 1) // 2 + column
    return -1


@implements(sides_at, Y)
def _sides_at(game, player, point):
    if game.board == Board.BENT:
        return bent.SIDES[index(point)]
    row = ROW[index(point)]
    column = point - row * (row + 1) // 2
    return (1 if column == 0 else 0) | (2 if column == row else 0) | (4 if row == game.size - 1 else 0)


# ----------------------------------------------------------------------------------------------------------- playouts


@implements(full_board_winner, Y)
def winner_by_reduction(game, state):
    """Return the winner of a full board by micro-reduction.

    The bits of player 1 are what player 0 leaves over, so their words serve as work space and are written anew.
    """
    stones, cells = state.stones[0], state.stones[1]
    if game.board == Board.BENT:
        size = bent.STRAIGHT_SIZE
        spread_bent(stones, cells)
    else:
        size = game.size
        spread_straight(stones, size, cells)
    first_won = first_owns_last_cell(cells, size, size)
    give_rest_to_second(game, state.stones)
    return 0 if first_won else 1
