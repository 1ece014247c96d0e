"""Compilation: the only package that touches Numba.

Kernels are plain Python functions. With ``NUMBA_DISABLE_JIT=1`` the same source runs interpreted, which is how the
tests check it and how a reader steps through it. Authors of games, policies and rewards import ``montego.kernels``,
which offers the words below and nothing else.

- ``numba_first``: imports Numba, quickly
- ``numba_names``: the private names of Numba that this package relies on, checked when it is imported
- ``cache``: machine code on disk, kept between processes and private to the user
- ``interrupts``: Ctrl-C while LLVM works
- ``dispatchers``: the two forms of a kernel, one for Python and one for other kernels
- ``compiling``: ``kernel`` and its variants, which compile a function on its first call
- ``generics``: functions whose implementation is chosen by the type of their first argument
- ``explain``: what is wrong with a kernel that cannot be compiled, in a few words
- ``machine``: the few machine operations that Python has no word for
"""

from montego._jit import numba_first  # noqa: F401 (before the others)
from montego._jit.cache import announce_with, cache_directory, cache_problem, cache_root, failed_reads
from montego._jit.compiling import (
    INTERPRETED,
    borrowing,
    compile_seconds,
    compiled_here,
    inlined,
    kernel,
    loaded_from_cache,
    wrapping_kernel,
)
from montego._jit.generics import Generic, generic, generic_with_default, implements, name_apart
from montego._jit.machine import all_of_five, any_of_five, bit_count, copy_record, index, lowest_bit

__all__ = [
    "INTERPRETED",
    "Generic",
    "all_of_five",
    "announce_with",
    "any_of_five",
    "bit_count",
    "borrowing",
    "cache_directory",
    "cache_problem",
    "cache_root",
    "compile_seconds",
    "compiled_here",
    "copy_record",
    "failed_reads",
    "generic",
    "generic_with_default",
    "implements",
    "index",
    "inlined",
    "kernel",
    "loaded_from_cache",
    "lowest_bit",
    "name_apart",
    "wrapping_kernel",
]
