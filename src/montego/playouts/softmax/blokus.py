"""Softmax playouts of Blokus Duo: the moves are weighed where they stand on the board, not one by one.

``games/blokus/board.py`` finds all places of an orientation as bits. The columns ``piece`` and ``size by stage`` weigh
all of them alike, so an orientation's weight is that of one place times their number, except for the places that touch
a *local* square, which are few and are weighed one by one. A draw chooses an orientation by these sums, and then one of
its places. Nothing is kept from turn to turn, so that a turn in which another policy knows a move costs nothing here.

With weights of any other feature every move is weighed by itself (``PlacementKeeper``), as for the prior of a tree.
"""

from typing import Any, NamedTuple

import numpy as np

from montego.games.blokus import BlokusDuo
from montego.games.blokus.board import (
    WORK,
    find_in_orientation,
    find_placements,
    nth_bit,
    nth_placement,
    orientation_and_bit,
    placement,
    shift_boards,
    shifts_of,
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
    STEPS,
    FeatureTables,
    classify_squares,
    count_squares,
    find_local,
    has,
    stage_of,
)
from montego.games.blokus.pieces import (
    FIRST_ORIENTATION,
    ORIENTATIONS,
    PASS,
    PIECE_OF,
    PIECES,
    SHIFTS,
    SQUARES_OF,
)
from montego.games.features import Array
from montego.kernels import any_of_five, borrowing, implements, index, inlined, lowest_bit
from montego.playouts.softmax.keeping import draw_weighted, keeper_for, write_weights
from montego.rng import below, uniform

_U = np.uint64
_ZERO, _ONE, _63 = np.uint64(0), np.uint64(1), np.uint64(63)
_BITS = 256
_NOWHERE = -1

# From the bit of an orientation to the five squares it covers; a smaller piece covers some in the half without value.
_STEPS = np.where(np.arange(MOST_SQUARES) < SQUARES_OF[:, np.newaxis], STEPS[:, :MOST_SQUARES], _BITS)

PAIRS = (len(COUNTS) + 1) // 2
assert PAIRS == 8, "of_counted multiplies eight factors"

DESK = np.dtype(
    (
        np.record,
        [
            ("strength", np.float64, (PIECES,)),  # of each piece at this stage
            ("sums", np.float64, (ORIENTATIONS,)),  # the weight of each orientation found and of those before it
            ("local", np.uint64, (5,)),  # the local squares; the fifth word stays zero
            ("shifted", np.uint64, (len(SHIFTS) * 4,)),  # the local squares shifted by ``SHIFTS``
            ("value", np.int64, (2 * _BITS,)),  # the local value of each square; the second half stays zero
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
    """Draws by orientation and place."""

    desk: Any  # DESK
    work: Array  # one WORK
    of_local: Array  # what the local value multiplies the weight by
    knowledge: PlacementKeeper  # the other weights; all of them, move by move


@keeper_for.register(BlokusDuo)
def _keeper(game: BlokusDuo, strengths: Array) -> Any:
    knowledge = placement_keeper(game, strengths)
    others = [column for column in range(len(COLUMNS)) if column not in (PIECE, SIZE_BY_STAGE, LOCAL)]
    if (strengths[others] != 1.0).any():
        return knowledge
    of_local = strengths[LOCAL, np.minimum(np.arange(16), COUNTS[COVERS_LOCAL][1])]
    return BlokusKeeper(np.zeros(1, DESK)[0], np.zeros(1, WORK), of_local, knowledge)


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


# -------------------------------------------------------------------------------------------------------- local squares


@borrowing
def note_local(desk, state, player):
    """Shift the local squares as boards are, and note their values: 1, or 2 where the player has a corner."""
    for number in range(len(SHIFTS)):
        word, shift = index(SHIFTS[index(number)] >> 6), _U(SHIFTS[index(number)] & 63)
        for at in range(4):
            low = desk.local[index(at) + word]
            high = desk.local[index(at + 1)] if word == 0 else _ZERO
            desk.shifted[index(4 * number + at)] = (low >> shift) | ((high << _ONE) << (_63 - shift))
    for word in range(4):
        rest = desk.local[index(word)]
        while rest:
            bit = 64 * word + lowest_bit(rest)
            rest &= rest - _ONE
            desk.value[index(bit)] = 1 + has(state.attach, player, bit)


@inlined
def forget_local(desk):
    """Set the local values of all squares back to zero."""
    for word in range(4):
        rest = desk.local[index(word)]
        while rest:
            desk.value[index(64 * word + lowest_bit(rest))] = 0
            rest &= rest - _ONE


@inlined
def near_local(desk, orientation, places):
    """Return, as four words, those places of an orientation where it covers a local square."""
    a, b, c, d, e = shifts_of(orientation)
    half = _ONE  # boards of the working memory have eight words for each shift, the local squares four
    near_0, near_1, near_2, near_3 = any_of_five(desk.shifted, a >> half, b >> half, c >> half, d >> half, e >> half)
    return near_0 & places[0], near_1 & places[1], near_2 & places[2], near_3 & places[3]


# ------------------------------------------------------------------------------------------------------------- weighing


@borrowing
def weigh_pieces(keeper, state, player):
    """Write the strength of each piece at this stage, and return the pieces left that have any."""
    strength, knowledge = keeper.desk.strength, keeper.knowledge
    stage = stage_of(state)
    wanted = np.int64(0)
    for piece in range(PIECES):
        size = SQUARES_OF[index(FIRST_ORIENTATION[index(piece)])]
        strength[index(piece)] = knowledge.of_piece[index(piece)] * knowledge.of_size[index(stage), index(size)]
        wanted |= np.int64(strength[index(piece)] > 0.0) << piece
    return wanted & state.pieces[index(player)]


@borrowing
def weigh_near(keeper, orientation, near, mark):
    """Add up what their local values multiply some places of an orientation by; return the sum and their number.

    Returns as well the place at which the sum passes ``mark``, or ``_NOWHERE``.
    """
    value, of_local, o = keeper.desk.value, keeper.of_local, index(orientation)
    a, b, c, d, e = _STEPS[o, 0], _STEPS[o, 1], _STEPS[o, 2], _STEPS[o, 3], _STEPS[o, 4]
    total, count, found = 0.0, 0, _NOWHERE
    for word in range(4):
        rest = near[word]
        while rest:
            bit = 64 * word + lowest_bit(rest)
            rest &= rest - _ONE
            local = value[index(bit + a)] + value[index(bit + b)] + value[index(bit + c)]
            total += of_local[index(local + value[index(bit + d)] + value[index(bit + e)])]
            count += 1
            if total > mark and found == _NOWHERE:
                found = bit
    return total, count, found


@borrowing
def weigh_orientations(keeper, state, player, pieces, is_local):
    """Find the places of some pieces of a player, add up their weights by orientation, and return the whole weight."""
    desk, work, of_local = keeper.desk, keeper.work[0], keeper.of_local
    shift_boards(state, player, work)
    found, total = 0, 0.0
    for piece in range(PIECES):
        if not pieces >> piece & 1:
            continue
        for orientation in range(FIRST_ORIENTATION[index(piece)], FIRST_ORIENTATION[index(piece + 1)]):
            places = work.places[index(found)]
            count = find_in_orientation(work.shifted, orientation, places)
            if count == 0:
                continue
            weight = 0.0
            if is_local:
                near = near_local(desk, orientation, places)
                if (near[0] | near[1] | near[2] | near[3]) != _ZERO:
                    weight, of_near, _ = weigh_near(keeper, orientation, near, np.inf)
                    count -= of_near
            total += desk.strength[index(piece)] * (weight + count * of_local[0])
            desk.sums[index(found)] = total
            work.orientation[index(found)] = orientation
            work.count[index(found)] = count
            found += 1
    work.found = found
    return total


# -------------------------------------------------------------------------------------------------------------- drawing


@borrowing
def draw_place(keeper, slot, mark, is_local):
    """Return the bit at which the weights of an orientation's places, without that of its piece, pass a mark."""
    desk, work = keeper.desk, keeper.work[0]
    orientation, places = work.orientation[index(slot)], work.places[index(slot)]
    if is_local:
        near = near_local(desk, orientation, places)
        weight, _, found = weigh_near(keeper, orientation, near, mark)
        if found != _NOWHERE:
            return found
        if work.count[index(slot)] * keeper.of_local[0] == 0.0:  # the mark was rounded up to the sum
            return nth_bit(places, 0)
        mark -= weight
        for word in range(4):
            places[index(word)] ^= near[word]
    rank = np.int64(mark / keeper.of_local[0])
    return nth_bit(places, max(0, min(rank, work.count[index(slot)] - 1)))


@implements(draw_weighted, BlokusKeeper)
@borrowing
def _draw_weighted(keeper, game, state, rng, trace, end, scratch):
    player, desk, work = state.player, keeper.desk, keeper.work[0]
    if state.stuck[index(player)]:
        return np.int64(PASS)
    pieces = weigh_pieces(keeper, state, player)
    is_local = find_local(state, player, trace, end, desk.local)
    if is_local:
        note_local(desk, state, player)
    total = weigh_orientations(keeper, state, player, pieces, is_local)
    if total > 0.0:
        mark = uniform(rng) * total
        low, high = 0, work.found - 1
        while low < high:
            middle = (low + high) >> 1
            if desk.sums[index(middle)] > mark:
                high = middle
            else:
                low = middle + 1
        orientation = work.orientation[index(low)]
        before = desk.sums[index(low - 1)] if low > 0 else 0.0
        mark = (mark - before) / desk.strength[PIECE_OF[index(orientation)]]
        bit = draw_place(keeper, low, mark, is_local)
    else:
        orientation, bit = nth_placement(work, below(rng, find_placements(state, player, work)))
    if is_local:
        forget_local(desk)
    return np.int64(placement(orientation, bit))


# --------------------------------------------------------------------------------------------------------- move by move


@inlined
def of_counted(of_counts, counts):
    """Return the product of what the pairs of counts multiply a weight by: no factor waits for the one before."""
    first = of_counts[0, index(counts & 255)] * of_counts[1, index(counts >> 8 & 255)]
    second = of_counts[2, index(counts >> 16 & 255)] * of_counts[3, index(counts >> 24 & 255)]
    third = of_counts[4, index(counts >> 32 & 255)] * of_counts[5, index(counts >> 40 & 255)]
    fourth = of_counts[6, index(counts >> 48 & 255)] * of_counts[7, index(counts >> 56 & 255)]
    return (first * second) * (third * fourth)


@implements(write_weights, PlacementKeeper)
@borrowing
def _write_weights(keeper, game, state, trace, end, moves, weights):
    tables = keeper.tables
    find_local(state, state.player, trace, end, tables.local)
    classify_squares(tables, state, state.player)
    stage = stage_of(state)
    for number in range(len(moves)):
        move = np.int64(moves[index(number)])
        if move == PASS:
            weights[index(number)] = 1.0
            continue
        orientation, bit = orientation_and_bit(move)
        of_size = keeper.of_size[index(stage), index(SQUARES_OF[index(orientation)])]
        of_piece = keeper.of_piece[index(PIECE_OF[index(orientation)])] * of_size
        weights[index(number)] = of_piece * of_counted(keeper.of_counts, count_squares(tables, orientation, bit))


@implements(write_weights, BlokusKeeper)
@borrowing
def _write_kept_weights(keeper, game, state, trace, end, moves, weights):
    write_weights(keeper.knowledge, game, state, trace, end, moves, weights)
