"""The settings of the players by first-, second- and higher-order statistics (Raiko 2006)."""

from enum import IntEnum
from typing import Annotated, Any, NamedTuple

from montego.games import Game
from montego.search.higher_order.findings import Final
from montego.search.higher_order.records import LANES
from montego.search.higher_order.search import HigherOrderSearch
from montego.search.settings import need_budget
from montego.spec import Param

_PAPER = "Raiko 2006"
_MOST = 4096


class Criterion(IntEnum):
    """How relevant a refinement is: by mutual information, that times its frequency, or gain in value times frequency."""

    INFORMATION = 0
    WEIGHTED = 1
    GAIN = 2


class HigherOrder(NamedTuple):
    """Selective statistics of order N: patterns of moves found by refinement guide the playouts and the final move."""

    playouts: Annotated[int, Param("playouts of one decision; 0: no limit but the seconds", 0)] = 1000
    seconds: Annotated[float, Param("time of one decision; 0: no limit but the playouts", 0, 1e6)] = 0.0
    order: Annotated[int, Param("moves of a pattern and the one evaluated, at most", 1, 64, _PAPER)] = 8
    noise: Annotated[float, Param("greatest noise in the choice of moves, falling to 0 linearly", 0, 100, _PAPER)] = 1.0
    optimism: Annotated[float, Param("pseudo-count of wins and visits of every move", 0, 1000, "Raiko 2006, 2.3")] = 0.0
    doubt: Annotated[float, Param("visits added to every move for the final choice", 0, 1000, "Raiko 2006, 2.3")] = 1.0
    half_life: Annotated[float, Param("playouts after which a statistic counts half; 0: all count", 0, 1e9, _PAPER)] = (
        2000.0
    )
    relative: Annotated[bool, Param("whether patterns are compared by what a move adds to their winning rate")] = True
    patterns: Annotated[int, Param("patterns at most, the empty one included", 1, _MOST, _PAPER)] = 100
    every: Annotated[int, Param("playouts between two refinements", 1, 10**9, _PAPER)] = 128
    grow: Annotated[int, Param("patterns added by a refinement, at most", 1, 1000, _PAPER)] = 4
    seen: Annotated[float, Param("playouts with pattern and move before it is refined by the move", 1, 1e9, _PAPER)] = (
        20.0
    )
    criterion: Annotated[Criterion, Param("of the relevance of a refinement", paper=_PAPER)] = Criterion.GAIN
    relevance: Annotated[float, Param("that a refinement must exceed", 0, 100, _PAPER)] = 0.0
    copy: Annotated[float, Param("weight of the parent's statistics in a new pattern", 0, 1, _PAPER)] = 0.1
    replay: Annotated[int, Param("batches that a new pattern learns from; 0: it copies its parent", 0, 10**5)] = 0
    reuse: Annotated[bool, Param("whether patterns and statistics are kept for the next move", paper=_PAPER)] = False
    prior: Annotated[float, Param("playouts that micro-reduction is worth at the start (Hex, Y)", 0, 1e6, _PAPER)] = 0.0
    final: Annotated[Final, Param("final move: eq. 4 (first) or eq. 5 (minmax)", paper=_PAPER)] = Final.MINMAX
    batch: Annotated[int, Param("playouts between two updates of the statistics", 1, LANES)] = LANES

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters."""
        return need_budget(values)

    def search(self, game: Game) -> HigherOrderSearch:
        """Return the search that these settings describe."""
        return HigherOrderSearch(game, self)


class FirstOrder(NamedTuple):
    """All moves as first: the move that the winner has most often in random fillings of the board."""

    playouts: Annotated[int, Param("playouts of one decision; 0: no limit but the seconds", 0)] = 1000
    seconds: Annotated[float, Param("time of one decision; 0: no limit but the playouts", 0, 1e6)] = 0.0
    noise: Annotated[float, Param("0: random playouts; else they follow the statistics with noise", 0, 100, _PAPER)] = (
        0.0
    )
    half_life: Annotated[float, Param("playouts after which a statistic counts half; 0: all count", 0, 1e9, _PAPER)] = (
        0.0
    )
    prior: Annotated[float, Param("playouts that micro-reduction is worth at the start (Hex, Y)", 0, 1e6, _PAPER)] = 0.0

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters."""
        return need_budget(values)

    def search(self, game: Game) -> HigherOrderSearch:
        """Return the search that these settings describe."""
        return HigherOrderSearch(game, HigherOrder(**self._asdict(), order=1, patterns=1, final=Final.FIRST))


class SecondOrder(NamedTuple):
    """All pairs of a move and an answer: the move whose best answer is worst for the opponent."""

    playouts: Annotated[int, Param("playouts of one decision; 0: no limit but the seconds", 0)] = 1000
    seconds: Annotated[float, Param("time of one decision; 0: no limit but the playouts", 0, 1e6)] = 0.0
    noise: Annotated[float, Param("0: random playouts; else they follow the statistics with noise", 0, 100, _PAPER)] = (
        0.0
    )
    half_life: Annotated[float, Param("playouts after which a statistic counts half; 0: all count", 0, 1e9, _PAPER)] = (
        0.0
    )
    final: Annotated[Final, Param("final move: eq. 4 (first) or eq. 5 (minmax)", paper=_PAPER)] = Final.MINMAX

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Check what concerns several parameters."""
        return need_budget(values)

    def search(self, game: Game) -> HigherOrderSearch:
        """Return the search that these settings describe."""
        return HigherOrderSearch(game, HigherOrder(**self._asdict(), order=2), all_single=True)
