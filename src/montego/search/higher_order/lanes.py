"""How the playouts of a batch are played: as the rules say, or by filling the board where that is the same.

A game of placements may answer ``fill_lanes``, ``play_lane`` and ``judge_lanes`` faster (``boards.py``: Hex and Y, where a
playout is a full board and the order of moves does not matter). The defaults play by the rules: exact for what is counted,
but a move is then taken to mean the same whenever it is made, which holds approximately in Go.
"""

import numpy as np

from montego.games.rules import is_over, play, playout_moves, random_playout, score, to_move
from montego.kernels import copy_record, generic_with_default, index, kernel
from montego.search.higher_order.choice import apply_fresh, begin_playout, completes, pick_of

_U = np.uint64
_ZERO, _ONE = np.uint64(0), np.uint64(1)


@generic_with_default
def is_filling(game):
    """Whether a playout is a filling of the board, every empty point by one of the players, in any order."""
    return False


@generic_with_default
def fill_lanes(game, root, desk, lanes):
    """Play ``lanes`` fully random playouts: bits in ``desk.made``, and in ``desk.outcome`` unless ``judge_lanes`` does that."""
    for lane in range(lanes):
        copy_record(desk.work, root)
        player = np.int64(to_move(game, root))
        length = random_playout(game, desk.work, desk.rng, desk.trace, desk.scratch)
        for turn in range(length):
            mark_first(desk, player, np.int64(desk.trace[index(turn)]), lane)
            player = 1 - player
        mark_outcome(game, desk, lane)


@generic_with_default
def play_lane(game, root, desk, table, lane):
    """Play one playout that follows the evaluations plus ``desk.noise``; a move without a slot (a pass) is the last resort."""
    work, left, scratch = desk.work, desk.left, desk.scratch
    copy_record(work, root)
    patterns = np.int64(desk.head.patterns)
    begin_playout(patterns, table.sizes, table.values, desk.missing, desk.maximal, desk.current)
    length = 0
    while length < len(desk.trace) and not is_over(game, work):
        count = playout_moves(game, work, scratch)
        slots = 0
        for i in range(count):
            slot = desk.slots[index(scratch[index(i)])]
            if slot >= 0:
                left[index(slots)] = slot
                slots += 1
        player = np.int64(to_move(game, work))
        move = np.int64(scratch[index(0)])
        if slots > 0:
            slot = pick_of(desk.current, desk.noise, player, left, slots)
            move = desk.moves[index(slot)]
            first = mark_first(desk, player, move, lane)
            if first and completes(table.containing, patterns, player, slot, desk.missing, desk.fresh):
                apply_fresh(table.below, table.values, patterns, desk.fresh, desk.maximal, desk.current)
        play(game, work, move)
        length += 1
    mark_outcome(game, desk, lane)


@generic_with_default
def judge_lanes(game, root, desk):
    """Write who won each playout of a batch into ``desk.outcome``, where that was not seen while playing."""


@kernel
def mark_first(desk, player, move, lane):
    """Note that a player made a move; whoever makes it later in the same playout does not count. Return whether it was first."""
    slot = desk.slots[index(move)]
    bit = _ONE << _U(lane)
    if slot < 0 or (desk.made[index(0), index(slot)] | desk.made[index(1), index(slot)]) & bit != _ZERO:
        return False
    desk.made[index(player), index(slot)] |= bit
    return True


@kernel
def mark_outcome(game, desk, lane):
    """Note who won the playout in ``desk.work``."""
    result = score(game, desk.work)
    place = 0 if result > 0 else (1 if result < 0 else 2)
    desk.outcome[index(place)] |= _ONE << _U(lane)
