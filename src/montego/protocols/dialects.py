"""How each game is written in SGF: the properties of the root, points and moves.

Go follows the FF[4] standard. Hex follows the standard's page on GM[11], which HexGui, HexWorld and PlayHex write, and
Little Golem's older form is read. Blokus Duo follows Pentobi's ``.blksgf``. No standard names Y or any other game: these
have the name of the game as GM, as Pentobi does it, the spec as the private property MONTEGO, and moves as Montego writes
them. ``docs/sgf.md`` has examples.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from montego.errors import MontegoError
from montego.games import GAMES, BlokusDuo, Game, Go, Hex, Position, game as build_game
from montego.games.go.board import COLUMNS, star_points

Properties = dict[str, list[str]]  # raw values, as between the brackets

# What a move may also be: the player gives up or loses on time; the players change seats and the board stays.
RESIGN, SWAP_SIDES = "resign", "swap-sides"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DEFAULT_GO_SIZE = 19
_HANDICAP_KOMI = 0.5


class SgfError(MontegoError):
    """A game record cannot be read or written."""


def board_size(properties: Mapping[str, Sequence[str]], default: int) -> tuple[int, int]:
    """Return columns and rows, out of ``SZ[9]`` or ``SZ[9:7]``."""
    value = properties.get("SZ", [str(default)])[0].strip()
    match = re.fullmatch(r"(\d{1,4})(?:\s*:\s*(\d{1,4}))?", value)
    if not match:
        raise SgfError(f"SZ[{value[:20]}] is no board size; expected one such as SZ[19] or SZ[9:7]")
    return int(match[1]), int(match[2] or match[1])


class Dialect:
    """The generic form, which every game has: names of points and moves as Montego writes them."""

    takes_turns = False  # whether the order of the moves tells the player, and not the letter B or W
    writes_passes = True  # whether a forced pass is a node

    def game(self, properties: Properties, moves: Sequence[tuple[str, str]]) -> Game:
        """Return the game of a root; ``moves`` is the main line as (B or W, raw value)."""
        spec = properties.get("MONTEGO", properties.get("GM", [""]))[0]
        return build_game(spec.replace("\\", ""))

    def root(self, game: Game) -> Properties:
        """Return the properties that name a game and its rules."""
        return {"GM": [game.spec_name], "MONTEGO": [str(game)]}

    def start(self, game: Game, properties: Properties) -> Position | None:
        """Return the start where it is not what the root's AB, AW and PL say."""
        return None

    def points(self, game: Game, value: str) -> list[str]:
        """Return the names of the points that one value of AB, AW or AE means."""
        return [self.move(game, value)]

    def write_point(self, game: Game, name: str) -> str:
        """Return a point as a property value."""
        return self.write_move(game, name)

    def move(self, game: Game, value: str) -> str:
        """Return the name of a move out of a property value."""
        return RESIGN if value.lower() == RESIGN else game.move_name(game.parse_move(value))

    def write_move(self, game: Game, name: str) -> str:
        """Return a move as a property value."""
        return name


# ------------------------------------------------------------------------------------------------------------------ Go

# (suicide, superko) of the rules that records name; others (Japanese, Korean, none) know neither.
_GO_RULES = {
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
    """Go, GM[1]: two letters from the top left, nothing or tt for a pass."""

    def game(self, properties: Properties, moves: Sequence[tuple[str, str]]) -> Game:
        width, height = board_size(properties, _DEFAULT_GO_SIZE)
        suicide, superko = go_rules(properties.get("RU", [""])[0])
        handicap = self._fixed_handicap(properties, width, height, moves)
        default = _HANDICAP_KOMI if _number(properties, "HA", 0) >= 2 else Go._field_defaults["komi"]
        komi = _number(properties, "KM", default)
        return Go(size=width, height=height, komi=komi, handicap=handicap, suicide=suicide, superko=superko)

    def _fixed_handicap(self, properties: Properties, width: int, height: int, moves: Sequence[tuple[str, str]]) -> int:
        """Return the handicap whose stones are those of AB, or that old records mean by HA alone when White begins."""
        handicap = int(_number(properties, "HA", 0))
        if handicap < 2 or width > len(COLUMNS) or height > len(COLUMNS):
            return 0
        if "AB" not in properties:
            begins_white = bool(moves) and moves[0][0] == "W"
            return handicap if begins_white and handicap <= len(star_points(width, height)) else 0
        board = Go(size=width, height=height)
        stones = {name for value in properties["AB"] for name in self.points(board, value)}
        fixed = {
            name for name, owner in zip(board.layout().names, _fixed_stones(width, height, handicap)) if owner == 0
        }
        return handicap if stones == fixed else 0

    def root(self, game: Game) -> Properties:
        assert isinstance(game, Go)
        size = str(game.size) if game.size == game.height else f"{game.size}:{game.height}"
        written = {"GM": ["1"], "SZ": [size], "KM": [f"{game.komi:g}"], "RU": [_rules_name(game)]}
        if game.handicap:
            stones = [name for name, owner in zip(game.layout().names, game.start().owners()) if owner == 0]
            written |= {
                "HA": [str(game.handicap)],
                "AB": [self.write_point(game, name) for name in stones],
                "PL": ["W"],
            }
        return written

    def start(self, game: Game, properties: Properties) -> Position | None:
        return game.start() if isinstance(game, Go) and game.handicap and not set(properties) & {"AW", "AE"} else None

    def points(self, game: Game, value: str) -> list[str]:
        first, colon, last = value.strip().partition(":")
        corners = [self._place(game, corner) for corner in ((first, last) if colon else (first, first))]
        (left, top), (right, bottom) = corners
        if right < left or bottom < top:
            raise SgfError(f"[{value}] is no rectangle of points; expected its upper left and its lower right corner")
        return [_go_name(game, column, row) for row in range(top, bottom + 1) for column in range(left, right + 1)]

    def move(self, game: Game, value: str) -> str:
        assert isinstance(game, Go)
        word = value.strip()
        if word.lower() == RESIGN:
            return RESIGN
        if word == "" or (word == "tt" and max(game.size, game.height) <= _DEFAULT_GO_SIZE):
            return "pass"
        return _go_name(game, *self._place(game, word))

    def _place(self, game: Game, value: str) -> tuple[int, int]:
        assert isinstance(game, Go)
        word = value.strip()
        column, row = (_LETTERS.find(letter) for letter in word) if len(word) == 2 else (-1, -1)
        if not (0 <= column < game.size and 0 <= row < game.height):
            last = _LETTERS[game.size - 1] + _LETTERS[game.height - 1]
            raise SgfError(f"[{word[:20]}] is no point of a {game.size}×{game.height} board; they go from aa to {last}")
        return column, row

    def write_move(self, game: Game, name: str) -> str:
        assert isinstance(game, Go)
        if name == "pass":
            return ""
        return _LETTERS[COLUMNS.index(name[0])] + _LETTERS[game.height - int(name[1:])]


def _go_name(game: Any, column: int, row: int) -> str:
    return f"{COLUMNS[column]}{game.height - row}"


def _fixed_stones(width: int, height: int, handicap: int) -> Any:
    """Return who holds each point at the start of a handicap game; nobody anything if there is no such handicap."""
    known = handicap <= len(star_points(width, height))
    return Go(size=width, height=height, handicap=handicap if known else 0).start().owners()


def go_rules(name: str) -> tuple[bool, bool]:
    """Return (suicide, superko) of the rules that RU names, in words or as KataGo writes them."""
    word = name.strip().lower()
    if word.startswith("ko") and "score" in word:
        return "sui1" in word, not word.startswith("kosimple")
    return next((rules for known, rules in _GO_RULES.items() if word.startswith(known)), (False, False))


def _rules_name(game: Go) -> str:
    if not game.superko:
        return f"koSIMPLEscoreAREAtaxNONEsui{int(game.suicide)}"
    return "Tromp-Taylor" if game.suicide else "Chinese"


def _number(properties: Properties, name: str, default: float) -> float:
    """Return a numeric property; what is left empty is the default."""
    value = properties.get(name, [""])[0].strip().replace(",", ".")
    try:
        return float(value) if value else default
    except ValueError:
        raise SgfError(f"{name}[{value[:20]}] is no number") from None


# ----------------------------------------------------------------------------------------------------------------- Hex

_GIVES_UP = {"resign", "forfeit", "resigns"}
_SWAPS = {"swap-pieces", "swap"}


class HexDialect(Dialect):
    """Hex, GM[11]: a1 to k11; ``swap-pieces``; resignation as a move. RU[swap] says that swapping is allowed."""

    def game(self, properties: Properties, moves: Sequence[tuple[str, str]]) -> Game:
        width, height = board_size(properties, Hex._field_defaults["size"])
        if width != height:
            raise SgfError(f"SZ[{width}:{height}]: Hex is played on square boards here, such as SZ[11]")
        swaps = "swap" in properties.get("RU", [""])[0].lower() or any(m.strip().lower() in _SWAPS for _, m in moves)
        return Hex(size=width, swap=swaps)

    def root(self, game: Game) -> Properties:
        assert isinstance(game, Hex)
        return {"GM": ["11"], "SZ": [str(game.size)]} | ({"RU": ["swap"]} if game.swap else {})

    def move(self, game: Game, value: str) -> str:
        word = value.strip().lower()
        if word in _GIVES_UP:
            return RESIGN
        return SWAP_SIDES if word == SWAP_SIDES else super().move(game, word)


class LittleGolemDialect(HexDialect):
    """Little Golem's Hex: two letters, no GM; its W moves first although PB and RE[B] mean the first player."""

    takes_turns = True

    def move(self, game: Game, value: str) -> str:
        word = value.strip().lower()
        if re.fullmatch(r"[a-z]{2}", word):
            word = f"{word[0]}{_LETTERS.index(word[1]) + 1}"
        return super().move(game, word)


# -------------------------------------------------------------------------------------------------------------- Blokus


class BlokusDialect(Dialect):
    """Pentobi's ``.blksgf``: the squares of a piece as one value; who can place nothing is left out."""

    writes_passes = False

    def game(self, properties: Properties, moves: Sequence[tuple[str, str]]) -> Game:
        return build_game(
            "blokus_duo(starts=free)" if "free" in properties.get("RU", [""])[0].lower() else "blokus_duo"
        )

    def root(self, game: Game) -> Properties:
        assert isinstance(game, BlokusDuo)
        return {"GM": ["Blokus Duo"]} | ({"RU": ["free starts"]} if game.starts else {})


# ----------------------------------------------------------------------------------------------------------- selection


def dialect_for(game: Game) -> Dialect:
    """Return how a game is written."""
    known: dict[type, type[Dialect]] = {Go: GoDialect, Hex: HexDialect, BlokusDuo: BlokusDialect}
    return known.get(type(game), Dialect)()


def dialect_of(properties: Properties) -> Dialect:
    """Return the dialect of a record, by the properties of its root."""
    name = properties.get("GM", [""])[0].strip()
    if not name:
        return LittleGolemDialect() if "littlegolem" in properties.get("SO", [""])[0].lower() else GoDialect()
    if name == "Blokus Duo":
        return BlokusDialect()
    if name in ("1", "11"):
        return GoDialect() if name == "1" else HexDialect()
    if name.lower() in GAMES.names():
        return Dialect()
    raise SgfError(
        f"GM[{name[:30]}] is no game known here; known: 1 (Go), 11 (Hex), Blokus Duo, {', '.join(GAMES.names())}"
    )
