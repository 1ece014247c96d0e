"""Gomoku in one file: five in a row. A complete game with an engine (GTP) and records (SGF).

Load it wherever Montego takes a game::

    montego play --load examples/gomoku.py --game "gomoku(size=9)"
    montego gtp --load examples/gomoku.py --game "gomoku(size=15)"
    montego check examples/gomoku.py
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.games import Dialect, Game, Layout, Shape, square_board
from montego.games.rules import is_legal, is_over, legal_moves, owners, play, score, start, state_hash, to_move
from montego.games.tools.dialect import RESIGN, board_size
from montego.kernels import implements, index, kernel
from montego.spec import Param

STATE = np.dtype((np.record, [("hash", np.uint64), ("moves", np.int64), ("won", np.bool_), ("cells", np.int8, (361,))]))
KEYS = np.random.SeedSequence(5).generate_state(2 * 361, np.uint64)


class GomokuDialect(Dialect):
    """Records as other programs write them: GM[4], the size as SZ, points as two letters from the top left."""

    gm, home = "4", "gomoku"

    def game(self, kind: Any, properties: Any, moves: Any) -> Any:
        return kind(size=board_size(properties, 15)[0])

    def rules(self, game: Any) -> dict[str, list[str]]:
        return {"SZ": [str(game.size)]}

    def move(self, game: Any, value: str) -> str:
        return RESIGN if value == RESIGN else f"{value[:1]}{game.size - ord(value[1:2] or 'a') + ord('a')}"

    def write_move(self, game: Any, name: str) -> str:
        return name if name == RESIGN else f"{name[0]}{chr(ord('a') + game.size - int(name[1:]))}"


class _Rules(NamedTuple):
    size: Annotated[int, Param("points a side", 1, 19)] = 15


class Gomoku(_Rules, Game, name="gomoku"):
    """Gomoku: five stones in a row win."""

    sgf = GomokuDialect()

    def state_dtype(self) -> np.dtype[Any]:
        return STATE

    def move_limit(self) -> int:
        return self.size**2

    def max_length(self) -> int:
        return self.size**2

    def layout(self) -> Layout:
        return square_board(self.size, self.size, Shape.POINT)

    def gtp_start(self) -> list[str]:
        return [f"boardsize {self.size}", "clear_board"]


@implements(start, Gomoku)
def _start(game, state):
    state.cells[:] = -1


@implements(to_move, Gomoku)
def _to_move(game, state):
    return state.moves % 2


@implements(is_over, Gomoku)
def _is_over(game, state):
    return state.won or state.moves == game.size**2


@implements(is_legal, Gomoku)
def _is_legal(game, state, move):
    return 0 <= move < game.size**2 and state.cells[index(move)] < 0 and not is_over(game, state)


@implements(legal_moves, Gomoku)
def _legal_moves(game, state, moves):
    count = 0
    for move in range(game.size**2):
        if is_legal(game, state, move):
            moves[index(count)] = move
            count += 1
    return count


@kernel
def run_length(game, state, move, row_step, column_step):
    """Return how many stones of the same player follow a stone in one direction."""
    row, column, count = move // game.size + row_step, move % game.size + column_step, 0
    while 0 <= row < game.size and 0 <= column < game.size:
        if state.cells[index(row * game.size + column)] != state.cells[index(move)]:
            break
        row, column, count = row + row_step, column + column_step, count + 1
    return count


@implements(play, Gomoku)
def _play(game, state, move):
    state.cells[index(move)] = state.moves % 2
    state.hash ^= KEYS[index(2 * move + state.moves % 2)]
    state.moves += 1
    for row_step, column_step in ((0, 1), (1, 0), (1, 1), (1, -1)):
        ahead = run_length(game, state, move, row_step, column_step)
        if ahead + run_length(game, state, move, -row_step, -column_step) >= 4:
            state.won = True


@implements(score, Gomoku)
def _score(game, state):
    if not state.won:
        return 0.0
    return 1.0 if state.moves % 2 else -1.0


@implements(state_hash, Gomoku)
def _state_hash(game, state):
    return state.hash  # the number of stones tells who is to move


@implements(owners, Gomoku)
def _owners(game, state, out):
    out[:] = state.cells[: game.size**2]
