"""The arrays that higher-order statistics are kept in, field by field.

A *slot* is a move that statistics are kept for, numbered from 0; a pattern is a set of (player, slot). Playouts come in
batches of up to 64, one bit of a word each: ``made[player, slot]`` is the set of playouts of the batch in which the
player made the move. So what 64 playouts say about a move after a pattern takes an AND and a count of bits.
"""

from typing import Any, NamedTuple

import numpy as np

LANES = 64  # playouts of a batch, at most
ACTIVE = 3  # place of the set of all playouts of a batch
SLOT_BITS = 10
MOST_SLOTS = 1 << SLOT_BITS
LAST_SLOT = MOST_SLOTS - 1
UNIT = float(1 << 30)  # evaluations in playouts are whole numbers of 1 / UNIT, with the number of a slot behind them
TAKEN = -(1 << 62)  # noise that keeps a slot from being chosen
EMPTY = 0  # the number of the pattern without moves
_WORD = 64

SETTINGS = np.dtype(
    (
        np.record,
        [
            ("guided", np.int64),  # whether playouts follow the statistics; else they are fully random
            ("noise", np.float64),  # greatest noise added to an evaluation, at the beginning
            ("optimism", np.float64),  # wins and visits that every move is given before it has any
            ("keep", np.float64),  # share of a statistic that is left after one more playout
            ("relative", np.int64),  # whether a pattern's evaluations are less its own winning rate
            ("most_moves", np.int64),  # of a pattern
            ("most_patterns", np.int64),
            ("every", np.int64),  # playouts between two refinements
            ("grow", np.int64),  # patterns added by one refinement, at most
            ("seen", np.float64),  # how often a pattern and a move must have been seen to be refined
            ("selected", np.int64),  # whether only choices by the pattern's own evaluation count as that
            ("criterion", np.int64),  # of relevance
            ("relevance", np.float64),  # that a refinement must exceed
            ("copied", np.float64),  # weight of the statistics that a new pattern takes over from its parent
            ("replay", np.int64),  # batches that a new pattern is given statistics from; 0: copies instead
        ],
    )
)

# How far a search has come.
HEAD = np.dtype(
    (
        np.record,
        [
            ("patterns", np.int64),
            ("playouts", np.int64),
            ("since_growth", np.int64),  # playouts since the last refinement
            ("batches", np.int64),
            ("mover", np.int64),  # player to move at the root
            ("weight", np.float64),  # what the last playout counts in the statistics; see ``patterns.add_batch``
        ],
    )
)


class PatternTable(NamedTuple):
    """Patterns and what is known of them. P patterns at most, S slots; words hold 64 slots or 64 patterns.

    Counts are in units of what the last playout counts, ``HEAD.weight``; ``patterns.in_counts`` has them in playouts.
    """

    members: Any  # uint64 [P, 2, slots / 64]: the moves of a pattern, a bit set of slots for each player
    sizes: Any  # int64 [P]
    parents: Any  # int64 [P]: the pattern that it is a refinement of
    containing: Any  # uint64 [2, S, P / 64]: the patterns that hold a move
    singles: Any  # int64 [2, S]: the pattern that is just this move, or 0
    below: Any  # uint64 [P, P / 64]: the patterns that are proper subsets of a pattern
    seen: Any  # float64 [P]: playouts that hold all moves of a pattern
    won: Any  # float64 [P, 2]: those of them that a player won, a draw counting half
    made: Any  # float64 [P, 2, S]: those in which a player made a move
    wins: Any  # float64 [P, 2, S]: those in which the player made it and won
    values: Any  # int64 [P, 2, S]: evaluations for playouts, from the counts, after each batch that holds the pattern
    chosen: Any  # int64 [P, 2, S]: choices of playouts that the pattern's evaluation decided, see ``note_choice``


class Workbench(NamedTuple):
    """What one search works with, beside the table."""

    head: Any  # HEAD
    settings: Any  # SETTINGS
    rng: Any
    work: Any  # the state that a playout is played in, unless it fills the board
    moves: Any  # int64 [S]: the move of a slot
    slots: Any  # int64 [moves]: the slot of a move, or -1
    made: Any  # uint64 [2, S]: the batch
    outcome: Any  # uint64 [4]: playouts of the batch that player 0, player 1, nobody won, and all of them
    points: Any  # uint64 [points]: the full boards of a batch, bits of player 0's
    cells: Any  # uint64: room for micro-reduction
    noise: Any  # int64 [2, S]: of one playout
    current: Any  # int64 [2, S]: evaluations that hold at this point of a playout
    left: Any  # int64: slots that may be chosen
    missing: Any  # int64 [P]: moves of a pattern that have not been made yet
    maximal: Any  # uint64 [P / 64]: applying patterns that are not a subset of another
    fresh: Any  # uint64 [P / 64]: patterns completed by the last move
    information: Any  # float64 [P, S]: room for the mutual information of each move
    trace: Any  # int32: moves of a playout
    scratch: Any  # int32: room for the moves of a position
    old_made: Any  # uint64 [H, 2, S]: the last H batches, in turn
    old_outcome: Any  # uint64 [H, 4]


def words(bits: int) -> int:
    """Return how many words hold a number of bits."""
    return (bits + _WORD - 1) // _WORD


def new_pattern_table(patterns: int, slots: int) -> PatternTable:
    """Return a table that holds the empty pattern."""
    counts = np.zeros((2, patterns, 2, slots))
    return PatternTable(
        np.zeros((patterns, 2, words(slots)), np.uint64),
        np.zeros(patterns, np.int64),
        np.zeros(patterns, np.int64),
        np.zeros((2, slots, words(patterns)), np.uint64),
        np.zeros((2, slots), np.int64),
        np.zeros((patterns, words(patterns)), np.uint64),
        np.zeros(patterns),
        np.zeros((patterns, 2)),
        counts[0],
        counts[1],
        np.zeros((patterns, 2, slots), np.int64),
        np.zeros((patterns, 2, slots), np.int64),
    )


def new_workbench(game: Any, settings: Any, moves: Any, patterns: int, cells: int, rng: Any) -> Workbench:
    """Return an empty workbench for the given moves, in the order of their slots.

    Kernels keep as many batches as ``settings.replay`` says, so that is how many there is room for.
    """
    history = max(1, int(settings.replay))
    slots = np.full(game.move_limit(), -1, np.int64)
    slots[moves] = np.arange(len(moves))
    head = np.zeros(1, HEAD)[0]
    head.patterns, head.weight = 1, 1.0
    return Workbench(
        head,
        settings,
        rng,
        game.new_state(),
        np.array(moves, np.int64),
        slots,
        np.zeros((2, len(moves)), np.uint64),
        np.zeros(4, np.uint64),
        np.zeros(game.move_limit(), np.uint64),
        np.zeros(cells, np.uint64),
        np.zeros((2, len(moves)), np.int64),
        np.zeros((2, len(moves)), np.int64),
        np.zeros(len(moves), np.int64),
        np.zeros(patterns, np.int64),
        np.zeros(words(patterns), np.uint64),
        np.zeros(words(patterns), np.uint64),
        np.zeros((patterns, len(moves))),
        game.new_trace(),
        game.new_moves(),
        np.zeros((history, 2, len(moves)), np.uint64),
        np.zeros((history, 4), np.uint64),
    )
