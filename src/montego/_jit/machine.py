"""The few machine operations that Python has no word for, compiled and interpreted."""

import operator
from functools import partial, reduce
from typing import Any

import numpy as np
from llvmlite import ir
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

    def all_of_five(words: Any, *starts: Any) -> tuple[Any, ...]:
        """Return the bits that five sets of 256 bits have in common, each four words of an array from a place on."""
        return tuple(reduce(operator.and_, (words[start + word] for start in starts)) for word in range(4))

    def any_of_five(words: Any, *starts: Any) -> tuple[Any, ...]:
        """Return the bits of any of five sets of 256 bits, each four words of an array from a place on."""
        return tuple(reduce(operator.or_, (words[start + word] for start in starts)) for word in range(4))

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

    def _five_combined_by(words, combine):  # type: ignore[no-untyped-def]
        """Return signature and code that combine five sets, all four words at once where registers are wide."""
        if not isinstance(words, types.Array) or words.dtype != types.uint64 or words.layout != "C":
            return None

        def emit(context, builder, signature, args):  # type: ignore[no-untyped-def]
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            kind = ir.VectorType(ir.IntType(64), 4)
            sets = []
            for start in args[1:]:
                place = builder.bitcast(builder.gep(data, [start]), kind.as_pointer())
                sets.append(builder.load(place, align=8))
            combined = reduce(partial(combine, builder), sets)
            of_words = [builder.extract_element(combined, ir.Constant(ir.IntType(32), word)) for word in range(4)]
            return context.make_tuple(builder, signature.return_type, of_words)

        return types.UniTuple(types.uint64, 4)(words, *(types.uintp,) * 5), emit

    @intrinsic
    def all_of_five(typing_context, words, a, b, c, d, e):  # type: ignore[no-untyped-def]
        """Return the bits that five sets of 256 bits have in common, each four words of an array from a place on."""
        return _five_combined_by(words, ir.IRBuilder.and_)

    @intrinsic
    def any_of_five(typing_context, words, a, b, c, d, e):  # type: ignore[no-untyped-def]
        """Return the bits of any of five sets of 256 bits, each four words of an array from a place on."""
        return _five_combined_by(words, ir.IRBuilder.or_)
