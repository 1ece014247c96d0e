"""Lines from the controller, read while the engine thinks, so that thinking can be cut short."""

import os
import threading
from collections import deque

INTERRUPT = "# interrupt"
LONGEST_LINE = 100_000  # bytes; no command needs as many
_HEAD = 200  # characters kept of a longer line, for its number


class OverlongLine(str):
    """The beginning of a line that is too long to be a command."""


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

    def at_end(self) -> bool:
        """Whether the input has ended right after the line taken last."""
        return bool(self._lines) and self._lines[0] is None

    def wait(self) -> None:
        """Wait until there is more input."""
        with self._changed:
            self._changed.wait_for(self.waiting)

    def read(self, descriptor: int) -> None:
        """Read all lines of an open file; meant for a thread of its own.

        Straight from the system: a thread that waits inside Python's buffered files cannot be left behind at the end.
        Only a line feed ends a line.
        """
        rest, skipping = b"", False  # what has come of a line; whether it is too long and has been refused
        try:
            while chunk := os.read(descriptor, 1 << 16):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    if not skipping:
                        self.put(_line(line))
                    skipping = False
                if skipping or len(rest) > LONGEST_LINE:
                    if not skipping:
                        self.put(_line(rest))
                    rest, skipping = b"", True
        except OSError:  # closed by somebody else
            pass
        if rest:
            self.put(_line(rest))
        self.put(None)


def _line(line: bytes) -> str:
    """Return a line as text; of one that is too long, its beginning, marked as such."""
    if len(line) > LONGEST_LINE:
        return OverlongLine(line[:_HEAD].decode("utf-8", "surrogateescape"))
    return line.decode("utf-8", "surrogateescape")
