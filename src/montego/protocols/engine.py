"""A program that speaks GTP, run as a child process: questions, answers, and every way in which it can fail.

Whatever goes wrong (a crash, silence, garbage, a refusal) becomes ``Forfeit`` with the last lines of the program's stderr.
No wait is without limit, and a program that is closed or has failed is killed with all its children.
"""

import contextlib
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from multiprocessing.util import Finalize
from typing import IO

from montego.errors import Forfeit, MontegoError

TAIL = 4000  # bytes of stderr to keep
_ANSWER_LIMIT = 1_000_000  # bytes; a longer answer is garbage
_GOODBYE = 0.5  # seconds that a program has to leave after quit, or to die after it closed its output
_GAMES = os.pathsep.join(["/usr/games", "/usr/local/games"])  # where Debian puts programs that are on few paths


def program_of(command: str) -> list[str]:
    """Return a command line as arguments, the program by its path; refuse what cannot be run."""
    try:
        arguments = shlex.split(command)
    except ValueError as problem:
        raise MontegoError(f"cannot read the command {command!r}: {str(problem).lower()}") from None
    if not arguments:
        raise MontegoError('a command is missing; expected one such as "gnugo --mode gtp"')
    path = shutil.which(arguments[0]) or shutil.which(arguments[0], path=_GAMES)
    if path is None:
        raise MontegoError(f"no program '{arguments[0]}' found to run {command!r}")
    return [path, *arguments[1:]]


class Engine:
    """One running program. ``ask`` is all there is to it; after a ``Forfeit`` it is dead."""

    def __init__(self, command: str) -> None:
        self.name = os.path.basename(shlex.split(command)[0])
        try:
            self._process = subprocess.Popen(
                program_of(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # a group of its own: it is killed with its children, and Ctrl-C is ours alone
            )
        except OSError as problem:
            raise MontegoError(f"cannot run {command!r}: {problem.strerror or problem}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._buffer = b""
        self._tail: deque[bytes] = deque()
        self._drain = threading.Thread(target=_keep_tail, args=(self._process.stderr, self._tail), daemon=True)
        self._drain.start()
        # Also at the end of the interpreter, of a worker process, and of the last reference.
        self._stop = Finalize(self, _kill, (self._process,), exitpriority=100)

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the program has not been closed."""
        return bool(self._stop.still_active())

    def stderr_tail(self) -> str:
        """Return the last lines that the program wrote to stderr."""
        return b"".join(self._tail)[-TAIL:].decode(errors="replace").strip()

    def ask(self, command: str, seconds: float) -> str:
        """Return the answer to a command, without its ``=``; a refusal raises ``Refusal``, any fault ``Forfeit``."""
        if not self.alive:
            raise Forfeit(f"{self.name} is not running", self.stderr_tail())
        try:
            self._stdin.write(f"{command}\n".encode())
        except OSError:
            raise self._failure(f"before '{command}'") from None
        answer = self._answer(command, seconds)
        text = answer[1:].lstrip("0123456789").strip()
        if answer.startswith("?"):
            raise Refusal(f"{self.name} refused '{command}': {text or 'without a reason'}", self.stderr_tail())
        return text

    def _answer(self, command: str, seconds: float) -> str:
        """Return the next answer, which starts with = or ? and ends with an empty line."""
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            while True:
                text = self._buffer.replace(b"\r", b"").lstrip(b" \t\n")
                if text and text[:1] not in b"=?":
                    line = text.partition(b"\n")[0][:60].decode(errors="replace")
                    raise self._dead(f"{self.name} answered '{command}' with {line!r}, which is not GTP")
                body, end, rest = text.partition(b"\n\n")
                if end:
                    self._buffer = rest
                    return body.decode(errors="replace")
                if len(text) > _ANSWER_LIMIT:
                    raise self._dead(f"{self.name} answered '{command}' without an end")
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    raise self._dead(f"{self.name} did not answer '{command}' within {seconds:g} s")
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
            return Forfeit(f"{self.name} crashed {when}: {signal.Signals(-code).name}", self.stderr_tail())
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
        for pipe in (self._stdin, self._stdout):
            with contextlib.suppress(OSError):
                pipe.close()


class Refusal(Forfeit):
    """The program answered with ``?``; it goes on running."""


def _has_ended(process: "subprocess.Popen[bytes]") -> bool:
    """Whether a process has ended; its id stays taken until it is waited for, so that its group can be killed safely."""
    if process.returncode is not None:
        return True
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process and its group, and wait for it."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _keep_tail(pipe: IO[bytes], tail: "deque[bytes]") -> None:
    """Read a pipe to its end and keep what came last; runs in a thread of its own."""
    size = 0
    with pipe:
        while chunk := pipe.read(4096):
            tail.append(chunk)
            size += len(chunk)
            while size - len(tail[0]) >= TAIL:
                size -= len(tail.popleft())
