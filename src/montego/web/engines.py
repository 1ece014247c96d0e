"""Searches in threads: bounded in number and work, watched while they run, stopped when nobody waits any more."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from montego import weights
from montego.arena.compete import cores
from montego.errors import MontegoError
from montego.games import Game, Position
from montego.opponents import Gtp
from montego.players import PLAYERS, Player
from montego.search import NO_LIMITS, Analysis, Limits
from montego.sessions import Mind
from montego.spec import Name, Registry, Spec, parameters, parse, text
from montego.web.bounds import Bounds, Refused, within

_FIRST_LOOK, _LOOK_EVERY = 0.05, 0.2  # seconds
_NICE = 5  # of search threads, so that answers come first
_LOOK_SHARE = 0.1  # of a search's time may be spent on looking at it


class Stopped(MontegoError):
    """A search was stopped before it had anything to say."""


def settings_of(spec: str, bounds: Bounds, allow_commands: bool, megabytes: int = 0) -> Any:
    """Return the settings of a player that a page names, within the bounds; commands need permission.

    ``megabytes`` replaces the bound on memory.
    """
    parsed = parse(spec)
    if not allow_commands:
        _refuse_outside(parsed, PLAYERS)
    settings = PLAYERS.build(parsed)
    return within(settings, replace(bounds, search_megabytes=megabytes) if megabytes else bounds)


class Gate:
    """Lets a few searches run at a time, in turns of a few milliseconds, first come first served.

    Twenty threads that all want the two cores would leave none to answer a click.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._lock = threading.Lock()
        self._queue: deque[threading.Event] = deque()

    def enter(self) -> None:
        """Wait for a turn."""
        with self._lock:
            if self._room > 0:
                self._room -= 1
                return
            turn = threading.Event()
            self._queue.append(turn)
        turn.wait()

    def leave(self) -> None:
        """Give the turn to whoever waits longest."""
        with self._lock:
            if self._queue:
                self._queue.popleft().set()
            else:
                self._room += 1

    def next_turn(self) -> None:
        """Let others have a turn, if anybody waits."""
        if self._queue:
            self.leave()
            self.enter()


def _step_back() -> None:
    """Make this thread give way to those that answer pages, where the system allows it."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


def _refuse_outside(spec: Spec, registry: Registry[Any]) -> None:
    """Refuse a spec that would run a program or read a file, before anything is built from it."""
    if spec.name not in registry.names():
        return  # building it says what is wrong
    cls: Any = registry[spec.name]
    if issubclass(cls, Gtp):
        raise Refused("players that run commands are off; montego serve --allow-commands permits them")
    declared = parameters(cls)
    for name, value in [*zip(declared, spec.args, strict=False), *spec.kwargs.items()]:
        one = declared.get(name)
        if one is not None and one.registry is not None and isinstance(value, (str, Spec)):
            _refuse_outside(parse(value) if isinstance(value, str) else value, one.registry)
        elif one is not None and one.type is Name and str(value) not in ["", *weights.names()]:
            raise Refused(f"pages may name only the weights that come with Montego: {', '.join(weights.names())}")


@dataclass
class Job:
    """One search that a page waits for."""

    identity: int
    slot: str  # which of the page's searches it is; a new one in the same slot replaces it
    gate: Gate
    stop: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Job:
        self.gate.enter()
        return self

    def __exit__(self, *problem: object) -> None:
        self.gate.leave()

    def go_on(self) -> None:
        """Raise if nobody waits any more; else let others have a turn."""
        if self.stop.is_set():
            raise Stopped("the search was stopped")
        self.gate.next_turn()

    def watcher(self, show: Callable[[Analysis], None]) -> Callable[[Callable[[], Analysis]], bool]:
        """Return a watcher of a search (``Limits.watch``) that shows its progress now and then."""
        next_look = time.monotonic() + _FIRST_LOOK

        def watch(look: Callable[[], Analysis]) -> bool:
            nonlocal next_look
            if self.stop.is_set():
                return True
            self.gate.next_turn()
            if (now := time.monotonic()) >= next_look:
                show(look())
                done = time.monotonic()
                next_look = done + max(_LOOK_EVERY, (done - now) / _LOOK_SHARE)
            return False

        return watch


class WatchedPlayer(Player):
    """A player whose every search ends when a job is stopped, for those who call it; ``tell`` hears of each search."""

    def __init__(self, settings: Any, game: Game, seed: int, job: Job, tell: Callable[[Analysis], None]) -> None:
        super().__init__(settings, game, seed)
        self._job, self._tell = job, tell

    def choose_number(self, position: Position, limits: Limits = NO_LIMITS) -> int:
        self._job.go_on()
        move = super().choose_number(position, replace(limits, watch=self._watch))
        self._tell(self.analysis())
        return move

    def _watch(self, look: Callable[[], Analysis]) -> bool:
        self._job.gate.next_turn()
        return self._job.stop.is_set()


Key = tuple[int, str]  # a page and one of its slots


class Engines:
    """The threads that search for all pages, and the minds kept between their searches.

    A mind keeps its tree after the search, so that the page can look into it. There is room for a few; when others
    search, the tree that was unused longest goes.
    """

    def __init__(self, bounds: Bounds, allow_commands: bool = False) -> None:
        self.bounds, self.allow_commands = bounds, allow_commands
        self.threads = ThreadPoolExecutor(bounds.searches, "montego-search", initializer=_step_back)
        self.errands = ThreadPoolExecutor(8, "montego-errand")  # short work: positions, records
        self.gate = Gate(cores())
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, Mind] = OrderedDict()
        self._busy: dict[Key, Mind] = {}
        self.running = 0

    def borrow(self, key: Key, spec: str, seed: int | None) -> Mind:
        """Return the mind of a slot, a new one if the settings have changed; nobody else gets it meanwhile."""
        settings = settings_of(spec, self.bounds, self.allow_commands)
        with self._lock:
            if key in self._busy:
                raise Refused("this search is still running; stop it first")
            mind = self._kept.pop(key, None)
            if mind is None or text(mind.settings) != text(settings) or seed is not None:
                if mind is not None:
                    mind.close()
                mind = Mind(settings, seed)
            self._busy[key] = mind
            self.running += 1
        return mind

    def give_back(self, key: Key) -> None:
        """Keep the mind of a slot for later questions, as long as there is room."""
        with self._lock:
            self.running -= 1
            self._kept[key] = self._busy.pop(key)
            dropped = [self._kept.popitem(last=False)[1] for _ in range(len(self._kept) - self.bounds.kept_trees)]
        for mind in dropped:
            mind.close()

    def look_up(self, key: Key) -> Mind | None:
        """Return the mind of a slot for looking into its tree, or None if it is gone."""
        with self._lock:
            return self._busy.get(key) or self._kept.get(key)

    def forget(self, client: int) -> None:
        """Close the minds of a page that has left."""
        with self._lock:
            left = [self._kept.pop(key) for key in list(self._kept) if key[0] == client]
        for mind in left:
            mind.close()

    def close(self) -> None:
        """Let the threads end; searches have been stopped by their pages."""
        self.threads.shutdown(wait=False, cancel_futures=True)
        self.errands.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            kept, self._kept = list(self._kept.values()), OrderedDict()
        for mind in kept:
            mind.close()
