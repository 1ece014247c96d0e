"""What comes from outside and what goes there: texts that are safe to show, files that are read and written whole.

Names, comments and replies of other programs may hold anything, a terminal's control sequences too: ``printable`` is
what may be shown of them. Files are read and written by ``read_file`` and ``write_file`` alone. Both know plain files
only: a device never ends, and a FIFO waits for a partner that may never come.
"""

import contextlib
import os
import signal
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path

from montego.errors import MontegoError

_SQLITE = b"SQLite format 3\0"  # how a ledger begins
LONGEST_FILE = 200_000_000  # bytes; a longer one is not a game or a tournament

# Control characters (C0, DEL, C1), which terminals obey, and the marks that turn the direction of a text around.
_UNSAFE = [*range(32), *range(127, 160), 0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_REPLACED = {code: "" for code in _UNSAFE if chr(code) not in "\t\n"} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


def printable(text: str) -> str:
    """Return a text without what a terminal would obey; lines and tabs stay, halves of characters are replaced."""
    return text.translate(_REPLACED)


def printable_line(text: str) -> str:
    """Return a text as one line that is safe to show."""
    return printable(" ".join(text.split()))


def signal_name(number: int) -> str:
    """Return the name of a signal by which a process ended; real-time signals have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def read_file(path: str | Path) -> bytes:
    """Return the content of a plain file, or raise one line that says why not."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
        with open(descriptor, "rb") as file:  # noqa: PTH123 (by its descriptor: what is checked is what is read)
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise MontegoError(f"cannot read '{path}': it is not a plain file")
            if found.st_size > LONGEST_FILE:
                raise MontegoError(f"cannot read '{path}': it has more than {LONGEST_FILE // 10**6} MB")
            return file.read(LONGEST_FILE)
    except (OSError, ValueError, TypeError) as problem:
        raise _explained("read", path, problem) from None


def read_text(path: str | Path) -> str:
    """Return the content of a plain file in UTF-8, or raise one line that says why not."""
    try:
        return read_file(path).decode()
    except UnicodeDecodeError as problem:
        raise MontegoError(f"cannot read '{path}': it is not UTF-8 (byte {problem.start})") from None


def check_outputs(outputs: Iterable[str | Path | None], inputs: Iterable[str | Path | None] = ()) -> None:
    """Refuse, before any work, files to be written that are also read, are named twice or may not be replaced."""
    taken = {os.path.realpath(path): "it is read too" for path in inputs if path}
    for path in (one for one in outputs if one):
        try:
            target = os.path.realpath(path)
            if target in taken:
                raise MontegoError(f"cannot write '{path}': {taken[target]}; name another file")
            _mode_of(Path(target))
        except (OSError, ValueError) as problem:
            raise _explained("write", path, problem) from None
        taken[target] = "it is written already"


def check_ending(path: str | Path, *endings: str) -> None:
    """Refuse, before any work, a file to be written whose name does not say what it will hold."""
    if Path(path).suffix.lower() not in endings:
        raise MontegoError(f"cannot write '{path}': expected a name that ends in {' or '.join(endings)}")


def write_file(path: str | Path, content: str | bytes) -> None:
    """Write a plain file whole or not at all: beside the old one, which is replaced when everything is on the disk.

    A ledger is never replaced.
    """
    data = content.encode(errors="replace") if isinstance(content, str) else content
    try:
        target = Path(os.path.realpath(path))
        mode = _mode_of(target)
        descriptor, beside = tempfile.mkstemp(prefix=f".{target.name[:50]}.", dir=target.parent)
        try:
            with open(descriptor, "wb") as file:  # noqa: PTH123
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            Path(beside).chmod(mode)
            Path(beside).replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(beside).unlink()
            raise
    except (OSError, ValueError) as problem:
        raise _explained("write", path, problem) from None


def _mode_of(target: Path) -> int:
    """Return the permissions for a file: those of the one that is replaced, or what the user gives to new files."""
    try:
        found = target.stat()
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
    if stat.S_ISDIR(found.st_mode):
        raise OSError("it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise OSError("it is not a plain file")
    if _begins_as_sqlite(target):
        raise OSError("it is a SQLite file, such as a ledger; name another file")
    return stat.S_IMODE(found.st_mode)


def _begins_as_sqlite(target: Path) -> bool:
    if not os.access(target, os.R_OK):
        return False
    with target.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def _explained(doing: str, path: str | Path, problem: Exception) -> MontegoError:
    if isinstance(problem, MontegoError):
        return problem
    reason = getattr(problem, "strerror", None) or str(problem)
    return MontegoError(f"cannot {doing} '{path}': {reason}")
