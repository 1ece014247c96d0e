"""Blokus Duo as people see it: parameters, notation, layout, and the record that holds a position."""

from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

import numpy as np

from montego.errors import IllegalMove
from montego.games.blokus import notation
from montego.games.blokus.features import COLUMNS, FeatureTables, feature_tables
from montego.games.blokus.pieces import PASS, PIECE_NAMES, PIECES, PLACEMENTS, SIZE, Cells, squares_of, turned
from montego.games.blokus.sgf import BlokusDialect
from montego.games.features import Column
from montego.games.game import Game
from montego.games.tools.dialect import Dialect
from montego.games.tools.layout import Layout, Shape, Stone, square_board
from montego.games.tools.symmetry import Symmetry
from montego.spec import Param

if TYPE_CHECKING:
    from montego.games.position import Position

COLUMN_LETTERS = "abcdefghijklmn"
START_POINTS = ((4, 4), (9, 9))  # (row, column) from the top left: e10 and j5


class Start(IntEnum):
    """Where a player's first piece must lie."""

    FIXED = 0  # over the player's own start point: e10 for player 0, j5 for player 1
    FREE = 1  # over any start point that is not yet covered


# A position. Sets of squares are words of bits as in ``pieces.py``; a fifth word is a margin that stays zero.
STATE = np.dtype(
    (
        np.record,
        [
            ("squares", np.uint64, (2, 4)),  # what each player has placed
            ("free", np.uint64, (2, 5)),  # where each player may put a square: empty and not beside an own piece
            ("attach", np.uint64, (2, 5)),  # free squares of which a piece must cover one: own corners, or start points
            ("pieces", np.int64, (2,)),  # pieces left, bit k for piece k
            ("stuck", np.int64, (2,)),  # 1: known to have no placement, now and for ever (see ``rules.settle``)
            ("player", np.int64),  # to move
        ],
    )
)


class _Rules(NamedTuple):
    starts: Annotated[Start, Param("start points: fixed (e10 for Purple, j5 for Orange) or free choice")] = Start.FIXED


class BlokusDuo(_Rules, Game, name="blokus_duo"):
    """Blokus Duo: 14×14 squares, 21 pieces each; the most squares placed win.

    A move is written as the squares that it covers, separated by commas, as in Pentobi's GTP dialect:
    ``e8,d9,e9,f9,e10``. Columns are a to n from the left, rows 1 to 14 from the bottom; the canonical order is by row
    from the bottom and then from the left, and any order is read. A person may also name the piece, the leftmost square
    of its top row, and how it is turned: ``T5 e10 90 flip``. ``pass`` is the move of a player who can place nothing
    while the other still can.
    """

    players = ("Purple", "Orange")
    colours = ("#7a3fa0", "#f08a24")
    passes_are_told = False  # Pentobi knows without being told
    gtp_dialect = "blokus"
    sgf: ClassVar[Dialect] = BlokusDialect()
    colour_names = ("b", "w")
    colour_words = {"blue": 0, "green": 1, "1": 0, "2": 1}

    def state_dtype(self) -> np.dtype[Any]:
        return STATE

    def move_limit(self) -> int:
        return PLACEMENTS + 1

    def max_score(self) -> float:
        return 89.0  # all squares of one player's pieces

    def max_length(self) -> int:
        return 2 * PIECES  # a pass stands opposite a placement, so nobody has more turns than pieces

    def feature_columns(self) -> tuple[Column, ...]:
        return COLUMNS

    def feature_tables(self) -> FeatureTables:
        return feature_tables()

    def gtp_start(self) -> list[str]:
        return ["set_game Blokus Duo", "clear_board"]

    def layout(self) -> Layout:
        return _layout()

    def point_symmetries(self) -> list[list[int]]:
        starts = [row * SIZE + column for row, column in START_POINTS]
        kept = [[symmetry[point] for point in starts] for symmetry in self.layout().symmetries()]
        allowed = [starts, starts[::-1]] if self.starts == Start.FREE else [starts]
        return [symmetry for symmetry, images in zip(self.layout().symmetries(), kept) if images in allowed]

    def move_name(self, move: int) -> str:
        return _move_name(self, move)

    def points_of(self, move: int) -> list[str]:
        if not 0 <= move < PLACEMENTS:
            return []
        squares = sorted(squares_of(move), key=lambda square: (-square[0], square[1]))
        return [_square_name(row, column) for row, column in squares]

    def image_of_move(self, move: int, symmetry: Symmetry) -> int:
        squares = frozenset(map(symmetry.point_name, self.points_of(move)))
        return _moves_by_squares()[squares] if squares else move

    def parse_move(self, source: str) -> int:
        if source.strip().lower() == "pass":
            return PASS
        names = source.replace(",", " ").lower().split() or [""]
        squares = frozenset(names)
        # I3 and L5 are pieces as well as squares: a capital letter, or squares that are not a piece, mean the piece.
        called = notation.read(source.split()) if "," not in source else None
        if called and (source.strip()[0].isupper() or squares not in _moves_by_squares()):
            return self._called(*called)
        known = set(_layout().names)
        for name in names:
            if name not in known:
                raise IllegalMove(
                    f"no square '{name}' in {self}; a move is its squares such as e8,d9,e9,f9,e10 (a1 to n14), "
                    "a piece with its first square such as T5 e10 90 flip, or pass"
                )
        if len(set(names)) < len(names):
            raise IllegalMove(f"'{source.strip()}' names a square twice; name each square of the piece once")
        move = _moves_by_squares().get(squares)
        if move is None:
            raise IllegalMove(f"'{source.strip()}' is not a piece; the squares must form one of the {PIECES} pieces")
        return move

    def _called(self, piece: str, square: str, shape: Cells) -> int:
        """Return the move of a piece whose first square is named."""
        if square not in set(_layout().names):
            raise IllegalMove(f"no square '{square}' in {self}; squares go from a1 to n14")
        row, column = SIZE - int(square[1:]), COLUMN_LETTERS.index(square[0])
        squares = notation.placed(shape, row, column)
        if not all(0 <= down < SIZE and 0 <= right < SIZE for down, right in squares):
            raise IllegalMove(f"{piece} does not fit on the board with its first square on {square}")
        return _moves_by_squares()[frozenset(_square_name(*place) for place in squares)]

    def describe_move(self, move: int) -> str:
        if move == PASS:
            return "pass"
        piece, square, turn = notation.describe(move)
        return f"{piece} {_square_name(*square)} {turn}".rstrip()

    def why_illegal(self, position: "Position", move: int) -> str:
        if move == PASS:
            return "there is still room for a piece"
        player, taken = position.to_move, position.stones()
        squares = self.points_of(move)
        if notation.piece_of(move) not in self.tray(position)[player]:
            return f"the piece {notation.piece_of(move)} has been placed before"
        if held := [square for square in squares if square in taken]:
            return f"{held[0]} is taken"
        own = {name for name, owner in taken.items() if owner == player}
        places = squares_of(move)
        if not own:
            starts = [_square_name(*start) for start in START_POINTS]
            allowed = starts if self.starts == Start.FREE else [starts[player]]
            free = " or ".join(start for start in allowed if start not in taken)
            return f"the first piece must cover the start point {free}"
        beside = ((0, 1), (1, 0), (0, -1), (-1, 0))
        if any(_square_name_or_none(r + dr, c + dc) in own for r, c in places for dr, dc in beside):
            return "it lies edge to edge with a piece of the same colour"
        return "it touches no corner of a piece of the same colour"

    def tray(self, position: "Position") -> list[dict[str, list[tuple[int, int]]]]:
        """Return the pieces left, each as it is drawn in ``pieces.py``: neither turned nor flipped."""
        return [
            {
                name: list(turned(name, 0, flip=False))
                for k, name in enumerate(PIECE_NAMES)
                if int(position.state.pieces[player]) >> k & 1
            }
            for player in (0, 1)
        ]

    def notes(self, position: "Position") -> list[str]:
        """Say for each player how many squares lie on the board and which pieces are left."""
        owners = position.owners()
        lines = []
        for player, (name, left) in enumerate(zip(self.players, self.tray(position), strict=True)):
            placed = int((owners == player).sum())
            lines.append(f"{self.symbols[player]} {name}: {placed} squares, left: {' '.join(left) or 'nothing'}")
        return lines


@lru_cache(maxsize=PLACEMENTS + 1)
def _move_name(game: BlokusDuo, move: int) -> str:
    """Return the name of a move; a search names all moves of a position, most of them again and again."""
    return "pass" if move == PASS else ",".join(game.points_of(move))


def _square_name(row: int, column: int) -> str:
    return f"{COLUMN_LETTERS[column]}{SIZE - row}"


def _square_name_or_none(row: int, column: int) -> str | None:
    """Return the name of a square, None beyond the edge."""
    return _square_name(row, column) if 0 <= row < SIZE and 0 <= column < SIZE else None


@lru_cache(maxsize=1)
def _moves_by_squares() -> dict[frozenset[str], int]:
    return {frozenset(_square_name(*square) for square in squares_of(move)): move for move in range(PLACEMENTS)}


@lru_cache(maxsize=1)
def _layout() -> Layout:
    """Return the 196 squares row by row from the top."""
    dots = [row * SIZE + column for row, column in START_POINTS]
    return square_board(SIZE, SIZE, Shape.SQUARE, dots=dots, stones=Stone.TILE)
