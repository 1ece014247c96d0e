"""The ledger: one SQLite file for one contest (a match or a tournament), with every finished game.

A game counts once its row is committed. SQLite commits durably (``synchronous=FULL``), so the game survives a killed
process and a power cut. Its number in the schedule is unique, so no game counts twice, no matter how many processes
write it. Locks of the operating system mark the games being played right now; they end with the process that holds
them.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from montego.arena.claims import Claims
from montego.arena.game import FinishedGame
from montego.arena.rows import CREATE_GAMES, INSERT_GAME, SELECT_NEW_GAMES, digest, game_of, row_of, settings_key
from montego.arena.salvage import salvage
from montego.errors import MontegoError

APPLICATION = 0x4D4F4E54  # "MONT", in the header of the file
FORMAT = 1
MEMORY = ":memory:"
_BUSY_SECONDS = 60.0
_SHOWN = 200  # characters of what SQLite says
_REPAIR = "restore a copy, or save the sound games with: montego results FILE --repair NEW"

# A contest was called an experiment when the format was fixed.
_CREATE_EXPERIMENT = """\
CREATE TABLE experiment (
    key TEXT PRIMARY KEY,        -- hash of the settings
    settings TEXT NOT NULL,      -- JSON: game, players, seed, schedule, openings
    scheduled INTEGER NOT NULL,  -- games requested by the last run
    created TEXT NOT NULL,
    version TEXT NOT NULL
)"""


class LedgerError(MontegoError):
    """A ledger cannot be read or written, or belongs to another contest."""


class Ledger:
    """The games of one contest. Use it as a context manager, or call ``close``."""

    def __init__(self, path: str | Path = MEMORY, *, read_only: bool = False) -> None:
        if not isinstance(path, (str, Path)):
            raise LedgerError(f"ledger: the name of a file expected, such as 'match.sqlite', not {path!r}")
        self.path = str(path)
        self.key = ""
        self._resign = 0.0  # of the contest, for all its games
        self._last_row = 0
        self._data_version = 0
        self._claims: Claims | None = None
        with self._explained("open"):
            self._database = self._connect(read_only)
        try:
            with self._explained("read"):
                self._check(read_only)
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; everything recorded is in it."""
        if self._claims:
            self._claims.close()
        with contextlib.suppress(sqlite3.Error):
            self._database.close()

    # -- opening

    def _connect(self, read_only: bool) -> sqlite3.Connection:
        if self.path == MEMORY:
            return sqlite3.connect(MEMORY, isolation_level=None)
        file = Path(self.path)
        if file.is_dir():
            raise LedgerError(f"'{self.path}' is a folder; name a file in it, such as {file / 'match.sqlite'}")
        if read_only and not file.is_file():
            raise LedgerError(f"there is no ledger '{self.path}'; name an existing file")
        if not read_only and not file.absolute().parent.is_dir():
            raise LedgerError(f"cannot create '{self.path}': there is no folder '{file.parent}'")
        mode = "rwc"
        if read_only:  # SQLite wants to make side files even for reading, and to remove them at the end
            writable = os.access(file, os.W_OK) and os.access(file.absolute().parent, os.W_OK)
            mode = "rw" if writable else "ro" if Path(f"{self.path}-wal").exists() else "ro&immutable=1"
        uri = f"{file.absolute().as_uri()}?mode={mode}"
        database = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)
        database.execute("PRAGMA trusted_schema = 0")  # nothing in a file may call a function
        if read_only:
            database.execute("PRAGMA query_only = 1")
        return database

    def _check(self, read_only: bool) -> None:
        """Refuse a file that is not a ledger of this format; create the tables of a new one."""
        database = self._database
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables or read_only:
            self._check_format(tables)
        if not read_only:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            if not tables:
                self._create()

    def _check_format(self, tables: set[str]) -> None:
        application = self._database.execute("PRAGMA application_id").fetchone()[0]
        found = self._database.execute("PRAGMA user_version").fetchone()[0]
        if application != APPLICATION:
            raise LedgerError(f"'{self.path}' is not a Montego ledger; name another file")
        if found != FORMAT:
            hint = "a newer Montego" if found > FORMAT else "an older Montego"
            raise LedgerError(
                f"'{self.path}' has ledger format {found}, this Montego reads {FORMAT}; use {hint} for it"
            )
        if tables != {"experiment", "games"} or self._foreign_parts():
            raise LedgerError(f"'{self.path}' is damaged (its tables are not those of a ledger); {_REPAIR}")
        # The indexes too: a bad one hides games, and lets a game be recorded twice.
        damage = self._database.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if damage != "ok":
            raise LedgerError(f"'{self.path}' is damaged ({str(damage).strip().splitlines()[-1]}); {_REPAIR}")

    def _foreign_parts(self) -> bool:
        """Whether the file holds anything but the two tables as they were created: other columns, views, triggers."""
        kinds = self._database.execute(
            "SELECT count(*) FROM sqlite_master"
            " WHERE type NOT IN ('table', 'index') OR (type = 'index' AND sql NOT NULL)"
        ).fetchone()[0]
        columns = {
            table: [row[1:4] for row in self._database.execute(f"PRAGMA table_info({table})")]
            for table in ("experiment", "games")
        }
        declared = sqlite3.connect(MEMORY)
        try:
            for create in (_CREATE_EXPERIMENT, CREATE_GAMES):
                declared.execute(create)
            expected = {
                table: [row[1:4] for row in declared.execute(f"PRAGMA table_info({table})")] for table in columns
            }
        finally:
            declared.close()
        return bool(kinds) or columns != expected

    def _create(self) -> None:
        with self._transaction():  # another process may have been faster
            if not self._database.execute("SELECT 1 FROM sqlite_master WHERE name = 'games'").fetchone():
                self._database.execute(_CREATE_EXPERIMENT)
                self._database.execute(CREATE_GAMES)
                self._database.execute(f"PRAGMA application_id = {APPLICATION}")
                self._database.execute(f"PRAGMA user_version = {FORMAT}")

    # -- the contest

    def begin(self, settings: dict[str, Any], games: int, version: str, created: str) -> None:
        """Make this the ledger of a contest of ``games`` games, or check that it already is.

        A contest without games, which nobody is playing, gives way to another one.
        """
        key = settings_key(settings)
        if self.durable and self._claims is None:
            self._claims = Claims(self.path)
        with self._explained("write"), self._transaction():
            known = self._database.execute("SELECT key, settings FROM experiment").fetchall()
            if known and known[0][0] != key and self._unused():
                self._database.execute("DELETE FROM experiment")
                known = []
            if known and known[0][0] != key:
                difference = first_difference(json.loads(known[0][1]), settings)
                raise LedgerError(
                    f"'{self.path}' belongs to another contest ({difference});"
                    " name another ledger, or repeat its own settings"
                )
            if not known:
                row = (key, json.dumps(settings), games, created, version)
                self._database.execute("INSERT INTO experiment VALUES (?, ?, ?, ?, ?)", row)
            else:
                self._database.execute("UPDATE experiment SET scheduled = ? WHERE scheduled <> ?", (games, games))
        self.key, self._resign = key, settings.get("resign", 0.0)

    def _unused(self) -> bool:
        """Whether the contest in the file has no games, and no other process plays it."""
        played = self._database.execute("SELECT 1 FROM games").fetchone()
        return played is None and (self._claims is None or self._claims.alone())

    @property
    def durable(self) -> bool:
        """Whether the games are kept in a file."""
        return self.path != MEMORY

    def begun(self) -> bool:
        """Whether the file holds a contest."""
        with self._explained("read"):
            return self._database.execute("SELECT 1 FROM experiment").fetchone() is not None

    def settings(self) -> tuple[dict[str, Any], int]:
        """Return the settings of the contest in the file, and the number of games requested by the last run."""
        with self._explained("read"):
            row = self._database.execute("SELECT key, settings, scheduled FROM experiment").fetchone()
        if row is None:
            raise LedgerError(f"'{self.path}' holds no contest yet")
        try:
            settings = json.loads(row[1])
            if settings_key(settings) != row[0]:
                raise ValueError
        except (ValueError, TypeError, RecursionError):
            raise LedgerError(f"'{self.path}' is damaged: its settings do not match their key; {_REPAIR}") from None
        settings = dict(settings)
        self.key, self._resign = row[0], settings.get("resign", 0.0)
        return settings, int(row[2])

    # -- games

    def record(self, games: Sequence[FinishedGame]) -> list[FinishedGame]:
        """Write finished games durably, all or none; return those that the ledger did not have yet."""
        with self._explained("write"), self._transaction():
            if not self._database.execute("SELECT 1 FROM experiment WHERE key = ?", (self.key,)).fetchone():
                raise LedgerError(f"'{self.path}' has become the ledger of another contest; name another one")
            new = [game for game in games if self._insert(row_of(game))]
        self.release(game.task.number for game in games)
        return new

    def _insert(self, row: tuple[Any, ...]) -> bool:
        return self._database.execute(INSERT_GAME, (self.key, *row, digest(row))).rowcount == 1

    def games(self) -> list[FinishedGame]:
        """Return all finished games in the order of the schedule."""
        self._last_row = 0
        return sorted(self.new_games(), key=lambda game: game.task.number)

    def new_games(self) -> list[FinishedGame]:
        """Return the games that this or another process has recorded since the last call."""
        with self._explained("read"):
            rows = self._database.execute(SELECT_NEW_GAMES, (self.key, self._last_row)).fetchall()
        if rows:
            self._last_row = rows[-1][0]
        return [self._checked_game(row[1:]) for row in rows]

    def _checked_game(self, row: tuple[Any, ...]) -> FinishedGame:
        """Return the game of a row with its digest, or raise if the row is not as it was written."""
        *values, written = row
        if digest(tuple(values)) != written:
            raise LedgerError(f"'{self.path}' is damaged: game {row[0]} is not as it was recorded; {_REPAIR}")
        return game_of(tuple(values), self._resign)

    def changed(self) -> bool:
        """Whether another process has written since the last call."""
        with self._explained("read"):
            found = int(self._database.execute("PRAGMA data_version").fetchone()[0])
        self._data_version, before = found, self._data_version
        return found != before

    def claim(self, number: int) -> bool:
        """Announce that this process plays a game; False if another process is playing it or has played it."""
        if self._claims is not None and not self._claims.take(number):
            return False
        with self._explained("read"):
            found = self._database.execute(
                "SELECT 1 FROM games WHERE experiment = ? AND number = ?", (self.key, number)
            ).fetchone()
        if found:
            self.release([number])
        return not found

    def release(self, numbers: Iterable[int]) -> None:
        """Withdraw announcements."""
        if self._claims:
            self._claims.release(numbers)

    # -- plumbing

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def _explained(self, doing: str) -> Iterator[None]:
        """Turn SQLite errors into one line that says what to do."""
        try:
            yield
        except (sqlite3.Error, UnicodeError) as problem:  # the latter: a damaged text, of a table's name for example
            raise LedgerError(_explanation(doing, self.path, " ".join(str(problem).split())[:_SHOWN])) from None


def _explanation(doing: str, path: str, problem: str) -> str:
    what = f"cannot {doing} the ledger '{path}': {problem}"
    if "full" in problem:
        return f"{what}; all recorded games are safe: make room and run the same command again"
    if "not a database" in problem:
        return f"'{path}' is not a ledger: it is not a SQLite file; name another file"
    if "malformed" in problem:
        return f"{what}; {_REPAIR}"
    if "locked" in problem:
        return f"{what} by another program for more than {_BUSY_SECONDS:.0f} s; all recorded games are safe"
    return what


def first_difference(old: dict[str, Any], new: dict[str, Any]) -> str:
    """Return in words where the settings of a ledger (there) and those that are asked for (here) differ."""
    for name in {**new, **old}:
        if old.get(name) != new.get(name):
            return f"{name.replace('_', ' ')} there: {_short(old.get(name))}; here: {_short(new.get(name))}"
    return "its settings differ"


def _short(value: Any) -> str:
    if value is None:
        return "not set"
    shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return shown if len(shown) <= 80 else f"{shown[:79]}…"


def repair(path: str | Path, new: str | Path) -> tuple[int, int]:
    """Write the sound games of a damaged ledger to a new one; return how many they are, and how many rows are lost."""
    if Path(new).exists():
        raise LedgerError(f"'{new}' exists already; name a new file for the sound games")
    found = salvage(path)
    with Ledger(new) as ledger:
        ledger.begin(found.settings, found.scheduled, found.version, found.created)
        ledger.record([found.games[number] for number in sorted(found.games)])
    return len(found.games), len(found.damaged)
