"""A finished game as a row of the ledger's table ``games``: the columns are declared once, everything else follows.

The declaration fixes format 1 of the ledger: the names, the types and the order of the columns, which the digest
covers. Changing it means a new format. ``Task.resign`` is younger than the format: the ledger keeps it in the settings
of the contest only, as it is the same in all games.
"""

import hashlib
import json
import math
from operator import attrgetter
from typing import Any, NamedTuple

from montego.arena.game import FinishedGame, Task

_MOST = 2**63 - 1
_KINDS = {int: "INTEGER", float: "REAL", str: "TEXT"}


class Field(NamedTuple):
    """A field of ``FinishedGame`` (``task.…``: of its ``Task``) and how it is stored.

    A pair of values, for the players 0 and 1, takes two columns whose names end in 0 and 1. A tuple of words is stored
    as one text.
    """

    path: str
    column: str
    kind: type
    meaning: str
    pair: bool = False
    words: bool = False

    def columns(self) -> list[str]:
        """Return the names of the columns."""
        return [f"{self.column}0", f"{self.column}1"] if self.pair else [self.column]

    def values(self, game: FinishedGame) -> list[Any]:
        """Return the values for the columns, in the types in which SQLite gives them back."""
        value = attrgetter(self.path)(game)
        if self.words:
            return [_storable(str, " ".join(value))]
        return [_storable(self.kind, part) for part in (value if self.pair else (value,))]

    def value(self, stored: list[Any]) -> Any:
        """Return the field's value from what its columns hold."""
        if self.words:
            return tuple(stored[0].split())
        return tuple(stored) if self.pair else stored[0]


def _storable(kind: type, value: Any) -> Any:
    """Return a value as SQLite gives it back, so that no game is too strange to be recorded and found sound again.

    SQLite has no -0.0 and no NaN, its whole numbers have 64 bits, and half a character (a lone surrogate) is none.
    """
    if kind is int:
        return max(-_MOST, min(int(value), _MOST))
    if kind is float:
        return 0.0 if math.isnan(value) else float(value) + 0.0  # which makes -0.0 a 0.0
    return str(value).encode(errors="backslashreplace").decode()


FIELDS = (
    Field("task.number", "number", int, "in the schedule"),
    Field("task.pair", "pair", int, "two games with one opening and the sides exchanged"),
    Field("task.players", "player", int, "who moved first and second, by index in the settings", pair=True),
    Field("task.specs", "spec", str, "of the player", pair=True),
    Field("task.seeds", "seed", int, "of the player", pair=True),
    Field("task.game", "game", str, "its spec"),
    Field("task.opening", "opening", str, "moves, separated by spaces", words=True),
    Field("moves", "moves", str, "all moves, the opening included", words=True),
    Field("task.max_moves", "max_moves", int, "0: the limit of the game"),
    Field("result", "result", str, "in words"),
    Field("score", "score", float, "of player 0, by our rules"),
    Field("points", "points", float, "of player 0: 1, 0.5 or 0"),
    Field("reason", "reason", str, "why the game ended"),
    Field("detail", "detail", str, "what a failed player last said"),
    Field("seconds", "seconds", float, "used by the player", pair=True),
    Field("playouts", "playouts", int, "used by the player", pair=True),
    Field("opinions", "opinion", str, "what another program thinks of the result", pair=True),
    Field("version", "version", str, "of Montego"),
    Field("finished", "finished", str, "date and time in UTC"),
)
COLUMNS = [name for field in FIELDS for name in field.columns()]
KINDS = [field.kind for field in FIELDS for _ in field.columns()]  # of the columns, in the same order

_DECLARED = "\n".join(
    f"    {name} {_KINDS[field.kind]} NOT NULL,  -- {field.meaning}" for field in FIELDS for name in field.columns()
)
CREATE_GAMES = f"""\
CREATE TABLE games (
    experiment TEXT NOT NULL REFERENCES experiment (key),
{_DECLARED}
    digest TEXT NOT NULL,  -- of the columns from number to finished, to find damage
    PRIMARY KEY (experiment, number)
)"""
INSERT_GAME = (
    f"INSERT INTO games (experiment, {', '.join(COLUMNS)}, digest) VALUES ({', '.join('?' * (len(COLUMNS) + 2))})"
    " ON CONFLICT (experiment, number) DO NOTHING"
)
SELECT_NEW_GAMES = (
    f"SELECT rowid, {', '.join(COLUMNS)}, digest FROM games WHERE experiment = ? AND rowid > ? ORDER BY rowid"
)


def row_of(game: FinishedGame) -> tuple[Any, ...]:
    """Return a game as the values of ``COLUMNS``."""
    return tuple(value for field in FIELDS for value in field.values(game))


def game_of(row: tuple[Any, ...], resign: float = 0.0) -> FinishedGame:
    """Return the game whose values of ``COLUMNS`` are given, from a contest with this ``resign``."""
    stored = iter(row)
    task: dict[str, Any] = {}
    game: dict[str, Any] = {}
    for field in FIELDS:
        owner, _, name = field.path.rpartition(".")
        (task if owner else game)[name] = field.value([next(stored) for _ in field.columns()])
    return FinishedGame(task=Task(**task, resign=resign), **game)


def settings_key(settings: dict[str, Any]) -> str:
    """Return the hash that identifies a contest by its settings."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]


def digest(row: tuple[Any, ...]) -> str:
    """Return the hash that is stored with a row."""
    return hashlib.sha256(repr(row).encode()).hexdigest()[:16]
