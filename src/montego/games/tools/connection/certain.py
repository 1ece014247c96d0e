"""Who has won for certain: a player whose stones and sides are joined by pairs of empty points that nobody can cut.

Two chains with two common empty neighbours are as good as one: whoever cuts in at one of the points is answered at the
other (a bridge is the usual shape; a chain and a side with two common points are joined in the same way). Several such
joints hold together as long as no two of them need the same point. So when all sides of the goal hang together by
joints without a common point, their owner wins, whoever is to move: he answers every intrusion in its own pair. This is
the simplest part of the virtual connections of Anshelevich ("A hierarchical approach to computer Hex", 2002).

A player who has won for certain is always right to be named, but not every won position is seen.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from montego.games.tools.connection.board import DIRECTIONS, NOBODY, goal, neighbour, point_count, sides_at

if TYPE_CHECKING:
    from montego.games.tools.connection.game import ConnectionGame

Pair = tuple[int, int]
_TRIES = 200  # choices of joints looked at, before a position counts as undecided


def certain_pairs(game: ConnectionGame, owners: Sequence[int], player: int) -> list[Pair] | None:
    """Return disjoint pairs of empty points, one of each being enough for a player to win, or None if none are found.

    ``owners`` says who holds each point: 0, 1 or -1.
    """
    near, sides = _board(game, player)
    mine = [owner == player for owner in owners]
    beside = [[*sides[point], *(other for other in near[point] if mine[other])] for point in range(len(owners))]
    chains = _Chains({point: point for point in range(len(owners)) if mine[point]}, {})
    for point in range(len(owners)):
        for other in beside[point] if mine[point] else ():
            chains.join(other, point)
    free = {point: beside[point] for point, owner in enumerate(owners) if owner == NOBODY}
    return _Search(goal(game)).run(chains, free)


@lru_cache(maxsize=16)
def _board(game: ConnectionGame, player: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return the neighbours of each point and the player's sides on which it lies, as negative numbers."""
    points = range(point_count(game))
    found = [[int(neighbour(game, point, k)) for k in range(DIRECTIONS)] for point in points]
    near = [[other for other in around if other >= 0] for around in found]
    return near, [[-bit for bit in (1, 2, 4) if sides_at(game, player, point) & bit] for point in points]


class _Chains:
    """Which stones hang together, and which sides each chain has reached.

    A side is a negative number. It is no stone: two chains that both reach it are not joined by it.
    """

    def __init__(self, parent: dict[int, int], reached: dict[int, int]) -> None:
        self._parent = parent
        self._reached = reached

    def copy(self) -> _Chains:
        return _Chains(self._parent.copy(), self._reached.copy())

    def root(self, node: int) -> int:
        """Return the stone that stands for a chain; a side stands for itself."""
        while node >= 0 and self._parent[node] != node:
            node = self._parent[node]
        return node

    def together(self, one: int, other: int) -> bool:
        """Whether a side or chain (``one``) and a chain hang together; two sides never have to be joined."""
        if one < 0:
            return other < 0 or bool(self._reached.get(self.root(other), 0) & -one)
        return self.root(one) == self.root(other)

    def join(self, one: int, other: int) -> None:
        """Join a side or chain (``one``) with a chain."""
        root = self.root(other)
        if one < 0:
            self._reached[root] = self._reached.get(root, 0) | -one
        elif (first := self.root(one)) != root:
            self._parent[first] = root
            self._reached[root] = self._reached.get(root, 0) | self._reached.get(first, 0)

    def seen_from(self, points: Iterable[list[int]]) -> frozenset[tuple[int, int, int]]:
        """Return what matters to free points that touch something: which chains are one, and what they reached."""
        roots = {node: self.root(node) for nodes in points for node in nodes}
        return frozenset((node, root, self._reached.get(root, 0)) for node, root in roots.items())

    def reach(self, goal: int) -> bool:
        """Whether one chain has reached all sides of a goal."""
        return goal in self._reached.values()


class _Search:
    """Chooses joints that have no point in common until one chain reaches all sides of the goal."""

    def __init__(self, goal: int) -> None:
        self._goal = goal
        self._seen: set[tuple[frozenset[int], frozenset[tuple[int, int, int]]]] = set()
        self._tries = _TRIES

    def run(self, chains: _Chains, free: dict[int, list[int]]) -> list[Pair] | None:
        """Return the pairs that make such a chain; ``free`` lists what each empty point touches."""
        chosen = list(_join_freely(chains, free))
        free = {point: nodes for point, nodes in free.items() if all(point not in pair for pair in chosen)}
        if chains.reach(self._goal):
            return chosen
        if not self._hopeful(chains, free):
            return None
        for (one, other), points in _joints(chains, free).items():
            for pair in combinations(points, 2):
                self._tries -= 1
                if self._tries < 0:
                    return None
                joined = chains.copy()
                joined.join(one, other)
                left = {point: nodes for point, nodes in free.items() if point not in pair}
                state = (frozenset(left), joined.seen_from(left.values()))
                if state in self._seen:
                    continue
                self._seen.add(state)
                if (more := self.run(joined, left)) is not None:
                    return [*chosen, pair, *more]
        return None

    def _hopeful(self, chains: _Chains, free: dict[int, list[int]]) -> bool:
        """Whether the goal would be reached if every point could serve any number of joints."""
        chains = chains.copy()
        while joints := _joints(chains, free):
            for one, other in joints:
                chains.join(one, other)
        return chains.reach(self._goal)


def _joints(chains: _Chains, free: dict[int, list[int]]) -> dict[Pair, list[int]]:
    """Return the free points that two chains, or a side and a chain, have in common, where there are at least two."""
    common: dict[Pair, list[int]] = defaultdict(list)
    for point, nodes in free.items():
        for one, other in combinations(sorted({chains.root(node) for node in nodes}), 2):
            if not chains.together(one, other):
                common[one, other].append(point)
    return {two: points for two, points in common.items() if len(points) > 1}


def _join_freely(chains: _Chains, free: dict[int, list[int]]) -> Iterator[Pair]:
    """Join what has two common points that join nothing else, and yield these points."""
    free, found = dict(free), True
    while found:
        joints, found = _joints(chains, free), False
        uses = Counter(point for points in joints.values() for point in points)
        for (one, other), points in joints.items():
            alone = [point for point in points if uses[point] == 1]
            if len(alone) > 1 and not chains.together(one, other):
                chains.join(one, other)
                for point in alone[:2]:
                    del free[point]
                found = True
                yield alone[0], alone[1]
