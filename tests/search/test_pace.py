"""How a player's seconds are divided among its decisions."""

import pytest

import montego as mg
from montego.errors import SpecError
from montego.rng import stream
from montego.search import Limits
from montego.search.pace import EarlyPace, EvenPace

GAME = "hex(size=4)"
EARLY = "uct(seconds=0.02, pace=early(moves=8, share=0.25))"


def budgets(monkeypatch, spec, limits=None):
    """Return the seconds that the decisions of one game have, both players' in turn."""
    from montego.search import tree_search

    given = []

    class Noted(tree_search.Budget):
        def __init__(self, playouts, seconds, limits, *rest):
            super().__init__(playouts, seconds, limits, *rest)
            given.append(self.seconds)

    monkeypatch.setattr(tree_search, "Budget", Noted)
    game = mg.game(GAME)
    search, position = mg.PLAYERS.build(spec).search(game), game.start()
    while not position.over:
        search.run(position, stream(1), *([limits] if limits else []))
        position.play(position.legal_moves()[0])
    return given


@pytest.mark.both_modes
def test_early_decisions_have_more_time_and_all_together_no_more():
    for pace in (EarlyPace(), EarlyPace(moves=30, share=0.05), EarlyPace(moves=5, share=1.0)):
        factors = [pace.factor(number) for number in range(1000)]
        assert factors == sorted(factors, reverse=True)
        assert factors[0] == pytest.approx(pace.moves * pace.share)
        assert sum(factors) <= pace.moves + 1000 * 1e-3
        assert factors[-1] == 1e-3  # not 0, which would be no limit
    assert [EvenPace().factor(number) for number in range(3)] == [1.0, 1.0, 1.0]


@pytest.mark.both_modes
def test_a_search_has_the_time_of_its_decision(monkeypatch):
    given = budgets(monkeypatch, EARLY)
    assert given == pytest.approx([0.02 * 8 * 0.25 * 0.75 ** (number // 2) for number in range(len(given))])
    assert set(budgets(monkeypatch, "uct(seconds=0.02)")) == {0.02}


@pytest.mark.both_modes
def test_time_from_outside_and_playouts_know_no_pace(monkeypatch):
    assert set(budgets(monkeypatch, EARLY, Limits(seconds=0.03))) == {0.03}
    chosen = []
    for spec in ("uct(playouts=50)", "uct(playouts=50, pace=early)"):
        player = mg.player(spec, GAME, seed=1)
        chosen.append((player.choose(mg.game(GAME).start()), player.analysis().playouts))
    assert chosen[0] == chosen[1]


def test_a_pace_that_does_not_exist_is_refused():
    with pytest.raises(SpecError, match="early"):
        mg.player("uct(seconds=1, pace=eary)", GAME)
    with pytest.raises(SpecError, match="share"):
        mg.player("uct(seconds=1, pace=early(share=2))", GAME)
