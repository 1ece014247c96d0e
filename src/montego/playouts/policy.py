"""What a playout policy is: a NamedTuple type that plays a position to its end in its own way.

The search is specialised for the policy's type, as it is for the game's. ``playout`` is the one question it asks.
"""

from montego._jit import generic
from montego.spec import Registry

PLAYOUTS: Registry[tuple] = Registry("playout policy")  # type: ignore[type-arg]


@generic
def playout(policy, game, state, rng, trace, scratch):
    """Play ``state`` to its end or until ``trace`` is full, note the moves in ``trace``, return how many."""
