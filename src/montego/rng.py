"""Random numbers for kernels: xoshiro256** in a record.

The generator is that of Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021): 256 bits of
state, about a nanosecond a draw. Streams come from NumPy's ``SeedSequence``, so that every (seed, key, key, …) has a
stream of its own that does not depend on how many others there are or on who draws first.
"""

from typing import Any

import numpy as np

from montego.kernels import index, kernel, wrapping_kernel

RNG = np.dtype((np.record, [("a", np.uint64), ("b", np.uint64), ("c", np.uint64), ("d", np.uint64)]))

_U = np.uint64
_LOW_32 = np.uint64(0xFFFFFFFF)
_FIVE, _SEVEN, _NINE = np.uint64(5), np.uint64(7), np.uint64(9)
_ELEVEN, _17, _19, _32, _45, _57 = (np.uint64(n) for n in (11, 17, 19, 32, 45, 57))
_FIRST_FACTOR, _SECOND_FACTOR = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31 = np.uint64(27), np.uint64(30), np.uint64(31)
_UNIT = 2.0**-53
_BATCH_LIMIT = 1024  # the product of three bounds must stay well below 2**32


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
def happens(rng, probability):
    """Whether something of a probability happens; without a draw where that is certain."""
    return probability >= 1.0 or (probability > 0.0 and uniform(rng) < probability)


@wrapping_kernel
def shuffle(rng, items, count):
    """Put the first ``count`` items of an array into a random order, each order equally likely.

    Fisher and Yates from the end, six swaps for one draw of 64 bits where the bounds are small enough.
    """
    left = count
    while left > _BATCH_LIMIT:
        left -= 1
        other = below(rng, left + 1)
        items[index(left)], items[index(other)] = items[index(other)], items[index(left)]
    while left > 6:
        word = next_word(rng)
        _swap_last_three(rng, items, left, word >> _32)
        _swap_last_three(rng, items, left - 3, word & _LOW_32)
        left -= 6
    while left > 1:
        left -= 1
        other = below(rng, left + 1)
        items[index(left)], items[index(other)] = items[index(other)], items[index(left)]


@wrapping_kernel
def _swap_last_three(rng, items, count, bits):
    """Swap the last three of ``count`` items with random ones before them or themselves, by 32 random bits.

    Brackett-Rozinsky and Lemire, "Batched ranged random integer generation" (2024): what a multiplication leaves below
    the point serves as the random fraction of the next one; the rejection covers the product of the three bounds.
    """
    first, second, third = _U(count), _U(count - 1), _U(count - 2)
    bounds = first * second * third
    while True:
        product = bits * first
        a = product >> _32
        product = (product & _LOW_32) * second
        b = product >> _32
        product = (product & _LOW_32) * third
        c = product >> _32
        rest = product & _LOW_32
        if rest >= bounds or rest >= ((_LOW_32 - bounds) + _U(1)) % bounds:
            break
        bits = next_word(rng) >> _32
    items[second], items[a] = items[a], items[second]
    items[third], items[b] = items[b], items[third]
    last = third - _U(1)
    items[last], items[c] = items[c], items[last]


@wrapping_kernel
def scatter(key):
    """Spread a key over 64 bits, for hash tables: the finaliser of Steele, Lea and Flood's SplitMix (2014)."""
    word = _U(key)
    word = (word ^ (word >> _30)) * _FIRST_FACTOR
    word = (word ^ (word >> _27)) * _SECOND_FACTOR
    return word ^ (word >> _31)
