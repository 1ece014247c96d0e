"""Knowledge for the tree: how likely a strong player is to make each move, by shapes, tactics and distances.

The features are too dear for playouts, where this policy plays uniformly; a tree asks for them once a node:
``uct(prior=patterns, bias=…)``. Each kind of game has a memory of its own (``@memory_for.register``), which answers
``weigh``.
"""

from functools import singledispatch
from typing import Annotated, Any, NamedTuple

from montego.errors import MontegoError
from montego.kernels import borrowing, generic, implements
from montego.playouts.policy import Policy, move_weights
from montego.spec import Name, Param
from montego.weights import Weights, load_for

KIND = "prior"


class _Parameters(NamedTuple):
    weights: Annotated[
        Name,
        Param("file that montego train wrote, or a name; left out: the best for the game and board", paper="ERICA"),
    ] = Name()
    inferior: Annotated[
        bool, Param("whether to try moves that are proved to be no better than others (Hex, Y)", paper="MoHex 2.0")
    ] = False
    tactics: Annotated[
        bool, Param("whether snapbacks and vital points of eye spaces are known by rule (Go)", paper="Pachi")
    ] = True
    captured: Annotated[
        bool,
        Param("whether points that one side has already are filled in and left out, too (Hex, Y)", paper="MoHex 2.0"),
    ] = False


@singledispatch
def memory_for(game: Any, weights: Weights | None, settings: Any) -> Any:
    """Return what the moves of a game are weighed with, given the settings of ``Patterns``."""
    raise MontegoError(f"patterns know the shapes of Go, Hex and Y; {game} has none")


@generic
def weigh(memory, game, state, trace, end, moves, weights):
    """Write the weight of each of ``moves`` after ``trace[:end]``."""


class Patterns(_Parameters, Policy, name="patterns"):
    """Knowledge for the tree: large shapes, tactics, distances to the last moves. Go, Hex and Y."""

    def new_memory(self, game: Any) -> Any:
        if memory_for.dispatch(type(game)) is memory_for.dispatch(object):
            return memory_for(game, None, self)  # which says what is wrong
        return memory_for(game, load_for(game, KIND, str(self.weights)), self)


@implements(move_weights, Patterns)
@borrowing
def _move_weights(policy, game, memory, state, trace, end, moves, weights):
    weigh(memory, game, state, trace, end, moves, weights)
