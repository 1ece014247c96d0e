"""What Hex and Y have in common: chains, filling, traces, positions set up by hand."""

import os
import subprocess
import sys
from math import factorial, sqrt

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import chi2

from montego.errors import IllegalMove
from montego.games import Position, game, rules
from montego.games.tools.connection.board import ROOT, SIDES, chain_root, neighbour, point_count, sides_at
from montego.kernels import INTERPRETED, copy_record, index, kernel
from montego.playouts import Sampler
from montego.rng import below, shuffle, stream
from tests.games.naive_connection import board_of

SPECS = [
    *(f"hex(size={n})" for n in (1, 2, 3, 5, 8, 11, 19, 25)),
    *(f"y(size={n})" for n in (1, 2, 3, 5, 8, 11, 19, 25)),
    "y(board=bent)",
]
SMALL = ["hex(size=3)", "hex(size=4, swap=true)", "y(size=4)", "y(board=bent)"]


def new_state(g):
    state = g.new_state()
    rules.start(g, state)
    return state


def copied(target, source):
    """Copy a record over another, as ``copy_record`` does inside kernels."""
    for name in source.dtype.names:
        target[name] = source[name]


def owners_of(g, state):
    out = np.full(len(g.layout().names), -1, np.int8)
    rules.owners(g, state, out)
    return out


def random_position(g, moves, seed):
    """Return a state after at most ``moves`` random moves of a seeded game, not yet over."""
    rng, state, last, scratch = stream(seed), new_state(g), new_state(g), g.new_moves()
    for _ in range(moves):
        copied(last, state)
        rules.play(g, state, rules.random_move(g, state, rng, scratch))
        if rules.is_over(g, state):
            return last
    return state


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", SPECS)
def test_geometry_is_that_of_the_naive_board(spec):
    g = game(spec)
    board = board_of(g)
    assert point_count(g) == len(board.neighbours) == len(g.layout().names)
    for point, expected in enumerate(board.neighbours):
        found = [int(neighbour(g, point, k)) for k in range(6)]
        assert sorted(other for other in found if other >= 0) == sorted(expected)
        for player in (0, 1):
            touched = int(sides_at(g, player, point))
            assert bin(touched).count("1") == sum(point in side for side in board.goals[player])


@pytest.mark.both_modes
@settings(max_examples=60, deadline=None)
@given(spec=st.sampled_from(SMALL + ["hex(size=6)", "y(size=7)"]), seed=st.integers(0, 2**32), data=st.data())
def test_incremental_is_rebuilt(spec, seed, data):
    """After any random prefix: chains, sides, winner, hash and owners are those of a fresh position and of a search."""
    g = game(spec)
    board, rng, state, scratch = board_of(g), stream(seed), new_state(g), g.new_moves()
    for _ in range(data.draw(st.integers(0, point_count(g)))):
        if rules.is_over(g, state):
            break
        rules.play(g, state, rules.random_move(g, state, rng, scratch))
    owners = owners_of(g, state)
    assert board.winners(owners) == ([int(state.winner)] if rules.is_over(g, state) else [])
    for player in (0, 1):
        chains = {}
        for point in np.flatnonzero(owners == player):
            chains.setdefault(int(chain_root(state.links, int(point))), set()).add(int(point))
        assert {frozenset(chain) for chain in chains.values()} == board.chains(owners, player)
        for root, chain in chains.items():
            sides = int(np.bitwise_or.reduce([int(sides_at(g, player, point)) for point in chain]))
            assert state.links[root] == ROOT | sides
            assert sides == sides & SIDES
    names = g.layout().names
    stones = {names[point]: int(owners[point]) for point in np.flatnonzero(owners >= 0)}
    rebuilt = new_state(g)
    g.set_up(rebuilt, stones, int(rules.to_move(g, state)))
    assert rules.state_hash(g, rebuilt) == rules.state_hash(g, state)
    assert rules.is_over(g, rebuilt) == rules.is_over(g, state)
    assert rules.score(g, rebuilt) == rules.score(g, state)
    count = rules.legal_moves(g, state, scratch)
    listed = sorted(scratch[:count])
    assert rules.legal_moves(g, rebuilt, scratch) == count
    assert sorted(scratch[:count]) == listed
    assert [m for m in range(g.move_limit()) if rules.is_legal(g, state, m)] == listed
    assert not rules.is_legal(g, state, -1)
    assert not rules.is_legal(g, state, g.move_limit())


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.parametrize("moves", [0, 1, 4])
def test_filling_gives_trace_owners_and_winner(spec, moves):
    g = game(spec)
    board, root, work, rng = board_of(g), random_position(g, moves, 5), new_state(g), stream(7, moves)
    trace, scratch, before = g.new_trace(), g.new_moves(), owners_of(g, root)
    for _ in range(20):
        copied(work, root)
        count = rules.random_playout(g, work, rng, trace, scratch)
        expected = before.copy()
        for turn, point in enumerate(trace[:count]):
            assert expected[point] == -1
            expected[point] = (rules.to_move(g, root) + turn) % 2
        assert (owners_of(g, work) == expected).all()
        assert -1 not in expected
        assert rules.is_over(g, work)
        assert board.winners(expected) == [rules.winner(g, work)]
        assert rules.score(g, work) == (1.0 if rules.winner(g, work) == 0 else -1.0)
        assert rules.legal_moves(g, work, scratch) == 0
        assert rules.random_playout(g, work, rng, trace, scratch) == 0


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", SMALL)
def test_short_trace_stops_the_playout(spec):
    g = game(spec)
    for room in (0, 1, 3, 7):
        work, trace = new_state(g), np.zeros(room, np.int32)
        count = rules.random_playout(g, work, stream(room), trace, g.new_moves())
        replay = new_state(g)
        for move in trace[:count]:
            assert rules.is_legal(g, replay, int(move))
            rules.play(g, replay, int(move))
        assert count == room or rules.is_over(g, work)
        assert rules.state_hash(g, replay) == rules.state_hash(g, work)


@kernel
def plain_playouts(game, root, work, rng, moves, count):
    """Play by listing and picking until somebody wins; return the wins of player 0 (an oracle for random filling)."""
    wins = 0
    for _ in range(count):
        copy_record(work, root)
        while not rules.is_over(game, work):
            listed = rules.playout_moves(game, work, moves)
            rules.play(game, work, np.int64(moves[index(below(rng, listed))]))
        if rules.score(game, work) > 0:
            wins += 1
    return wins


@pytest.mark.skipif(INTERPRETED, reason="needs many playouts")
@pytest.mark.parametrize("spec", ["hex(size=5)", "hex(size=11)", "y(size=6)", "y(board=bent)"])
@pytest.mark.parametrize("moves", [0, 5, 12])
def test_filling_has_the_winners_of_plain_playouts(spec, moves):
    """Twelve two-sided z tests at |z| < 4.9: a false alarm in a hundred thousand runs."""
    g = game(spec)
    root, count = random_position(g, moves, 11), 40_000
    plain = plain_playouts(g, root, new_state(g), stream(1), g.new_moves(), count)
    filled = Sampler(g, root, stream(2)).run(4 * count).wins
    both = (plain + filled) / (5 * count)
    error = sqrt(both * (1 - both) * (1 / count + 1 / (4 * count)))
    assert 0 < both < 1
    assert abs(plain / count - filled / (4 * count)) < 4.9 * error


@kernel
def count_traces(game, root, work, rng, trace, scratch, counts):
    """Count the traces of many playouts by their number in the order of permutations."""
    points = len(trace)
    for _ in range(counts.sum() + 50 * len(counts)):
        copy_record(work, root)
        rules.random_playout(game, work, rng, trace, scratch)
        number = 0
        for i in range(points):
            smaller = 0
            for j in range(i + 1, points):
                if trace[j] < trace[i]:
                    smaller += 1
            number = number * (points - i) + smaller
        counts[number] += 1


@kernel
def count_shuffles(rng, items, counts, repeats):
    """Count the permutations that ``shuffle`` makes of 0 … n-1, by their number."""
    size = len(items)
    for _ in range(repeats):
        for i in range(size):
            items[i] = i
        shuffle(rng, items, size)
        number = 0
        for i in range(size):
            smaller = 0
            for j in range(i + 1, size):
                if items[j] < items[i]:
                    smaller += 1
            number = number * (size - i) + smaller
        counts[number] += 1


def chi_square_passes(counts, error_rate):
    expected = counts.sum() / len(counts)
    return ((counts - expected) ** 2).sum() / expected < chi2.isf(error_rate, len(counts) - 1)


@pytest.mark.skipif(INTERPRETED, reason="needs many shuffles")
@pytest.mark.parametrize("size", [2, 3, 6, 7, 8])
def test_shuffle_makes_every_order_equally_likely(size):
    """Chi-square over all orders, error rate one in a million each; from size 7 on six swaps share one draw."""
    counts = np.zeros(factorial(size), np.int64)
    count_shuffles(stream(4, size), np.zeros(size, np.int32), counts, 40 * len(counts))
    assert chi_square_passes(counts, 1e-6)


@pytest.mark.both_modes
@pytest.mark.parametrize("size", [0, 1, 5, 121, 1030])
def test_shuffle_keeps_the_items(size):
    items = np.arange(size + 2, dtype=np.int32)
    shuffle(stream(9), items, size)
    assert sorted(items[:size]) == list(range(size))
    assert list(items[size:]) == [size, size + 1]


@pytest.mark.skipif(INTERPRETED, reason="needs many playouts")
@pytest.mark.parametrize("spec", ["hex(size=2)", "y(size=3)"])
def test_traces_are_in_truly_random_order(spec):
    """Chi-square over all orders of the points, error rate one in a million each."""
    g = game(spec)
    trace = g.new_trace()
    counts = np.zeros(factorial(len(trace)), np.int64)
    count_traces(g, new_state(g), new_state(g), stream(3), trace, g.new_moves(), counts)
    assert chi_square_passes(counts, 1e-6)


@kernel
def count_random_moves(game, state, rng, scratch, counts, repeats):
    for _ in range(repeats):
        counts[rules.random_move(game, state, rng, scratch)] += 1


@pytest.mark.skipif(INTERPRETED, reason="needs many draws")
@pytest.mark.parametrize("moves", [0, 3, 14, 100])
def test_random_moves_are_uniform(moves):
    """Chi-square over the empty points with few and with many stones, error rate one in a million each."""
    g = game("y(size=6)")
    state, scratch, counts = random_position(g, moves, 6), g.new_moves(), np.zeros(21, np.int64)
    legal = scratch[: rules.legal_moves(g, state, scratch)].copy()
    count_random_moves(g, state, stream(8), scratch, counts, 50_000)
    assert counts.sum() == counts[legal].sum() == 50_000
    assert len(legal) == 1 or chi_square_passes(counts[legal], 1e-6)


def transcript(spec):
    """Play seeded moves and playouts and return what happened as text."""
    g = game(spec)
    rng, state, work = stream(21), new_state(g), new_state(g)
    trace, scratch, lines = g.new_trace(), g.new_moves(), []
    while not rules.is_over(g, state):
        copied(work, state)
        count = rules.random_playout(g, work, rng, trace, scratch)
        lines.append(f"{rules.score(g, work):g} {trace[:count].tolist()} {owners_of(g, work).tolist()}")
        move = int(rules.random_move(g, state, rng, scratch))
        rules.play(g, state, move)
        lines.append(
            f"{move} {int(rules.state_hash(g, state))} {int(rules.to_move(g, state))} {rules.score(g, state):g}"
        )
    return "\n".join(lines)


@pytest.mark.skipif(INTERPRETED, reason="compares with the interpreted mode")
def test_interpreted_is_compiled():
    specs = ["hex(size=5)", "hex(size=12)", "y(size=5)", "y(board=bent)"]
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1", PYTHONPATH=os.pathsep.join(sys.path))
    command = [sys.executable, "-W", "error", __file__, *specs]
    interpreted = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert interpreted.stderr == ""
    assert interpreted.stdout.split("\n\n")[:-1] == [transcript(spec) for spec in specs]


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", SMALL)
def test_saved_and_loaded(spec):
    position = Position(game(spec), {"a1": 1, "b2" if "bent" in spec else "a2": 0}, 1)
    position.play(position.legal_moves()[-1])
    twin = Position.loads(position.dumps())
    assert twin == position
    assert twin.key == position.key
    assert (twin.owners() == position.owners()).all()
    assert twin.copy().undo() != position


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["hex(size=3)", "y(size=3)"])
@pytest.mark.parametrize(
    ("stones", "to_move", "message"),
    [
        ({"z9": 0}, 0, "no point 'z9'"),
        ({"a1": 2}, 0, "stone on a1 must belong to player 0 or 1, not 2"),
        ({"a1": 0, "A1": 1}, 0, "point a1 is given twice"),
        ({"a1": 0}, 3, "player to move must be 0 or 1, not 3"),
    ],
)
def test_wrong_stones_are_refused(spec, stones, to_move, message):
    with pytest.raises(IllegalMove, match=message):
        Position(game(spec), stones, to_move)


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["hex(size=3)", "y(size=3)"])
def test_wrong_moves_are_refused_and_change_nothing(spec):
    position = game(spec).start().play("a1")
    key = position.key
    for move, message in (
        ("a1", "illegal move a1"),
        ("a9", "no move 'a9'"),
        ("", "no move ''"),
        (99, "no move number 99"),
        ("swap", "no move"),
    ):
        with pytest.raises(IllegalMove, match=message):
            position.play(move)
    assert position.key == key
    assert position.history == ["a1"]


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", SPECS + ["hex(swap=true)"])
def test_drawings_show_every_stone(spec):
    position = game(spec).start()
    layout = position.game.layout()
    assert len(set(layout.names)) == len(set(layout.cells)) == len(set(layout.xy)) == len(layout.names)
    gaps = [np.hypot(*(np.array(layout.xy) - spot).T) for spot in layout.xy]
    assert all(np.sort(gap)[1:2].min(initial=1) > 0.94 for gap in gaps)  # stones do not overlap
    position.play(layout.names[-1])
    assert str(position).count(position.game.symbols[0]) >= 1
    picture = position.svg(heat={layout.names[0]: 0.5}, labels={layout.names[0]: "7"})
    assert picture.count('class="stone0"') == 1
    # On a board of one point the label takes the place of the mark.
    assert ('class="last"' in picture) == (len(layout.names) > 1)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(transcript(name), end="\n\n")
