"""Uniform playouts and their totals."""

import numpy as np
import pytest

from montego.games import game
from montego.playouts import PLAYOUTS, Sampler, Uniform
from montego.rng import stream
from montego.spec import text

# Of the 255,168 games of tic-tac-toe, weighted by the chance that uniform moves play them (exact enumeration).
FIRST_WINS, DRAWS = 737 / 1260, 8 / 63


@pytest.mark.both_modes
def test_the_policy_is_registered():
    assert PLAYOUTS.build("uniform") == Uniform()
    assert text(Uniform()) == "uniform"


@pytest.mark.both_modes
def test_the_same_seed_gives_the_same_totals():
    this = game("tictactoe")
    root = this.start().state
    whole = Sampler(this, root, stream(3)).run(40).copy()
    pieces = Sampler(this, root, stream(3))
    for chunk in (1, 9, 30):
        pieces.run(chunk)
    assert whole == pieces.totals
    assert Sampler(this, root, stream(4)).run(40) != whole


@pytest.mark.both_modes
def test_totals_add_up_and_leave_the_root_alone():
    this = game("tictactoe")
    position = this.start()
    position.play("a1")
    before = position.state.copy()
    totals = Sampler(this, position.state, stream(1)).run(50)
    assert position.state == before
    losses = totals.playouts - totals.wins - totals.draws
    assert totals.playouts == 50
    assert totals.score == totals.wins - losses
    assert totals.score_squared == totals.wins + losses
    assert 50 * 4 <= totals.moves <= 50 * 8
    assert totals.moves_squared >= totals.moves**2 / 50


@pytest.mark.both_modes
def test_a_finished_position_has_playouts_of_no_moves():
    this = game("tictactoe")
    position = this.start()
    for name in ("a1", "b1", "a2", "b2", "a3"):
        position.play(name)
    totals = Sampler(this, position.state, stream(1)).run(5)
    assert (totals.moves, totals.wins) == (0, 5)


@pytest.mark.compiled
def test_tictactoe_results_are_those_of_exact_enumeration():
    """Seeded; a correct sampler would fail once in 30,000."""
    this = game("tictactoe")
    count = 200_000
    totals = Sampler(this, this.start().state, stream(1)).run(count)
    for seen, chance in ((totals.wins, FIRST_WINS), (totals.draws, DRAWS)):
        assert abs(seen / count - chance) < 4.2 * np.sqrt(chance * (1 - chance) / count)
