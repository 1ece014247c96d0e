"""Go: rule parameters, notation, layout, handicap, and the superko rule of real games."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

import numpy as np

from montego.errors import IllegalMove, SpecError
from montego.games.features import Column
from montego.games.game import Game
from montego.games.go import board
from montego.games.go.board import COLUMNS, star_points
from montego.games.go.features import PLAYOUT_COLUMNS, FeatureTables, feature_tables
from montego.games.go.hashes import board_hash, board_hashes_after
from montego.games.go.sgf import GoDialect
from montego.games.tools.dialect import Dialect
from montego.games.tools.layout import Layout, Shape, square_board
from montego.spec import Param

if TYPE_CHECKING:
    from montego.games.position import Position


class _Rules(NamedTuple):
    size: Annotated[int, Param("columns, and rows too unless height is given", 1, 25)] = 9
    height: Annotated[int, Param("rows; 0 means a square board", 0, 25)] = 0
    komi: Annotated[float, Param("points that White gets for moving second", -1000, 1000)] = 7.5
    handicap: Annotated[int, Param("black stones on the star points at the start; White then moves first", 0, 9)] = 0
    suicide: Annotated[bool, Param("whether a move may take off its own stones (playouts never do)")] = False
    superko: Annotated[bool, Param("no repetition of any earlier board (playouts know simple ko only)")] = True


class Go(_Rules, Game, name="go"):
    """Go with area scoring: surround more points than the other player."""

    ends_by_passing = True
    gtp_dialect = "go"
    sgf: ClassVar[Dialect] = GoDialect()

    @classmethod
    def complete(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Fill in the height and check what concerns two parameters."""
        values["height"] = values["height"] or values["size"]
        width, height = values["size"], values["height"]
        if width * height < 2:
            raise SpecError(
                "go: a board needs at least two points; size must be a whole number from 2 to 25, or give height"
            )
        if values["handicap"] == 1:
            raise SpecError("go: handicap must be 0 or a whole number from 2 to 9, not 1")
        if values["handicap"] and values["handicap"] > len(star_points(width, height)):
            most = len(star_points(width, height))
            raise SpecError(f"go: handicap must be at most {most} on {width}×{height}, not {values['handicap']}")
        return values

    def state_dtype(self) -> np.dtype[Any]:
        return board.STATES[board.capacity_of(self.size, self.height)]

    def move_limit(self) -> int:
        capacity = board.capacity_of(self.size, self.height)
        return capacity * (capacity + 1) + capacity + 1

    def most_legal_moves(self) -> int:
        return self.size * self.height + 1  # every point and the pass

    def max_length(self) -> int:
        return 3 * self.size * self.height + 20  # 9×9 playouts take 111 ± 16 moves; some would never end

    def max_score(self) -> float:
        return float(self.size * self.height)

    def pattern_classes(self) -> int:
        return 100  # see rules.py

    def directions(self) -> int:
        return 8

    def feature_columns(self) -> tuple[Column, ...]:
        return PLAYOUT_COLUMNS

    def feature_tables(self) -> FeatureTables:
        return feature_tables(self.move_limit())

    @lru_cache(maxsize=32)  # noqa: B019 (a game is a small immutable value)
    def layout(self) -> Layout:
        dots = [column + row * self.size for column, row in star_points(self.size, self.height)]
        return square_board(self.size, self.height, Shape.POINT, COLUMNS, dots=dots)

    def point_symmetries(self) -> list[list[int]]:
        owners = self.start().owners()  # handicap stones
        return [symmetry for symmetry in self.layout().symmetries() if (owners[symmetry] == owners).all()]

    # -- notation

    def _point(self, column: int, row: int) -> int:
        stride = board.capacity_of(self.size, self.height) + 1
        return (row + 1) * stride + column + 1

    def point_numbers(self) -> list[int]:
        """Return the number of every point, in the order of the layout."""
        return [self._point(column, row) for row in range(self.height) for column in range(self.size)]

    def move_name(self, move: int) -> str:
        if move == board.PASS:
            return "pass"
        stride = board.capacity_of(self.size, self.height) + 1
        row, column = divmod(move, stride)
        if not (1 <= row <= self.height and 1 <= column <= self.size):
            raise IllegalMove(f"no move number {move} in {self}")
        return f"{COLUMNS[column - 1]}{self.height + 1 - row}"

    def parse_move(self, source: str) -> int:
        word = source.strip().upper()
        if word == "PASS":
            return board.PASS
        letter, digits = word[:1], word[1:]
        column = COLUMNS.find(letter) if letter else -1
        row = int(digits) if re.fullmatch(r"\d{1,3}", digits, re.ASCII) else 0
        if 0 <= column < self.size and 1 <= row <= self.height:
            return self._point(column, self.height - row)
        raise IllegalMove(
            f"no move '{source.strip()[:40]}' in {self}; "
            f"moves go from A1 to {COLUMNS[self.size - 1]}{self.height}, without I, or pass"
        )

    def why_illegal(self, position: Position, move: int) -> str:
        if taken := super().why_illegal(position, move):
            return taken
        if move == position.state.ko:
            return "ko: the stone that has just captured cannot be taken back at once"
        return "suicide: the stone would have no liberty"

    def gtp_start(self) -> list[str]:
        square = self.size == self.height
        size = f"boardsize {self.size}" if square else f"rectangular_boardsize {self.size} {self.height}"
        return [size, "clear_board", f"komi {self.komi:g}"]

    # -- positions

    def handicap_stones(self) -> dict[str, int]:
        return self.start().stones() if self.handicap else {}

    def set_up(self, state: Any, stones: dict[str, int], to_move: int) -> None:
        for name, player in stones.items():
            point = self.parse_move(name)
            if point == board.PASS or state.colour[point] != board.EMPTY or player not in (0, 1):
                raise IllegalMove(f"cannot set up {name}: an empty point and player 0 or 1 expected")
            board.play_stone(state, point, player + 1)
        if np.count_nonzero(np.isin(state.colour, (1, 2))) != len(stones) + self.handicap:
            raise IllegalMove("cannot set up these stones: some have no liberty")
        state.turn, state.ko = to_move + 1, 0

    def board_key(self, state: Any) -> int:
        """Return 64 bits that are equal for equal boards, whoever is to move."""
        return int(board_hash(state))

    def allowed_by_history(self, position: Position, moves: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        if not self.superko or self._nothing_was_taken(position):
            return np.ones(len(moves), bool)
        after = np.zeros(len(moves), np.uint64)
        board_hashes_after(self, position.state, self.new_state(), moves, after)
        allowed: np.ndarray[Any, Any] = ~np.isin(after, np.array(position.earlier_boards(), np.uint64))
        allowed[moves == board.PASS] = True
        return allowed

    def _nothing_was_taken(self, position: Position) -> bool:
        """Whether all stones ever played are on the board: then a further one makes a board that has not been there."""
        placed = self.handicap + sum(move != board.PASS for move in position.moves)
        stones = self.size * self.height - int(position.state.empty_count)
        return not self.suicide and position.setup is None and stones == placed
