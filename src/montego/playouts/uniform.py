"""Uniform random playouts: every move that the game's ``playout_moves`` allows is equally likely."""

from typing import NamedTuple

from montego.games.rules import draw_move, random_playout
from montego.kernels import borrowing, implements, inlined
from montego.playouts.policy import PLAYOUTS, next_move, playout


class Uniform(NamedTuple):
    """Moves drawn uniformly, by the game's fastest exact sampler."""


PLAYOUTS.add("uniform", Uniform)


@implements(playout, Uniform)
@borrowing
def _playout(policy, game, memory, state, rng, trace, begin, scratch):
    return begin + random_playout(game, state, rng, trace[begin:], scratch)


@implements(next_move, Uniform)
@inlined
def _next_move(policy, game, memory, state, rng, trace, end, scratch):
    return draw_move(game, state, rng, trace, end, scratch)
