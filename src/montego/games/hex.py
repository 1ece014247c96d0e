"""Hex: connect your two sides of a rhombus of hexagons; one of the players always does.

Red (player 0) connects top and bottom, Blue (player 1) left and right. Points are named by column letter and row number
from the top: a1 is the top left corner, and (row, column) touches (row + 1, column - 1) and (row - 1, column + 1), so
that a1 and the opposite corner are the acute ones with two neighbours.

The swap rule takes away the first player's advantage: after the first stone the second player may take it over instead
of playing. Two conventions say the same:

- *swap-pieces*, used here (move ``swap-pieces``, or ``swap`` for short): the players keep their sides and colours, the
  stone changes its colour and goes to its mirror image (row and column exchanged), and the first player moves again;
- *swap-sides*: the stone stays, the players exchange colours and sides, and the first player, now with the other
  colour, moves again. Mirror every stone and exchange the colours, and a swap-sides game is a swap-pieces game.

A full board is decided by micro-reduction (van Rijswijck, "Search and evaluation in Hex", 2002), as Hex is Y on a
triangle with two corners already filled.
"""

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.games import connection
from montego.games.connection import (
    full_board_winner,
    give_rest_to_second,
    goal,
    holds,
    list_empty_points,
    move_to,
    neighbour,
    place,
    point_count,
    sides_at,
    word_count,
)
from montego.games.game import Game
from montego.games.layout import Layout, Shape
from montego.games.rules import (
    is_legal,
    legal_moves,
    play,
    playout_moves,
)
from montego.kernels import implements, index, kernel
from montego.spec import Param

MAX_SIZE = 25
GOAL = 3  # both of a player's sides
STATE = connection.state_dtype(MAX_SIZE**2, bits=MAX_SIZE**2)
SWAP = "swap-pieces"
LETTERS = "abcdefghijklmnopqrstuvwxyz"

# The six directions as steps of (row, column).
STEPS = np.array([(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)], np.int64)

_U = np.uint64
_ZERO, _ONE, _63, _64 = (np.uint64(n) for n in (0, 1, 63, 64))


class _Rules(NamedTuple):
    size: Annotated[int, Param("points a side", 1, MAX_SIZE)] = 11
    swap: Annotated[bool, Param("the second player may take over the first stone (swap-pieces)")] = False


class Hex(_Rules, Game, name="hex"):
    """Hex: Red connects top and bottom, Blue left and right."""

    players = ("Red", "Blue")
    symbols = "RB."
    gtp_dialect = "hex"
    colours = ("#d9432f", "#2f6fd9")

    def state_dtype(self) -> np.dtype[Any]:
        return STATE

    def move_limit(self) -> int:
        return self.size**2 + self.swap

    def max_length(self) -> int:
        return self.size**2 + self.swap

    def move_name(self, move: int) -> str:
        return SWAP if move == self.size**2 else super().move_name(move)

    def parse_move(self, source: str) -> int:
        if self.swap and source.strip().lower() in (SWAP, "swap"):
            return self.size**2
        return super().parse_move(source)

    def pattern_classes(self) -> int:
        return connection.RINGS

    def directions(self) -> int:
        return connection.DIRECTIONS

    def set_up(self, state: Any, stones: dict[str, int], to_move: int) -> None:
        connection.set_up_stones(self, state, stones, to_move)

    def layout(self) -> Layout:
        size, numbers = self.size, range(self.size)
        height = math.sqrt(3) / 2
        points = [(row, column) for row in numbers for column in numbers]
        edge = len(str(size))
        return Layout(
            Shape.HEXAGON,
            names=[f"{LETTERS[column]}{row + 1}" for row, column in points],
            xy=[(column + row / 2, row * height) for row, column in points],
            cells=[(edge + 2 + 2 * column + row, row + 1) for row, column in points],
            marks=[(c - 0.55, -0.95, LETTERS[c]) for c in numbers]
            + [(r / 2 - 1.05, r * height, str(r + 1)) for r in numbers],
            text_marks=[(edge + 1 + 2 * c, 0, LETTERS[c]) for c in numbers]
            + [(r, r + 1, str(r + 1).rjust(edge)) for r in numbers],
            borders=_borders(size),
        )

    def symmetries(self) -> list[list[int]]:
        points = list(range(self.size**2))
        return [points, points[::-1]]  # half a turn; a reflection would exchange the players' sides


def _borders(size: int) -> list[tuple[int, list[tuple[float, float]]]]:
    """Return the outline of the board as four polylines in the colours of the players."""
    side, last = 1 / math.sqrt(3), size - 1

    def corner(row: int, column: int, k: int) -> tuple[float, float]:
        """Return corner k of a cell, clockwise from its top."""
        angle = math.pi * k / 3
        return column + row / 2 + math.sin(angle) * side, row * math.sqrt(3) / 2 - math.cos(angle) * side

    top = [corner(0, c, k) for c in range(size) for k in (5, 0)] + [corner(0, last, 1)]
    bottom = [corner(last, c, k) for c in range(size) for k in (4, 3)] + [corner(last, last, 2)]
    left = [corner(r, 0, k) for r in range(size) for k in (5, 4)] + [corner(last, 0, 3)]
    right = [corner(0, last, 0)] + [corner(r, last, k) for r in range(size) for k in (1, 2)]
    return [(1, left), (1, right), (0, top), (0, bottom)]


# -------------------------------------------------------------------------------------------------- the board


def _bits(points: list[int]) -> list[int]:
    """Return the words of a bit set."""
    chosen = sum(1 << point for point in points)
    return [chosen >> 64 * word & (2**64 - 1) for word in range(STATE["stones"].shape[1])]


def _open_sides(size: int) -> Any:
    """Return for every point on which sides it has a neighbour: bit k for direction k."""
    places = np.arange(MAX_SIZE**2)[:, None]
    rows, columns = places // max(size, 1) + STEPS[:, 0], places % max(size, 1) + STEPS[:, 1]
    inside = (rows >= 0) & (rows < size) & (columns >= 0) & (columns < size)
    return inside @ (1 << np.arange(len(STEPS)))


# The row of every point, by size of the board (a division would be a third of a move); anything beyond the board.
ROW = np.array([[p // max(n, 1) % 256 for p in range(MAX_SIZE**2)] for n in range(MAX_SIZE + 1)], np.uint8)
# Where points have neighbours, by size of the board: cheaper than to compare row and column with the edges.
OPEN_SIDES = np.array([_open_sides(n) for n in range(MAX_SIZE + 1)], np.uint8)
# Bit sets of edge points, by size of the board.
LAST_ROW = np.array([_bits([n * (n - 1) + k for k in range(n)]) for n in range(MAX_SIZE + 1)], np.uint64)
LAST_COLUMN = np.array([_bits([k * n + n - 1 for k in range(n)]) for n in range(MAX_SIZE + 1)], np.uint64)


connection.share_rules(Hex)


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


@kernel
def reduce_rhombus(game, cells):
    """Whether the points in the bit set ``cells`` connect top and bottom; ``cells`` is used up.

    The rhombus is the top of a Y triangle of size 2·size - 1: cell (row, column) with row + column < 2·size - 1, the
    rows below it belonging to player 0 and the columns right of it to player 1. One micro-reduction gives every cell
    the majority of itself, the cell below and the cell to the right; the two filled corners stay as they are, so only the
    rhombus is computed, 64 cells at a time. After 2·size - 2 reductions cell (0, 0) is the whole triangle.
    """
    size = game.size
    words = word_count(game)
    down, up = _U(size), _U(64 - size)
    for _ in range(2 * size - 2):
        for word in range(words):
            here, after = cells[index(word)], cells[index(word + 1)]
            below = here >> down | after << up | LAST_ROW[index(size), index(word)]
            right = (here >> _ONE | after << _63) & ~LAST_COLUMN[index(size), index(word)]
            cells[index(word)] = (here & (below | right)) | (below & right)
    return cells[index(0)] & _ONE != _ZERO


@kernel
def reduce_small_rhombus(game, low, high):
    """Do the same as ``reduce_rhombus`` with two words, in registers: twice as fast, up to size 11."""
    size = game.size
    down, up = _U(size), _U(64 - size)
    last_low, last_high = LAST_ROW[index(size), index(0)], LAST_ROW[index(size), index(1)]
    inner_low, inner_high = ~LAST_COLUMN[index(size), index(0)], ~LAST_COLUMN[index(size), index(1)]
    for _ in range(2 * size - 2):
        below_low, below_high = low >> down | high << up | last_low, high >> down | last_high
        right_low, right_high = (low >> _ONE | high << _63) & inner_low, (high >> _ONE) & inner_high
        low = (low & (below_low | right_low)) | (below_low & right_low)
        high = (high & (below_high | right_high)) | (below_high & right_high)
    return low & _ONE != _ZERO
