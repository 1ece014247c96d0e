"""Knowledge for the tree: the policy, and the shapes of single games."""

from montego.playouts.patterns import connection, go
from montego.playouts.patterns.policy import Patterns

__all__ = ["Patterns", "connection", "go"]
