"""A keeper: a small process between us and another program, which ends the program whenever we end.

It is run as a script, isolated, before anything else of this package is imported. Its first argument is the number of a
pipe that we hold open: the pipe ends when we do, even by SIGKILL. Then, or when it is told to by SIGTERM, it kills the
program and everything that the program has started. It makes itself the parent of orphans (Linux), so that a child with
a session of its own is found too. When the program ends by itself, the keeper ends in the same way: with its exit code,
or by its signal.
"""

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
import time
from pathlib import Path

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_CANNOT_RUN = 127
_ROUNDS, _PAUSE = 200, 0.005  # of killing whatever is still there


def keep(lifeline: int, command: list[str]) -> None:
    """Run a command until it ends or the lifeline does; does not return."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))  # to die as it did
    waker, wakes = os.pipe()
    for end in (waker, wakes):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wakes)
    told = []
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.signal(signal.SIGTERM, lambda number, frame: told.append(number))
    _system_call(_PR_SET_CHILD_SUBREAPER, 1)
    program = _start(command)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):  # the pipes are the program's alone, so that their ends are its ends
        os.dup2(nothing, standard)
    while not told:
        status = _status_of(program)
        if status is not None:
            _kill_all()
            _end_like(status)
        ready, _, _ = select.select([lifeline, waker], [], [])
        if lifeline in ready:
            break
        with contextlib.suppress(BlockingIOError):
            os.read(waker, 4096)
    _kill_all()
    os._exit(0)


def _start(command: list[str]) -> int:
    """Start the program; the system kills it if this process is killed."""
    keeper = os.getpid()
    child = os.fork()
    if child:
        return child
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    _system_call(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != keeper:
        os._exit(_CANNOT_RUN)
    try:
        os.execv(command[0], command)
    except OSError as problem:
        os.write(2, f"cannot run {command[0]}: {problem.strerror}\n".encode())
    os._exit(_CANNOT_RUN)


def _system_call(option: int, value: int) -> None:
    """Call prctl where there is one; other systems do without."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _status_of(program: int) -> int | None:
    """Collect every child that has ended; return how the program did, or None while it runs."""
    while True:
        try:
            child, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return None
        if child == program:
            return status
        if child == 0:
            return None


def _kill_all() -> None:
    """Kill all descendants, again and again until none is left: they may start others meanwhile."""
    for _ in range(_ROUNDS):
        found = _descendants()
        for process in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not found:
            return
        time.sleep(_PAUSE)


def _descendants() -> list[int]:
    """Return the ids of all processes below this one that live."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[1-9]*"):
        with contextlib.suppress(OSError, ValueError):
            state, parent = (folder / "stat").read_bytes().rpartition(b")")[2].split()[:2]
            if state not in (b"Z", b"X"):
                children.setdefault(int(parent), []).append(int(folder.name))
    found, waiting = [], [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def _end_like(status: int) -> None:
    """End with the exit code of a status, or by its signal."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        time.sleep(1)
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else _CANNOT_RUN)


if __name__ == "__main__":
    keep(int(sys.argv[1]), sys.argv[2:])
