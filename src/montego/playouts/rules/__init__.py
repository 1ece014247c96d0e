"""Playouts of Go by rules of thumb, and what the rules know for the tree."""

from montego.playouts.rules import weights  # noqa: F401  (answers move_weights)
from montego.playouts.rules.policy import Rules

__all__ = ["Rules"]
