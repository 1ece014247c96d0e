"""Win/Loss States: the paper's three conditions, the tables, arrays and kernels, drawings, bad input."""

import pickle
import xml.etree.ElementTree as ET
from fractions import Fraction

import numpy as np
import pytest

import montego as mg
from montego.kernels import kernel
from montego.playouts.wls import drawing, is_above, record_result
from montego.playouts.wls.order import jump_columns

ALL_E = range(1, 101)
ALL_Z = (0.01, 0.1, 0.67449, 1.0, 1.96, 3.0, 10.0)
ALL_K = (0.0, 0.5, 1.0, 1.3, 2.0)
SVG = "{http://www.w3.org/2000/svg}"


# ---------------------------------------------------------------------------------------------------- the conditions


@pytest.mark.parametrize("z", ALL_Z)
def test_condition_1_order(z):
    """Every n/m below 1/2 comes before every other; within a proportion, more visits are more evidence."""
    for e in ALL_E:
        wls = mg.WinLossStates(e=e, z=z)
        assert wls.fraction(0) == (0, 0)
        assert (np.diff(wls.values) > 0).all()
        upper = 2 * wls.wins[1:] >= wls.visits[1:]
        assert (np.diff(upper.astype(int)) >= 0).all()
        last: dict[Fraction, tuple[int, int]] = {}
        for state in sorted(range(1, len(wls)), key=lambda s: wls.visits[s]) if e in (1, 2, 3, 21, 50) else ():
            n, m = wls.fraction(state)
            rate = Fraction(n, m)
            if rate in last:
                assert (state > last[rate][0]) == (rate >= Fraction(1, 2)), (n, m)
            last[rate] = (state, m)


@pytest.mark.parametrize("z", ALL_Z)
@pytest.mark.parametrize("k", ALL_K)
def test_condition_2_a_win_raises_and_a_loss_lowers(z, k):
    """Only the best state stays after a win, and only the worst (0/0 aside) after a loss."""
    for e in ALL_E:
        wls = mg.WinLossStates(e=e, z=z, k=k)
        best, seen = len(wls) - 1, np.arange(1, len(wls))
        assert (wls.fraction(1), wls.fraction(best)) == ((0, e), (e, e))
        assert (wls.win[1:best] > seen[:-1]).all()
        assert (wls.loss[2:] < seen[1:]).all()
        assert (wls.win[best], wls.loss[1]) == (best, 1)


@pytest.mark.parametrize("e", ALL_E)
def test_condition_3_counting_below_the_end_of_scale(e):
    wls = mg.WinLossStates(e=e)
    inner = np.flatnonzero(wls.visits < e)
    for table, gained in ((wls.win, 1), (wls.loss, 0)):
        assert (wls.wins[table[inner]] == wls.wins[inner] + gained).all()
        assert (wls.visits[table[inner]] == wls.visits[inner] + 1).all()


# -------------------------------------------------------------------------------------------------- order and jumps


def naive_automaton(e, z, k):
    """The paper's pseudocode, line by line, with a list search for the jump; None where it finds nothing."""
    total = {(n, m): m + z * z for m in range(e + 1) for n in range(m + 1)}

    def v(n, m):
        if m == 0:
            return -9.0
        centre = (n + z * z / 2) / total[n, m]
        width = z * (centre * (1 - centre) / total[n, m]) ** 0.5
        return centre - width if n / m >= 0.5 else centre + width - 1

    states = sorted(total, key=lambda s: v(*s))
    following = {}
    for n, m in states:
        for won in (True, False):
            if m < e:
                following[n, m, won] = (n + won, m + 1)
            elif n == (e if won else 0):
                following[n, m, won] = (n, m)
            else:
                column = max(1, e - round(Fraction(str(k)) * e * abs(Fraction(n, e) - Fraction(1, 2))))
                there = [(v(q, column), (q, column)) for q in range(column + 1)]
                side = [pair for pair in there if (pair[0] > v(n, e) if won else pair[0] < v(n, e))]
                following[n, m, won] = (min(side) if won else max(side))[1] if side else None
    return states, following


@pytest.mark.both_modes
@pytest.mark.parametrize("e", [1, 2, 3, 4, 7, 12, 21])
@pytest.mark.parametrize(("z", "k"), [(0.67449, 1.3), (0.67449, 1.0), (0.3, 1.4), (1.96, 1.3), (5.0, 2.0)])
def test_the_tables_are_those_of_the_pseudocode(e, z, k):
    wls = mg.WinLossStates(e=e, z=z, k=k)
    states, following = naive_automaton(e, z, k)
    assert [wls.fraction(i) for i in range(len(wls))] == states
    for (n, m, won), wanted in following.items():
        found = wls.fraction(int(wls.after(wls.state(n, m), won)))
        if wanted is not None:
            assert found == wanted, (n, m, won)
        else:  # the fallback: the shortest longer column that has a state on the right side
            here = wls.state(n, m)
            column = max(1, e - round(Fraction(str(k)) * abs(2 * n - e) / 2))
            for shorter in range(column, found[1]):
                numbers = [wls.state(q, shorter) for q in range(shorter + 1)]
                assert not any(number > here if won else number < here for number in numbers)


@pytest.mark.both_modes
def test_figure_1():
    wls = mg.WinLossStates(e=3)
    order = ["0/0", "0/3", "0/2", "0/1", "1/3", "1/2", "2/3", "1/1", "2/2", "3/3"]
    assert ["{}/{}".format(*wls.fraction(i)) for i in range(10)] == order
    assert wls.win.tolist() == [7, 3, 4, 5, 5, 6, 8, 8, 9, 9]
    assert wls.loss.tolist() == [3, 1, 1, 2, 2, 4, 5, 5, 6, 7]


@pytest.mark.both_modes
def test_the_example_of_the_paper():
    """With K about 1, a loss at 21/21 jumps to about e/2: 10/10 in the paper's words."""
    wls = mg.WinLossStates(k=1.05)
    assert wls.fraction(int(wls.after(wls.state(21, 21), False))) == (10, 10)


@pytest.mark.both_modes
def test_wins_mirror_losses():
    for k in (0.9, 1.0, 1.3, 1.4):
        columns = jump_columns(21, k)
        assert (columns == columns[::-1]).all()


@pytest.mark.both_modes
def test_k_is_the_decimal_number_that_was_written():
    """1.4 · 15 / 2 is 10.5 in decimals, and half goes to the even 10; as a binary fraction it is not a tie."""
    assert jump_columns(21, 1.4)[[3, 8, 13, 18]].tolist() == [11, 17, 17, 11]
    assert jump_columns(21, 1.0)[:4].tolist() == [11, 11, 13, 13]


# ------------------------------------------------------------------------------------------------------------ in use


@pytest.mark.parametrize(
    ("e", "states", "dtype"),
    [(1, 3, "uint8"), (21, 253, "uint8"), (22, 276, "uint16"), (360, 65341, "uint16"), (361, 65703, "uint32")],
)
def test_the_smallest_type(e, states, dtype):
    wls = mg.WinLossStates(e=e)
    assert len(wls) == states
    assert wls.dtype == wls.steps.dtype == wls.new_table(5).dtype == dtype


@pytest.mark.both_modes
def test_conversions():
    wls = mg.WinLossStates(e=7)
    for state in range(len(wls)):
        n, m = wls.fraction(state)
        assert wls.state(n, m) == state
        assert m == 0 or wls.proportion(state) == n / m
    assert np.isnan(wls.proportion(0))
    every = np.arange(1, len(wls))
    assert (wls.proportion(every) == wls.wins[1:] / wls.visits[1:]).all()
    assert wls.proportion([[1, 2], [3, 4]]).shape == (2, 2)


@pytest.mark.both_modes
def test_after_works_on_arrays_of_any_shape():
    wls = mg.WinLossStates(e=5)
    states = np.array([[0, 1, 20], [7, 8, 9]], wls.dtype)
    won = np.array([[True, False, True], [False, True, False]])
    wanted = [[(wls.win if w else wls.loss)[s] for s, w in zip(*row)] for row in zip(states, won)]
    assert wls.after(states, won).tolist() == wanted
    assert wls.after(states, True).tolist() == wls.win[states].tolist()
    assert wls.after(states, won).dtype == wls.dtype


@pytest.mark.both_modes
def test_record_updates_repeated_entries_in_order():
    wls = mg.WinLossStates(e=4)
    rng = np.random.default_rng(1)
    table, counts = wls.new_table(6), np.zeros(6, int)
    entries, won = rng.integers(6, size=60), rng.random(60) < 0.6
    wls.record(table, entries, won)
    for entry, result in zip(entries, won):
        counts[entry] = (wls.win if result else wls.loss)[counts[entry]]
    assert table.tolist() == counts.tolist()
    wls.record(table, 3, True)
    assert table[3] == wls.win[counts[3]]
    wls.record(table, np.array([], int), np.array([], bool))


@kernel
def _play_matches(states, steps, limit, results):
    above = 0
    for i in range(len(results)):
        record_result(states, i % len(states), steps, results[i])
        if is_above(states, i % len(states), limit):
            above += 1
    return above


@pytest.mark.both_modes
@pytest.mark.parametrize("e", [1, 3, 21, 30])
def test_kernels_do_what_the_arrays_do(e):
    wls = mg.WinLossStates(e=e)
    results = np.random.default_rng(e).random(200) < 0.55
    states, plain, above = wls.new_table(3), [0, 0, 0], 0
    for i, won in enumerate(results):
        plain[i % 3] = int(wls.after(plain[i % 3], won))
        above += bool(wls.above(plain[i % 3]))
    assert _play_matches(states, wls.steps, wls.limit, results) == above
    assert states.tolist() == plain


@pytest.mark.both_modes
def test_thresholds():
    wls = mg.WinLossStates(threshold=(2, 3))
    assert wls.limit == wls.state(2, 3)
    assert not wls.above(0)
    assert wls.above(wls.state(4, 6))
    assert not wls.above([wls.state(2, 3), wls.state(1, 2), 0]).any()
    every = np.arange(1, len(wls))
    half = wls.above(every, (1, 2))
    assert (half == ((2 * wls.wins[1:] >= wls.visits[1:]) & (every != wls.state(1, 2)))).all()


@pytest.mark.both_modes
def test_e_1_is_last_good_reply_with_forgetting():
    """A reply is good after a win and no longer after a loss; an unseen one is not good."""
    wls = mg.WinLossStates(e=1)
    state, good = 0, []
    for won in (True, True, False, False, True):
        state = int(wls.after(state, won))
        good.append(bool(wls.above(state)))
    assert good == [True, True, False, False, True]
    assert not wls.above(0)


@pytest.mark.both_modes
def test_values_are_equal_by_their_parameters_and_cannot_be_changed():
    wls = mg.WinLossStates(e=5, k=1)
    again = pickle.loads(pickle.dumps(wls))
    assert again == wls
    assert hash(again) == hash(wls)
    assert (again.steps == wls.steps).all()
    assert wls != mg.WinLossStates(e=5)
    assert repr(wls) == "WinLossStates(e=5, z=0.67449, k=1.0, threshold=(1, 2))"
    for array in (wls.steps, again.steps, wls.win, wls.wins, wls.values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        wls.e = 6


# ---------------------------------------------------------------------------------------------------------- drawings


@pytest.mark.both_modes
@pytest.mark.parametrize("e", [1, 2, 3, 4, 5, 6])
def test_the_automaton_is_drawn(e):
    wls = mg.WinLossStates(e=e)
    root = ET.fromstring(wls.automaton_svg())
    circles = root.findall(f"{SVG}circle[@class='state']")
    assert len(circles) == len(wls)
    assert len(root.findall(f"{SVG}path[@class='win']")) == len(root.findall(f"{SVG}path[@class='loss']")) == len(wls)
    texts = [text.text for text in root.findall(f"{SVG}text")]
    for state in range(len(wls)):
        assert str(state) in texts
        assert "{}/{}".format(*wls.fraction(state)) in texts
    width, height = float(root.get("width")), float(root.get("height"))
    for circle in circles:
        x, y, r = (float(circle.get(name)) for name in ("cx", "cy", "r"))
        assert r < x < width - r
        assert r < y < height - r


@pytest.mark.both_modes
@pytest.mark.parametrize("e", [1, 2, 3, 4, 5])
def test_no_arrow_passes_behind_a_foreign_state(e):
    wls = mg.WinLossStates(e=e)
    for path in ET.fromstring(wls.automaton_svg()).iter(f"{SVG}path"):
        if path.get("class") is None or "C" not in path.get("d"):
            continue
        numbers = [float(word) for word in path.get("d").replace("M", "").replace("C", "").replace(",", " ").split()]
        start, first, second, end = zip(numbers[::2], numbers[1::2])
        centres = sorted(
            (drawing._centre(wls, state) for state in range(len(wls))),
            key=lambda c: min(np.hypot(c[0] - start[0], c[1] - start[1]), np.hypot(c[0] - end[0], c[1] - end[1])),
        )
        assert drawing._clearance((start, end, first, second), centres[2:]) > drawing._RADIUS + 2


@pytest.mark.both_modes
def test_the_value_curve_is_drawn():
    wls = mg.WinLossStates(e=4)
    texts = [text.text for text in ET.fromstring(wls.value_svg()).iter(f"{SVG}text")]
    assert {"state", "n/m < 1/2: upper bound", "n/m ≥ 1/2: lower bound"} <= set(texts)


# ---------------------------------------------------------------------------------------------------------- bad input


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"e": 0}, "e must be a whole number from 1 to 2000, not 0"),
        ({"e": 2001}, "e must be a whole number from 1 to 2000"),
        ({"e": 2.5}, "e must be a whole number"),
        ({"e": True}, "e must be a whole number"),
        ({"e": "21"}, "e must be a whole number"),
        ({"z": 0}, "z must be a number from 0.01 to 10, not 0"),
        ({"z": float("nan")}, "z must be a number from 0.01 to 10, not nan"),
        ({"z": float("inf")}, "z must be a number"),
        ({"z": None}, "z must be a number"),
        ({"k": -0.1}, "k must be a number from 0 to 2, not -0.1"),
        ({"k": float("nan")}, "k must be a number from 0 to 2, not nan"),
        ({"k": "1.3"}, "k must be a number"),
        ({"threshold": (1, 22)}, r"visits from 1 to 21, not \(1, 22\)"),
        ({"threshold": (3, 2)}, r"0 <= wins <= visits"),
        ({"threshold": (-1, 2)}, r"0 <= wins <= visits"),
        ({"threshold": (0, 0)}, r"visits from 1 to 21, not \(0, 0\)"),
        ({"threshold": (0.5, 1)}, r"0 <= wins <= visits"),
        ({"threshold": 0.5}, r"threshold must be \(wins, visits\) such as \(1, 2\), not 0.5"),
        ({"e": 1, "threshold": (2, 3)}, "visits from 1 to 1"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(mg.MontegoError, match=message) as caught:
        mg.WinLossStates(**parameters)
    assert "\n" not in str(caught.value)


@pytest.mark.both_modes
def test_bad_states_and_entries():
    wls = mg.WinLossStates(e=3)
    for states in (10, -1, [0, 10], 1.5, "x"):
        with pytest.raises(mg.MontegoError, match="whole numbers from 0 to 9"):
            wls.proportion(states)
        with pytest.raises(mg.MontegoError, match="whole numbers from 0 to 9"):
            wls.after(states, True)
    with pytest.raises(mg.MontegoError, match="0 <= wins <= visits <= 3"):
        wls.state(1, 4)
    table = wls.new_table(4)
    with pytest.raises(mg.MontegoError, match="entries must be from 0 to 3, not 1 to 4"):
        wls.record(table, [1, 4], True)
    with pytest.raises(mg.MontegoError, match="entries must be from 0 to 3"):
        wls.record(table, -1, True)
    with pytest.raises(mg.MontegoError, match="entries must be whole numbers"):
        wls.record(table, [0.5], True)
    with pytest.raises(mg.MontegoError, match="one-dimensional array of uint8"):
        wls.record(np.zeros(4), [1], True)
    assert not table.any()
    with pytest.raises(mg.MontegoError, match="drawn for e from 1 to"):
        mg.WinLossStates().automaton_svg()
