"""How moves are drawn in a playout."""

from montego.playouts.ownership import ownership
from montego.playouts.policy import PLAYOUTS, playout
from montego.playouts.sample import Sampler
from montego.playouts.uniform import Uniform

__all__ = ["PLAYOUTS", "Sampler", "Uniform", "ownership", "playout"]
