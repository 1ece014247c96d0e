"""Count the move sequences of a game: the classical check of a rule engine against another one."""

from typing import Any

import numpy as np

from montego.errors import MontegoError
from montego.games.game import Game
from montego.games.rules import legal_moves, play
from montego.kernels import copy_record, index, kernel

DEEPEST = 1000  # moves; deeper counts would outlast everybody
_AT_ONCE = 20_000  # moves that a kernel plays before Python can notice Ctrl-C


def perft(game: Game, state: Any, depth: int) -> int:
    """Return the number of sequences of exactly ``depth`` legal moves from a state, which stays as it is.

    A game that ends earlier counts for nothing; passes are moves. Rules that look at earlier positions of the real game
    (Go's superko) are not asked. The last move of a sequence is counted, not played.
    """
    if not 0 <= depth <= DEEPEST:
        raise MontegoError(f"the depth of a perft is from 0 to {DEEPEST}, not {depth}")
    if depth == 0:
        return 1
    states = np.zeros(depth, game.state_dtype())
    states[0] = state
    moves = np.zeros((depth, game.most_legal_moves()), np.int32)
    counts, nexts = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    counts[0] = legal_moves(game, states[0], moves[0])
    if depth == 1:
        return int(counts[0])
    total, level = 0, 0
    while level >= 0:
        found, level = count_sequences(game, states, moves, counts, nexts, level)
        total += int(found)
    return total


@kernel
def count_sequences(game, states, moves, counts, nexts, level):
    """Count sequences of ``len(states)`` moves from ``states[0]``, depth first without recursion, for a while.

    All arrays have one entry per level: the state, its legal moves, their number, and the next of them to play. Return
    how many were found, and the level at which to go on with the next call; -1 when all are counted.
    """
    last = len(states) - 1
    total = 0
    for _ in range(_AT_ONCE):
        if level < 0:
            break
        if nexts[index(level)] == counts[index(level)]:
            level -= 1
            continue
        move = np.int64(moves[index(level), index(nexts[index(level)])])
        nexts[index(level)] += 1
        below = index(level + 1)
        copy_record(states[below], states[index(level)])
        play(game, states[below], move)
        counts[below] = legal_moves(game, states[below], moves[below])
        if level + 1 == last:
            total += counts[below]
        else:
            level += 1
            nexts[below] = 0
    return total, level
