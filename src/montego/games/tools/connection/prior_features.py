"""The features of Hex and Y for the prior of a tree: shapes of twelve places, answers to the last moves, lines.

The *places* around a point are its six neighbours and the six points at a bridge's distance, as in MoHex 2.0 (Huang,
Arneson, Hayward, Müller and Pawlewicz 2013); each is empty, own, enemy, or an edge that serves both. Places are seen
in the same order by both players: in Hex each sees his own sides above and below, so that a shape knows where he wants
to go. A position is looked at once for all its moves. Five columns:

- *shape*: the shape of twelve places if it is a known one, otherwise that of the six neighbours;
- *answer*: where the last move, the enemy's, is among the twelve places, with what the neighbours are;
- *distance*: steps to the last move if it is not among them;
- *continuation*: where the own last move is among the places, or how far off;
- *line*: how far it is to the own sides and to the enemy's; in Y to the nearest side and to the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from montego.games.features import Array, Column, Group
from montego.games.tools.connection.board import DIRECTIONS, holds, point_count, sides_at
from montego.games.tools.connection.features import (
    COMMON_EDGE,
    EDGE,
    EMPTY,
    ENEMY,
    FIRSTS_EDGE,
    NO_POINT,
    OWN,
    RING_CODES,
    RING_NUMBERS,
    RINGS,
    SECONDS_EDGE,
)
from montego.games.tools.connection.inferior import deadly_places, inferior_rings
from montego.kernels import borrowing, index, inlined

PLACES = 2 * DIRECTIONS
SHAPE, ANSWER, DISTANCE, CONTINUATION, LINE = range(5)  # the columns
COLUMNS = 5
FAR = 4  # steps from the last move that are told apart: 2 straight on, 3, 4; more are one
LINES = 6  # steps from a side that are told apart
_EDGES = 4  # kinds of places beside the board
_FACTOR = np.uint64(0x9E3779B1)  # times 24 bits of code it stays within 64
_MIDDLE = np.uint64(24)
_ZERO, _ONE = np.uint64(0), np.uint64(1)


class PriorTables(NamedTuple):
    """What the prior features of a position are written with, for one thread."""

    cells: Array  # by point, then the edges: what is there for the player to move; written anew for every position
    around: Array  # 2 × points × 12: places of ``cells`` in the order in which each player sees them
    slots: Array  # hash table of the known shapes, all images: 24 bits of code + 1, then the number; 0 is free
    known: int  # how many shapes are known
    answers: Array  # 12 × 4096: the number of the answer, by the place of the last move and the code of the ring
    spots: Array  # 13: the number of the continuation, by the place of the own last move, counted from 1
    most_spots: int  # the greatest of them
    steps: Array  # points × points: distances on the board
    lines: Array  # 2 × points: the numbers of the lines for each player
    filled: Array  # as ``cells``, with stones on points that are dead or captured
    deadly: Array  # 4096: what makes a point dead, by the code of its ring


def prior_columns(game: Any, shapes: Array) -> tuple[Column, ...]:
    """Return what the columns mean for some known shapes."""
    answers, spots = _answer_numbers(game), _spot_numbers(game)
    return (
        Column.of_group(Group("shape", len(shapes) + RINGS)),
        Column.of_group(Group("answer", int(answers.max()))),
        Column.of_group(Group("distance", FAR - 1)),
        Column.of_group(Group("continuation", int(spots.max()) + FAR - 1)),
        Column.of_group(Group("line", LINES**2)),
    )


def prior_tables(game: Any, shapes: Array) -> PriorTables:
    """Return tables for a game and some known shapes, the least codes of their images in rising order."""
    rings, bridges = game.feature_tables()
    points = len(rings)
    near = rings.tolist()
    beside = np.array([[_beside(near, p, k) for k in range(DIRECTIONS)] for p in range(points)], np.int64)
    places = np.hstack([rings, np.where(bridges >= 0, bridges, beside)])
    places = np.where(places >= 0, places, points - 1 - places).astype(np.int16)
    around = np.stack([places, places[:, _of_twelve(game.ring_for_second())]])
    cells = np.zeros(points + _EDGES, np.uint8)
    steps = np.array([_steps_from(near, {point}) for point in range(points)], np.uint8)
    return PriorTables(
        cells,
        around,
        _hash_table(shapes, _images(game)),
        len(shapes),
        _answer_numbers(game),
        _spot_numbers(game),
        int(_spot_numbers(game).max()),
        steps,
        _line_numbers(game, near),
        np.zeros_like(cells),
        deadly_places(),
    )


def _beside(rings: Sequence[Sequence[int]], point: int, place: int) -> int:
    """Return what lies across the neighbours at a place and the next if no point does: the edge that both lie on."""
    near = rings[point][place], rings[point][(place + 1) % DIRECTIONS]
    edges = {at for at in near if at < NO_POINT}
    if min(near) >= 0:
        edges = {at for at in rings[near[0]] if at < NO_POINT} & set(rings[near[1]])
    return COMMON_EDGE if len(edges) > 1 else min(edges, default=NO_POINT)


def inferior_numbers(shapes: Array) -> Array:
    """Return the numbers of the shapes, known ones and rings, in which the point need not be played."""
    inferior = inferior_rings()
    known = np.flatnonzero(inferior[shapes.astype(np.int64) & (RING_CODES - 1)]) + 1
    rings = np.unique(RING_NUMBERS[np.flatnonzero(inferior)]) + len(shapes)
    return np.concatenate([known, rings])


# ----------------------------------------------------------------------------------------------------------- symmetries


def _of_twelve(ring: Sequence[int]) -> list[int]:
    """Return an order of the neighbours, one of the twelve symmetries, as an order of all places."""
    bridge_at = {frozenset((k, (k + 1) % DIRECTIONS)): DIRECTIONS + k for k in range(DIRECTIONS)}
    return [*ring, *(bridge_at[frozenset((ring[k], ring[(k + 1) % DIRECTIONS]))] for k in range(DIRECTIONS))]


def _images(game: Any) -> list[list[int]]:
    return [_of_twelve(ring) for ring in game.ring_symmetries()]


def permuted(codes: Array, order: Sequence[int]) -> Array:
    """Return codes whose place k holds what place ``order[k]`` held."""
    return np.asarray(sum(((codes >> (2 * old)) & 3) << (2 * new) for new, old in enumerate(order)))


def least_codes(game: Any, codes: Array) -> Array:
    """Return the name of each shape: the least code of all its images."""
    return np.asarray(np.min([permuted(codes, order) for order in _images(game)], axis=0))


def _answer_numbers(game: Any) -> Array:
    """Return the number of an answer, from 1 on, for each place of the last move and code of the ring."""
    place, code = np.meshgrid(np.arange(PLACES), np.arange(RING_CODES), indexing="ij")
    names = []
    for order in _images(game):
        new_place = np.argsort(order)[place]
        names.append(new_place * RING_CODES + permuted(code, order[:DIRECTIONS]))
    _, numbers = np.unique(np.min(names, axis=0), return_inverse=True)
    return (numbers.reshape(PLACES, RING_CODES) + 1).astype(np.uint16)


def _spot_numbers(game: Any) -> Array:
    """Return the number of a continuation, from 1 on, for each place of the own last move, counted from 1."""
    names = np.min([np.argsort(order) for order in _images(game)], axis=0)
    _, numbers = np.unique(names, return_inverse=True)
    return np.concatenate([[0], numbers.reshape(-1) + 1]).astype(np.uint16)


# --------------------------------------------------------------------------------------------------------------- tables


def _steps_from(near: Sequence[Sequence[int]], start: set[int]) -> list[int]:
    """Return how many steps every point is from the nearest of some points."""
    steps = dict.fromkeys(start, 0)
    border, distance = start, 0
    while border:
        distance += 1
        border = {other for point in border for other in near[point] if other >= 0} - steps.keys()
        steps |= dict.fromkeys(border, min(255, distance))
    return [steps.get(point, 255) for point in range(len(near))]


def _line_numbers(game: Any, near: Sequence[Sequence[int]]) -> Array:
    """Return for each player and point the number of its lines, from 1 on."""
    to_side = {}
    for player in range(2):
        for side in (1, 2, 4):
            on_it = {point for point in range(len(near)) if sides_at(game, player, point) & side}
            if on_it:
                to_side[player, side] = _steps_from(near, on_it)
    first, second = (np.sort([to_side[key] for key in to_side if key[0] == p], axis=0) for p in range(2))
    if len(first) > 2:  # three sides that serve both
        pairs = [(first[0], first[1])] * 2
    else:
        pairs = [(first[0], second[0]), (second[0], first[0])]
    lines = [np.minimum(one, LINES - 1) * LINES + np.minimum(other, LINES - 1) + 1 for one, other in pairs]
    return np.array(lines, np.uint16)


def _hash_table(shapes: Array, images: Sequence[Sequence[int]]) -> Array:
    """Return the table that finds the number of a shape, from 1 on, by any of its codes."""
    codes = np.concatenate([permuted(shapes.astype(np.int64), order) for order in images])
    numbers = np.tile(np.arange(1, len(shapes) + 1), len(images))
    codes, first = np.unique(codes, return_index=True)
    size = 1 << max(4, int(2 * len(codes)).bit_length())
    slots = np.zeros(size, np.uint64)
    for code, number in zip(codes.tolist(), numbers[first].tolist(), strict=True):
        at = _slot_of(code, size)
        while slots[at]:
            at = (at + 1) % size
        slots[at] = (number << 32) | (code + 1)
    return slots


def _slot_of(code: int, size: int) -> int:
    return ((code * int(_FACTOR)) >> int(_MIDDLE)) & (size - 1)


# -------------------------------------------------------------------------------------------------------------- kernels


@inlined
def shape_of(tables, code):
    """Return the number of the shape with a code of twelve places: a known one, or else that of its ring."""
    last = np.uint64(len(tables.slots) - 1)
    key = np.uint64(code)
    at = ((key * _FACTOR) >> _MIDDLE) & last
    key += _ONE
    while tables.slots[at] != _ZERO:
        if tables.slots[at] & np.uint64(0xFFFFFFFF) == key:
            return np.int64(tables.slots[at] >> np.uint64(32))
        at = (at + _ONE) & last
    return tables.known + np.int64(RING_NUMBERS[index(code & (RING_CODES - 1))])


@borrowing
def look_at_board(game, tables, state):
    """Write what is on every point and edge for the player to move."""
    points, player = point_count(game), np.int64(state.to_move)
    cells = tables.cells
    for point in range(points):
        own, enemy = holds(state.stones, player, point), holds(state.stones, 1 - player, point)
        cells[index(point)] = OWN * np.int64(own) + ENEMY * np.int64(enemy)
    cells[index(points - 1 - NO_POINT)] = EMPTY
    cells[index(points - 1 - FIRSTS_EDGE)] = OWN if player == 0 else ENEMY
    cells[index(points - 1 - SECONDS_EDGE)] = ENEMY if player == 0 else OWN
    cells[index(points - 1 - COMMON_EDGE)] = EDGE


@inlined
def code_at(tables, player, point):
    """Return the code of the twelve places around a point, after ``look_at_board``."""
    code = 0
    for place in range(PLACES):
        at = tables.around[index(player), index(point), index(place)]
        code |= np.int64(tables.cells[index(at)]) << (2 * place)
    return code


@inlined
def spot_of(tables, player, point, other):
    """Return the place of another point among those around a point, counted from 1, or 0 if it is farther away."""
    if other >= 0 and tables.steps[index(point), index(other)] <= 2:
        for place in range(PLACES):
            if tables.around[index(player), index(point), index(place)] == other:
                return place + 1
    return 0


@inlined
def far_number(tables, point, other):
    """Return the number of the distance of a point that is not among the places: 1 for 2 steps, and so on; or 0."""
    if other < 0:
        return 0
    steps = np.int64(tables.steps[index(point), index(other)])
    return steps - 1 if 2 <= steps <= FAR else 0


@borrowing
def write_prior_features(game, tables, state, trace, end, moves, values):
    """Write the numbers of each of some moves after ``trace[:end]``, a row of ``values`` for each; a swap has none."""
    points, player = point_count(game), np.int64(state.to_move)
    last, own_last = np.int64(trace[index(end - 1)]), np.int64(trace[index(end - 2)])
    last, own_last = last if last < points else -1, own_last if own_last < points else -1
    look_at_board(game, tables, state)
    for row in range(len(moves)):
        point, numbers = np.int64(moves[index(row)]), values[index(row)]
        if point >= points:
            numbers[:] = 0
            continue
        code = code_at(tables, player, point)
        numbers[SHAPE] = shape_of(tables, code)
        spot = spot_of(tables, player, point, last)
        numbers[ANSWER] = tables.answers[index(spot - 1), index(code & (RING_CODES - 1))] if spot > 0 else 0
        numbers[DISTANCE] = far_number(tables, point, last) if spot == 0 else 0
        own_spot = spot_of(tables, player, point, own_last)
        farther = far_number(tables, point, own_last) if own_spot == 0 else 0
        own_number = np.int64(tables.spots[index(own_spot)])
        numbers[CONTINUATION] = tables.most_spots + farther if farther > 0 else own_number
        numbers[LINE] = tables.lines[index(player), index(point)]


@borrowing
def write_codes(game, tables, state, moves, values):
    """Write the code of the twelve places around each of some points, half in each of two numbers."""
    player = np.int64(state.to_move)
    look_at_board(game, tables, state)
    for row in range(len(moves)):
        code = 0
        if moves[index(row)] < point_count(game):
            code = code_at(tables, player, np.int64(moves[index(row)]))
        values[index(row), 0] = code & (RING_CODES - 1)
        values[index(row), 1] = code >> (2 * DIRECTIONS)
