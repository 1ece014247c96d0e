"""Tic-tac-toe: three in a row on a 3×3 board. The template to copy for a game of your own.

Read it from top to bottom: the state, the class, then the rules as kernels. ``docs/adding-a-game.md`` walks through it.
"""

from typing import Any, NamedTuple

import numpy as np

from montego.games.game import Game
from montego.games.rules import is_legal, is_over, legal_moves, owners, play, score, start, state_hash, to_move
from montego.games.tools.layout import Layout, square_board
from montego.kernels import implements, index, kernel

# The nine squares are the bits of a number:   0 1 2
#                                              3 4 5
#                                              6 7 8
LINES = np.array([0b000000111, 0b000111000, 0b111000000,  # rows
                  0b001001001, 0b010010010, 0b100100100,  # columns
                  0b100010001, 0b001010100], np.int64)  # diagonals  # fmt: skip
FULL = 0b111111111

# A position: the squares of each player as a set of bits, and the number of moves made.
STATE = np.dtype((np.record, [("squares", np.int64, (2,)), ("moves", np.int64)]))


class _Rules(NamedTuple):
    """Tic-tac-toe has no parameters; a game that has some lists them here, as ``go/game.py`` does."""


class TicTacToe(_Rules, Game, name="tictactoe"):
    """Tic-tac-toe: three in a row on a 3×3 board wins."""

    players = ("X", "O")
    colours = ("#2f6fd9", "#e07b1a")

    def state_dtype(self) -> np.dtype[Any]:
        return STATE

    def move_limit(self) -> int:
        return 9

    def max_length(self) -> int:
        return 9

    def layout(self) -> Layout:
        return square_board(3, 3)

    def point_symmetries(self) -> list[list[int]]:
        return self.layout().symmetries()


@implements(start, TicTacToe)
def _start(game, state):
    state.squares[0] = 0
    state.squares[1] = 0
    state.moves = 0


@implements(to_move, TicTacToe)
def _to_move(game, state):
    return state.moves % 2


@kernel
def has_line(squares):
    """Whether a set of squares holds three in a row."""
    for line in LINES:
        if squares & line == line:
            return True
    return False


@implements(is_over, TicTacToe)
def _is_over(game, state):
    return state.moves == 9 or has_line(state.squares[0]) or has_line(state.squares[1])


@implements(is_legal, TicTacToe)
def _is_legal(game, state, move):
    taken = state.squares[0] | state.squares[1]
    return 0 <= move < 9 and not taken >> move & 1 and not is_over(game, state)


@implements(legal_moves, TicTacToe)
def _legal_moves(game, state, moves):
    count = 0
    for move in range(9):
        if is_legal(game, state, move):
            moves[index(count)] = move
            count += 1
    return count


@implements(play, TicTacToe)
def _play(game, state, move):
    state.squares[index(state.moves % 2)] |= 1 << move
    state.moves += 1


@implements(score, TicTacToe)
def _score(game, state):
    if has_line(state.squares[0]):
        return 1.0
    return -1.0 if has_line(state.squares[1]) else 0.0


@implements(state_hash, TicTacToe)
def _state_hash(game, state):
    return np.uint64(state.squares[0] | state.squares[1] << 9)


@implements(owners, TicTacToe)
def _owners(game, state, out):
    for square in range(9):
        for player in range(2):
            if state.squares[index(player)] >> square & 1:
                out[index(square)] = player
