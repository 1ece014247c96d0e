"""How much one page, and all pages together, may ask of the server."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

from montego.errors import MontegoError


class Refused(MontegoError):
    """A page asks for more than the server gives."""


@dataclass(frozen=True)
class Bounds:
    """The limits of a server. Everything a page can make grow has one."""

    clients: int = 256  # pages connected at a time
    searches: int = 24  # running at a time, of all pages
    searches_per_client: int = 2  # running or waiting
    requests_per_client: int = 16  # under way at a time
    message_bytes: int = 1_000_000  # of one request: a large collection of games is larger than that
    messages_per_second: float = 40.0  # of one page, after a burst
    burst: int = 200
    search_seconds: float = 300.0
    search_playouts: int = 20_000_000
    search_megabytes: int = 48  # for the tree of one search
    search_threads: int = 4
    kept_trees: int = 12  # of ended searches, for looking into
    moves: int = 2000  # of one game
    nodes: int = 20_000  # of one game record with its variations
    send_seconds: float = 10.0  # a page that does not read for so long is cut off
    contests: int = 2  # running at a time, experiments included
    contest_games: int = 10_000
    contest_workers: int = 2
    contest_megabytes: int = 200  # for the tree of one player in one worker
    kept_contests: int = 20  # finished or stopped, in memory
    experiment_seconds: float = 1800.0  # of a quick run, which takes about a minute on a machine that is not busy

    def as_dict(self) -> dict[str, Any]:
        """Return the limits, ready for JSON."""
        return asdict(self)


def within(settings: Any, bounds: Bounds) -> Any:
    """Return the settings of a player with its playouts, time, memory and threads cut to the bounds."""
    most = {
        "playouts": bounds.search_playouts,
        "seconds": bounds.search_seconds,
        "memory": bounds.search_megabytes,
        "threads": bounds.search_threads,
    }
    changes: dict[str, Any] = {}
    for name, value in settings._asdict().items():
        if isinstance(value, tuple) and isinstance(getattr(type(value), "_fields", None), tuple) and value:
            cut = within(value, bounds)
            if cut != value:
                changes[name] = cut
        elif name in most and isinstance(value, (int, float)) and value > most[name]:
            changes[name] = most[name]
    return settings._replace(**changes) if changes else settings


class Pace:
    """A bucket of messages that fills up with time (the token bucket); an empty one refuses."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_second, self._burst = per_second, burst
        self._left, self._at = float(burst), time.monotonic()

    def take(self) -> bool:
        """Take one message out; False if there is none."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
