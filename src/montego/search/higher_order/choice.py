"""The choice of moves within a playout: the patterns that apply, and the best evaluation among them.

Raiko, "Higher order statistics in play-out analysis" (2006), 2.1: a move is worth the maximum of its evaluations by the
patterns that apply and are no sub-pattern of another applying one. The paper keeps a heap for each pattern. Here the maximum over
patterns is kept for every move, and changes only with the few moves that complete a pattern.
"""

import numpy as np

from montego.kernels import index, kernel, lowest_bit
from montego.rng import uniform
from montego.search.higher_order.records import EMPTY, LAST_SLOT, SLOT_BITS, TAKEN, UNIT

_U = np.uint64
_ZERO, _ONE = np.uint64(0), np.uint64(1)


@kernel
def pick(current, noise, player):
    """Return the slot with the best evaluation plus noise, the first of equal ones.

    The low bits of the noise are the number of the slot, counted down, so that the greatest sum names its slot and the
    compiler may compare several at a time.
    """
    values, blur = current[index(player)], noise[index(player)]
    best = np.int64(TAKEN)
    for slot in range(len(values)):
        best = max(best, values[index(slot)] + blur[index(slot)])
    return LAST_SLOT - (best & LAST_SLOT)


@kernel
def pick_of(current, noise, player, left, count):
    """Return the best slot of ``left[:count]`` only, at least one."""
    best = np.int64(TAKEN)
    for place in range(count):
        slot = index(left[index(place)])
        best = max(best, current[index(player), slot] + noise[index(player), slot])
    return LAST_SLOT - (best & LAST_SLOT)


@kernel
def draw_noise(rng, noise, amount):
    """Draw the noise of a playout: for each player and slot evenly from 0 to ``amount``."""
    for player in range(2):
        for slot in range(noise.shape[1]):
            fixed = np.int64(amount * UNIT * uniform(rng))
            noise[index(player), index(slot)] = fixed << SLOT_BITS | (LAST_SLOT - slot)


@kernel
def begin_playout(patterns, sizes, values, missing, maximal, current):
    """Let the empty pattern alone apply."""
    for word in range(len(maximal)):
        maximal[index(word)] = _ZERO
    maximal[index(0)] = _ONE
    for pattern in range(patterns):
        missing[index(pattern)] = sizes[index(pattern)]
    take_values(current, values, EMPTY)


@kernel
def take_values(current, values, pattern):
    """Make the evaluations of one pattern those that hold."""
    for player in range(2):
        for slot in range(current.shape[1]):
            current[index(player), index(slot)] = values[index(pattern), index(player), index(slot)]


@kernel
def raise_values(current, values, pattern):
    """Raise the evaluations that hold to those of one more pattern."""
    for player in range(2):
        for slot in range(current.shape[1]):
            value = values[index(pattern), index(player), index(slot)]
            current[index(player), index(slot)] = max(current[index(player), index(slot)], value)


@kernel
def completes(containing, patterns, player, slot, missing, fresh):
    """Take a move off what patterns still miss; whether it completes some, which are then ``fresh``."""
    completed = False
    for word in range((patterns + 63) >> 6):
        rest = containing[index(player), index(slot), index(word)]
        fresh[index(word)] = _ZERO
        while rest != _ZERO:
            low = lowest_bit(rest)
            rest &= rest - _ONE
            pattern = 64 * word + low
            missing[index(pattern)] -= 1
            if missing[index(pattern)] == 0:
                fresh[index(word)] |= _ONE << _U(low)
                completed = True
    return completed


@kernel
def apply_fresh(below, values, patterns, fresh, maximal, current):
    """Add the completed patterns to the maximal ones, drop those below them, and combine the evaluations."""
    used = (patterns + 63) >> 6
    for word in range(used):
        maximal[index(word)] |= fresh[index(word)]
    dropped = False
    for word in range(used):
        rest = fresh[index(word)]
        while rest != _ZERO:
            pattern = 64 * word + lowest_bit(rest)
            rest &= rest - _ONE
            for other in range(used):
                subsets = below[index(pattern), index(other)]
                if maximal[index(other)] & subsets != _ZERO:
                    maximal[index(other)] &= ~subsets
                    dropped = True
    first = dropped  # then the maximum is taken anew, over all maximal patterns; else the new ones can only raise it
    for word in range(used):
        rest = maximal[index(word)] if dropped else fresh[index(word)]
        while rest != _ZERO:
            pattern = 64 * word + lowest_bit(rest)
            rest &= rest - _ONE
            if first:
                take_values(current, values, pattern)
                first = False
            else:
                raise_values(current, values, pattern)
