"""What every search hands back, and what a search is to a player."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import lru_cache
from html import escape
from typing import Any, Protocol, runtime_checkable

from montego.errors import MontegoError, nearest
from montego.frames import frame
from montego.games import Game, Heat, Position
from montego.playouts import PlayoutMaps

_SHOWN_MOVES = 10  # rows of the table in a notebook
_SHOWN_LINE = 8  # moves of the principal variation in a short description
_FOUNDED = 0.02  # of the most visits, for a value to count for the scale of a heat map
HEATS = ("visits", "value", "amaf", "prior", "ownership")


@dataclass(frozen=True)
class MoveStatistics:
    """What a search found out about one move of the position it was asked about.

    Values are mean rewards for the player to move (won 1, drawn 0.5, lost 0), or None without any visit;
    ``amaf_value`` is the mean over the simulations in which the player made the move later. The true mean is between
    ``lower`` and ``upper`` with a probability of 95 % (as far as rewards are independent, which in a tree they are
    not quite). ``prior`` is the policy's share of the move; ``proven`` is "win", "draw" or "loss" for the player to
    move.
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


@dataclass(frozen=True, repr=False)
class Analysis:
    """The outcome of one search: the chosen move, the statistics of every move considered, and the effort.

    ``moves`` is sorted: the chosen move first, then the others by their visits and their values. ``ownership`` maps
    the name of every point to its mean final owner, 1 for player 0 and -1 for player 1; it is empty if the search did
    not count owners. ``score_histogram`` maps the lower end of each range of final scores (player 0's) to the
    playouts that ended there. ``settled`` says why a search needed no more playouts; ``cut_short`` whether
    ``Limits.watch`` ended it early. ``position`` is the position that was searched.
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
    ownership: dict[str, float] = field(default_factory=dict)
    score_histogram: dict[float, int] = field(default_factory=dict)
    settled: str = ""
    cut_short: bool = False
    position: Position | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        def rank(entry: MoveStatistics) -> tuple[bool, int, float]:
            return entry.number != self.number, -entry.visits, -(entry.value or 0.0)

        object.__setattr__(self, "moves", sorted(self.moves, key=rank))

    @property
    def playouts_per_second(self) -> float:
        """The speed of the search."""
        return self.playouts / self.seconds if self.seconds else 0.0

    def best(self) -> MoveStatistics | None:
        """Return the statistics of the chosen move, if the search kept any."""
        return next((entry for entry in self.moves if entry.number == self.number), None)

    # -- as data

    def as_dict(self) -> dict[str, Any]:
        """Return everything but the position as plain data, ready for JSON."""
        data = {entry.name: getattr(self, entry.name) for entry in fields(self) if entry.name != "position"}
        data["moves"] = [asdict(entry) for entry in self.moves]
        data["ownership"] = {point: round(owner, 4) for point, owner in self.ownership.items()}
        data["playouts_per_second"] = self.playouts_per_second
        return data

    def to_frame(self) -> Any:
        """Return the moves as a pandas table, one row per move, best first. Needs pandas."""
        columns = [entry.name for entry in fields(MoveStatistics)]
        return frame([asdict(entry) for entry in self.moves], columns, index="move")

    # -- for people

    def __repr__(self) -> str:
        return f"<{self._summary()}>"

    def _summary(self) -> str:
        """Say in one line which move was chosen, what it is worth, and at what effort."""
        best = self.best()
        chosen = self.move if best is None or best.value is None else f"{self.move} {best.value:.3f}{_bounds(best)}"
        parts = [chosen, f"{self.playouts:,} playouts"]
        if self.principal_variation:
            more = " …" if len(self.principal_variation) > _SHOWN_LINE else ""
            parts.append("pv " + " ".join(self.principal_variation[:_SHOWN_LINE]) + more)
        parts += [self.settled] if self.settled else []
        parts += ["cut short"] if self.cut_short else []
        return ", ".join(parts)

    def _repr_html_(self) -> str:
        """Return a table of the best moves, for notebooks."""
        head = "".join(f"<th>{name}</th>" for name in ("move", "visits", "value", "95 %", "AMAF", "proven"))
        rows = "".join(f"<tr>{_cells(entry)}</tr>" for entry in self.moves[:_SHOWN_MOVES])
        more = len(self.moves) - _SHOWN_MOVES
        rest = f"<tr><td colspan=6>… and {more} more moves</td></tr>" if more > 0 else ""
        table = f"<thead><tr>{head}</tr></thead><tbody>{rows}{rest}</tbody>"
        return f"<table><caption>{escape(self._summary())}</caption>{table}</table>"

    def svg(self, position: Position | None = None, heat: str = "visits") -> str:
        """Return the board as SVG with a heat map.

        ``heat`` is what the colours show: visits, value, amaf or prior of the moves, or the ownership of the points.

        The board is the position that was searched, unless another one is given.
        """
        board = position or self.position
        if board is None:
            raise MontegoError("this analysis does not know its position: give it, as in analysis.svg(position)")
        return board.svg(self.heat(heat, board.game))

    def heat(self, of: str, game: Game) -> Heat:
        """Return a heat map of the points; ``of`` as in ``svg``. Values and AMAF fade where visits are few."""
        if of not in HEATS:
            raise MontegoError(f"no heat map of {of!r}{nearest(of, list(HEATS))}")
        if of == "ownership":
            if not self.ownership:
                raise MontegoError("this search did not count who owns the points; uct(survey=16) does")
            first, second = game.players
            return Heat(self.ownership, "owner at the end", -1.0, 1.0, ends=(second, first))
        values = self._by_point(of, game)
        if of in ("value", "amaf"):
            title = "win rate after the move" if of == "value" else "win rate when played at any time (AMAF)"
            weights = self._by_point("visits" if of == "value" else "amaf visits", game)
            # The scale is that of the values worth looking at; a single visit that won or lost would spoil it.
            founded = [values[point] for point in values if weights[point] >= _FOUNDED * max(weights.values())]
            low, high = min(founded, default=0.0), max(founded, default=1.0)
            return Heat(values, title, low, high, weights=weights, percent=True)
        if of == "prior":
            return Heat(values, "prior probability", 0.0, percent=True)
        return Heat(values, "visits", 0.0)

    def _by_point(self, of: str, game: Game) -> dict[str, float]:
        """Return a number for each point. One of several moves (Blokus) has the sum of visits, the best value."""
        combine = max if of in ("value", "amaf") else sum
        found: dict[str, list[float]] = {}
        for entry in self.moves:
            number = {
                "visits": entry.visits,
                "value": entry.value,
                "amaf visits": entry.amaf_visits,
                "amaf": entry.amaf_value,
                "prior": entry.prior,
            }[of]
            if number is not None:
                for point in game.points_of(entry.number):
                    found.setdefault(point, []).append(number)
        return {point: combine(numbers) for point, numbers in found.items()}


def _bounds(entry: MoveStatistics) -> str:
    return "" if entry.lower is None or entry.upper is None else f" ({entry.lower:.3f} to {entry.upper:.3f})"


def _cells(entry: MoveStatistics) -> str:
    """Return the cells of a move's row in the table for notebooks."""
    words = [
        entry.move,
        f"{entry.visits:,}",
        "" if entry.value is None else f"{entry.value:.3f}",
        _bounds(entry).strip(" ()"),
        "" if entry.amaf_value is None else f"{entry.amaf_value:.3f}",
        entry.proven or ("pruned" if entry.pruned else ""),
    ]
    return "".join(f"<td>{escape(word)}</td>" for word in words)


@lru_cache(maxsize=64)
def _point_names(game: Game) -> tuple[str, ...]:
    return tuple(game.layout().names)


def by_point(game: Game, owners: Iterable[Any]) -> dict[str, float]:
    """Return numbers in the order of a game's points as a dict by the points' names."""
    return dict(zip(_point_names(game), map(float, owners), strict=True))


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
        """Look for a move in a position that is not over, drawing chance from ``rng``.

        The search may keep the position and put it into the analysis, so callers do not change it afterwards.
        """
        ...


@runtime_checkable
class ClosableSearch(Protocol):
    """A search that holds something outside this process, such as an engine that it runs."""

    def close(self) -> None:
        """Give it back."""
        ...


@runtime_checkable
class BrowsableSearch(Protocol):
    """A search that keeps a tree and a playout policy that people may look into when it has ended."""

    def explore(self, line: Sequence[int]) -> list[MoveStatistics]:
        """Return the statistics of the moves after a line of moves from the root, most visits first.

        Values are from the perspective of the player who makes the moves. Empty where the tree knows nothing.
        """
        ...

    def playout_maps(self, position: Position, playouts: int, rng: Any) -> PlayoutMaps:
        """Return the maps of playouts from a position by the policy with what it has learned."""
        ...


@runtime_checkable
class OpinionatedSearch(Protocol):
    """A search by another program, which may have its own opinion on the result of a finished game."""

    def opinion(self, position: Position) -> str | None:
        """Return what it thinks of the score, such as ``B+3.5``, or None."""
        ...
