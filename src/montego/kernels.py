"""The words for writing kernels: what the author of a game, a playout policy or a reward imports.

A kernel is a plain Python function that is compiled to machine code, or runs as it is with ``NUMBA_DISABLE_JIT=1``.

- ``kernel`` compiles a function on its first call and keeps the machine code on disk for the next process.
  ``borrowing`` also leaves out the reference counts of arrays, and ``inlined`` pastes the function into its callers.
  ``wrapping_kernel`` is for integer arithmetic that is meant to wrap around.
- ``generic`` declares a function whose implementation depends on the type of its first argument (a game, a policy);
  ``generic_with_default`` gives it a body for the types without their own; ``implements`` adds an implementation.
- ``index`` marks a number as never negative, for array indices in hot loops.
- ``bit_count``, ``lowest_bit``, ``all_of_five``, ``any_of_five`` and ``copy_record`` are machine operations that Python
  has no word for.
"""

from montego._jit import (
    INTERPRETED,
    all_of_five,
    any_of_five,
    bit_count,
    borrowing,
    copy_record,
    generic,
    generic_with_default,
    implements,
    index,
    inlined,
    kernel,
    lowest_bit,
    wrapping_kernel,
)

__all__ = [
    "INTERPRETED",
    "all_of_five",
    "any_of_five",
    "bit_count",
    "borrowing",
    "copy_record",
    "generic",
    "generic_with_default",
    "implements",
    "index",
    "inlined",
    "kernel",
    "lowest_bit",
    "wrapping_kernel",
]
