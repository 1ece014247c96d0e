"""How a player behaves at the board beyond choosing good moves: when it passes, when it gives up, how it uses time.

Manners are declared once and hold wherever the player plays. A match between programs wants none of them (``PLAY_ON``):
its games go on to the end by the rules, so that a wrong opinion about a position cannot change a result. To save time,
a match may let players resign.
"""

from dataclasses import dataclass
from typing import Any

from montego.games import Position
from montego.rewards import WinLoss
from montego.search import Analysis, Flat, PlainUct, Ucb, Uct
from montego.sessions.clock import LAG
from montego.sessions.session import Session

_BELIEVED = 200  # visits of all moves together, for their values to be believed
_LOW_MOVES = 3  # in a row with a low value, before a player gives up
_FILLED = 0.25  # moves per point of the board, before a player gives up


@dataclass(frozen=True)
class Manners:
    """The habits of one player."""

    resign_below: float = 0.05  # give up when the expected win rate, if it is one, stays below this; 0: never
    concedes: bool = False  # give up as soon as the game itself shows that it is lost, without a search
    passes_early: bool = True  # pass when nothing is left to gain, in games that end by passing
    captures_dead: bool = False  # capture the opponent's dead stones before passing (and do not resign meanwhile)
    lag: float = LAG  # seconds per move that pass outside the search, kept back on the clock


PLAY_ON = Manners(resign_below=0.0, passes_early=False)


def expects_win_rates(settings: Any) -> bool:
    """Whether the values that a player's search finds are win rates: means over playouts that count wins only.

    Under another reward, a value of 5 % may be a close game. ``depth`` takes the worst of many noisy means, which is
    often 0 in a won game, and ``higher_order`` corrects means by what its patterns say.
    """
    return isinstance(settings, (Flat, Ucb, Uct, PlainUct)) and isinstance(settings.reward, WinLoss)


def expectation(analysis: Analysis) -> float | None:
    """Return the win rate that a search expects for the player to move, or None if it saw too little.

    It is the better one of the chosen move's value and of the mean over all moves, so that a single unlucky move is not
    taken for a lost game.
    """
    best = analysis.best()
    if best is None:
        return None
    if best.proven == "loss":
        return 0.0
    tried = [(entry.visits, entry.value) for entry in analysis.moves if entry.value is not None and entry.visits > 0]
    visits = sum(count for count, _ in tried)
    if best.value is None or visits < _BELIEVED:
        return None
    return max(best.value, sum(count * value for count, value in tried) / visits)


def gives_up(session: Session, position: Position, expects: float | None, manners: Manners) -> bool:
    """Whether the player to move resigns: the win rate it expects is low, and was at its last moves too."""
    player, below = position.to_move, manners.resign_below
    if below <= 0:
        return False
    stones = int((position.owners() >= 0).sum())
    if max(stones, len(position.moves)) < _FILLED * len(position.owners()):
        return False
    earlier = [step.expects for step in session.steps if step.player == player][1 - _LOW_MOVES :]
    recent = [*earlier, expects]
    return len(recent) == _LOW_MOVES and all(value is not None and value < below for value in recent)
