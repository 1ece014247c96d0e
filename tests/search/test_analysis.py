"""What a search reports: bounds that hold, moves in order, and an analysis that people and notebooks can read."""

import json
import math
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import montego as mg
from montego.rng import stream
from montego.search import Analysis, Limits, MoveStatistics
from montego.search.findings import Final, bounds, drawn_place, merits
from montego.search.records import BARRED, LOST, NODE, PRUNED
from montego.search.simulation import survey_points


def children(*rows):
    """Return the records of a root's children from (visits, mean) and perhaps (…, AMAF visits, AMAF mean, status)."""
    records = np.zeros(len(rows), NODE)
    for record, (visits, mean, amaf_visits, amaf_mean, status) in zip(
        records, [(*row, 0, 0.0, 0)[:5] if len(row) == 2 else row for row in rows], strict=True
    ):
        record["visits"], record["total"], record["status"] = visits, visits * mean, status
        record["amaf_visits"], record["amaf_total"] = amaf_visits, amaf_visits * amaf_mean
    return records


# -------------------------------------------------------------------------------------------------------------- bounds


@pytest.mark.both_modes
def test_bounds_are_the_roots_of_the_score_equation():
    """Wilson: the bounds are the p with |mean - p| = z √(p (1 - p) / n), or the ends of the range."""
    for visits in (1, 2, 7, 100, 10**6):
        for mean in (0.0, 0.1, 0.5, 0.75, 1.0):
            for p in bounds(mean, visits):
                assert p in (0.0, 1.0) or math.isclose(
                    (mean - p) ** 2, 1.959964**2 * p * (1 - p) / visits, rel_tol=1e-6
                )


@pytest.mark.both_modes
def test_one_visit_says_little():
    lower, upper = bounds(1.0, 1)
    assert (round(float(lower), 4), float(upper)) == (0.2065, 1.0)
    lower, upper = bounds(0.0, 1)
    assert (float(lower), round(float(upper), 4)) == (0.0, 0.7935)


@pytest.mark.both_modes
@pytest.mark.parametrize("chance", [0.02, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("visits", [1, 5, 20, 200])
def test_bounds_hold_about_as_often_as_they_say(visits, chance):
    """By the binomial distribution. The score interval holds in 95 % of cases on average, at worst in 83 %."""
    wins = np.arange(visits + 1)
    weight = [math.comb(visits, k) * chance**k * (1 - chance) ** (visits - k) for k in wins.tolist()]
    lower, upper = bounds(wins / visits, visits)
    assert float(np.dot(weight, (lower <= chance) & (chance <= upper))) > 0.83


@pytest.mark.both_modes
def test_a_search_reports_these_bounds():
    player = mg.player("uct(playouts=9, solver=false)", "tictactoe", seed=1)
    player.choose(player.game.start())
    for entry in player.analysis().moves:
        assert entry.visits == 1
        assert (entry.lower, entry.upper) == tuple(float(bound) for bound in bounds(entry.value, 1))


@pytest.mark.both_modes
def test_the_lower_bound_as_final_choice_trusts_no_lucky_move():
    lucky = children((1, 1.0), (400, 0.8), (0, 0.0))
    assert merits(lucky, Final.LCB).argmax() == 1
    assert merits(lucky, Final.MEAN).argmax() == 0
    assert merits(lucky, Final.LCB)[2] < 0


# ------------------------------------------------------------------------------------------------------- temperature


def shares(records, spec, final, draws=4000):
    """Return how often each child is drawn."""
    rng = stream(4)
    choice = mg.PLAYERS.build(f"uct(final_choice={spec})").search(mg.game("tictactoe")).record.final_choice
    return np.bincount([drawn_place(records, final, choice, rng) for _ in range(draws)], minlength=len(records)) / draws


@pytest.mark.parametrize("final", [Final.MEAN, Final.VISITS, Final.LCB])
def test_a_temperature_applies_to_the_means(final):
    """Whatever the visits are. A share of 4,000 draws is off by 0.04 less than once in 10⁶ runs."""
    records = children((900, 0.7), (90, 0.6), (10, 0.4))
    weights = np.exp(5 * np.array([0.7, 0.6, 0.4]))
    assert shares(records, "boltzmann(k=5)", final) == pytest.approx(weights / weights.sum(), abs=0.04)
    assert shares(records, "annealed(k=5, n=1000)", final) == pytest.approx(weights / weights.sum(), abs=0.04)
    assert shares(records, "proportional", final) == pytest.approx(np.array([0.7, 0.6, 0.4]) / 1.7, abs=0.04)
    assert shares(records, "boltzmann(k=0)", final) == pytest.approx(np.full(3, 1 / 3), abs=0.04)


def test_a_temperature_applies_to_the_amaf_means_if_they_decide():
    records = children((10, 0.9, 100, 0.2, 0), (10, 0.1, 100, 0.6, 0))
    weights = np.exp(3 * np.array([0.2, 0.6]))
    assert shares(records, "boltzmann(k=3)", Final.AMAF) == pytest.approx(weights / weights.sum(), abs=0.04)


@pytest.mark.both_modes
def test_points_that_stay_empty_have_no_owner():
    """A game may write the owners of taken points only: those of the survey before must not stay on the others."""
    game = mg.game("tictactoe")
    search = mg.PLAYERS.build("uct(survey=1)").search(game)
    search.plant(game.start(), stream(1))
    desk = search.desks[0]
    for position in (game.start().play("b2").play("a3"), game.start()):
        survey_points(game, search.record, desk._replace(work=position.state), search.trees[0].critical, 0.0)
    assert desk.survey.tolist() == [-1, 0, 0, 0, 1, 0, 0, 0, 0]


@pytest.mark.both_modes
def test_what_is_out_is_never_drawn():
    out = [(50, 0.99, 0, 0.0, status) for status in (PRUNED, BARRED, LOST)]
    records = children(*out, (0, 0.0), (50, 0.3), (50, 0.2))
    found = shares(records, "boltzmann(k=1000000)", Final.VISITS, draws=50)
    assert found.tolist() == [0, 0, 0, 0, 1, 0]  # the best of what is left, however much better the others look
    assert shares(records, "boltzmann(k=0)", Final.VISITS, draws=200)[:4].sum() == 0
    assert shares(children((0, 0.0), (0, 0.0)), "proportional", Final.MEAN, draws=50).sum() == 1  # nothing is known


# -------------------------------------------------------------------------------------------------------- the analysis


def analysis_of(spec="uct(playouts=300, rave=silver)", game="hex(size=3)", moves=()):
    player = mg.player(spec, game, seed=1)
    position = player.game.start()
    for move in moves:
        position.play(move)
    player.choose(position)
    return player.analysis(), position


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["uct(playouts=300)", "flat(playouts=200)", "depth(i=1, playouts=90)", "first_order"])
def test_the_best_move_comes_first(spec):
    analysis, _ = analysis_of(spec)
    assert analysis.moves[0].number == analysis.number
    assert analysis.moves[0] == analysis.best()
    rest = [(entry.visits, entry.value or 0.0) for entry in analysis.moves[1:]]
    assert rest == sorted(rest, reverse=True)


def test_a_move_by_chance_comes_first_too():
    entries = [MoveStatistics("a", 0, 9, 0.9), MoveStatistics("b", 1, 1, 0.1), MoveStatistics("c", 2, 0, None)]
    assert [entry.move for entry in Analysis("b", 1, moves=entries).moves] == ["b", "a", "c"]


@pytest.mark.both_modes
def test_repr_is_one_short_line():
    analysis, _ = analysis_of()
    best = analysis.best()
    assert repr(analysis).startswith(
        f"<{best.move} {best.value:.3f} ({best.lower:.3f} to {best.upper:.3f}), 300 playouts"
    )
    assert f"pv {best.move}" in repr(analysis)
    assert len(repr(analysis)) < 120
    assert repr(Analysis("b2", 4)) == "<b2, 0 playouts>"
    player = mg.player("uct(playouts=0, seconds=1000000)", "hex(size=3)", seed=1)
    player.choose(player.game.start(), Limits(watch=lambda look: True))
    assert repr(player.analysis()).endswith("cut short>")


@pytest.mark.both_modes
def test_html_is_a_table_of_ten_moves():
    analysis, _ = analysis_of(game="hex(size=4)")
    table = ET.fromstring(analysis._repr_html_().replace("colspan=6", 'colspan="6"'))
    rows = table.findall("tbody/tr")
    assert [row[0].text for row in rows[:10]] == [entry.move for entry in analysis.moves[:10]]
    assert [row[1].text for row in rows[:10]] == [str(entry.visits) for entry in analysis.moves[:10]]
    assert rows[10][0].text == "… and 6 more moves"
    assert table.find("caption").text == repr(analysis)[1:-1]
    assert "&lt;b&gt;" in Analysis("<b>", 0)._repr_html_()


@pytest.mark.both_modes
def test_svg_draws_the_position_that_was_searched(monkeypatch):
    analysis, position = analysis_of(moves=["b2"])
    asked = {}
    monkeypatch.setattr(
        mg.Position, "svg", lambda self, heat=None, labels=None: asked.update({self.key: dict(heat.values)}) or ""
    )
    searched = position.key
    position.play("a1")  # the analysis keeps its own
    analysis.svg()
    assert asked == {searched: {entry.move: entry.visits for entry in analysis.moves}}
    analysis.svg(position, heat="value")
    assert asked[position.key] == {entry.move: entry.value for entry in analysis.moves if entry.value is not None}
    analysis.svg(heat="amaf")
    assert asked[searched] == {e.move: e.amaf_value for e in analysis.moves if e.amaf_value is not None}
    analysis.svg(heat="ownership")
    assert asked[searched] == analysis.ownership
    assert set(analysis.ownership) == set(position.game.layout().names)


@pytest.mark.both_modes
def test_svg_is_a_picture():
    for game in ("tictactoe", "go(size=3)"):
        analysis, _ = analysis_of("uct(playouts=60, bias=1)", game)
        for heat in ("visits", "value", "prior", "ownership"):
            assert ET.fromstring(analysis.svg(heat=heat)).tag.endswith("svg")


def test_moves_of_several_points_heat_all_of_them():
    game = mg.game("blokus_duo")
    start = game.start()
    moves = [
        MoveStatistics(game.move_name(n), n, 5, 0.25 * k) for k, n in enumerate(start.legal_numbers()[:2].tolist(), 1)
    ]
    analysis = Analysis(moves[0].move, moves[0].number, moves=moves, position=start)
    both = set(game.points_of(moves[0].number)) & set(game.points_of(moves[1].number))
    visits, values = analysis.heat("visits", game).values, analysis.heat("value", game).values
    assert both
    assert all(visits[point] == 10 and values[point] == 0.5 for point in both)


@pytest.mark.both_modes
def test_what_cannot_be_drawn_is_said_in_one_line():
    analysis, _ = analysis_of("flat(playouts=20)", "tictactoe")
    with pytest.raises(mg.MontegoError, match="no heat map of 'visit'; did you mean 'visits'"):
        analysis.svg(heat="visit")
    with pytest.raises(mg.MontegoError, match=r"did not count who owns the points; uct\(survey=16\) does"):
        analysis_of("uct(playouts=20, survey=0)", "tictactoe")[0].svg(heat="ownership")
    with pytest.raises(mg.MontegoError, match="does not know its position: give it"):
        Analysis("b2", 4).svg()


@pytest.mark.both_modes
def test_to_frame_has_a_row_for_each_move():
    pytest.importorskip("pandas")
    analysis, _ = analysis_of()
    frame = analysis.to_frame()
    assert frame.index.tolist() == [entry.move for entry in analysis.moves]
    assert frame["visits"].tolist() == [entry.visits for entry in analysis.moves]
    assert Analysis("b2", 4).to_frame().empty


def test_without_pandas_to_frame_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(mg.MontegoError, match="needs pandas, which is not installed"):
        Analysis("b2", 4).to_frame()


@pytest.mark.both_modes
def test_as_dict_is_ready_for_json():
    analysis, _ = analysis_of()
    data = json.loads(json.dumps(analysis.as_dict()))
    assert data["move"] == data["moves"][0]["move"] == analysis.move
    assert data["ownership"].keys() == analysis.ownership.keys()
    assert data["cut_short"] is False
    assert "position" not in data
