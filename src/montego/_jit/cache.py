"""Machine code on disk: found again by the next process, never stale, and private to the user.

The cache lives in a folder named by a hash of the package's sources and of the versions that matter, because Numba by
itself looks only at the file of the outermost function and would go on using stale code of an edited callee. A game
in a user's own file adds the hash of that file, and of the other files with kernels beside it, to the key of everything
that was specialised for it.

Reading a cache file runs code (it is unpickled), so a folder that another user owns or can write to is not used.
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
import stat
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import serialize
from numba.core.bytecode import FunctionIdentity

from montego._jit import numba_names  # noqa: F401 (checks the names that this module uses)

_PACKAGE = Path(__file__).parents[1]
_INSIDE = f"{_PACKAGE}{os.sep}"
_NO_KERNELS = {
    "sgf",
    "opponents",
    "sessions",
    "arena",
    "protocols",
    "lab",
    "web",
    "cli",
}  # layers whose edits leave machine code as it is
_MONTH = 30 * 24 * 3600
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH

_IMPLEMENTATION_FILES: dict[type, set[Path]] = {}  # type -> files that hold implementations for it
_USER_FILES: dict[Path, str] = {}  # files with kernels outside the package -> hash of their contents when read
_FAILED_READS: list[str] = []  # cache files that were there but could not be used, each with the reason


def _name_code_apart() -> None:
    """Make this process name its machine code as no other process does.

    Numba numbers functions, and record types too, in the order in which a process meets them. Two processes may give
    the same name to different code (Go on 9×9 and on 19×19), and a third that loads both would run one in place of
    the other.
    """
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


_name_code_apart()
os.register_at_fork(after_in_child=_name_code_apart)


# ------------------------------------------------------------------------------------------------------------- folders


def _digest(paths: Iterable[Path]) -> str:
    """Hash the contents of source files."""
    sha = hashlib.sha256()
    for path in sorted(paths):
        sha.update(path.name.encode() + b"\0" + path.read_bytes())
    return sha.hexdigest()[:16]


def _sources_with_kernels() -> Iterator[Path]:
    """Yield the source files of the package on which machine code may depend."""
    for folder, folders, files in os.walk(_PACKAGE):
        if folder == str(_PACKAGE):
            folders[:] = [name for name in folders if name not in _NO_KERNELS]
        yield from (Path(folder, name) for name in files if name.endswith(".py"))


# Hashed at import, because the code that will be compiled is the code that was read then, whatever is edited later.
_PACKAGE_DIGEST = _digest(_sources_with_kernels())


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


def _is_foreign(status: os.stat_result) -> bool:
    """Whether another user owns or may write to a file or folder."""
    return status.st_uid != os.geteuid() or bool(status.st_mode & _WRITABLE_BY_OTHERS)


@functools.cache
def cache_problem() -> str:
    """Return why the cache is not used, in one line, or an empty string; make its folders if they are missing."""
    for folder in (cache_root(), cache_directory()):
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            status = folder.stat()
        except OSError as problem:
            return f"{folder} cannot be used: {problem.strerror or problem}"
        if not hasattr(os, "geteuid"):
            continue
        if _is_foreign(status):
            return (
                f"{folder} belongs to another user or can be written by one; remove it, or set MONTEGO_CACHE to a "
                "folder of your own"
            )
        if stat.S_IMODE(status.st_mode) != 0o700:
            with contextlib.suppress(OSError):
                folder.chmod(0o700)
    return ""


@functools.cache
def _usable() -> bool:
    """Whether the cache may be used; if not, say so once."""
    problem = cache_problem()
    if problem:
        print(f"montego: no cache of compiled code, every start compiles anew: {problem}", file=sys.stderr, flush=True)
    return not problem


@functools.cache
def forget_old_caches() -> None:
    """Remove folders of other versions that no process has used for a month."""
    os.utime(cache_directory())
    for folder in cache_root().iterdir():
        if folder.is_dir() and time.time() - folder.stat().st_mtime > _MONTH:
            shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def say_once() -> None:
    """Say once per process that the wait has a reason."""
    print("montego: compiling for the first time on this machine, a few seconds ...", file=sys.stderr, flush=True)


_announcer: Callable[[], None] = say_once  # called before each compilation


def announce_with(announcer: Callable[[], None]) -> Callable[[], None]:
    """Call a function before each compilation from now on; return the one that was called so far."""
    global _announcer
    before, _announcer = _announcer, announcer
    return before


def failed_reads() -> list[str]:
    """Return the cache files that this process found but could not use, each with the reason."""
    return list(_FAILED_READS)


# ------------------------------------------------------------------------------------------------------------- sources


def note_source(function: Callable[..., Any]) -> None:
    """Remember what a user's file held when its kernels were read from it."""
    name = function.__code__.co_filename
    if name.startswith(_INSIDE):  # quicker than by paths, for hundreds of kernels
        return
    file = Path(name)
    if _PACKAGE not in file.parents and file.is_file():
        _USER_FILES[file] = _digest([file])


def note_implementation(cls: type, function: Callable[..., Any]) -> None:
    """Remember that code specialised for a class depends on the file of a function."""
    _IMPLEMENTATION_FILES.setdefault(cls, set()).add(Path(function.__code__.co_filename))


def ancestry(cls: Any) -> tuple[Any, ...]:
    """Return a class and its bases in the order in which Python looks for methods."""
    return cls.__mro__ if isinstance(cls, type) else (cls,)


def _classes(numba_type: Any) -> Iterator[type]:
    """Yield the NamedTuple classes in a Numba type, nested ones too."""
    if hasattr(numba_type, "instance_class"):
        yield numba_type.instance_class
    for part in getattr(numba_type, "types", ()):
        yield from _classes(part)


def _importable(cls: type) -> bool:
    """Whether another process can find a class by its name; it cannot if the class is in a script or a notebook."""
    return cls.__module__ != "__main__" and getattr(sys.modules.get(cls.__module__), cls.__qualname__, None) is cls


# --------------------------------------------------------------------------------------------------------------- files


class KernelCache:
    """The machine code of one kernel on disk, one file for each signature; Numba calls its methods.

    Numba's own cache keeps an index file per kernel, which processes that compile at the same time overwrite for each
    other. Here a file is named by the hash of all that its code depends on, written whole or not at all, and read only
    if its checksum is right. A file that cannot be used is noted in ``failed_reads`` and replaced.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        options: dict[str, Any],
        check: Callable[[Any], None] | None,
        rebuild: Callable[..., Any],
    ) -> None:
        self._function = function
        self._options = options
        self._check = check  # of what was just compiled, before it is used; raises if it must not be
        self._rebuild = rebuild  # makes a compile result of its stored parts
        self.hits = 0  # of this process
        self.misses = 0

    @property
    def cache_path(self) -> str:
        return str(cache_directory())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the stored machine code, or None: then Numba is about to compile."""
        result = self._load(sig, target_context)
        self.hits += result is not None
        self.misses += result is None
        return result

    def _load(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        if not _usable():
            return None
        if path is not None and path.exists():
            try:
                return self._read(path, target_context)
            except Exception as problem:  # damaged, of a class that is gone: anything may be raised by unpickling
                _FAILED_READS.append(f"{path.name}: {type(problem).__name__}: {problem}")
        _announcer()
        return None

    def _read(self, path: Path, target_context: Any) -> Any:
        """Return the machine code of a file; raise if it is not ours or not whole."""
        with path.open("rb") as file:
            if hasattr(os, "geteuid") and _is_foreign(os.fstat(file.fileno())):
                raise PermissionError("belongs to another user, or can be written by one")
            stored = file.read()
        if hashlib.sha256(stored[32:]).digest() != stored[:32]:
            raise ValueError("its checksum is wrong")
        return self._rebuild(target_context, *pickle.loads(stored[32:]))

    def save_overload(self, sig: Any, result: Any) -> None:
        """Store machine code, if it can be stored and there is a place for it."""
        if self._check is not None:
            self._check(result)
        path = self._path(sig, result.codegen)
        if path is None or result.lifted or result.library.has_dynamic_globals or not _usable():
            return
        payload = serialize.dumps(result._reduce())
        unfinished = path.with_suffix(f".{uuid.uuid4().hex}")
        try:
            forget_old_caches()
            unfinished.touch(mode=0o600)
            unfinished.write_bytes(hashlib.sha256(payload).digest() + payload)
            unfinished.replace(path)
        except OSError:  # read-only or full: the next process compiles again
            with contextlib.suppress(OSError):
                unfinished.unlink()

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        """Return the file for a signature, or None if another process could not tell which code it needs."""
        function = self._function
        classes = {cls for part in sig for cls in _classes(part)}
        bases = {base for cls in classes for base in ancestry(cls)}
        files = {Path(function.__code__.co_filename)}
        files |= {file for base in bases for file in _IMPLEMENTATION_FILES.get(base, ())}
        outside = {file for file in files if _PACKAGE not in file.parents}
        if not outside <= _USER_FILES.keys() or not all(_importable(cls) for cls in classes):
            return None
        folders = {file.parent for file in outside}  # a game may be split over several files
        sources = sorted(digest for file, digest in _USER_FILES.items() if file.parent in folders)
        names = sorted(f"{base.__module__}.{base.__qualname__}" for base in bases)
        cells = serialize.dumps([cell.cell_contents for cell in function.__closure__ or ()])
        where = (function.__module__, function.__qualname__, function.__code__.co_firstlineno)
        key = repr((where, self._options, cells, str(sig), names, sources, codegen.magic_tuple()))
        return cache_directory() / f"{function.__name__}-{hashlib.sha256(key.encode()).hexdigest()[:32]}.code"
