"""A program that speaks GTP, run as a child process: questions, answers, and every way in which it can fail.

Whatever goes wrong (a crash, silence, garbage, a refusal) becomes ``Forfeit`` with the last lines of the program's
stderr. No wait is without limit, whatever the program does. It runs under a keeper (``keeper.py``), which kills it with
all its children when it is closed, has failed, or when this process ends in any way.
"""

import contextlib
import os
import selectors
import shlex
import shutil
import subprocess
import threading
import time
from collections import deque
from multiprocessing.util import Finalize
from pathlib import Path
from typing import IO

from montego.errors import Forfeit, MontegoError, SpecError
from montego.opponents.keeping import end_kept, start_kept
from montego.outside import signal_name

TAIL = 4000  # bytes of stderr to keep
_ANSWER_LIMIT = 1_000_000  # bytes; a longer answer is garbage
_SHOWN = 80  # characters of a command in a message
_GOODBYE = 0.5  # seconds that a program has to leave after quit, or to die after it closed its output
_GLANCE = 0.1  # seconds between two looks whether a silent program still lives
_GAMES = os.pathsep.join(["/usr/games", "/usr/local/games"])  # where Debian puts programs that are on few paths


def words_of(command: str) -> list[str]:
    """Return a command line as words, by the rules of the shell; refuse one that cannot be read."""
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise SpecError(f"gtp: cannot read the command {command!r}: {str(problem).lower()}") from None
    if not words:
        raise SpecError('gtp: command must be a command line such as "gnugo --mode gtp", not an empty one')
    return words


def program_of(command: str) -> list[str]:
    """Return a command line as words, the program by its path; refuse a program that is not there."""
    arguments = words_of(command)
    path = shutil.which(arguments[0]) or shutil.which(arguments[0], path=_GAMES)
    if path is None:
        raise MontegoError(f"no program '{arguments[0]}' on this machine to run {command!r}")
    return [path, *arguments[1:]]


class Engine:
    """One running program. ``ask`` is all there is to it; after a ``Forfeit`` it is dead."""

    def __init__(self, command: str) -> None:
        self.name = Path(words_of(command)[0]).name
        program = program_of(command)
        pipe = subprocess.PIPE
        self._process, held = start_kept(program, stdin=pipe, stdout=pipe, stderr=pipe)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin, self._stdout, self._stderr = self._process.stdin, self._process.stdout, self._process.stderr
        os.set_blocking(self._stdin.fileno(), False)  # a program that does not read must not stop us
        self._buffer = b""
        self._tail: deque[bytes] = deque()
        self._drain = threading.Thread(target=_keep_tail, args=(self._stderr, self._tail), daemon=True)
        self._drain.start()
        # Also at the end of the interpreter, of a worker process, and of the last reference.
        self._stop = Finalize(self, end_kept, (self._process, held), exitpriority=100)

    @property
    def pid(self) -> int:
        """The id of the keeper, which ends as the program does."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the program has not been closed."""
        return bool(self._stop.still_active())

    def stderr_tail(self) -> str:
        """Return the last lines that the program wrote to stderr, up to what it said before its last answer."""
        deadline = time.monotonic() + _GOODBYE
        while self._drain.is_alive() and time.monotonic() < deadline and _readable(self._stderr):
            time.sleep(0.002)
        time.sleep(0.002)  # between the thread's look at the pipe and its note of what it saw
        return b"".join(self._tail)[-TAIL:].decode(errors="replace").strip()

    def ask(self, command: str, seconds: float) -> str:
        """Return the answer to a command, without its ``=``; a refusal raises ``Refusal``, any fault ``Forfeit``."""
        if not self.alive:
            raise Forfeit(f"{self.name} is not running", self.stderr_tail())
        deadline = time.monotonic() + seconds
        try:
            self._send(command, seconds, deadline)
            command = command[:_SHOWN]
            answer = self._answer(command, seconds, deadline)
        except KeyboardInterrupt:  # this answer would be taken for that of the next command
            self.close()
            raise
        text = answer[1:].lstrip("0123456789").strip()
        if answer.startswith("?"):
            raise Refusal(f"{self.name} refused '{command}': {text or 'without a reason'}", self.stderr_tail())
        return text

    def _send(self, command: str, seconds: float, deadline: float) -> None:
        """Write a command, as far as the program reads, until the deadline."""
        rest = f"{command}\n".encode()
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._stdin, selectors.EVENT_WRITE)
                while rest := rest[self._stdin.write(rest) or 0 :]:
                    if time.monotonic() >= deadline:
                        raise self._dead(f"{self.name} did not read '{command[:_SHOWN]}' within {seconds:g} s")
                    selector.select(_GLANCE)
        except OSError:
            raise self._failure(f"before '{command[:_SHOWN]}'") from None

    def _answer(self, command: str, seconds: float, deadline: float) -> str:
        """Return the next answer, which starts with = or ? and ends with an empty line."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            while True:
                self._buffer = text = self._buffer.replace(b"\r", b"").lstrip(b" \t\n")
                if text and text[:1] not in b"=?":
                    line = text.partition(b"\n")[0][:60].decode(errors="replace")
                    raise self._dead(f"{self.name} answered '{command}' with {line!r}, which is not GTP")
                body, end, rest = text.partition(b"\n\n")
                if end:
                    self._buffer = rest
                    return body.decode(errors="replace")
                if len(text) > _ANSWER_LIMIT:
                    raise self._dead(f"{self.name} answered '{command}' without an end")
                if time.monotonic() >= deadline:  # also if something arrives all the time
                    raise self._dead(f"{self.name} did not answer '{command}' within {seconds:g} s")
                ended = _has_ended(self._process)  # asked before the look at the pipe, so that no last word is missed
                if not selector.select(max(0.0, min(_GLANCE, deadline - time.monotonic()))):
                    if ended:  # a child of the program holds the pipe open
                        raise self._failure(f"during '{command}'")
                    continue
                chunk = os.read(self._stdout.fileno(), 65536)
                if not chunk:
                    raise self._failure(f"during '{command}'")
                self._buffer += chunk

    def _failure(self, when: str) -> Forfeit:
        """Return the forfeit of a program that closed its end of a pipe, with how it ended."""
        deadline = time.monotonic() + _GOODBYE
        while not _has_ended(self._process) and time.monotonic() < deadline:
            time.sleep(0.005)
        ended = _has_ended(self._process)
        self.close()
        code = self._process.returncode
        if not ended:
            return Forfeit(f"{self.name} closed its output {when}", self.stderr_tail())
        if code < 0:
            return Forfeit(f"{self.name} crashed {when}: {signal_name(-code)}", self.stderr_tail())
        return Forfeit(f"{self.name} ended {when} with exit code {code}", self.stderr_tail())

    def _dead(self, reason: str) -> Forfeit:
        """Kill the program and return the forfeit."""
        self.close()
        return Forfeit(reason, self.stderr_tail())

    def close(self, polite: bool = False) -> None:
        """End the program and its children; a polite end says quit first and waits a moment."""
        if polite and self.alive and not _has_ended(self._process):
            with contextlib.suppress(OSError):
                self._stdin.write(b"quit\n")
            deadline = time.monotonic() + _GOODBYE
            while not _has_ended(self._process) and time.monotonic() < deadline:
                time.sleep(0.002)
        self._stop()
        self._drain.join(_GOODBYE)  # the tail is complete, unless a stray process still holds the pipe


class Refusal(Forfeit):
    """The program answered with ``?``; it goes on running."""


def _has_ended(process: "subprocess.Popen[bytes]") -> bool:
    """Whether a process has ended; its id stays taken until it is waited for, so its group can be killed safely."""
    if process.returncode is not None:
        return True
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _readable(pipe: IO[bytes]) -> bool:
    """Whether there is something to read in a pipe."""
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            return bool(selector.select(0))
    except ValueError:  # closed meanwhile
        return False


def _keep_tail(pipe: IO[bytes], tail: "deque[bytes]") -> None:
    """Read a pipe to its end and keep what came last; runs in a thread of its own."""
    size = 0
    with pipe:
        while chunk := pipe.read(4096):
            tail.append(chunk)
            size += len(chunk)
            while size - len(tail[0]) >= TAIL:
                size -= len(tail.popleft())
