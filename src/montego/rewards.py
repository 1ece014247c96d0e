"""What a finished playout is worth: a number from 0 (lost) to 1 (won) from player 0's perspective.

The three rewards of "Monte-Carlo Tree Search with the sigmoid of the final score" (Blokus Duo paper): win-or-lose, the
final score, and the sigmoid of the final score, which lies between the two; schedules of them by the number of the move;
and the bonus for the quality of a win. They are values in a record, not types: a tournament over a hundred of them
compiles once.
"""

import math
from enum import IntEnum
from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.kernels import kernel
from montego.spec import Param, Registry

_PAPER = "sigmoid of the final score"
WIN, SCORE, SIGMOID, QUALITY = 0, 1, 2, 3

REWARDS: Registry[Any] = Registry("reward")

# What the quality bonus knows of the playouts so far, won by player 0 and by player 1: Welford's running moments.
QUALITY_FIELDS = [
    ("won", np.int64, (2,)),
    ("quality_mean", np.float64, (2,)),
    ("quality_squares", np.float64, (2,)),
]


class Setting(NamedTuple):
    """A reward as numbers for the kernels: its kind and two constants."""

    kind: int
    first: float = 0.0
    second: float = 0.0


class WinLoss(NamedTuple):
    """1 for a win, 0.5 for a draw, 0 for a loss."""

    def setting(self, max_score: float, move: int) -> Setting:
        """Return the numbers for a decision at a move of the game, counted from 1."""
        return Setting(WIN)


class FinalScore(NamedTuple):
    """The final score, scaled so that the greatest possible one is worth 1."""

    def setting(self, max_score: float, move: int) -> Setting:
        """Return the numbers for a decision at a move of the game, counted from 1."""
        return Setting(SCORE, 0.5 / max_score)


class Sigmoid(NamedTuple):
    """1 / (1 + exp(-k x)) of the final score x: nearly win-or-lose for large k, nearly the score for small k."""

    k: Annotated[float, Param("steepness", 1e-6, 1e6, _PAPER)] = 0.3

    def setting(self, max_score: float, move: int) -> Setting:
        """Return the numbers for a decision at a move of the game, counted from 1."""
        return Setting(SIGMOID, self.k)


class Of(IntEnum):
    """What makes one win better than another: a greater score, or fewer moves."""

    SCORE = 0
    LENGTH = 1


class Quality(NamedTuple):
    """Win-or-lose with a bonus for a win that is better than that player's wins so far were on average.

    Pepels, Tak, Lanctot and Winands, "Quality-based rewards for Monte-Carlo Tree Search simulations" (2014): the bonus is
    a · (2 / (1 + exp(-k λ)) - 1), λ the deviation from the mean in standard deviations. Theirs adds it to ±1; here the
    sum is scaled back to 0 … 1.
    """

    a: Annotated[float, Param("greatest bonus, against 1 for the win", 0, 1, "quality-based rewards")] = 0.25
    k: Annotated[float, Param("steepness of the bonus", 1e-6, 1e3, "quality-based rewards")] = 1.4
    of: Annotated[Of, Param("what makes a win better", paper="quality-based rewards")] = Of.SCORE

    def setting(self, max_score: float, move: int) -> Setting:
        """Return the numbers for a decision at a move of the game, counted from 1."""
        return Setting(QUALITY + self.of, self.a, self.k)


class Ramp(NamedTuple):
    """The sigmoid with a k that goes in equal steps from one move of the game to another."""

    low: Annotated[float, Param("k at the first move and before", 1e-6, 1e6, _PAPER)] = 0.5
    high: Annotated[float, Param("k at the last move and after", 1e-6, 1e6, _PAPER)] = 1.0
    first: Annotated[int, Param("number of the first move", 1, 10**6, _PAPER)] = 8
    last: Annotated[int, Param("number of the last move", 1, 10**6, _PAPER)] = 16

    def setting(self, max_score: float, move: int) -> Setting:
        """Return the numbers for a decision at a move of the game, counted from 1."""
        share = (move - self.first) / max(1, self.last - self.first)
        return Setting(SIGMOID, self.low + (self.high - self.low) * min(max(share, 0.0), 1.0))


class Until(NamedTuple):
    """One reward for decisions up to a move of the game, another one after it; they nest."""

    move: Annotated[int, Param("number of the last move with the first reward, counted from 1", 0, 10**6, _PAPER)] = 16
    before: Annotated[Any, Param("reward up to that move", paper=_PAPER), REWARDS] = WinLoss()
    after: Annotated[Any, Param("reward after it", paper=_PAPER), REWARDS] = Sigmoid(0.4)

    def setting(self, max_score: float, move: int) -> Setting:
        """Return the numbers for a decision at a move of the game, counted from 1."""
        chosen = self.before if move <= self.move else self.after
        setting: Setting = chosen.setting(max_score, move)
        return setting


class Phased(NamedTuple):
    """The schedule of the Blokus Duo paper: moves 1-7 win-or-lose, 8-16 k from 0.5 to 1.0, then k = 0.4."""

    def setting(self, max_score: float, move: int) -> Setting:
        """Return the numbers for a decision at a move of the game, counted from 1."""
        schedule = Until(7, WinLoss(), Until(16, Ramp(0.5, 1.0, 8, 16), Sigmoid(0.4)))
        return schedule.setting(max_score, move)


for _name, _class in {
    "win_loss": WinLoss,
    "score": FinalScore,
    "sigmoid": Sigmoid,
    "quality": Quality,
    "ramp": Ramp,
    "until": Until,
    "phased": Phased,
}.items():
    REWARDS.add(_name, _class)


@kernel
def win_or_lose(score):
    """Return 1, 0.5 or 0 for a score of player 0's."""
    if score > 0:
        return 1.0
    return 0.5 if score == 0 else 0.0


@kernel
def quality_bonus(settings, tree, score, length):
    """Return the reward for player 0 with the bonus, and add the playout to the record of that player's wins."""
    if score == 0:
        return 0.5
    winner = 0 if score > 0 else 1
    quality = abs(score) if settings.reward == QUALITY else -float(length)
    bonus = 0.0
    won = tree.won[winner]
    if won > 1 and tree.quality_squares[winner] > 0.0:
        deviation = math.sqrt(tree.quality_squares[winner] / won)
        wins_by = (quality - tree.quality_mean[winner]) / deviation
        bonus = settings.reward_first * (2.0 / (1.0 + math.exp(-settings.reward_second * wins_by)) - 1.0)
    tree.won[winner] = won + 1
    step = quality - tree.quality_mean[winner]
    tree.quality_mean[winner] += step / (won + 1)
    tree.quality_squares[winner] += step * (quality - tree.quality_mean[winner])
    worth = 0.5 + 0.5 * (1.0 + bonus) / (1.0 + settings.reward_first)
    return worth if winner == 0 else 1.0 - worth


@kernel
def reward(settings, tree, score, length):
    """Return the worth of a final score after a playout of ``length`` moves for player 0, from 0 to 1."""
    if settings.reward == SCORE:
        return min(max(0.5 + settings.reward_first * score, 0.0), 1.0)
    if settings.reward == SIGMOID:
        return 1.0 / (1.0 + math.exp(min(-settings.reward_first * score, 700.0)))
    if settings.reward >= QUALITY:
        return quality_bonus(settings, tree, score, length)
    return win_or_lose(score)
