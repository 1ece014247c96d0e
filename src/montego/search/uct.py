"""UCT with RAVE: the player around ``tree.simulate``: budgets, the clock, memory, the final move, the analysis."""

import math
import time
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.games import Game, Position
from montego.games.rules import search_moves
from montego.playouts import PLAYOUTS, Uniform
from montego.rewards import REWARDS, WinLoss
from montego.search.analysis import NO_LIMITS, Analysis, Limits, MoveStatistics
from montego.search.expansion import EXPANSIONS, Visits
from montego.search.rave import RAVES, NoRave
from montego.search.tree import NODE, ROOT, SETTINGS, TREE, add_children, simulate
from montego.spec import Param

_CHUNK_SECONDS = 0.01  # between two looks at the clock and the keyboard
_FIRST_CHUNK = 16
_MAX_DEPTH = 512


class Final(IntEnum):
    """Which move is played at the end: of the highest mean, the most visits, or the highest lower confidence bound."""

    MEAN = 0
    VISITS = 1
    LCB = 2


class Uct(NamedTuple):
    """UCT: a tree grown by simulations, each choosing moves by UCB1, with RAVE if wanted."""

    playouts: Annotated[int, Param("simulations of one decision; 0: no limit but the seconds", 0)] = 1000
    seconds: Annotated[float, Param("time of one decision; 0: no limit but the playouts", 0, 1e6)] = 0.0
    c: Annotated[float, Param("exploration c of c √(ln N / n); UCB1 has √2", 0, 100, "sigmoid of the final score")] = (
        0.7
    )
    first_play: Annotated[float, Param("value of a move never tried; 1e6 tries each once", 0, 1e6, "refinements")] = 1e6
    rave: Annotated[Any, Param("how all-moves-as-first statistics are mixed in", paper="refinements"), RAVES] = NoRave()
    expand: Annotated[Any, Param("when a leaf gets children", paper="refinements"), EXPANSIONS] = Visits()
    reward: Annotated[Any, Param("what a playout is worth", paper="sigmoid of the final score"), REWARDS] = WinLoss()
    final: Annotated[Final, Param("which move is played in the end")] = Final.VISITS
    playout: Annotated[Any, Param("how playouts are played"), PLAYOUTS] = Uniform()
    depth: Annotated[int, Param("greatest depth of the tree in plies; 1 is a bandit over the moves", 1, _MAX_DEPTH)] = (
        _MAX_DEPTH
    )
    memory: Annotated[int, Param("megabytes for the tree; when full it is searched, but not grown", 1, 10**6)] = 200

    def search(self, game: Game) -> "UctSearch":
        """Return the search that these settings describe."""
        return UctSearch(game, self)


class Ucb(NamedTuple):
    """UCB1 over the moves of the position, without a tree."""

    playouts: Annotated[int, Param("playouts of one decision; 0: no limit but the seconds", 0)] = 1000
    seconds: Annotated[float, Param("time of one decision; 0: no limit but the playouts", 0, 1e6)] = 0.0
    c: Annotated[float, Param("exploration c of c √(ln N / n); UCB1 has √2", 0, 100, "sigmoid of the final score")] = (
        math.sqrt(2.0)
    )
    reward: Annotated[Any, Param("what a playout is worth", paper="sigmoid of the final score"), REWARDS] = WinLoss()
    final: Annotated[Final, Param("which move is played in the end")] = Final.MEAN
    playout: Annotated[Any, Param("how playouts are played"), PLAYOUTS] = Uniform()

    def search(self, game: Game) -> "UctSearch":
        """Return a tree search of one ply."""
        return UctSearch(game, Uct(*self[:3], reward=self.reward, final=self.final, playout=self.playout, depth=1))


@dataclass
class UctSearch:
    """One tree search of one game. The tree starts anew with every decision."""

    game: Game
    settings: Uct
    nodes: Any = field(init=False)
    tree: Any = field(init=False)

    def __post_init__(self) -> None:
        game, settings = self.game, self.settings
        self.work, self.trace, self.scratch = game.new_state(), game.new_trace(), game.new_moves()
        self.marks = np.zeros(game.move_limit(), np.int64)
        self.path = np.zeros(settings.depth + 1, np.int32)
        self.numbers = np.zeros(1, SETTINGS)[0]
        self.nodes = np.zeros(max(1, settings.memory * 10**6 // NODE.itemsize), NODE)
        self.tree = np.zeros(1, TREE)[0]
        numbers = self.numbers
        numbers.exploration, numbers.first_play = settings.c, settings.first_play
        numbers.expand_visits, numbers.max_depth = settings.expand.setting(), settings.depth
        numbers.rave, numbers.rave_first, numbers.rave_second = settings.rave.setting()
        numbers.reward, numbers.reward_constant = settings.reward.setting(game.max_score())

    def run(self, position: Position, rng: Any, limits: Limits = NO_LIMITS) -> Analysis:
        began = time.perf_counter()
        self.plant(position)
        try:
            self._grow(position, rng, began, limits)
        except KeyboardInterrupt:
            if self.tree.simulations == 0:
                raise
        return self._analyse(position, time.perf_counter() - began)

    def plant(self, position: Position) -> None:
        """Start a new tree: the root, and its children without those that the history of the game forbids."""
        self.tree.nodes, self.tree.simulations, self.tree.depth_sum = 1, 0, 0
        self.marks[:] = 0
        self.nodes[ROOT] = np.zeros(1, NODE)[0]
        moves = self._root_moves(position)
        add_children(self.nodes, self.tree, ROOT, moves, len(moves))

    def _root_moves(self, position: Position) -> Any:
        count = search_moves(self.game, position.state, self.scratch)
        legal = position.legal_numbers()
        moves = self.scratch[:count][np.isin(self.scratch[:count], legal)]
        return moves.copy() if len(moves) else legal

    def _grow(self, position: Position, rng: Any, began: float, limits: Limits) -> None:
        """Simulate in chunks until a budget is used up or the watcher says stop."""
        playouts = self.settings.playouts if limits.playouts is None else limits.playouts
        seconds = self.settings.seconds if limits.seconds is None else limits.seconds
        most = playouts or (10**12 if seconds or limits.watch else 1000)
        chunk = _FIRST_CHUNK
        while (done := int(self.tree.simulations)) < most:
            started = time.perf_counter()
            if seconds and done and started - began >= seconds:
                return
            self.simulate(position, rng, min(chunk, most - done))
            chunk = _next_chunk(chunk, time.perf_counter() - started)
            if limits.watch and limits.watch(lambda: self._analyse(position, time.perf_counter() - began)):
                return

    def simulate(self, position: Position, rng: Any, count: int) -> None:
        """Run simulations from the root."""
        simulate(
            self.settings.playout,
            self.game,
            self.numbers,
            position.state,
            self.work,
            self.nodes,
            self.tree,
            rng,
            self.path,
            self.trace,
            self.scratch,
            self.marks,
            count,
        )

    # -- what was found

    def children(self, node: int = ROOT) -> Any:
        """Return the records of a node's children."""
        first = int(self.nodes[node].first_child)
        return self.nodes[first : first + int(self.nodes[node].children)]

    def _best(self, node: int) -> int:
        """Return the index of the child that would be played at a node."""
        children = self.children(node)
        visits = np.maximum(children["visits"], 1)
        mean = np.where(children["visits"] > 0, children["total"] / visits, -1.0)
        if self.settings.final == Final.MEAN:
            merit = mean
        elif self.settings.final == Final.VISITS:
            merit = children["visits"] + mean / 2
        else:
            merit = np.where(children["visits"] > 0, mean - 1.96 * np.sqrt(mean * (1 - mean) / visits), -1.0)
            merit -= 1.0 / visits
        return int(self.nodes[node].first_child) + int(np.argmax(merit))

    def principal_variation(self) -> list[str]:
        """Return the moves that the search expects, from the root to where the tree knows nothing."""
        moves, node = [], ROOT
        while self.nodes[node].children and self.children(node)["visits"].max() > 0:
            node = self._best(node)
            moves.append(self.game.move_name(int(self.nodes[node].move)))
        return moves

    def _analyse(self, position: Position, seconds: float) -> Analysis:
        chosen = int(self.nodes[self._best(ROOT)].move)
        return Analysis(
            self.game.move_name(chosen),
            chosen,
            int(self.tree.simulations),
            seconds,
            [self._statistics(child) for child in self.children()],
            self.principal_variation(),
            int(self.tree.nodes),
            float(self.tree.depth_sum) / max(1, int(self.tree.simulations)),
        )

    def _statistics(self, child: Any) -> MoveStatistics:
        visits, amaf_visits = int(child["visits"]), int(child["amaf_visits"])
        return MoveStatistics(
            self.game.move_name(int(child["move"])),
            int(child["move"]),
            visits,
            float(child["total"]) / visits if visits else None,
            amaf_visits,
            float(child["amaf_total"]) / amaf_visits if amaf_visits else None,
        )


def _next_chunk(chunk: int, seconds: float) -> int:
    """Return how many simulations fill one chunk of time, by how long the last ones took."""
    return max(1, min(4 * chunk, int(chunk * _CHUNK_SECONDS / max(seconds, 1e-6))))
