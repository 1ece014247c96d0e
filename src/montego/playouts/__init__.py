"""How moves are drawn in a playout."""

from montego.playouts.bridges import Bridges
from montego.playouts.careful import Careful
from montego.playouts.cut import Cut
from montego.playouts.gobble import Gobble
from montego.playouts.lgr import Lgr, Lgrf
from montego.playouts.maps import PlayoutMaps, playout_maps
from montego.playouts.ownership import ownership
from montego.playouts.patterns import Patterns
from montego.playouts.policy import (
    HISTORY,
    PLAYOUTS,
    TREE_DEPTH,
    Policy,
    advance,
    begin,
    learn,
    move_values,
    move_weights,
    new_trace,
    next_move,
    notice,
    play_by_move,
    playout,
    prepare,
)
from montego.playouts.pool_rave import PoolRave
from montego.playouts.reduction import Reduction
from montego.playouts.rules import Rules
from montego.playouts.sample import Sampler
from montego.playouts.softmax import Softmax
from montego.playouts.uniform import Uniform
from montego.playouts.wls.policy import Context, Wls
from montego.playouts.wrapper import Learner, Wrapper

__all__ = [
    "HISTORY",
    "PLAYOUTS",
    "TREE_DEPTH",
    "Bridges",
    "Careful",
    "Context",
    "Cut",
    "Gobble",
    "Learner",
    "Lgr",
    "Lgrf",
    "Patterns",
    "PlayoutMaps",
    "Policy",
    "PoolRave",
    "Reduction",
    "Rules",
    "Sampler",
    "Softmax",
    "Uniform",
    "Wls",
    "Wrapper",
    "advance",
    "begin",
    "learn",
    "move_values",
    "move_weights",
    "new_trace",
    "next_move",
    "notice",
    "ownership",
    "play_by_move",
    "playout",
    "playout_maps",
    "prepare",
]
