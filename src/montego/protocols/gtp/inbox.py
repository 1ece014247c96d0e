"""Lines from the controller, read while the engine thinks, so that thinking can be cut short."""

import os
import threading
from collections import deque

INTERRUPT = "# interrupt"


class Inbox:
    """Lines in the order in which they arrived; the end of input is None.

    ``# interrupt`` (GoGui's way to stop a command) does not count as a line: it stops everything before it that is not
    done yet.
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
        """Whether anything follows the line taken last, be it the end of input or an interrupt."""
        return bool(self._lines) or self.interrupted()

    def interrupted(self) -> bool:
        """Whether the line taken last is to be cut short."""
        return self._interrupted >= self._taken > 0

    def wait(self) -> None:
        """Wait until there is more input."""
        with self._changed:
            self._changed.wait_for(self.waiting)

    def read(self, descriptor: int) -> None:
        """Read all lines of an open file; meant for a thread of its own.

        Straight from the system: a thread that waits inside Python's buffered files cannot be left behind at the end.
        Only a line feed ends a line.
        """
        rest = b""
        try:
            while chunk := os.read(descriptor, 1 << 16):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self.put(line.decode("utf-8", "surrogateescape"))
        except OSError:  # closed by somebody else
            pass
        if rest:
            self.put(rest.decode("utf-8", "surrogateescape"))
        self.put(None)
