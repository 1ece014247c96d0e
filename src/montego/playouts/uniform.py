"""Uniform random playouts: every move that the game's ``playout_moves`` allows is equally likely."""

from typing import NamedTuple

from montego.games.rules import random_playout
from montego.kernels import borrowing, implements
from montego.playouts.policy import Policy, playout


class _Parameters(NamedTuple):
    """Uniform playouts have no parameters."""


class Uniform(_Parameters, Policy, name="uniform"):
    """Moves drawn uniformly, by the game's fastest exact sampler."""


@implements(playout, Uniform)
@borrowing
def _playout(policy, game, memory, state, rng, trace, start, scratch):
    return start + random_playout(game, state, rng, trace[start:], scratch)
