"""What a finished playout is worth: a number from 0 (lost) to 1 (won) from player 0's perspective.

The three rewards of Shibahara and Kotani, "Combining final score with winning percentage by sigmoid function in
Monte-Carlo simulations" (2008, on Blokus Duo): win-or-lose, the final score, and the sigmoid of the final score, which
lies between the two; schedules of them by the number of the move; and the bonus for the quality of a win. They are
values in a record, not types: a tournament over a hundred of them compiles once.
"""

import math
from enum import IntEnum
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.family import Family
from montego.kernels import borrowing
from montego.spec import Param

_PAPER = "sigmoid of the final score"
WIN, SCORE, SIGMOID, QUALITY = 0, 1, 2, 3  # QUALITY + Of: what makes a win better

REWARDS = Family("reward")

# What the quality bonus knows of the playouts so far, won by player 0 and by player 1: Welford's running moments.
QUALITY_FIELDS = [
    ("won", np.int64, (2,)),
    ("quality_mean", np.float64, (2,)),
    ("quality_squares", np.float64, (2,)),
]


@REWARDS.register("win_loss", kind=WIN)
class WinLoss(NamedTuple):
    """1 for a win, 0.5 for a draw, 0 for a loss."""

    scale: Annotated[
        float, Param("what lies between a loss and a win, against c; the paper has 2", 1e-6, 1e6, _PAPER)
    ] = 1.0


@REWARDS.register("score", kind=SCORE)
class FinalScore(NamedTuple):
    """The final score, scaled so that the greatest possible one is worth 1."""


@REWARDS.register("sigmoid", kind=SIGMOID)
class Sigmoid(NamedTuple):
    """1 / (1 + exp(-k x)) of the final score x: nearly win-or-lose for large k, nearly the score for small k."""

    k: Annotated[float, Param("steepness", 1e-6, 1e6, _PAPER, (0.01, 10))] = 0.3


class Of(IntEnum):
    """What makes one win better than another: a greater score, or fewer moves."""

    SCORE = 0
    LENGTH = 1


@REWARDS.register("quality")
class Quality(NamedTuple):
    """Win-or-lose with a bonus for a win that is better than that player's wins so far were on average.

    Pepels, Tak, Lanctot and Winands, "Quality-based rewards for Monte-Carlo Tree Search simulations" (2014): the bonus
    is a · (2 / (1 + exp(-k λ)) - 1), λ the deviation from the mean in standard deviations. Theirs adds it to ±1;
    here the sum is scaled back to 0 … 1.
    """

    a: Annotated[float, Param("greatest bonus, against 1 for the win", 0, 1, "quality-based rewards")] = 0.25
    k: Annotated[float, Param("steepness of the bonus", 1e-6, 1e3, "quality-based rewards", (0.1, 10))] = 1.4
    of: Annotated[Of, Param("what makes a win better", paper="quality-based rewards")] = Of.SCORE

    def numbers(self) -> dict[str, float]:
        """Return the reward as numbers; what it is a bonus of is part of the kind."""
        return {"kind": QUALITY + self.of, "a": self.a, "k": self.k}


class Schedule:
    """Base of the rewards that depend on the number of the move to be decided."""

    def at(self, move: int) -> Any:
        """Return the reward of a decision at a move of the game, counted from 1."""
        raise TypeError(f"{type(self).__name__} must define at()")

    def numbers(self) -> dict[str, float]:
        """Return nothing: kernels see the reward of one decision only."""
        return {}


class _Ramp(NamedTuple):
    low: Annotated[float, Param("k at the first move and before", 1e-6, 1e6)] = 0.5
    high: Annotated[float, Param("k at the last move and after", 1e-6, 1e6)] = 1.0
    first: Annotated[int, Param("number of the first move", 1, 10**6)] = 8
    last: Annotated[int, Param("number of the last move", 1, 10**6)] = 16


@REWARDS.register("ramp")
class Ramp(_Ramp, Schedule):
    """The sigmoid with a k that goes in equal steps from one move of the game to another; the paper has one k."""

    def at(self, move: int) -> Any:
        share = (move - self.first) / max(1, self.last - self.first)
        return Sigmoid(self.low + (self.high - self.low) * min(max(share, 0.0), 1.0))


class _Until(NamedTuple):
    move: Annotated[int, Param("number of the last move with the first reward, counted from 1", 0, 10**6, _PAPER)] = 16
    before: Annotated[Any, Param("reward up to that move", paper=_PAPER), REWARDS] = WinLoss()
    after: Annotated[Any, Param("reward after it", paper=_PAPER), REWARDS] = Sigmoid(0.4)


@REWARDS.register("until")
class Until(_Until, Schedule):
    """One reward for decisions up to a move of the game, another one after it; they nest."""

    def at(self, move: int) -> Any:
        return reward_at(self.before if move <= self.move else self.after, move)


class _Phased(NamedTuple):
    k: Annotated[
        float, Param("steepness in the middle game, moves 8 to 16; Fig. 11: 0.5 to 1.0", 1e-6, 1e6, _PAPER)
    ] = 1.0
    late: Annotated[float, Param("steepness from move 17 on", 1e-6, 1e6, _PAPER)] = 0.4
    scale: Annotated[float, Param("of win-or-lose, moves 1 to 7; the paper has 2", 1e-6, 1e6, _PAPER)] = 1.0


@REWARDS.register("phased")
class Phased(_Phased, Schedule):
    """The schedule of the Blokus Duo paper: moves 1-7 win-or-lose, 8-16 a sigmoid with one k, then k = 0.4."""

    def at(self, move: int) -> Any:
        return Until(7, WinLoss(self.scale), Until(16, Sigmoid(self.k), Sigmoid(self.late))).at(move)


def reward_at(reward: Any, move: int) -> Any:
    """Return the reward of a decision at a move of the game, counted from 1: schedules are looked up."""
    return reward.at(move) if isinstance(reward, Schedule) else reward


# The reward of one decision as kernels read it: kind and constants, and what a point is worth to the kind SCORE.
REWARD = np.dtype((np.record, [*REWARDS.record_type().descr, ("point", np.float64)]))


def write_reward(record: Any, reward: Any, game: Any, move: int) -> None:
    """Write the reward of a decision at a move of a game, counted from 1, to a ``REWARD`` record."""
    REWARDS.write(record, reward_at(reward, move))
    record.point = 0.5 / game.max_score()


@borrowing
def win_or_lose(score):
    """Return 1, 0.5 or 0 for a score of player 0's."""
    if score > 0:
        return 1.0
    return 0.5 if score == 0 else 0.0


@borrowing
def quality_bonus(rule, counters, score, length):
    """Return the reward for player 0 with the bonus, and add the playout to the record of that player's wins."""
    if score == 0:
        return 0.5
    winner = 0 if score > 0 else 1
    quality = abs(score) if rule.kind == QUALITY else -float(length)
    bonus = 0.0
    won = counters.won[winner]
    if won > 1 and counters.quality_squares[winner] > 0.0:
        deviation = math.sqrt(counters.quality_squares[winner] / won)
        wins_by = (quality - counters.quality_mean[winner]) / deviation
        bonus = rule.a * (2.0 / (1.0 + math.exp(min(-rule.k * wins_by, 700.0))) - 1.0)
    counters.won[winner] = won + 1
    step = quality - counters.quality_mean[winner]
    counters.quality_mean[winner] += step / (won + 1)
    counters.quality_squares[winner] += step * (quality - counters.quality_mean[winner])
    worth = 0.5 + 0.5 * (1.0 + bonus) / (1.0 + rule.a)
    return worth if winner == 0 else 1.0 - worth


@borrowing
def reward(rule, counters, score, length):
    """Return the worth of a final score after a playout of ``length`` moves for player 0, from 0 to 1.

    ``rule`` is a ``REWARD`` record; ``counters`` has the ``QUALITY_FIELDS``.
    """
    if rule.kind == SCORE:
        return min(max(0.5 + rule.point * score, 0.0), 1.0)
    if rule.kind == SIGMOID:
        return 1.0 / (1.0 + math.exp(min(-rule.k * score, 700.0)))
    if rule.kind >= QUALITY:
        return quality_bonus(rule, counters, score, length)
    return win_or_lose(score)
