"""The experiments of the higher-order paper: schedules, tables, drawings, and what the command prints."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import montego as mg
from montego.arena.game import FinishedGame, Task
from montego.cli.main import run
from montego.lab.higher_order import (
    CONTESTANTS,
    ROUNDS,
    TABLE_2,
    centre_and_rim,
    describe,
    first_move_values,
    letter_cells,
    mean_distance,
    pairs_share,
    percentages,
    thinking_times,
    tournament_pairings,
)
from montego.rng import stream
from montego.search.higher_order import Pattern


@pytest.mark.both_modes
def test_the_tournament_has_640_games():
    pairings = tournament_pairings(8)
    assert 2 * ROUNDS * len(pairings) == 640
    black = np.zeros((8, 8), int)
    for first, second in pairings:
        black[first, second] += ROUNDS
        black[second, first] += ROUNDS
    assert (black == 10).all()


@pytest.mark.both_modes
def test_the_papers_tables_fit_each_other():
    """Table 1 follows from Table 2; the paper rounds, and its B and F are off by one or two points."""
    found = 100 * percentages(np.array(TABLE_2, float), np.full((8, 8), 10.0))
    assert np.abs(found - [one.percent for one in CONTESTANTS]).max() <= 0.5  # Table 1 has whole percents
    assert abs(np.sum(TABLE_2) / 6.4 - 53) < 1.5


@pytest.mark.both_modes
def test_thinking_times():
    task = Task(0, 0, (2, 7), "y(size=3)", ("", ""), (0, 0))
    record = FinishedGame(task, ("a", "b", "c"), 1.0, 1.0, "", "played", seconds=(0.02, 0.5))
    times = thinking_times([record, record])
    assert np.isclose(times[2], 10)
    assert np.isclose(times[7], 500)
    assert times[0] == 0


def test_first_move_values_are_symmetric_and_favour_the_centre():
    """Of 200,000 playouts a value is off by 5 standard errors once in 10⁶."""
    game = mg.game("y(size=5)")
    worth = np.array(first_move_values(game, 200_000, stream(1)))
    for symmetry in game.symmetries():
        assert np.abs(worth[list(symmetry.points)] - worth).max() < 5 * np.sqrt(2 * 0.25 / 200_000)
    middle, rim = centre_and_rim(game.layout().xy)
    assert worth[middle] > worth[rim].mean() + 0.02


@pytest.mark.both_modes
def test_patterns_in_words():
    game = mg.game("hex(size=3)")
    found = [
        Pattern((), 9),
        Pattern(((0, 4),), 5),
        Pattern(((1, 4),), 4),
        Pattern(((1, 4), (0, 1)), 2),
        Pattern(((0, 0),), 1),
    ]
    letters = letter_cells(game, found, most=2)
    assert letters == {"b2": "a", "b1": "b"}
    assert describe(game, found[3], letters) == "{Blue a, Red b}"
    assert describe(game, found[4], letters) == "{Red a1}"
    assert pairs_share(found) == 2 / 3
    assert np.isclose(mean_distance(game, found), 1.0)
    assert mean_distance(game, []) == 0


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["y-heatmap", "hex-selfplay"])
def test_quick_experiments(name, tmp_path, capsys):
    assert not run(["reproduce", name, "--quick", "--seed", "1", "--json", "--out", str(tmp_path)])
    data = json.loads(capsys.readouterr().out)
    assert data["verdict"] != "differs"
    assert len(data["figures"]) == 2
    for figure in data["figures"]:
        assert ET.parse(tmp_path / figure).getroot().tag.endswith("svg")


@pytest.mark.slow
@pytest.mark.compiled
def test_a_quick_tournament(capsys):
    run(["reproduce", "y-tournament", "--quick", "--seed", "1", "--json"])
    data = json.loads(capsys.readouterr().out)
    assert data["settings"]["games"] == 128
    won = {row["label"][:1]: row["ours"] for row in data["rows"] if row["quantity"] == "won, %"}
    assert won["A"] < 10 < won["C"]
