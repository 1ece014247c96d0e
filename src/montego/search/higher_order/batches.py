"""Playouts in batches: every playout of a batch chooses its moves, then all of them are judged and counted.

Raiko, "Higher order statistics in play-out analysis" (2006), 2.1: a move is worth the maximum of its evaluations by the
patterns that apply and are not a sub-pattern of another applying one. The paper keeps a heap for each pattern. Here the
maximum over patterns is kept for every move, and changes only with the few moves that complete a pattern.

A game of placements may implement ``fill_lanes``, ``play_lane`` and ``judge_lanes`` in a faster way
(``micro_reduction.py``: Hex and Y, where a playout is a full board and the order of moves does not matter). The
defaults play by the rules. Their counts are exact, but they assume that a move means the same whenever it is made,
which holds approximately in Go.
"""

import numpy as np

from montego.games.rules import is_over, play, playout_moves, random_playout, score, to_move
from montego.kernels import borrowing, copy_record, generic_with_default, index, kernel, lowest_bit
from montego.rng import uniform
from montego.search.higher_order.arrays import ACTIVE, EMPTY, LAST_SLOT, SLOT_BITS, TAKEN, UNIT
from montego.search.higher_order.patterns import add_batch, evaluate, first_lanes, settle

_U = np.uint64
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_HEAVY = 1e12  # weight of a playout at which statistics are brought back to counts
_NOTHING = 1e-200  # share of a statistic that is left at least, so that weights stay finite


# ----------------------------------------------------------------------------------------------------- choosing a move


@borrowing
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


@borrowing
def pick_of(current, noise, player, left, count):
    """Return the best slot of ``left[:count]`` only, at least one."""
    best = np.int64(TAKEN)
    for place in range(count):
        slot = index(left[index(place)])
        best = max(best, current[index(player), slot] + noise[index(player), slot])
    return LAST_SLOT - (best & LAST_SLOT)


@borrowing
def draw_noise(rng, noise, amount):
    """Draw the noise of a playout: for each player and slot evenly from 0 to ``amount``."""
    for player in range(2):
        for slot in range(noise.shape[1]):
            fixed = np.int64(amount * UNIT * uniform(rng))
            noise[index(player), index(slot)] = fixed << SLOT_BITS | (LAST_SLOT - slot)


@borrowing
def begin_playout(patterns, sizes, values, missing, maximal, current):
    """Let the empty pattern alone apply."""
    for word in range(len(maximal)):
        maximal[index(word)] = _ZERO
    maximal[index(0)] = _ONE
    for pattern in range(patterns):
        missing[index(pattern)] = sizes[index(pattern)]
    take_values(current, values, EMPTY)


@borrowing
def take_values(current, values, pattern):
    """Make the evaluations of one pattern those that hold."""
    for player in range(2):
        for slot in range(current.shape[1]):
            current[index(player), index(slot)] = values[index(pattern), index(player), index(slot)]


@borrowing
def raise_values(current, values, pattern):
    """Raise the evaluations that hold to those of one more pattern."""
    for player in range(2):
        for slot in range(current.shape[1]):
            value = values[index(pattern), index(player), index(slot)]
            current[index(player), index(slot)] = max(current[index(player), index(slot)], value)


@borrowing
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


@borrowing
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


@borrowing
def note_choice(table, bench, player, slot):
    """Count a choice for the maximal pattern whose evaluation of the move was the greatest, the first of equal ones.

    The paper's algorithm accepts a refinement by these counts: line 3 chooses a move by one pattern, line 10 asks how
    often that pattern chose it.
    """
    worth = bench.current[index(player), index(slot)]
    for word in range((np.int64(bench.head.patterns) + 63) >> 6):
        rest = bench.maximal[index(word)]
        while rest != _ZERO:
            pattern = 64 * word + lowest_bit(rest)
            rest &= rest - _ONE
            if table.values[index(pattern), index(player), index(slot)] == worth:
                table.chosen[index(pattern), index(player), index(slot)] += 1
                return


# --------------------------------------------------------------------------------------------------------- one playout


@generic_with_default
@borrowing
def is_filling(game):
    """Whether a playout is a filling of the board, every empty point by one of the players, in any order."""
    return False


@generic_with_default
@borrowing
def fill_lanes(game, root, bench, lanes):
    """Play ``lanes`` random playouts into ``bench.made``, and ``bench.outcome`` unless ``judge_lanes`` does that."""
    for lane in range(lanes):
        copy_record(bench.work, root)
        player = np.int64(to_move(game, root))
        length = random_playout(game, bench.work, bench.rng, bench.trace, bench.scratch)
        for turn in range(length):
            mark_first(bench, player, np.int64(bench.trace[index(turn)]), lane)
            player = 1 - player
        mark_outcome(game, bench, lane)


@generic_with_default
@borrowing
def play_lane(game, root, bench, table, lane):
    """Play one playout by the evaluations plus ``bench.noise``; a move without a slot (a pass) is the last resort."""
    work, left, scratch = bench.work, bench.left, bench.scratch
    copy_record(work, root)
    patterns = np.int64(bench.head.patterns)
    begin_playout(patterns, table.sizes, table.values, bench.missing, bench.maximal, bench.current)
    length = 0
    while length < len(bench.trace) and not is_over(game, work):
        count = playout_moves(game, work, scratch)
        slots = 0
        for i in range(count):
            slot = bench.slots[index(scratch[index(i)])]
            if slot >= 0:
                left[index(slots)] = slot
                slots += 1
        player = np.int64(to_move(game, work))
        move = np.int64(scratch[index(0)])
        if slots > 0:
            slot = pick_of(bench.current, bench.noise, player, left, slots)
            move = bench.moves[index(slot)]
            if bench.settings.selected:
                note_choice(table, bench, player, slot)
            first = mark_first(bench, player, move, lane)
            if first and completes(table.containing, patterns, player, slot, bench.missing, bench.fresh):
                apply_fresh(table.below, table.values, patterns, bench.fresh, bench.maximal, bench.current)
        play(game, work, move)
        length += 1
    mark_outcome(game, bench, lane)


@generic_with_default
@borrowing
def judge_lanes(game, root, bench):
    """Write who won each playout of a batch into ``bench.outcome``, where that was not seen while playing."""


@borrowing
def mark_first(bench, player, move, lane):
    """Note that a player made a move, unless it was made before in this playout; return whether it was not."""
    slot = bench.slots[index(move)]
    bit = _ONE << _U(lane)
    if slot < 0 or (bench.made[index(0), index(slot)] | bench.made[index(1), index(slot)]) & bit != _ZERO:
        return False
    bench.made[index(player), index(slot)] |= bit
    return True


@borrowing
def mark_outcome(game, bench, lane):
    """Note who won the playout in ``bench.work``."""
    result = score(game, bench.work)
    place = 0 if result > 0 else (1 if result < 0 else 2)
    bench.outcome[index(place)] |= _ONE << _U(lane)


# -------------------------------------------------------------------------------------------------------- many batches


@kernel
def run_batches(game, root, bench, table, batches, lanes, progress, total):
    """Play batches of ``lanes`` playouts.

    Noise falls with the playouts so far, of ``total``; or, if that is 0, with ``progress`` (0 … 1), which stays.

    Refinement is left to the caller: it does not depend on the game, so it is compiled once for all games.
    """
    settings, head = bench.settings, bench.head
    for _ in range(batches):
        clear(bench.made, bench.outcome)
        if settings.guided:
            for lane in range(lanes):
                done = (head.playouts + lane) / total if total > 0 else progress
                draw_noise(bench.rng, bench.noise, settings.noise * max(0.0, 1.0 - done))
                play_lane(game, root, bench, table, lane)
        else:
            fill_lanes(game, root, bench, lanes)
        judge_lanes(game, root, bench)
        bench.outcome[index(ACTIVE)] = first_lanes(lanes)
        head.weight /= max(settings.keep**lanes, _NOTHING)
        learn(bench, table, head.weight)
        if head.weight > _HEAVY:
            settle(table, head)
        head.playouts += lanes
        head.since_growth += lanes


@borrowing
def clear(made, outcome):
    """Make a batch empty."""
    for slot in range(made.shape[1]):
        made[index(0), index(slot)] = _ZERO
        made[index(1), index(slot)] = _ZERO
    for place in range(len(outcome)):
        outcome[index(place)] = _ZERO


@borrowing
def learn(bench, table, weight):
    """Add the batch to the statistics of all patterns, and keep it if new patterns are to learn from it.

    What a pattern says of moves changes only with playouts that hold it, unless a pseudo-count weighs more and more
    against what is forgotten.
    """
    settings, head = bench.settings, bench.head
    for pattern in range(head.patterns):
        held = add_batch(table, bench.made, bench.outcome, pattern, weight)
        if settings.guided and (held or settings.optimism > 0.0):
            evaluate(table, settings, pattern, weight)
    if settings.replay > 0:
        at = index(head.batches % settings.replay)
        for player in range(2):
            for slot in range(bench.made.shape[1]):
                bench.old_made[at, index(player), index(slot)] = bench.made[index(player), index(slot)]
        for place in range(ACTIVE + 1):
            bench.old_outcome[at, index(place)] = bench.outcome[index(place)]
        head.batches += 1
