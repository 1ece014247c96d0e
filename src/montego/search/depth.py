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
from montego.playouts import HISTORY, PLAYOUTS, Uniform, new_trace, playout
from montego.rewards import QUALITY_FIELDS, REWARD, REWARDS, WinLoss, reward, write_reward
from montego.search.analysis import NO_LIMITS, Analysis, Limits, MoveStatistics
from montego.search.budget import Budget, spend
from montego.search.settings import Seconds, with_budget
from montego.spec import Param

_MOST_LEAVES = 2_000_000
_MOST_BYTES = 10**9  # for the positions that leaves are reached from
_AT_ONCE = 256  # positions between two looks at the clock

# What the quality bonus knows of the playouts so far.
WINS = np.dtype((np.record, QUALITY_FIELDS))

LEAF = np.dtype(
    (
        np.record,
        [
            ("parent", np.int64),  # its place among the states of the level above
            ("before", np.int32),  # the move that leads to the parent; -1: the game begins there
            ("move", np.int32),  # that leads from the parent to the leaf
            ("playouts", np.int64),
            ("total", np.float64),  # sum of their rewards
        ],
    )
)


class Depth(NamedTuple):
    """Minimax over Monte-Carlo means: equal playouts for every position i plies deep."""

    i: Annotated[int, Param("plies", 1, 20, "refinements")] = 2
    playouts: Annotated[
        int, Param("playouts of one decision, at least one for each position; left out: 0 with seconds, else 10000", 0)
    ] = None  # type: ignore[assignment]  # ``complete`` fills it in
    seconds: Seconds = 0.0
    reward: Annotated[Any, Param("what a playout is worth", paper="sigmoid of the final score"), REWARDS] = WinLoss()
    playout: Annotated[Any, Param("how playouts are played"), PLAYOUTS] = Uniform()

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters."""
        return with_budget(values, 10_000)

    def search(self, game: Game) -> "DepthSearch":
        """Return the search that these settings describe."""
        return DepthSearch(game, self)


class LeafDesk(NamedTuple):
    """What the playouts of one search work with."""

    work: Any  # the state that a playout is played in
    trace: Any  # the moves before a playout and those of it
    scratch: Any  # room for the moves of a position
    memory: Any  # of the playout policy, which does not learn here
    rule: Any  # REWARD: what a playout is worth
    wins: Any  # WINS
    rng: Any


@kernel
def move_to(game, root, state, move):
    """Write the position after a move, and return who moves there, or -1 if the game is over."""
    copy_record(state, root)
    play(game, state, move)
    if is_over(game, state):
        return -1
    return np.int64(to_move(game, state))


@kernel
def count_moves(game, desk, states, parents, moves):
    """Return how many moves there are after some moves from their parents, all together."""
    total = 0
    for i in range(len(moves)):
        copy_record(desk.work, states[index(parents[index(i)])])
        play(game, desk.work, np.int64(moves[index(i)]))
        if not is_over(game, desk.work):
            total += search_moves(game, desk.work, desk.scratch)
    return total


@kernel
def exact_reward(game, desk, state, depth):
    """Return what a game that ended after ``depth`` moves is worth to player 0."""
    return reward(desk.rule, desk.wins, score(game, state), depth)


@kernel
def sample_leaves(policy, game, desk, states, leaves, depth, first, count):
    """Play ``count`` playouts from the leaves in turn, beginning with ``first``, and add up their rewards.

    ``states`` are the parents of the leaves, which are ``depth`` moves deep; lengths are counted from the root.
    """
    work, trace = desk.work, desk.trace
    for i in range(first, first + count):
        leaf = leaves[index(i % len(leaves))]
        copy_record(work, states[index(leaf.parent)])
        play(game, work, np.int64(leaf.move))
        end = np.int64(HISTORY)
        if not is_over(game, work):
            trace[index(HISTORY - 2)] = leaf.before
            trace[index(HISTORY - 1)] = leaf.move
            end = playout(policy, game, desk.memory, work, desk.rng, trace, end, desk.scratch)
        leaf.playouts += 1
        leaf.total += reward(desk.rule, desk.wins, score(game, work), depth + end - HISTORY)


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
        memory, rule = settings.playout.new_memory(game), np.zeros(1, REWARD)[0]
        self.desk = LeafDesk(game.new_state(), new_trace(game), game.new_moves(), memory, rule, wins=None, rng=None)

    def run(self, position: Position, rng: Any, limits: Limits = NO_LIMITS) -> Analysis:
        budget = Budget(self.settings.playouts, self.settings.seconds, limits)
        self.desk = desk = self.desk._replace(rng=rng, wins=np.zeros(1, WINS)[0])
        write_reward(desk.rule, self.settings.reward, self.game, len(position.moves) + 1)
        levels, states = self._levels(position, budget)
        leaves = _leaves(position, levels)
        budget.left = max(len(leaves), budget.left - budget.left % max(1, len(leaves)))
        done = 0

        def simulate(count: int) -> bool:
            nonlocal done
            sample_leaves(self.settings.playout, self.game, desk, states, leaves, len(levels), done, count)
            done += count
            return True

        def look() -> Analysis:
            levels[-1].values = np.where(
                leaves["playouts"] > 0, leaves["total"] / np.maximum(leaves["playouts"], 1), 0.5
            )
            return self._analyse(position, levels, done, budget)

        spend(budget, simulate, look)
        return look()

    # -- the tree

    def _levels(self, position: Position, budget: Budget) -> tuple[list[Level], Any]:
        """Return the levels of the tree below the root, and the states of the last but one.

        There are ``i`` levels, or fewer: when all games are over before, or when the time is.
        """
        states = np.array([position.state], self.game.state_dtype())
        levels = [_level([0], [self._first_moves(position)])]
        while len(levels) < self.settings.i:
            self._refuse_too_many(states, levels[-1], budget)
            children = self._play_all(states, levels[-1], len(levels), budget)
            below = None if children is None else self._children(children, levels[-1].players, budget)
            budget.ask_watcher(lambda: self._analyse(position, levels, 0, budget))
            if below is None or len(below.moves) == 0:
                break
            levels.append(below)
            states = children
        return levels, states

    def _first_moves(self, position: Position) -> Any:
        """Return the moves of the root: sensible ones that the history of the game permits, else all."""
        scratch = self.desk.scratch
        legal = position.legal_numbers()
        found = scratch[: search_moves(self.game, position.state, scratch)]
        kept = found[np.isin(found, legal)]
        return kept if len(kept) else legal

    def _refuse_too_many(self, states: Any, level: Level, budget: Budget) -> None:
        """Refuse a tree that would have too many positions below a level, before it takes memory for them."""
        positions, size = len(level.moves), self.game.state_dtype().itemsize
        if positions * size > _MOST_BYTES:
            raise MontegoError(
                f"{self._name()} takes {positions * size // 10**6:,} MB for this position; use a smaller i"
            )
        total = 0
        for first in range(0, positions, _AT_ONCE):
            end = min(first + _AT_ONCE, positions)
            total += count_moves(self.game, self.desk, states, level.parents[first:end], level.moves[first:end])
            if total > _MOST_LEAVES:
                raise MontegoError(
                    f"{self._name()} of this position has more than {_MOST_LEAVES:,} positions; use a smaller i"
                )
            if budget.over():
                return

    def _name(self) -> str:
        return f"depth(i={self.settings.i})"

    def _play_all(self, states: Any, level: Level, depth: int, budget: Budget) -> Any:
        """Return the positions of a level, and note who moves there and what finished games are worth.

        None if the time is over before that.
        """
        children = np.zeros(len(level.moves), self.game.state_dtype())
        for i in range(len(level.moves)):
            if i % _AT_ONCE == 0 and budget.over():
                return None
            level.players[i] = move_to(self.game, states[level.parents[i]], children[i], int(level.moves[i]))
            if level.players[i] < 0:
                level.values[i] = exact_reward(self.game, self.desk, children[i], depth)
        return children

    def _children(self, states: Any, players: Any, budget: Budget) -> Level | None:
        """Return all positions one ply below some states, or None if the time is over before."""
        scratch = self.desk.scratch
        parents, moves = np.flatnonzero(players >= 0), []
        for place, number in enumerate(parents):
            if place % _AT_ONCE == 0 and budget.over():
                return None
            moves.append(scratch[: search_moves(self.game, states[number], scratch)].copy())
        return _level(parents, moves)

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
        return Analysis(
            names[best],
            int(top.moves[best]),
            playouts=playouts,
            seconds=budget.elapsed(),
            moves=[
                MoveStatistics(name, int(move), share, float(value))
                for name, move, value in zip(names, top.moves, values, strict=True)
            ],
            principal_variation=[names[best]],
            nodes=1 + sum(len(level.moves) for level in levels),
            mean_depth=float(len(levels)),
            greatest_depth=len(levels),
            cut_short=budget.cut_short,
            position=position,
        )


def _level(parents: Any, moves: list[Any]) -> Level:
    """Return a level of the moves of each parent; nothing is known of its positions yet."""
    listed = np.concatenate([np.zeros(0, np.int32), *moves])
    above = np.repeat(np.asarray(parents, np.int64), [len(found) for found in moves])
    return Level(above, listed, np.full(len(listed), -1), np.full(len(listed), 0.5))


def _leaves(position: Position, levels: list[Level]) -> Any:
    """Return the positions of the last level, with the two moves that lead to each of them."""
    last = levels[-1]
    leaves = np.zeros(len(last.moves), LEAF)
    leaves["parent"], leaves["move"] = last.parents, last.moves
    before = position.moves[-1] if position.moves else -1
    leaves["before"] = levels[-2].moves[last.parents] if len(levels) > 1 else before
    return leaves
