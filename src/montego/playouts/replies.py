"""Replies to the last one or two moves: a bounded table (player, last moves) -> move.

A table that fits into its memory has a cell for every combination. A larger one is hashed into a power of two of cells,
each with a tag of its key; learning another key takes the cell over, and the one foreign reply in 65,536 that is
mistaken for an own one does no harm, as every reply is checked against the rules before it is played. Threads may share
a table: whatever they leave in a cell is some reply or none.
"""

from typing import Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.kernels import index, inlined
from montego.rng import scatter

NONE = -1

_U = np.uint64
_48 = np.uint64(48)

CELL = np.dtype(
    (
        np.record,
        [
            ("move", np.int32),  # + 1, so that 0 is an empty cell
            ("tag", np.uint16),  # of the key, in a hashed table
            ("state", np.uint16),  # how good the reply is, for those who rate it
        ],
    )
)


class Keys(NamedTuple):
    """How the keys of a table of replies are numbered."""

    moves: int  # of the game
    order: int  # how many last moves are replied to, 1 or 2
    hashed: int  # 0: the key is the cell; 1: hash and tag


def new_replies(moves: int, order: int, megabytes: float) -> tuple[Keys, Any]:
    """Return an empty table for a game of so many different moves, with as many cells as it needs or may have."""
    keys = 2 * (moves + 1) ** order
    most = int(megabytes * 1e6) // CELL.itemsize
    if most < 1:
        raise MontegoError(f"{megabytes} megabytes have no room for a reply; give at least 0.001")
    hashed = keys > most
    cells = 1 << (most.bit_length() - 1) if hashed else keys
    return Keys(moves, order, int(hashed)), np.zeros(cells, CELL)


def clear_replies(cells: Any) -> None:
    """Forget every reply."""
    cells.view(np.uint8)[:] = 0


@inlined
def find_reply(keys, cells, player, last, before_last):
    """Return the cell of the reply that ``player`` has to the last moves, and the tag that it has if it is theirs."""
    key = np.int64(last) + 1
    if keys.order == 2:
        key = key * (keys.moves + 1) + np.int64(before_last) + 1
    key = 2 * key + player
    if keys.hashed == 0:
        return key, 0
    word = scatter(key)
    return np.int64(word & _U(len(cells) - 1)), np.int64(word >> _48)


@inlined
def reply_to(keys, cells, player, last, before_last):
    """Return the reply that ``player`` has to the last moves, or ``NONE``."""
    place, tag = find_reply(keys, cells, player, last, before_last)
    cell = cells[index(place)]
    return np.int64(cell.move) - 1 if cell.tag == tag else NONE


@inlined
def store_reply(keys, cells, player, last, before_last, move):
    """Make a move the reply to the last moves."""
    place, tag = find_reply(keys, cells, player, last, before_last)
    cell = cells[index(place)]
    cell.move = move + 1
    cell.tag = tag


@inlined
def drop_reply(keys, cells, player, last, before_last, move):
    """Forget the reply to the last moves if it is this one."""
    place, tag = find_reply(keys, cells, player, last, before_last)
    cell = cells[index(place)]
    if cell.tag == tag and cell.move == move + 1:
        cell.move = 0
