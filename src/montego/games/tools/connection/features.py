"""The playout features of Hex and Y: what lies around a point, and how it answers the last two moves.

The *ring* of a point is its six neighbours in order, each empty, own, enemy, or an edge that serves both players (in
Y); an edge of one player counts as his stone. Rings that a rotation or reflection turns into each other are one
pattern, as in MoHex (Huang, Arneson, Hayward, Müller and Pawlewicz, "MoHex 2.0: a pattern-based MCTS Hex player",
2013), whose patterns reach further.

The answer to the last move, the enemy's, is the first of these that holds: the point saves a bridge that the move has
intruded into (own, point, own in a row around the move), touches it, or lies at a bridge's distance from it. The
continuation of the move before, the own one, is to touch it or to make a bridge with it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from montego.games.features import Array, Column, Group
from montego.games.tools.connection.board import DIRECTIONS, holds
from montego.kernels import borrowing, index, inlined

EMPTY, OWN, ENEMY, EDGE = 0, 1, 2, 3  # digits of a ring
RING_CODES = 4**DIRECTIONS

NO_POINT = -1
FIRSTS_EDGE, SECONDS_EDGE, COMMON_EDGE = -2, -3, -4  # in place of a neighbour

SAVES_BRIDGE, TOUCHES, AT_BRIDGE = 1, 2, 3
JOINS, MAKES_BRIDGE = 1, 2


def _numbers() -> tuple[Array, int]:
    """Return the number of the pattern of each ring code, from 1 on, and how many patterns there are."""
    codes = np.arange(RING_CODES)
    digits = (codes[:, None] >> (2 * np.arange(DIRECTIONS))) & 3
    images = []
    for step in (1, -1):
        for turn in range(DIRECTIONS):
            places = (turn + step * np.arange(DIRECTIONS)) % DIRECTIONS
            images.append((digits[:, places] << (2 * np.arange(DIRECTIONS))).sum(axis=1))
    patterns, numbers = np.unique(np.min(images, axis=0), return_inverse=True)
    return (numbers + 1).astype(np.int16), len(patterns)


RING_NUMBERS, RINGS = _numbers()
COLUMNS = (
    Column.of_group(Group("ring", RINGS)),
    Column.of_group(Group("answer", 3)),
    Column.of_group(Group("continuation", 2)),
)
RING, ANSWER, CONTINUATION = 0, 1, 2  # the columns


class FeatureTables(NamedTuple):
    """What lies around each point, place by place: neighbours or edges, and the points at a bridge's distance."""

    rings: Array  # points × 6: a neighbour, or one of the edges, or NO_POINT
    bridges: Array  # points × 6: across the two neighbours at a place and the next one; NO_POINT without both


def feature_tables(rings: Sequence[Sequence[int]]) -> FeatureTables:
    """Return the tables of a board, given the ring of each point."""
    around = np.array(rings, np.int32)
    bridges = np.full_like(around, NO_POINT)
    for point, ring in enumerate(rings):
        for place in range(DIRECTIONS):
            one, other = ring[place], ring[(place + 1) % DIRECTIONS]
            if one >= 0 and other >= 0:
                across = {p for p in rings[one] if p >= 0} & {p for p in rings[other] if p >= 0} - {point}
                bridges[point, place] = min(across, default=NO_POINT)
    return FeatureTables(around, bridges)


def ring_by_angles(xy: Sequence[tuple[float, float]], point: int, near: Sequence[int], edge: int) -> list[int]:
    """Return the neighbours of a point in order around it; what is missing of six is ``edge``, in the widest gap."""
    x, y = xy[point]
    angle = {other: math.atan2(xy[other][1] - y, xy[other][0] - x) for other in near}
    ring = sorted(near, key=lambda other: angle[other])
    gaps = [(angle[ring[place]] - angle[ring[place - 1]]) % (2 * math.pi) for place in range(len(ring))]
    widest = max(range(len(ring)), key=lambda place: gaps[place]) if len(ring) > 1 else 0
    return [*ring[:widest], *[edge] * (DIRECTIONS - len(ring)), *ring[widest:]]


# -------------------------------------------------------------------------------------------------------------- kernels


@inlined
def digit_at(state, player, place):
    """Return what is on a place of a ring for a player: a neighbour or an edge."""
    if place >= 0:
        return np.int64(holds(state.stones, player, place)) + 2 * np.int64(holds(state.stones, 1 - player, place))
    if place == COMMON_EDGE:
        return EDGE
    if place == NO_POINT:
        return EMPTY
    return OWN if (place == FIRSTS_EDGE) == (player == 0) else ENEMY


@borrowing
def ring_number(tables, state, player, point):
    """Return the number of the pattern around an empty point for a player, from 1 on."""
    code = 0
    for place in range(DIRECTIONS):
        code |= digit_at(state, player, np.int64(tables.rings[index(point), index(place)])) << (2 * place)
    return np.int64(RING_NUMBERS[index(code)])


@borrowing
def answer_to(tables, state, player, last, point):
    """Return how a player's move on a point answers the enemy's last one: SAVES_BRIDGE, TOUCHES, AT_BRIDGE or 0."""
    answer = 0
    for place in range(DIRECTIONS):
        if tables.rings[index(last), index(place)] == point:
            before = np.int64(tables.rings[index(last), index((place + DIRECTIONS - 1) % DIRECTIONS)])
            after = np.int64(tables.rings[index(last), index((place + 1) % DIRECTIONS)])
            one, other = digit_at(state, player, before), digit_at(state, player, after)
            is_bridge = one in (OWN, EDGE) and other in (OWN, EDGE) and one + other < 2 * EDGE
            return SAVES_BRIDGE if is_bridge else TOUCHES
        if tables.bridges[index(last), index(place)] == point:
            answer = AT_BRIDGE
    return answer


@borrowing
def continuation_of(tables, own_last, point):
    """Return how a move on a point goes on from the player's last one: JOINS, MAKES_BRIDGE or 0."""
    continuation = 0
    for place in range(DIRECTIONS):
        if tables.rings[index(own_last), index(place)] == point:
            return JOINS
        if tables.bridges[index(own_last), index(place)] == point:
            continuation = MAKES_BRIDGE
    return continuation


@borrowing
def write_ring_features(tables, state, last, own_last, point, values):
    """Write the numbers of an empty point for the player to move; moves that are not points have no answers."""
    points = tables.rings.shape[0]
    player = np.int64(state.to_move)
    values[RING] = ring_number(tables, state, player, point)
    values[ANSWER] = answer_to(tables, state, player, last, point) if 0 <= last < points else 0
    values[CONTINUATION] = continuation_of(tables, own_last, point) if 0 <= own_last < points else 0
