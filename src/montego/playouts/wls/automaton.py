"""``WinLossStates``: the automaton with its tables, for Python, NumPy arrays and kernels.

What a program does with the states while it runs are two lines, ``record_result`` and ``is_above``, on arrays that it
owns: ``states`` is any array of states, all 0 in the beginning; ``steps`` and ``limit`` are those of a
``WinLossStates``. ``steps[2 * state + won]`` is the next state: WIN and LOSS in one array, because a choice between two
tables becomes a jump that the processor cannot foresee, and costs three times as much. Threads may share ``states``: an
update that is lost to another one is one result fewer, never a wrong state.
"""

import math
import operator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from montego.errors import MontegoError
from montego.kernels import index, inlined, kernel
from montego.playouts.wls.order import evidence, jump_columns, proportions, step_table

QUARTILE = 0.67449  # of the normal distribution: the only usual z with which the paper's Table II comes out

MOST_VISITS = 2000
LEAST_Z, MOST_Z = 0.01, 10.0
MOST_K = 2.0


@inlined
def record_result(states, entry, steps, won):
    """Move one entry to its next state after a win (``won`` = 1 or True) or a loss (0 or False)."""
    states[index(entry)] = steps[index(2 * np.int64(states[index(entry)]) + np.int64(won))]


@inlined
def is_above(states, entry, limit):
    """Whether the success rate of one entry is above the threshold whose state is ``limit``; never if unseen."""
    return states[index(entry)] > limit


@kernel
def record_results(states, entries, won, steps):
    """Record results one after the other: entry ``entries[i]`` won if ``won[i]``; an entry may appear many times."""
    for i in range(len(entries)):
        record_result(states, entries[index(i)], steps, won[index(i)])


@dataclass(frozen=True)
class WinLossStates:
    """All success rates n/m with m ≤ e, numbered in the order of the evidence that they are high.

    State 0 is 0/0, never seen; 1 is 0/e, the worst; the last one is e/e, the best. Arrays are read-only.

    >>> wls = WinLossStates(e=3)
    >>> state = 0
    >>> for won in (True, True, False):
    ...     state = int(wls.win[state] if won else wls.loss[state])
    >>> wls.fraction(state), bool(wls.above(state))
    ((2, 3), True)
    """

    e: int = 21  # end of scale: the most visits that are counted; 21 is the largest that fits into a byte
    z: float = QUARTILE  # of the confidence interval: how much a small number of visits counts against a state
    k: float = 1.3  # how far a state at the end of scale jumps back; 0 makes it a mere counter
    threshold: tuple[int, int] = (1, 2)  # wins, visits of the state that ``above`` compares with

    dtype: Any = field(init=False, repr=False, compare=False)  # the smallest integers that hold a state
    wins: NDArray[np.int64] = field(init=False, repr=False, compare=False)  # n of every state
    visits: NDArray[np.int64] = field(init=False, repr=False, compare=False)  # m of every state
    values: NDArray[np.float64] = field(init=False, repr=False, compare=False)  # v of every state, increasing
    steps: NDArray[Any] = field(init=False, repr=False, compare=False)  # [2 * state + won]: the next state
    limit: int = field(init=False, repr=False, compare=False)  # the threshold as a state

    def __post_init__(self) -> None:
        _check(self)
        wins, visits = proportions(self.e)
        values = evidence(wins, visits, self.z)
        order = np.argsort(values, kind="stable")
        number = np.empty_like(order)
        number[order] = np.arange(len(order))
        table = step_table(self.e, number, self._jump_columns())
        dtype = np.min_scalar_type(len(order) - 1)
        self._set(dtype=dtype, wins=wins[order], visits=visits[order], values=values[order], _number=number)
        self._set(steps=table.astype(dtype), limit=0)
        self._set(limit=self.limit_of(*self.threshold))

    def _jump_columns(self) -> NDArray[np.int64]:
        return jump_columns(self.e, self.k)

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, name, value)

    def __reduce__(self) -> Any:
        return type(self), (self.e, self.z, self.k, self.threshold)

    def __len__(self) -> int:
        return len(self.values)

    # ---------------------------------------------------------------------------------------------------- conversions

    @property
    def win(self) -> Any:
        """The next state of every state after a win."""
        return self.steps[1::2]

    @property
    def loss(self) -> Any:
        """The next state of every state after a loss."""
        return self.steps[::2]

    def state(self, wins: int, visits: int) -> int:
        """Return the state of ``wins`` in ``visits``, which must not be more than e."""
        if not _is_whole(wins) or not _is_whole(visits) or not 0 <= wins <= visits <= self.e:
            raise MontegoError(f"no state {wins}/{visits} here; expected 0 <= wins <= visits <= {self.e}")
        return int(self._number[visits * (visits + 1) // 2 + wins])  # type: ignore[attr-defined]

    def fraction(self, state: int) -> tuple[int, int]:
        """Return the wins and the visits that a state stands for."""
        self._check_states(state)
        return int(self.wins[state]), int(self.visits[state])

    def proportion(self, states: ArrayLike) -> Any:
        """Return n/m of one state or of an array of them; not a number for 0/0."""
        numbers = self._check_states(states)
        visits = self.visits[numbers]
        return np.where(visits > 0, self.wins[numbers] / np.maximum(visits, 1), np.nan)[()]

    def limit_of(self, wins: int, visits: int) -> int:
        """Return a threshold as an integer: states greater than it are above ``wins``/``visits``.

        1/2 can be asked for at e = 1 too, where it is not a state: the limit is then 0/1, below which nothing is good.
        """
        if (wins, visits, self.e) == (1, 2, 1):
            return self.state(0, 1)
        if not _is_whole(wins) or not _is_whole(visits) or not (0 <= wins <= visits and 1 <= visits <= self.e):
            raise MontegoError(
                f"threshold must be (wins, visits) with 0 <= wins <= visits and visits from 1 to {self.e}, "
                f"not {(wins, visits)}"
            )
        return self.state(wins, visits)

    # -------------------------------------------------------------------------------------------------------- in use

    def new_table(self, shape: int | tuple[int, ...]) -> NDArray[Any]:
        """Return an array of states, all never seen, in the smallest type."""
        return np.zeros(shape, self.dtype)

    def after(self, states: ArrayLike, won: ArrayLike) -> Any:
        """Return the states that follow after wins (True) and losses (False), one by one."""
        numbers = self._check_states(states)
        return self.steps[2 * numbers.astype(np.intp) + np.asarray(won, bool)]

    def record(self, table: NDArray[Any], entries: ArrayLike, won: ArrayLike) -> None:
        """Update the entries of a one-dimensional table in place, one after the other; an entry may appear again."""
        where, results = np.broadcast_arrays(np.asarray(entries), np.asarray(won, bool))
        where, results = np.atleast_1d(where), np.atleast_1d(results)
        if table.ndim != 1 or table.dtype != self.dtype:
            raise MontegoError(f"the table must be a one-dimensional array of {self.dtype}, as new_table makes it")
        if where.dtype.kind not in "iu" or where.ndim != 1:
            raise MontegoError("entries must be whole numbers in one dimension")
        if where.size and not (int(where.min()) >= 0 and int(where.max()) < len(table)):
            raise MontegoError(f"entries must be from 0 to {len(table) - 1}, not {where.min()} to {where.max()}")
        self._check_states(table[where])
        record_results(table, np.ascontiguousarray(where, np.int64), np.ascontiguousarray(results), self.steps)

    def above(self, states: ArrayLike, threshold: tuple[int, int] | None = None) -> Any:
        """Whether states are above a threshold: one comparison of integers. State 0, never seen, is above none."""
        limit = self.limit if threshold is None else self.limit_of(*threshold)
        return np.asarray(states) > limit

    # ------------------------------------------------------------------------------------------------------- drawings

    def automaton_svg(self) -> str:
        """Draw the states and what follows each, as the paper's Fig. 1; for e up to 8."""
        from montego.playouts.wls import drawing  # here, because searches with WLS draw nothing

        return drawing.automaton(self)

    def value_svg(self) -> str:
        """Draw the value of every state in their order."""
        from montego.playouts.wls import drawing

        return drawing.value_curve(self)

    def _check_states(self, states: ArrayLike) -> NDArray[Any]:
        found = np.asarray(states)
        if found.dtype.kind not in "iu" or (found.size and not (found.min() >= 0 and found.max() < len(self))):
            raise MontegoError(f"states must be whole numbers from 0 to {len(self) - 1}")
        return found


def _is_whole(value: Any) -> bool:
    return not isinstance(value, bool) and hasattr(value, "__index__")


def _check(wls: WinLossStates) -> None:
    """Check and convert the parameters."""
    if not _is_whole(wls.e) or not 1 <= operator.index(wls.e) <= MOST_VISITS:
        raise MontegoError(f"e must be a whole number from 1 to {MOST_VISITS}, not {wls.e!r}")
    wls._set(e=operator.index(wls.e))
    for name, low, high in (("z", LEAST_Z, MOST_Z), ("k", 0.0, MOST_K)):
        value = getattr(wls, name)
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = math.nan
        if isinstance(value, bool | str) or not low <= number <= high:
            raise MontegoError(f"{name} must be a number from {low:g} to {high:g}, not {value!r}")
        wls._set(**{name: number})
    try:
        wins, visits = wls.threshold
    except (TypeError, ValueError):
        raise MontegoError(f"threshold must be (wins, visits) such as (1, 2), not {wls.threshold!r}") from None
    wls._set(threshold=(wins, visits))
