"""A tree search of one game: its memory, its threads, the tree kept from move to move.

``uct.py`` and ``flat.py`` say which settings there are, ``simulation.py`` what one simulation does, ``findings.py``
what is read off the tree afterwards.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any

import numpy as np

from montego.errors import MontegoError
from montego.games import Game, Position
from montego.games.rules import search_moves
from montego.playouts import HISTORY, PlayoutMaps, playout_maps
from montego.rng import next_word, stream
from montego.search import findings
from montego.search.analysis import NO_LIMITS, Analysis, Limits, MoveStatistics
from montego.search.budget import Budget, spend, spend_in_threads
from montego.search.choice import BEST, TUNED
from montego.search.criticality import point_of_moves
from montego.search.expansion import grow_root
from montego.search.keeping import keep_most
from montego.search.knowledge import NONE
from montego.search.pruning import KEEP_ALL
from montego.search.rave import EVEN, OFF
from montego.search.records import (
    BARRED,
    COUNTERS,
    DECIDED,
    FULL,
    FULL_FOR_GOOD,
    HAS_ROOM,
    MOMENTS,
    MORE,
    MOST_CHILDREN,
    MOST_NODES,
    NODE,
    OPEN,
    PROOF,
    ROOT,
    START,
    Desk,
    Tree,
    memories,
    new_desk,
    on_own_lines,
)
from montego.search.settings import Parallel, kernel_settings, set_reward
from montego.search.simulation import simulate
from montego.search.stopping import WHEN_DECIDED, is_decided, is_unclear


@dataclass
class TreeSearch:
    """One tree search of one game, on one or several threads.

    ``trees`` has one tree that all threads share, or with root parallelism one for each thread. ``record`` holds the
    settings as kernels read them.
    """

    game: Game
    settings: Any
    trees: list[Tree] = field(init=False)
    desks: list[Desk] = field(init=False)

    def __post_init__(self) -> None:
        game, settings = self.game, self.settings
        self.record = kernel_settings(game, settings)
        self._refuse_misfits()
        own_trees = settings.threads if settings.parallel == Parallel.ROOT else 1
        self.has_moments = bool(self.record.bandit == TUNED or self.record.prune.kind != KEEP_ALL)
        self.has_starts = bool(self.record.initial.kind != NONE)
        self.node_bytes = NODE.itemsize + self.has_moments * MOMENTS.itemsize + self.has_starts * START.itemsize
        self.capacity = min(MOST_NODES, max(1, settings.memory * 10**6 // self.node_bytes // own_trees))
        self.trees = [self._new_tree() for _ in range(own_trees)]
        policies = (settings.playout, settings.prior)
        both = zip(*(memories(policy, game, own_trees, settings.threads) for policy in policies), strict=True)
        point_of = point_of_moves(game) if self.record.criticality else None
        self.desks = [new_desk(game, settings.depth, stream(0), own, others, point_of) for own, others in both]
        self._at_work = [Lock() for _ in self.desks]  # held while a thread simulates
        self._looked_at = Lock()  # held while somebody reads the trees
        self._planted: Position | None = None
        self._decided: Position | None = None  # the position of the last decision

    def _refuse_misfits(self) -> None:
        game, record = self.game, self.record
        if not game.alternates and (record.rave.kind != OFF or record.expand.least > 0):
            raise MontegoError(f"{game} lets a player move twice: use rave=off, and expand=visits without least")
        if record.rave.kind == OFF and self.settings.playout.needs_amaf:
            raise MontegoError("playout pool_rave picks moves by their AMAF statistics: give rave=silver, not rave=off")
        if record.criticality and (record.rave.kind == OFF or not self.settings.survey):
            raise MontegoError("criticality adds to AMAF statistics, by the survey: give rave=silver and survey=4")
        if record.amaf_weight.kind != EVEN and self.settings.playout.needs_amaf:
            raise MontegoError("playout pool_rave counts whole AMAF visits: give amaf_weight=even")
        by_visits = self.settings.final == findings.Final.VISITS and record.final_choice.kind == BEST
        if record.stop.kind == WHEN_DECIDED and not by_visits:
            raise MontegoError("stop=decided compares visits: give final=visits and final_choice=best, or stop=off")
        if len(game.new_moves()) > MOST_CHILDREN:
            raise MontegoError(f"{game} has positions of {len(game.new_moves())} moves; a tree takes {MOST_CHILDREN}")

    def _new_tree(self) -> Tree:
        """Return arrays for a tree; the system gives them memory only as they are used."""
        try:
            return Tree(
                np.empty(self.capacity, NODE),
                np.empty(self.capacity if self.has_moments else 1, MOMENTS),
                np.empty(self.capacity if self.has_starts else 1, START),
                np.zeros(self.game.move_limit() if self.record.criticality else 1),
            )
        except MemoryError:
            raise MontegoError(
                f"this machine cannot give {self.settings.memory:,} MB to a tree: use a smaller memory"
            ) from None

    # -- the search

    def run(self, position: Position, rng: Any, limits: Limits = NO_LIMITS) -> Analysis:
        settings = self.settings
        seconds = settings.seconds * settings.pace.factor(len(position.moves) // 2)
        budget = Budget(self.budget_of(position), seconds, limits, settings.clock, settings.threads)
        self.plant(position, rng)

        def look() -> Analysis:
            with self._looked_at:
                return findings.analyse(self, position, budget)

        self._grow(position, budget, look)
        return look()

    def budget_of(self, position: Position) -> int:
        """Return the playouts of one decision; 0 for no limit."""
        return int(self.settings.playouts)

    def _grow(self, position: Position, budget: Budget, look: Any) -> None:
        settings = self.settings
        if self.record.stop.kind == WHEN_DECIDED:
            budget.end_when(self._is_decided, settings.stop.every)
        simulations = [partial(self.simulate, position, worker=worker) for worker in range(len(self.desks))]
        self._spend(budget, simulations, look)
        if settings.extra and is_unclear(findings.root_children(self)) and budget.extend(settings.extra):
            self._spend(budget, simulations, look)

    def _spend(self, budget: Budget, simulations: list[Any], look: Any) -> None:
        if len(simulations) == 1:
            spend(budget, simulations[0], look)
        else:
            spend_in_threads(budget, simulations, look)

    def _is_decided(self, left: float) -> bool:
        """Whether the rest of the budget cannot change the move, which is then noted as settled.

        An exchange of the players is decided by a value and not by visits, so it may change until the end.
        """
        with self._looked_at:
            children = findings.root_children(self)
        decided = findings.turning_place(self, children) is None and is_decided(children, left)
        if decided:
            self.desks[0].counters.settled = DECIDED
        return decided

    def simulate(self, position: Position, count: int, worker: int = 0) -> bool:
        """Run simulations from the root at one thread's desk; return whether more are of use."""
        policy, prior, desk = self.settings.playout, self.settings.prior, self.desks[worker]
        left, end = count, int(desk.counters.simulations) + count
        while True:
            if desk.counters.room == FULL:
                self._make_room(worker)
            with self._at_work[worker]:
                tree = self.trees[worker % len(self.trees)]
                simulate(policy, prior, self.game, self.record, position.state, tree, desk, left)
            left = end - int(desk.counters.simulations)
            if left <= 0 or desk.counters.settled != OPEN:
                return int(desk.counters.settled) == OPEN

    def _make_room(self, worker: int) -> None:
        """Cut a full tree back to half of its room, while none of its threads simulates and nobody looks."""
        number, step = worker % len(self.trees), len(self.trees)
        with ExitStack() as stack:
            for lock in (*self._at_work[number::step], self._looked_at):
                stack.enter_context(lock)
            if self.desks[worker].counters.room != FULL:  # another thread was first
                return
            used = self._cut_back(number, ROOT)
            if used:
                self._divide(number, used)
            for desk in self.desks[number::step]:
                desk.counters.room = HAS_ROOM if used else FULL_FOR_GOOD

    def _cut_back(self, number: int, root: int) -> int:
        """Make what is below a node the tree, or the most visited part of it; return its size, or 0: no room."""
        return keep_most(self.trees[number], root, self.capacity // 2, self.settings.depth)

    def simulations(self) -> int:
        """Return the number of simulations of this decision."""
        return sum(int(desk.counters.simulations) for desk in self.desks)

    # -- the tree

    def plant(self, position: Position, rng: Any) -> None:
        """Prepare desks and trees for a position: a new root, or the part of the last tree that still applies."""
        settings = self.settings
        set_reward(self.record, self.game, settings, len(position.moves) + 1)
        self.desks = [self._prepared(desk, rng, worker, position) for worker, desk in enumerate(self.desks)]
        same_game = self._decided is not None and _follows(self._decided, position)
        for desk in self.desks:
            settings.playout.begin_decision(desk.memory, same_game)
            settings.prior.begin_decision(desk.prior_memory, same_game)
        for desk in self.desks[: len(self.trees)]:  # threads on one tree share what was found
            settings.prior.study(desk.prior_memory, position, desk.rng)
        self._decided = position.copy()
        line = self._moves_since(position)
        self._planted = None  # Ctrl-C in between must not leave a tree that belongs to another position
        for number, tree in enumerate(self.trees):
            desk = self.desks[number]
            tree.critical[:] = 0.0
            used = self._keep(number, line) if line is not None else 0
            desk.counters.next_node, desk.counters.end_of_nodes = max(1, used), self.capacity
            if used == 0 or self.trees[number].nodes[ROOT]["status"] & MORE:
                self._plant_root(position, number, new=used == 0)
                used = int(desk.counters.next_node)
            if not self.record.solver:
                tree = self.trees[number]
                tree.nodes["status"][:used] &= 0xFFFF ^ PROOF  # of a decision with another reward
            self._bar_children(self.children(ROOT, number), position)
            self._divide(number, used)
        self._planted = position.copy() if settings.reuse else None

    def _prepared(self, desk: Desk, rng: Any, worker: int, position: Position) -> Desk:
        """Return a desk with its counters at zero and the last moves of the game in its trace."""
        rng = on_own_lines(rng if worker == 0 else stream(int(next_word(rng))))
        desk = desk._replace(rng=rng, counters=on_own_lines(np.zeros(1, COUNTERS)[0]))
        desk.marks[:] = 0
        desk.survey[:] = 0
        desk.tally[:] = 0
        desk.trace[:HISTORY] = ([-1] * HISTORY + position.moves)[-HISTORY:]
        return desk

    def _plant_root(self, position: Position, number: int, *, new: bool) -> None:
        """Give a root, new or kept, all its children, without those that the history of the game forbids."""
        tree, desk = self.trees[number], self.desks[number]
        if new:
            tree.nodes[ROOT] = np.zeros(1, NODE)[0]
            tree.moments[ROOT] = np.zeros(1, MOMENTS)[0]
            tree.starts[ROOT] = np.zeros(1, START)[0]
        moves = self.root_moves(position)
        if not grow_root(self.settings.prior, self.game, self.record, tree, desk, position.state, moves):
            raise MontegoError(f"{self.settings.memory} MB have no room for {len(moves)} moves: give more memory")

    def root_moves(self, position: Position) -> Any:
        """Return the moves that a search of a position considers: sensible ones that the history permits, else all."""
        scratch = self.desks[0].scratch
        count = search_moves(self.game, position.state, scratch)
        legal = position.legal_numbers()
        moves = scratch[:count][np.isin(scratch[:count], legal)]
        return moves.copy() if len(moves) else legal.copy()

    def _divide(self, number: int, used: int) -> None:
        """Give each thread of a tree its own part of the nodes that are not used yet."""
        sharers = self.desks[number :: len(self.trees)]
        share = (self.capacity - used) // len(sharers)
        for place, desk in enumerate(sharers):
            desk.counters.next_node = used + place * share
            desk.counters.first_node = (
                desk.counters.next_node if place else 0
            )  # what is used already counts as the first one's
            desk.counters.end_of_nodes = used + (place + 1) * share

    # -- the tree of the move before

    def _moves_since(self, position: Position) -> list[int] | None:
        """Return the moves from the position of the last search to this one, or None if it is not a later one."""
        last = self._planted
        if not self.settings.reuse or last is None or not _follows(last, position):
            return None
        return position.moves[len(last.moves) :]

    def _keep(self, number: int, line: list[int]) -> int:
        """Make the subtree after some moves the tree; return its size, or 0 if there is nothing to keep."""
        node = ROOT
        for move in line:
            children = self.children(node, number)
            places = np.flatnonzero(children["move"] == move)
            if len(places) == 0:
                return 0
            node = int(self.trees[number].nodes[node].first_child) + int(places[0])
        if self.trees[number].nodes[node].first_child == 0:
            return 0
        return self._cut_back(number, node)

    def _bar_children(self, children: Any, position: Position) -> None:
        """Mark the children of the root that the history of the game forbids."""
        legal = np.isin(children["move"], position.legal_numbers())
        if legal.any():
            children["status"][~legal] |= BARRED

    # -- for people who look into it

    def explore(self, line: Sequence[int]) -> list[MoveStatistics]:
        """Return the statistics of the moves after a line from the root of the first tree, most visits first."""
        node = ROOT
        for move in line:
            places = np.flatnonzero(self.children(node)["move"] == move)
            if len(places) == 0:
                return []
            node = int(self.trees[0].nodes[node].first_child) + int(places[0])
        if self.trees[0].nodes[node].first_child == 0:
            return []
        found = findings.statistics(self, self.children(node))
        return sorted(found, key=lambda entry: (-entry.visits, -(entry.value or 0.0)))

    def playout_maps(self, position: Position, playouts: int, rng: Any) -> PlayoutMaps:
        """Return the maps of playouts from a position by the policy with what it has learned."""
        return playout_maps(position, playouts, rng, self.settings.playout, self.desks[0].memory)

    def nodes_in_use(self) -> int:
        """Return how many nodes all trees have together."""
        return sum(int(desk.counters.next_node - desk.counters.first_node) for desk in self.desks)

    def children(self, node: int = ROOT, number: int = 0) -> Any:
        """Return the records of a node's children."""
        nodes = self.trees[number].nodes
        first = int(nodes[node].first_child)
        return nodes[first : first + int(nodes[node].children)]


def _follows(earlier: Position, later: Position) -> bool:
    """Whether a position is an earlier one of the same game, or the same one, continued."""
    return earlier.setup == later.setup and later.moves[: len(earlier.moves)] == earlier.moves
