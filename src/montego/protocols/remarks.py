"""What a review says about a position, and how it is written into a game record.

A record gets a comment in words, the better line as a variation, and the properties that other programs draw: ``SBKV``
(Sabaki: the first player's win rate in percent) in every game, ``LZ`` (Lizzie: win rate, playouts and the moves that
were considered) in Go.
"""

from dataclasses import asdict, dataclass
from typing import Any

from montego.games import Game
from montego.search import Analysis, MoveStatistics
from montego.sgf import GameRecord, Node

FEW_VISITS = 100  # of the best move; with fewer nothing is said about it
_LISTED = 3  # moves named in a comment
_LIZZIE_MOVES = 10
_LIZZIE_VERSION = "0.7"  # the form of the property, which starts with a version


@dataclass(frozen=True)
class Review:
    """What a player thinks of one position.

    Values are win rates of the player to move. ``value`` is the mean of the best move in the search of this position,
    ``lower`` and ``upper`` the ends of its 95 % interval, ``visits`` the simulations behind it out of ``playouts``.
    ``considered`` are the moves with the most visits. ``line`` is how play would go on.

    A move that seemed to cost something was checked by two more searches: ``after_best`` and ``after_played`` are the
    win rates after either move, ``loss`` their difference and ``error`` its standard error; None where nothing was
    checked. ``is_mistake`` says that the loss is both considerable and significant.
    """

    number: int  # of the move that was played here, from 1; one more than the game has at its end
    to_move: int
    played: str | None
    best: str | None = None
    value: float | None = None
    lower: float | None = None
    upper: float | None = None
    visits: int = 0
    playouts: int = 0
    settled: bool = False  # whether the result is proven
    line: tuple[str, ...] = ()
    considered: tuple[MoveStatistics, ...] = ()
    after_best: float | None = None
    after_played: float | None = None
    loss: float | None = None
    error: float | None = None
    is_mistake: bool = False

    @property
    def is_founded(self) -> bool:
        """Whether there are enough visits to say anything about the best move."""
        return self.value is not None and (self.settled or self.visits >= FEW_VISITS)

    def first_wins(self) -> float | None:
        """Return the win rate of the first player."""
        if self.value is None:
            return None
        return self.value if self.to_move == 0 else 1.0 - self.value

    def first_bounds(self) -> tuple[float, float] | None:
        """Return the 95 % interval of the first player's win rate."""
        if self.lower is None or self.upper is None:
            return None
        return (self.lower, self.upper) if self.to_move == 0 else (1.0 - self.upper, 1.0 - self.lower)

    def as_dict(self) -> dict[str, Any]:
        """Return the review, ready for JSON."""
        return asdict(self)


def percent(value: float) -> str:
    """Return a share in percent, as it is written in sentences."""
    return f"{100 * value:.0f} %"


def called(game: Game, move: str | None) -> str:
    """Return what people call a move, where that is shorter than its notation (Blokus: the piece)."""
    return game.describe_move(game.parse_move(move)) if move else ""


def remark(record: GameRecord, one: Review) -> str:
    """Say in a few sentences what a review found."""
    name = record.game.players[one.to_move]
    best, played = called(record.game, one.best), called(record.game, one.played)
    if one.value is None:
        return f"Montego would play {best}."
    if one.settled:
        outcome = {1.0: "wins", 0.0: "loses"}.get(one.value, "draws")
        lines = [f"{name} to move {outcome} by force ({best})."]
    elif not one.is_founded:
        lines = [f"{name} to move; too few visits ({one.visits}) for an opinion."]
    else:
        margin = "" if one.lower is None or one.upper is None else f" ± {100 * (one.upper - one.lower) / 2:.0f}"
        rate = f"{100 * one.value:.0f}{margin} %"
        lines = [f"{name} to move wins {rate} with {best} ({one.playouts:,} playouts)."]
    others = [entry for entry in one.considered if entry.move != one.best][: _LISTED - 1]
    if one.is_founded and others:
        lines.append("Other moves: " + ", ".join(_entry(record.game, entry) for entry in others) + ".")
    if one.is_mistake and one.after_best is not None and one.after_played is not None and one.loss is not None:
        lines.append(
            f"Mistake: after {played} {name} wins {percent(one.after_played)}, after {best} "
            f"{percent(one.after_best)}; it costs {100 * one.loss:.0f} ± {196 * (one.error or 0.0):.0f} points."
        )
    elif one.played and one.loss is not None and one.played != one.best:
        lines.append(f"{played} was searched again and is not clearly worse than {best}.")
    return "\n".join(lines)


def _entry(game: Game, entry: MoveStatistics) -> str:
    return f"{called(game, entry.move)} {percent(entry.value or 0.0)} ({entry.visits:,} visits)"


def write_remarks(record: GameRecord, node: Node, one: Review | None, analysis: Analysis | None) -> None:
    """Write a review into its node of the record: comment, properties, and the better line."""
    if one is None:
        return
    node.comment = "\n".join([*([node.comment] if node.comment else []), remark(record, one)])
    first = one.first_wins()
    if first is not None:
        node.set_text("SBKV", f"{100 * first:.2f}")
    if analysis is not None and one.value is not None and record.game.gtp_dialect == "go":
        node.set_text("LZ", _lizzie(one, analysis))
    if one.is_mistake:  # so a move was played, and the better line does not become the main line
        branch = node
        for move in one.line:
            branch = record.add(branch, move)


def _lizzie(one: Review, analysis: Analysis) -> str:
    """Return the value of ``LZ``: win rate of the player who has just moved, playouts, and moves with their lines."""
    moves = []
    for entry in analysis.moves[:_LIZZIE_MOVES]:
        if entry.visits and entry.value is not None:
            line = one.line if entry.move == one.best else (entry.move,)
            moves.append(
                f"move {entry.move} visits {entry.visits} winrate {round(10000 * entry.value)} pv {' '.join(line)}"
            )
    value = one.value if one.value is not None else 0.5
    return f"{_LIZZIE_VERSION} {100 * (1 - value):.1f} {analysis.playouts}\n{' info '.join(moves)}"
