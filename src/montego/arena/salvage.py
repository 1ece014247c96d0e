"""Salvage: the sound games of a damaged ledger, whatever else in the file is damaged.

SQLite finds a row by way of a tree of pages; one bad byte in that tree hides every row below it. Here all pages of the
file, and of the log beside it, are looked at one by one, and whatever reads as a row is taken out. A row proves that it
is sound by its digest, the settings by their key, so nothing unsound can be taken for a game. The layout of pages and
rows is that of https://www.sqlite.org/fileformat2.html (sections 1.6, 2.1 and 4).
"""

from __future__ import annotations

import contextlib
import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from montego.arena.game import FinishedGame
from montego.arena.rows import COLUMNS, KINDS, digest, game_of, settings_key
from montego.errors import MontegoError
from montego.outside import read_file

_LEAF = 13  # the type of a page that holds rows
_HEADER = 100  # bytes before the content of the first page
_LOG_HEADER, _FRAME_HEADER = 32, 24
_SIZES = [512 << power for power in range(8)]
_FIXED = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes of the whole numbers by serial type
_REALS = {place for place, kind in enumerate(KINDS) if kind is float}  # SQLite stores 1.0 as 1
_LONGEST = 2**24  # bytes of a row


@dataclass
class Salvage:
    """What was found: the settings of the contest, and its sound games by number; ``damaged`` rows were not."""

    key: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    scheduled: int = 0
    created: str = ""
    version: str = ""
    games: dict[int, FinishedGame] = field(default_factory=dict)
    damaged: set[int] = field(default_factory=set)


def salvage(path: str | Path) -> Salvage:
    """Return whatever is sound in a ledger; the file is only read."""
    data = read_file(path)
    log = Path(f"{path}-wal")
    frames = read_file(log) if log.exists() else b""
    found = Salvage()
    rows: list[list[Any]] = []
    for size in _page_sizes(data):
        pages = {number + 1: data[at : at + size] for number, at in enumerate(range(0, len(data), size))}
        snapshots = [pages, pages | _logged_pages(frames, size)] if frames else [pages]
        for snapshot in snapshots:
            rows += list(_rows(snapshot, size))
        if rows:
            break
    for row in rows:
        if len(row) == 5 and _is_settings(row):
            found.key, found.scheduled, found.created, found.version = row[0], row[2], row[3], row[4]
            found.settings = json.loads(row[1])
    for row in rows:
        if len(row) == len(COLUMNS) + 2 and isinstance(row[1], int):
            with contextlib.suppress(ValueError):  # a text where a number was
                _take_game(found, row)
    if not found.key:
        raise MontegoError(f"'{path}' cannot be repaired: the settings of its contest are damaged too; restore a copy")
    found.damaged -= set(found.games)
    return found


def _is_settings(row: list[Any]) -> bool:
    try:
        return bool(settings_key(json.loads(row[1])) == row[0]) and isinstance(row[2], int)
    except (ValueError, TypeError, RecursionError):
        return False


def _take_game(found: Salvage, row: list[Any]) -> None:
    """Keep a row whose digest is right and that belongs to the contest."""
    key, *values, written = row
    values = [float(value) if place in _REALS else value for place, value in enumerate(values)]
    if key == found.key and digest(tuple(values)) == written:
        found.games[values[0]] = game_of(tuple(values))
    elif isinstance(key, str) and key == found.key:
        found.damaged.add(values[0])


def _page_sizes(data: bytes) -> list[int]:
    """Return the size of pages that the file names, if it is one, and then the others that there may be."""
    named = struct.unpack(">H", data[16:18])[0] if len(data) >= _HEADER else 0
    named = 65536 if named == 1 else named
    return [named, *(size for size in _SIZES[::-1] if size != named)] if named in _SIZES else [4096, *_SIZES]


def _logged_pages(frames: bytes, size: int) -> dict[int, bytes]:
    """Return the pages of a write-ahead log, the last of each number."""
    pages = {}
    for at in range(_LOG_HEADER, len(frames) - _FRAME_HEADER - size + 1, _FRAME_HEADER + size):
        number = struct.unpack(">I", frames[at : at + 4])[0]
        pages[number] = frames[at + _FRAME_HEADER : at + _FRAME_HEADER + size]
    return pages


def _rows(pages: dict[int, bytes], size: int) -> Iterator[list[Any]]:
    """Yield whatever reads as a row of a table."""
    for number, page in pages.items():
        start = _HEADER if number == 1 else 0
        if len(page) < size or page[start] != _LEAF:
            continue
        count = struct.unpack(">H", page[start + 3 : start + 5])[0]
        for place in range(start + 8, min(start + 8 + 2 * count, size - 1), 2):
            try:
                row = _record(_payload(pages, page, struct.unpack(">H", page[place : place + 2])[0], size))
            except (IndexError, ValueError, KeyError, struct.error, OverflowError):
                continue
            yield row


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and the place behind it."""
    value = 0
    for count in range(8):
        byte = data[at + count]
        value = value << 7 | byte & 127
        if byte < 128:
            return value, at + count + 1
    return value << 8 | data[at + 8], at + 9


def _payload(pages: dict[int, bytes], page: bytes, at: int, size: int) -> bytes:
    """Return the bytes of a row, those on overflow pages included."""
    length, at = _varint(page, at)
    _, at = _varint(page, at)  # the row's own number
    if length > _LONGEST:
        raise ValueError("too long")
    most, least = size - 35, (size - 12) * 32 // 255 - 23
    here = length if length <= most else least + (length - least) % (size - 4)
    here = here if here <= most else least
    payload = page[at : at + here]
    if here < length:
        following = struct.unpack(">I", page[at + here : at + here + 4])[0]
        while len(payload) < length:
            beyond = pages[following]
            payload += beyond[4 : 4 + length - len(payload)]
            following = struct.unpack(">I", beyond[:4])[0]
    return payload


def _record(payload: bytes) -> list[Any]:
    """Return the values of a row."""
    end, at = _varint(payload, 0)
    kinds = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    return values


def _value(payload: bytes, at: int, kind: int) -> tuple[Any, int]:
    """Return a value of a serial type, and the place behind it."""
    if kind in _FIXED:
        end = at + _FIXED[kind]
        return int.from_bytes(payload[at:end], "big", signed=True), end
    if kind == 7:
        return struct.unpack(">d", payload[at : at + 8])[0], at + 8
    if kind in (8, 9):
        return kind - 8, at
    if kind >= 13 and kind % 2:
        end = at + (kind - 13) // 2
        return payload[at:end].decode(), end
    raise ValueError("not a value of a ledger")
