"""Tables of success rates by context, against a dictionary."""

import numpy as np
import pytest

import montego as mg
from montego.playouts.wls.automaton import QUARTILE
from montego.playouts.wls.contexts import NO_MOVE, ContextTable, context_key, find_cell, kept_for, scatter
from montego.playouts.wls.counters import HALF_BITS, MOST_VISITS, Counters, count_result


class Dictionary:
    """The same as a plain dictionary without a bound."""

    def __init__(self, wls, order):
        self.wls, self.order, self.known = wls, order, {}

    def key(self, player, last, before_last, move):
        return (player, (last, before_last)[: self.order], move)

    def record(self, player, last, before_last, move, won):
        key = self.key(player, last, before_last, move)
        self.known[key] = int(self.wls.after(self.known.get(key, 0), won))

    def record_game(self, moves, winner, player, last, before_last):
        for move in moves if winner >= 0 else ():
            self.record(player, last, before_last, int(move), player == winner)
            player, last, before_last = 1 - player, int(move), last


def every_context(moves):
    for player in (0, 1):
        for last in range(NO_MOVE, moves):
            for before_last in range(NO_MOVE, moves):
                for move in range(moves):
                    yield player, last, before_last, move


@pytest.mark.both_modes
@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("e", [1, 5, 25])
def test_games_teach_what_they_teach_a_dictionary(order, e):
    wls = mg.WinLossStates(e=e)
    table, plain = ContextTable(wls, 5, order=order), Dictionary(wls, order)
    rng = np.random.default_rng(order)
    for _ in range(60):
        moves, winner = rng.integers(5, size=8), int(rng.integers(-1, 2))
        player, last, before_last = int(rng.integers(2)), int(rng.integers(-1, 5)), int(rng.integers(-1, 5))
        table.record_game(moves, winner, player, last, before_last)
        plain.record_game(moves, winner, player, last, before_last)
    assert not table.hashed
    for context in every_context(5):
        assert table.state(*context) == plain.known.get(plain.key(*context), 0)
    table.clear()
    assert not any(table.state(*context) for context in every_context(5))


@pytest.mark.both_modes
def test_a_hand_made_game():
    """Player 1 answers 3 by 2 and wins: good for 1 after 3; player 0's opening 3 is bad; nothing else is known."""
    wls = mg.WinLossStates(e=3)
    table = ContextTable(wls, 4)
    table.record_game([3, 2], winner=1)
    assert table.state(0, NO_MOVE, NO_MOVE, 3) == wls.state(0, 1)
    assert table.state(1, 3, NO_MOVE, 2) == wls.state(1, 1)
    assert np.count_nonzero(table.cells) == 2
    table.record_game([3, 2], winner=0)
    assert table.state(1, 3, NO_MOVE, 2) == wls.state(1, 2)
    before = table.cells.copy()
    table.record_game([3, 2, 1, 0], winner=-1)
    assert (table.cells == before).all()


@pytest.mark.both_modes
def test_every_direct_context_has_a_cell_of_its_own():
    for order, patterns in ((0, 1), (1, 1), (2, 1), (1, 3), (2, 2)):
        table = ContextTable(mg.WinLossStates(e=2), 3, order=order, patterns=patterns)
        cells = set()
        for player, last, before_last, move in every_context(3):
            for pattern in range(patterns):
                context = context_key(table.layout, player, last, before_last, pattern)
                assert 0 <= context < table.contexts
                cells.add(int(find_cell(table.layout, context, move)[0]))
        assert cells == set(range(len(table.cells)))


@pytest.mark.both_modes
@pytest.mark.parametrize("e", [21, 22])
def test_a_hashed_table_forgets_but_does_not_mix_up(e):
    """What it knows is what the dictionary knows since the key last took the cell; other keys are unseen.

    A key is mistaken for another if cell and tag agree: by 8 bits for e = 21, 16 bits for e = 22.
    """
    wls = mg.WinLossStates(e=e)
    table = ContextTable(wls, 300, order=2, memory=0.001 * wls.dtype.itemsize)
    assert table.hashed
    assert len(table.cells) == 256
    assert table.cells.nbytes <= 1000 * wls.dtype.itemsize
    owner: dict[int, tuple[int, ...]] = {}
    states: dict[int, int] = {}
    remembered = 0
    rng = np.random.default_rng(1)
    keys = [(int(p), int(a), int(b), int(m)) for p, a, b, m in rng.integers([2, 300, 300, 300], size=(400, 4))]
    for i in rng.integers(len(keys), size=4000 if e == 21 else 2000):
        key, won = keys[i], bool(i % 3)
        cell, tag = find_cell(table.layout, context_key(table.layout, *key[:3], 0), key[3])
        identity = (int(cell), int(tag))
        if owner.get(int(cell)) != identity:
            states[int(cell)] = 0
        owner[int(cell)] = identity
        states[int(cell)] = int(wls.after(states[int(cell)], won))
        table.record(*key, won)
        assert table.state(*key) == states[int(cell)]
    for key in keys:
        cell, tag = find_cell(table.layout, context_key(table.layout, *key[:3], 0), key[3])
        known = states[int(cell)] if owner.get(int(cell)) == (int(cell), int(tag)) else 0
        assert table.state(*key) == known
        remembered += known != 0
    assert 100 < remembered < len(keys)


@pytest.mark.both_modes
def test_scatter_is_splitmix():
    """SplitMix64 with seed 0 gives the constants of its published code, by steps of the golden ratio."""
    golden = 0x9E3779B97F4A7C15
    assert int(scatter(np.uint64(golden))) == 0xE220A8397B1DCDAF
    assert int(scatter(np.uint64(2 * golden % 2**64))) == 0x6E789E6AA1B965F4


@pytest.mark.both_modes
def test_keys_are_spread_evenly():
    """Chi-square of 10,000 consecutive keys over 64 cells; a fair spread exceeds the limit once in a million."""
    counts = np.bincount([int(scatter(key)) & 63 for key in range(10_000)], minlength=64)
    assert ((counts - 10_000 / 64) ** 2 / (10_000 / 64)).sum() < 131


@pytest.mark.both_modes
def test_sizes_stay_within_the_memory():
    wls = mg.WinLossStates()
    small = ContextTable(wls, 82)
    assert not small.hashed
    assert small.cells.nbytes == 2 * 83 * 82
    for moves, order in ((362, 2), (13_729, 1), (13_729, 2)):
        large = ContextTable(wls, moves, order=order, memory=8)
        assert large.hashed
        assert 4e6 < large.cells.nbytes <= 8e6


def test_both_modes_give_the_same_cells(python):
    code = """
import numpy as np, montego as mg
from montego.playouts.wls.contexts import ContextTable
table = ContextTable(mg.WinLossStates(), 200, order=2, memory=0.002)
rng = np.random.default_rng(1)
for _ in range(20):
    table.record_game(rng.integers(200, size=30), int(rng.integers(2)))
print(table.cells.tolist())
"""
    assert python(code).stdout == python(code, interpreted=True).stdout


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"moves": 0}, "moves must be a whole number from 1"),
        ({"moves": 2.5}, "moves must be a whole number"),
        ({"order": 3}, "order must be a whole number from 0 to 2, not 3"),
        ({"patterns": 0}, "patterns must be a whole number from 1"),
        ({"memory": 0}, "memory must be from 0.001 to 16384 megabytes, not 0"),
        ({"memory": float("nan")}, "memory must be"),
        ({"moves": 1 << 24, "order": 2}, "too many to number"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(mg.MontegoError, match=message):
        ContextTable(mg.WinLossStates(), **{"moves": 10, **parameters})


@pytest.mark.both_modes
def test_bad_use_leaves_the_table_alone():
    table = ContextTable(mg.WinLossStates(e=4), 10)
    for parts, message in (
        ((2, 0, 0, 0), "player must be from 0 to 1"),
        ((0, 10, 0, 0), "last must be from -1 to 9"),
        ((0, 0, -2, 0), "before_last must be from -1 to 9"),
        ((0, 0, 0, 10), "move must be from 0 to 9"),
    ):
        with pytest.raises(mg.MontegoError, match=message):
            table.state(*parts)
        with pytest.raises(mg.MontegoError, match=message):
            table.record(*parts, True)
    with pytest.raises(mg.MontegoError, match="move must be from 0 to 9, not 12"):
        table.record_game([1, 12], 0)
    with pytest.raises(mg.MontegoError, match="winner must be"):
        table.record_game([1], 2)
    with pytest.raises(mg.MontegoError, match="only the game knows the patterns"):
        ContextTable(mg.WinLossStates(e=4), 10, patterns=2).record_game([1], 0)
    with pytest.raises(mg.MontegoError, match="e from 1 to 360"):
        ContextTable(mg.WinLossStates(e=361), 10)
    table.record_game([], 0)
    assert not table.cells.any()


@pytest.mark.both_modes
@pytest.mark.parametrize("memory", [1.0, 0.001])
def test_counters_count_and_are_ordered_as_states_are(memory):
    """(wins, visits) in full: in a table that fits and in a hashed one, and by the bound that orders the states."""
    wls, counters = mg.WinLossStates(e=9, k=0), Counters(QUARTILE, (1, 2))
    table = ContextTable(counters, 100, memory=memory)
    assert table.hashed == (memory < 1)
    levels = {}
    for wins, visits in [(won, all_) for all_ in range(1, 10) for won in range(all_ + 1)]:
        table.clear()
        for number in range(visits):
            table.record(0, 3, NO_MOVE, 7, won=number < wins)
        assert table.state(1, 3, NO_MOVE, 7) == 0
        levels[wins, visits] = table.state(0, 3, NO_MOVE, 7)
        assert levels[wins, visits] == counters.limit_of(wins, visits)
        kept = int(kept_for(table.layout, table.cells, context_key(table.layout, 0, 3, NO_MOVE, 0), 7))
        assert counters.proportion(kept) == wins / visits
    assert sorted(levels, key=levels.__getitem__) == sorted(levels, key=lambda rate: wls.state(*rate))
    assert min(levels.values()) > 0
    assert max(levels.values()) < 1 << 16
    full = MOST_VISITS << HALF_BITS | 5
    assert count_result(full, 1) == full


def test_counters_want_a_threshold():
    for threshold in ((3, 2), (0, 0), (1.5, 2), (1, 2, 3)):
        with pytest.raises(mg.MontegoError, match="threshold must be"):
            Counters(QUARTILE, threshold)
