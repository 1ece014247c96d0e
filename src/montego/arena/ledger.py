"""The ledger: one SQLite file for one experiment, with every finished game.

A game counts when its row is committed, which SQLite does durably (``synchronous=FULL``): after that it survives a
killed process and a power cut. Its number in the schedule is unique, so no game counts twice, whoever writes it and
however often. Several processes may write; locks of the operating system say which games are being played right now, and
end with the process that holds them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from montego.arena.game import GameRecord, Task
from montego.errors import MontegoError

try:
    import fcntl
except ImportError:  # not a Unix: games that two processes play at the same time are played twice and count once
    fcntl = None  # type: ignore[assignment]

APPLICATION = 0x4D4F4E54  # "MONT", in the header of the file
FORMAT = 1
MEMORY = ":memory:"
_BUSY_SECONDS = 60.0

_TABLES = """
CREATE TABLE experiment (
    key TEXT PRIMARY KEY,      -- hash of the settings
    settings TEXT NOT NULL,    -- JSON: game, players, seed, schedule, openings
    scheduled INTEGER NOT NULL,  -- games asked for by the last run
    created TEXT NOT NULL,
    version TEXT NOT NULL
);
CREATE TABLE games (
    experiment TEXT NOT NULL REFERENCES experiment (key),
    number INTEGER NOT NULL,   -- in the schedule
    pair INTEGER NOT NULL,     -- two games with one opening and the sides exchanged
    player0 INTEGER NOT NULL, player1 INTEGER NOT NULL,  -- who moved first and second, by index in the settings
    spec0 TEXT NOT NULL, spec1 TEXT NOT NULL,
    seed0 INTEGER NOT NULL, seed1 INTEGER NOT NULL,
    game TEXT NOT NULL,
    opening TEXT NOT NULL,     -- moves, separated by spaces
    moves TEXT NOT NULL,       -- all moves, the opening included
    max_moves INTEGER NOT NULL,
    result TEXT NOT NULL,
    score REAL NOT NULL,       -- of player 0, by our rules
    points REAL NOT NULL,      -- of player 0: 1, 0.5 or 0
    reason TEXT NOT NULL, detail TEXT NOT NULL,
    seconds0 REAL NOT NULL, seconds1 REAL NOT NULL,
    playouts0 INTEGER NOT NULL, playouts1 INTEGER NOT NULL,
    opinion0 TEXT NOT NULL, opinion1 TEXT NOT NULL,
    version TEXT NOT NULL,
    finished TEXT NOT NULL,
    digest TEXT NOT NULL,      -- of the columns from number to finished, to find damage
    PRIMARY KEY (experiment, number)
);
"""
COLUMNS = [
    "number",
    "pair",
    "player0",
    "player1",
    "spec0",
    "spec1",
    "seed0",
    "seed1",
    "game",
    "opening",
    "moves",
    "max_moves",
    "result",
    "score",
    "points",
    "reason",
    "detail",
    "seconds0",
    "seconds1",
    "playouts0",
    "playouts1",
    "opinion0",
    "opinion1",
    "version",
    "finished",
]
_INSERT = (
    f"INSERT INTO games (experiment, {', '.join(COLUMNS)}, digest) VALUES ({', '.join('?' * (len(COLUMNS) + 2))})"
    " ON CONFLICT (experiment, number) DO NOTHING"
)


class LedgerError(MontegoError):
    """A ledger cannot be read or written, or belongs to another experiment."""


class Ledger:
    """The games of one experiment. Use it as a context manager, or call ``close``."""

    def __init__(self, path: str | Path = MEMORY, *, read_only: bool = False) -> None:
        self.path = str(path)
        self.key = ""
        self._last_row = 0
        self._data_version = 0
        self._claims: _Claims | None = None
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
        """Close the file; what was recorded is in it."""
        if self._claims:
            self._claims.close()
        with contextlib.suppress(sqlite3.Error):
            self._database.close()

    # -- opening

    def _connect(self, read_only: bool) -> sqlite3.Connection:
        if self.path == MEMORY:
            return sqlite3.connect(MEMORY, isolation_level=None)
        file = Path(self.path)
        if file.is_dir() or (read_only and not file.is_file()):
            raise LedgerError(f"no ledger '{self.path}': an existing file expected")
        if not read_only and not file.absolute().parent.is_dir():
            raise LedgerError(f"cannot create '{self.path}': there is no folder '{file.parent}'")
        mode = "rwc"
        if read_only:  # SQLite wants to make side files even for reading, and to remove them at the end
            writable = os.access(file, os.W_OK) and os.access(file.absolute().parent, os.W_OK)
            mode = "rw" if writable else "ro" if Path(f"{self.path}-wal").exists() else "ro&immutable=1"
        uri = f"{file.absolute().as_uri()}?mode={mode}"
        database = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)
        if read_only:
            database.execute("PRAGMA query_only = 1")
        return database

    def _check(self, read_only: bool) -> None:
        """Refuse what is no ledger of this format; make the tables of a new one."""
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
            raise LedgerError(f"'{self.path}' is no ledger of Montego; name another file")
        if found != FORMAT:
            hint = "a newer Montego" if found > FORMAT else "an older Montego"
            raise LedgerError(
                f"'{self.path}' has ledger format {found}, this Montego reads {FORMAT}; use {hint} for it"
            )
        damage = self._database.execute("PRAGMA quick_check(1)").fetchone()[0]
        if damage != "ok" or not {"experiment", "games"} <= tables:
            first = str(damage).strip().splitlines()[-1] if damage != "ok" else "tables are missing"
            raise LedgerError(
                f"'{self.path}' is damaged ({first}); restore a copy, or save what is left with: sqlite3 FILE .recover"
            )

    def _create(self) -> None:
        with self._transaction():  # another process may have been faster
            if not self._database.execute("SELECT 1 FROM sqlite_master WHERE name = 'games'").fetchone():
                for statement in _TABLES.split(";\n"):
                    if statement.strip():
                        self._database.execute(statement)
                self._database.execute(f"PRAGMA application_id = {APPLICATION}")
                self._database.execute(f"PRAGMA user_version = {FORMAT}")

    # -- the experiment

    def begin(self, settings: dict[str, Any], games: int, version: str, created: str) -> None:
        """Make this the ledger of an experiment of so many games, or check that it is already."""
        key = settings_key(settings)
        with self._explained("write"), self._transaction():
            known = self._database.execute("SELECT key, settings FROM experiment").fetchall()
            if known and known[0][0] != key:
                difference = _first_difference(json.loads(known[0][1]), settings)
                raise LedgerError(
                    f"'{self.path}' belongs to another experiment ({difference});"
                    " name another ledger, or run it with its own settings"
                )
            if not known:
                row = (key, json.dumps(settings), games, created, version)
                self._database.execute("INSERT INTO experiment VALUES (?, ?, ?, ?, ?)", row)
            else:
                self._database.execute("UPDATE experiment SET scheduled = ? WHERE scheduled <> ?", (games, games))
        self.key = key
        self._claims = _Claims(self.path, key)

    @property
    def durable(self) -> bool:
        """Whether the games are kept in a file."""
        return self.path != MEMORY

    def begun(self) -> bool:
        """Whether there is an experiment in the file."""
        with self._explained("read"):
            return self._database.execute("SELECT 1 FROM experiment").fetchone() is not None

    def settings(self) -> tuple[dict[str, Any], int]:
        """Return the settings of the experiment in the file, and how many games the last run was asked for."""
        with self._explained("read"):
            row = self._database.execute("SELECT key, settings, scheduled FROM experiment").fetchone()
        if row is None:
            raise LedgerError(f"'{self.path}' holds no experiment yet")
        try:
            settings = json.loads(row[1])
            if settings_key(settings) != row[0]:
                raise ValueError
        except ValueError:
            raise LedgerError(f"'{self.path}' is damaged: its settings do not fit their key; restore a copy") from None
        self.key = row[0]
        return dict(settings), int(row[2])

    # -- games

    def record(self, games: Sequence[GameRecord]) -> list[GameRecord]:
        """Write finished games durably, all or none, and return them without those that were there already."""
        with self._explained("write"), self._transaction():
            new = [game for game in games if self._insert(row_of(game))]
        self.release(game.task.number for game in games)
        return new

    def _insert(self, row: tuple[Any, ...]) -> bool:
        return self._database.execute(_INSERT, (self.key, *row, _digest(row))).rowcount == 1

    def games(self) -> list[GameRecord]:
        """Return all finished games in the order of the schedule."""
        self._last_row = 0
        return sorted(self.new_games(), key=lambda game: game.task.number)

    def new_games(self) -> list[GameRecord]:
        """Return the games that this or another process has recorded since the last call."""
        query = (
            f"SELECT rowid, {', '.join(COLUMNS)}, digest FROM games WHERE experiment = ? AND rowid > ? ORDER BY rowid"
        )
        with self._explained("read"):
            rows = self._database.execute(query, (self.key, self._last_row)).fetchall()
        if rows:
            self._last_row = rows[-1][0]
        return [_record(row[1:], self.path) for row in rows]

    def changed(self) -> bool:
        """Whether another process has written since the last call."""
        with self._explained("read"):
            found = int(self._database.execute("PRAGMA data_version").fetchone()[0])
        self._data_version, before = found, self._data_version
        return found != before

    def claim(self, number: int) -> bool:
        """Announce that this process plays a game; False if another one does so right now or has done so."""
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
        """Take back announcements."""
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
        """Turn what SQLite raises into one line that says what to do."""
        try:
            yield
        except sqlite3.Error as problem:
            raise LedgerError(_explanation(doing, self.path, str(problem))) from None


def _explanation(doing: str, path: str, problem: str) -> str:
    what = f"cannot {doing} the ledger '{path}': {problem}"
    if "full" in problem:
        return f"{what}; what was recorded is safe: make room and run the same command again"
    if "not a database" in problem:
        return f"'{path}' is no ledger: it is not a SQLite file; name another file"
    if "malformed" in problem:
        return f"{what}; restore a copy, or save what is left with: sqlite3 FILE .recover"
    if "locked" in problem:
        return f"{what} by another program for more than {_BUSY_SECONDS:.0f} s; what was recorded is safe"
    return what


def settings_key(settings: dict[str, Any]) -> str:
    """Return the hash that names an experiment."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]


def _first_difference(old: dict[str, Any], new: dict[str, Any]) -> str:
    for name in {**new, **old}:
        if old.get(name) != new.get(name):
            return f"{name.replace('_', ' ')} there: {_short(old.get(name))}; here: {_short(new.get(name))}"
    return "its settings differ"


def _short(value: Any) -> str:
    shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return shown if len(shown) <= 80 else f"{shown[:79]}…"


def row_of(game: GameRecord) -> tuple[Any, ...]:
    """Return a game as the values of ``COLUMNS``, in the types in which SQLite gives them back."""
    task = game.task
    return (
        *(task.number, task.pair, *task.players, *task.specs, *task.seeds, task.game, " ".join(task.opening)),
        *(" ".join(game.moves), task.max_moves, game.result, float(game.score), float(game.points)),
        *(game.reason, game.detail, *map(float, game.seconds), *map(int, game.playouts), *game.opinions),
        *(game.version, game.finished),
    )


def _digest(row: tuple[Any, ...]) -> str:
    return hashlib.sha256(repr(row).encode()).hexdigest()[:16]


def _record(row: tuple[Any, ...], path: str) -> GameRecord:
    """Return the game of a row, or raise if the row is not as it was written."""
    if _digest(row[:-1]) != row[-1]:
        raise LedgerError(f"'{path}' is damaged: game {row[0]} is not as it was recorded; restore a copy")
    value = dict(zip(COLUMNS, row[:-1], strict=True))

    def both(name: str) -> tuple[Any, Any]:
        return value[f"{name}0"], value[f"{name}1"]

    return GameRecord(
        task=Task(
            *(value["number"], value["pair"], both("player"), value["game"], both("spec"), both("seed")),
            *(tuple(value["opening"].split()), value["max_moves"]),
        ),
        moves=tuple(value["moves"].split()),
        seconds=both("seconds"),
        playouts=both("playouts"),
        opinions=both("opinion"),
        **{name: value[name] for name in ("score", "points", "result", "reason", "detail", "version", "finished")},
    )


class _Claims:
    """Which games are being played: one byte of an empty file for each, locked by the process that plays it.

    The file lies in the folder for temporary files, named by the ledger: locks on the ledger itself would meddle with
    SQLite's. The system drops the locks of a process that ends, however it ends.
    """

    def __init__(self, path: str, key: str) -> None:
        self._file: int | None = None
        if path == MEMORY or fcntl is None:
            return
        name = hashlib.sha256(f"{Path(path).resolve()} {key}".encode()).hexdigest()[:16]
        with contextlib.suppress(OSError):
            self._file = os.open(
                Path(tempfile.gettempdir()) / f"montego-{os.getuid()}-{name}.claims", os.O_RDWR | os.O_CREAT, 0o600
            )

    def take(self, number: int) -> bool:
        if self._file is None:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
        except OSError:
            return False
        return True

    def release(self, numbers: Iterable[int]) -> None:
        if self._file is not None:
            for number in numbers:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, number)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
