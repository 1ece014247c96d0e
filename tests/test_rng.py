"""The generator against its published values and a reference in plain integers, and against chance itself.

The statistical tests are seeded. Each says how often it would fail for a perfect generator.
"""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from montego.kernels import INTERPRETED, kernel
from montego.rng import RNG, below, next_word, shuffle, stream, uniform

MASK = 2**64 - 1
WORDS = st.integers(0, MASK)


def _rotate(word, count):
    return (word << count | word >> 64 - count) & MASK


class Reference:
    """xoshiro256** as its authors publish it (https://prng.di.unimi.it/xoshiro256starstar.c), in Python integers."""

    def __init__(self, state):
        self.state = list(state)

    def next_word(self):
        s = self.state
        result = _rotate(s[1] * 5 & MASK, 7) * 9 & MASK
        shifted = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = _rotate(s[3], 45)
        return result

    def below(self, bound):
        """Lemire (2019), algorithm 5 with 32-bit words from the upper halves."""
        product = (self.next_word() >> 32) * bound
        while product % 2**32 < 2**32 % bound:
            product = (self.next_word() >> 32) * bound
        return product >> 32


def generator(state):
    rng = np.zeros(1, RNG)[0]
    rng.a, rng.b, rng.c, rng.d = (np.uint64(word) for word in state)
    return rng


@kernel
def fill_below(rng, bound, out):
    for i in range(len(out)):
        out[i] = below(rng, bound)


@kernel
def fill_uniform(rng, out):
    for i in range(len(out)):
        out[i] = uniform(rng)


@kernel
def fill_words(rng, out):
    for i in range(len(out)):
        out[i] = next_word(rng)


@kernel
def count_orders(rng, items, counts, repeats):
    """Shuffle four items again and again and count each order at the index made of its first three places."""
    for _ in range(repeats):
        for i in range(4):
            items[i] = i
        shuffle(rng, items, 4)
        counts[items[0], items[1], items[2]] += 1


@pytest.mark.both_modes
def test_published_values():
    """The first outputs from the state 1, 2, 3, 4, as the test suites of other implementations have them."""
    expected = [
        11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600,
        16172922978634559625, 8476171486693032832, 10595114339597558777, 2904607092377533576,
    ]  # fmt: skip
    rng, reference = generator([1, 2, 3, 4]), Reference([1, 2, 3, 4])
    assert [int(next_word(rng)) for _ in expected] == expected
    assert [reference.next_word() for _ in expected] == expected


@pytest.mark.both_modes
@settings(max_examples=100, deadline=None, derandomize=True)
@given(state=st.tuples(WORDS, WORDS, WORDS, WORDS).filter(any), bound=st.integers(1, 2**32 - 1))
def test_same_as_the_reference(state, bound):
    rng, reference = generator(state), Reference(state)
    for _ in range(5):
        assert int(next_word(rng)) == reference.next_word()
        assert int(below(rng, bound)) == reference.below(bound)
        assert float(uniform(rng)) == (reference.next_word() >> 11) / 2**53
    assert [int(word) for word in rng] == reference.state


@pytest.mark.both_modes
def test_streams_depend_on_seed_and_keys_only():
    def first(*key):
        rng = stream(*key)
        return tuple(int(next_word(rng)) for _ in range(3))

    keys = [(1,), (2,), (1, 0), (1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0), (2, 0), (0,), (2**70,), (1, 2**40)]
    draws = [first(*key) for key in keys]
    assert len(set(draws)) == len(keys)
    assert draws == [first(*key) for key in keys]


def test_streams_do_not_correlate():
    """Neighbouring seeds and keys; fails a perfect generator once in about 1,000."""
    count = 2_000 if INTERPRETED else 50_000
    keys = [(1,), (2,), (1, 0), (1, 1), (1, 2), (1, 1, 0)]
    rows = np.zeros((len(keys), count))
    for row, key in zip(rows, keys, strict=True):
        fill_uniform(stream(*key), row)
    correlations = np.corrcoef(rows)[np.triu_indices(len(keys), 1)]
    assert np.abs(correlations).max() * np.sqrt(count) < 4.1
    lagged = np.corrcoef(rows[0][:-1], rows[0][1:])[0, 1]
    assert abs(lagged) * np.sqrt(count) < 4.1


@pytest.mark.compiled
@pytest.mark.parametrize("bound", [1, 2, 3, 7, 81, 361, 1000])
def test_bounded_integers_are_uniform(bound):
    """Fails a perfect generator once in 10,000 for each bound."""
    out = np.zeros(200_000, np.int64)
    fill_below(stream(5, bound), bound, out)
    assert out.min() >= 0
    assert out.max() < bound
    if bound > 1:
        assert stats.chisquare(np.bincount(out, minlength=bound)).pvalue > 1e-4


@pytest.mark.compiled
@pytest.mark.parametrize("bound", [3 * 2**30, 2**31 + 1, 5 * 2**29, 2**32 - 1])
def test_no_modulo_bias_near_the_limit(bound):
    """A word modulo 3·2^30 would fall into the first third half of the time. Fails once in 10,000 for each bound."""
    out = np.zeros(100_000, np.int64)
    fill_below(stream(6, bound), bound, out)
    assert out.min() >= 0
    assert out.max() < bound
    assert stats.chisquare(np.bincount(out * 12 // bound, minlength=12)).pvalue > 1e-4
    assert stats.chisquare(np.bincount(out % 7, minlength=7)).pvalue > 1e-4
    biased = np.random.default_rng(1).integers(0, 2**32, 100_000) % (3 * 2**30)
    assert stats.chisquare(np.bincount(biased * 12 // (3 * 2**30), minlength=12)).pvalue < 1e-9, "the test has no power"


@pytest.mark.compiled
def test_floats_are_uniform_in_the_unit_interval():
    """Kolmogorov-Smirnov and moments; each fails a perfect generator once in 10,000."""
    out = np.zeros(200_000)
    fill_uniform(stream(7), out)
    assert out.min() >= 0.0
    assert out.max() < 1.0
    assert stats.kstest(out, "uniform").pvalue > 1e-4
    assert abs(out.mean() - 0.5) < 3.9 * np.sqrt(1 / 12 / len(out))


@pytest.mark.both_modes
def test_the_greatest_float_is_below_one():
    """Run the scrambler backwards to find the state that gives a word of ones."""
    inverse_5, inverse_9 = pow(5, -1, 2**64), pow(9, -1, 2**64)
    b = _rotate(MASK * inverse_9 & MASK, 57) * inverse_5 & MASK
    assert int(next_word(generator([1, b, 3, 4]))) == MASK
    assert float(uniform(generator([1, b, 3, 4]))) == 1 - 2**-53


@pytest.mark.compiled
def test_every_bit_is_fair():
    """Each of 64 bits; all together fail a perfect generator once in about 1,000."""
    words = np.zeros(100_000, np.uint64)
    fill_words(stream(8), words)
    ones = np.array([((words >> np.uint64(bit)) & np.uint64(1)).sum() for bit in range(64)])
    assert np.abs(ones - len(words) / 2).max() < 4.4 * np.sqrt(len(words) / 4)


@pytest.mark.compiled
def test_all_orders_are_equally_likely():
    """Fails a perfect generator once in 10,000."""
    counts = np.zeros((4, 4, 4), np.int64)
    count_orders(stream(9), np.zeros(4, np.int64), counts, 240_000)
    seen = [counts[order[:3]] for order in itertools.permutations(range(4))]
    assert sum(seen) == 240_000
    assert stats.chisquare(seen).pvalue > 1e-4


@pytest.mark.both_modes
def test_shuffle_leaves_the_rest_alone():
    items = np.arange(10)
    shuffle(stream(1), items, 6)
    assert sorted(items[:6]) == list(range(6))
    assert items[6:].tolist() == [6, 7, 8, 9]
    before = items.copy()
    for count in (0, 1):
        shuffle(stream(1), items, count)
    assert (items == before).all()
