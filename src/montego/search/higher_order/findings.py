"""What is read off the statistics in the end: the move to play (Raiko 2006, eq. 4 and 5), statistics, patterns."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from montego.games import Game
from montego.games.connection import point_count
from montego.games.rules import owners
from montego.search.analysis import by_point
from montego.search.higher_order.records import EMPTY, Desk, Table


class Final(IntEnum):
    """Which move is played: the best by first-order statistics (eq. 4), or the one with the worst best answer (eq. 5)."""

    FIRST = 0
    MINMAX = 1


@dataclass(frozen=True)
class Pattern:
    """One pattern: its moves as (player, move), in the order of refinement, and how often it was seen."""

    moves: tuple[tuple[int, int], ...]
    seen: float


def means(table: Table, patterns: Any, player: int, doubt: float) -> Any:
    """Return h(m0 | p) of every move for a player, with ``doubt`` added to the visits: unseen moves count for little.

    ``patterns`` is the number of a pattern, or an array of them.
    """
    visits = table.made[patterns, player] + doubt
    return table.wins[patterns, player] / np.where(visits > 0, visits, 1.0)


def answers(table: Table, mover: int, doubt: float) -> tuple[Any, Any]:
    """Return for every move m1 of the mover max h(m0 | {m1}) over the opponent's answers m0, and that answer.

    Where {m1} is no pattern, the empty pattern is the maximal one that applies. m0 is never m1 itself.
    """
    worth = means(table, table.singles[mover], 1 - mover, doubt)
    np.fill_diagonal(worth, -1.0)
    return worth.max(axis=1).clip(0.0), worth.argmax(axis=1)


def merits(table: Table, mover: int, final: Final, doubt: float) -> tuple[Any, Any]:
    """Return how much every slot deserves to be played, and the answers expected if they were looked at.

    Eq. 4, or one less what eq. 5 minimises, with eq. 4 between equals.
    """
    first = means(table, EMPTY, mover, doubt)
    if final == Final.FIRST:
        return first, None
    worth, answer = answers(table, mover, doubt)
    return 1.0 - worth + 1e-9 * first, answer


def list_patterns(table: Table, desk: Desk) -> list[Pattern]:
    """Return the patterns in the order in which they were found."""
    found: list[Pattern] = []
    for number in range(int(desk.head.patterns)):
        before = found[int(table.parents[number])].moves if number else ()
        new = [move for move in _moves(table, desk, number) if move not in before]
        found.append(Pattern((*before, *new), float(table.seen[number])))
    return found


def _moves(table: Table, desk: Desk, pattern: int) -> list[tuple[int, int]]:
    """Return the (player, move) of a pattern."""
    return [
        (player, int(desk.moves[64 * word + bit]))
        for player in range(2)
        for word, bits in enumerate(table.members[pattern, player])
        for bit in range(64)
        if int(bits) >> bit & 1
    ]


def ownership(game: Game, state: Any, table: Table, desk: Desk) -> dict[str, float]:
    """Return the mean owner of every point at the end of playouts that fill the board, 1 player 0 and -1 player 1."""
    stones = np.full(int(point_count(game)), -1, np.int8)
    owners(game, state, stones)
    mean = np.where(stones == 0, 1.0, -1.0)
    total = table.made[EMPTY].sum(axis=0)
    mean[desk.moves] = (table.made[EMPTY, 0] - table.made[EMPTY, 1]) / np.where(total > 0, total, 1.0)
    return by_point(game, mean)
