"""Compilation: the only module that touches Numba.

Kernels are plain Python functions. With ``NUMBA_DISABLE_JIT=1`` the same source runs interpreted, which is how the tests
check it and how a reader steps through it.

- ``kernel`` compiles a function on its first call and keeps the machine code on disk for the next process.
- ``generic`` declares a function that is chosen by the type of its first argument (a game, a playout policy, …), and
  ``implements`` adds one choice. In compiled code the choice is made at compile time and costs nothing.
- ``bit_count``, ``lowest_bit`` and ``copy_record`` are the few machine operations that Python has no word for.

The disk cache lives in a folder named by a hash of the package's sources and of the versions that matter, because Numba
by itself looks only at the file of the outermost function and would go on using stale code of an edited callee. A game
in a user's own file adds the hash of that file to the key of everything that was specialised for it.
"""

import functools
import hashlib
import os
import platform
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.caching import FunctionCache
from numba.core.datamodel.models import OpaqueModel
from numba.core.errors import TypingError
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, register_model

INTERPRETED = bool(numba.config.DISABLE_JIT)

# Marks an index as never negative, so that the compiler leaves out Python's wrap-around: ``board[index(p - 1)]``.
index = np.uintp

_PACKAGE = Path(__file__).parent
_KERNELS: list[Any] = []  # every compiled function of this process
_SOURCES: dict[type, set[str]] = {}  # type -> files that hold its implementations
_NO_KERNELS = {"arena", "protocols", "web", "cli"}  # layers whose edits leave the machine code as it is
_MONTH = 30 * 24 * 3600

F = TypeVar("F", bound=Callable[..., Any])


# ---------------------------------------------------------------------------------------------------- the disk cache


def _digest(paths: Iterator[Path] | list[Path]) -> str:
    """Hash the contents of source files."""
    sha = hashlib.sha256()
    for path in sorted(paths):
        sha.update(str(path.name).encode())
        sha.update(path.read_bytes())
    return sha.hexdigest()[:16]


def cache_root() -> Path:
    """Return the folder that holds the compiled code of every version (``MONTEGO_CACHE`` overrides it)."""
    if override := os.environ.get("MONTEGO_CACHE"):
        return Path(override)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "montego"


@functools.cache
def cache_directory() -> Path:
    """Return the cache folder for these sources and these versions of Python, NumPy, Numba and LLVM."""
    import llvmlite

    versions = f"{platform.python_version()}-{np.__version__}-{numba.__version__}-{llvmlite.__version__}"
    sources = [path for path in _PACKAGE.rglob("*.py") if path.relative_to(_PACKAGE).parts[0] not in _NO_KERNELS]
    key = hashlib.sha256((_digest(sources) + versions).encode()).hexdigest()[:16]
    return cache_root() / key


def _forget_old_caches() -> None:
    """Remove folders of other versions that no process has used for a month."""
    current = cache_directory()
    for folder in cache_root().iterdir():
        if folder.is_dir() and folder != current and time.time() - folder.stat().st_mtime > _MONTH:
            shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def _announce_compilation() -> None:
    """Say once per process that the wait has a reason."""
    print("montego: compiling for the first time on this machine, a few seconds ...", file=sys.stderr, flush=True)


def _classes(numba_type: Any) -> Iterator[type]:
    """Yield the NamedTuple classes in a Numba type, nested ones too."""
    if isinstance(numba_type, types.NamedTuple):
        yield numba_type.instance_class
    for part in getattr(numba_type, "types", ()):
        yield from _classes(part)


class _SourceKeyedCache(FunctionCache):
    """Numba's cache with a key that knows the sources of user-written games and policies."""

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        classes = {cls for part in sig for cls in _classes(part)}
        files = {Path(file) for cls in classes for file in _SOURCES.get(cls, ())}
        outside = [file for file in files if file.is_file() and _PACKAGE not in file.parents]
        names = tuple(sorted(f"{cls.__module__}.{cls.__qualname__}" for cls in classes))
        return str(sig), names, _digest(outside), codegen.magic_tuple()


class _KernelCache:
    """Open the disk cache on first use: importing a kernel then costs nothing, and a missing folder is no error."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._opened: Any = None
        self._lock = threading.Lock()

    def _open(self) -> Any:
        with self._lock:
            if self._opened is None:
                self._opened = _open_function_cache(self._function)
        return self._opened

    @property
    def cache_path(self) -> str | None:
        opened = self._open()
        return opened.cache_path if opened else None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the stored machine code, or None: then Numba is about to compile."""
        opened = self._open()
        found = None
        if opened and not _typed_in_main(sig):
            try:
                found = opened.load_overload(sig, target_context)
            except Exception:  # a file cut short by a killed writer reads as any error: compile again
                found = None
        if found is None:
            _announce_compilation()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        opened = self._open()
        if opened and not _typed_in_main(sig):
            opened.save_overload(sig, data)


def _open_function_cache(function: Callable[..., Any]) -> Any:
    """Return Numba's file cache for a kernel, or False where nothing can be written."""
    before = numba.config.CACHE_DIR
    try:
        if not cache_directory().is_dir():
            cache_directory().mkdir(parents=True)
            _forget_old_caches()
        numba.config.CACHE_DIR = str(cache_directory())
        return _SourceKeyedCache(function)
    except (OSError, RuntimeError):
        return False
    finally:
        numba.config.CACHE_DIR = before


def _typed_in_main(sig: Any) -> bool:
    """Whether a class of the signature lives in a script or a notebook, where another process cannot find it."""
    return any(cls.__module__ == "__main__" for part in sig for cls in _classes(part))


def compiled_here() -> list[str]:
    """Return the names of the kernels that this process had to compile; empty when the cache had all of them."""
    return [k.py_func.__qualname__ for k in _KERNELS if sum(k.stats.cache_misses.values())]


def loaded_from_cache() -> list[str]:
    """Return the names of the kernels that this process found on disk."""
    return [k.py_func.__qualname__ for k in _KERNELS if sum(k.stats.cache_hits.values())]


# ------------------------------------------------------------------------------------------------ kernels and generics


def kernel(function: F) -> F:
    """Compile a function on first call: no Python objects, no lock held, NumPy's division, cached on disk."""
    if INTERPRETED:
        return function
    compiled = numba.njit(nogil=True, error_model="numpy")(function)
    compiled._cache = _KernelCache(function)
    _KERNELS.append(compiled)
    return cast(F, compiled)


def wrapping_kernel(function: F) -> F:
    """Like ``kernel``, for integer arithmetic that is meant to wrap around (interpreted NumPy would warn of it)."""
    if not INTERPRETED:
        return kernel(function)

    @functools.wraps(function)
    def silent(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return cast(F, silent)


class Generic:
    """A function whose implementation is chosen by the type of its first argument, in Python and in kernels."""

    def __init__(self, function: Callable[..., Any], default: Any) -> None:
        functools.update_wrapper(self, function)
        self.__name__ = function.__name__
        self.default = default
        self.table: dict[type, Any] = {}

    def choose(self, cls: type) -> Any:
        """Return the kernel for a type."""
        implementation = self.table.get(cls, self.default)
        if implementation is None:
            name = self.__name__
            raise TypeError(f"{cls.__name__} has no {name}(): write one under @implements({name}, {cls.__name__})")
        return implementation

    def __call__(self, *args: Any) -> Any:
        return self.choose(type(args[0]))(*args)

    @property
    def _numba_type_(self) -> "_GenericType":
        return _GenericType(self)


class _GenericType(types.Callable):  # type: ignore[misc]
    """What a generic function is to Numba: whatever kernel its table names, called directly, with no wrapper between."""

    def __init__(self, function: Generic) -> None:
        self.function = function
        super().__init__(f"generic {function.__name__} {id(function)}")

    def _chosen(self, first: Any) -> Any:
        if not isinstance(first, types.NamedTuple):
            raise TypingError(f"{self.function.__name__}() is chosen by a game or a policy, not by {first}")
        try:
            return types.Dispatcher(self.function.choose(first.instance_class))
        except TypeError as missing:
            raise TypingError(str(missing)) from None

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return self._chosen(args[0]).get_call_type(context, args, kws)

    def get_impl_key(self, sig: Any) -> Any:
        return self._chosen(sig.args[0]).get_impl_key(sig)

    def get_call_signatures(self) -> Any:
        return (), True


register_model(_GenericType)(OpaqueModel)


@lower_constant(_GenericType)
def _lower_generic(context, builder, numba_type, value):  # type: ignore[no-untyped-def]
    return context.get_dummy_value()


def generic(function: Callable[..., Any]) -> Generic:
    """Declare a function chosen by the type of its first argument; every type must implement it."""
    return Generic(function, default=None)


def generic_with_default(function: Callable[..., Any]) -> Generic:
    """Declare a function chosen by the type of its first argument; its body serves the types without their own."""
    return Generic(function, default=kernel(function))


def implements(function: Generic, cls: type) -> Callable[[F], F]:
    """Make the decorated function the implementation of a generic function for one type."""

    def register(implementation: F) -> F:
        compiled = kernel(implementation)
        function.table[cls] = compiled
        _SOURCES.setdefault(cls, set()).add(implementation.__code__.co_filename)
        return compiled

    return register


# ------------------------------------------------------------------------------------------------- machine operations

if INTERPRETED:

    def bit_count(word: Any) -> int:
        """Count the ones of an unsigned 64-bit word."""
        return int(word).bit_count()

    def lowest_bit(word: Any) -> int:
        """Return the index of the lowest one of an unsigned 64-bit word that is not zero."""
        return (int(word) & -int(word)).bit_length() - 1

    def copy_record(target: Any, source: Any) -> None:
        """Copy one record over another of the same type."""
        for name in source.dtype.names:
            target[name] = source[name]

else:

    @intrinsic
    def bit_count(typing_context, word):  # type: ignore[no-untyped-def]
        """Count the ones of an unsigned 64-bit word."""

        def emit(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.ctpop(args[0])

        return types.int64(types.uint64), emit

    @intrinsic
    def lowest_bit(typing_context, word):  # type: ignore[no-untyped-def]
        """Return the index of the lowest one of an unsigned 64-bit word that is not zero."""

        def emit(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.cttz(args[0], cgutils.true_bit)

        return types.int64(types.uint64), emit

    @intrinsic
    def copy_record(typing_context, target, source):  # type: ignore[no-untyped-def]
        """Copy one record over another of the same type."""
        if not isinstance(target, types.Record) or target != source:
            return None

        def emit(context, builder, signature, args):  # type: ignore[no-untyped-def]
            size = context.get_constant(types.intp, target.size)
            cgutils.raw_memcpy(builder, args[0], args[1], size, 1)
            return context.get_dummy_value()

        return types.void(target, source), emit
