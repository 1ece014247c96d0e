"""Random numbers for kernels: xoshiro256** in a record.

The generator is that of Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021): 256 bits of state,
about a nanosecond a draw. Streams come from NumPy's ``SeedSequence``, so that every (seed, key, key, …) has a stream of
its own that does not depend on how many others there are or on who draws first.
"""

from typing import Any

import numpy as np

from montego._jit import kernel, wrapping_kernel

RNG = np.dtype((np.record, [("a", np.uint64), ("b", np.uint64), ("c", np.uint64), ("d", np.uint64)]))

_U = np.uint64
_LOW_32 = np.uint64(0xFFFFFFFF)
_FIVE, _SEVEN, _NINE = np.uint64(5), np.uint64(7), np.uint64(9)
_ELEVEN, _17, _19, _32, _45, _57 = (np.uint64(n) for n in (11, 17, 19, 32, 45, 57))
_UNIT = 2.0**-53


def stream(seed: int, *keys: int) -> Any:
    """Return the generator of the stream (seed, key, key, …); equal arguments give equal draws."""
    words = np.random.SeedSequence(seed, spawn_key=keys).generate_state(4, np.uint64)
    generator = np.zeros(1, RNG)[0]
    generator.a, generator.b, generator.c, generator.d = words
    return generator


@wrapping_kernel
def next_word(rng):
    """Draw 64 random bits."""
    b = rng.b
    scrambled = b * _FIVE
    scrambled = ((scrambled << _SEVEN) | (scrambled >> _57)) * _NINE
    c = rng.c ^ rng.a
    d = rng.d ^ b
    rng.b = b ^ c
    rng.a ^= d
    rng.c = c ^ (b << _17)
    rng.d = (d << _45) | (d >> _19)
    return scrambled


@wrapping_kernel
def below(rng, bound):
    """Draw an integer from 0 … bound-1, each equally likely, for 0 < bound < 2**32.

    Lemire, "Fast random integer generation in an interval" (2019): a multiplication instead of a division, and
    rejection of the few draws that would make some numbers more likely than others.
    """
    wide = _U(bound)
    product = (next_word(rng) >> _32) * wide
    if (product & _LOW_32) < wide:
        threshold = ((_LOW_32 - wide) + _U(1)) % wide
        while (product & _LOW_32) < threshold:
            product = (next_word(rng) >> _32) * wide
    return np.int64(product >> _32)


@kernel
def uniform(rng):
    """Draw a float from [0, 1) with 53 random bits."""
    return (next_word(rng) >> _ELEVEN) * _UNIT


@kernel
def shuffle(rng, items, count):
    """Put the first ``count`` items of an array into a random order, each order equally likely."""
    for last in range(count - 1, 0, -1):
        other = below(rng, last + 1)
        items[last], items[other] = items[other], items[last]
