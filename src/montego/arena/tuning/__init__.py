"""Tuning: the best numbers of a player, found by playing. ``tune`` is the entry; docs/tuning.md explains it."""

from montego.arena.tuning.result import Tuning
from montego.arena.tuning.tuner import tune

__all__ = ["Tuning", "tune"]
