"""The rules that connection games share: placing stones in turn until somebody connects; random filling in playouts."""

import numpy as np

from montego.games.rules import (
    begin_playout,
    draw_move,
    is_legal,
    is_over,
    is_playout_move,
    legal_moves,
    make_move,
    move_features,
    nearby,
    owners,
    pattern_class,
    play,
    random_move,
    random_playout,
    score,
    start,
    state_hash,
    to_move,
)
from montego.games.tools.connection.board import (
    DIRECTIONS,
    FILLING,
    NOBODY,
    add_stone,
    empty_points,
    full_board_winner,
    goal,
    holds,
    list_empty_points,
    neighbour,
    place,
    point_count,
    word_count,
)
from montego.games.tools.connection.features import write_ring_features
from montego.games.tools.connection.game import ConnectionGame
from montego.kernels import borrowing, implements, index, kernel, lowest_bit, wrapping_kernel
from montego.rng import below, shuffle

_U = np.uint64
_ZERO, _ONE, _32 = (np.uint64(n) for n in (0, 1, 32))
_MIX_A, _MIX_B = np.uint64(0xD6E8FEB86659FD93), np.uint64(0x9E3779B97F4A7C15)


@implements(start, ConnectionGame)
@borrowing
def _start(game, state):
    state.winner = NOBODY


@implements(to_move, ConnectionGame)
@borrowing
def _to_move(game, state):
    return np.int64(state.to_move)


@implements(is_over, ConnectionGame)
@borrowing
def _is_over(game, state):
    return state.winner >= 0


@implements(score, ConnectionGame)
@borrowing
def _score(game, state):
    if state.winner < 0:
        return 0.0
    return 1.0 if state.winner == 0 else -1.0


@implements(is_legal, ConnectionGame)
@implements(is_playout_move, ConnectionGame)
@borrowing
def _is_free(game, state, move):
    inside = 0 <= move < point_count(game)
    return inside and state.winner < 0 and not (holds(state.stones, 0, move) or holds(state.stones, 1, move))


@implements(legal_moves, ConnectionGame)
@borrowing
def _legal_moves(game, state, moves):
    return 0 if state.winner >= 0 else list_empty_points(game, state.stones, moves)


@implements(play, ConnectionGame)
@borrowing
def move_to(game, state, point):
    """Play a stone of the player to move; who has a chain that touches all sides of the goal has won."""
    player = np.int64(state.to_move)
    if place(game, state, player, point) == goal(game):
        state.winner = player
    state.to_move = 1 - player


@implements(state_hash, ConnectionGame)
@wrapping_kernel
def _state_hash(game, state):
    """Return 64 bits that depend on every stone and on the player to move."""
    value = _MIX_B + _U(state.to_move)
    for player in range(2):
        for word in range(word_count(game)):
            value = (value ^ state.stones[index(player), index(word)]) * _MIX_A
            value = (value ^ (value >> _32)) * _MIX_B
    return value ^ (value >> _32)


@implements(owners, ConnectionGame)
@borrowing
def _owners(game, state, out):
    """Write who holds each point: 0, 1, or -1."""
    for point in range(point_count(game)):
        out[index(point)] = NOBODY
        for player in range(2):
            if holds(state.stones, player, point):
                out[index(point)] = player


# ---------------------------------------------------------------------------------------------------- random playouts


@kernel
def random_empty_point(game, stones, placed, rng):
    """Draw an empty point, each equally likely."""
    points = point_count(game)
    if 4 * placed < 3 * points:
        while True:
            point = below(rng, points)
            if not (holds(stones, 0, point) or holds(stones, 1, point)):
                return point
    skip = below(rng, points - placed)
    for word in range(word_count(game)):
        rest = empty_points(game, stones, word)
        while rest != _ZERO:
            if skip == 0:
                return 64 * word + lowest_bit(rest)
            skip -= 1
            rest &= rest - _ONE
    return -1


@kernel
def fill_randomly(game, state, rng, trace):
    """Fill the board with stones in random order, from the player to move on in turns; return how many.

    ``trace`` receives the points in the order of play, every order equally likely. Whoever has won before the board is
    full still has the winning connection when it is, so the winner is distributed as in a game that stops there.
    Links are left as they were: the winner of the full board is for the caller to find.
    """
    count = list_empty_points(game, state.stones, trace)
    shuffle(rng, trace, count)
    player = np.int64(state.to_move)
    for turn in range(0, count, 2):
        add_stone(state.stones, player, trace[index(turn)])
    for word in range(word_count(game)):
        state.stones[index(1 - player), index(word)] |= empty_points(game, state.stones, word)
    return count


@kernel
def play_randomly(game, state, rng, trace, scratch):
    """Play random moves one by one until somebody wins or ``trace`` is full, return how many: for a short trace."""
    count = list_empty_points(game, state.stones, scratch)
    shuffle(rng, scratch, count)
    turn = 0
    while turn < len(trace) and state.winner < 0:
        trace[index(turn)] = scratch[index(turn)]
        move_to(game, state, np.int64(scratch[index(turn)]))
        turn += 1
    return turn


@implements(random_move, ConnectionGame)
@borrowing
def _random_move(game, state, rng, scratch):
    return random_empty_point(game, state.stones, np.int64(state.placed), rng)


@implements(random_playout, ConnectionGame)
@borrowing
def _random_playout(game, state, rng, trace, scratch):
    """Fill the board in random order, find the winner, return how many points were filled."""
    if state.winner >= 0:
        return 0
    if point_count(game) - state.placed > len(trace):
        return play_randomly(game, state, rng, trace, scratch)
    count = fill_randomly(game, state, rng, trace)
    state.winner = full_board_winner(game, state)
    return count


# ---------------------------------------------------------------------------------------------- playouts move by move


@implements(begin_playout, ConnectionGame)
@borrowing
def _begin_playout(game, state, trace, begin):
    """Write the empty points into the trace, in the order that moves will change: point p is at index ``links[p]``.

    As in random filling, nobody asks who has won before the board is full, so the links are free for this. If the trace
    is too short for a full board, moves are played as in a game.
    """
    if state.winner >= 0 or len(trace) - begin < point_count(game) - state.placed:
        return
    count = list_empty_points(game, state.stones, trace[begin:])
    for at in range(begin, begin + count):
        state.links[index(trace[index(at)])] = at
    state.winner = FILLING


@implements(draw_move, ConnectionGame)
@borrowing
def _draw_move(game, state, rng, trace, end, scratch):
    if state.winner == FILLING:
        return np.int64(trace[index(end + below(rng, point_count(game) - np.int64(state.placed)))])
    return random_empty_point(game, state.stones, np.int64(state.placed), rng)


@implements(make_move, ConnectionGame)
@borrowing
def _make_move(game, state, trace, end, move):
    """Play a stone; while filling, exchange it in the trace with the point that is at its place."""
    if state.winner != FILLING:
        play(game, state, move)
        trace[index(end)] = move
        return
    other = trace[index(end)]
    at = state.links[index(move)]
    trace[index(at)] = other
    state.links[index(other)] = at
    trace[index(end)] = move
    add_stone(state.stones, state.to_move, move)
    state.to_move = 1 - state.to_move
    state.placed += 1
    if state.placed == point_count(game):
        state.winner = full_board_winner(game, state)


@implements(pattern_class, ConnectionGame)
@borrowing
def _pattern_class(game, state, move):
    """Return the ring of a point as a number of six digits: 0 empty or off the board, 1 own, 2 the enemy's."""
    player = np.int64(state.to_move)
    ring = 0
    if move >= point_count(game):
        return ring
    for direction in range(DIRECTIONS):
        near = neighbour(game, move, direction)
        near = move if near < 0 else near  # the move's own point is empty too, and there is no branch
        own, enemy = holds(state.stones, player, near), holds(state.stones, 1 - player, near)
        ring = 3 * ring + np.int64(own) + 2 * np.int64(enemy)
    return ring


@implements(move_features, ConnectionGame)
@borrowing
def _move_features(game, tables, state, trace, end, move, values):
    if move < point_count(game):
        write_ring_features(
            tables, state, np.int64(trace[index(end - 1)]), np.int64(trace[index(end - 2)]), move, values
        )
    else:
        values[:] = 0  # the swap


@implements(nearby, ConnectionGame)
@borrowing
def _nearby(game, state, move, out):
    """Write every neighbour, and the next one over it if it is taken or off the board.

    There is no branch, as the processor cannot predict which points are free.
    """
    count = 0
    if 0 <= move < point_count(game):
        for direction in range(DIRECTIONS):
            near = neighbour(game, move, direction)
            point = move if near < 0 else near
            taken = holds(state.stones, 0, point) | holds(state.stones, 1, point)
            out[index(count)] = 8 * point + direction
            count += np.int64((near >= 0) & (not taken))
    return count
