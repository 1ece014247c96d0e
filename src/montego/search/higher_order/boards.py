"""Hex and Y: a batch of 64 playouts is 64 full boards, decided together.

The order of moves does not matter in these games, so a playout is a full board. A point of all boards is one word, bit k
for board k, set for player 0; a random filling is a random word a point; and one majority of three words does one step of
micro-reduction (van Rijswijck, 2002) on all 64 boards.
"""

import numpy as np

from montego.games.hex import Hex
from montego.games.tools.connection import holds, point_count
from montego.games.y import Board, Y
from montego.games.y.bent import POINT_OF_CELL, STRAIGHT_SIZE
from montego.kernels import generic, implements, index, kernel
from montego.rng import next_word
from montego.search.higher_order.choice import apply_fresh, begin_playout, completes, pick
from montego.search.higher_order.lanes import fill_lanes, is_filling, judge_lanes, play_lane
from montego.search.higher_order.records import TAKEN

_U = np.uint64
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def cells_of(game: object) -> int:
    """Return how many words micro-reduction of a batch of boards needs."""
    if isinstance(game, Hex):
        return game.size**2
    if isinstance(game, Y):
        size = STRAIGHT_SIZE if game.board == Board.BENT else game.size
        return size * (size + 1) // 2
    return 1


@generic
def boards_won(game, points, cells):
    """Return the full boards that player 0 won, as bits, from one word a point."""


def _fill_lanes(game, root, desk, lanes):
    """Colour every empty point of all boards by chance (Raiko, 1.3)."""
    made, rng = desk.made, desk.rng
    for slot in range(made.shape[1]):
        word = next_word(rng)
        made[index(0), index(slot)] = word
        made[index(1), index(slot)] = ~word


def _play_lane(game, root, desk, table, lane):
    """Fill one board in turns, each player by the evaluations that hold when it moves."""
    made, current, noise = desk.made, desk.current, desk.noise
    missing, maximal, fresh = desk.missing, desk.maximal, desk.fresh
    containing, below, values = table.containing, table.below, table.values
    patterns = np.int64(desk.head.patterns)
    begin_playout(patterns, table.sizes, values, missing, maximal, current)
    bit = _ONE << _U(lane)
    player = np.int64(desk.head.mover)
    for _ in range(made.shape[1]):
        slot = pick(current, noise, player)
        noise[index(0), index(slot)] = TAKEN
        noise[index(1), index(slot)] = TAKEN
        made[index(player), index(slot)] |= bit
        if completes(containing, patterns, player, slot, missing, fresh):
            apply_fresh(below, values, patterns, fresh, maximal, current)
        player = 1 - player


def _judge_lanes(game, root, desk):
    """Put the boards of the batch together and find all their winners."""
    points, made, moves = desk.points, desk.made, desk.moves
    for point in range(point_count(game)):
        points[index(point)] = _ALL if holds(root.stones, 0, point) else _ZERO
    for slot in range(made.shape[1]):
        points[index(moves[index(slot)])] = made[index(0), index(slot)]
    won = boards_won(game, points, desk.cells)
    desk.outcome[index(0)] = won
    desk.outcome[index(1)] = ~won
    desk.outcome[index(2)] = _ZERO


def _is_filling(game):
    return True


@kernel
def majority(a, b, c):
    """Return the bits that two of three words have."""
    return (a & (b | c)) | (b & c)


@kernel
def triangle_won(cells, size):
    """Return the boards whose last cell is player 0's; ``cells`` of a triangle, row by row, is used up."""
    for smaller in range(size - 1, 0, -1):
        at = 0
        for row in range(smaller):
            for cell in range(at, at + row + 1):
                here = cells[index(cell)]
                cells[index(cell)] = majority(here, cells[index(cell + row + 1)], cells[index(cell + row + 2)])
            at += row + 1
    return cells[index(0)]


@kernel
def rhombus_won(cells, size):
    """Return the boards on which player 0 connects top and bottom; ``cells`` is used up.

    The rhombus is the top of a triangle whose other corners are filled: below the last row all is player 0's, right of
    the last column player 1's (``games/hex.py``). What is too far from the top to matter any more is left as it is.
    """
    for reach in range(2 * size - 2, 0, -1):
        for row in range(min(size, reach)):
            last = min(size, reach - row) - 1
            for column in range(last + 1):
                cell = row * size + column
                below = cells[index(cell + size)] if row < size - 1 else _ALL
                right = cells[index(cell + 1)] if column < size - 1 else _ZERO
                cells[index(cell)] = majority(cells[index(cell)], below, right)
    return cells[index(0)]


@implements(boards_won, Hex)
def _hex_boards_won(game, points, cells):
    for point in range(point_count(game)):
        cells[index(point)] = points[index(point)]
    return rhombus_won(cells, game.size)


@implements(boards_won, Y)
def _y_boards_won(game, points, cells):
    if game.board == Board.BENT:
        for cell in range(len(POINT_OF_CELL)):
            cells[index(cell)] = points[index(POINT_OF_CELL[index(cell)])]
        return triangle_won(cells, STRAIGHT_SIZE)
    for point in range(point_count(game)):
        cells[index(point)] = points[index(point)]
    return triangle_won(cells, game.size)


for _game in (Hex, Y):
    implements(is_filling, _game)(_is_filling)
    implements(fill_lanes, _game)(_fill_lanes)
    implements(play_lane, _game)(_play_lane)
    implements(judge_lanes, _game)(_judge_lanes)
