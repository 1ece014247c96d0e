"""How moves are drawn in a playout."""

from montego.playouts.cut import Cut
from montego.playouts.ownership import ownership
from montego.playouts.policy import HISTORY, PLAYOUTS, learn, move_weights, new_memory, new_trace, playout
from montego.playouts.sample import Sampler
from montego.playouts.uniform import Uniform

__all__ = [
    "HISTORY",
    "PLAYOUTS",
    "Cut",
    "Sampler",
    "Uniform",
    "learn",
    "move_weights",
    "new_memory",
    "new_trace",
    "ownership",
    "playout",
]
