"""Success rates of moves in their context: a bounded table (player, last moves, pattern, move) -> state.

The context is generic: the last one or two moves, and a pattern class if the game has one. A table that fits into the
memory has one cell for every combination. A larger one is hashed into a power of two of cells, each with a tag of its
key beside the state: a lookup of another key finds it unseen (but for one in 256, or in 65,536 if e > 21), and learning
another key takes the cell over. So memory is bounded, and what is played often stays.

Kernels take ``layout`` (one record), ``cells`` and, to learn, ``steps`` of the automaton; all are of ``ContextTable``.
Threads may share the cells: a cell is written whole, so that a lost update is one result fewer, never a wrong state.
"""

from typing import Any

import numpy as np

from montego.errors import MontegoError
from montego.kernels import index, inlined, kernel
from montego.playouts.wls.automaton import WinLossStates
from montego.playouts.wls.counters import HALF_BITS, Counters, count_result, level_of
from montego.playouts.wrapper import MOST_MEMORY
from montego.rng import scatter

NO_MOVE = -1  # before the first move of a game
MOST_ORDER = 2
_MOST_KEYS = 1 << 62
_TAG_BESIDE_COUNTS = 15  # so that a cell is not negative as a signed number

LAYOUT = np.dtype(
    (
        np.record,
        [
            ("moves", np.int64),  # of the game
            ("order", np.int64),  # how many last moves are part of the context, 0 to 2
            ("patterns", np.int64),  # number of pattern classes, 1 for none
            ("hashed", np.int64),  # 0: the key is the cell; 1: hash and tag
            ("cells", np.int64),  # a power of two if hashed
            ("state_bits", np.int64),  # 8 or 16, of counters 48: the tag is above them
            ("tag_bits", np.int64),
            ("counts", np.int64),  # whether wins and visits are counted, see counters.py, instead of states
            ("z", np.float64),  # of the bound by which counters are judged
        ],
    )
)

_U = np.uint64


# ------------------------------------------------------------------------------------------------------------ kernels


@inlined
def context_key(layout, player, last, before_last, pattern):
    """Return the number of a context; moves that were not made are ``NO_MOVE``, a game without patterns has only 0."""
    key = np.int64(0)
    if layout.order >= 1:
        key = np.int64(last) + 1
    if layout.order == 2:
        key = key * (layout.moves + 1) + np.int64(before_last) + 1
    return (2 * key + player) * layout.patterns + pattern


@inlined
def find_cell(layout, context, move):
    """Return the cell of a move in a context and the tag that the cell has if it is theirs."""
    key = np.int64(context) * layout.moves + np.int64(move)
    if layout.hashed == 0:
        return key, np.int64(0)
    word = scatter(key)
    cell = np.int64(word & _U(layout.cells - 1))
    return cell, np.int64(word >> _U(64 - layout.tag_bits))


@inlined
def kept_for(layout, cells, context, move):
    """Return what is kept for a move in a context, a state or counts; 0 if it was never seen there."""
    cell, tag = find_cell(layout, context, move)
    content = np.int64(cells[index(cell)])
    if content >> layout.state_bits != tag:
        return np.int64(0)
    return content & ((1 << layout.state_bits) - 1)


@inlined
def lookup(layout, cells, context, move):
    """Return the state of a move in a context, or the level of its counts; 0 if it was never seen there."""
    kept = kept_for(layout, cells, context, move)
    return level_of(kept, layout.z) if layout.counts else kept


@inlined
def learn(layout, cells, steps, context, move, won):
    """Record a win (1 or True) or a loss of a move in a context."""
    cell, tag = find_cell(layout, context, move)
    content = np.int64(cells[index(cell)])
    kept = content & ((1 << layout.state_bits) - 1)
    if content >> layout.state_bits != tag:
        kept = np.int64(0)
    if layout.counts:
        kept = np.int64(count_result(kept, np.int64(won)))
    else:
        kept = np.int64(steps[index(2 * kept + np.int64(won))])
    cells[index(cell)] = (tag << layout.state_bits) | kept


@kernel
def learn_moves(layout, cells, steps, moves, player, last, before_last, winner):
    """Learn from some moves of a game: those of the winner won, the others lost; a draw (-1) teaches nothing.

    ``player`` makes the first of them and turns alternate; ``last`` and ``before_last`` were made before it. For games
    without patterns.
    """
    if winner < 0:
        return
    for i in range(len(moves)):
        move = np.int64(moves[index(i)])
        context = context_key(layout, player, last, before_last, 0)
        learn(layout, cells, steps, context, move, np.int64(player == winner))
        before_last = last
        last = move
        player = 1 - player


# ---------------------------------------------------------------------------------------------------------- the table


class ContextTable:
    """The success rates of all moves of a game in their contexts, within a bound of memory in megabytes."""

    def __init__(
        self, wls: WinLossStates | Counters, moves: int, *, order: int = 1, patterns: int = 1, memory: float = 64.0
    ) -> None:
        counts = isinstance(wls, Counters)
        state_bits = 2 * HALF_BITS if counts else 8 * wls.dtype.itemsize
        if isinstance(wls, WinLossStates) and state_bits > 16:
            raise MontegoError(f"a context table needs states of two bytes: e from 1 to 360, not {wls.e}")
        for name, value, low, high in (
            ("moves", moves, 1, 1 << 24),
            ("order", order, 0, MOST_ORDER),
            ("patterns", patterns, 1, 1 << 20),
        ):
            if isinstance(value, bool) or not hasattr(value, "__index__") or not low <= value <= high:
                raise MontegoError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
        if not isinstance(memory, int | float) or not 0.001 <= memory <= MOST_MEMORY:
            raise MontegoError(f"memory must be from 0.001 to {MOST_MEMORY} megabytes, not {memory!r}")
        self.wls = wls
        self.contexts = int(2 * (moves + 1) ** order * patterns)
        keys = self.contexts * moves
        if keys > _MOST_KEYS:
            raise MontegoError(f"{keys} combinations are too many to number; choose a smaller order or fewer patterns")
        size = int(memory * 1e6)
        hashed = keys * wls.dtype.itemsize > size
        dtype = np.dtype(f"u{2 * wls.dtype.itemsize}") if hashed and not counts else wls.dtype
        cells = 1 << ((size // dtype.itemsize).bit_length() - 1) if hashed else keys
        self.cells: Any = np.zeros(cells, dtype)
        self.layout: Any = np.zeros(1, LAYOUT)[0]
        self.layout.moves, self.layout.order, self.layout.patterns = moves, order, patterns
        self.layout.hashed, self.layout.cells, self.layout.state_bits = hashed, cells, state_bits
        self.layout.tag_bits = _TAG_BESIDE_COUNTS if counts else state_bits
        self.layout.counts, self.layout.z = counts, wls.z

    @property
    def hashed(self) -> bool:
        """Whether the combinations were too many for the memory."""
        return bool(self.layout.hashed)

    def clear(self) -> None:
        """Forget everything."""
        self.cells[:] = 0

    def state(self, player: int, last: int, before_last: int, move: int, pattern: int = 0) -> int:
        """Return the state of a move in a context."""
        return int(lookup(self.layout, self.cells, self._context(player, last, before_last, move, pattern), move))

    def record(self, player: int, last: int, before_last: int, move: int, won: bool, pattern: int = 0) -> None:
        """Record one result of a move in a context."""
        context = self._context(player, last, before_last, move, pattern)
        learn(self.layout, self.cells, self.wls.steps, context, move, int(won))

    def record_game(
        self, moves: Any, winner: int, player: int = 0, last: int = NO_MOVE, before_last: int = NO_MOVE
    ) -> None:
        """Learn from a sequence of moves whose first is made by ``player`` after ``last``; ``winner`` -1 is a draw."""
        sequence = np.asarray(moves, np.int32)
        if winner not in (-1, 0, 1):
            raise MontegoError(f"winner must be 0, 1 or -1 for a draw, not {winner!r}")
        if self.layout.patterns != 1:
            raise MontegoError("a table with patterns learns move by move, as only the game knows the patterns")
        for move in (sequence.min(initial=0), sequence.max(initial=0)):
            self._context(player, last, before_last, int(move), 0)
        learn_moves(self.layout, self.cells, self.wls.steps, sequence, player, last, before_last, winner)

    def _context(self, player: int, last: int, before_last: int, move: int, pattern: int) -> int:
        """Check the parts of a context and return its number."""
        most = int(self.layout.moves) - 1
        for name, value, low, high in (
            ("player", player, 0, 1),
            ("last", last, NO_MOVE, most),
            ("before_last", before_last, NO_MOVE, most),
            ("move", move, 0, most),
            ("pattern", pattern, 0, int(self.layout.patterns) - 1),
        ):
            if not low <= value <= high:
                raise MontegoError(f"{name} must be from {low} to {high}, not {value}")
        return int(context_key(self.layout, player, last, before_last, pattern))
