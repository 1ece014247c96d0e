"""What is shown while games are played: a live view in a terminal, otherwise a line every few seconds."""

from __future__ import annotations

import contextlib
import time
from datetime import timedelta
from types import TracebackType
from typing import Any, TextIO

from montego.arena.match import Progress
from montego.arena.result import Result
from montego.arena.tuning import Tuning
from montego.arena.tuning.campaign import Campaign
from montego.outside import printable_line

_REFRESH_SECONDS = 0.5
_LINE_SECONDS = 10.0
_SHARE = 0.02  # of the time may be spent on the view
_BAR = 40


class Silent:
    """Show nothing; remember the last state. The base of the other views."""

    def __init__(self) -> None:
        self.progress: Progress | None = None

    def __enter__(self) -> Silent:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, at: TracebackType | None
    ) -> None:
        pass

    def __call__(self, progress: Progress) -> None:
        self.progress = progress


class Lines(Silent):
    """Print a line every few seconds."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._next = time.monotonic() + _LINE_SECONDS

    def __call__(self, progress: Progress) -> None:
        super().__call__(progress)
        if time.monotonic() >= self._next:
            began = time.monotonic()
            line = printable_line("; ".join([pace(progress), *score_lines(progress)]))
            with contextlib.suppress(OSError):  # a full disk or a closed pipe is no reason to stop the games
                print(line, file=self._stream, flush=True)
            self._next = _next_time(began, _LINE_SECONDS)


class Live(Silent):
    """Redraw a bar, the score and the speed in place."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console
        from rich.live import Live as RichLive

        super().__init__()
        self._live = RichLive(console=Console(file=stream), auto_refresh=False, transient=True)
        self._next = 0.0

    def __enter__(self) -> Live:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, at: TracebackType | None
    ) -> None:
        self._live.stop()

    def __call__(self, progress: Progress) -> None:
        super().__call__(progress)
        if time.monotonic() >= self._next:
            began = time.monotonic()
            with contextlib.suppress(OSError):
                self._live.update(_drawing(progress), refresh=True)
            self._next = _next_time(began, _REFRESH_SECONDS)


def _next_time(began: float, seconds: float) -> float:
    """Return when to update the view again, so that it never takes much of the time."""
    now = time.monotonic()
    return now + max(seconds, (now - began) / _SHARE)


def _drawing(progress: Progress) -> Any:
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    bar = Table.grid()  # a bar on its own would not end its line
    bar.add_row(ProgressBar(total=progress.total, completed=progress.finished, width=_BAR))
    return Group(bar, Text(pace(progress)), *(Text(printable_line(line)) for line in score_lines(progress)))


def pace(progress: Progress) -> str:
    """Return how far a run is, how fast it is, and how long it will take."""
    line = f"{progress.finished} of {progress.total} games"
    speed = progress.games_per_hour()
    if speed > 0:
        left = timedelta(seconds=round(3600 * (progress.total - progress.finished) / speed))
        line += f", {speed:,.0f} games/h, {'at most ' if progress.test else ''}{left} left"
    return line


def score_lines(progress: Progress) -> list[str]:
    """Return the score so far, with intervals, Elo and the state of the test."""
    if isinstance(progress.contest, Campaign):
        return [Tuning(progress).headline()]
    if not progress.games:
        return []
    result = Result.of(progress)
    names = progress.contest.names
    if result.ratings is not None:
        return [
            ", ".join(f"{entry.player} {entry.elo:+.0f}" for entry in result.ratings.entries[:8]),
            *result.notes(),
        ]
    test = progress.test
    llr = [] if test is None else [f"LLR {test.llr:+.2f} ({test.lower:.2f}…{test.upper:+.2f})"]
    return [result.summaries[0].line(names[progress.contest.pairings[0][0]]), *llr, *result.notes()]


def view(as_json: bool) -> Silent:
    """Return the view that suits where the output goes."""
    import sys

    if as_json:
        return Live(sys.stderr) if sys.stderr.isatty() else Silent()
    return Live(sys.stdout) if sys.stdout.isatty() else Lines(sys.stdout)
