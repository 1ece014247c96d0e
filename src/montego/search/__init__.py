"""How a player looks for its move: by chance, by flat Monte-Carlo."""

from montego.search.analysis import Analysis, MoveStatistics, Search
from montego.search.chance import Random
from montego.search.flat import Flat

__all__ = ["Analysis", "Flat", "MoveStatistics", "Random", "Search"]
