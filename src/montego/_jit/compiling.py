"""Kernels: functions that are compiled when they are first called with arguments of new types."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import event
from numba.core.dispatcher import Dispatcher

from montego._jit.cache import note_source
from montego._jit.dispatchers import Kernel

INTERPRETED = bool(numba.config.DISABLE_JIT)

F = TypeVar("F", bound=Callable[..., Any])

_KERNELS: list[Kernel] = []  # every compiled function of this process
_COMPILE_CLOCK = event.TimingListener()
event.register("numba:compile", _COMPILE_CLOCK)


def compile_seconds() -> float:
    """Return how long this process has been compiling, for those who measure something else."""
    return float(_COMPILE_CLOCK.duration) if _COMPILE_CLOCK.done else 0.0


def kernel(function: F) -> F:
    """Compile a function on first call: no Python objects, no lock held, NumPy's division, cached on disk."""
    return _compile(function)


def borrowing(function: F) -> F:
    """Like ``kernel``, for a hot function that only uses the arrays it is given.

    Numba counts references to every array that a function receives or takes out of a tuple, with instructions that lock
    the memory; a move of a playout that learns had two dozen of them. A kernel that creates or returns an array, or
    receives one back from a call, needs these counts: it is rejected when it is compiled.
    """
    return _compile(function, counting=False)


def inlined(function: F) -> F:
    """Like ``borrowing``, always pasted into its callers: for hot loops where a call would cost more than the work."""
    return _compile(function, counting=False, forceinline=True)


def _compile(function: F, counting: bool = True, forceinline: bool = False) -> F:
    if INTERPRETED:
        return function
    if is_kernel(function):
        raise TypeError(
            f"{cast(Any, function).__name__} is a kernel already: write @borrowing or @inlined below @implements"
        )
    note_source(function)
    # The switch for counting is given either way, as Numba lets a function without it inherit its caller's.
    options = {"_nrt": counting, "forceinline": forceinline}
    compiled = Kernel(function, options, None if counting else _refuse_escaping_arrays)
    _KERNELS.append(compiled)
    return cast(F, compiled)


def _refuse_escaping_arrays(result: Any) -> None:
    """Raise if a kernel that counts no references returns or receives an array: it would be freed at the wrong time."""
    calls = (sig for call, sig in result.type_annotation.calltypes.items() if getattr(call, "op", "") == "call")
    for signature in (result.signature, *calls):
        if signature and result.target_context.data_model_manager[signature.return_type].contains_nrt_meminfo():
            name = result.type_annotation.func_id.func_name
            raise TypeError(f"{name} only borrows arrays: it cannot return one or call what does; make it a @kernel")


def is_kernel(function: Any) -> bool:
    """Whether a function is compiled already."""
    return isinstance(function, Dispatcher)


def as_kernel(function: F) -> F:
    """Return a kernel as it is, any other function as a kernel."""
    return function if is_kernel(function) else kernel(function)


def wrapping_kernel(function: F) -> F:
    """Like ``kernel``, for integer arithmetic that is meant to wrap around (interpreted NumPy would warn of it)."""
    if not INTERPRETED:
        return kernel(function)

    @functools.wraps(function)
    def silent(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return cast(F, silent)


def kernel_functions() -> list[Callable[..., Any]]:
    """Return the Python functions behind the kernels of this process."""
    return [k.py_func for k in _KERNELS]


def compiled_here() -> list[str]:
    """Return the names of the kernels that this process had to compile; empty when the cache had all of them.

    A kernel that was compiled in both of its forms, for Python and for other kernels, is named twice.
    """
    return [k.py_func.__qualname__ for k in _KERNELS for cache in k.caches if cache.misses]


def loaded_from_cache() -> list[str]:
    """Return the names of the kernels that this process found on disk, each of their forms by itself."""
    return [k.py_func.__qualname__ for k in _KERNELS for cache in k.caches if cache.hits]
