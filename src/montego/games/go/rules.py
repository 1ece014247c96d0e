"""The rules of Go as kernels: legality, play, area score, and the sampler of playouts."""

from typing import Any

import numpy as np

from montego.games.go.board import (
    BLACK,
    EMPTY,
    OFF,
    PASS,
    WHITE,
    Noted,
    Unnoted,
    clear,
    play_noted_stone,
    put_handicap,
    stride_of,
)
from montego.games.go.features import write_playout_features
from montego.games.go.game import Go
from montego.games.go.hashes import position_hash
from montego.games.rules import (
    counts_as_first,
    final_owners,
    is_legal,
    is_over,
    is_playout_move,
    legal_moves,
    make_noted_move,
    nearby,
    owners,
    pattern_class,
    play,
    playout_moves,
    random_move,
    random_playout,
    score,
    search_moves,
    start,
    state_hash,
    to_move,
    write_features,
)
from montego.kernels import borrowing, implements, index, inlined, kernel
from montego.rng import below


@implements(start, Go)
def _start(game, state):
    clear(state, game.size, game.height)
    if game.handicap:
        put_handicap(state, game.size, game.height, game.handicap)


@implements(to_move, Go)
def _to_move(game, state):
    return state.turn - 1


@implements(is_over, Go)
def _is_over(game, state):
    return state.passes >= 2


# ------------------------------------------------------------------------------------------------------------- legality


@inlined
def breathes(state, point, colour):
    """Whether a stone on an empty point without empty neighbours would have a liberty: a friend's or by capture."""
    stride = stride_of(state)
    ways = 0
    for near in (point - stride, point - 1, point + 1, point + stride):
        in_atari = state.liberties[state.chain[index(near)]] == 1  # never off the board, as NO_CHAIN has no liberty
        ways += np.int64((state.colour[index(near)] == colour) != in_atari)
    return ways > 0


@kernel
def may_play(game, state, point):
    """Whether the player to move may put a stone on an empty point: not retaking a ko, no suicide unless allowed."""
    if state.neighbours[index(point)] & 15:
        return True
    return point != state.ko and (game.suicide or breathes(state, point, state.turn))


@implements(is_legal, Go)
def _is_legal(game, state, move):
    if state.passes >= 2:
        return False
    if move == PASS:
        return True
    return 0 < move < state.colour.shape[0] and state.colour[index(move)] == EMPTY and may_play(game, state, move)


@implements(legal_moves, Go)
def _legal_moves(game, state, moves):
    if state.passes >= 2:
        return 0
    moves[0] = PASS
    count = 1
    for place in range(state.empty_count):
        point = np.int64(state.empty[index(place)])
        if may_play(game, state, point):
            moves[index(count)] = point
            count += 1
    return count


@inlined
def play_or_pass(state, move, notes):
    """Play a move of the player to move and note what it changes."""
    state.old_ko = state.ko
    if move == PASS:
        state.passes += 1
        state.ko = 0
    else:
        state.passes = 0
        play_noted_stone(state, move, state.turn, notes)
    state.turn = BLACK + WHITE - state.turn


@implements(play, Go)
def _play(game, state, move):
    play_or_pass(state, move, Unnoted())


@implements(make_noted_move, Go)
@inlined
def _make_noted_move(game, state, trace, end, move, changes):
    changes.point_count = 0
    changes.liberty_count = 0
    play_or_pass(state, move, Noted(changes))
    trace[index(end)] = move


# ------------------------------------------------------------------------------------------------------------- playouts


def _eye_table() -> Any:
    """Return for each colour and the colours of four diagonal points, two bits each, whether they leave an eye."""
    diagonals = np.arange(256)[:, None] >> np.array([0, 2, 4, 6]) & 3
    edge = (diagonals == OFF).any(1)
    return np.array([(diagonals == BLACK + WHITE - colour).sum(1) + edge < 2 for colour in (EMPTY, BLACK, WHITE)])


_EYES = _eye_table()


@inlined
def is_eye(state, point, colour):
    """Whether an empty point, all four neighbours of which are the colour's or off the board, is a real-looking eye.

    The usual rule: fewer than two diagonal points are the enemy's; the edge of the board counts as one.
    """
    stride = stride_of(state)
    diagonals = np.int64(state.colour[index(point - stride - 1)])
    diagonals |= np.int64(state.colour[index(point - stride + 1)]) << 2
    diagonals |= np.int64(state.colour[index(point + stride - 1)]) << 4
    diagonals |= np.int64(state.colour[index(point + stride + 1)]) << 6
    return _EYES[index(colour), index(diagonals)]


@inlined
def sensible(state, point, colour):
    """Whether a playout may play an empty point: legal, no suicide, not filling an own eye."""
    counts = np.int64(state.neighbours[index(point)])
    if counts & 15:
        return True
    if (counts >> (4 * colour)) & 15 == 4 and is_eye(state, point, colour):
        return False
    return point != state.ko and breathes(state, point, colour)


@implements(playout_moves, Go)
def _playout_moves(game, state, moves):
    if state.passes >= 2:
        return 0
    count = 0
    for place in range(state.empty_count):
        point = np.int64(state.empty[index(place)])
        if sensible(state, point, state.turn):
            moves[index(count)] = point
            count += 1
    if count == 0:
        moves[0] = PASS
        count = 1
    return count


@implements(is_playout_move, Go)
@borrowing
def _is_playout_move(game, state, move):
    if state.passes >= 2 or move < 0 or move >= state.colour.shape[0]:
        return False
    if move != PASS:
        return state.colour[index(move)] == EMPTY and sensible(state, move, state.turn)
    for place in range(state.empty_count):
        if sensible(state, np.int64(state.empty[index(place)]), state.turn):
            return False
    return True


@implements(pattern_class, Go)
@borrowing
def _pattern_class(game, state, move):
    """Own stones beside the point (0–4), the enemy's (0–4), whether the move captures, whether it answers an atari.

    The edge is not part of it, as the move itself tells where the edge is.
    """
    if move == PASS:
        return 0
    stride = stride_of(state)
    in_atari = 0  # bit c: a chain of colour c beside the point is
    for near in (move - stride, move - 1, move + 1, move + stride):
        last_liberty = state.liberties[state.chain[index(near)]] == 1
        in_atari |= np.int64(last_liberty) << np.int64(state.colour[index(near)])
    counts = np.int64(state.neighbours[index(move)])
    empty, black, white = counts & 15, (counts >> 4) & 15, counts >> 8
    off = empty + black + white - 4  # counted for both colours
    own, enemy = (black - off, white - off) if state.turn == BLACK else (white - off, black - off)
    captures = (in_atari >> (BLACK + WHITE - state.turn)) & 1
    return ((own * 5 + enemy) * 2 + captures) * 2 + ((in_atari >> state.turn) & 1)


@implements(nearby, Go)
@borrowing
def _nearby(game, state, move, out):
    """Write the four points beside it, then the four diagonal ones.

    There is no branch, as the processor cannot predict which points are free: every point is written, and the next one
    over it if it is taken.
    """
    if move <= PASS:
        return 0
    stride = stride_of(state)
    steps = (-stride, -1, 1, stride, -stride - 1, -stride + 1, stride - 1, stride + 1)
    count = 0
    for direction, step in enumerate(steps):
        out[index(count)] = 8 * (move + step) + direction
        count += np.int64(state.colour[index(move + step)] == EMPTY)
    return count


@implements(write_features, Go)
@borrowing
def _write_features(game, tables, state, trace, end, moves, values):
    write_playout_features(tables, state, trace[index(end - 1)], trace[index(end - 2)], moves, values)


@implements(search_moves, Go)
def _search_moves(game, state, moves):
    """What playouts play, and the pass: in a seki it is the right move."""
    count = playout_moves(game, state, moves)
    if count > 0 and moves[index(count - 1)] != PASS:
        moves[index(count)] = PASS
        count += 1
    return count


@implements(counts_as_first, Go)
def _counts_as_first(game, move):
    return move != PASS


@inlined
def draw_point(state, rng, colour):
    """Draw empty points without replacement until one is sensible, which is exactly uniform; pass if none is.

    Points drawn in vain move to the end of the list of empty points, whose order means nothing.
    """
    left = state.empty_count
    while left > 0:
        place = below(rng, left)
        point = np.int64(state.empty[index(place)])
        if sensible(state, point, colour):
            return point
        left -= 1
        last = state.empty[index(left)]
        state.empty[index(place)] = last
        state.empty_place[last] = place
        state.empty[index(left)] = point
        state.empty_place[index(point)] = left
    return PASS


@implements(random_move, Go)
@borrowing
def _random_move(game, state, rng, scratch):
    return draw_point(state, rng, state.turn)


@implements(random_playout, Go)
@borrowing
def _random_playout(game, state, rng, trace, scratch):
    """Do what the default does in one piece of code, with the colour and the passes in registers."""
    colour, passes = state.turn, state.passes
    count = 0
    while count < len(trace) and passes < 2:
        point = draw_point(state, rng, colour)
        passes = passes + 1 if point == PASS else 0
        if point == PASS:
            state.ko = 0
        else:
            play_noted_stone(state, point, colour, Unnoted())
        trace[index(count)] = point
        colour = BLACK + WHITE - colour
        count += 1
    state.turn, state.passes = colour, passes
    return count


# ----------------------------------------------------------------------------------------------------------------- area


@kernel
def single_owner(counts):
    """Return 1 or -1 for an empty point with only Black's or only White's stones around it, by its neighbour counts."""
    return np.int64((counts >> 4) & 15 == 4) - np.int64((counts >> 8) & 15 == 4)


@implements(score, Go)
def _score(game, state):
    """Area: stones and empty regions that reach only one colour, White's komi taken off."""
    area = 0
    for point in range(state.colour.shape[0]):
        area += np.int64(state.colour[index(point)] == BLACK) - np.int64(state.colour[index(point)] == WHITE)
    wide = False
    for place in range(state.empty_count):
        counts = np.int64(state.neighbours[state.empty[index(place)]])
        if counts & 15:
            wide = True
        else:
            area += single_owner(counts)
    if wide:
        owner = np.zeros(state.colour.shape[0], np.int8)
        area += mark_regions(state, owner)
    return area - game.komi


@kernel
def mark_regions(state, owner):
    """Write who surrounds each empty region of two or more points, 1 or -1, and return the sum over its points."""
    stride = stride_of(state)
    region = np.zeros(state.empty_count, np.int64)
    seen = np.zeros(state.colour.shape[0], np.bool_)
    total = 0
    for place in range(state.empty_count):
        first = np.int64(state.empty[index(place)])
        if seen[first] or not state.neighbours[index(first)] & 15:
            continue
        seen[first] = True
        region[0] = first
        count, done = 1, 0
        reached = 0
        while done < count:
            point = region[done]
            done += 1
            for near in (point - stride, point - 1, point + 1, point + stride):
                colour = np.int64(state.colour[index(near)])
                if colour in (BLACK, WHITE):
                    reached |= colour
                elif colour == EMPTY and not seen[index(near)]:
                    seen[index(near)] = True
                    region[count] = near
                    count += 1
        value = 1 if reached == BLACK else -1 if reached == WHITE else 0
        for done in range(count):
            owner[region[done]] = value
        total += value * count
    return total


@implements(owners, Go)
def _owners(game, state, out):
    stride = stride_of(state)
    for row in range(game.height):
        for column in range(game.size):
            colour = np.int64(state.colour[(row + 1) * stride + column + 1])
            out[row * game.size + column] = colour - 1


@implements(final_owners, Go)
def _final_owners(game, state, out):
    """Stones and the empty regions that one colour surrounds."""
    stride = stride_of(state)
    region_owner = np.zeros(state.colour.shape[0], np.int8)
    mark_regions(state, region_owner)
    for row in range(game.height):
        for column in range(game.size):
            point = (row + 1) * stride + column + 1
            colour = np.int64(state.colour[point])
            if colour == EMPTY:
                value = np.int64(region_owner[point])
                if not state.neighbours[point] & 15:
                    value = single_owner(np.int64(state.neighbours[point]))
                colour = BLACK if value > 0 else WHITE if value < 0 else EMPTY
            out[row * game.size + column] = colour - 1


@implements(state_hash, Go)
def _state_hash(game, state):
    return position_hash(state)
