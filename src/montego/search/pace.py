"""How the time of a player is divided among the decisions of a game.

The first decisions matter more than the last ones: they decide what is left to decide, and have the most moves to
choose from. A player that thinks as long about each wastes what it could have used there.
"""

from typing import Annotated, NamedTuple

from montego.family import Family
from montego.spec import Param

PACES = Family("pace")
_LEAST = 1e-3  # of the time of an even decision: no time at all would be no limit


@PACES.register("even")
class EvenPace(NamedTuple):
    """Every decision has the same time."""

    def factor(self, number: int) -> float:
        """Return what the time of the player's decision of a number, from 0, is multiplied by."""
        return 1.0


@PACES.register("early")
class EarlyPace(NamedTuple):
    """Each decision takes a share of what is left of the time of so many decisions: early ones have the most.

    All together take no longer than ``moves`` even ones, but for the thousandth that each has in any case. It depends
    on the number of the move alone, so a search with a number of playouts and a seed stays repeatable.
    """

    moves: Annotated[int, Param("decisions that a player makes in a game", 1, 10**4, usual=(10, 100))] = 17
    share: Annotated[float, Param("share of what is left that each takes", 0.001, 1.0, usual=(0.05, 0.3))] = 0.15

    def factor(self, number: int) -> float:
        """Return what the time of the player's decision of a number, from 0, is multiplied by."""
        return max(_LEAST, self.moves * self.share * (1.0 - self.share) ** number)
