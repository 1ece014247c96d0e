"""The simulations of the Win/Loss States paper as kernels: known success rates, measured by states."""

import math

import numpy as np

from montego.kernels import index, kernel
from montego.playouts.wls import record_result
from montego.rng import below, next_word, uniform

_21, _43 = np.uint64(21), np.uint64(43)
_LOW_21 = np.uint64((1 << 21) - 1)


@kernel
def measure_estimates(steps, proportion, chances, updates, repeats, rng, residuals, correlations):
    """Measure known rates by states ``repeats`` times; store the quality in ``residuals`` and ``correlations``.

    ``chances[i]`` is the probability that generator i wins. All generators get the same number of updates, drawn
    uniformly from ``updates`` = (least, most) for each repeat. ``residuals`` receives SD_r and ``correlations``
    receives S_rc of Section III of the paper.
    """
    count = len(chances)
    states = np.zeros(count + (-count) % 3, np.int64)
    limits = np.zeros(len(states), np.uint64)  # of 21 random bits below which a generator wins: off by 5e-7 at most
    for i in range(count):
        limits[i] = np.uint64(round(chances[i] * 2097152.0))
    estimates = np.zeros(count)
    for repeat in range(repeats):
        states[:] = 0
        for _ in range(updates[0] + below(rng, updates[1] - updates[0] + 1)):
            for i in range(0, len(states), 3):
                word = next_word(rng)
                record_result(states, i, steps, (word & _LOW_21) < limits[index(i)])
                record_result(states, i + 1, steps, ((word >> _21) & _LOW_21) < limits[index(i + 1)])
                record_result(states, i + 2, steps, (word >> _43) < limits[index(i + 2)])
        for i in range(count):
            estimates[i] = proportion[index(states[i])]
        residuals[repeat] = residual_deviation(chances, estimates)
        correlations[repeat] = rank_correlation(estimates)


@kernel
def residual_deviation(chances, estimates):
    """Return SD_r: the root of the sum of squared errors over n - 1."""
    total = 0.0
    for i in range(len(chances)):
        error = chances[i] - estimates[i]
        total += error * error
    return math.sqrt(total / (len(chances) - 1))


@kernel
def rank_correlation(estimates):
    """Return Spearman's rank correlation of estimates with their places; equal estimates share their mean rank."""
    count = len(estimates)
    middle = (count - 1) / 2
    product = 0.0
    rank_square = 0.0
    place_square = 0.0
    for i in range(count):
        rank = -0.5
        for j in range(count):
            if estimates[j] < estimates[i]:
                rank += 1.0
            elif estimates[j] == estimates[i]:
                rank += 0.5
        product += (rank - middle) * (i - middle)
        rank_square += (rank - middle) * (rank - middle)
        place_square += (i - middle) * (i - middle)
    if rank_square == 0.0:
        return 0.0
    return product / math.sqrt(rank_square * place_square)


@kernel
def measure_settling(steps, proportion, start, warm_up, rates, tolerance, rng, times):
    """Count, ``len(times)`` times, the updates from a step of the success rate until the state shows the new rate.

    From state ``start``, make ``warm_up`` updates at the first of two ``rates``; then make updates at the second rate
    until the proportion of the state is within ``tolerance`` of it.
    """
    before, after = rates
    states = np.zeros(1, np.int64)
    for repeat in range(len(times)):
        states[0] = start
        for _ in range(warm_up):
            record_result(states, 0, steps, uniform(rng) < before)
        count = 0
        while abs(proportion[index(states[0])] - after) > tolerance:
            record_result(states, 0, steps, uniform(rng) < after)
            count += 1
        times[repeat] = count
