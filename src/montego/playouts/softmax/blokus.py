"""Softmax playouts of Blokus Duo with the moves of both players kept from turn to turn.

Squares are only ever lost to a player, and only an own piece opens new ones to go on from. So a player's list stays
right if, before each turn, the moves are struck out that need a lost square or a piece that is gone, and those are
added that cover a corner square won since the last turn. A new move that also covers an older corner square was in the
list before.

One number per player and bit of the board tells all that the sum over a move's squares must show: is one of them lost,
does one belong to an older corner, and how much local value do they have. The quick way knows the columns ``piece``,
``size by stage`` and ``local value``; with weights of any other feature every move is weighed anew. Pieces of a size
without weight at a stage of the game are not listed before that stage, unless nothing else can be placed.
"""

from typing import Any, NamedTuple

import numpy as np

from montego.games.blokus import BlokusDuo
from montego.games.blokus.board import (
    WORK,
    blocked,
    find_placements_of,
    neighbourhood,
    orientation_and_bit,
    place,
    placement,
)
from montego.games.blokus.features import (
    COLUMNS,
    COUNTS,
    COVERS_LOCAL,
    FIRST_COUNT,
    LOCAL,
    MOST_SQUARES,
    PIECE,
    SIZE_BY_STAGE,
    STAGES,
    STEP_ENDS,
    STEPS,
    FeatureTables,
    classify_squares,
    count_squares,
    find_local,
    has,
    stage_of,
)
from montego.games.blokus.pieces import (
    COLUMNS_OF,
    COVER_LIST_STARTS,
    COVER_LISTS,
    COVER_ORIENTATION,
    COVER_SHIFT,
    FIRST_ORIENTATION,
    FIRST_PLACEMENT,
    PASS,
    PIECE_OF,
    PIECES,
    PLACEMENTS,
    SIZE,
    SQUARES_OF,
    bit_of,
    squares_of,
)
from montego.games.features import Array
from montego.kernels import borrowing, implements, index, inlined, lowest_bit
from montego.playouts.softmax.keeping import (
    begin_keeping,
    draw_weighted,
    keep_move,
    keeper_for,
    write_weights,
)
from montego.rng import below, uniform

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_BITS = 256
_NOWHERE = 255  # a bit in the margin where nothing is ever noted: fills up the squares of smaller pieces
LOST = 1 << 16
OLD_CORNER = 1 << 8  # and below it the local value
PIECE_BITS = 16
_MOVE = (1 << PIECE_BITS) - 1
_SQUARE_BITS = np.array([bit_of(row, column) for row in range(SIZE) for column in range(SIZE)], np.int64)


def _squares() -> Array:
    squares = np.full((PLACEMENTS, MOST_SQUARES), _NOWHERE, np.uint8)
    for move in range(PLACEMENTS):
        bits = [bit_of(*square) for square in squares_of(move)]
        squares[move, : len(bits)] = bits
    return squares


PAIRS = (len(COUNTS) + 1) // 2

BOARD = np.dtype(
    (
        np.record,
        [
            ("square", np.int64, (2, _BITS)),  # LOST, OLD_CORNER and the local value, for each player
            ("old_corners", np.uint64, (2, 4)),  # the corner squares whose moves are in the list
            ("listed", np.int64, (2,)),  # the pieces whose moves are in the list
            ("count", np.int64, (2,)),  # the moves in the list
            ("total", np.float64),  # the weight of the list of the player to move
            ("strength", np.float64, (PIECES,)),  # of each piece at this stage
            ("local", np.uint64, (5,)),
        ],
    )
)


class PlacementKeeper(NamedTuple):
    """Weighs the moves of a position one by one like the plain keeper, with fewer steps: for the prior of a tree."""

    of_counts: Array  # PAIRS × 256: what the counts of two neighbouring groups multiply the weight by
    of_piece: Array  # the same for each piece
    of_size: Array  # stages × sizes: and for the size of a piece
    tables: FeatureTables
    weights: Array  # room for the weights


class BlokusKeeper(NamedTuple):
    """The moves of both players, and the weights of the player to move."""

    board: Any  # BOARD
    moves: Array  # 2 × PLACEMENTS: the lists, each entry a move with its piece in the bits from PIECE_BITS on
    sums: Array  # the weights of the list of the player to move, each with those before it
    squares: Array  # PLACEMENTS × 5: the bits that a placement covers
    of_local: Array  # what the local value multiplies the weight by
    work: Array  # one WORK
    knowledge: PlacementKeeper  # the other weights; all of them from scratch


@keeper_for.register(BlokusDuo)
def _keeper(game: BlokusDuo, strengths: Array) -> Any:
    knowledge = placement_keeper(game, strengths)
    others = [column for column in range(len(COLUMNS)) if column not in (PIECE, SIZE_BY_STAGE, LOCAL)]
    if (strengths[others] != 1.0).any():
        return knowledge
    return BlokusKeeper(
        np.zeros(1, BOARD)[0],
        np.zeros((2, PLACEMENTS), np.int32),
        np.zeros(PLACEMENTS),
        _squares(),
        strengths[LOCAL, np.minimum(np.arange(16), COUNTS[COVERS_LOCAL][1])],
        np.zeros(1, WORK),
        knowledge,
    )


def placement_keeper(game: BlokusDuo, strengths: Array) -> PlacementKeeper:
    """Return the keeper for weights of any features."""
    of_size = np.ones((STAGES, MOST_SQUARES + 1))
    of_size[:, 1:] = strengths[SIZE_BY_STAGE, 1 : STAGES * MOST_SQUARES + 1].reshape(STAGES, MOST_SQUARES)
    of_count = np.ones((2 * PAIRS, 16))
    for number, (_, most) in enumerate(COUNTS):
        of_count[number] = strengths[FIRST_COUNT + number, np.minimum(np.arange(16), most)]
    of_counts = (of_count[1::2, :, None] * of_count[::2, None, :]).reshape(PAIRS, 256)
    of_piece = strengths[PIECE, 1 : PIECES + 1].copy()
    return PlacementKeeper(of_counts, of_piece, of_size, game.feature_tables(), np.zeros(game.most_legal_moves()))


# ---------------------------------------------------------------------------------------------------- keeping the lists


@inlined
def noted(keeper, player, move):
    """Return the sum of what is noted of the squares of a move: at least LOST if it cannot be made any more."""
    note, squares, m, p = keeper.board.square, keeper.squares, index(move), index(player)
    first = note[p, squares[m, 0]] + note[p, squares[m, 1]] + note[p, squares[m, 2]]
    return first + note[p, squares[m, 3]] + note[p, squares[m, 4]]


@inlined
def append(keeper, player, move, piece, local):
    """Add a move to the end of a list, with its weight."""
    board = keeper.board
    count = board.count[index(player)]
    board.total += board.strength[index(piece)] * keeper.of_local[index(local)]
    keeper.moves[index(player), index(count)] = move | piece << PIECE_BITS
    keeper.sums[index(count)] = board.total
    board.count[index(player)] = count + 1


@borrowing
def strike_out(keeper, state, player):
    """Strike out the moves that cannot be made any more, and weigh the others."""
    board, moves, sums = keeper.board, keeper.moves, keeper.sums
    pieces = state.pieces[index(player)]
    kept, total = 0, 0.0
    for number in range(board.count[index(player)]):
        entry = np.int64(moves[index(player), index(number)])
        note = noted(keeper, player, entry & _MOVE)
        piece = entry >> PIECE_BITS
        stays = np.int64(note < LOST) & (pieces >> piece)  # no branch: the processor could not foresee it
        total += board.strength[index(piece)] * keeper.of_local[index(note & 15)] * (stays & 1)
        moves[index(player), index(kept)] = entry
        sums[index(kept)] = total
        kept += stays & 1
    board.count[index(player)] = kept
    board.total = total


@borrowing
def add_at_corner(keeper, state, player, corner, pieces):
    """Add the moves of some pieces that cover a corner square and none that was looked at before."""
    free = neighbourhood(state.free, player, corner)
    for at in range(COVER_LIST_STARTS[index(free)], COVER_LIST_STARTS[index(free + 1)]):
        cover = index(COVER_LISTS[index(at)])
        orientation = np.int64(COVER_ORIENTATION[cover])
        piece = PIECE_OF[index(orientation)]
        if not pieces >> piece & 1:
            continue
        bit = max(corner - np.int64(COVER_SHIFT[cover]), 0)  # at 0 it lies in the margin and does not fit
        if blocked(state, player, orientation, bit) == _ZERO:
            move = placement(orientation, bit)
            note = noted(keeper, player, move)
            if note < OLD_CORNER:
                append(keeper, player, move, piece, note)


@borrowing
def add_pieces(keeper, state, player, pieces):
    """Add all moves of pieces that were not listed before."""
    work = keeper.work[0]
    find_placements_of(state, player, pieces, work)
    for slot in range(work.found):
        orientation = work.orientation[index(slot)]
        piece = PIECE_OF[index(orientation)]
        columns = COLUMNS_OF[index(orientation)]
        first = FIRST_PLACEMENT[index(orientation)] - columns - 1
        for word in range(4):
            places = work.places[index(slot), index(word)]
            while places:
                bit = 64 * word + lowest_bit(places)
                places &= places - _ONE
                move = first + (bit >> 4) * columns + (bit & 15)
                append(keeper, player, move, piece, noted(keeper, player, move) & 15)
    keeper.board.listed[index(player)] |= pieces


@borrowing
def note_local(keeper, state, player, factor):
    """Note the local value of the local squares, 1 or 2 where the player has a corner; take it back with factor -1."""
    board = keeper.board
    for word in range(4):
        rest = board.local[index(word)]
        while rest:
            bit = 64 * word + lowest_bit(rest)
            rest &= rest - _ONE
            board.square[index(player), index(bit)] += factor * (1 + has(state.attach, player, bit))


@borrowing
def weigh_pieces(keeper, state, player):
    """Write the strength of each piece at this stage, and return the pieces left that have any."""
    strength, knowledge = keeper.board.strength, keeper.knowledge
    stage = stage_of(state)
    wanted = np.int64(0)
    for piece in range(PIECES):
        size = SQUARES_OF[index(FIRST_ORIENTATION[index(piece)])]
        strength[index(piece)] = knowledge.of_piece[index(piece)] * knowledge.of_size[index(stage), index(size)]
        wanted |= np.int64(strength[index(piece)] > 0.0) << piece
    return wanted & state.pieces[index(player)]


@borrowing
def refresh(keeper, state, player, trace, end):
    """Bring the list of a player and its weights up to date for the turn at ``end`` of a trace; return its length."""
    board = keeper.board
    wanted = weigh_pieces(keeper, state, player)
    local = find_local(state, player, trace, end, board.local)
    if local:
        note_local(keeper, state, player, 1)
    strike_out(keeper, state, player)
    listed = board.listed[index(player)] & state.pieces[index(player)]
    for word in range(4):
        corners = state.attach[index(player), index(word)] & ~board.old_corners[index(player), index(word)]
        board.old_corners[index(player), index(word)] |= corners
        while corners:
            corner = 64 * word + lowest_bit(corners)
            corners &= corners - _ONE
            if listed:
                add_at_corner(keeper, state, player, corner, listed)
            board.square[index(player), index(corner)] |= OLD_CORNER
    if wanted & ~listed:
        add_pieces(keeper, state, player, wanted & ~listed)
    unlisted = state.pieces[index(player)] & ~(listed | wanted)
    if unlisted and board.count[index(player)] == 0:
        add_pieces(keeper, state, player, unlisted)
    if local:
        note_local(keeper, state, player, -1)
    return board.count[index(player)]


@implements(begin_keeping, BlokusKeeper)
@borrowing
def _begin_keeping(keeper, game, state, trace, start):
    board = keeper.board
    for player in range(2):
        for square in range(SIZE * SIZE):
            bit = _SQUARE_BITS[index(square)]
            board.square[index(player), index(bit)] = LOST * (1 - has(state.free, player, bit))
        for word in range(4):
            board.old_corners[index(player), index(word)] = _ZERO
        board.listed[index(player)] = 0
        board.count[index(player)] = 0
    if not state.stuck[index(state.player)]:
        refresh(keeper, state, state.player, trace, start)


@implements(keep_move, BlokusKeeper)
@borrowing
def _keep_move(keeper, game, state, trace, end, move):
    trace[index(end)] = move
    player, other = state.player, 1 - state.player
    if move != PASS:
        orientation, bit = orientation_and_bit(move)
        place(state, player, orientation, bit)
        lose_squares(keeper.board, player, orientation, bit)
    state.player = other
    if not state.stuck[index(other)]:
        if refresh(keeper, state, other, trace, end + 1):
            return
        state.stuck[index(other)] = 1
    if not state.stuck[index(player)] and refresh(keeper, state, player, trace, end + 1) == 0:
        state.stuck[index(player)] = 1


@inlined
def lose_squares(board, player, orientation, bit):
    """Note that a piece came to lie: its squares are lost to both players, those beside it to its owner."""
    o = index(orientation)
    for step in range(STEP_ENDS[o, 0]):
        square = index(bit + STEPS[o, index(step)])
        board.square[0, square] |= LOST
        board.square[1, square] |= LOST
    for step in range(STEP_ENDS[o, 0], STEP_ENDS[o, 1]):
        board.square[index(player), index(bit + STEPS[o, index(step)])] |= LOST


# -------------------------------------------------------------------------------------------------------------- drawing


@implements(draw_weighted, BlokusKeeper)
@borrowing
def _draw_weighted(keeper, game, state, rng, trace, end, scratch):
    player, board, sums = state.player, keeper.board, keeper.sums
    if state.stuck[index(player)]:
        return np.int64(PASS)
    low, high = 0, board.count[index(player)] - 1
    if board.total == 0.0:
        return np.int64(keeper.moves[index(player), index(below(rng, high + 1))]) & _MOVE
    mark = uniform(rng) * board.total
    while low < high:
        middle = (low + high) >> 1
        if sums[index(middle)] > mark:
            high = middle
        else:
            low = middle + 1
    return np.int64(keeper.moves[index(player), index(low)]) & _MOVE


# -------------------------------------------------------------------------------------------------------- from scratch


@implements(write_weights, PlacementKeeper)
@borrowing
def _write_weights(keeper, game, state, trace, end, moves, weights):
    tables, of_counts = keeper.tables, keeper.of_counts
    find_local(state, state.player, trace, end, tables.local)
    classify_squares(tables, state, state.player)
    stage = stage_of(state)
    for number in range(len(moves)):
        move = np.int64(moves[index(number)])
        weight = 1.0
        if move != PASS:
            orientation, bit = orientation_and_bit(move)
            weight *= keeper.of_piece[index(PIECE_OF[index(orientation)])]
            weight *= keeper.of_size[index(stage), index(SQUARES_OF[index(orientation)])]
            counts = count_squares(tables, orientation, bit)
            for pair in range(PAIRS):
                weight *= of_counts[index(pair), index(counts >> 8 * pair & 255)]
        weights[index(number)] = weight


@implements(write_weights, BlokusKeeper)
@borrowing
def _write_kept_weights(keeper, game, state, trace, end, moves, weights):
    write_weights(keeper.knowledge, game, state, trace, end, moves, weights)
