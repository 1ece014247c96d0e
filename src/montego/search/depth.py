"""The depth-i enhancement: Monte-Carlo means of all positions i plies deep, and minimax over them.

Refinements lecture, after Bouzy (2004): all positions that i moves can lead to are listed, each gets the same number of
playouts, and their means are taken as if they were exact values. Depth 1 is flat Monte-Carlo. Values are player 0's.
"""

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games import Game, Position
from montego.games.rules import is_over, play, score, search_moves, to_move
from montego.kernels import copy_record, index, kernel
from montego.playouts import HISTORY, PLAYOUTS, Uniform, new_memory, new_trace, playout
from montego.rewards import REWARDS, WinLoss, reward
from montego.search.analysis import NO_LIMITS, Analysis, Limits, MoveStatistics
from montego.search.budget import Budget, spend
from montego.search.records import SETTINGS, TREE
from montego.search.uct import need_budget
from montego.spec import Param

_MOST_LEAVES = 2_000_000


class Depth(NamedTuple):
    """Minimax over Monte-Carlo means: equal playouts for every position i plies deep."""

    i: Annotated[int, Param("plies", 1, 20, "refinements")] = 2
    playouts: Annotated[int, Param("playouts of one decision, at least one for each position", 0)] = 10000
    seconds: Annotated[float, Param("time of one decision; 0: no limit but the playouts", 0, 1e6)] = 0.0
    reward: Annotated[Any, Param("what a playout is worth", paper="sigmoid of the final score"), REWARDS] = WinLoss()
    playout: Annotated[Any, Param("how playouts are played"), PLAYOUTS] = Uniform()

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters."""
        return need_budget(values)

    def search(self, game: Game) -> "DepthSearch":
        """Return the search that these settings describe."""
        return DepthSearch(game, self)


@kernel
def move_to(game, root, state, move):
    """Write the position after a move, and return who moves there, or -1 if the game is over."""
    copy_record(state, root)
    play(game, state, move)
    if is_over(game, state):
        return -1
    return np.int64(to_move(game, state))


@kernel
def exact_reward(game, settings, tree, state):
    """Return what a finished game is worth to player 0."""
    return reward(settings, tree, score(game, state), 0)


@kernel
def sample_leaves(policy, game, memory, settings, tree, states, parents, moves, order, work, rng, trace, scratch, sums):
    """Play one playout from each of some leaves and add its reward to the leaf's sum.

    A leaf is a move in a state of the last level but one: ``states[parents[leaf]]``, ``moves[leaf]``.
    """
    for i in range(len(order)):
        leaf = order[index(i)]
        copy_record(work, states[index(parents[index(leaf)])])
        play(game, work, np.int64(moves[index(leaf)]))
        end = np.int64(HISTORY)
        if not is_over(game, work):
            end = playout(policy, game, memory, work, rng, trace, end, scratch)
        sums[index(leaf)] += reward(settings, tree, score(game, work), end)


@dataclass
class Level:
    """The positions at one depth: their parents a level above, the moves that lead to them, who moves there."""

    parents: Any
    moves: Any
    players: Any  # -1: the game is over
    values: Any  # player 0's; of finished games exact


class DepthSearch:
    """A full tree of fixed depth, built anew for every decision."""

    def __init__(self, game: Game, settings: Depth) -> None:
        self.game, self.settings = game, settings
        self.memory = new_memory(settings.playout, game)
        self.work, self.trace, self.scratch = game.new_state(), new_trace(game), game.new_moves()
        self.numbers, self.tree = np.zeros(1, SETTINGS)[0], np.zeros(1, TREE)[0]

    def run(self, position: Position, rng: Any, limits: Limits = NO_LIMITS) -> Analysis:
        budget = Budget(self.settings.playouts, self.settings.seconds, limits)
        setting = self.settings.reward.setting(self.game.max_score(), len(position.moves) + 1)
        self.numbers.reward, self.numbers.reward_first, self.numbers.reward_second = setting
        levels, states = self._levels(position)
        leaves = levels[-1]
        sums, counts = np.zeros(len(leaves.moves)), np.zeros(len(leaves.moves), np.int64)
        budget.left = max(len(counts), budget.left - budget.left % max(1, len(counts)))

        def simulate(count: int) -> bool:
            done = int(counts.sum())
            order = np.arange(done, done + count) % len(counts)
            self._sample(states, leaves, order, rng, sums)
            np.add.at(counts, order, 1)
            return True

        def look() -> Analysis:
            leaves.values = np.where(counts > 0, sums / np.maximum(counts, 1), 0.5)
            return self._analyse(position, levels, int(counts.sum()), budget)

        spend(budget, simulate, look)
        return look()

    def _sample(self, states: Any, leaves: Level, order: Any, rng: Any, sums: Any) -> None:
        sample_leaves(
            self.settings.playout,
            self.game,
            self.memory,
            self.numbers,
            self.tree,
            states,
            leaves.parents,
            leaves.moves,
            order,
            self.work,
            rng,
            self.trace,
            self.scratch,
            sums,
        )

    # -- the tree

    def _levels(self, position: Position) -> tuple[list[Level], Any]:
        """Return the levels of the tree below the root, and the states of the last but one."""
        states = np.array([position.state], self.game.state_dtype())
        players = np.array([position.to_move])
        levels: list[Level] = []
        for depth in range(1, self.settings.i + 1):
            parents, moves = self._children(states, players, position if depth == 1 else None)
            level = Level(parents, moves, np.full(len(moves), -1), np.zeros(len(moves)))
            levels.append(level)
            if depth == self.settings.i or len(moves) == 0:
                break
            children = np.zeros(len(moves), self.game.state_dtype())
            for i in range(len(moves)):
                level.players[i] = move_to(self.game, states[parents[i]], children[i], int(moves[i]))
                if level.players[i] < 0:
                    level.values[i] = exact_reward(self.game, self.numbers, self.tree, children[i])
            states, players = children, level.players
        if len(levels[-1].moves) == 0:
            levels.pop()  # all games are over before that depth: their positions are the leaves
            states = self._states_above(position, levels)
        return levels, states

    def _states_above(self, position: Position, levels: list[Level]) -> Any:
        """Return the states of the last level but one, played again from the root."""
        states = np.array([position.state], self.game.state_dtype())
        for level in levels[:-1]:
            children = np.zeros(len(level.moves), self.game.state_dtype())
            for i in range(len(level.moves)):
                move_to(self.game, states[level.parents[i]], children[i], int(level.moves[i]))
            states = children
        return states

    def _children(self, states: Any, players: Any, root: Position | None) -> tuple[Any, Any]:
        """Return the parents and the moves of all positions one ply below some states."""
        parents: list[Any] = [np.zeros(0, np.int64)]
        moves: list[Any] = [np.zeros(0, np.int32)]
        total = 0
        for number in np.flatnonzero(players >= 0):
            found = self.scratch[: search_moves(self.game, states[number], self.scratch)].copy()
            if root is not None:
                legal = root.legal_numbers()
                kept = found[np.isin(found, legal)]
                found = kept if len(kept) else legal
            total += len(found)
            if total > _MOST_LEAVES:
                raise MontegoError(
                    f"depth(i={self.settings.i}) of this position has more than {_MOST_LEAVES:,} positions; use a smaller i"
                )
            parents.append(np.full(len(found), number))
            moves.append(found)
        return np.concatenate(parents), np.concatenate(moves)

    # -- what was found

    def _analyse(self, position: Position, levels: list[Level], playouts: int, budget: Budget) -> Analysis:
        """Minimax from the leaves to the root's moves."""
        for above, below in zip(levels[-2::-1], levels[:0:-1], strict=False):
            worst = np.where(above.players == 0, -np.inf, np.inf)
            maxima, minima = worst.copy(), worst.copy()
            np.maximum.at(maxima, below.parents, below.values)
            np.minimum.at(minima, below.parents, below.values)
            inner = above.players >= 0
            above.values = np.where(inner, np.where(above.players == 0, maxima, minima), above.values)
        top = levels[0]
        values = top.values if position.to_move == 0 else 1 - top.values
        best = int(np.argmax(values))
        share = playouts // max(1, len(top.moves))
        names = [self.game.move_name(int(move)) for move in top.moves]
        statistics = [
            MoveStatistics(name, int(move), share, float(value))
            for name, move, value in zip(names, top.moves, values, strict=True)
        ]
        nodes = 1 + sum(len(level.moves) for level in levels)
        return Analysis(
            names[best],
            int(top.moves[best]),
            playouts,
            budget.elapsed(),
            statistics,
            [names[best]],
            nodes,
            float(len(levels)),
            cut_short=budget.cut_short,
        )
