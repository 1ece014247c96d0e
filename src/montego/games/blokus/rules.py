"""The rules of Blokus Duo as kernels.

A player without a placement will never have one again: the free squares only shrink, and only an own piece makes new
attach points. So ``stuck`` is noted once and stays.
"""

import numpy as np

from montego.games.blokus.board import (
    WORK,
    attaches,
    blocked,
    can_place,
    find_placements,
    orientation_and_bit,
    place,
    placement,
)
from montego.games.blokus.features import write_placement_features
from montego.games.blokus.game import START_POINTS, BlokusDuo, Start
from montego.games.blokus.pieces import ALL_PIECES, PASS, PIECE_OF, PLACEMENTS, SIZE, bit_of, words_of
from montego.games.rules import (
    counts_as_first,
    is_legal,
    is_over,
    legal_moves,
    owners,
    play,
    score,
    start,
    state_hash,
    to_move,
    write_features,
)
from montego.kernels import bit_count, borrowing, implements, index, kernel, lowest_bit, wrapping_kernel

_ZERO, _ONE, _32 = np.uint64(0), np.uint64(1), np.uint64(32)
_START_BITS = np.array([bit_of(*point) for point in START_POINTS], np.int64)
_BITS = np.array([bit_of(row, column) for row in range(SIZE) for column in range(SIZE)], np.int64)  # as in the layout
_EMPTY_BOARD = np.array(words_of(_BITS.tolist(), 4), np.uint64)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@implements(start, BlokusDuo)
def _start(game, state):
    for player in range(2):
        for word in range(4):
            state.free[index(player), index(word)] = _EMPTY_BOARD[index(word)]
        for point in range(2):
            if game.starts == Start.FREE or point == player:
                bit = _START_BITS[index(point)]
                state.attach[index(player), index(bit >> 6)] |= _ONE << np.uint64(bit & 63)
        state.pieces[index(player)] = ALL_PIECES


@implements(to_move, BlokusDuo)
def _to_move(game, state):
    return state.player


@implements(is_over, BlokusDuo)
def _is_over(game, state):
    return state.stuck[0] + state.stuck[1] == 2


@implements(is_legal, BlokusDuo)
@borrowing
def _is_legal(game, state, move):
    player = state.player
    if move == PASS:
        return state.stuck[index(player)] == 1 and state.stuck[index(1 - player)] == 0
    if move < 0 or move > PLACEMENTS:
        return False
    orientation, bit = orientation_and_bit(move)
    if not state.pieces[index(player)] >> PIECE_OF[index(orientation)] & 1:
        return False
    return blocked(state, player, orientation, bit) == _ZERO and attaches(state, player, orientation, bit)


@implements(legal_moves, BlokusDuo)
def _legal_moves(game, state, moves):
    player = state.player
    if state.stuck[index(player)]:
        moves[0] = PASS
        return 1 - state.stuck[index(1 - player)]
    return list_placements(state, player, moves, np.empty(1, WORK))


@borrowing
def list_placements(state, player, moves, room):
    """Write all placements of a player into ``moves`` and return how many there are."""
    work = room[0]
    find_placements(state, player, work)
    count = 0
    for slot in range(work.found):
        first = placement(work.orientation[index(slot)], 0)
        columns = placement(work.orientation[index(slot)], 16) - first
        for word in range(4):
            places = work.places[index(slot), index(word)]
            while places:
                bit = 64 * word + lowest_bit(places)
                places &= places - _ONE
                moves[index(count)] = first + (bit >> 4) * columns + (bit & 15)
                count += 1
    return count


@implements(play, BlokusDuo)
@borrowing
def _play(game, state, move):
    if move != PASS:
        orientation, bit = orientation_and_bit(move)
        place(state, state.player, orientation, bit)
    state.player = 1 - state.player
    settle(state)


@borrowing
def settle(state):
    """Note whether the player to move is stuck and, if so, whether the other one is."""
    for player in (state.player, 1 - state.player):
        if not state.stuck[index(player)]:
            if can_place(state, player):
                return
            state.stuck[index(player)] = 1


@kernel
def squares_placed(state, player):
    """Return how many squares a player has placed."""
    count = 0
    for word in range(4):
        count += bit_count(state.squares[index(player), index(word)])
    return count


@implements(counts_as_first, BlokusDuo)
def _counts_as_first(game, move):
    return move != PASS


@implements(score, BlokusDuo)
def _score(game, state):
    return np.float64(squares_placed(state, 0) - squares_placed(state, 1))


@wrapping_kernel
def mixed(key, word):
    """Stir a word into a hash: every bit of both reaches the upper and, folded back, the lower half."""
    key = (key ^ word) * _MULTIPLIER
    key ^= key >> _32
    key *= _MULTIPLIER
    return key ^ (key >> _32)


@implements(state_hash, BlokusDuo)
def _state_hash(game, state):
    # Own pieces never share an edge, so the squares tell the pieces, and with the player to move the whole position.
    key = np.uint64(state.player + 1)
    for player in range(2):
        for word in range(4):
            key = mixed(key, state.squares[index(player), index(word)])
    return key


@implements(owners, BlokusDuo)
def _owners(game, state, out):
    for square in range(SIZE * SIZE):
        bit = _BITS[index(square)]
        out[index(square)] = -1
        for player in range(2):
            if state.squares[index(player), index(bit >> 6)] >> np.uint64(bit & 63) & _ONE:
                out[index(square)] = player


@implements(write_features, BlokusDuo)
@borrowing
def _write_features(game, tables, state, trace, end, moves, values):
    write_placement_features(tables, state, trace, end, moves, values)
