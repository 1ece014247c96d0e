"""Which games are being played right now, so that several processes can share the work of one ledger.

The claims are locks of the operating system, which releases them when the process ends, for whatever reason. They are
held on an empty file beside the ledger, which nobody else can open, as locks on the ledger itself would interfere with
SQLite's own. The last process that uses the file removes it. Locks of this kind belong to a process, which loses all of
them when it closes the file, so that all claims of a process on one ledger share one descriptor.
"""

import contextlib
import os
import threading
from collections.abc import Iterable
from pathlib import Path

try:
    import fcntl
except ImportError:  # not Unix: two processes may play the same game, which then counts once
    fcntl = None  # type: ignore[assignment]

SUFFIX = "-claims"
_PRESENT = 2**62  # the byte that everybody who uses the file has a shared lock on
_TRIES = 100
_lock = threading.Lock()
_shared: dict[Path, tuple[int, int]] = {}  # the descriptor of each file that this process uses, and how often it does


class Claims:
    """One byte of an empty file for each game, locked by the process that plays it."""

    def __init__(self, path: str) -> None:
        self._path = Path(f"{Path(path).resolve()}{SUFFIX}")
        self._file: int | None = None
        if fcntl is not None:
            # Without claims two processes may play a game, which then counts once.
            with _lock, contextlib.suppress(OSError):
                self._file, users = _shared.get(self._path) or (self._open(), 0)
                if self._file is not None:
                    _shared[self._path] = self._file, users + 1

    def _open(self) -> int | None:
        """Open the file and announce that it is in use; again, if it was removed in between."""
        for _ in range(_TRIES):
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            try:
                fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, _PRESENT)
                if os.path.samestat(self._path.stat(), os.fstat(file)):
                    return file
            except OSError:  # being removed, or removed
                pass
            os.close(file)
        return None

    def take(self, number: int) -> bool:
        """Claim a game; False if another process has it."""
        if self._file is None:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
        except OSError:
            return False
        return True

    def alone(self) -> bool:
        """Whether nobody else uses the file for certain, in this process or another one."""
        if self._file is None:
            return False
        with _lock:
            if _shared[self._path][1] > 1:
                return False
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _PRESENT)
            except OSError:
                return False
            fcntl.lockf(self._file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, _PRESENT)
            return True

    def release(self, numbers: Iterable[int]) -> None:
        """Release games."""
        if self._file is not None:
            for number in numbers:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, number)

    def close(self) -> None:
        """Use the file no more; the last user in this process releases all games, and removes it if nobody has it."""
        if self._file is None:
            return
        with _lock:
            users = _shared[self._path][1] - 1
            if users:
                _shared[self._path] = self._file, users
            else:
                del _shared[self._path]
                with contextlib.suppress(OSError):
                    fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _PRESENT)
                    self._path.unlink()
                os.close(self._file)
            self._file = None
