"""Flat Monte-Carlo: the same number of random playouts after every move, and the move with the best mean.

Abramson, "Expected-outcome: a general model of static evaluation" (1990); Brügmann, "Monte Carlo Go" (1993).
"""

import time
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego._jit import copy_record, index, kernel
from montego.games import Game, Position
from montego.games.rules import is_over, play, playout_moves
from montego.playouts import Uniform
from montego.playouts.sample import TOTALS, add_playouts
from montego.rng import below
from montego.search.analysis import NO_LIMITS, Analysis, Limits, MoveStatistics
from montego.spec import Param

_CHUNK = 500  # playouts between two looks at the keyboard


class Flat(NamedTuple):
    """Flat Monte-Carlo: equal playouts for every move, then the move of the highest mean."""

    playouts: Annotated[int, Param("playouts of one decision, shared equally by its moves, at least one each", 1)] = (
        1000
    )

    def search(self, game: Game) -> "FlatSearch":
        """Return the search that these settings describe."""
        return FlatSearch(game, self.playouts)


@kernel
def add_playouts_of_moves(policy, game, root, child, work, rng, trace, scratch, moves, count, totals):
    """After each of ``moves`` play ``count`` playouts and add their results to that move's record of ``totals``.

    ``child`` and ``work`` are records to work in: the position after the move, and the playout.
    """
    for i in range(len(moves)):
        copy_record(child, root)
        play(game, child, np.int64(moves[index(i)]))
        add_playouts(policy, game, child, work, rng, trace, scratch, count, totals[i])


@kernel
def ends_game(game, root, child, move):
    """Whether a legal move ends the game; ``child`` is a record to work in."""
    copy_record(child, root)
    play(game, child, move)
    return is_over(game, child)


@dataclass
class FlatSearch:
    """One-ply search that keeps its records between moves, but nothing that it learned."""

    game: Game
    playouts: int
    policy: Any = Uniform()

    def __post_init__(self) -> None:
        self.child, self.work = self.game.new_state(), self.game.new_state()
        self.trace, self.scratch = self.game.new_trace(), self.game.new_moves()

    def run(self, position: Position, rng: Any, limits: Limits = NO_LIMITS) -> Analysis:
        began = time.perf_counter()
        candidates = self.candidates(position)
        each = max(1, self.playouts // len(candidates))
        chunk = max(1, _CHUNK // len(candidates))
        totals = np.zeros(len(candidates), TOTALS)
        done = 0
        while done < each:
            count = min(chunk, each - done)
            self._play(position, candidates, count, rng, totals)
            done += count
        values = (totals["wins"] + totals["draws"] / 2) / totals["playouts"]
        if position.to_move == 1:
            values = 1 - values
        chosen = self._choose(position, candidates, values, rng)
        names = [self.game.move_name(int(move)) for move in candidates]
        statistics = [
            MoveStatistics(name, int(move), each, float(value))
            for name, move, value in zip(names, candidates, values, strict=True)
        ]
        seconds = time.perf_counter() - began
        return Analysis(names[chosen], int(candidates[chosen]), each * len(candidates), seconds, statistics)

    def candidates(self, position: Position) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Return the legal moves worth a playout: those that playouts make, and those that end the game at once.

        In Go this leaves out filling an own eye, and passing unless the opponent has just passed or nothing else is left.
        """
        legal = position.legal_numbers()
        count = playout_moves(self.game, position.state, self.scratch)
        sensible = {int(move) for move in self.scratch[:count]}
        keep = [int(move) in sensible or self._ends_game(position, int(move)) for move in legal]
        return legal[np.array(keep)] if any(keep) else legal

    def _play(self, position: Position, moves: Any, count: int, rng: Any, totals: Any) -> None:
        add_playouts_of_moves(
            self.policy,
            self.game,
            position.state,
            self.child,
            self.work,
            rng,
            self.trace,
            self.scratch,
            moves,
            count,
            totals,
        )

    def _ends_game(self, position: Position, move: int) -> bool:
        return bool(ends_game(self.game, position.state, self.child, move))

    def _choose(self, position: Position, candidates: Any, values: Any, rng: Any) -> int:
        """Return the index of the best move; of several equal ones one that ends the game, else any."""
        best = np.flatnonzero(values == values.max())
        ending = [i for i in best if self._ends_game(position, int(candidates[i]))]
        return int(ending[0]) if ending else int(best[below(rng, len(best))])
