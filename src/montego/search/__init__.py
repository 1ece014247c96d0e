"""How a player looks for its move: by chance, by flat Monte-Carlo, by a bandit, by tree search."""

from montego.search.analysis import (
    NO_LIMITS,
    Analysis,
    BrowsableSearch,
    ClosableSearch,
    Limits,
    MoveStatistics,
    OpinionatedSearch,
    Search,
)
from montego.search.chance import Random
from montego.search.depth import Depth
from montego.search.flat import Flat
from montego.search.plain_uct import PlainUct
from montego.search.uct import Ucb, Uct

__all__ = [
    "NO_LIMITS",
    "Analysis",
    "BrowsableSearch",
    "ClosableSearch",
    "Depth",
    "Flat",
    "Limits",
    "MoveStatistics",
    "OpinionatedSearch",
    "PlainUct",
    "Random",
    "Search",
    "Ucb",
    "Uct",
]
