"""What a person sees while a command works: spinners, also while kernels are compiled, and a bar over known steps."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def compiling() -> Iterator[None]:
    """Show a spinner on a terminal from the first compilation in the block to its end; elsewhere print one line."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    from montego._jit import announce_with

    status = Console(stderr=True).status("compiling for this machine (only the first time)")
    before = announce_with(status.start)
    try:
        yield
    finally:
        announce_with(before)
        status.stop()


@contextmanager
def spinner(label: str) -> Iterator[None]:
    """Show a spinner with a label on a terminal during the block."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(label):
        yield


def bar(steps: Iterable[T], label: str, total: int) -> Iterator[T]:
    """Yield the steps, with a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield from steps
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(steps, label, total=total, console=Console(stderr=True), transient=True)


@contextmanager
def search_progress(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield what wants to know how many searches of how many are done, and shows a bar; None without a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(label, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)
