"""The rules of Hex as kernels: the rhombus, the swap, and who has won a full board."""

from typing import Any

import numpy as np

from montego.games.hex.game import MAX_SIZE, Hex
from montego.games.hex.reduction import reduce_rhombus, reduce_small_rhombus
from montego.games.rules import is_legal, legal_moves, play, playout_moves
from montego.games.tools.connection.board import (
    full_board_winner,
    give_rest_to_second,
    goal,
    holds,
    list_empty_points,
    neighbour,
    place,
    point_count,
    sides_at,
    word_count,
)
from montego.games.tools.connection.rules import move_to
from montego.kernels import implements, index, kernel

GOAL = 3  # both of a player's sides

# The six directions as steps of (row, column).
STEPS = np.array([(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)], np.int64)

_ZERO = np.uint64(0)


def _open_sides(size: int) -> Any:
    """Return for every point on which sides it has a neighbour: bit k for direction k."""
    places = np.arange(MAX_SIZE**2)[:, None]
    rows, columns = places // max(size, 1) + STEPS[:, 0], places % max(size, 1) + STEPS[:, 1]
    inside = (rows >= 0) & (rows < size) & (columns >= 0) & (columns < size)
    return inside @ (1 << np.arange(len(STEPS)))


# The row of every point, by size of the board (a division would be a third of a move); anything beyond the board.
ROW = (np.arange(MAX_SIZE**2) // np.maximum(np.arange(MAX_SIZE + 1), 1)[:, np.newaxis]).astype(np.uint8)
# Where points have neighbours, by size of the board: cheaper than to compare row and column with the edges.
OPEN_SIDES = np.array([_open_sides(n) for n in range(MAX_SIZE + 1)], np.uint8)


@implements(goal, Hex)
def _goal(game):
    return GOAL


@implements(point_count, Hex)
def _point_count(game):
    return game.size * game.size


@kernel
def row_of(game, point):
    """Return the row of a point; its column is what is left after ``row * size``."""
    return np.int64(ROW[index(game.size), index(point)])


@implements(neighbour, Hex)
def _neighbour(game, point, direction):
    if OPEN_SIDES[index(game.size), index(point)] >> direction & 1:
        return point + STEPS[index(direction), index(0)] * game.size + STEPS[index(direction), index(1)]
    return -1


@implements(sides_at, Hex)
def _sides_at(game, player, point):
    row = row_of(game, point)
    at = row if player == 0 else point - row * game.size
    return (1 if at == 0 else 0) | (2 if at == game.size - 1 else 0)


# ------------------------------------------------------------------------------------------------------------- rules


@kernel
def may_swap(game, state):
    """Whether the player to move may take over the only stone; nothing but the position decides."""
    if not game.swap or state.placed != 1 or state.to_move != 1 or state.winner >= 0:
        return False
    for word in range(word_count(game)):
        if state.stones[index(0), index(word)] != _ZERO:
            return True
    return False


@implements(is_legal, Hex)
def _is_legal(game, state, move):
    if move == game.size * game.size:
        return may_swap(game, state)
    inside = 0 <= move < game.size * game.size
    return inside and state.winner < 0 and not (holds(state.stones, 0, move) or holds(state.stones, 1, move))


@implements(legal_moves, Hex)
def _legal_moves(game, state, moves):
    count = playout_moves(game, state, moves)
    if may_swap(game, state):
        moves[index(count)] = game.size * game.size
        count += 1
    return count


@implements(play, Hex)
def _play(game, state, move):
    if move == game.size * game.size:
        swap_pieces(game, state)
    else:
        move_to(game, state, move)


@kernel
def swap_pieces(game, state):
    """Replace the only stone by one of the other colour on its mirror image."""
    point = 0
    while not holds(state.stones, 0, point):
        point += 1
    for word in range(word_count(game)):
        state.stones[index(0), index(word)] = _ZERO
    state.placed = 0
    row = row_of(game, point)
    column = point - row * game.size
    if place(game, state, 1, column * game.size + row) == GOAL:
        state.winner = 1
    state.to_move = 0


# ---------------------------------------------------------------------------------------------------------- playouts


@implements(playout_moves, Hex)
def _playout_moves(game, state, moves):
    """Write the empty points: a playout never swaps, as a random stone is worth as much to either player."""
    return 0 if state.winner >= 0 else list_empty_points(game, state.stones, moves)


@implements(full_board_winner, Hex)
def winner_by_reduction(game, state):
    """Return the winner of a full board by micro-reduction.

    The bits of player 1 are what player 0 leaves over, so their words serve as work space and are written anew.
    """
    stones, cells = state.stones[0], state.stones[1]
    if word_count(game) <= 2:
        first_won = reduce_small_rhombus(game, stones[index(0)], stones[index(1)])
    else:
        for word in range(word_count(game)):
            cells[index(word)] = stones[index(word)]
        first_won = reduce_rhombus(game, cells)
        give_rest_to_second(game, state.stones)
    return 0 if first_won else 1
