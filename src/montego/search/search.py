"""A tree search of one game: its memory, its threads, the tree kept from move to move.

``uct.py`` and ``flat.py`` say which settings there are, ``tree.py`` what one simulation does, ``findings.py`` what is
read off the tree afterwards.
"""

import math
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from montego.errors import MontegoError
from montego.games import Game, Position
from montego.games.rules import search_moves
from montego.playouts import HISTORY, begin_decision, new_memory, shared_memory
from montego.rng import next_word, stream
from montego.search import findings
from montego.search.analysis import NO_LIMITS, Analysis, Limits
from montego.search.budget import Budget, spend, spend_in_threads
from montego.search.choice import TUNED
from montego.search.expansion import add_children, transplant, weigh
from montego.search.pruning import KEEP_ALL
from montego.search.rave import OFF
from montego.search.records import (
    BARRED,
    BINS,
    MOMENTS,
    MOST_CHILDREN,
    NODE,
    OPEN,
    ROOT,
    SETTINGS,
    TREE,
    Desk,
    new_desk,
    on_own_lines,
)
from montego.search.tree import simulate


@dataclass
class TreeSearch:
    """One tree search of one game, on one or several threads.

    ``trees`` are the nodes and their moments: one that all threads share, or with root parallelism one for each thread.
    """

    game: Game
    settings: Any
    trees: list[tuple[Any, Any]] = field(init=False)
    desks: list[Desk] = field(init=False)

    def __post_init__(self) -> None:
        game, settings = self.game, self.settings
        self.numbers = numbers_of(game, settings)
        self._refuse_misfits()
        own_trees = settings.threads if settings.parallel.name == "ROOT" else 1
        self.has_moments = self.numbers.bandit == TUNED or self.numbers.prune != KEEP_ALL
        node_bytes = NODE.itemsize + (MOMENTS.itemsize if self.has_moments else 0)
        self.capacity = max(1, settings.memory * 10**6 // node_bytes // own_trees)
        self.trees = [self._new_tree() for _ in range(own_trees)]
        self.desks = self._new_desks()
        self._planted: Position | None = None
        self._decided: Position | None = None  # the position of the last decision

    def _refuse_misfits(self) -> None:
        game, numbers = self.game, self.numbers
        if not game.alternates and (numbers.rave != OFF or numbers.expand_least > 0):
            raise MontegoError(f"{game} lets a player move twice: use rave=off, and expand=visits without least")
        if numbers.rave == OFF and getattr(self.settings.playout, "needs_amaf", False):
            raise MontegoError("playout pool_rave picks moves by their AMAF statistics: give rave=silver, not rave=off")
        if len(game.new_moves()) > MOST_CHILDREN:
            raise MontegoError(f"{game} has positions of {len(game.new_moves())} moves; a tree takes {MOST_CHILDREN}")

    def _new_desks(self) -> list[Desk]:
        """Return a desk for each thread; those of one tree share what their playouts learn."""
        game, policy, depth = self.game, self.settings.playout, self.settings.depth
        memories = [new_memory(policy, game) for _ in self.trees]
        memories += [
            shared_memory(policy, game, memories[worker % len(self.trees)])
            for worker in range(len(self.trees), self.settings.threads)
        ]
        return [new_desk(game, depth, stream(0), memory) for memory in memories]

    def _new_tree(self) -> tuple[Any, Any]:
        """Return arrays for a tree; the system gives them memory only as they are used."""
        return np.empty(self.capacity, NODE), np.empty(self.capacity if self.has_moments else 1, MOMENTS)

    # -- the search

    def run(self, position: Position, rng: Any, limits: Limits = NO_LIMITS) -> Analysis:
        budget = Budget(self.budget_of(position), self.settings.seconds, limits)
        self.plant(position, rng)

        def look() -> Analysis:
            return findings.analyse(self, position, budget)

        self._grow(position, budget, look)
        return look()

    def budget_of(self, position: Position) -> int:
        """Return the playouts of one decision; 0 for no limit."""
        return int(self.settings.playouts)

    def _grow(self, position: Position, budget: Budget, look: Any) -> None:
        simulations = [partial(self.simulate, position, worker=worker) for worker in range(len(self.desks))]
        if len(simulations) == 1:
            spend(budget, simulations[0], look)
        else:
            spend_in_threads(budget, simulations, look)

    def simulate(self, position: Position, count: int, worker: int = 0) -> bool:
        """Run simulations from the root at one thread's desk; return whether more are of use."""
        nodes, moments = self.trees[worker % len(self.trees)]
        desk = self.desks[worker]
        settings = self.settings
        simulate(settings.playout, settings.prior, self.game, self.numbers, position.state, nodes, moments, desk, count)
        return int(desk.tree.settled) == OPEN

    def simulations(self) -> int:
        """Return the number of simulations of this decision."""
        return sum(int(desk.tree.simulations) for desk in self.desks)

    # -- the tree

    def plant(self, position: Position, rng: Any) -> None:
        """Prepare desks and trees for a position: a new root, or the part of the last tree that still applies."""
        settings = self.settings
        reward = settings.reward.setting(self.game.max_score(), len(position.moves) + 1)
        self.numbers.reward, self.numbers.reward_first, self.numbers.reward_second = reward
        self.desks = [self._prepared(desk, rng, worker, position) for worker, desk in enumerate(self.desks)]
        same_game = self._decided is not None and _follows(self._decided, position)
        for desk in self.desks:
            begin_decision(settings.playout, desk.memory, same_game)
        self._decided = position.copy()
        line = self._moves_since(position)
        self._planted = None  # Ctrl-C in between must not leave a tree that belongs to another position
        for number, (nodes, moments) in enumerate(self.trees):
            desk = self.desks[number]
            used = self._keep(number, line) if line is not None else 0
            if used == 0:
                desk.tree.next_node, desk.tree.end_of_nodes = 1, self.capacity
                self._plant_root(position, nodes, moments, desk)
                used = int(desk.tree.next_node)
            self._bar_children(self.children(ROOT, number), position)
            self._divide(number, used)
        self._planted = position.copy() if settings.reuse else None

    def _prepared(self, desk: Desk, rng: Any, worker: int, position: Position) -> Desk:
        """Return a desk with its counters at zero and the last moves of the game in its trace."""
        rng = on_own_lines(rng if worker == 0 else stream(int(next_word(rng))))
        desk = desk._replace(rng=rng, tree=on_own_lines(np.zeros(1, TREE)[0]))
        desk.marks[:] = 0
        desk.survey[:] = 0
        desk.trace[:HISTORY] = ([-1] * HISTORY + position.moves)[-HISTORY:]
        return desk

    def _plant_root(self, position: Position, nodes: Any, moments: Any, desk: Desk) -> None:
        """Start a new tree: the root, and its children without those that the history of the game forbids."""
        nodes[ROOT] = np.zeros(1, NODE)[0]
        moments[ROOT] = np.zeros(1, MOMENTS)[0]
        moves, count = self._root_moves(position)
        if self.numbers.widen > 0 or self.numbers.bias > 0:
            prior, state = self.settings.prior, position.state
            weigh(prior, self.game, self.numbers, state, desk.rng, desk.trace, HISTORY, moves, count, desk.weights)
        if not add_children(nodes, moments, desk.tree, ROOT, moves, desk.weights, count):
            raise MontegoError(f"{self.settings.memory} MB have no room for {count} moves: give more memory")

    def _root_moves(self, position: Position) -> tuple[Any, int]:
        scratch = self.desks[0].scratch
        count = search_moves(self.game, position.state, scratch)
        legal = position.legal_numbers()
        moves = scratch[:count][np.isin(scratch[:count], legal)]
        moves = moves.copy() if len(moves) else legal.copy()
        return moves, len(moves)

    def _divide(self, number: int, used: int) -> None:
        """Give each thread of a tree its own part of the nodes that are not used yet."""
        sharers = self.desks[number :: len(self.trees)]
        share = (self.capacity - used) // len(sharers)
        for place, desk in enumerate(sharers):
            desk.tree.next_node = used + place * share
            desk.tree.first_node = desk.tree.next_node if place else 0  # what is used already counts as the first one's
            desk.tree.end_of_nodes = used + (place + 1) * share

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
            node = int(self.trees[number][0][node].first_child) + int(places[0])
        nodes, moments = self.trees[number]
        if nodes[node].first_child == 0:
            return 0
        new_nodes, new_moments = self._new_tree()
        used = int(transplant(nodes, moments, new_nodes, new_moments, node))
        if used == 0 or used > self.capacity // 2:
            return 0
        self.trees[number] = (new_nodes, new_moments)
        return used

    def _bar_children(self, children: Any, position: Position) -> None:
        """Mark the children of the root that the history of the game forbids."""
        legal = np.isin(children["move"], position.legal_numbers())
        if legal.any():
            children["status"][~legal] |= BARRED

    def nodes_in_use(self) -> int:
        """Return how many nodes all trees have together."""
        return sum(int(desk.tree.next_node - desk.tree.first_node) for desk in self.desks)

    def children(self, node: int = ROOT, number: int = 0) -> Any:
        """Return the records of a node's children."""
        nodes = self.trees[number][0]
        first = int(nodes[node].first_child)
        return nodes[first : first + int(nodes[node].children)]


def _follows(earlier: Position, later: Position) -> bool:
    """Whether a position is an earlier one of the same game, or the same one, continued."""
    return earlier.setup == later.setup and later.moves[: len(earlier.moves)] == earlier.moves


def numbers_of(game: Game, settings: Any) -> Any:
    """Return the settings record for the kernels."""
    numbers = np.zeros(1, SETTINGS)[0]
    numbers.bandit, numbers.exploration, numbers.first_play = settings.bandit, settings.c, settings.first_play
    numbers.choice, numbers.choice_first, numbers.choice_second = settings.choice.setting()
    numbers.rave, numbers.rave_first, numbers.rave_second = settings.rave.setting()
    expand = settings.expand.setting()
    numbers.expand_visits, numbers.expand_least = expand.visits, expand.least
    numbers.expand_confidence, numbers.expand_early = expand.confidence, expand.early
    numbers.bias = settings.bias
    numbers.widen, numbers.widen_growth, numbers.widen_first = settings.widen.setting()
    prune = settings.prune.setting()
    numbers.prune, numbers.prune_distance, numbers.prune_sigma = prune.kind, prune.distance, prune.sigma
    numbers.prune_visits, numbers.prune_every = prune.visits, prune.every
    numbers.max_depth, numbers.solver = settings.depth, settings.solver
    numbers.shared = settings.threads > 1 and settings.parallel.name != "ROOT"
    numbers.virtual_loss = settings.virtual_loss if numbers.shared else 0
    numbers.survey_every = settings.survey
    numbers.bin_width = max(1, math.ceil((2 * game.max_score() + 2) / BINS))
    numbers.lowest_score = -math.ceil(game.max_score() / numbers.bin_width) * numbers.bin_width
    return numbers
