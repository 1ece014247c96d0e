"""How the automaton is made: the states, their order, and what follows each after a win and after a loss.

States are proportions n/m: n wins in m ≤ e visits. "Column m" are the m + 1 states of m visits. Before they are
ordered, states lie column by column: n/m is number m (m + 1) / 2 + n.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def proportions(e: int) -> tuple[Integers, Integers]:
    """Return the wins and the visits of all (e + 1) (e + 2) / 2 states, column by column."""
    visits = np.repeat(np.arange(e + 1), np.arange(1, e + 2))
    wins = np.arange(len(visits)) - visits * (visits + 1) // 2
    return wins, visits


def evidence(wins: Integers, visits: Integers, z: float) -> NDArray[np.float64]:
    """Return v of the paper's Condition 1, by which states are ordered; 0/0 comes first.

    The lower bound of the Agresti-Coull interval for proportions of 1/2 and more; the upper bound, less 1, for the
    others. Lower bounds are above 0 and upper bounds below 1 for every z, so that the two do not overlap.
    """
    total = visits + z * z
    centre = (wins + z * z / 2) / total
    half_width = z * np.sqrt(centre * (1 - centre) / total)
    value = np.where(2 * wins >= visits, centre - half_width, centre + half_width - 1)
    return np.where(visits > 0, value, -2.0)


def jump_columns(e: int, k: float) -> Integers:
    """Return for n = 0 … e the column that a saturated n/e jumps to: j = e - round(K e |n/e - 1/2|), at least 1.

    K counts as the decimal number that was written (1.4, not the nearest binary fraction), and half goes to the even
    number. So the automaton is the same on every machine, and wins mirror losses. Rounding matters: K e |n/e - 1/2| is
    half a whole number for every n if K = 1 and e is odd.
    """
    exact = Fraction(repr(k))
    return np.array([max(1, e - round(exact * abs(2 * n - e) / 2)) for n in range(e + 1)])


def step_table(e: int, number: Integers, columns: Integers) -> Integers:
    """Return the next states by their numbers in the order: at 2 · state after a loss, at 2 · state + 1 after a win.

    ``number`` holds, column by column, the number of each state in the order; ``columns`` the columns of the jumps.
    """
    wins, visits = proportions(e)
    table = np.zeros(2 * len(number), np.int64)
    inner = visits < e
    below = (visits + 1) * (visits + 2) // 2 + wins  # n/(m+1), column by column
    table[2 * number[inner]] = number[below[inner]]
    table[2 * number[inner] + 1] = number[below[inner] + 1]
    first = e * (e + 1) // 2
    for n in range(e + 1):
        here = number[first + n]
        table[2 * here] = here if n == 0 else _jump(number, here, int(columns[n]), won=False)
        table[2 * here + 1] = here if n == e else _jump(number, here, int(columns[n]), won=True)
    return table


def _jump(number: Integers, here: np.int64, column: int, *, won: bool) -> np.int64:
    """Return the nearest state of a column above (after a win) or below (after a loss) a saturated state.

    For large z a short column may have no state on the right side: even j/j is then less evidence than n/e. The next
    longer column that has one is taken, so that the jump stays as long as Condition 2 allows; column e always has one.
    """
    while True:
        first = column * (column + 1) // 2
        states = number[first : first + column + 1]  # increasing, as evidence grows with wins
        place = int(np.searchsorted(states, here, side="right" if won else "left"))
        if won and place <= column:
            return np.int64(states[place])
        if not won and place > 0:
            return np.int64(states[place - 1])
        column += 1
