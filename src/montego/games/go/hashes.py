"""Zobrist hashes: of the stones alone, which superko forbids to repeat, and of a whole position."""

import numpy as np

from montego.games.go.board import BLACK, WHITE
from montego.games.rules import play
from montego.kernels import copy_record, index, kernel

# Zobrist keys: [0] and [1] for a stone of each colour on a point, [2] for the ko point; then turn and passes.
_KEYS = np.random.SeedSequence(361).generate_state(3 * 703 + 8, np.uint64)
_POINTS = 703


@kernel
def board_hash(state):
    """Hash the stones on the board."""
    key = np.uint64(0)
    for point in range(state.colour.shape[0]):
        colour = np.int64(state.colour[index(point)])
        if colour in (BLACK, WHITE):
            key ^= _KEYS[index((colour - 1) * _POINTS + point)]
    return key


@kernel
def position_hash(state):
    """Hash the stones, the player to move, the passes and the ko point."""
    key = board_hash(state) ^ _KEYS[index(3 * _POINTS + state.turn)] ^ _KEYS[index(3 * _POINTS + 4 + state.passes)]
    if state.ko:
        key ^= _KEYS[index(2 * _POINTS + state.ko)]
    return key


@kernel
def board_hashes_after(game, state, work, moves, out):
    """Write the hash of the board after each of the moves, each played in the record ``work``."""
    for place in range(len(moves)):
        copy_record(work, state)
        play(game, work, np.int64(moves[place]))
        out[place] = board_hash(work)
