"""Spending the budget of one decision: playouts, seconds, a watcher; in chunks, so that Python can look at the clock.

Parallelism is outside the kernels: threads take chunks of simulations from one account until it is empty. Ctrl-C always
raises ``KeyboardInterrupt``; a caller who wants to stop the thinking and keep the move uses ``Limits.watch``. The time
that a first search spends compiling is not counted as thinking.
"""

import threading
import time
from collections.abc import Callable, Sequence

from montego._jit import compile_seconds
from montego.search.analysis import Analysis, Limits

_CHUNK_SECONDS = 0.01  # between two looks at the clock and the keyboard
_FIRST_CHUNK = 16
_NO_END = 10**15

Simulate = Callable[[int], bool]  # runs so many simulations, and returns whether more are of use
Look = Callable[[], Analysis]


def _thinking_clock() -> float:
    """Return a clock that stands still while this process compiles."""
    return time.perf_counter() - compile_seconds()


class Budget:
    """What is left of the playouts and of the time of one decision. Threads may share it."""

    def __init__(self, playouts: int, seconds: float, limits: Limits) -> None:
        playouts = playouts if limits.playouts is None else limits.playouts
        seconds = seconds if limits.seconds is None else limits.seconds
        self.left = playouts or _NO_END
        self.began = _thinking_clock()
        self.deadline = self.began + seconds if seconds else float("inf")
        self.watch = limits.watch
        self.started = False
        self.cut_short = False  # whether the watcher ended the search before the budget was spent
        self._stopped = False
        self._lock = threading.Lock()

    def elapsed(self) -> float:
        """Return the seconds since the decision began."""
        return _thinking_clock() - self.began

    def take(self, wish: int) -> int:
        """Take up to ``wish`` playouts; 0 when none are left or the time is over. The first call always gets some."""
        with self._lock:
            late = self._stopped or (self.started and _thinking_clock() >= self.deadline)
            count = 0 if late else min(wish, self.left)
            self.left -= count
            self.started = True
            return count

    def stop(self) -> None:
        """Give out no more playouts."""
        self._stopped = True

    def ask_watcher(self, look: Look) -> None:
        """Let the watcher, if there is one, look at the search, and stop if it says so."""
        if self.watch is not None and self.watch(look):
            unspent = self.left > 0 and _thinking_clock() < self.deadline
            self.cut_short = self.cut_short or (unspent and not self._stopped)
            self.stop()


def spend(budget: Budget, simulate: Simulate, look: Look | None) -> None:
    """Simulate in chunks until the budget is spent, the position is settled or the watcher (if ``look``) says stop."""
    chunk = _FIRST_CHUNK
    while count := budget.take(chunk):
        started = _thinking_clock()
        if not simulate(count):
            budget.stop()
        seconds = max(_thinking_clock() - started, 1e-6)
        chunk = max(1, min(4 * chunk, int(count * _CHUNK_SECONDS / seconds)))
        if look:
            budget.ask_watcher(look)


def spend_in_threads(budget: Budget, simulations: Sequence[Simulate], look: Look) -> None:
    """Let every thread spend from the budget; the calling thread asks the watcher and receives Ctrl-C meanwhile."""
    failures: list[BaseException] = []
    running: list[threading.Event] = []  # one for each thread, set when it ends

    def work(simulate: Simulate, ended: threading.Event) -> None:
        try:
            spend(budget, simulate, None)
        except BaseException as problem:
            failures.append(problem)
            budget.stop()
        finally:
            ended.set()

    simulations[0](0)  # compiles in this thread, which Ctrl-C can end
    try:
        for simulate in simulations:
            running.append(threading.Event())
            _start(threading.Thread(target=work, args=(simulate, running[-1]), daemon=True), running)
        for ended in running:
            while not ended.wait(_CHUNK_SECONDS):
                if budget.started:
                    budget.ask_watcher(look)
    finally:
        budget.stop()
        _wait_for(running)
    if failures:
        raise failures[0]


def _start(thread: threading.Thread, running: list[threading.Event]) -> None:
    """Start a thread; if the system has none to give, forget its event, which nobody would set."""
    try:
        thread.start()
    except RuntimeError:
        running.pop()
        raise


def _wait_for(running: Sequence[threading.Event]) -> None:
    """Wait until threads that were told to stop have ended; Ctrl-C is raised after that, as they write to the tree.

    By events, because ``Thread.join`` takes a thread for dead once Ctrl-C has interrupted it (CPython 3.11).
    """
    interrupt: KeyboardInterrupt | None = None
    while not all(ended.is_set() for ended in running):
        try:
            for ended in running:
                ended.wait()
        except KeyboardInterrupt as problem:
            interrupt = problem
    if interrupt is not None:
        raise interrupt
