"""One figure of a table beside the paper's, and the verdict on it.

A row *differs* if the figures are more than three standard errors apart. If the paper reports an effect, a row *agrees*
only if we see the effect too: our figure must be two of our own standard errors away from ``null``, which is what it
would be without the effect. If it is not, the row is *not decided* as long as we have too few games to expect to see
the effect, and *differs* once we have enough. Where the paper only says which way an effect goes, a row agrees if we
see it go that way, differs if it is three of our standard errors the other way, and is not decided in between.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

AGREES, DIFFERS, NOT_DECIDED, NOT_JUDGED = "agrees", "differs", "not decided", "not judged"
STANDARD_ERRORS = 3.0  # by chance, one difference in 370 exceeds this
SEEN = 2.0  # standard errors from no effect that count as an effect: one false alarm in 44, on the paper's side
POWER = 1.0  # more standard errors, so that an effect as large as the paper's is seen five times out of six


@dataclass(frozen=True)
class Row:
    """One figure: ours, the paper's, and the standard error of the difference between them.

    ``allowance`` is how far published figures may be off apart from chance, rounding included. A row without a paper's
    figure, or with ``judged`` False, is only informative. ``holds`` overrides the comparison for claims that chance
    does not touch. ``null`` is the figure without the effect that the paper reports, ``own_error`` the standard error
    of our figure alone, which ``games`` games gave; fewer than ``least_games`` decide nothing. ``claim`` is 1 or -1 if
    all that the paper says is that the figure is above or below ``null``. A row that is ``derived`` follows from other
    rows of its table, such as the difference of two.
    """

    label: str
    quantity: str
    ours: float
    paper: float | None = None
    error: float = 0.0
    allowance: float = 0.0
    judged: bool = True
    holds: bool | None = None
    digits: int = 4
    note: str = ""
    null: float | None = None
    own_error: float = 0.0
    games: int = 0
    least_games: int = 0
    claim: int = 0
    derived: bool = False

    @property
    def difference(self) -> float | None:
        """Our figure minus the paper's."""
        return None if self.paper is None else self.ours - self.paper

    @property
    def deviation(self) -> float | None:
        """The difference in standard errors; None where chance plays no part, or where there are too few games."""
        if self.difference is None or not 0 < self.error < math.inf:
            return None
        return self.difference / self.error

    @property
    def verdict(self) -> str:
        """``agrees``, ``differs``, ``not decided``, or ``not judged``."""
        if not self.judged or (self.paper is None and self.holds is None and not self.claim):
            return NOT_JUDGED
        if self.holds is not None:
            return AGREES if self.holds else DIFFERS
        if self.games < self.least_games:
            return NOT_DECIDED
        if self.claim:
            return self._claim_verdict()
        assert self.difference is not None
        if not abs(self.difference) <= STANDARD_ERRORS * self.error + self.allowance:  # also if it is not a number
            return DIFFERS if math.isfinite(self.error) and math.isfinite(self.ours) else NOT_DECIDED
        if self.null is None or self.paper == self.null:
            return AGREES
        side = 1.0 if self.paper is not None and self.paper > self.null else -1.0
        if side * (self.ours - self.null) > SEEN * self.own_error:
            return AGREES
        return NOT_DECIDED if self.wanted_games > self.games else DIFFERS

    def _claim_verdict(self) -> str:
        """Judge which way the figure lies from ``null``; not decided if it or its error is not a number."""
        beyond = self.claim * (self.ours - (self.null or 0.0))
        if beyond > SEEN * self.own_error:
            return AGREES
        return DIFFERS if beyond < -STANDARD_ERRORS * self.own_error else NOT_DECIDED

    @property
    def wanted_games(self) -> int:
        """The number of games after which an effect as large as the paper's would be seen, if that is known.

        If the paper only says which way it goes, an effect as large as ours so far.
        """
        known = self.ours if self.claim else self.paper
        if known is None or self.null is None or known == self.null or not self.games:
            return self.least_games
        ratio = (SEEN + POWER) * self.own_error / abs(known - self.null)
        wanted = math.ceil(self.games * ratio * ratio) if math.isfinite(ratio) else self.games + 1
        return max(wanted, self.least_games)

    def data(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return {
            "label": self.label,
            "quantity": self.quantity,
            "ours": _finite(self.ours),
            "paper": self.paper,
            "standard_error": _finite(self.error),
            "own_standard_error": _finite(self.own_error),
            "difference": _finite(self.difference),
            "difference_in_standard_errors": _finite(self.deviation),
            "allowance": self.allowance,
            "verdict": self.verdict,
            "games": self.games,
            "games_to_decide": self.wanted_games if self.verdict == NOT_DECIDED else None,
            "digits": self.digits,
            "note": self.note,
        }


def chi_square(rows: Sequence[Row]) -> tuple[float, int, float]:
    """Return χ² over the rows of a table that have enough games, their number and the p-value, without allowances.

    The rows are taken as independent. That is nearly so if each has its own games.
    """
    known = [row for row in rows if row.games >= row.least_games]
    total = sum((row.deviation or 0.0) ** 2 for row in known)
    return total, len(known), chi_square_tail(total, len(known)) if known else math.nan


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the probability that χ² of ``freedom`` degrees exceeds a value: Q(freedom / 2, value / 2).

    By the recurrence Q(a + 1, x) = Q(a, x) + x^a e^-x / Γ(a + 1) from Q(1/2, x) = erfc √x or Q(1, x) = e^-x.
    """
    if not math.isfinite(value):
        return math.nan
    x = value / 2
    a, tail = (1.0, math.exp(-x)) if freedom % 2 == 0 else (0.5, math.erfc(math.sqrt(x)))
    while a < freedom / 2:
        tail += math.exp(a * math.log(x) - x - math.lgamma(a + 1)) if x > 0 else 0.0
        a += 1
    return min(1.0, tail)


def difference_error(spread: float, repeats: int, paper_spread: float, paper_repeats: int) -> float:
    """Return the standard error of the difference of two means, from their standard deviations."""
    return math.sqrt(spread**2 / repeats + paper_spread**2 / paper_repeats)


def spread_error(spread: float, repeats: int, paper_spread: float, paper_repeats: int) -> float:
    """Return the standard error of the difference of two standard deviations of nearly normal figures."""
    return math.sqrt(spread**2 / (2 * repeats) + paper_spread**2 / (2 * paper_repeats))


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
