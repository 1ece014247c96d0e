"""Self-atari: whether a stone would leave its own chain with a single liberty, and what to play instead."""

import numpy as np

from montego.games.go.board import BLACK, EMPTY, NO_CHAIN, WHITE, friend, stride_of
from montego.games.go.previous_move import bit_in_word, has_liberty, liberties_after
from montego.kernels import borrowing, index, inlined, lowest_bit


@inlined
def is_self_atari(state, point):
    """Whether a stone of the player to move on an empty point would be in atari or taken at once, capturing nothing.

    A capture is never counted as self-atari: retaking a ko and throwing in to capture are moves like others.
    """
    counts = np.int64(state.neighbours[index(point)])
    if counts & 15 > 1:
        return False
    return is_close_self_atari(state, point)


@borrowing
def is_close_self_atari(state, point):
    """Do what ``is_self_atari`` promises for a point that has at most one empty neighbour.

    Liberties are counted one by one only where two chains with one or two each would be joined.
    """
    stride = stride_of(state)
    own, enemy = state.turn, BLACK + WHITE - state.turn
    chain = index(NO_CHAIN)
    empty = np.int64(0)  # the empty neighbour
    most = 0
    is_one_chain, captures = True, False
    for near in (point - stride, point - 1, point + 1, point + stride):
        colour, beside = state.colour[index(near)], index(state.chain[index(near)])
        liberties = np.int64(state.liberties[beside])
        if colour == own:
            is_one_chain &= (chain == NO_CHAIN) | (chain == beside)
            chain = beside
            most = max(most, liberties)
        captures |= (colour == enemy) & (liberties == 1)
        empty += near * np.int64(colour == EMPTY)
    if captures or most > 2:
        return False
    if most < 2 and is_one_chain:
        return True
    if is_one_chain:
        return empty == 0 or has_liberty(state, chain, empty)
    return liberties_after(state, point, own, 0) < 2


@borrowing
def remaining_liberty(state, point):
    """Return the liberty that a self-atari of the player to move would leave, or 0 if it would leave none."""
    stride = stride_of(state)
    north, west = friend(state, point - stride, state.turn), friend(state, point - 1, state.turn)
    east, south = friend(state, point + 1, state.turn), friend(state, point + stride, state.turn)
    for word in range(state.liberty_set.shape[1]):
        at = index(word)
        joint = state.liberty_set[north, at] | state.liberty_set[west, at]
        joint |= state.liberty_set[east, at] | state.liberty_set[south, at]
        for near in (point - stride, point - 1, point + 1, point + stride):
            joint |= bit_in_word(near, word) * np.uint64(state.colour[index(near)] == EMPTY)
        joint &= ~bit_in_word(point, word)
        if joint:
            return 64 * word + np.int64(lowest_bit(joint))
    return 0
