"""What the rules know for the tree: how much a move is worth trying before anything is known about it.

A weight is a product of factors, one for each thing that can be said of a move. What is said follows the priors of
michi (Baudiš 2015) and Fuego: captures, saves, self-atari, patterns, the distance to the last two moves on the
common-fate graph, and the line in an empty part of the board. They set wins and visits of a new node, which
``initial=values`` does here; bias and widening take the weights as they are. Unlike the playouts this reads ladders to
the end, as it happens once for every node of the tree.
"""

import math

import numpy as np

from montego.games.go.board import BLACK, PASS, WHITE, friend, stride_of
from montego.games.go.common_fate import FAR, common_fate_distances
from montego.games.go.ladders import catching_move, is_caught
from montego.games.go.mogo import matches_bit
from montego.games.go.self_atari import is_self_atari
from montego.kernels import borrowing, implements, index, kernel
from montego.playouts.policy import move_values, move_weights
from montego.playouts.rules.policy import Rules

PASS_WEIGHT = 0.01
CAPTURE_ONE, CAPTURE_MORE = 8.0, 20.0  # stones in atari
SAVE_ONE, SAVE_MORE = 6.0, 15.0  # own stones that escape
CAUGHT = 0.2  # running in a ladder that is lost
CATCH = 6.0  # an atari that begins a ladder which is won
ATARI = 2.0
SELF_ATARI = 0.1
PATTERN = 2.5
NEAR_LAST = np.array([1.0, 5.0, 3.5, 1.5, 1.0])  # by common-fate distance, the last for all that is farther away
NEAR_BEFORE_LAST = np.array([1.0, 2.0, 1.5, 1.2, 1.0])
LIMIT = 3  # of these distances, and of what counts as an empty part of the board
EMPTY_LINES = np.array([0.0, 0.05, 0.2, 2.0, 1.5])  # by line from the edge, where no stone is near; farther in 1
SIMULATIONS = (
    8.0  # that a factor of e is worth as an initial value: michi has 15 for a capture, 24 for a move that is near
)


@implements(move_weights, Rules)
@borrowing
def _move_weights(policy, game, memory, state, trace, end, moves, weights):
    measure_distances(memory, state, trace, end)
    for i in range(len(moves)):
        weights[index(i)] = weight_of(game, memory, state, np.int64(moves[index(i)]))


@implements(move_values, Rules)
@borrowing
def _move_values(policy, game, memory, state, trace, end, moves, opinions):
    """Count simulations in proportion to the logarithm of the weight: won ones where it is above 1, else lost ones.

    So each factor adds its own simulations, as each thing that can be said of a move does in michi.
    """
    measure_distances(memory, state, trace, end)
    for i in range(len(moves)):
        opinion = SIMULATIONS * math.log(weight_of(game, memory, state, np.int64(moves[index(i)])))
        opinions[0, index(i)] = 1.0 if opinion > 0.0 else 0.0
        opinions[1, index(i)] = abs(opinion)


@borrowing
def measure_distances(memory, state, trace, end):
    """Write the distances of all points to the last two moves, FAR if there are none."""
    for back in range(2):
        move = np.int64(trace[index(end - 1 - back)])
        if move > PASS:
            common_fate_distances(state, move, LIMIT, memory.distances[back], memory.queue)
        else:
            for point in range(memory.distances.shape[1]):
                memory.distances[back, index(point)] = FAR


@borrowing
def weight_of(game, memory, state, point):
    """Return the weight of a move; the distances of the points stand in the memory."""
    if point == PASS:
        return PASS_WEIGHT
    weight = tactical_weight(state, point, memory.patterns, memory.ladders)
    weight *= NEAR_LAST[index(min(np.int64(memory.distances[0, index(point)]), LIMIT + 1))]
    weight *= NEAR_BEFORE_LAST[index(min(np.int64(memory.distances[1, index(point)]), LIMIT + 1))]
    line = line_of(game, state, point)
    if line < len(EMPTY_LINES) and is_lonely(state, point):
        weight *= EMPTY_LINES[index(line)]
    return weight


@kernel
def tactical_weight(state, point, patterns, ladders):
    """Return the factors of a move for captures, saves, ataris, self-atari and the pattern."""
    stride = stride_of(state)
    capture, save, atari = 1.0, 1.0, 1.0
    is_bad = is_self_atari(state, point)
    for near in (point - stride, point - 1, point + 1, point + stride):
        chain = friend(state, near, BLACK + WHITE - state.turn)
        if state.liberties[chain] == 1:
            capture = max(capture, CAPTURE_ONE if state.stones[chain] == 1 else CAPTURE_MORE)
        elif state.liberties[chain] == 2 and not is_bad:
            atari = max(atari, CATCH if catching_move(state, near, ladders) == point else ATARI)
        chain = friend(state, near, state.turn)
        if state.liberties[chain] == 1 and not is_bad:
            if is_caught(state, near, ladders):
                save = min(save, CAUGHT)
            else:
                save = max(save, SAVE_ONE if state.stones[chain] == 1 else SAVE_MORE)
    weight = capture * save * atari
    if is_bad:
        weight *= SELF_ATARI
    elif matches_bit(state, point, patterns):
        weight *= PATTERN
    return weight


@kernel
def line_of(game, state, point):
    """Return how far a point is from the nearest edge, 1 on the edge."""
    row, column = point // stride_of(state), point % stride_of(state)
    return min(min(row, game.height + 1 - row), min(column, game.size + 1 - column))


@kernel
def is_lonely(state, point):
    """Whether no stone is within LIMIT steps of a point along the lines of the board."""
    stride = stride_of(state)
    for rows in range(-LIMIT, LIMIT + 1):
        row = point // stride + rows
        if row < 1 or row >= state.colour.shape[0] // stride:
            continue
        width = LIMIT - abs(rows)
        for column in range(max(0, point % stride - width), min(stride, point % stride + width + 1)):
            colour = np.int64(state.colour[index(row * stride + column)])
            if colour in (BLACK, WHITE):
                return False
    return True
