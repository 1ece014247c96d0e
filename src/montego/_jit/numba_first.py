"""Numba, imported before anything else of this package.

Numba makes some 300,000 objects when it is imported and when it first loads machine code, and nearly all of them stay.
Python would look through them for garbage many times on the way, a twentieth of a start or more, and find nothing.
"""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def without_looking_for_garbage() -> Iterator[None]:
    """Let objects be made without a garbage collection, and collect afterwards as before."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


with without_looking_for_garbage():
    import numba  # noqa: F401
