"""Spending the budget of one decision: playouts, seconds, a watcher; in chunks, so that Python can look at the clock.

Parallelism is outside the kernels: threads take chunks of simulations from one account until it is empty. Ctrl-C always
raises ``KeyboardInterrupt``; a caller who wants to stop the thinking and keep the move uses ``Limits.watch``. The time
that a first search spends compiling is not counted as thinking.
"""

import threading
import time
from collections.abc import Callable, Sequence
from enum import IntEnum

from montego._jit import compile_seconds
from montego.search.analysis import Analysis, Limits

_CHUNK_SECONDS = 0.01  # between two looks at the clock and the keyboard
_FIRST_CHUNK = 16
_NO_END = 10**15

Simulate = Callable[[int], bool]  # runs so many simulations, and returns whether more are of use
Look = Callable[[], Analysis]
IsDecided = Callable[[float], bool]  # whether so many more simulations cannot change the move


class Clock(IntEnum):
    """Whose seconds a player counts: the wall's, or the processor's, from which other programs take nothing."""

    WALL = 0
    PROCESSOR = 1


def _thinking_clock() -> float:
    """Return a clock that stands still while this process compiles."""
    return time.perf_counter() - compile_seconds()


def _processor_clock() -> float:
    """Return the processor time of this process, likewise."""
    return time.process_time() - compile_seconds()


class Budget:
    """What is left of the playouts and of the time of one decision. Threads may share it.

    Processor time is divided by the threads that spend it. Time that comes from outside, as that of a game's clock, is
    always the wall's.
    """

    def __init__(
        self, playouts: int, seconds: float, limits: Limits, clock: Clock = Clock.WALL, threads: int = 1
    ) -> None:
        self.strict = (
            limits.playouts is not None or limits.seconds is not None
        )  # what comes from outside is not exceeded
        playouts = playouts if limits.playouts is None else limits.playouts
        seconds = seconds if limits.seconds is None else limits.seconds
        self.playouts, self.seconds = playouts, seconds
        self.left = playouts or _NO_END
        by_wall = clock == Clock.WALL or limits.seconds is not None
        self.now = _thinking_clock if by_wall else lambda: _processor_clock() / threads
        self.began = self.now()
        self.deadline = self.began + seconds if seconds else float("inf")
        self.watch = limits.watch
        self.started = False
        self.cut_short = False  # whether the watcher ended the search before the budget was spent
        self._stopped = False
        self._lock = threading.Lock()
        self._every = 0  # see ``end_when``
        self._is_decided: IsDecided | None = None
        self._taken = self._finished = self._looked_at = 0

    def elapsed(self) -> float:
        """Return the seconds since the decision began."""
        return self.now() - self.began

    def over(self) -> bool:
        """Whether the time is over or somebody said stop."""
        return self._stopped or self.now() >= self.deadline

    def take(self, wish: int) -> int:
        """Take up to ``wish`` playouts; 0 when none are left or the time is over. The first call always gets some."""
        with self._lock:
            late = self.over() if self.started else self._stopped
            count = 0 if late else min(wish, self.left)
            if self._every:
                count = min(count, self._every - self._taken % self._every)
            self.left -= count
            self._taken += count
            self.started = True
            return count

    def end_when(self, is_decided: IsDecided, every: int) -> None:
        """Stop when the move cannot change any more, which is looked at after every so many playouts."""
        self._is_decided, self._every = is_decided, every

    def finish(self, count: int) -> None:
        """Note that playouts that were taken have been played, and stop if that decides the move."""
        with self._lock:
            self._finished += count
            due = self._every > 0 and self._finished - self._looked_at >= self._every
            self._looked_at = self._finished if due else self._looked_at
        if due and self._is_decided is not None and self._is_decided(self._to_come()):
            self.stop()

    def _to_come(self) -> float:
        """Return how many playouts will still be played, by the rate so far where there is a deadline."""
        playouts = float(self.left + self._taken - self._finished)
        if self.seconds:
            rate = self._finished / max(self.elapsed(), 1e-6)
            playouts = min(playouts, rate * max(0.0, self.deadline - self.now()))
        return playouts

    def extend(self, share: float) -> bool:
        """Add a share of the whole to a budget that is spent; tell whether that was possible."""
        if self.strict or self._stopped:
            return False
        self.left += int(share * self.playouts)
        self.deadline += share * self.seconds
        return True

    def stop(self) -> None:
        """Give out no more playouts."""
        self._stopped = True

    def ask_watcher(self, look: Look) -> None:
        """Let the watcher, if there is one, look at the search, and stop if it says so."""
        if self.watch is not None and self.watch(look):
            unspent = self.left > 0 and self.now() < self.deadline
            self.cut_short = self.cut_short or (unspent and not self._stopped)
            self.stop()


def spend(budget: Budget, simulate: Simulate, look: Look | None) -> None:
    """Simulate in chunks until the budget is spent, the position is settled or the watcher (if ``look``) says stop."""
    chunk = _FIRST_CHUNK
    while count := budget.take(chunk):
        started = budget.now()
        if not simulate(count):
            budget.stop()
        budget.finish(count)
        seconds = max(budget.now() - started, 1e-6)
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
