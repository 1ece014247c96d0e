"""Spending the budget of one decision: playouts, seconds, a watcher; in chunks, so that the clock is looked at.

Parallelism is outside the kernels: threads take chunks of simulations from one account until it is empty.
"""

import threading
import time
from collections.abc import Callable, Sequence

from montego.search.analysis import Analysis, Limits

_CHUNK_SECONDS = 0.01  # between two looks at the clock and the keyboard
_FIRST_CHUNK = 16
_NO_END = 10**15


class Budget:
    """What is left of the playouts and of the time of one decision. Threads may share it."""

    def __init__(self, playouts: int, seconds: float, limits: Limits) -> None:
        playouts = playouts if limits.playouts is None else limits.playouts
        seconds = seconds if limits.seconds is None else limits.seconds
        self.left = playouts or _NO_END
        self.began = time.perf_counter()
        self.deadline = self.began + seconds if seconds else float("inf")
        self.watch = limits.watch
        self.started = False
        self._stopped = False
        self._lock = threading.Lock()

    def elapsed(self) -> float:
        """Return the seconds since the decision began."""
        return time.perf_counter() - self.began

    def take(self, wish: int) -> int:
        """Take up to ``wish`` playouts from the account; 0 when it is empty or the time is over, but not at first."""
        with self._lock:
            late = self._stopped or (self.started and time.perf_counter() >= self.deadline)
            count = 0 if late else min(wish, self.left)
            self.left -= count
            self.started = True
            return count

    def stop(self) -> None:
        """Let nobody take anything any more."""
        self._stopped = True

    def stopped_by_watcher(self, look: Callable[[], Analysis]) -> bool:
        """Ask the watcher, if there is one, whether that is enough."""
        return self.watch is not None and self.watch(look)


def spend(budget: Budget, simulate: Callable[[int], bool], look: Callable[[], Analysis] | None) -> None:
    """Simulate in chunks until the budget is spent, the position is settled or the watcher (if ``look``) says stop.

    ``simulate(count)`` tells whether more simulations are of use.
    """
    chunk = _FIRST_CHUNK
    while count := budget.take(chunk):
        started = time.perf_counter()
        if not simulate(count):
            budget.stop()
        seconds = max(time.perf_counter() - started, 1e-6)
        chunk = max(1, min(4 * chunk, int(count * _CHUNK_SECONDS / seconds)))
        if look and budget.stopped_by_watcher(look):
            budget.stop()


def spend_in_threads(
    budget: Budget, simulations: Sequence[Callable[[int], bool]], look: Callable[[], Analysis]
) -> None:
    """Let every thread spend from the budget; this one looks at the watcher and the keyboard meanwhile."""
    failures: list[BaseException] = []

    def work(simulate: Callable[[int], bool]) -> None:
        try:
            spend(budget, simulate, None)
        except BaseException as problem:
            failures.append(problem)
            budget.stop()

    threads = [threading.Thread(target=work, args=(simulate,), daemon=True) for simulate in simulations]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads):
            if budget.started and budget.stopped_by_watcher(look):
                budget.stop()
            threads[0].join(_CHUNK_SECONDS)
            if not threads[0].is_alive():
                for thread in threads:
                    thread.join(_CHUNK_SECONDS)
    finally:
        budget.stop()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]
