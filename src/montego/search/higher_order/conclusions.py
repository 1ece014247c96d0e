"""What is concluded from the counts: the move to play (Raiko 2006, eq. 4 and 5), owners of points, patterns.

Patterns can be kept from one move to the next, which the paper names as the first thing to try (4).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from montego.games import Position
from montego.search.analysis import by_point
from montego.search.higher_order.arrays import EMPTY, PatternTable, Workbench
from montego.search.higher_order.patterns import add_pattern


class FinalRule(IntEnum):
    """Which move is played: the best by first-order statistics (eq. 4), or that with the worst best answer (eq. 5)."""

    FIRST = 0
    MINMAX = 1


@dataclass(frozen=True)
class Pattern:
    """One pattern: its moves as (player, move), in the order of refinement, and how often it was seen."""

    moves: tuple[tuple[int, int], ...]
    seen: float


def means(table: PatternTable, patterns: Any, player: int, doubt: float) -> Any:
    """Return h(m0 | p) of every move for a player, with ``doubt`` added to the visits: unseen moves count for little.

    ``patterns`` is the number of a pattern, or an array of them.
    """
    visits = table.made[patterns, player] + doubt
    return table.wins[patterns, player] / np.where(visits > 0, visits, 1.0)


def answers(table: PatternTable, mover: int, doubt: float) -> tuple[Any, Any]:
    """Return for every move m1 of the mover max h(m0 | {m1}) over the opponent's answers m0, and that answer.

    Where {m1} is not a pattern, the empty pattern is the maximal one that applies. m0 is never m1 itself.
    """
    worth = means(table, table.singles[mover], 1 - mover, doubt)
    np.fill_diagonal(worth, -1.0)
    return worth.max(axis=1).clip(0.0), worth.argmax(axis=1)


def merits(table: PatternTable, mover: int, final: FinalRule, doubt: float) -> tuple[Any, Any]:
    """Return how much every slot deserves to be played, and the answers expected if they were looked at.

    Eq. 4, or one less what eq. 5 minimises, with eq. 4 between equals.
    """
    first = means(table, EMPTY, mover, doubt)
    if final == FinalRule.FIRST:
        return first, None
    worth, answer = answers(table, mover, doubt)
    return 1.0 - worth + 1e-9 * first, answer


def list_patterns(table: PatternTable, bench: Workbench) -> list[Pattern]:
    """Return the patterns in the order in which they were found."""
    found: list[Pattern] = []
    for number in range(int(bench.head.patterns)):
        before = found[int(table.parents[number])].moves if number else ()
        new = [move for move in _moves(table, bench, number) if move not in before]
        found.append(Pattern((*before, *new), float(table.seen[number])))
    return found


def _moves(table: PatternTable, bench: Workbench, pattern: int) -> list[tuple[int, int]]:
    """Return the (player, move) of a pattern."""
    return [
        (player, int(bench.moves[64 * word + bit]))
        for player in range(2)
        for word, bits in enumerate(table.members[pattern, player])
        for bit in range(64)
        if int(bits) >> bit & 1
    ]


def ownership(position: Position, table: PatternTable, bench: Workbench) -> dict[str, float]:
    """Return the mean owner of every point at the end of playouts that fill the board, 1 player 0 and -1 player 1."""
    stones = position.owners()
    mean = np.where(stones == 0, 1.0, -1.0)
    total = table.made[EMPTY].sum(axis=0)
    mean[bench.moves] = (table.made[EMPTY, 0] - table.made[EMPTY, 1]) / np.where(total > 0, total, 1.0)
    return by_point(position.game, mean)


# ---------------------------------------------------------------------------------------------- kept for the next move


def carry_over(
    before: tuple[Position, PatternTable, Workbench], position: Position, table: PatternTable, bench: Workbench
) -> None:
    """Fill a new table with what the patterns of an earlier position of the same game say about this one.

    The moves made since then are taken out of the patterns that hold them; patterns that they contradict are dropped.
    Of the old patterns that become the same, the largest is kept, as its playouts are most like those to come.
    """
    earlier, old_table, old_bench = before
    length = len(earlier.moves)
    if earlier.setup != position.setup or position.moves[:length] != earlier.moves:
        return
    made = _moves_since(earlier, position)
    if made is None:
        return
    taken = {move for _, move in made}
    kept: dict[frozenset[tuple[int, int]], tuple[int, int]] = {}
    for number, pattern in enumerate(list_patterns(old_table, old_bench)):
        rest = frozenset(move for move in pattern.moves if move not in made)
        if any(move in taken for _, move in rest):
            continue
        if rest not in kept or kept[rest][0] < len(pattern.moves):
            kept[rest] = (len(pattern.moves), number)
    shared = old_bench.slots[bench.moves]
    numbers: dict[frozenset[tuple[int, int]], int] = {frozenset(): EMPTY}
    for moves, (_, number) in sorted(kept.items(), key=lambda item: len(item[0])):
        place = _place_of(moves, numbers, table, bench)
        if place is not None:
            _copy(old_table, number, table, place, shared)


def _moves_since(earlier: Position, position: Position) -> set[tuple[int, int]] | None:
    """Return the (player, move) made since an earlier position, or None if one of them was not a placement."""
    walk = earlier.copy()
    made = set()
    for move in position.moves[len(earlier.moves) :]:
        made.add((walk.to_move, move))
        walk.play(move)
    stones = int((walk.owners() >= 0).sum()) - int((earlier.owners() >= 0).sum())
    return made if stones == len(made) else None


def _place_of(moves: Any, numbers: dict[Any, int], table: PatternTable, bench: Workbench) -> int | None:
    """Return the number of a pattern in the new table, added if there is room and a parent; else None."""
    if moves not in numbers:
        parents = [move for move in moves if moves - {move} in numbers]
        if not parents or bench.head.patterns >= bench.settings.most_patterns or len(moves) > bench.settings.most_moves:
            return None
        player, move = min(parents)
        numbers[moves] = int(
            add_pattern(table, bench.head, numbers[moves - {(player, move)}], player, int(bench.slots[move]))
        )
    return numbers[moves]


def _copy(old: PatternTable, number: int, table: PatternTable, place: int, shared: Any) -> None:
    """Copy the statistics of a pattern for the slots that are still there."""
    table.seen[place] = old.seen[number]
    table.won[place] = old.won[number]
    table.chosen[place] = np.ascontiguousarray(old.chosen[number][:, shared])
    table.made[place] = np.ascontiguousarray(old.made[number][:, shared])
    table.wins[place] = np.ascontiguousarray(old.wins[number][:, shared])
