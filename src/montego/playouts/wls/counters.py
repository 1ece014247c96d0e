"""Wins and visits counted in full: what Win/Loss States replace, kept to measure what they gain.

A rate is one word, visits above wins. It is judged by the same bound as a state (``order.evidence``), worked out at
every look instead of looked up, and it never forgets: after 10,000 visits a hundred results change next to nothing.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from montego.errors import MontegoError
from montego.kernels import inlined

HALF_BITS = 24  # of the wins and of the visits
MOST_VISITS = (1 << HALF_BITS) - 1  # then nothing is counted any more
LEVELS = 65533  # into which bounds are rounded, so that a level fits into two bytes as a state does


@inlined
def count_result(counts, won):
    """Return the counts after one more win (1) or loss (0)."""
    return counts + (1 << HALF_BITS) + won if counts >> HALF_BITS < MOST_VISITS else counts


@inlined
def level_of(counts, z):
    """Return the evidence that a rate is high as a whole number, in the order of Condition 1; 0 if never seen."""
    if counts == 0:
        return np.int64(0)
    wins, visits = float(counts & MOST_VISITS), float(counts >> HALF_BITS)
    total = visits + z * z
    centre = (wins + 0.5 * z * z) / total
    half_width = z * math.sqrt(centre * (1.0 - centre) / total)
    bound = centre - half_width if 2.0 * wins >= visits else centre + half_width - 1.0
    return np.int64(1 + np.int64(0.5 * (bound + 1.0) * LEVELS))


@dataclass(frozen=True)
class Counters:
    """Rates as wins and visits: the part of ``WinLossStates`` that a table of contexts and a policy ask for."""

    z: float
    threshold: tuple[int, int]

    dtype: ClassVar[Any] = np.dtype(np.uint64)
    steps: ClassVar[Any] = np.zeros(2, np.uint8)  # there is no automaton

    def __post_init__(self) -> None:
        if len(self.threshold) != 2:
            raise MontegoError(f"threshold must be (wins, visits) such as (1, 2), not {self.threshold!r}")
        self.limit_of(*self.threshold)

    @property
    def limit(self) -> int:
        """The threshold as a level."""
        return self.limit_of(*self.threshold)

    def limit_of(self, wins: int, visits: int) -> int:
        """Return a threshold as a level: greater ones are above ``wins``/``visits``."""
        whole = type(wins) is int and type(visits) is int
        if not whole or not (0 <= wins <= visits and 1 <= visits <= MOST_VISITS):
            raise MontegoError(
                f"threshold must be (wins, visits) with 0 <= wins <= visits and visits from 1 to {MOST_VISITS}, "
                f"not {(wins, visits)}"
            )
        return int(level_of(visits << HALF_BITS | wins, self.z))

    def proportion(self, counts: int) -> float:
        """Return wins / visits, not a number if there are none."""
        visits = counts >> HALF_BITS
        return (counts & MOST_VISITS) / visits if visits else math.nan
