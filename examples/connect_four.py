"""Connect Four in one file: a complete game for Montego, as fast as the built-in ones.

``docs/adding-a-game.md`` walks through it. Run it for a demonstration, or load it wherever Montego takes a game::

    python examples/connect_four.py
    montego bench playouts --load examples/connect_four.py --game "connect_four(width=8)"
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from montego.errors import SpecError
from montego.games import Column, Game, Layout, Position, Symmetry, rules, square_board
from montego.kernels import implements, index, kernel
from montego.spec import Param

# The cells are the bits of a number, column by column from the bottom; here with four rows:     3  8 13
# Each column has one bit more than the board has rows (4, 9, 14 ...). It stays 0, so that no    2  7 12
# line of four runs out of the top of one column into the bottom of the next.                    1  6 11
#                                                                                                0  5 10
STATE = np.dtype((np.record, [("stones", np.int64, (2,)), ("moves", np.int64), ("won", np.bool_)]))
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class _Rules(NamedTuple):
    width: Annotated[int, Param("columns", 1, 26)] = 7
    height: Annotated[int, Param("rows", 1, 26)] = 6


class ConnectFour(_Rules, Game, name="connect_four"):
    """Connect Four: stones drop to the bottom of a column, four in a row win."""

    players = ("Yellow", "Red")
    colours = ("#f2c230", "#c93a2b")

    @staticmethod
    def complete(values: dict[str, Any]) -> dict[str, Any]:
        if values["width"] * (values["height"] + 1) > 62:
            raise SpecError("connect_four: width * (height + 1) must be at most 62, as a board is one 64-bit number")
        return values

    def state_dtype(self) -> np.dtype[Any]:
        return STATE

    def move_limit(self) -> int:
        return self.width

    def max_length(self) -> int:
        return self.width * self.height

    def move_names(self) -> str:
        return LETTERS[: self.width]

    def last_points(self, position: Position) -> list[str]:
        if not position.moves:
            return []
        column = position.owners().reshape(self.height, self.width)[:, position.moves[-1]]
        return [f"{LETTERS[position.moves[-1]]}{(column >= 0).sum()}"]

    def why_illegal(self, position: Position, move: int) -> str:
        return "the column is full"

    def layout(self) -> Layout:
        return square_board(self.width, self.height, numbers=False)

    def point_symmetries(self) -> list[list[int]]:
        points = np.arange(self.width * self.height).reshape(self.height, self.width)
        return [points.ravel().tolist(), points[:, ::-1].ravel().tolist()]

    def image_of_move(self, move: int, symmetry: Symmetry) -> int:
        return symmetry.point(move)  # the points of the top row are the columns

    def feature_columns(self) -> tuple[Column, ...]:
        return (Column.of_bits(["makes four", "stops four", "gives four"]),)


@implements(rules.start, ConnectFour)
def _start(game, state):
    state.stones[:] = 0
    state.moves = 0
    state.won = False


@implements(rules.to_move, ConnectFour)
def _to_move(game, state):
    return state.moves % 2


@implements(rules.is_over, ConnectFour)
def _is_over(game, state):
    return state.won or state.moves == game.width * game.height


@kernel
def landing(game, state, move):
    """Return the cell that a stone falls to, as a bit."""
    taken = state.stones[0] | state.stones[1]
    bottom = 1 << move * (game.height + 1)
    column = bottom * ((1 << game.height) - 1)
    return taken + bottom & column & ~taken  # the carry runs up to the lowest empty cell


@implements(rules.is_legal, ConnectFour)
def _is_legal(game, state, move):
    return 0 <= move < game.width and landing(game, state, move) != 0 and not rules.is_over(game, state)


@implements(rules.legal_moves, ConnectFour)
def _legal_moves(game, state, moves):
    count = 0
    for move in range(game.width):
        if rules.is_legal(game, state, move):
            moves[index(count)] = move
            count += 1
    return count


@kernel
def has_four(stones, column_bits):
    """Whether a set of cells holds four in a row: shifted by one and by two steps, it still meets itself."""
    for step in (1, column_bits - 1, column_bits, column_bits + 1):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


@implements(rules.play, ConnectFour)
def _play(game, state, move):
    player = index(state.moves % 2)
    state.stones[player] |= landing(game, state, move)
    state.moves += 1
    state.won = has_four(state.stones[player], game.height + 1)


@implements(rules.move_features, ConnectFour)
def _move_features(game, tables, state, trace, end, move, values):
    own, enemy = state.stones[index(state.moves % 2)], state.stones[index((state.moves + 1) % 2)]
    cell, bits = landing(game, state, move), game.height + 1
    above = cell << 1 & ~(1 << move * bits + game.height)  # no cell if the column is full then
    values[0] = has_four(own | cell, bits) + 2 * has_four(enemy | cell, bits) + 4 * has_four(enemy | above, bits)


@implements(rules.score, ConnectFour)
def _score(game, state):
    if not state.won:
        return 0.0
    return 1.0 if state.moves % 2 else -1.0


@implements(rules.state_hash, ConnectFour)
def _state_hash(game, state):
    # Taken cells plus the bottom row set the bit above each column's stones, and below it the first player's are added.
    bottoms = ((1 << game.width * (game.height + 1)) - 1) // ((1 << game.height + 1) - 1)
    return np.uint64((state.stones[0] | state.stones[1]) + bottoms + state.stones[0])


@implements(rules.owners, ConnectFour)
def _owners(game, state, out):
    for point in range(game.width * game.height):  # row by row from the top, as in the layout
        row, column = point // game.width, point % game.width
        bit = column * (game.height + 1) + game.height - 1 - row
        for player in range(2):
            if state.stones[index(player)] >> bit & 1:
                out[index(point)] = player


if __name__ == "__main__":
    from montego.playouts import Sampler
    from montego.rng import stream

    position = ConnectFour().start()
    for name in "ddcebcd":
        position.play(name)
    print(position)
    totals = Sampler(position.game, position.state, stream(1)).run(100_000)
    print(f"100,000 random playouts from here: {position.game.players[0]} wins {totals.wins / totals.playouts:.1%}")
