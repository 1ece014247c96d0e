"""Flat Monte-Carlo: random playouts after every move, and the move with the best mean.

Abramson, "Expected-outcome: a general model of static evaluation" (1990); Brügmann, "Monte Carlo Go" (1993). With the
first move drawn at random and all-moves-as-first it is the "AMAF" of the refinements lecture. The tree has one ply.
"""

from enum import IntEnum
from typing import Annotated, Any, NamedTuple

from montego.games import Game, Position
from montego.playouts import PLAYOUTS, Uniform
from montego.rewards import REWARDS, WinLoss
from montego.search.choice import CHOICES, EQUAL, Best, Boltzmann
from montego.search.findings import Final
from montego.search.pruning import PRUNINGS, NoPruning
from montego.search.rave import AmafOnly, NoRave
from montego.search.search import TreeSearch
from montego.search.uct import Uct, need_budget
from montego.spec import Param

_LECTURE = "refinements"


class First(IntEnum):
    """How the first move of a playout is chosen: each equally often, or each equally likely."""

    EQUAL = 0
    RANDOM = 1


class Flat(NamedTuple):
    """Flat Monte-Carlo: equal playouts for every move, then the move of the highest mean."""

    playouts: Annotated[int, Param("playouts of one decision, shared by its moves, at least one each", 0)] = 1000
    seconds: Annotated[float, Param("time of one decision; 0: no limit but the playouts", 0, 1e6)] = 0.0
    first: Annotated[First, Param("how the first move of a playout is chosen", paper=_LECTURE)] = First.EQUAL
    amaf: Annotated[bool, Param("whether the move of the best all-moves-as-first mean is played", paper=_LECTURE)] = (
        False
    )
    prune: Annotated[Any, Param("progressive pruning of inferior moves", paper=_LECTURE), PRUNINGS] = NoPruning()
    reward: Annotated[Any, Param("what a playout is worth", paper="sigmoid of the final score"), REWARDS] = WinLoss()
    final_choice: Annotated[Any, Param("temperature of the move played", paper=_LECTURE), CHOICES] = Best()
    playout: Annotated[Any, Param("how playouts are played"), PLAYOUTS] = Uniform()
    threads: Annotated[int, Param("threads of one decision", 1, 1024)] = 1

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters."""
        return need_budget(values)

    def search(self, game: Game) -> "FlatSearch":
        """Return the search that these settings describe."""
        settings = Uct(
            self.playouts,
            self.seconds,
            c=0.0,
            rave=AmafOnly() if self.amaf else NoRave(),
            prune=self.prune,
            reward=self.reward,
            choice=Boltzmann(0.0) if self.first == First.RANDOM else Best(),
            final=Final.AMAF if self.amaf else Final.MEAN,
            final_choice=self.final_choice,
            playout=self.playout,
            threads=self.threads,
            depth=1,
            solver=False,
            memory=5,
        )
        return FlatSearch(game, settings, self.first)


class FlatSearch(TreeSearch):
    """A search of one ply that gives every move its share of the playouts."""

    def __init__(self, game: Game, settings: Any, first: First) -> None:
        super().__init__(game, settings)
        if first == First.EQUAL:
            self.numbers.bandit = EQUAL

    def budget_of(self, position: Position) -> int:
        """Return the greatest number of playouts within the budget that gives every move equally many, at least one."""
        moves = self._root_moves(position)[1]
        playouts = int(self.settings.playouts)
        return max(1, playouts // moves) * moves if playouts else 0
