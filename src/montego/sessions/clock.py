"""Time control: what the clocks show, and how many seconds a move may take.

``seconds_for_move`` is a pure function of the time control, what is left on the clock and how many moves are still to
come. It keeps a margin for delays outside the search, and never spends more than the clock has.
"""

from dataclasses import dataclass
from enum import Enum

from montego.games import Position

LAG = 0.1  # seconds per move that pass outside the search: pipes, networks, the judgement of passes
_SHARE = 0.05  # of a period, kept back in case the machine is slow
_LEAST = 0.001  # a search of no time would be one without limit
_EMPTY_SHARE = 0.35  # of the empty points each player will still fill (Go 9×9: 28 moves at the start)
_FEWEST_MOVES = 8  # always expected to be still to come
_RESERVE = 30  # times the lag, kept back from an absolute time for moves that nobody expected


class Kind(Enum):
    """What happens when the main time is over."""

    NONE = "none"  # there are no clocks
    ABSOLUTE = "absolute"  # the game is lost
    CANADIAN = "canadian"  # a number of stones in each period
    BYOYOMI = "byoyomi"  # one stone in each period; a period that is used up is gone


@dataclass(frozen=True)
class TimeControl:
    """The settings of a game: seconds of main time and of a period, and stones per period or number of periods."""

    kind: Kind = Kind.NONE
    main: float = 0.0
    period: float = 0.0
    count: int = 0

    def start(self) -> "Remaining":
        """Return a fresh clock."""
        if self.main > 0 or self.kind is Kind.ABSOLUTE:
            return Remaining(self.main, 0)
        return self.start_of_overtime()

    def start_of_overtime(self) -> "Remaining":
        """Return a clock whose main time has just run out."""
        return Remaining(self.period, self.count)


@dataclass(frozen=True)
class Remaining:
    """What a clock shows: seconds, and the stones (Canadian) or periods (byo-yomi) left; 0 in main time."""

    seconds: float
    count: int


def moves_to_come(position: Position) -> float:
    """Estimate how many moves a player will still make."""
    empty = int((position.owners() < 0).sum())
    longest = (position.game.max_length() - len(position.moves)) / 2 + 1
    return max(1.0, min(longest, max(_FEWEST_MOVES, _EMPTY_SHARE * empty)))


def seconds_for_move(control: TimeControl, left: Remaining, moves: float, lag: float = LAG) -> float | None:
    """Return the seconds that the next move may take, or None without a clock; ``moves`` are still to come."""
    if control.kind is Kind.NONE:
        return None
    if control.kind is Kind.ABSOLUTE:
        return max(_LEAST, _usable(left.seconds, lag * max(moves, _RESERVE)) / moves)
    stones = control.count if control.kind is Kind.CANADIAN else 1
    if left.count > 0:
        now = left.count if control.kind is Kind.CANADIAN else 1
        return max(_LEAST, _usable(left.seconds, lag * now) / now)
    overtime = _usable(control.period, lag * stones) / max(1, stones)
    share = left.seconds / moves - lag
    return max(_LEAST, share, overtime)  # the first period covers what the main time does not


def _usable(seconds: float, lag: float) -> float:
    return max(0.0, seconds * (1 - _SHARE) - lag)


def after_move(control: TimeControl, left: Remaining, spent: float) -> Remaining:
    """Return what a clock shows after a move that took ``spent`` seconds."""
    if control.kind is Kind.NONE:
        return left
    seconds, count = left.seconds - spent, left.count
    if control.kind is Kind.ABSOLUTE:
        return Remaining(max(0.0, seconds), 0)
    if count == 0:
        if seconds > 0:
            return Remaining(seconds, 0)
        seconds, count = seconds + control.period, control.count
    if control.kind is Kind.BYOYOMI:
        used_up = min(count - 1, -seconds // control.period + 1) if seconds <= 0 else 0
        return Remaining(control.period, count - int(used_up))
    return Remaining(max(0.0, seconds), count - 1) if count > 1 else control.start_of_overtime()


class Clock:
    """The clocks of both players."""

    def __init__(self) -> None:
        self.set(TimeControl())

    def set(self, control: TimeControl) -> None:
        """Start both clocks."""
        self.control = control
        self.left = [control.start(), control.start()]

    def restart(self) -> None:
        """Reset both clocks for a new game."""
        self.set(self.control)

    def report(self, player: int, seconds: float, count: int) -> None:
        """Set a clock to what a clock elsewhere shows, such as a server's."""
        self.left[player] = Remaining(seconds, count)

    def seconds_for_move(self, position: Position, player: int, lag: float) -> float | None:
        """Return the seconds for a player's next move, or None without a clock."""
        if self.control.kind is Kind.NONE:
            return None
        return seconds_for_move(self.control, self.left[player], moves_to_come(position), lag)

    def spend(self, player: int, seconds: float) -> None:
        """Take the time of a move off a player's clock."""
        self.left[player] = after_move(self.control, self.left[player], seconds)
