"""The board of a connection game: stones as sets of bits, chains as union-find.

A game answers five questions about its board: ``point_count``, ``neighbour``, ``sides_at``, ``goal`` and
``full_board_winner``. A position is the record of ``state_dtype``: ``stones[player]`` is a bit set of points, ``links``
a union-find forest over the stones. A chain's root carries the sides of the board that the chain touches, so that the
end of the game is seen in the very move that makes the connection.
"""

from typing import Any

import numpy as np

from montego.kernels import generic, index, kernel, lowest_bit

_U = np.uint64
_ZERO, _ONE, _SIX, _63 = (np.uint64(n) for n in (0, 1, 6, 63))
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)

DIRECTIONS = 6  # a point has at most so many neighbours
ROOT = 0x8000  # a link that is not a parent but the mark of a root; its low bits are the sides that the chain touches
SIDES = 0x7
NOBODY = -1
FILLING = -2  # in place of the winner, while a playout fills the board: nobody asks for chains until it is full
RINGS: int = 3**DIRECTIONS  # pattern classes: what is on each of the points around


def state_dtype(points: int, bits: int) -> np.dtype[Any]:
    """Return the record type of a position for up to ``points`` points.

    Bit sets hold ``bits`` bits plus one spare word. The bits beyond the points are zero. Micro-reduction, which decides
    full boards, works in them.
    """
    words = (bits + 63) // 64 + 1
    return np.dtype(
        (
            np.record,
            [
                ("stones", np.uint64, (2, words)),
                ("links", np.uint16, (points,)),  # parent or root mark, for points with a stone
                ("placed", np.int16),  # number of stones
                ("to_move", np.int8),
                ("winner", np.int8),
            ],
        )
    )


@generic
def point_count(game):
    """Return the number of points."""


@generic
def neighbour(game, point, direction):
    """Return the neighbour of a point in one of six directions, or -1 where there is none."""


@generic
def sides_at(game, player, point):
    """Return the set (bits 1, 2, 4) of sides that ``player`` must connect and that ``point`` lies on."""


@generic
def goal(game):
    """Return the set of sides that a winning chain touches."""


@generic
def full_board_winner(game, state):
    """Return the winner of a full board, whose links need not be right."""


# ---------------------------------------------------------------------------------------------------------- bit sets


@kernel
def word_count(game):
    """Return how many words of a bit set hold points."""
    return (point_count(game) + 63) >> 6


@kernel
def holds(stones, player, point):
    """Whether a player has a stone on a point."""
    bit = _U(point)
    return (stones[index(player), index(bit >> _SIX)] >> (bit & _63)) & _ONE != _ZERO


@kernel
def add_stone(stones, player, point):
    """Add a point to a player's bit set."""
    bit = _U(point)
    stones[index(player), index(bit >> _SIX)] |= _ONE << (bit & _63)


@kernel
def all_points(game, word):
    """Return one word of the bit set of all points of the board."""
    inside = point_count(game) - 64 * word
    return _ALL if inside >= 64 else _ALL >> _U(64 - inside)


@kernel
def empty_points(game, stones, word):
    """Return one word of the bit set of empty points."""
    return all_points(game, word) & ~(stones[index(0), index(word)] | stones[index(1), index(word)])


@kernel
def list_empty_points(game, stones, out):
    """Write the empty points in ascending order into ``out`` and return how many there are."""
    count = index(0)
    for word in range(word_count(game)):
        rest = empty_points(game, stones, word)
        while rest != _ZERO:
            out[count] = 64 * word + lowest_bit(rest)
            rest &= rest - _ONE
            count += index(1)
    return np.int64(count)


@kernel
def give_rest_to_second(game, stones):
    """Make player 1's bit set the points that player 0 does not hold, and zero behind them."""
    for word in range(stones.shape[1]):
        inside = word < word_count(game)
        stones[index(1), index(word)] = all_points(game, word) & ~stones[index(0), index(word)] if inside else _ZERO


# ------------------------------------------------------------------------------------------------------------ chains


@kernel
def chain_root(links, point):
    """Return the stone that stands for the chain of a stone, shortening the way to it by halves."""
    while True:
        parent = np.int64(links[index(point)])
        if parent >= ROOT:
            return point
        grandparent = np.int64(links[index(parent)])
        if grandparent >= ROOT:
            return parent
        links[index(point)] = grandparent
        point = grandparent


@kernel
def place(game, state, player, point):
    """Put a stone on an empty point, join it with the chains around, return the sides that its chain now touches."""
    links = state.links
    sides = sides_at(game, player, point)
    root = point
    for direction in range(DIRECTIONS):
        other = neighbour(game, point, direction)
        if other >= 0 and holds(state.stones, player, other):
            chain = chain_root(links, other)
            if chain != root:
                sides |= np.int64(links[index(chain)]) & SIDES
                if root == point:
                    root = chain
                else:
                    links[index(chain)] = root
    links[index(point)] = root
    links[index(root)] = ROOT | sides
    add_stone(state.stones, player, point)
    state.placed += 1
    return sides
