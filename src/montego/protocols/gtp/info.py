"""The ``info`` lines about a search that Sabaki, Lizzie and other analysis windows read.

``info move E5 visits 120 winrate 5342 prior 123 lcb 4443 order 0 pv E5 C4``, one after the other on one line. Leela
Zero's form (``lz``) has rates as whole numbers of 0.01 %, KataGo's (``kata``) as fractions with more besides.
Everything is from the perspective of the player to move.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from montego.games import Position
from montego.playouts import Sampler, ownership
from montego.rng import stream
from montego.search import Analysis, MoveStatistics

_SCORE_PLAYOUTS = 40  # per move and report, for KataGo's scores
_OWNER_PLAYOUTS = 100  # per report
_SCORED_MOVES = 10  # at most, as playouts cost time
_CHANCE = 0x494E464F  # key of the random streams, apart from the player's


class Style(Enum):
    """Whose format the lines have."""

    LZ = "lz"
    KATA = "kata"


@dataclass(frozen=True)
class Wishes:
    """What the controller asked for; ``interval`` in seconds, 0 for no reports."""

    player: int
    interval: float = 0.0
    min_moves: int = 0
    max_moves: int = 10**9
    ownership: bool = False
    root_info: bool = False
    only: frozenset[str] = frozenset()  # if not empty, only these moves
    never: frozenset[str] = frozenset()

    def allows(self, move: str) -> bool:
        """Whether a move may be shown and made."""
        return move not in self.never and (not self.only or move in self.only)


@dataclass
class Reporter:
    """Writes a line about a search at intervals."""

    position: Position
    wishes: Wishes
    style: Style
    write: Callable[[str], None]
    reports: int = 0
    next_at: float = 0.0
    scores: dict[int, Any] = field(default_factory=dict)  # move -> sampler of the position after it

    def __post_init__(self) -> None:
        self.next_at = time.monotonic() + self.wishes.interval
        self.sign = 1 if self.position.to_move == 0 else -1
        self.rng = stream(_CHANCE, len(self.position.moves))

    def look(self, current: Callable[[], Analysis]) -> None:
        """Report if the interval has passed."""
        if self.wishes.interval and time.monotonic() >= self.next_at:
            self.report(current())
            self.next_at = time.monotonic() + self.wishes.interval

    def report(self, analysis: Analysis) -> None:
        """Write one line, if the search knows anything."""
        if line := self.line(analysis):
            self.write(line)
            self.reports += 1

    def line(self, analysis: Analysis) -> str:
        """Return the line about a search; empty if no move has been tried."""
        entries = self._entries(analysis)
        parts = [self._info(analysis, entry, order) for order, entry in enumerate(entries)]
        if parts and self.style is Style.KATA:
            if self.wishes.root_info:
                parts.append(self._root_info(analysis, entries[0]))
            if self.wishes.ownership:
                parts.append(self._ownership(analysis))
        return " ".join(parts)

    def _entries(self, analysis: Analysis) -> list[MoveStatistics]:
        """Return the moves to show, the chosen one first, then by visits."""
        known = analysis.moves or [MoveStatistics(analysis.move, analysis.number, 0, None)]
        allowed = [entry for entry in known if self.wishes.allows(entry.move)]
        allowed.sort(key=lambda e: (e.number == analysis.number, e.visits, e.value or 0.0), reverse=True)
        tried = sum(1 for entry in allowed if entry.visits > 0)
        return allowed[: min(max(tried, self.wishes.min_moves), self.wishes.max_moves)]

    def _info(self, analysis: Analysis, entry: MoveStatistics, order: int) -> str:
        value = 0.5 if entry.value is None else entry.value
        bound = 0.0 if entry.lower is None else min(max(entry.lower, 0.0), value)
        prior = 1 / max(1, len(analysis.moves)) if entry.prior is None else entry.prior
        line = [entry.move]
        if entry.number == analysis.number and analysis.principal_variation[:1] == [entry.move]:
            line = analysis.principal_variation
        words = f"info move {entry.move} visits {entry.visits}"
        if self.style is Style.LZ:
            rates = (round(10_000 * rate) for rate in (value, prior, bound))
            words += " winrate {} prior {} lcb {}".format(*rates)
        else:
            words += f" utility {2 * value - 1:.6f} winrate {value:.6f}"
            if order < _SCORED_MOVES:
                mean, deviation = self._score(entry.number)
                words += (
                    f" scoreMean {mean:.4f} scoreStdev {deviation:.4f} scoreLead {mean:.4f} scoreSelfplay {mean:.4f}"
                )
            words += f" prior {prior:.6f} lcb {bound:.6f} utilityLcb {2 * bound - 1:.6f}"
        return f"{words} order {order} pv {' '.join(line)}"

    def _root_info(self, analysis: Analysis, best: MoveStatistics) -> str:
        value = 0.5 if best.value is None else best.value
        mean, deviation = self._score(best.number)
        return (
            f"rootInfo visits {analysis.playouts} utility {2 * value - 1:.6f} winrate {value:.6f}"
            f" scoreMean {mean:.4f} scoreStdev {deviation:.4f} scoreLead {mean:.4f} scoreSelfplay {mean:.4f}"
        )

    def _score(self, move: int) -> tuple[float, float]:
        """Return mean and deviation of the score after a move over random playouts; every report adds some."""
        if move not in self.scores:
            after = self.position.copy().play(move)
            self.scores[move] = Sampler(after.game, after.state, self.rng)
        totals = self.scores[move].run(_SCORE_PLAYOUTS)
        mean = float(totals.score) / int(totals.playouts)
        square = float(totals.score_squared) / int(totals.playouts)
        return self.sign * mean, math.sqrt(max(0.0, square - mean * mean))

    def _ownership(self, analysis: Analysis) -> str:
        """Return the expected owners row by row from the top: the search's, or those of playouts if it has none."""
        owners = list(analysis.ownership.values())
        if not owners:
            owners = ownership(self.position.game, self.position.state, _OWNER_PLAYOUTS, self.rng).tolist()
        return "ownership " + " ".join(f"{self.sign * value:.4f}" for value in owners)
