"""The few machine operations that Python has no word for, compiled and interpreted."""

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from montego._jit.compiling import INTERPRETED

# Marks an index as never negative, so that the compiler leaves out Python's wrap-around: ``board[index(p - 1)]``.
index = np.uintp

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
