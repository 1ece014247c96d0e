"""What runs in the background and is watched by any number of pages: contests, and experiments of papers."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any


class Ended(Exception):
    """Somebody has stopped it, or its time is over: the message says which."""


class Background(ABC):
    """One piece of work: starting, playing, stopping, and then finished, stopped or failed."""

    kind = ""

    def __init__(self, identity: int, title: str, total: int, kept: bool) -> None:
        self.identity, self.title, self.total, self.kept = identity, title, total, kept
        self.state, self.problem = "starting", ""
        self.done = 0
        self.view: dict[str, Any] = {}
        self.stopping = threading.Event()

    @abstractmethod
    def work(self, changed: Callable[[], None]) -> None:
        """Do all of it; raise ``Ended`` soon after ``stopping`` is set."""

    @abstractmethod
    def again(self) -> Background:
        """Return the same work, to go on with or to begin anew, with what is known of it."""

    def stop(self) -> None:
        """End soon; what is finished stays."""
        self.stopping.set()

    @property
    def active(self) -> bool:
        """Whether it is under way."""
        return self.state in ("starting", "playing", "stopping")

    def run(self, changed: Callable[[Background], None]) -> None:
        """Work to the end or until it is stopped; runs in a thread of its own."""
        try:
            self.work(lambda: changed(self))
            self.state = "finished"
        except Ended as end:
            self.state, self.problem = "stopped", str(end)
        except Exception as problem:
            said = str(problem) if isinstance(problem, ValueError) else f"{type(problem).__name__}: {problem}"
            self.state, self.problem = "failed", said
        changed(self)

    def summary(self) -> dict[str, Any]:
        """Return what a list shows of it."""
        return {
            "contest": self.identity,
            "kind": self.kind,
            "title": self.title,
            "state": self.state,
            "problem": self.problem,
            "finished": self.done,
            "total": self.total,
            "kept": self.kept,
        }

    def as_dict(self) -> dict[str, Any]:
        """Return everything that a page shows, ready for JSON."""
        return {**self.summary(), **self.view}
