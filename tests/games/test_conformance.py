"""Every registered game, at several sizes, against the promises that all games make."""

import json

import numpy as np
import pytest
from scipy import stats

from montego.games import GAMES, conformance, game, rules
from montego.kernels import copy_record, index, kernel
from montego.playouts import Sampler
from montego.rng import below, stream

CASES = {
    "blokus_duo": ["blokus_duo", "blokus_duo(starts=free)"],
    "go": ["go(size=2)", "go(size=5)", "go(size=9)", "go(size=4, height=3)"],
    "hex": ["hex(size=1)", "hex(size=3)", "hex(size=7)", "hex(size=5, swap=true)"],
    "tictactoe": ["tictactoe"],
    "y": ["y(size=1)", "y(size=5)", "y(board=bent)"],
}
FILLS = {"hex", "y"}  # playouts go on after the win, until the board is full
REGISTERED = [name for name in GAMES.names() if GAMES[name].__module__.startswith("montego.")]
SMALL = 30  # moves; games up to this size are tested interpreted too


def _specs():
    """Yield a parameter for each case whose game exists."""
    for spec in [spec for name in REGISTERED for spec in CASES.get(name, [])]:
        small = game(spec).move_limit() <= SMALL
        yield pytest.param(spec, marks=pytest.mark.both_modes if small else (), id=spec)


SPECS = list(_specs())
every_spec = pytest.mark.parametrize("spec", SPECS)


@pytest.mark.both_modes
def test_every_game_has_cases():
    missing = [name for name in REGISTERED if not CASES.get(name)]
    assert not missing, f"add specs of {missing} to CASES: a game without conformance tests is not finished"


@every_spec
@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_conformance(spec, check):
    check(game(spec))


@every_spec
def test_playouts(spec):
    conformance.check_playouts(game(spec), fills=game(spec).spec_name in FILLS)
    conformance.check_cut_playouts(game(spec))
    conformance.check_playouts_by_move(game(spec), fills=game(spec).spec_name in FILLS)


@pytest.mark.compiled
@pytest.mark.parametrize("spec", [p.values[0] for p in SPECS if len(game(p.values[0]).layout().names) <= 80])
def test_interpreted_equals_compiled(spec, python):
    code = f"""
import json
from montego.games import conformance, game
print(json.dumps([conformance.playthrough(game({spec!r}), seed) for seed in (1, 2)]))
"""
    interpreted = json.loads(python(code, interpreted=True).stdout)
    compiled = json.loads(json.dumps([conformance.playthrough(game(spec), seed) for seed in (1, 2)]))
    assert interpreted == compiled


@kernel
def add_plain_playouts(game, root, work, rng, moves, limit, scores):
    """Play a playout for each entry of ``scores`` by listing the moves and picking one; return the sum of lengths."""
    total = 0
    for playout in range(len(scores)):
        copy_record(work, root)
        length = 0
        while length < limit and not rules.is_over(game, work):
            count = rules.playout_moves(game, work, moves)
            rules.play(game, work, moves[index(below(rng, count))])
            length += 1
        scores[index(playout)] = rules.score(game, work)
        total += length
    return total


@kernel
def first_moves(game, root, work, rng, trace, scratch, by_playout, counts):
    """Count how often each move is drawn first, by ``random_move`` and by ``random_playout``."""
    for _ in range(by_playout):
        counts[0, rules.random_move(game, root, rng, scratch)] += 1
        copy_record(work, root)
        rules.random_playout(game, work, rng, trace, scratch)
        counts[1, trace[0]] += 1


@pytest.mark.compiled
@every_spec
def test_fast_and_plain_sampler_have_the_same_distribution(spec):
    """Seeded; each of three comparisons would fail one correct sampler in 10,000."""
    this = game(spec)
    root, work, moves = this.start().state, this.new_state(), this.new_moves()
    playable = moves[: rules.playout_moves(this, root, moves)].copy()
    draws = 4000
    counts = np.zeros((2, this.move_limit()), np.int64)
    first_moves(this, root, work, stream(1, 1), this.new_trace(), moves, draws, counts)
    for row in counts:
        assert row.sum() == row[playable].sum() == draws, "a draw outside playout_moves"
        if len(playable) > 1:
            assert stats.chisquare(row[playable]).pvalue > 1e-4

    playouts = 2000
    scores = np.zeros(playouts)
    add_plain_playouts(this, root, work, stream(1, 2), moves, this.max_length(), scores)
    fast = Sampler(this, root, stream(1, 3)).run(playouts)
    for plain_mean, fast_mean, spread in (
        ((scores > 0).mean(), fast.wins / playouts, (scores > 0).std()),
        (scores.mean(), fast.score / playouts, scores.std()),
    ):
        standard_error = spread * np.sqrt(2 / playouts)
        assert abs(plain_mean - fast_mean) <= 3.9 * standard_error
