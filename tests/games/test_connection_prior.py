"""The features of Hex and Y for the prior of a tree, and the points that need not be played."""

from functools import cache

import numpy as np
import pytest

from montego.games import game
from montego.games.rules import play
from montego.games.tools.connection.board import full_board_winner, sides_at
from montego.games.tools.connection.features import RING_CODES, RING_NUMBERS
from montego.games.tools.connection.inferior import dead_rings, inferior_rings, leave_out
from montego.games.tools.connection.prior_features import (
    COLUMNS,
    PLACES,
    SHAPE,
    inferior_numbers,
    least_codes,
    look_at_board,
    prior_columns,
    prior_tables,
    write_codes,
    write_prior_features,
)

RING_STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
EMPTY, OWN, ENEMY, EDGE = range(4)


def codes_of(board, state, moves, tables=None):
    tables = tables or prior_tables(board, np.zeros(0, np.uint64))
    values = np.zeros((len(moves), 2), np.uint16)
    write_codes(board, tables, state, np.array(moves, np.int32), values)
    return values[:, 0].astype(np.int64) | values[:, 1].astype(np.int64) << 12


def numbers_of(board, shapes, state, trace, moves):
    tables = prior_tables(board, shapes)
    values = np.zeros((len(moves), COLUMNS), np.uint16)
    write_prior_features(board, tables, state, np.array(trace, np.int32), 2, np.array(moves, np.int32), values)
    return values


def naive_code(stones, size, cell):
    """Return the code of the twelve places around a cell of Hex for the player who connects top and bottom."""

    def what(row, column):
        if not 0 <= row < size:
            return OWN
        if not 0 <= column < size:
            return ENEMY
        return {None: EMPTY, 0: OWN, 1: ENEMY}[stones.get((row, column))]

    around = [(cell[0] + up, cell[1] + right) for up, right in RING_STEPS]
    digits = [what(*place) for place in around]
    for k in range(6):
        row, column = (around[k][i] + around[(k + 1) % 6][i] - cell[i] for i in range(2))
        beside = {what(*around[j]) for j in (k, (k + 1) % 6) if not all(0 <= x < size for x in around[j])}
        digits.append(EDGE if len(beside) > 1 else beside.pop() if beside else what(row, column))
    return sum(digit << (2 * place) for place, digit in enumerate(digits))


@pytest.mark.both_modes
def test_codes_are_those_of_the_coordinates_for_both_players():
    """Blue sees the board with rows and columns exchanged."""
    board, chance = game("hex(size=5)"), np.random.default_rng(1)
    for stones in (0, 5, 10, 14):
        state = board.start().state
        order = chance.permutation(25).tolist()
        for move in order[:stones]:
            play(board, state, move)
        if state.winner >= 0:
            continue
        player = stones % 2
        placed = {divmod(move, 5)[:: 1 - 2 * player]: (k + player) % 2 for k, move in enumerate(order[:stones])}
        codes = codes_of(board, state, order[stones:])
        for move, code in zip(order[stones:], codes.tolist(), strict=True):
            if move in (4, 20) and player == 1:
                continue  # the place beyond both edges counts as Red's for both
            assert code == naive_code(placed, 5, divmod(move, 5)[:: 1 - 2 * player])


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["hex(size=5)", "y(size=5)", "y(board=bent)"])
def test_numbers_do_not_depend_on_the_symmetries_of_the_board(spec):
    board, chance = game(spec), np.random.default_rng(2)
    points = len(board.layout().names)
    order = chance.permutation(points).tolist()
    for symmetry in board.point_symmetries()[:3]:
        results = []
        for moves in (order, [symmetry[point] for point in order]):
            state = board.start().state
            for move in moves[:6]:
                play(board, state, move)
            shapes = np.unique(least_codes(board, codes_of(board, state, moves[6:12]))).astype(np.uint64)
            results.append(numbers_of(board, shapes, state, moves[4:6], moves[6:]))
            limits = [len(column.features) for column in prior_columns(board, shapes)]
            assert (results[-1] < limits).all()
            assert (results[-1][:6, SHAPE] <= len(shapes)).all()
        if spec != "y(board=bent)":  # where three points lack a neighbour, the gap has no fixed place
            np.testing.assert_array_equal(results[0], results[1])


@pytest.mark.both_modes
def test_an_unknown_shape_has_the_number_of_its_ring():
    board = game("hex(size=4)")
    state = board.start().state
    play(board, state, 5)
    codes = codes_of(board, state, [6, 9, 15])
    numbers = numbers_of(board, np.zeros(0, np.uint64), state, [-1, 5], [6, 9, 15])
    np.testing.assert_array_equal(numbers[:, SHAPE], RING_NUMBERS[codes % RING_CODES])
    known = least_codes(board, codes[:1]).astype(np.uint64)
    numbers = numbers_of(board, known, state, [-1, 5], [6, 9, 15])
    assert numbers[0, SHAPE] == 1
    np.testing.assert_array_equal(numbers[1:, SHAPE], RING_NUMBERS[codes[1:] % RING_CODES] + 1)


# -------------------------------------------------------------------------------------------------------------- proofs


@pytest.mark.compiled
@pytest.mark.parametrize("spec", ["hex(size=4)", "y(size=5)"])
def test_the_colour_of_a_dead_point_never_matters(spec):
    """Every full board: turning a dead stone over leaves the winner."""
    board = game(spec)
    points = len(board.layout().names)
    state = board.new_state()
    winners = np.zeros(2**points, np.int8)
    everything = 2**points - 1
    for stones in range(2**points):
        state.stones[0, 0], state.stones[1, 0] = stones, everything ^ stones
        winners[stones] = full_board_winner(board, state)
    full = np.arange(2**points)
    rings = board.feature_tables().rings
    cases = 0
    for point in range(points):
        digits = [ring_digits(full, int(place)) for place in rings[point]]
        codes = sum(digit << (2 * place) for place, digit in enumerate(digits))
        dead = full[dead_rings()[codes]]
        cases += len(dead)
        np.testing.assert_array_equal(winners[dead], winners[dead ^ (1 << point)])
    assert cases > 1000


@pytest.mark.both_modes
def test_a_dead_ring_stays_dead_however_it_is_filled():
    for code in np.flatnonzero(dead_rings()).tolist():
        for place in range(6):
            if code >> 2 * place & 3 == EMPTY:
                assert dead_rings()[code | OWN << 2 * place]
                assert dead_rings()[code | ENEMY << 2 * place]
    assert not dead_rings()[0]
    assert dead_rings()[OWN * 0b01010101]  # four in a row


def ring_digits(full, place):
    """Return what player 0 sees on a place of a ring on many full boards."""
    if place >= 0:
        return np.where(full >> place & 1, OWN, ENEMY)
    return np.full(len(full), {-2: OWN, -3: ENEMY, -4: EDGE}[place])


class Solver:
    """Who wins small boards with best play, by looking at everything; sets of points are bits."""

    def __init__(self, board):
        self.points = len(board.layout().names)
        self.rings = [[q for q in ring if q >= 0] for ring in board.feature_tables().rings.tolist()]
        self.sides = [[int(sides_at(board, player, p)) for p in range(self.points)] for player in range(2)]
        self.every = [int(np.bitwise_or.reduce(sides)) for sides in self.sides]
        self.winner, self.can_win = cache(self._winner), cache(self._can_win)

    def _winner(self, first, second):
        """Return who has connected, or None."""
        for player, stones in enumerate((first, second)):
            seen = 0
            for start in range(self.points):
                border, touched = [start] if stones >> start & ~(seen >> start) & 1 else [], 0
                while border:
                    point = border.pop()
                    if not seen >> point & 1:
                        seen |= 1 << point
                        touched |= self.sides[player][point]
                        border += [q for q in self.rings[point] if stones >> q & 1]
                if touched == self.every[player]:
                    return player
        return None

    def _can_win(self, first, second, player):
        decided = self.winner(first, second)
        if decided is not None:
            return decided == player
        return any(self.wins(first, second, player, p) for p in self.empty(first, second))

    def empty(self, first, second):
        return [p for p in range(self.points) if not (first | second) >> p & 1]

    def wins(self, first, second, player, point):
        after = (first | 1 << point, second) if player == 0 else (first, second | 1 << point)
        return not self.can_win(*after, 1 - player)


def positions_of(board, solver):
    """Yield undecided positions: all of Hex 3×3, or some with seven empty points."""
    if solver.points == 9:
        yield from ((a, b) for a in range(512) for b in range(512) if not a & b and solver.winner(a, b) is None)
        return
    chance = np.random.default_rng(3)
    for _ in range(60 if solver.points < 64 else 240):  # a large board is mostly decided
        colours = chance.integers(0, 2, solver.points)
        colours[chance.permutation(solver.points)[:7]] = 2
        first, second = (sum(1 << p for p in np.flatnonzero(colours == k).tolist()) for k in range(2))
        if solver.winner(first, second) is None:
            yield first, second


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("spec", "captured", "least_out", "least_filled"),
    [
        ("hex(size=3)", False, 1000, 0),
        ("hex(size=3)", True, 1000, 500),
        ("hex(size=4)", True, 200, 100),
        ("hex(size=5)", True, 50, 20),
        ("y(size=6)", True, 50, 10),
        ('y(board="bent")', False, 50, 0),
        ('y(board="bent")', True, 50, 10),
    ],
)
def test_nobody_loses_a_win_by_leaving_points_out_or_filling_them_in(spec, captured, least_out, least_filled):
    """Either player to move: a win is kept among the moves left, and the filled board has the same winner."""
    board = game(spec)
    solver, tables, state = Solver(board), prior_tables(board, np.zeros(0, np.uint64)), board.new_state()
    left_out, filled_in = 0, 0
    for first, second in positions_of(board, solver):
        for player in range(2):
            for side, points in enumerate((first, second)):
                state.stones[side, :2] = points % 2**64, points >> 64
            state.to_move = player
            empty = solver.empty(first, second)
            weights = np.ones(len(empty))
            look_at_board(board, tables, state)
            if captured:
                leave_out(tables, player, solver.points, np.array(empty, np.int32), weights)
            else:
                codes = codes_of(board, state, empty, tables) % RING_CODES
                weights[inferior_rings()[codes]] = 0
                tables.filled[:] = 0
            kept = [p for p, weight in zip(empty, weights, strict=True) if weight > 0]
            left_out += len(empty) - len(kept)
            can_win = solver.can_win(first, second, player)
            if kept and can_win:  # without any left, a search tries all
                assert any(solver.wins(first, second, player, p) for p in kept)
            stones = [first, second]
            for point in empty:
                if tables.filled[point] != EMPTY:
                    stones[player if tables.filled[point] == OWN else 1 - player] |= 1 << point
            filled_in += stones != [first, second]
            assert solver.can_win(*stones, player) == can_win
    assert left_out > least_out
    assert filled_in >= least_filled


@pytest.mark.both_modes
def test_the_two_points_between_a_stone_on_the_second_row_and_its_edge_are_captured():
    board, stone = game("hex(size=5)"), 17
    state = board.start().state
    play(board, state, stone)  # Red's, whose sides are above and below
    tables = prior_tables(board, np.zeros(0, np.uint64))
    moves = np.array([p for p in range(25) if p != stone], np.int32)
    below = [point for point in board.feature_tables().rings[stone].tolist() if point >= 20]
    assert len(below) == 2
    for player, whose in ((1, ENEMY), (0, OWN)):
        state.to_move = player
        weights = np.ones(len(moves))
        look_at_board(board, tables, state)
        leave_out(tables, player, 25, moves, weights)
        for point in below:
            assert tables.filled[point] == whose
            assert weights[moves.tolist().index(point)] == 0
    inferior = inferior_rings()[codes_of(board, state, below) % RING_CODES]
    assert not inferior.any()  # for Red, without knowing that they are his


@pytest.mark.both_modes
def test_numbers_of_inferior_shapes_are_those_of_inferior_rings():
    shapes = np.array([code for code in (0, 5, 0b010101010101, 1 << 14) if code < 4**PLACES], np.uint64)
    numbers = set(inferior_numbers(shapes).tolist())
    for number, shape in enumerate(shapes.tolist(), 1):
        assert (number in numbers) == inferior_rings()[shape % RING_CODES]
    for code in range(RING_CODES):
        assert (len(shapes) + RING_NUMBERS[code] in numbers) == inferior_rings()[code]
