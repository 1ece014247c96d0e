"""Patterns kept from one move to the next, which the paper names as the first thing to try (Raiko 2006, 4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from montego.games import Position
from montego.search.higher_order.findings import list_patterns
from montego.search.higher_order.records import EMPTY, Desk, Table
from montego.search.higher_order.refinement import add_pattern


def carry_over(before: tuple[Position, Table, Desk], position: Position, table: Table, desk: Desk) -> None:
    """Fill a new table with what the patterns of an earlier position of the same game say about this one.

    The moves made since then are taken out of the patterns that hold them; patterns that they contradict are dropped. Of the
    old patterns that become the same, the largest is the one whose playouts are most like those to come.
    """
    earlier, old_table, old_desk = before
    length = len(earlier.moves)
    if earlier.setup != position.setup or position.moves[:length] != earlier.moves:
        return
    made = _moves_since(earlier, position)
    if made is None:
        return
    taken = {move for _, move in made}
    kept: dict[frozenset[tuple[int, int]], tuple[int, int]] = {}
    for number, pattern in enumerate(list_patterns(old_table, old_desk)):
        rest = frozenset(move for move in pattern.moves if move not in made)
        if any(move in taken for _, move in rest):
            continue
        if rest not in kept or kept[rest][0] < len(pattern.moves):
            kept[rest] = (len(pattern.moves), number)
    shared = old_desk.slots[desk.moves]
    numbers: dict[frozenset[tuple[int, int]], int] = {frozenset(): EMPTY}
    for moves, (_, number) in sorted(kept.items(), key=lambda item: len(item[0])):
        place = _place_of(moves, numbers, table, desk)
        if place is not None:
            _copy(old_table, number, table, place, shared)


def _moves_since(earlier: Position, position: Position) -> set[tuple[int, int]] | None:
    """Return the (player, move) made since an earlier position, or None if one of them was no placement."""
    walk = earlier.copy()
    made = set()
    for move in position.moves[len(earlier.moves) :]:
        made.add((walk.to_move, move))
        walk.play(move)
    stones = int((walk.owners() >= 0).sum()) - int((earlier.owners() >= 0).sum())
    return made if stones == len(made) else None


def _place_of(moves: Any, numbers: dict[Any, int], table: Table, desk: Desk) -> int | None:
    """Return the number of a pattern in the new table, added if there is room and a parent; else None."""
    if moves not in numbers:
        parents = [move for move in moves if moves - {move} in numbers]
        if not parents or desk.head.patterns >= desk.settings.most_patterns or len(moves) > desk.settings.most_moves:
            return None
        player, move = min(parents)
        numbers[moves] = int(
            add_pattern(table, desk.head, numbers[moves - {(player, move)}], player, int(desk.slots[move]))
        )
    return numbers[moves]


def _copy(old: Table, number: int, table: Table, place: int, shared: Any) -> None:
    """Copy the statistics of a pattern for the slots that are still there."""
    table.seen[place] = old.seen[number]
    table.won[place] = old.won[number]
    table.made[place] = np.ascontiguousarray(old.made[number][:, shared])
    table.wins[place] = np.ascontiguousarray(old.wins[number][:, shared])
