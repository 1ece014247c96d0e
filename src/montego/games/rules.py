"""The rules of a game as generic kernels: what every game must answer, and what it may answer faster.

Every function takes the game (a NamedTuple of rule parameters, whose class selects the kernels) and, but for
``start``, a state: one NumPy record. Conventions that hold for all games:

- players are 0 (moves first: Black, Red, X) and 1; a *score* is from player 0's perspective;
- a *move* is an integer from 0 to ``game.move_limit() - 1``; arrays of moves are int32;
- ``play`` does not check legality: callers do, once, in ``Position``.
- the *owner* of a point is a player, ``NOBODY`` (-1), or ``NEUTRAL`` (2): blocked, or held by neither player.
"""

import numpy as np

from montego.kernels import borrowing, generic, generic_with_default, index
from montego.rng import below

NOBODY = -1
NEUTRAL = 2


@generic
def start(game, state):
    """Make ``state``, a zeroed record, the starting position."""


@generic
def to_move(game, state):
    """Return the player to move, 0 or 1."""


@generic
def legal_moves(game, state, moves):
    """Write every legal move into ``moves`` and return how many there are; 0 only when the game is over."""


@generic
def is_legal(game, state, move):
    """Whether a move, any integer of the right range, may be played."""


@generic
def play(game, state, move):
    """Play a legal move."""


@generic
def is_over(game, state):
    """Whether the game has ended."""


@generic
def score(game, state):
    """Return the result as a float from player 0's perspective: > 0 won, < 0 lost, 0 drawn; final when over."""


@generic
def state_hash(game, state):
    """Return 64 bits that are equal for equal positions, player to move included."""


@generic_with_default
def winner(game, state):
    """Return the winner of a finished game, 0 or 1, or -1 for a draw."""
    value = score(game, state)
    if value > 0:
        return 0
    if value < 0:
        return 1
    return -1


@generic_with_default
def playout_moves(game, state, moves):
    """Like ``legal_moves``, without the moves that a playout never makes (Go: filling an own eye)."""
    return legal_moves(game, state, moves)


@generic_with_default
def search_moves(game, state, moves):
    """Like ``legal_moves``, without the moves that a tree search need not try (Go: filling an own eye)."""
    return legal_moves(game, state, moves)


@generic_with_default
def random_move(game, state, rng, scratch):
    """Draw one of the ``playout_moves``, each equally likely; ``scratch`` has room for every move.

    A game may replace "list and pick" by anything faster with the same distribution.
    """
    count = playout_moves(game, state, scratch)
    return np.int64(scratch[index(below(rng, count))])


@generic_with_default
def random_playout(game, state, rng, trace, scratch):
    """Play random moves to the end or until ``trace`` is full, note them in ``trace``, return how many.

    A game may fill the board in any way that gives the same distribution of final positions and traces. Afterwards
    only ``is_over``, ``score``, ``winner`` and ``owners`` of the state need to be right.
    """
    count = 0
    while count < len(trace) and not is_over(game, state):
        move = random_move(game, state, rng, scratch)
        play(game, state, move)
        trace[index(count)] = move
        count += 1
    return count


@generic_with_default
@borrowing
def is_playout_move(game, state, move):
    """Whether a move is one of the ``playout_moves``; a game that has its own ``playout_moves`` answers this too."""
    return is_legal(game, state, move)


# Playouts that choose move by move use the next three hooks, so that a game can be as quick as in ``random_playout``.
# During such a playout, only these hooks, ``is_over``, ``to_move``, ``playout_moves``, ``is_playout_move``,
# ``pattern_class`` and ``nearby`` must answer correctly; the other rules may return stale answers. At its end, the
# promises of ``random_playout`` hold.


@generic_with_default
@borrowing
def begin_playout(game, state, trace, begin):
    """Prepare a playout whose moves will stand in ``trace`` from ``begin`` on, to the end or until it is full."""


@generic_with_default
@borrowing
def draw_move(game, state, rng, trace, end, scratch):
    """Draw one of the ``playout_moves`` for the place ``end`` of the trace, each equally likely."""
    return random_move(game, state, rng, scratch)


@generic_with_default
@borrowing
def make_move(game, state, trace, end, move):
    """Play a move and note it at the place ``end`` of the trace."""
    play(game, state, move)
    trace[index(end)] = move


@generic_with_default
@borrowing
def make_noted_move(game, state, trace, end, move, changes):
    """Like ``make_move``, and write what the move changed to ``changes`` (``changes.py``); by default only the move."""
    make_move(game, state, trace, end, move)
    changes.points[0] = move
    changes.point_count = 1
    changes.liberty_count = 0


@generic_with_default
@borrowing
def pattern_class(game, state, move):
    """Return the class of the surroundings of a move to come, from 0 to ``game.pattern_classes() - 1``.

    From the perspective of the player to move. A cheap one: it is asked for at every move of a playout.
    """
    return 0


@generic_with_default
@borrowing
def nearby(game, state, move, out):
    """Write the free points beside a move as ``8 * point + direction`` and return how many there are.

    Directions are numbers from 0 to ``game.directions() - 1``, at most 8, each for one point at most. ``out`` has room
    for eight; entries past the returned count are undefined. A move that is not a point of the board, such as -1
    before the first move, has none.
    """
    return 0


@generic_with_default
@borrowing
def move_features(game, tables, state, trace, end, move, values):
    """Write the numbers of a move of the player to move in the columns of ``game.feature_columns()``; 0 means none.

    ``tables`` is what ``game.feature_tables()`` returned. ``trace[:end]`` are the moves that led here, at least two of
    them (-1 where there was none). A game with features answers this, or ``write_features`` where all moves together
    are cheaper.
    """


@generic_with_default
@borrowing
def write_features(game, tables, state, trace, end, moves, values):
    """Write the numbers of each of some moves, a row of ``values`` for each, as ``move_features`` does for one."""
    for place in range(len(moves)):
        move_features(game, tables, state, trace, end, np.int64(moves[index(place)]), values[index(place)])


@generic_with_default
@borrowing
def counts_as_first(game, move):
    """Whether a move means much the same whenever it is made, so that AMAF may count it (Go: not the pass)."""
    return True


@generic
def owners(game, state, out):
    """Write for every point of ``game.layout()``, in its order, who holds it: 0, 1, NOBODY or NEUTRAL."""


@generic_with_default
def final_owners(game, state, out):
    """Write like ``owners`` who has each point in the end (Go: surrounded points count), for ownership maps."""
    owners(game, state, out)
