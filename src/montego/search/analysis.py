"""What every search hands back, and what a search is to a player."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from montego.games import Position


@dataclass(frozen=True)
class MoveStatistics:
    """What a search found out about one move of the position it was asked about.

    Values are mean rewards for the player to move (won 1, drawn 0.5, lost 0), or None without any visit; ``amaf_value`` is
    the mean over the simulations in which the player made the move later. ``lower`` and ``upper`` hold the true mean with
    95 % (as far as rewards are independent, which in a tree they are not quite). ``prior`` is the policy's share of the
    move; ``proven`` is "win", "draw" or "loss" for the player to move.
    """

    move: str
    number: int
    visits: int
    value: float | None
    amaf_visits: int = 0
    amaf_value: float | None = None
    lower: float | None = None
    upper: float | None = None
    prior: float | None = None
    pruned: bool = False
    proven: str | None = None


@dataclass(frozen=True)
class Analysis:
    """The outcome of one search: the chosen move, the statistics of every move considered, and the effort.

    ``ownership`` has for every point of the game's layout the mean final owner over playouts, 1 player 0 and -1 player 1.
    ``score_histogram`` maps the lower end of each range of final scores (player 0's) to the playouts that ended there.
    ``settled`` says why a search needed no more playouts; ``cut_short`` whether ``Limits.watch`` ended it before it was done.
    """

    move: str
    number: int
    playouts: int = 0
    seconds: float = 0.0
    moves: list[MoveStatistics] = field(default_factory=list)
    principal_variation: list[str] = field(default_factory=list)
    nodes: int = 0
    mean_depth: float = 0.0
    greatest_depth: int = 0
    memory: int = 0
    ownership: Any = None
    score_histogram: dict[float, int] = field(default_factory=dict)
    settled: str = ""
    cut_short: bool = False

    @property
    def playouts_per_second(self) -> float:
        """The speed of the search."""
        return self.playouts / self.seconds if self.seconds else 0.0

    def best(self) -> MoveStatistics | None:
        """Return the statistics of the chosen move, if the search kept any."""
        return next((entry for entry in self.moves if entry.number == self.number), None)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data, ready for JSON."""
        data = {name: getattr(self, name) for name in self.__dataclass_fields__}
        data["moves"] = [dict(vars(entry)) for entry in self.moves]
        data["ownership"] = None if self.ownership is None else [round(float(owner), 4) for owner in self.ownership]
        data["playouts_per_second"] = self.playouts_per_second
        return data


@dataclass(frozen=True)
class Limits:
    """What bounds one search from outside: a clock, an opponent who waits, a person who watches.

    ``playouts`` and ``seconds`` replace the budget of the settings where they are given, 0 for no limit. ``watch`` is
    asked every few milliseconds whether to stop; it gets a function that returns the analysis so far.
    """

    playouts: int | None = None
    seconds: float | None = None
    watch: Callable[[Callable[[], Analysis]], bool] | None = None


NO_LIMITS = Limits()


class Search(Protocol):
    """A search of one game. It may keep what it learned (a tree) from one call to the next."""

    def run(self, position: Position, rng: Any, limits: Limits = NO_LIMITS) -> Analysis:
        """Look for a move in a position that is not over, drawing chance from ``rng``."""
        ...
