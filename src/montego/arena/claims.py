"""Which games are being played right now, so that several processes can share the work of one ledger.

The claims are locks of the operating system, which releases them when the process ends, for whatever reason. They are
held on a temporary file named after the ledger: locks on the ledger itself would interfere with SQLite's own.
"""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

try:
    import fcntl
except ImportError:  # not Unix: two processes may play the same game, which then counts once
    fcntl = None  # type: ignore[assignment]


class Claims:
    """One byte of an empty file for each game, locked by the process that plays it."""

    def __init__(self, path: str, key: str) -> None:
        self._file: int | None = None
        if fcntl is None:
            return
        name = hashlib.sha256(f"{Path(path).resolve()} {key}".encode()).hexdigest()[:16]
        with contextlib.suppress(OSError):
            self._file = os.open(
                Path(tempfile.gettempdir()) / f"montego-{os.getuid()}-{name}.claims", os.O_RDWR | os.O_CREAT, 0o600
            )

    def take(self, number: int) -> bool:
        """Claim a game; False if another process has it."""
        if self._file is None:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
        except OSError:
            return False
        return True

    def release(self, numbers: Iterable[int]) -> None:
        """Release games."""
        if self._file is not None:
            for number in numbers:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, number)

    def close(self) -> None:
        """Release all games."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
