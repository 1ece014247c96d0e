"""Go in SGF, GM[1], by the FF[4] standard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from montego.errors import SgfError
from montego.games.go.board import COLUMNS, star_points
from montego.games.tools.dialect import RESIGN, Dialect, Properties, board_size, number

if TYPE_CHECKING:
    from montego.games.game import Game
    from montego.games.position import Position

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DEFAULT_SIZE = 19
_DEFAULT_KOMI, _HANDICAP_KOMI = 7.5, 0.5

# (suicide, superko) of the rules that records name; others (Japanese, Korean, none) know neither.
_RULES = {
    "chinese": (False, True),
    "aga": (False, True),
    "french": (False, True),
    "nz": (True, True),
    "new zealand": (True, True),
    "goe": (True, True),
    "ing": (True, True),
    "tromp-taylor": (True, True),
}


class GoDialect(Dialect):
    """Two letters from the top left, nothing or tt for a pass."""

    gm = "1"
    home = "go"

    def game(self, kind: Any, properties: Properties, moves: Sequence[tuple[str, str]]) -> Game:
        width, height = board_size(properties, _DEFAULT_SIZE)
        suicide, superko = rules_of(properties.get("RU", [""])[0])
        default = _HANDICAP_KOMI if number(properties, "HA", 0) >= 2 else _DEFAULT_KOMI
        komi = number(properties, "KM", default)
        board = kind(size=width, height=height, komi=komi, suicide=suicide, superko=superko)
        described: Game = board.with_rules(handicap=self._fixed_handicap(board, properties, moves))
        return described

    def _fixed_handicap(self, board: Any, properties: Properties, moves: Sequence[tuple[str, str]]) -> int:
        """Return the handicap whose stones are those of AB, or that old records mean by HA alone when White begins."""
        handicap = int(number(properties, "HA", 0))
        if not 2 <= handicap <= len(star_points(board.size, board.height)):
            return 0
        if "AB" not in properties:
            return handicap if moves and moves[0][0] == "W" else 0
        stones = {name for value in properties["AB"] for name in self.points(board, value)}
        return handicap if stones == set(board.with_rules(handicap=handicap).handicap_stones()) else 0

    def rules(self, game: Any) -> Properties:
        size = str(game.size) if game.size == game.height else f"{game.size}:{game.height}"
        written = {"SZ": [size], "KM": [f"{game.komi:g}"], "RU": [_rules_name(game)]}
        if game.handicap:
            stones = [self.write_point(game, name) for name in game.handicap_stones()]
            written |= {"HA": [str(game.handicap)], "AB": stones, "PL": ["W"]}
        return written

    def start(self, game: Game, properties: Properties) -> Position | None:
        return game.start() if game.handicap_stones() and not set(properties) & {"AW", "AE"} else None

    def points(self, game: Any, value: str) -> list[str]:
        first, colon, last = value.strip().partition(":")
        corners = [self._place(game, corner) for corner in ((first, last) if colon else (first, first))]
        (left, top), (right, bottom) = corners
        if right < left or bottom < top:
            raise SgfError(f"[{value}] is not a rectangle of points; expected its upper left and lower right corner")
        return [_name(game, column, row) for row in range(top, bottom + 1) for column in range(left, right + 1)]

    def move(self, game: Any, value: str) -> str:
        word = value.strip()
        if word.lower() == RESIGN:
            return RESIGN
        if word == "" or (word == "tt" and max(game.size, game.height) <= _DEFAULT_SIZE):
            return "pass"
        return _name(game, *self._place(game, word))

    def _place(self, game: Any, value: str) -> tuple[int, int]:
        word = value.strip()
        column, row = (_LETTERS.find(letter) for letter in word) if len(word) == 2 else (-1, -1)
        if not (0 <= column < game.size and 0 <= row < game.height):
            last = _LETTERS[game.size - 1] + _LETTERS[game.height - 1]
            raise SgfError(
                f"[{word[:20]}] is not a point of a {game.size}×{game.height} board; points go from aa to {last}"
            )
        return column, row

    def write_move(self, game: Any, name: str) -> str:
        if name == "pass":
            return ""
        return _LETTERS[COLUMNS.index(name[0])] + _LETTERS[game.height - int(name[1:])]


def _name(game: Any, column: int, row: int) -> str:
    return f"{COLUMNS[column]}{game.height - row}"


def rules_of(name: str) -> tuple[bool, bool]:
    """Return (suicide, superko) of the rules that RU names, in words or as KataGo writes them."""
    word = name.strip().lower()
    if word.startswith("ko") and "score" in word:
        return "sui1" in word, not word.startswith("kosimple")
    return next((rules for known, rules in _RULES.items() if word.startswith(known)), (False, False))


def _rules_name(game: Any) -> str:
    if not game.superko:
        return f"koSIMPLEscoreAREAtaxNONEsui{int(game.suicide)}"
    return "Tromp-Taylor" if game.suicide else "Chinese"
