"""UCT as papers describe it, for comparisons with their figures."""

import math
from typing import Any, NamedTuple

from montego.games import Game
from montego.playouts import Uniform
from montego.rewards import WinLoss
from montego.search import settings as declared
from montego.search.findings import Final
from montego.search.settings import with_budget
from montego.search.tree_search import TreeSearch
from montego.search.uct import Uct


class PlainUct(NamedTuple):
    """UCT as in the paper on the sigmoid of the score: c = √2, the highest mean is played, nothing is proven."""

    playouts: declared.Playouts = None  # type: ignore[assignment]  # ``complete`` fills it in
    seconds: declared.Seconds = 0.0
    reward: declared.Reward = WinLoss()
    playout: declared.Playout = Uniform()

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters."""
        return with_budget(values)

    def search(self, game: Game) -> TreeSearch:
        """Return the search that these settings describe."""
        return TreeSearch(game, Uct(**self._asdict(), c=math.sqrt(2.0), final=Final.MEAN, solver=False))
