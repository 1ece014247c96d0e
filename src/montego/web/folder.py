"""The one folder that pages may list, read and write: game records, ledgers and reports by plain names."""

from __future__ import annotations

import os
import re
from pathlib import Path

from montego.errors import MontegoError
from montego.outside import read_file, write_file
from montego.web.bounds import Refused

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _+=,.-]{0,79}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_LISTED = 500
KINDS = {"records": (".sgf", ".blksgf"), "ledgers": (".ledger",), "reports": (".json",), "figures": (".svg",)}
KINDS |= {"weights": (".npz",), "trainings": (".npz.state",)}


class Folder:
    """A folder, or none: then every request for a file is refused with a hint."""

    def __init__(self, path: str | Path | None, most_bytes: int = 5_000_000) -> None:
        self.path = None if path is None else Path(path).resolve()
        self.most_bytes = most_bytes
        if self.path is not None and not self.path.is_dir():
            raise MontegoError(f"there is no folder '{path}'; --folder names an existing one")

    def place(self, name: str, kind: str) -> Path:
        """Return the path of a file; its name has no folders in it, and no link leads out of the folder."""
        if self.path is None:
            raise Refused("no folder was chosen; montego serve --folder DIR lets pages read and write in one")
        endings = KINDS[kind]
        if not _NAME.fullmatch(name) or ".." in name or _RESERVED.fullmatch(name) or not name.lower().endswith(endings):
            raise Refused(
                f"a file is called by a plain name that ends in {' or '.join(endings)}, such as game{endings[0]}"
            )
        path = self.path / name
        if path.is_symlink() or path.resolve().parent != self.path:
            raise Refused("links are not followed; name a file of the folder itself")
        return path

    def names(self, kind: str) -> list[str]:
        """Return the names of the files of a kind, the latest first; empty without a folder."""
        if self.path is None:
            return []
        found = [
            entry
            for entry in os.scandir(self.path)
            if entry.name.lower().endswith(KINDS[kind]) and _NAME.fullmatch(entry.name) and not entry.is_symlink()
        ]
        found.sort(key=lambda entry: -entry.stat().st_mtime)
        return [entry.name for entry in found[:_LISTED]]

    def read(self, name: str, kind: str) -> bytes:
        """Return what a file holds."""
        path = self.place(name, kind)
        if path.is_file() and path.stat().st_size > self.most_bytes:
            raise Refused(f"{name} is larger than {self.most_bytes:,} bytes")
        try:
            return read_file(path)
        except MontegoError as problem:
            raise self._without_path(problem) from None

    def write(self, name: str, kind: str, text: str) -> None:
        """Write a file, whole or not at all; a file of that name is replaced."""
        path = self.place(name, kind)
        if len(text) > self.most_bytes:
            raise Refused(f"a file may have at most {self.most_bytes:,} bytes")
        try:
            write_file(path, text)
        except MontegoError as problem:
            raise self._without_path(problem) from None

    def _without_path(self, problem: MontegoError) -> Refused:
        """Return a refusal that does not tell a page where the folder is."""
        return Refused(str(problem).replace(f"{self.path}{os.sep}", ""))
