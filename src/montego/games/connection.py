"""What connection games share: stones as sets of bits, chains as union-find, random filling.

A game of this kind (Hex, Y) numbers its points 0 … n-1, calls ``share_rules`` and gives five kernels: ``point_count``,
``neighbour``, ``sides_at``, ``goal`` and ``full_board_winner``. Its state is the record of ``state_dtype(points)``: ``stones[player]`` is a bit set of points, ``links`` a
union-find forest over the stones. A chain's root carries the sides of the board that the chain touches, so that the end
of the game is seen in the very move that makes the connection.
"""

from typing import Any

import numpy as np

from montego.errors import IllegalMove, nearest
from montego.games import rules
from montego.games.game import Game
from montego.kernels import borrowing, generic, implements, index, kernel, lowest_bit, wrapping_kernel
from montego.rng import below, shuffle

_U = np.uint64
_ZERO, _ONE, _SIX, _32, _63, _64 = (np.uint64(n) for n in (0, 1, 6, 32, 63, 64))
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_MIX_A, _MIX_B = np.uint64(0xD6E8FEB86659FD93), np.uint64(0x9E3779B97F4A7C15)

DIRECTIONS = 6  # a point has at most so many neighbours
ROOT = 0x8000  # a link that is no parent but the mark of a root; its low bits are the sides that the chain touches
SIDES = 0x7
NOBODY = -1
FILLING = -2  # in place of the winner, while a playout fills the board: nobody asks for chains until it is full
RINGS: int = 3**DIRECTIONS  # pattern classes: what is on each of the points around


def state_dtype(points: int, bits: int) -> np.dtype[Any]:
    """Return the record type of a position with so many points at most and ``bits`` bits and a word in a bit set.

    The bits beyond the points are zero. Micro-reduction, which decides full boards, works in them.
    """
    words = (bits + 63) // 64 + 1
    return np.dtype(
        (
            np.record,
            [
                ("stones", np.uint64, (2, words)),
                ("links", np.uint16, (points,)),  # parent or root mark, for points with a stone
                ("placed", np.int16),  # number of stones
                ("to_move", np.int8),
                ("winner", np.int8),
            ],
        )
    )


@generic
def point_count(game):
    """Return the number of points."""


@generic
def neighbour(game, point, direction):
    """Return the neighbour of a point in one of six directions, or -1 where there is none."""


@generic
def sides_at(game, player, point):
    """Return the set (bits 1, 2, 4) of sides that ``player`` must connect and that ``point`` lies on."""


@generic
def goal(game):
    """Return the set of sides that a winning chain touches."""


@generic
def full_board_winner(game, state):
    """Return the winner of a full board, whose links need not be right."""


# ---------------------------------------------------------------------------------------------------------- bit sets


@kernel
def word_count(game):
    """Return how many words of a bit set hold points."""
    return (point_count(game) + 63) >> 6


@kernel
def holds(stones, player, point):
    """Whether a player has a stone on a point."""
    bit = _U(point)
    return (stones[index(player), index(bit >> _SIX)] >> (bit & _63)) & _ONE != _ZERO


@kernel
def add_stone(stones, player, point):
    """Add a point to a player's bit set."""
    bit = _U(point)
    stones[index(player), index(bit >> _SIX)] |= _ONE << (bit & _63)


@kernel
def all_points(game, word):
    """Return one word of the bit set of all points of the board."""
    inside = point_count(game) - 64 * word
    return _ALL if inside >= 64 else _ALL >> _U(64 - inside)


@kernel
def empty_points(game, stones, word):
    """Return one word of the bit set of empty points."""
    return all_points(game, word) & ~(stones[index(0), index(word)] | stones[index(1), index(word)])


@kernel
def list_empty_points(game, stones, out):
    """Write the empty points in ascending order into ``out`` and return how many there are."""
    count = index(0)
    for word in range(word_count(game)):
        rest = empty_points(game, stones, word)
        while rest != _ZERO:
            out[count] = 64 * word + lowest_bit(rest)
            rest &= rest - _ONE
            count += index(1)
    return np.int64(count)


@kernel
def give_rest_to_second(game, stones):
    """Make player 1's bit set the points that player 0 does not hold, and zero behind them."""
    for word in range(stones.shape[1]):
        inside = word < word_count(game)
        stones[index(1), index(word)] = all_points(game, word) & ~stones[index(0), index(word)] if inside else _ZERO


@wrapping_kernel
def hash_stones(game, state):
    """Return 64 bits that depend on every stone and on the player to move."""
    value = _MIX_B + _U(state.to_move)
    for player in range(2):
        for word in range(word_count(game)):
            value = (value ^ state.stones[index(player), index(word)]) * _MIX_A
            value = (value ^ (value >> _32)) * _MIX_B
    return value ^ (value >> _32)


@kernel
def owners_of_points(game, state, out):
    """Write who holds each point: 0, 1, or -1."""
    for point in range(point_count(game)):
        out[index(point)] = NOBODY
        for player in range(2):
            if holds(state.stones, player, point):
                out[index(point)] = player


# ------------------------------------------------------------------------------------------------------------ chains


@kernel
def chain_root(links, point):
    """Return the stone that stands for the chain of a stone, shortening the way to it by halves."""
    while True:
        parent = np.int64(links[index(point)])
        if parent >= ROOT:
            return point
        grandparent = np.int64(links[index(parent)])
        if grandparent >= ROOT:
            return parent
        links[index(point)] = grandparent
        point = grandparent


@kernel
def place(game, state, player, point):
    """Put a stone on an empty point, join it with the chains around, return the sides that its chain now touches."""
    links = state.links
    sides = sides_at(game, player, point)
    root = point
    for direction in range(DIRECTIONS):
        other = neighbour(game, point, direction)
        if other >= 0 and holds(state.stones, player, other):
            chain = chain_root(links, other)
            if chain != root:
                sides |= np.int64(links[index(chain)]) & SIDES
                if root == point:
                    root = chain
                else:
                    links[index(chain)] = root
    links[index(point)] = root
    links[index(root)] = ROOT | sides
    add_stone(state.stones, player, point)
    state.placed += 1
    return sides


@kernel
def move_to(game, state, point):
    """Play a stone of the player to move; who has a chain that touches all sides of the goal has won."""
    player = np.int64(state.to_move)
    if place(game, state, player, point) == goal(game):
        state.winner = player
    state.to_move = 1 - player


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


# ---------------------------------------------------------------------------------------------- playouts move by move


def _begin_playout(game, state, trace, begin):
    """Write the empty points into the trace, in the order that moves will change: point p is at place ``links[p]``.

    As in random filling, nobody asks who has won before the board is full, so the links are free for this. If the trace
    is too short for a full board, moves are played as in a game.
    """
    if state.winner >= 0 or len(trace) - begin < point_count(game) - state.placed:
        return
    count = list_empty_points(game, state.stones, trace[begin:])
    for place in range(begin, begin + count):
        state.links[index(trace[index(place)])] = place
    state.winner = FILLING


def _draw_move(game, state, rng, trace, end, scratch):
    if state.winner == FILLING:
        return np.int64(trace[index(end + below(rng, point_count(game) - np.int64(state.placed)))])
    return random_empty_point(game, state.stones, np.int64(state.placed), rng)


def _make_move(game, state, trace, end, move):
    """Play a stone; while filling, exchange it in the trace with the point that is at its place."""
    if state.winner != FILLING:
        rules.play(game, state, move)
        trace[index(end)] = move
        return
    other = trace[index(end)]
    place = state.links[index(move)]
    trace[index(place)] = other
    state.links[index(other)] = place
    trace[index(end)] = move
    add_stone(state.stones, state.to_move, move)
    state.to_move = 1 - state.to_move
    state.placed += 1
    if state.placed == point_count(game):
        state.winner = full_board_winner(game, state)


def _is_playout_move(game, state, move):
    inside = 0 <= move < point_count(game)
    return inside and state.winner < 0 and not (holds(state.stones, 0, move) or holds(state.stones, 1, move))


def _pattern_class(game, state, move):
    """Return the ring of a point as a number of six digits: 0 empty or off the board, 1 own, 2 the enemy's."""
    player = np.int64(state.to_move)
    ring = 0
    if move >= point_count(game):
        return ring
    for direction in range(DIRECTIONS):
        near = neighbour(game, move, direction)
        near = move if near < 0 else near  # an empty point, too, and no branch
        own, enemy = holds(state.stones, player, near), holds(state.stones, 1 - player, near)
        ring = 3 * ring + np.int64(own) + 2 * np.int64(enemy)
    return ring


def _nearby(game, state, move, out):
    """Every neighbour is written, and the next one over it if it is taken or off the board: what is free cannot be predicted."""
    count = 0
    if 0 <= move < point_count(game):
        for direction in range(DIRECTIONS):
            near = neighbour(game, move, direction)
            point = move if near < 0 else near
            taken = holds(state.stones, 0, point) | holds(state.stones, 1, point)
            out[index(count)] = 8 * point + direction
            count += np.int64((near >= 0) & (not taken))
    return count


# ------------------------------------------------------------------------------------------------------- shared rules


def _start(game, state):
    state.winner = NOBODY


def _to_move(game, state):
    return np.int64(state.to_move)


def _is_over(game, state):
    return state.winner >= 0


def _score(game, state):
    if state.winner < 0:
        return 0.0
    return 1.0 if state.winner == 0 else -1.0


def _is_legal(game, state, move):
    inside = 0 <= move < point_count(game)
    return inside and state.winner < 0 and not (holds(state.stones, 0, move) or holds(state.stones, 1, move))


def _legal_moves(game, state, moves):
    return 0 if state.winner >= 0 else list_empty_points(game, state.stones, moves)


def _random_move(game, state, rng, scratch):
    return random_empty_point(game, state.stones, np.int64(state.placed), rng)


def _random_playout(game, state, rng, trace, scratch):
    """Fill the board in random order, find the winner, return how many points were filled."""
    if state.winner >= 0:
        return 0
    if point_count(game) - state.placed > len(trace):
        return play_randomly(game, state, rng, trace, scratch)
    count = fill_randomly(game, state, rng, trace)
    state.winner = full_board_winner(game, state)
    return count


def share_rules(game_class: type) -> None:
    """Make the rules of placing stones those of a game; what it implements itself afterwards takes their place."""
    shared: dict[Any, Any] = {
        rules.start: _start,
        rules.to_move: _to_move,
        rules.is_over: _is_over,
        rules.score: _score,
        rules.is_legal: _is_legal,
        rules.legal_moves: _legal_moves,
        rules.play: move_to,
        rules.state_hash: hash_stones,
        rules.owners: owners_of_points,
        rules.random_move: _random_move,
        rules.random_playout: _random_playout,
        rules.is_playout_move: _is_playout_move,
        rules.begin_playout: _begin_playout,
        rules.draw_move: _draw_move,
        rules.make_move: _make_move,
        rules.pattern_class: _pattern_class,
        rules.nearby: _nearby,
    }
    for question, answer in shared.items():
        plain = getattr(answer, "py_func", answer)  # a kernel lends its Python function
        implements(question, game_class)(borrowing(plain))


# -------------------------------------------------------------------------------------------------------- for people


def set_up_stones(game: Game, state: Any, stones: dict[str, int], to_move: int) -> None:
    """Place stones by the names of their points on a starting state; nothing is placed if anything is wrong."""
    names = [name.lower() for name in game.layout().names]
    numbers = {name: number for number, name in enumerate(names)}
    placed: dict[int, int] = {}
    if to_move not in (0, 1):
        raise IllegalMove(f"the player to move must be 0 or 1, not {to_move!r}")
    for name, player in stones.items():
        point = numbers.get(str(name).strip().lower())
        if point is None:
            raise IllegalMove(f"no point '{name}' in {game}{nearest(str(name).lower(), names)}")
        if player not in (0, 1):
            raise IllegalMove(f"the stone on {name} must belong to player 0 or 1, not {player!r}")
        if point in placed:
            raise IllegalMove(f"point {names[point]} is given twice; give it once")
        placed[point] = int(player)
    for point, player in placed.items():
        if int(place(game, state, player, point)) == goal(game):
            state.winner = player
    state.to_move = to_move
