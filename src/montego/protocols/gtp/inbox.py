"""Lines from the controller, read while the engine thinks, so that thinking can be cut short."""

import threading
from collections import deque
from typing import TextIO

INTERRUPT = "# interrupt"


class Inbox:
    """Lines in the order in which they came; the end of input is None.

    ``# interrupt`` (GoGui's way to stop a command) is no line: it concerns whatever came before it and is not done yet.
    """

    def __init__(self) -> None:
        self._lines: deque[str | None] = deque()
        self._changed = threading.Condition()
        self._received = 0
        self._taken = 0
        self._interrupted = 0  # every line up to this number is to be cut short

    def put(self, line: str | None) -> None:
        """Add a line."""
        with self._changed:
            if line is not None and " ".join(line.split()) == INTERRUPT:
                self._interrupted = self._received
            else:
                self._lines.append(line)
                self._received += 1
            self._changed.notify_all()

    def take(self) -> str | None:
        """Return the next line, waiting for it; None at the end of input."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines)
            self._taken += 1
            return self._lines.popleft()

    def waiting(self) -> bool:
        """Whether there is more input, or no more to come, behind the line taken last."""
        return bool(self._lines) or self.interrupted()

    def interrupted(self) -> bool:
        """Whether the line taken last is to be cut short."""
        return self._interrupted >= self._taken > 0

    def wait(self) -> None:
        """Wait until there is more input."""
        with self._changed:
            self._changed.wait_for(self.waiting)

    def read(self, source: TextIO) -> None:
        """Take in all lines of a file; meant for a thread of its own."""
        try:
            for line in source:
                self.put(line)
        except (OSError, ValueError):  # closed under our feet
            pass
        self.put(None)
