"""Softmax playouts: the policy, how any game's move weights are kept, and the quick ways of single games."""

from montego.playouts.softmax import blokus, connection, go
from montego.playouts.softmax.policy import Softmax

__all__ = ["Softmax", "blokus", "connection", "go"]
