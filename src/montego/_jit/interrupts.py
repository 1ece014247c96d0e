"""Ctrl-C while LLVM works: held back until Python is in charge again.

LLVM hands finished machine code to Python by callbacks. They are the first lines of Python that run after seconds of
compiling, so a Ctrl-C of these seconds is noticed there; but an exception that leaves a callback is printed and
forgotten, and the Ctrl-C with it.
"""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from llvmlite.binding import ExecutionEngine

CALLBACKS = {ExecutionEngine._raw_object_cache_notify.__code__, ExecutionEngine._raw_object_cache_getbuffer.__code__}


def _in_callback(frame: FrameType | None) -> bool:
    """Whether a frame belongs to a callback of LLVM or to what one calls."""
    while frame is not None and frame.f_code not in CALLBACKS:
        frame = frame.f_back
    return frame is not None


@contextlib.contextmanager
def interrupts_outside_callbacks() -> Iterator[None]:
    """Let signals that arrive in a callback of LLVM take effect at the end of the block, all others at once."""
    if threading.current_thread() is not threading.main_thread():  # which alone handles signals
        yield
        return
    known = {int(number): signal.getsignal(number) for number in signal.valid_signals()}
    handlers = {number: handler for number, handler in known.items() if callable(handler)}
    held: list[int] = []
    leaving = False

    def handle(number: int, frame: FrameType | None) -> None:
        if leaving or _in_callback(frame):
            held.append(number)
        else:
            handlers[number](number, frame)

    for number in handlers:
        signal.signal(number, handle)
    try:
        yield
    finally:
        leaving = True
        for number, handler in handlers.items():
            if signal.getsignal(number) is handle:
                signal.signal(number, handler)
        with contextlib.ExitStack() as every:  # an exception of one does not keep another from taking effect
            for late in held:
                every.callback(signal.raise_signal, late)
