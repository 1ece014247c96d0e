"""How moves are drawn in a playout."""

from montego.playouts.cut import Cut
from montego.playouts.lgr import Lgr, Lgrf
from montego.playouts.ownership import ownership
from montego.playouts.policy import (
    HISTORY,
    PLAYOUTS,
    begin_decision,
    learn,
    move_weights,
    new_memory,
    new_trace,
    next_move,
    notice,
    play_by_move,
    playout,
    prepare,
    shared_memory,
)
from montego.playouts.pool_rave import PoolRave
from montego.playouts.sample import Sampler
from montego.playouts.uniform import Uniform
from montego.playouts.wls.policy import Context, Wls

__all__ = [
    "HISTORY",
    "PLAYOUTS",
    "Context",
    "Cut",
    "Lgr",
    "Lgrf",
    "PoolRave",
    "Sampler",
    "Uniform",
    "Wls",
    "begin_decision",
    "learn",
    "move_weights",
    "new_memory",
    "new_trace",
    "next_move",
    "notice",
    "ownership",
    "play_by_move",
    "playout",
    "prepare",
    "shared_memory",
]
