"""What a finished playout is worth: a number from 0 (lost) to 1 (won) from player 0's perspective.

The three rewards of "Monte-Carlo Tree Search with the sigmoid of the final score" (Blokus Duo paper): win-or-lose, the
final score, and the sigmoid of the final score, which lies between the two. They are values in a record, not types: a
tournament over a hundred of them compiles once.
"""

import math
from typing import Annotated, Any, NamedTuple

from montego._jit import kernel
from montego.spec import Param, Registry

_PAPER = "sigmoid of the final score"
WIN, SCORE, SIGMOID = 0, 1, 2

REWARDS: Registry[Any] = Registry("reward")


class WinLoss(NamedTuple):
    """1 for a win, 0.5 for a draw, 0 for a loss."""

    def setting(self, max_score: float) -> tuple[int, float]:
        """Return the kind of reward and its constant."""
        return WIN, 0.0


class FinalScore(NamedTuple):
    """The final score, scaled so that the greatest possible one is worth 1."""

    def setting(self, max_score: float) -> tuple[int, float]:
        """Return the kind of reward and its constant."""
        return SCORE, 0.5 / max_score


class Sigmoid(NamedTuple):
    """1 / (1 + exp(-k x)) of the final score x: nearly win-or-lose for large k, nearly the score for small k."""

    k: Annotated[float, Param("steepness", 1e-6, 1e6, _PAPER)] = 0.3

    def setting(self, max_score: float) -> tuple[int, float]:
        """Return the kind of reward and its constant."""
        return SIGMOID, self.k


REWARDS.add("win_loss", WinLoss)
REWARDS.add("score", FinalScore)
REWARDS.add("sigmoid", Sigmoid)


@kernel
def reward(kind, constant, score):
    """Return the worth of a final score for player 0, from 0 to 1."""
    if kind == SCORE:
        return min(max(0.5 + constant * score, 0.0), 1.0)
    if kind == SIGMOID:
        return 1.0 / (1.0 + math.exp(-constant * score))
    if score > 0:
        return 1.0
    return 0.5 if score == 0 else 0.0
