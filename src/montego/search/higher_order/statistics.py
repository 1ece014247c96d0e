"""Counting: what a batch of playouts says about every move after every pattern (Raiko 2006, eq. 2 and 3).

The statistic h(m0 | p) is the share of wins among the playouts that hold the moves of p and in which a player made m0, for that
player. Earlier playouts are forgotten exponentially. In Hex and Y a playout that holds p and m0 stands for all orders of
its moves, those with m0 after p too, so the order is not looked at.
"""

import numpy as np

from montego.kernels import bit_count, index, kernel, lowest_bit
from montego.search.higher_order.records import ACTIVE, SLOT_BITS, UNIT

_U = np.uint64
_ZERO, _ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)
_64 = np.uint64(64)


@kernel
def first_lanes(count):
    """Return the set of the first ``count`` playouts of a batch, at least one."""
    return _ALL >> (_64 - _U(count))


@kernel
def lanes_with(members, pattern, made, lanes):
    """Return which of some playouts hold all moves of a pattern."""
    for player in range(2):
        for word in range(members.shape[2]):
            rest = members[index(pattern), index(player), index(word)]
            while rest != _ZERO:
                lanes &= made[index(player), index(64 * word + lowest_bit(rest))]
                rest &= rest - _ONE
    return lanes


@kernel
def add_batch(table, made, outcome, pattern, kept):
    """Let a pattern forget all but a share ``kept`` and learn from a batch of playouts."""
    with_pattern = lanes_with(table.members, pattern, made, outcome[index(ACTIVE)])
    drawn = outcome[index(2)]
    table.seen[index(pattern)] = kept * table.seen[index(pattern)] + bit_count(with_pattern)
    for player in range(2):
        won = outcome[index(player)]
        row = made[index(player)]
        visits, wins = table.made[index(pattern), index(player)], table.wins[index(pattern), index(player)]
        count = bit_count(with_pattern & won) + 0.5 * bit_count(with_pattern & drawn)
        table.won[index(pattern), index(player)] = kept * table.won[index(pattern), index(player)] + count
        for slot in range(len(row)):
            lanes_made = with_pattern & row[index(slot)]
            visits[index(slot)] = kept * visits[index(slot)] + bit_count(lanes_made)
            wins[index(slot)] = kept * wins[index(slot)] + bit_count(lanes_made & won)
        if drawn != _ZERO:
            for slot in range(len(row)):
                wins[index(slot)] += 0.5 * bit_count(with_pattern & row[index(slot)] & drawn)


@kernel
def winning_rate(table, pattern, player):
    """Return how often a player wins after a pattern; one half if nothing is known."""
    seen = table.seen[index(pattern)]
    return table.won[index(pattern), index(player)] / seen if seen > 0 else 0.5


@kernel
def evaluate(table, settings, pattern):
    """Write the evaluations of all moves after a pattern, for the choices in playouts (Raiko, 2.3).

    (wins + c) / (made + c) with the optimistic pseudo-count c; a move that was never made is worth what the pattern is. Relative
    evaluations are less the winning rate of the pattern, so that those of several patterns can be compared.
    """
    extra = settings.optimism
    for player in range(2):
        rate = winning_rate(table, pattern, player)
        base = rate if settings.relative else 0.0
        visits, wins = table.made[index(pattern), index(player)], table.wins[index(pattern), index(player)]
        values = table.values[index(pattern), index(player)]
        for slot in range(len(values)):
            total = visits[index(slot)] + extra
            value = (wins[index(slot)] + extra) / total if total > 0 else rate
            values[index(slot)] = np.int64((value - base) * UNIT) << SLOT_BITS


@kernel
def evaluate_all(table, settings, patterns):
    """Write the evaluations of the first patterns."""
    for pattern in range(patterns):
        evaluate(table, settings, pattern)
