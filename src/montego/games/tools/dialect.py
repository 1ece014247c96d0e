"""How a game is written in SGF: the properties of the root, points and moves.

``Dialect`` is the form that every game has by default: the name of the game as GM, the spec as the private property
MONTEGO, points and moves as Montego writes them. Go, Hex and Blokus follow their standards in ``sgf.py`` of their
folders; ``docs/sgf.md`` has examples. A game names its dialect in the class attribute ``sgf``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from montego.errors import SgfError

if TYPE_CHECKING:
    from montego.games.game import Game
    from montego.games.position import Position

_NUMBER = re.compile(r"[-+]?(\d{1,9}\.?\d{0,9}|\.\d{1,9})", re.ASCII)

Properties = dict[str, list[str]]  # raw values, as between the brackets

# What a move may also be: the player gives up or loses on time; the players change seats and the board stays.
RESIGN, SWAP_SIDES = "resign", "swap-sides"


class Dialect:
    """The generic form. A subclass replaces what its standard does differently; it has no state."""

    gm = ""  # the value of GM that a standard gives to the game ``home``
    home = ""  # the spec name of that game; a game that inherits the dialect is called by its own name
    takes_turns = False  # whether the order of the moves tells the player, and not the letter B or W

    def identifier(self, kind: type[Game]) -> str:
        """Return the value of GM for a class of games."""
        return self.gm if kind.spec_name == self.home else kind.spec_name

    def claims(self, kind: type[Game], properties: Properties) -> bool:
        """Whether a record with this root is one of a class of games."""
        return properties.get("GM", [""])[0].strip().lower() == self.identifier(kind).lower()

    def variant(self, properties: Properties) -> Dialect:
        """Return the form in which a record with this root is written, where a game has several."""
        return self

    def game(self, kind: type[Game], properties: Properties, moves: Sequence[tuple[str, str]]) -> Game:
        """Return the game of a root without MONTEGO; ``moves`` is the main line as (B or W, raw value)."""
        return kind()

    def rules(self, game: Any) -> Properties:
        """Return the properties of the root that tell the board and the rules."""
        return {}

    def root(self, game: Game) -> Properties:
        """Return the properties that name a game and its rules."""
        name = self.identifier(type(game))
        private = {} if name == self.gm else {"MONTEGO": [str(game)]}
        return {"GM": [name], **private, **self.rules(game)}

    def start(self, game: Game, properties: Properties) -> Position | None:
        """Return the start where it is not what the root's AB, AW and PL say."""
        return None

    def points(self, game: Game, value: str) -> list[str]:
        """Return the names of the points that one value of AB, AW or AE means."""
        return [self.move(game, value)]

    def write_point(self, game: Game, name: str) -> str:
        """Return a point as a property value."""
        return self.write_move(game, name)

    def move(self, game: Any, value: str) -> str:
        """Return the name of a move out of a property value."""
        return RESIGN if value.lower() == RESIGN else str(game.move_name(game.parse_move(value)))

    def write_move(self, game: Any, name: str) -> str:
        """Return a move as a property value."""
        return name


def board_size(properties: Mapping[str, Sequence[str]], default: int) -> tuple[int, int]:
    """Return columns and rows, out of ``SZ[9]`` or ``SZ[9:7]``."""
    value = properties.get("SZ", [str(default)])[0].strip()
    match = re.fullmatch(r"(\d{1,4})(?:\s*:\s*(\d{1,4}))?", value, re.ASCII)
    if not match:
        raise SgfError(f"SZ[{value[:20]}] is not a board size; expected one such as SZ[19] or SZ[9:7]")
    return int(match[1]), int(match[2] or match[1])


def number(properties: Properties, name: str, default: float) -> float:
    """Return a numeric property; an empty or missing one is the default."""
    value = properties.get(name, [""])[0].strip().replace(",", ".")
    if value and not _NUMBER.fullmatch(value):
        raise SgfError(f"{name}[{value[:20]}] is not a number")
    return float(value) if value else default
