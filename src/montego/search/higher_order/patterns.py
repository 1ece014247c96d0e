"""Patterns: what a batch of playouts says about every move after each of them, and which of them are kept.

Raiko (2006), eq. 2 and 3: the statistic h(m0 | p) is the share of wins among the playouts that hold the moves of p
and in which a player made m0, for that player. Earlier playouts are forgotten exponentially. In Hex and Y a playout
that holds p and m0 stands for all orders of its moves, those with m0 after p too, so the order is not looked at.

Refinement, 2.2: a pattern and a move make a candidate. It is accepted if it was seen often enough and if the move
matters after the pattern more than it does anyway: the mutual information of who made the move and who won, given the
pattern, zero if the move lowers the chance to win, less the greatest one given a sub-pattern.
"""

import math
from typing import Any

import numpy as np

from montego.kernels import bit_count, borrowing, index, kernel, lowest_bit
from montego.search.higher_order.arrays import ACTIVE, EMPTY, SLOT_BITS, UNIT

_U = np.uint64
_ZERO, _ONE, _SIX, _63, _64 = (np.uint64(n) for n in (0, 1, 6, 63, 64))
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
INFORMATION, WEIGHTED, GAIN = 0, 1, 2  # criteria
MARGIN = 1e-9  # that rounding does not decide between a move of one player and of the other, which are often equal


# ------------------------------------------------------------------------------------------------------------ counting


@borrowing
def first_lanes(count):
    """Return the set of the first ``count`` playouts of a batch, at least one."""
    return _ALL >> (_64 - _U(count))


@borrowing
def lanes_with(members, pattern, made, lanes):
    """Return which of some playouts hold all moves of a pattern."""
    for player in range(2):
        for word in range(members.shape[2]):
            rest = members[index(pattern), index(player), index(word)]
            while rest != _ZERO:
                lanes &= made[index(player), index(64 * word + lowest_bit(rest))]
                rest &= rest - _ONE
    return lanes


@borrowing
def add_batch(table, made, outcome, pattern, weight):
    """Let a pattern learn from a batch of playouts, each of which counts ``weight``; return whether any holds it.

    To forget a share of all earlier playouts is to let every later one count for more: so a pattern that a playout does
    not hold costs nothing. ``settle`` brings the statistics back to counts.
    """
    with_pattern = lanes_with(table.members, pattern, made, outcome[index(ACTIVE)])
    if with_pattern == _ZERO:
        return False
    drawn = outcome[index(2)]
    table.seen[index(pattern)] += weight * bit_count(with_pattern)
    for player in range(2):
        won = outcome[index(player)]
        row = made[index(player)]
        visits, wins = table.made[index(pattern), index(player)], table.wins[index(pattern), index(player)]
        count = bit_count(with_pattern & won) + 0.5 * bit_count(with_pattern & drawn)
        table.won[index(pattern), index(player)] += weight * count
        for slot in range(len(row)):
            lanes_made = with_pattern & row[index(slot)]
            visits[index(slot)] += weight * bit_count(lanes_made)
            wins[index(slot)] += weight * bit_count(lanes_made & won)
        if drawn != _ZERO:
            for slot in range(len(row)):
                wins[index(slot)] += 0.5 * weight * bit_count(with_pattern & row[index(slot)] & drawn)
    return True


@kernel
def settle(table, head):
    """Let the last playout count one in the statistics of all patterns, and earlier ones what is left of them.

    Done after playouts that the seed decides and not the clock: it rounds.
    """
    factor = 1.0 / head.weight
    head.weight = 1.0
    for pattern in range(head.patterns):
        table.seen[index(pattern)] *= factor
        for player in range(2):
            table.won[index(pattern), index(player)] *= factor
            visits, wins = table.made[index(pattern), index(player)], table.wins[index(pattern), index(player)]
            for slot in range(len(visits)):
                visits[index(slot)] *= factor
                wins[index(slot)] *= factor


def in_counts(table: Any, head: Any) -> Any:
    """Return the table as ``settle`` would make it, and leave it as it is: for people who look at any moment."""
    if head.weight == 1.0:
        return table
    return table._replace(**{name: getattr(table, name) / head.weight for name in ("seen", "won", "made", "wins")})


@borrowing
def winning_rate(table, pattern, player):
    """Return how often a player wins after a pattern; one half if nothing is known."""
    seen = table.seen[index(pattern)]
    return table.won[index(pattern), index(player)] / seen if seen > 0 else 0.5


@borrowing
def evaluate(table, settings, pattern, weight):
    """Write the evaluations of all moves after a pattern, for the choices in playouts (Raiko, 2.3).

    (wins + c) / (made + c) with the optimistic pseudo-count c; a move that was never made is worth what the pattern
    is. Relative evaluations are less the winning rate of the pattern, so that those of several patterns can be
    compared. ``weight`` is what a playout counts in the statistics.
    """
    extra = settings.optimism * weight
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
        evaluate(table, settings, pattern, 1.0)


# ---------------------------------------------------------------------------------------------------------- refinement


@kernel
def entropy_term(joint, row, column, total):
    """Return one term of a mutual information in bits, from counts; 0 for a count of 0."""
    return joint / total * math.log2(joint * total / (row * column)) if joint > 0 else 0.0


@kernel
def mutual_information(table, pattern, slot):
    """Return the bits of information between who made a move and who won, given a pattern; 0 if it does not help.

    The table of counts: player 0 or player 1 made the move, player 0 won or not. It is the same for both players.
    """
    made0, made1 = table.made[index(pattern), index(0), index(slot)], table.made[index(pattern), index(1), index(slot)]
    won0 = table.wins[index(pattern), index(0), index(slot)]
    lost1 = made1 - table.wins[index(pattern), index(1), index(slot)]
    if made0 <= 0 or made1 <= 0 or won0 * made1 <= lost1 * made0:
        return 0.0
    total = made0 + made1
    won, lost = won0 + lost1, total - won0 - lost1
    return (
        entropy_term(won0, made0, won, total)
        + entropy_term(made0 - won0, made0, lost, total)
        + entropy_term(lost1, made1, won, total)
        + entropy_term(made1 - lost1, made1, lost, total)
    )


@kernel
def win_share(table, pattern, player, slot):
    """Return the mean of a move after a pattern, or 0 where it was never made."""
    visits = table.made[index(pattern), index(player), index(slot)]
    return table.wins[index(pattern), index(player), index(slot)] / visits if visits > 0 else 0.0


@kernel
def strength(table, settings, information, pattern, player, slot):
    """Return how much a move matters after a pattern, by the criterion, sub-patterns apart."""
    if settings.criterion == GAIN:
        return win_share(table, pattern, player, slot)
    return information[index(pattern), index(slot)]


@kernel
def relevance(table, settings, information, pattern, player, slot):
    """Return the relevance of refining a pattern by a move: its strength less the greatest after a sub-pattern.

    ``weighted`` and ``gain`` multiply by the share of playouts that hold both, which says how often the refinement
    would be of use; for the empty pattern, which has no sub-pattern, gain compares with the winning rate.
    """
    own = strength(table, settings, information, pattern, player, slot)
    best = 0.0
    if pattern == 0 and settings.criterion == GAIN:
        best = table.won[index(0), index(player)] / max(table.seen[index(0)], 1e-9)
    for word in range(table.below.shape[1]):
        rest = table.below[index(pattern), index(word)]
        while rest != _ZERO:
            other = 64 * word + lowest_bit(rest)
            rest &= rest - _ONE
            best = max(best, strength(table, settings, information, other, player, slot))
    share = 1.0
    if settings.criterion != INFORMATION:
        share = table.made[index(pattern), index(player), index(slot)] / max(table.seen[index(0)], 1e-9)
    return (own - best) * share


@kernel
def holds_slot(table, pattern, slot):
    """Whether a pattern has a move of either player in a slot."""
    word, bit = index(_U(slot) >> _SIX), _ONE << (_U(slot) & _63)
    return (
        table.members[index(pattern), index(0), word] | table.members[index(pattern), index(1), word]
    ) & bit != _ZERO


@kernel
def is_known(table, patterns, pattern, player, slot):
    """Whether a pattern with one more move is among the patterns already."""
    word, bit = _U(slot) >> _SIX, _ONE << (_U(slot) & _63)
    size = table.sizes[index(pattern)] + 1
    for other in range(1, patterns):
        if table.sizes[index(other)] != size:
            continue
        same = True
        for side in range(2):
            for at in range(table.members.shape[2]):
                wanted = table.members[index(pattern), index(side), index(at)]
                if side == player and _U(at) == word:
                    wanted |= bit
                same &= wanted == table.members[index(other), index(side), index(at)]
        if same:
            return True
    return False


@kernel
def is_subset(table, smaller, larger):
    """Whether all moves of one pattern are moves of another."""
    for side in range(2):
        for word in range(table.members.shape[2]):
            own = table.members[index(smaller), index(side), index(word)]
            if own & ~table.members[index(larger), index(side), index(word)] != _ZERO:
                return False
    return True


@kernel
def add_pattern(table, head, parent, player, slot):
    """Add a pattern with one more move, without statistics; return its number."""
    new = np.int64(head.patterns)
    head.patterns += 1
    for side in range(2):
        for word in range(table.members.shape[2]):
            table.members[index(new), index(side), index(word)] = table.members[index(parent), index(side), index(word)]
    table.members[index(new), index(player), index(_U(slot) >> _SIX)] |= _ONE << (_U(slot) & _63)
    table.sizes[index(new)] = table.sizes[index(parent)] + 1
    table.parents[index(new)] = parent
    if parent == EMPTY:
        table.singles[index(player), index(slot)] = new
    word, bit = index(_U(new) >> _SIX), _ONE << (_U(new) & _63)
    for side in range(2):
        for other in range(table.members.shape[2]):
            rest = table.members[index(new), index(side), index(other)]
            while rest != _ZERO:
                table.containing[index(side), index(64 * other + lowest_bit(rest)), word] |= bit
                rest &= rest - _ONE
    for other in range(new):
        if is_subset(table, other, new):
            table.below[index(new), index(_U(other) >> _SIX)] |= _ONE << (_U(other) & _63)
        if is_subset(table, new, other):
            table.below[index(other), word] |= bit
    return new


@kernel
def add_single_moves(table, head, player):
    """Add all patterns of a single move of one player, for second-order statistics."""
    for slot in range(table.made.shape[2]):
        add_pattern(table, head, EMPTY, player, slot)


@kernel
def copy_statistics(table, parent, new, weight):
    """Give a new pattern its parent's statistics with a small weight."""
    table.seen[index(new)] = weight * table.seen[index(parent)]
    for player in range(2):
        table.won[index(new), index(player)] = weight * table.won[index(parent), index(player)]
        for slot in range(table.made.shape[2]):
            at = index(player), index(slot)
            table.made[index(new), at[0], at[1]] = weight * table.made[index(parent), at[0], at[1]]
            table.wins[index(new), at[0], at[1]] = weight * table.wins[index(parent), at[0], at[1]]


@kernel
def replay(table, bench, new):
    """Let a new pattern learn from the playouts of the last batches, the latest first."""
    settings, batches = bench.settings, np.int64(bench.head.batches)
    weight = 1.0
    for batch in range(batches - 1, max(0, batches - settings.replay) - 1, -1):
        at = index(batch % settings.replay)
        add_batch(table, bench.old_made[at], bench.old_outcome[at], new, weight)
        weight *= settings.keep ** bit_count(bench.old_outcome[at, index(ACTIVE)])


@kernel
def times_met(table, settings, pattern, player, slot):
    """Return how often a move was made after a pattern, or chosen by it, which is less and never forgotten."""
    if settings.selected:
        return float(table.chosen[index(pattern), index(player), index(slot)])
    return table.made[index(pattern), index(player), index(slot)]


@kernel
def best_candidate(table, bench):
    """Return the most relevant (pattern, player, slot) that was seen often enough; pattern -1 if there is none."""
    settings, patterns = bench.settings, np.int64(bench.head.patterns)
    found, found_player, found_slot, found_score = -1, 0, 0, settings.relevance
    for pattern in range(patterns):
        if table.sizes[index(pattern)] >= settings.most_moves:
            continue
        for slot in range(table.made.shape[2]):
            if bench.information[index(pattern), index(slot)] <= 0 or holds_slot(table, pattern, slot):
                continue
            for player in range(2):
                if times_met(table, settings, pattern, player, slot) < settings.seen:
                    continue
                score = relevance(table, settings, bench.information, pattern, player, slot)
                if score > found_score + MARGIN and not is_known(table, patterns, pattern, player, slot):
                    found, found_player, found_slot, found_score = pattern, player, slot, score
    return found, found_player, found_slot


@kernel
def refine(table, bench):
    """Add the most relevant refinements of the patterns there are, at most ``grow``."""
    bench.head.since_growth = 0
    for pattern in range(bench.head.patterns):
        measure(table, bench, pattern)
    for _ in range(bench.settings.grow):
        if not add_best_refinement(table, bench):
            return


@kernel
def measure(table, bench, pattern):
    """Write how much each move tells about the winner, given a pattern."""
    for slot in range(table.made.shape[2]):
        bench.information[index(pattern), index(slot)] = mutual_information(table, pattern, slot)


@kernel
def add_best_refinement(table, bench):
    """Add the most relevant refinement of the measured patterns; return whether there was one, and room for it."""
    settings, head = bench.settings, bench.head
    if head.patterns >= settings.most_patterns:
        return False
    parent, player, slot = best_candidate(table, bench)
    if parent < 0:
        return False
    new = add_pattern(table, head, parent, player, slot)
    for other in range(table.made.shape[2]):
        bench.information[index(new), index(other)] = 0.0  # a new pattern has its turn at the next refinement
    copy_statistics(table, parent, new, 0.0 if settings.replay > 0 else settings.copied)
    if settings.replay > 0:
        replay(table, bench, new)
    evaluate(table, settings, new, 1.0)
    return True
