"""The features of Blokus Duo against a version by sets of squares."""

import numpy as np
import pytest

from montego.games import game, rules
from montego.games.blokus.features import COUNTS, FIRST_COUNT, PIECE, SIZE_BY_STAGE
from montego.games.blokus.pieces import ORIENTATION_OF as ORIENTATION, PASS, PIECE_OF, squares_of
from montego.rng import stream

DUO = game("blokus_duo")
BOARD = {(row, column) for row in range(14) for column in range(14)}


def edge_neighbours(square):
    row, column = square
    return {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)} & BOARD


def corner_neighbours(square):
    row, column = square
    return {(row + down, column + right) for down in (-1, 1) for right in (-1, 1)} & BOARD


def beside(squares):
    return set().union(*map(edge_neighbours, squares)) - squares


def corners(squares):
    return set().union(*map(corner_neighbours, squares)) - squares - beside(squares)


class Squares:
    """Who may go where, from the moves of a game alone."""

    def __init__(self, moves):
        placed = [(number % 2, set(squares_of(move))) for number, move in enumerate(moves) if move != PASS]
        self.pieces = len(placed)
        self.taken = [set(), set()]
        for player, squares in placed:
            self.taken[player] |= squares
        empty = BOARD - self.taken[0] - self.taken[1]
        self.open = [empty - beside(self.taken[player]) for player in range(2)]
        self.corners = [
            corners(self.taken[player]) & self.open[player] if self.taken[player] else {start} & self.open[player]
            for player, start in enumerate(((4, 4), (9, 9)))
        ]

    def local(self, player, moves):
        """Return the squares that the opponent's last two moves opened to him, if open to the player too."""
        other = 1 - player
        opened = set()
        for move in (moves[-1:] or [PASS])[0], (moves[-3:-2] or [PASS])[0]:
            if move != PASS:
                opened |= corners(set(squares_of(move))) & self.corners[other]
        near = set().union(*map(edge_neighbours, opened)) if opened else set()
        return (opened | near) & self.open[other] & self.open[player]


def naive_features(moves, move):
    """Return piece, size by stage and the counts of a move after some moves."""
    player, other = len(moves) % 2, 1 - len(moves) % 2
    board, covered = Squares(moves), set(squares_of(move))
    mine, his = board.corners[player], board.corners[other]
    local = board.local(player, moves)
    near_his = {square for square in covered - his if square in board.open[other] and edge_neighbours(square) & his}
    touched, reached = beside(covered), corners(covered)
    lost = BOARD - board.open[player]
    usable = [len(edge_neighbours(square) & board.open[player]) for square in reached & board.open[player]]
    counts = [
        len(covered & local) + len(covered & local & mine),
        len(covered & his),
        len(near_his),
        len(covered & mine),
        len(touched & board.taken[other]),
        len((touched & lost) - board.taken[other]),
        len(touched & mine),
        len((touched & board.open[player]) - mine),
        len(reached & board.taken[player]),
        len((reached & lost) - board.taken[player]),
        *(usable.count(number) for number in range(5)),
    ]
    stage = sum(board.pieces >= start for start in (4, 6, 10))
    counts = [min(count, most) for count, (_, most) in zip(counts, COUNTS, strict=True)]
    return [int(PIECE_OF[ORIENTATION[move]]) + 1, 5 * stage + len(covered), *counts]


@pytest.mark.both_modes
@pytest.mark.parametrize(("seed", "length"), [(1, 0), (2, 1), (3, 3), (4, 5), (5, 9), (6, 14), (7, 22), (8, 27)])
def test_features_are_those_of_a_naive_version(seed, length):
    position, rng, buffer = DUO.start(), stream(seed), DUO.new_moves()
    for _ in range(length):
        if not position.over:
            position.play(int(rules.random_move(DUO, position.state, rng, buffer)))
    moves = buffer[: rules.legal_moves(DUO, position.state, buffer)]
    values = np.full((len(moves), len(DUO.feature_columns())), 99, np.uint16)
    trace = np.array([-1, -1, *position.moves], np.int32)
    rules.write_features(DUO, DUO.feature_tables(), position.state, trace, len(trace), moves, values)
    for at in range(0, len(moves), 1 + len(moves) // 40):
        if moves[at] != PASS:
            assert values[at].tolist() == naive_features(position.moves, int(moves[at])), DUO.move_name(moves[at])


@pytest.mark.both_modes
def test_columns_hold_every_number_that_can_be_written():
    columns = DUO.feature_columns()
    assert len(columns) == FIRST_COUNT + len(COUNTS)
    assert len(columns[PIECE].features) == 22
    assert len(columns[SIZE_BY_STAGE].features) == 21
    values = np.zeros((1, len(columns)), np.uint16)
    state, trace = DUO.start().state, np.full(2, -1, np.int32)
    rules.write_features(DUO, DUO.feature_tables(), state, trace, 2, np.array([PASS], np.int32), values)
    assert not values.any(), "a pass has no feature"
