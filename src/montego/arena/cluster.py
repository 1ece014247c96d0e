"""Workers of a Dask cluster: the same tasks, played on other machines.

The scheduler gives the task of a lost worker to another one. A task that the scheduler gives up on is submitted again.
"""

from __future__ import annotations

import contextlib
import queue
import re
from collections.abc import Iterator, Sequence
from typing import Any

from montego.arena.game import FinishedGame, Task, warm_up
from montego.arena.workers import MAX_ATTEMPTS, UserFile, play_warm
from montego.errors import MontegoError

_WAITING = 2  # tasks for each thread of the cluster
_CONNECT_SECONDS = 10
_ADDRESS = re.compile(r"((tcp|tls|ucx|ws|wss)://)?(\[[\da-fA-F:.%]+\]|[^\s/:\[\]]+):\d{1,5}")


class ClusterWorkers:
    """The workers of a Dask cluster, by the address of its scheduler."""

    def __init__(self, address: str, game: str, specs: Sequence[str], files: Sequence[UserFile] = ()) -> None:
        if not _ADDRESS.fullmatch(address):
            raise MontegoError(f"'{address}' is not the address of a Dask scheduler; expected tcp://host:port")
        try:
            import distributed
        except ImportError:
            raise MontegoError("a cluster needs the package 'distributed': pip install 'montego[cluster]'") from None
        self._files, self._address = list(files), address
        try:
            self._client: Any = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError, TimeoutError) as problem:
            first = str(problem).strip().splitlines()[0] if str(problem).strip() else type(problem).__name__
            raise MontegoError(
                f"no Dask scheduler answers at '{address}' ({first}); expected an address such as tcp://host:8786"
            ) from None
        self._finished: queue.SimpleQueue[tuple[Task, Any]] = queue.SimpleQueue()
        self._futures: dict[int, Any] = {}
        self._attempts: dict[int, int] = {}
        try:
            self._warm_up(game, specs)
        except BaseException:
            self.close()
            raise

    @property
    def capacity(self) -> int:
        """Two tasks for every thread there is right now; workers may come and go."""
        with self._scheduler():
            return max(1, _WAITING * int(sum(self._client.nthreads().values())))

    @contextlib.contextmanager
    def _scheduler(self) -> Iterator[None]:
        """Say in one line that the scheduler has gone; Dask raises all kinds of errors then, after some patience."""
        try:
            yield
        except (MontegoError, queue.Empty):
            raise
        except Exception as problem:
            if self._client.status == "running" and not isinstance(problem, OSError):
                raise
            raise MontegoError(
                f"the Dask scheduler at {self._address} has gone; the finished games are kept: start it again and run"
                " the same command"
            ) from None

    def _warm_up(self, game: str, specs: Sequence[str]) -> None:
        """Wait for a first worker, then let one worker per machine compile; the others find the code in the cache."""
        with contextlib.suppress(TimeoutError):
            self._client.wait_for_workers(1, timeout=_CONNECT_SECONDS)
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        if not workers:
            raise MontegoError(f"the Dask cluster at {self._client.scheduler.address} has no workers; start some first")
        one_of_host = {info["host"]: address for address, info in workers.items()}
        self._client.run(_prepare, self._files, game, list(specs), workers=list(one_of_host.values()))

    def submit(self, task: Task) -> None:
        key = f"montego-game-{task.number}-{id(self)}-{self._tries(task)}"
        with self._scheduler():
            future = self._client.submit(_play, self._files, task, pure=False, key=key)
            self._futures[task.number] = future
            future.add_done_callback(lambda done: self._finished.put((task, done)))

    def _tries(self, task: Task) -> int:
        return self._attempts.get(task.number, 0)

    def collect(self, timeout: float) -> list[FinishedGame]:
        finished: list[FinishedGame] = []
        with contextlib.suppress(queue.Empty), self._scheduler():
            self._take(self._finished.get(timeout=timeout), finished)
            while True:
                self._take(self._finished.get_nowait(), finished)
        return finished

    def _take(self, done: tuple[Task, Any], finished: list[FinishedGame]) -> None:
        """Keep a game, or submit it again if it was lost with its worker."""
        task, future = done
        if self._futures.pop(task.number, None) is not future:
            return  # from a task that has been submitted again since
        if future.status == "finished":
            finished.append(future.result())
            return
        problem = future.exception() if future.status == "error" else None
        self._attempts[task.number] = self._tries(task) + 1
        lost = future.status in ("lost", "cancelled") or type(problem).__name__ in ("KilledWorker", "CancelledError")
        if not lost or self._tries(task) >= MAX_ATTEMPTS:
            raise MontegoError(f"game {task.number} cannot be played on the cluster: {problem or future.status}")
        self.submit(task)

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._client.cancel(list(self._futures.values()))
        self._futures.clear()
        with contextlib.suppress(Exception):
            self._client.close()


def _load(files: Sequence[UserFile]) -> None:
    for file in files:
        file.load()


def _prepare(files: Sequence[UserFile], game: str, specs: Sequence[str]) -> None:
    _load(files)
    warm_up(game, list(specs))


def _play(files: Sequence[UserFile], task: Task) -> FinishedGame:
    _load(files)
    return play_warm(task)
