"""Workers: they take tasks and hand back finished games, in whatever order the games end.

``LocalWorkers`` are processes on this machine, ``cluster.ClusterWorkers`` those of a Dask cluster, and ``NoWorkers``
plays in this process. All use ``play_game``, so a game is the same wherever it is played. A game whose worker dies is
given to another one.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Protocol

from montego.arena.game import FinishedGame, Task, play_game, warm_up
from montego.errors import MontegoError
from montego.loading import load_file

MAX_ATTEMPTS = 4  # workers that may die during one game before the game is blamed
_WAITING = 2  # tasks given to a process at a time if games are short: one to play, one waiting
_SHORT_GAME = 0.5  # seconds; after a longer game a process can wait for its next one
_GRACE_SECONDS = 2.0
_SAFE_PATH = "PYTHONSAFEPATH"


class Workers(Protocol):
    """What the loop of a match needs from workers."""

    @property
    def capacity(self) -> int:
        """The number of tasks to hand out so that no worker is idle."""

    def submit(self, task: Task) -> None:
        """Take a task."""

    def collect(self, timeout: float) -> list[FinishedGame]:
        """Return the games finished since the last call; wait at most ``timeout`` seconds for the first."""

    def close(self) -> None:
        """Stop at once; unfinished games are lost."""


@dataclass(frozen=True)
class UserFile:
    """A user's file with games or players, with its text, for workers that do not see the same disk."""

    path: str
    source: str

    @classmethod
    def read(cls, path: str) -> UserFile:
        """Take a file that this process has loaded."""
        return cls(str(Path(path).resolve()), Path(path).read_text(encoding="utf-8"))

    def load(self) -> None:
        """Import the file, or its text where there is no such file."""
        file = Path(self.path)
        if file.name in _loaded:
            if _loaded[file.name] != self.source:
                raise MontegoError(f"this worker has already loaded another {file.name}; restart the workers")
            return
        try:
            there = file.read_text(encoding="utf-8") == self.source
        except OSError:
            there = False
        if not there:
            file = Path(tempfile.mkdtemp(prefix="montego-")) / file.name
            file.write_text(self.source, encoding="utf-8")
        load_file(str(file))
        _loaded[file.name] = self.source


_loaded: dict[str, str] = {}  # name of a user's file -> its text, in this process


_warm: set[tuple[str, str]] = set()  # games and players whose code this process has loaded


def play_warm(task: Task) -> FinishedGame:
    """Play a game after loading all code, so that the clocks measure only thinking."""
    for spec in task.specs:
        if (task.game, spec) not in _warm:
            _warm.add((task.game, spec))
            with contextlib.suppress(MontegoError):  # the game itself will show the problem
                warm_up(task.game, [spec])
    return play_game(task)


class NoWorkers:
    """Play in this process, one game after the other."""

    capacity = 1

    def __init__(self) -> None:
        self._tasks: deque[Task] = deque()

    def submit(self, task: Task) -> None:
        self._tasks.append(task)

    def collect(self, timeout: float) -> list[FinishedGame]:
        if not self._tasks:
            time.sleep(timeout)
            return []
        with _interrupt_afterwards():
            return [play_warm(self._tasks.popleft())]

    def close(self) -> None:
        self._tasks.clear()


@contextlib.contextmanager
def _interrupt_afterwards() -> Iterator[None]:
    """Delay Ctrl-C until the end of a game, so that no game is cut off in the middle."""
    pressed: list[int] = []
    with _on_interrupt(lambda number, frame: pressed.append(number)):
        yield
    if pressed:
        raise KeyboardInterrupt


@contextlib.contextmanager
def _on_interrupt(handler: Any) -> Iterator[None]:
    """Handle Ctrl-C in another way for a while; only the main thread may and needs to."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# ---------------------------------------------------------------------------------------------------- local processes


@dataclass
class _Worker:
    """One process, and the tasks it has been given, in the order in which it plays them."""

    process: Any
    channel: Connection
    tasks: deque[Task] = field(default_factory=deque)


class LocalWorkers:
    """Processes of this machine, each playing one game at a time."""

    def __init__(self, count: int, files: Sequence[UserFile] = ()) -> None:
        self.capacity = count * _WAITING
        self._files = list(files)
        self._tasks: deque[Task] = deque()  # not given to a process yet
        self._attempts: dict[int, int] = {}  # how often the process of a game has died
        self._mean_seconds = _SHORT_GAME  # of the last games
        self._workers = [self._start() for _ in range(count)]

    def _start(self) -> _Worker:
        here, there = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        arguments = (there, self._files, os.environ.get(_SAFE_PATH))
        process = context.Process(target=_serve, args=arguments, daemon=True, name="montego-worker")
        with _on_interrupt(signal.SIG_IGN), _safe_path():  # inherited: the parent decides when the process ends
            process.start()
        there.close()
        return _Worker(process, here)

    def submit(self, task: Task) -> None:
        self._tasks.append(task)
        self._give()

    def _give(self) -> None:
        """Give waiting tasks to the processes that have the fewest."""
        most = _WAITING if self._mean_seconds < _SHORT_GAME else 1
        while self._tasks:
            worker = min(self._workers, key=lambda one: len(one.tasks))
            if len(worker.tasks) >= most:
                return
            task = self._tasks.popleft()
            worker.tasks.append(task)
            with contextlib.suppress(OSError):  # the process has died; ``collect`` will give the task to another
                worker.channel.send(task)

    def collect(self, timeout: float) -> list[FinishedGame]:
        ready = wait([worker.channel for worker in self._workers], timeout)
        finished: list[FinishedGame] = []
        for worker in list(self._workers):
            if worker.channel in ready:
                self._receive(worker, finished)
        self._give()
        return finished

    def _receive(self, worker: _Worker, finished: list[FinishedGame]) -> None:
        """Take what a process has sent; replace the process if it has ended."""
        try:
            while worker.channel.poll():
                answer = worker.channel.recv()
                task = worker.tasks.popleft()
                if isinstance(answer, str):
                    raise MontegoError(f"game {task.number} cannot be played: {answer}")
                self._attempts.pop(task.number, None)
                self._mean_seconds += 0.1 * (sum(answer.seconds) - self._mean_seconds)
                finished.append(answer)
        except (EOFError, OSError):
            self._replace(worker)

    def _replace(self, worker: _Worker) -> None:
        worker.process.join(_GRACE_SECONDS)
        worker.channel.close()
        if worker.tasks:
            number = worker.tasks[0].number
            self._attempts[number] = self._attempts.get(number, 0) + 1
            if self._attempts[number] >= MAX_ATTEMPTS:
                code = worker.process.exitcode
                raise MontegoError(
                    f"game {number} ({' - '.join(worker.tasks[0].specs)}) has crashed {MAX_ATTEMPTS} worker processes,"
                    f" the last with exit code {code}; the finished games are kept"
                )
        self._tasks.extendleft(reversed(worker.tasks))
        self._workers[self._workers.index(worker)] = self._start()

    def process_ids(self) -> list[int]:
        """Return the ids of the processes."""
        return [worker.process.pid for worker in self._workers]

    def close(self) -> None:
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join(_GRACE_SECONDS)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.channel.close()


@contextlib.contextmanager
def _safe_path() -> Iterator[None]:
    """Let processes that are started meanwhile import nothing from the current directory.

    A new interpreter would take ``signal.py`` or ``multiprocessing.py`` from there before its own. Python's own
    processes, such as the one that tracks resources, are started in the same way.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        _restore_safe_path(before)


def _restore_safe_path(before: str | None) -> None:
    if before is None:
        os.environ.pop(_SAFE_PATH, None)
    else:
        os.environ[_SAFE_PATH] = before


def _serve(channel: Connection, files: Sequence[UserFile], safe_path: str | None) -> None:
    """Play the tasks that arrive through a channel until it is closed; runs in a separate process."""
    _restore_safe_path(safe_path)  # programs that are started here get the environment that the user has
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))  # so that players are closed
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        for file in files:
            file.load()
        while True:
            try:
                task = channel.recv()
            except EOFError:
                return
            channel.send(play_warm(task))
    except BrokenPipeError:
        return
    except Exception:
        with contextlib.suppress(OSError):
            channel.send(" ".join(traceback.format_exc().splitlines()[-1:]))


def _end_with_parent() -> None:
    """End this process when its parent is gone, even in the middle of a game."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_GRACE_SECONDS)
        os._exit(1)
