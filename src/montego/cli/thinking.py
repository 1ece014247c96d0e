"""What a person sees while the computer thinks, and how Ctrl-C makes it move."""

import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from rich.console import Console
from rich.status import Status

from montego.games import Game
from montego.players import default_settings
from montego.search import Analysis, Limits
from montego.sessions import Mind

_REFRESH_SECONDS = 0.25  # between two looks at a search under way
_LINE = 6  # moves of the expected continuation that are shown


class StopOnInterrupt:
    """While this context is open, Ctrl-C ends the thinking instead of the program; a second Ctrl-C interrupts as usual.

    ``watch`` tells a search about it, as ``Limits(watch=…)`` wants.
    """

    def __init__(self) -> None:
        self.pressed = False

    def __enter__(self) -> "StopOnInterrupt":
        self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *problem: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True

    def watch(self, current: Callable[[], Analysis]) -> bool:
        """Whether to stop."""
        return self.pressed


@contextlib.contextmanager
def busy(doing: str) -> Iterator[Status | None]:
    """Show a spinner with what is being done, if standard error is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with console.status(f"{doing} …") as status:
        yield status


@contextlib.contextmanager
def thinking() -> Iterator[Limits]:
    """Show the best move so far while the computer thinks; the limits let Ctrl-C end it."""
    with busy("thinking") as status, StopOnInterrupt() as interrupt:
        shown = time.monotonic()

        def watch(current: Callable[[], Analysis]) -> bool:
            nonlocal shown
            if status is not None and time.monotonic() > shown + _REFRESH_SECONDS:
                status.update(f"thinking … {_so_far(current())}")
                shown = time.monotonic()
            return interrupt.watch(current)

        yield Limits(watch=watch)


def _so_far(analysis: Analysis) -> str:
    """Say in a few words what a search prefers."""
    best = analysis.best()
    value = "" if best is None or best.value is None else f" {best.value:.0%}"
    line = " ".join(analysis.principal_variation[:_LINE]) or analysis.move
    return f"{line}{value}, {analysis.playouts:,} playouts (Ctrl-C: move now)"


def usual_settings(game: Game, **changes: Any) -> Any:
    """Return the settings that play against a person who names no player."""
    return default_settings(game, reuse=True, stop="decided", **changes)


def warm_up(mind: Mind, game: Game) -> None:
    """Compile what the computer and the commands need, before the first board is drawn and before any time counts."""
    with busy("compiling"):
        mind.warm(game)
        position = game.start()
        moves = position.legal_moves()  # as completion asks for them
        if moves:
            str(position.play(moves[0]))


def try_out(mind: Mind, settings: Any, game: Game) -> None:
    """Give the computer settings that have shown that they can play a game; if they cannot, it keeps its own."""
    if settings == mind.settings:
        warm_up(mind, game)
        return
    with contextlib.closing(Mind(settings, mind.seed, mind.manners)) as trial:
        warm_up(trial, game)
    mind.change(settings)
