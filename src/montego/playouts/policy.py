"""What a playout policy is: a NamedTuple type that plays a position to its end in its own way.

The search is specialised for the policy's type, as it is for the game's. A policy is two classes and a few kernels::

    class _Parameters(NamedTuple):                     # the parameters, each with its meaning and range
        p: Annotated[float, Param("probability …", 0, 1)] = 0.5

    class MyPolicy(_Parameters, Policy, name="my_policy"):   # its memory, if it keeps any
        ...

    @implements(next_move, MyPolicy)                   # the hooks below that it answers in its own way
    def _next_move(policy, game, memory, state, rng, trace, end, scratch): ...

Every hook has a default, and a policy inherits the hooks of its base classes. One that answers ``next_move`` alone is
complete. ``docs/adding-a-policy.md`` walks through an example.
"""

import math
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from montego._jit import name_apart
from montego.games.rules import begin_playout, draw_move, is_over, make_move
from montego.kernels import borrowing, generic_with_default, index, inlined
from montego.spec import Registry

PLAYOUTS: Registry[Any] = Registry("playout policy")

HISTORY = 2  # places at the beginning of a trace for the last moves before the search; -1 where there was none
TREE_DEPTH = 512  # plies of the deepest tree that a search may grow: arrays indexed by place in a trace allow for it


class Policy:
    """Base of every playout policy. Subclasses are NamedTuples of parameters; ``name=`` registers one.

    The methods here concern the policy's memory: what it keeps from one playout to the next, as an array or a
    NamedTuple of arrays. Kernels receive it as ``memory``. A policy that keeps nothing has an empty one.
    """

    spec_name: ClassVar[str]

    def __init_subclass__(cls, name: str | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        name_apart(cls)
        if name is not None:
            PLAYOUTS.add(name, cls)

    def new_memory(self, game: Any) -> Any:
        """Return an empty memory for a game; raise ``MontegoError`` if the policy cannot play it."""
        return np.zeros(1, np.uint8)

    def shared_memory(self, game: Any, memory: Any) -> Any:
        """Return the memory of a further thread on the same tree, sharing with ``memory`` what can be shared."""
        return self.new_memory(game)

    def begin_decision(self, memory: Any, same_game: bool) -> None:
        """Prepare for the next decision, in the game of the last one or in another: the memory may be cleared."""

    def study(self, memory: Any, position: Any, rng: Any) -> None:
        """Look at the position of the next decision, as the prior of its search: once, before the first simulation."""

    def replies(self, game: Any, memory: Any, state: Any, history: Sequence[int]) -> dict[int, float]:
        """Return what the policy has learned about replies to the last moves of ``history``: success rates by move.

        For people who look into it. Empty if it keeps none, or none that depend on the last moves alone.
        """
        return {}

    @property
    def needs_amaf(self) -> bool:
        """Whether the policy reads AMAF statistics, so that the search must keep them."""
        return False


class Workspace(NamedTuple):
    """What playouts of one position work with."""

    work: Any  # the state that a playout plays in
    rng: Any
    trace: Any  # see ``new_trace``
    scratch: Any  # room for the moves of a position
    memory: Any  # of the policy


def new_workspace(policy: Policy, game: Any, rng: Any) -> Workspace:
    """Return a workspace for playouts that begin without a history."""
    return Workspace(game.new_state(), rng, new_trace(game), game.new_moves(), policy.new_memory(game))


def new_trace(game: Any, tree_depth: int = 0) -> Any:
    """Return an array with room for the history, the moves of a tree and those of a playout."""
    trace = np.zeros(HISTORY + tree_depth + game.max_length(), np.int32)
    trace[:HISTORY] = -1
    return trace


# ------------------------------------------------------------------------------------------------- a playout, in order
# ``trace`` holds the moves that led to a position, at least the last ``HISTORY`` ones, then those of the playout.


@generic_with_default
@inlined
def next_move(policy, game, memory, state, rng, trace, end, scratch):
    """Return the policy's move after ``trace[:end]`` in a playout that ``begin`` has begun; by default a random one."""
    return draw_move(game, state, rng, trace, end, scratch)


@generic_with_default
@inlined
def begin(policy, game, memory, state, trace, start):
    """Prepare the game and the memory for a move-by-move playout whose moves will stand in ``trace[start:]``."""
    begin_playout(game, state, trace, start)


@generic_with_default
@inlined
def advance(policy, game, memory, state, trace, end, move):
    """Play a move of a move-by-move playout and note it as ``trace[end]``.

    A policy that keeps move probabilities up to date asks the game what the move changed: see ``observer.py``.
    """
    make_move(game, state, trace, end, move)


@borrowing
def play_by_move(policy, game, memory, state, rng, trace, start, scratch):
    """Do what ``playout`` promises by asking the policy for one move after the other."""
    begin(policy, game, memory, state, trace, start)
    end = start
    while end < len(trace) and not is_over(game, state):
        move = next_move(policy, game, memory, state, rng, trace, end, scratch)
        advance(policy, game, memory, state, trace, end, move)
        end += 1
    return end


@generic_with_default
@borrowing
def playout(policy, game, memory, state, rng, trace, start, scratch):
    """Play ``state`` to its end or until ``trace`` is full, write the moves to ``trace[start:]``, return their end.

    By default move by move. ``scratch`` has room for every legal move.
    """
    return play_by_move(policy, game, memory, state, rng, trace, start, scratch)


# -------------------------------------------------------------------------------------- what a search shows its policy


@generic_with_default
@borrowing
def notice(policy, game, memory, state, trace, end, move):
    """Look at a position in the tree before a move is made in it, which will be ``trace[end]``."""


@generic_with_default
@borrowing
def prepare(policy, game, memory, nodes, path, depth):
    """Look at the tree and the path of a simulation (``search/records.py``) before the playout from its end."""


@generic_with_default
@borrowing
def learn(policy, game, memory, trace, start, end, mover, result):
    """Learn from one simulation: ``trace[start:end]``, made in turn from ``mover`` on, and its reward for player 0."""


# ----------------------------------------------------------------------------------------------- knowledge for the tree


@generic_with_default
@borrowing
def move_weights(policy, game, memory, state, trace, end, moves, weights):
    """Write to ``weights`` how likely a good player is to make each of ``moves`` after ``trace[:end]``, in any scale.

    Used where the policy is the ``prior`` of a search: bias, initial values and widening. All equal by default.
    A move of weight 0 is left out of the tree, unless no move has any weight.
    """
    for i in range(len(moves)):
        weights[index(i)] = 1.0


@generic_with_default
@borrowing
def move_values(policy, game, memory, state, trace, end, moves, opinions):
    """Write what each of ``moves`` after ``trace[:end]`` is worth, and how many simulations that opinion is worth.

    Used where the policy is the ``prior`` of a search with ``initial=values``. ``opinions[0]`` gets the values, from 0
    (lost) to 1 (won) for the player to move, ``opinions[1]`` the counts; on entry these are each move's share P of the
    policy's weights. By default the value is 1 and the count √P (Pachi's and michi's form). Rules write their own:
    for instance 1 or 0, with a count for each rule.
    """
    for i in range(len(moves)):
        opinions[0, index(i)] = 1.0
        opinions[1, index(i)] = math.sqrt(opinions[1, index(i)])
