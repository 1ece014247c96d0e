"""The process of one quick run: ``python -m montego.web.experiment NAME FOLDER SEED programs|players``.

Writes the report to the folder, as ``montego reproduce NAME --quick --out FOLDER`` does, and a line of JSON about every
second: the part, its finished games and all of them, the seconds so far; or at the end the problem.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

from montego.arena.match import Progress
from montego.errors import MontegoError
from montego.lab import EXPERIMENTS, Conditions, Size
from montego.lab.performing import perform

_EVERY = 0.7  # seconds


class _Reporter:
    """Says how far the experiment is, whether or not it has anything new."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}
        self.began = time.monotonic()
        threading.Thread(target=self._go_on, daemon=True).start()

    def watch(self, part: str, progress: Progress) -> None:
        self.state = {"part": part, "finished": progress.finished, "total": progress.total}

    def _go_on(self) -> None:
        while True:
            self.say()
            time.sleep(_EVERY)

    def say(self, **more: str) -> None:
        sys.stdout.write(json.dumps({**self.state, "seconds": round(time.monotonic() - self.began), **more}) + "\n")
        sys.stdout.flush()


def main(name: str, folder: str, seed: str, allowed: str) -> int:
    """Run an experiment; return the exit code."""
    reporter = _Reporter()
    how = Conditions(Size.QUICK, int(seed), Path(folder), programs=allowed == "programs", watch=reporter.watch)
    try:
        perform(EXPERIMENTS[name], how)
    except MontegoError as problem:
        reporter.say(problem=" ".join(str(problem).split()))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
