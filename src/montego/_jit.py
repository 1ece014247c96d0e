"""Compilation: the only module that touches Numba.

Kernels are plain Python functions. With ``NUMBA_DISABLE_JIT=1`` the same source runs interpreted, which is how the tests
check it and how a reader steps through it.

- ``kernel`` compiles a function on its first call and keeps the machine code on disk for the next process; ``borrowing``
  does so without counting references to arrays, and ``inlined`` also pastes it into its callers.
- ``generic`` declares a function that is chosen by the type of its first argument (a game, a playout policy, …), and
  ``implements`` adds one choice. In compiled code the choice is made at compile time and costs nothing.
- ``bit_count``, ``lowest_bit`` and ``copy_record`` are the few machine operations that Python has no word for.

The disk cache lives in a folder named by a hash of the package's sources and of the versions that matter, because Numba
by itself looks only at the file of the outermost function and would go on using stale code of an edited callee. A game
in a user's own file adds the hash of that file, and of the other files with kernels beside it, to the key of everything
that was specialised for it.
"""

import contextlib
import functools
import hashlib
import itertools
import os
import pickle
import platform
import secrets
import shutil
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core import cgutils, serialize
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler import CompileResult
from numba.core.datamodel.models import OpaqueModel
from numba.core.dispatcher import Dispatcher
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, register_model

INTERPRETED = bool(numba.config.DISABLE_JIT)

# Marks an index as never negative, so that the compiler leaves out Python's wrap-around: ``board[index(p - 1)]``.
index = np.uintp

_PACKAGE = Path(__file__).parent
_KERNELS: list[Any] = []  # every compiled function of this process
_SOURCES: dict[type, set[Path]] = {}  # type -> files that hold its implementations
_USER_FILES: dict[Path, str] = {}  # files with kernels outside the package -> hash of their contents when read
_NO_KERNELS = {"arena", "protocols", "web", "cli"}  # layers whose edits leave the machine code as it is
_MONTH = 30 * 24 * 3600

F = TypeVar("F", bound=Callable[..., Any])


# ---------------------------------------------------------------------------------------------------- the disk cache


def _name_code_apart() -> None:
    """Let this process name its machine code as no other does.

    Numba numbers functions, and record types too, in the order in which a process meets them. Two processes may give the
    same name to different code (Go on 9×9 and on 19×19), and a third that loads both would run one in place of the other.
    """
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


_name_code_apart()
os.register_at_fork(after_in_child=_name_code_apart)


def _digest(paths: Iterable[Path]) -> str:
    """Hash the contents of source files."""
    sha = hashlib.sha256()
    for path in sorted(paths):
        sha.update(path.name.encode() + b"\0" + path.read_bytes())
    return sha.hexdigest()[:16]


# Hashed at import, because the code that will be compiled is the code that was read then, whatever is edited later.
_PACKAGE_DIGEST = _digest(p for p in _PACKAGE.rglob("*.py") if p.relative_to(_PACKAGE).parts[0] not in _NO_KERNELS)


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
    return cache_root() / hashlib.sha256((_PACKAGE_DIGEST + versions).encode()).hexdigest()[:16]


@functools.cache
def _forget_old_caches() -> None:
    """Remove folders of other versions that no process has used for a month."""
    os.utime(cache_directory())
    for folder in cache_root().iterdir():
        if folder.is_dir() and time.time() - folder.stat().st_mtime > _MONTH:
            shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def _announce_compilation() -> None:
    """Say once per process that the wait has a reason."""
    print("montego: compiling for the first time on this machine, a few seconds ...", file=sys.stderr, flush=True)


def _classes(numba_type: Any) -> Iterator[type]:
    """Yield the NamedTuple classes in a Numba type, nested ones too."""
    if hasattr(numba_type, "instance_class"):
        yield numba_type.instance_class
    for part in getattr(numba_type, "types", ()):
        yield from _classes(part)


class _KernelCache:
    """The machine code of one kernel on disk, one file for each signature.

    Numba's own cache keeps an index file per kernel, which processes that compile at the same time overwrite for each
    other. Here a file is named by the hash of all that its code depends on, written whole or not at all, and read only
    if its checksum is right; whatever is wrong with it, the kernel is compiled again.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self._function = function
        self._options = options

    @property
    def cache_path(self) -> str:
        return str(cache_directory())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the stored machine code, or None: then Numba is about to compile."""
        target_context.refresh()
        try:
            path = self._path(sig, target_context.codegen())
            stored = path.read_bytes() if path else b""
            if stored and hashlib.sha256(stored[32:]).digest() == stored[:32]:
                return CompileResult._rebuild(target_context, *pickle.loads(stored[32:]))
        except Exception:  # not there, not readable, of a class that is gone: anything may be raised, all mean the same
            pass
        _announce_compilation()
        return None

    def save_overload(self, sig: Any, result: Any) -> None:
        """Store machine code, if it can be stored and there is a place for it."""
        if not self._options["_nrt"]:
            _refuse_escaping_arrays(result)
        path = self._path(sig, result.codegen)
        if path is None or result.lifted or result.library.has_dynamic_globals:
            return
        payload = serialize.dumps(result._reduce())
        unfinished = path.with_suffix(f".{uuid.uuid4().hex}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _forget_old_caches()
            unfinished.write_bytes(hashlib.sha256(payload).digest() + payload)
            unfinished.replace(path)
        except OSError:  # read-only or full: the next process compiles again
            with contextlib.suppress(OSError):
                unfinished.unlink()

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        """Return the file for a signature, or None if another process could not tell which code it needs."""
        function = self._function
        classes = {cls for part in sig for cls in _classes(part)}
        ancestry = {base for cls in classes for base in _ancestry(cls)}
        files = {Path(function.__code__.co_filename), *(file for base in ancestry for file in _SOURCES.get(base, ()))}
        outside = {file for file in files if _PACKAGE not in file.parents}
        if not outside <= _USER_FILES.keys() or not all(_importable(cls) for cls in classes):
            return None
        folders = {file.parent for file in outside}  # a game may be split over several files
        sources = sorted(digest for file, digest in _USER_FILES.items() if file.parent in folders)
        names = sorted(f"{base.__module__}.{base.__qualname__}" for base in ancestry)
        cells = serialize.dumps([cell.cell_contents for cell in function.__closure__ or ()])
        where = (function.__module__, function.__qualname__, function.__code__.co_firstlineno)
        key = repr((where, self._options, cells, str(sig), names, sources, codegen.magic_tuple()))
        return cache_directory() / f"{function.__name__}-{hashlib.sha256(key.encode()).hexdigest()[:32]}.code"


def _refuse_escaping_arrays(result: Any) -> None:
    """Raise if a kernel that counts no references returns an array or is returned one: it would be freed too early, or never."""
    calls = (sig for call, sig in result.type_annotation.calltypes.items() if getattr(call, "op", "") == "call")
    for signature in (result.signature, *calls):
        if signature and result.target_context.data_model_manager[signature.return_type].contains_nrt_meminfo():
            name = result.type_annotation.func_id.func_name
            raise TypeError(f"{name} only borrows arrays: it cannot return one or call what does; make it a @kernel")


def _importable(cls: type) -> bool:
    """Whether another process can find a class by its name: not so in a script or a notebook."""
    return cls.__module__ != "__main__" and getattr(sys.modules.get(cls.__module__), cls.__name__, None) is cls


def _note_source(function: Callable[..., Any]) -> None:
    """Remember what a user's file held when its kernels were read from it."""
    file = Path(function.__code__.co_filename)
    if _PACKAGE not in file.parents and file.is_file():
        _USER_FILES[file] = _digest([file])


def compiled_here() -> list[str]:
    """Return the names of the kernels that this process had to compile; empty when the cache had all of them."""
    return [k.py_func.__qualname__ for k in _KERNELS if sum(k.stats.cache_misses.values())]


def loaded_from_cache() -> list[str]:
    """Return the names of the kernels that this process found on disk."""
    return [k.py_func.__qualname__ for k in _KERNELS if sum(k.stats.cache_hits.values())]


# ------------------------------------------------------------------------------------------------ kernels and generics


def kernel(function: F) -> F:
    """Compile a function on first call: no Python objects, no lock held, NumPy's division, cached on disk."""
    return _compile(function)


def borrowing(function: F) -> F:
    """Like ``kernel``, for a hot function that only uses the arrays it is given.

    Numba counts references to every array that a function is handed or takes out of a tuple, with instructions that lock
    the memory; a move of a playout that learns had two dozen of them. What makes or returns an array, or is returned one,
    needs them and is refused here when it is compiled.
    """
    return _compile(function, counting=False)


def inlined(function: F) -> F:
    """Like ``borrowing``, always pasted into its callers: for a hot loop, where the call would cost more than the work."""
    return _compile(function, counting=False, forceinline=True)


def _compile(function: F, counting: bool = True, forceinline: bool = False) -> F:
    if INTERPRETED:
        return function
    if isinstance(function, Dispatcher):
        raise TypeError(
            f"{cast(Any, function).__name__} is a kernel already: write @borrowing or @inlined below @implements"
        )
    _note_source(function)
    # The switch for counting is given either way, as Numba lets a function without it take over its caller's.
    options = {"_nrt": counting, "forceinline": forceinline}
    compiled: Any = numba.njit(nogil=True, error_model="numpy", **options)(function)
    compiled._cache = _KernelCache(function, options)
    _KERNELS.append(compiled)
    return cast(F, compiled)


def _compiled(function: F) -> F:
    """Return a kernel as it is, anything else as one."""
    return function if isinstance(function, Dispatcher) else kernel(function)


def wrapping_kernel(function: F) -> F:
    """Like ``kernel``, for integer arithmetic that is meant to wrap around (interpreted NumPy would warn of it)."""
    if not INTERPRETED:
        return kernel(function)

    @functools.wraps(function)
    def silent(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return cast(F, silent)


def _ancestry(cls: Any) -> tuple[Any, ...]:
    """Return a class and its bases in the order in which Python looks for methods."""
    return cls.__mro__ if isinstance(cls, type) else (cls,)


class Generic:
    """A function whose implementation is chosen by the type of its first argument, in Python and in kernels.

    A class without an implementation of its own takes that of its nearest base class, as with methods.
    """

    def __init__(self, function: Callable[..., Any], default: Any) -> None:
        functools.update_wrapper(self, function, updated=())
        self.__name__ = function.__name__
        self.default = default
        self.table: dict[type, Any] = {}

    def choose(self, cls: Any) -> Any:
        """Return the kernel for a type."""
        implementation = next((self.table[base] for base in _ancestry(cls) if base in self.table), self.default)
        if implementation is None:
            name, kind = self.__name__, getattr(cls, "__name__", cls)
            raise TypeError(f"{kind} has no {name}(): write one under @implements({name}, {kind})")
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
        return types.Dispatcher(self.function.choose(getattr(first, "instance_class", first)))

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
    return Generic(function, default=_compiled(function))


def implements(function: Generic, cls: type) -> Callable[[F], F]:
    """Make the decorated function the implementation of a generic function for one type."""

    def register(implementation: F) -> F:
        compiled = _compiled(implementation)
        function.table[cls] = compiled
        _SOURCES.setdefault(cls, set()).add(Path(implementation.__code__.co_filename))
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
