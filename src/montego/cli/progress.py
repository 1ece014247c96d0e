"""What a person sees while a command works: spinners, also while kernels are compiled, and bars."""

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
def meter() -> Iterator[Callable[[str, float], None]]:
    """Yield a function that shows on a terminal what is being done and which share of it is done, from 0 to 1."""
    if not sys.stderr.isatty():
        yield lambda text, share: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=1.0)
        yield lambda text, share: progress.update(task, description=text, completed=share)
