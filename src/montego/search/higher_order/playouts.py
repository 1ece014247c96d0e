"""One decision's playouts, batch by batch: play, judge, count, refine (Raiko 2006, 2.5)."""

import numpy as np

from montego.kernels import index, kernel
from montego.search.higher_order.choice import draw_noise
from montego.search.higher_order.lanes import fill_lanes, judge_lanes, play_lane
from montego.search.higher_order.records import ACTIVE
from montego.search.higher_order.statistics import add_batch, evaluate, first_lanes

_ZERO = np.uint64(0)


@kernel
def run_batches(game, root, desk, table, batches, lanes, progress, step):
    """Play batches of ``lanes`` playouts; noise falls with ``progress`` (0 … 1), which every playout moves on by ``step``.

    Refinement is for the caller: it knows no game, so it is compiled once for all of them.
    """
    settings, head = desk.settings, desk.head
    for batch in range(batches):
        clear(desk.made, desk.outcome)
        if settings.guided:
            for lane in range(lanes):
                share = max(0.0, 1.0 - progress - (batch * lanes + lane) * step)
                draw_noise(desk.rng, desk.noise, settings.noise * share)
                play_lane(game, root, desk, table, lane)
        else:
            fill_lanes(game, root, desk, lanes)
        judge_lanes(game, root, desk)
        desk.outcome[index(ACTIVE)] = first_lanes(lanes)
        learn(desk, table, lanes)
        head.playouts += lanes
        head.since_growth += lanes


@kernel
def clear(made, outcome):
    """Make a batch empty."""
    for slot in range(made.shape[1]):
        made[index(0), index(slot)] = _ZERO
        made[index(1), index(slot)] = _ZERO
    for place in range(len(outcome)):
        outcome[index(place)] = _ZERO


@kernel
def learn(desk, table, lanes):
    """Add the batch to the statistics of all patterns, and keep it if new patterns are to learn from it."""
    settings, head = desk.settings, desk.head
    kept = settings.keep**lanes
    for pattern in range(head.patterns):
        add_batch(table, desk.made, desk.outcome, pattern, kept)
        if settings.guided:
            evaluate(table, settings, pattern)
    if settings.replay > 0:
        at = index(head.batches % settings.replay)
        for player in range(2):
            for slot in range(desk.made.shape[1]):
                desk.old_made[at, index(player), index(slot)] = desk.made[index(player), index(slot)]
        for place in range(ACTIVE + 1):
            desk.old_outcome[at, index(place)] = desk.outcome[index(place)]
        head.batches += 1
