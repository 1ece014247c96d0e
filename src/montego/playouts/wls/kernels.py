"""What a program does with Win/Loss States while it runs: two lines, on arrays that it owns.

``states`` is any array of states, all 0 in the beginning; ``steps`` and ``limit`` are those of a ``WinLossStates``.
``steps[2 * state + won]`` is the next state: WIN and LOSS in one array, because a choice between two tables becomes a jump
that the processor cannot foresee, and costs three times as much.

Threads may share ``states``: an update that is lost to another one is one result fewer, never a wrong state.
"""

import numpy as np

from montego.kernels import index, inlined, kernel


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
