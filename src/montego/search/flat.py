"""Flat Monte-Carlo: random playouts after every move, and the move with the best mean.

Abramson, "Expected-outcome: a general model of static evaluation" (1990); Brügmann, "Monte Carlo Go" (1993). With the
first move drawn at random and all-moves-as-first it is the "AMAF" of the refinements lecture. The tree has one ply.
"""

from enum import IntEnum
from typing import Annotated, Any, NamedTuple

from montego.games import Game, Position
from montego.playouts import Uniform
from montego.rewards import WinLoss
from montego.search import settings as declared
from montego.search.choice import EQUAL, Best, Boltzmann
from montego.search.findings import Final
from montego.search.pruning import NoPruning
from montego.search.rave import AmafOnly, NoRave
from montego.search.settings import with_budget
from montego.search.tree_search import TreeSearch
from montego.search.uct import Uct
from montego.spec import Param

_LECTURE = "refinements"


class First(IntEnum):
    """How the first move of a playout is chosen: each equally often, or each equally likely."""

    EQUAL = 0
    RANDOM = 1


class Flat(NamedTuple):
    """Flat Monte-Carlo: equal playouts for every move, at least one, then the move of the highest mean."""

    playouts: declared.Playouts = None  # type: ignore[assignment]  # ``complete`` fills it in
    seconds: declared.Seconds = 0.0
    first: Annotated[First, Param("how the first move of a playout is chosen", paper=_LECTURE)] = First.EQUAL
    amaf: Annotated[bool, Param("whether the move of the best all-moves-as-first mean is played", paper=_LECTURE)] = (
        False
    )
    prune: declared.Prune = NoPruning()
    reward: declared.Reward = WinLoss()
    final_choice: declared.FinalChoice = Best()
    playout: declared.Playout = Uniform()
    threads: declared.Threads = 1

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters."""
        return with_budget(values)

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
            self.record.bandit, self.record.plain, self.record.greedy = EQUAL, False, False

    def budget_of(self, position: Position) -> int:
        """Return the greatest number of playouts within the budget that gives every move equally many, at least one."""
        moves = len(self.root_moves(position))
        playouts = int(self.settings.playouts)
        return max(1, playouts // moves) * moves if playouts else 0
