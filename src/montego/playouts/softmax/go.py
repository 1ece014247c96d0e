"""Softmax playouts of Go with the weights of all points kept up to date from move to move.

The weight of a point is the γ of its 3×3 pattern, for each colour, times the γ of the previous-move features. The
first part changes only where something changed: the eight points around a stone that comes or goes, and the one liberty
of a chain that comes into atari or gets out of it. Its sums over the rows and over the board are kept with it. The
second part concerns a dozen points after each move; these are weighed apart, so that the sums never need to know the
last move.

Whether a point is suicide or an own eye shows in its pattern, so the table gives such points a weight of 0, and the
sums are those over the moves that a playout may make. Only the ko point is hidden for the time of a draw.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from montego.games.changes import new_changes
from montego.games.features import Array
from montego.games.go import Go
from montego.games.go.board import (
    BLACK,
    CAPACITIES,
    EMPTY,
    OFF,
    PASS,
    WHITE,
    capacity_of,
    clear,
    only_liberty,
    points_of,
    stride_of,
)
from montego.games.go.features import PATTERN, PREVIOUS_MOVE
from montego.games.go.patterns import CODES, PATTERNS, pattern_code, pattern_numbers
from montego.games.go.previous_move import CONTIGUOUS, FEATURE_SETS, add_answers, clear_room, room_fields
from montego.games.rules import begin_playout, make_noted_move, write_features
from montego.kernels import borrowing, implements, index, inlined
from montego.playouts.softmax.keeping import begin_keeping, draw_weighted, keep_move, keeper_for, write_weights
from montego.playouts.softmax.sums import TRIES, UNIT, exact, listed_point, point_at
from montego.rng import uniform


def _board_type(capacity: int) -> np.dtype[Any]:
    points = points_of(capacity)
    return np.dtype(
        (
            np.record,
            [
                ("total", np.float64, (2,)),  # of each colour
                ("row", np.float64, (capacity + 2, 2)),  # sums over the rows of the board, with its border
                ("weight", np.float64, (points, 2)),  # by pattern; 0 where nobody may play
                ("code", np.int32, (points,)),  # of the surroundings (``patterns.py``); right for empty points
                ("empty_code", np.int32, (points,)),  # on the empty board
                *room_fields(points),  # points with previous-move features other than CONTIGUOUS; none between moves
            ],
        )
    )


BOARDS = {capacity: _board_type(capacity) for capacity in CAPACITIES}


class GoKeeper(NamedTuple):
    """The weights of all points of a Go board."""

    board: Any  # one of BOARDS
    kinds: Array  # by code: which kind of surroundings it is (``kinds_of_codes``)
    pattern_weights: Array  # kinds × 2: what a point with such surroundings weighs for Black and for White
    set_weights: Array  # what a set of previous-move features multiplies it by
    changes: Any  # what the last move changed
    tables: Any  # of the game's features, for weights from scratch
    values: Array


@keeper_for.register(Go)
def _keeper(game: Go, strengths: Array) -> GoKeeper:
    board = np.zeros(1, BOARDS[capacity_of(game.size, game.height)])[0]
    empty = game.new_state()
    clear(empty, game.size, game.height)
    for point in game.point_numbers():
        board.empty_code[point] = pattern_code(empty, point)
    patterns, sets = strengths[PATTERN], strengths[PREVIOUS_MOVE, :FEATURE_SETS].copy()
    values = np.zeros((game.most_legal_moves(), len(strengths)), np.uint16)
    tables = game.feature_tables()
    return GoKeeper(board, kinds_of_codes()[0], kind_weights(patterns), sets, new_changes(game), tables, values)


def kind_weights(strengths: Array) -> Array:
    """Return what each kind of surroundings weighs for both colours, given the strengths of the patterns."""
    numbers = kinds_of_codes()[1]
    return np.where(numbers > 0, exact(strengths).astype(np.float64)[numbers], 0.0)


@lru_cache(maxsize=1)
def kinds_of_codes() -> tuple[Array, Array]:
    """Return the kind of each code, and the pattern number of each kind for Black and for White; 0 where none plays.

    Codes of one kind have the same numbers for both colours. There are few kinds, so that their weights stay in the
    nearest cache of the processor; a table of the weights of all codes would be four times as large as that of kinds.
    """
    codes = np.arange(CODES)
    black = np.where(_own_eyes(codes), 0, pattern_numbers()).astype(np.int64)
    both = black * (PATTERNS + 1) + black[swapped_codes(codes)]
    known = np.zeros((PATTERNS + 1) ** 2, np.int32)
    known[both] = 1
    known[0] = 1  # kind 0: neither plays
    pairs = np.flatnonzero(known)
    known[pairs] = np.arange(len(pairs))
    return known[both].astype(np.uint16), np.stack(np.divmod(pairs, PATTERNS + 1), axis=1)


def swapped_codes(codes: Array) -> Array:
    """Return codes with the colours exchanged, as ``patterns.swapped`` does for one."""
    return np.asarray((codes & 0xF0000) | ((codes & 0x5555) << 1) | ((codes >> 1) & 0x5555))


def _own_eyes(codes: Array) -> Array:
    """Return whether the point of each code is an eye of Black: ``rules.is_eye`` for one without other liberties."""
    colours = [(codes >> (2 * place)) & 3 for place in range(8)]
    closed = np.all([(colour == BLACK) | (colour == OFF) for colour in colours[:4]], axis=0)
    enemies = np.sum([colour == WHITE for colour in colours[4:]], axis=0)
    edge = np.any([colour == OFF for colour in colours[4:]], axis=0)
    return np.asarray(closed & (enemies + edge < 2))


# ------------------------------------------------------------------------------------------------------ following moves


@inlined
def weights_of(keeper, state, point):
    """Return what a point weighs for Black and for White, by its code.

    Without a branch on whether the point is empty, which the processor could not predict; others are of the kind 0, on
    which nobody may play.
    """
    empty = np.int64(state.colour[index(point)] == EMPTY)
    code = index(np.int64(keeper.board.code[index(point)]) & -empty)
    kind = index(np.int64(keeper.kinds[code]) & -empty)
    return keeper.pattern_weights[kind, 0], keeper.pattern_weights[kind, 1]


@inlined
def refresh(keeper, state, point):
    """Bring the weights of a point up to date; return how much both colours gained."""
    board = keeper.board
    black, white = weights_of(keeper, state, point)
    more_black = black - board.weight[index(point), 0]
    more_white = white - board.weight[index(point), 1]
    board.weight[index(point), 0] = black
    board.weight[index(point), 1] = white
    return more_black, more_white


@inlined
def refresh_alone(keeper, state, point):
    """Bring a point and the sums up to date."""
    board = keeper.board
    row = index(point // stride_of(state))
    black, white = refresh(keeper, state, point)
    board.row[row, 0] += black
    board.row[row, 1] += white
    board.total[0] += black
    board.total[1] += white


@inlined
def refresh_around(keeper, state, point):
    """Bring a point, the eight around it and the sums up to date."""
    board, stride = keeper.board, stride_of(state)
    row = point // stride
    all_black, all_white = 0.0, 0.0
    for step in (-1, 0, 1):
        near = point + step * stride
        black_west, white_west = refresh(keeper, state, near - 1)
        black, white = refresh(keeper, state, near)
        black_east, white_east = refresh(keeper, state, near + 1)
        black += black_west + black_east
        white += white_west + white_east
        board.row[index(row + step), 0] += black
        board.row[index(row + step), 1] += white
        all_black += black
        all_white += white
    board.total[0] += all_black
    board.total[1] += all_white


@inlined
def flip(board, state, point, colour):
    """Note in the codes of the eight points around it that a stone of a colour came to a point or went from it."""
    stride = stride_of(state)
    board.code[index(point - stride)] ^= colour << 6  # the point is south of its northern neighbour, and so on
    board.code[index(point - 1)] ^= colour << 4
    board.code[index(point + 1)] ^= colour << 2
    board.code[index(point + stride)] ^= colour
    board.code[index(point - stride - 1)] ^= colour << 14
    board.code[index(point - stride + 1)] ^= colour << 12
    board.code[index(point + stride - 1)] ^= colour << 10
    board.code[index(point + stride + 1)] ^= colour << 8


@inlined
def atari_bits(state, point):
    """Return which of the four stones beside a point are in atari, as the upper bits of a code."""
    stride = stride_of(state)
    bits = 0
    place = 16
    for near in (point - stride, point - 1, point + 1, point + stride):
        bits |= np.int64(state.liberties[state.chain[index(near)]] == 1) << place
        place += 1
    return bits


@inlined
def follow(keeper, state, move, colour):
    """Bring all weights up to date after a stone of a colour, by the list of what it changed."""
    board, changes = keeper.board, keeper.changes
    flip(board, state, move, colour)
    for place in range(1, changes.point_count):
        flip(board, state, np.int64(changes.points[index(place)]), BLACK + WHITE - colour)
    for place in range(1, changes.point_count):
        captured = np.int64(changes.points[index(place)])
        board.code[index(captured)] = pattern_code(state, captured)
    for place in range(changes.liberty_count):
        liberty = np.int64(changes.liberties[index(place)])
        board.code[index(liberty)] = (np.int64(board.code[index(liberty)]) & 0xFFFF) | atari_bits(state, liberty)
        refresh_alone(keeper, state, liberty)
    for place in range(changes.point_count):
        refresh_around(keeper, state, np.int64(changes.points[index(place)]))


@implements(begin_keeping, GoKeeper)
@borrowing
def _begin_keeping(keeper, game, state, trace, start):
    begin_playout(game, state, trace, start)
    board = keeper.board
    for point in range(board.code.shape[0]):
        board.code[index(point)] = board.empty_code[index(point)]
    for point in range(board.code.shape[0]):
        if (state.colour[index(point)] == BLACK) | (state.colour[index(point)] == WHITE):
            flip(board, state, point, np.int64(state.colour[index(point)]))
            chain = index(state.chain[index(point)])
            if state.liberties[chain] == 1:
                liberty = np.int64(only_liberty(state, chain))
                board.code[index(liberty)] = np.int64(board.code[index(liberty)]) | atari_bits(state, liberty)
    weigh_all(keeper, state)


@inlined
def weigh_all(keeper, state):
    """Set the weights of all points, and the sums, from the codes."""
    board, stride = keeper.board, stride_of(state)
    board.total[0] = board.total[1] = 0.0
    for row in range(board.row.shape[0]):
        row_black, row_white = 0.0, 0.0
        for point in range(row * stride, (row + 1) * stride):
            black, white = weights_of(keeper, state, point)
            board.weight[index(point), 0] = black
            board.weight[index(point), 1] = white
            row_black += black
            row_white += white
        board.row[index(row), 0] = row_black
        board.row[index(row), 1] = row_white
        board.total[0] += row_black
        board.total[1] += row_white


@implements(keep_move, GoKeeper)
@inlined
def _keep_move(keeper, game, state, trace, end, move):
    colour = state.turn
    make_noted_move(game, state, trace, end, move, keeper.changes)
    if move != PASS:
        follow(keeper, state, move, colour)


# -------------------------------------------------------------------------------------------------------------- drawing


@implements(draw_weighted, GoKeeper)
@inlined
def _draw_weighted(keeper, game, state, rng, trace, end, scratch):
    """Draw between the points around the last move, those that answer it otherwise, and all the others."""
    board, player = keeper.board, index(state.turn - BLACK)
    last, before_last = max(np.int64(trace[index(end - 1)]), PASS), max(np.int64(trace[index(end - 2)]), PASS)
    hidden = hide_ko(board, state, player)
    add_answers(state, last, before_last, board)
    near = weight_around(board, state, player, last)
    rest = board.total[player] - near
    answers = 0.0
    for place in range(board.count):
        point = index(board.points[index(place)])
        weight = board.weight[point, player]
        is_near = np.float64(is_around(state, last, np.int64(point)))
        near -= weight * is_near
        rest -= weight * (1.0 - is_near)
        answers += weight * keeper.set_weights[board.sets[point]]
    around = near * keeper.set_weights[CONTIGUOUS]
    mark = uniform(rng) * (around + answers + rest)
    if mark < around:
        move = point_around(board, state, player, last, mark / keeper.set_weights[CONTIGUOUS])
    elif mark < around + answers:
        move = listed_point(board, keeper.set_weights, player, mark - around)
    else:
        move = point_elsewhere(board, state, player, last, rng, rest)
    clear_room(board)
    if hidden > 0.0:
        board.weight[index(state.ko), player] = hidden
        board.row[index(state.ko // stride_of(state)), player] += hidden
        board.total[player] += hidden
    return move


@inlined
def hide_ko(board, state, player):
    """Give the point that may not be retaken a weight of 0 for the time of a draw; return the weight it had."""
    if state.ko == 0:
        return 0.0
    weight = board.weight[index(state.ko), player]
    board.weight[index(state.ko), player] = 0.0
    board.row[index(state.ko // stride_of(state)), player] -= weight
    board.total[player] -= weight
    return weight


@inlined
def weight_around(board, state, player, last):
    """Return the sum of the weights of the points around the last move; 0 after a pass."""
    stride = stride_of(state)
    total = 0.0
    if last != PASS:
        for row in (last - stride, last, last + stride):
            west, centre = board.weight[index(row - 1), player], board.weight[index(row), player]
            total += west + centre + board.weight[index(row + 1), player]
    return total


@inlined
def is_around(state, last, point):
    """Whether a point is the last move or one of the eight around it; nothing is around a pass."""
    stride = stride_of(state)
    away = point - last + stride + 1  # 0, 1, 2 in the row above, and so on
    return last != PASS and 0 <= away <= 2 * stride + 2 and away % stride <= 2


@borrowing
def point_around(board, state, player, last, mark):
    """Return the point around the last move, without other features, at which the sum of weights passes a mark.

    Without branches that the processor cannot predict: it counts the points before the one looked for.
    """
    stride = stride_of(state)
    total = 0.0
    before, heavy = 0, 0  # points whose sum is not above the mark; the last one that weighs something
    place = 0
    for row in (last - stride, last, last + stride):
        for point in (row - 1, row, row + 1):
            weight = board.weight[index(point), player] * np.float64(board.sets[index(point)] == 0)
            total += weight
            before += np.int64(total <= mark)
            heavy = place if weight > 0.0 else heavy
            place += 1
    chosen = min(before, heavy)  # a mark may be rounded up to the total
    return last + (chosen // 3 - 1) * stride + chosen % 3 - 1


@borrowing
def point_elsewhere(board, state, player, last, rng, rest):
    """Draw a point without previous-move features by its weight, or pass; ``rest`` is the sum of these weights.

    From the whole board, again if the point has such features; where most points have, better from the list.
    """
    if rest <= 0.0:
        return PASS
    for _ in range(TRIES):
        point = point_at(board, player, uniform(rng) * board.total[player], stride_of(state))
        is_free = board.sets[index(point)] == 0 and not is_around(state, last, point)
        if is_free and board.weight[index(point), player] > 0.0:
            return point
    mark = uniform(rng) * rest
    chosen = PASS
    for place in range(state.empty_count):
        point = np.int64(state.empty[index(place)])
        weight = board.weight[index(point), player]
        if weight > 0.0 and mark >= 0.0 and board.sets[index(point)] == 0 and not is_around(state, last, point):
            chosen = point
            mark -= weight
    return chosen


@implements(write_weights, GoKeeper)
@borrowing
def _write_weights(keeper, game, state, trace, end, moves, weights):
    """Write the weights of moves from scratch, for the tree; a pass weighs nothing unless it is the only move."""
    write_features(game, keeper.tables, state, trace, end, moves, keeper.values)
    for place in range(len(moves)):
        move = np.int64(moves[index(place)])
        code = pattern_code(state, move) if move != PASS else 0
        weight = np.float64(keeper.pattern_weights[keeper.kinds[index(code)], index(state.turn - BLACK)])
        weight *= keeper.set_weights[keeper.values[index(place), PREVIOUS_MOVE]]
        weights[index(place)] = weight if move != PASS else UNIT
