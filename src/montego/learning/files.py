"""Files of games: SGF texts, compressed or not, in folders or alone, and ledgers of the arena."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from montego.arena.game import FinishedGame
from montego.arena.ledger import Ledger
from montego.errors import MontegoError

SUFFIXES = (".sgf", ".sgfs")
_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open}
_LEDGER_MARK = b"SQLite format 3\0"


class RecordError(MontegoError):
    """A game record cannot be read."""


def record_texts(source: str | Path) -> Iterator[tuple[str, bytes]]:
    """Yield the SGF texts of a file or of all files in a folder, in the order of their names, each with a name.

    A file ``.sgf`` is one text with one game or a collection, a file ``.sgfs`` has a game on each line; either may be
    compressed (``.gz``, ``.xz``).
    """
    for path in _files(Path(source)):
        open_file = _OPENERS.get(path.suffix, open)
        try:
            with open_file(path, "rb") as file:
                if _kind(path) == ".sgf":
                    yield str(path), file.read()
                    continue
                for number, line in enumerate(file, 1):
                    if line.strip():
                        yield f"{path}, line {number}", line
        except (OSError, EOFError, lzma.LZMAError) as problem:
            raise RecordError(f"cannot read {path}: {problem}") from None


def _files(source: Path) -> list[Path]:
    if source.is_dir():
        found = sorted(path for path in source.rglob("*") if _kind(path) in SUFFIXES)
        if not found:
            raise RecordError(f"no game records in {source}; files must end in .sgf or .sgfs, or these with .gz or .xz")
        return found
    if not source.is_file():
        raise RecordError(f"no file or folder {source}")
    return [source]


def _kind(path: Path) -> str:
    """Return the suffix that tells what is in a file, compressed or not."""
    return Path(path.stem).suffix if path.suffix in _OPENERS else path.suffix


def is_ledger(source: str | Path) -> bool:
    """Whether a file is a ledger of the arena."""
    path = Path(source)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_LEDGER_MARK)) == _LEDGER_MARK


def ledger_games(source: str | Path) -> list[FinishedGame]:
    """Return the games of a ledger."""
    with Ledger(source, read_only=True) as ledger:
        ledger.settings()
        return ledger.games()
