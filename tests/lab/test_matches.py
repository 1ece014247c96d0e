"""Experiments of matches, declared as data: played, resumed, judged at any moment, written and shown."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from montego.cli.main import run
from montego.cli.reproduce import _show
from montego.lab import EXPERIMENTS, Conditions, Size, Skipped
from montego.lab.artefacts import ARTEFACTS, index_page
from montego.lab.experiment import Experiment, Report
from montego.lab.matches import Book, Games, MatchExperiment, Measure, Pair, rate_error
from montego.lab.performing import perform
from montego.lab.report_page import report_page
from montego.lab.rows import Row
from montego.lab.sigmoid import slope
from montego.players import PLAYERS

RESULTS = Path(__file__).parents[2] / "docs" / "results"
SMALL = MatchExperiment(
    "small", "A paper", "Flat against random.", "", "tictactoe",
    (Pair("flat", "flat(playouts={n})", "random", 90.0, x=1),),
    Games(4, 12, 40), paper_games=100, values={"n": (9, 27, 81)}, axis="x",
)  # fmt: skip


@pytest.mark.both_modes
def test_a_match_experiment_is_resumed_and_judged(tmp_path):
    how = Conditions(size=Size.DEFAULT, seed=3, folder=tmp_path, workers=0)
    report = SMALL.run(how)
    assert report.settings["games"] == 12
    assert report.rows[0].games == 12
    assert "small.svg" in report.files()
    seen = []
    again = SMALL.run(replace(how, watch=lambda part, progress: seen.append(progress.played_here)))
    assert again.data() == report.data()
    assert seen == [0]
    assert SMALL.run(replace(how, judge=True)).data() == report.data()
    with pytest.raises(Skipped, match="no games of small"):
        SMALL.run(replace(how, judge=True, size=Size.FULL))
    changed = replace(SMALL, game="tictactoe", pairs=(replace(SMALL.pairs[0], opponent="flat(playouts=1)"),))
    with pytest.raises(Skipped, match=r"of another contest \(players there: flat.*random; here: flat.*playouts=1"):
        changed.run(replace(how, judge=True))


@pytest.mark.both_modes
def test_a_longer_run_begins_with_the_games_of_a_shorter_one_of_the_same_contest(tmp_path):
    def begins_with(experiment, how):
        """Return how many games a run has before its first one."""
        seen = []
        experiment.run(replace(how, watch=lambda part, progress: seen.append(progress.finished - progress.played_here)))
        return seen[0]

    how = Conditions(seed=3, folder=tmp_path, workers=0)
    default, full = replace(how, size=Size.DEFAULT), replace(how, size=Size.FULL)
    equal = replace(SMALL, name="equal", values={"n": (9, 27, 27)})
    assert begins_with(equal, default) == 0
    assert begins_with(equal, full) == 12
    (tmp_path / "alone").mkdir()
    alone = equal.run(replace(full, folder=tmp_path / "alone"))
    assert alone.rows == equal.run(replace(full, judge=True)).rows
    assert begins_with(SMALL, default) == 0
    assert begins_with(SMALL, full) == 0  # other budgets: another contest
    (tmp_path / "equal-full-3.sqlite").unlink()
    (tmp_path / "equal-default-3.sqlite").write_text("no ledger", encoding="utf-8")
    assert begins_with(equal, full) == 0  # what cannot be read has no games


@pytest.mark.both_modes
def test_pairs_that_may_wait_are_played_later_and_not_missed_before(tmp_path):
    pair, other = SMALL.pairs[0], Pair("weak", "flat(playouts=9)", "random", x=2, later=True)
    both = replace(SMALL, pairs=(other, pair))
    how = Conditions(size=Size.DEFAULT, seed=3, folder=tmp_path, workers=0)
    assert [one.games for one in both.run(how).rows] == [12, 12]
    first, second = tmp_path / "small-12x1-default-3.sqlite", tmp_path / "small-12x1-later-default-3.sqlite"
    assert first.stat().st_mtime_ns < second.stat().st_mtime_ns
    second.unlink()
    judged = both.run(replace(how, judge=True))
    assert [(one.label, one.games) for one in judged.rows] == [("flat", 12)]
    first.unlink()
    with pytest.raises(Skipped, match="no games of small"):
        both.run(replace(how, judge=True))


@pytest.mark.both_modes
def test_judging_keeps_the_time_of_the_run(tmp_path):
    experiment = Experiment("small", "A paper", "Flat against random.", SMALL.run)
    how = Conditions(size=Size.DEFAULT, seed=3, folder=tmp_path, workers=0)
    data, *_ = perform(experiment, how)
    assert perform(experiment, replace(how, judge=True))[0]["seconds"] == data["seconds"] > 0  # of the games judged


@pytest.mark.both_modes
def test_a_quick_run_judges_nothing():
    report = SMALL.run(Conditions(size=Size.QUICK))
    assert report.rows[0].verdict == "not judged"
    assert report.verdict == "not judged"


@pytest.mark.both_modes
def test_a_book_of_played_openings_is_the_same_for_the_same_seed(tmp_path):
    booked = replace(SMALL, openings=Book(2, "random"), measure=Measure.MARGIN, null=0.0)
    how = Conditions(size=Size.QUICK, seed=1, folder=tmp_path)
    openings = {game.task.opening for game in booked.run(how).samples}
    assert openings == {game.task.opening for game in booked.run(replace(how, folder=None)).samples}
    assert all(len(opening) == 2 for opening in openings)


@pytest.mark.both_modes
def test_few_equal_results_are_not_certainty():
    assert rate_error(1.0, 4) > 0.1
    assert rate_error(0.5, 10_000) == pytest.approx(0.005, rel=0.01)


@pytest.mark.both_modes
def test_a_mean_score_of_few_games_decides_nothing():
    """However sure they seem to be: here the paper's figure is far off, and all games are alike."""
    margins = replace(SMALL, measure=Measure.MARGIN, null=0.0, paper_error=0.1)
    few = replace(margins, games=Games(2, 4, 40)).run(Conditions(size=Size.DEFAULT, workers=0)).rows[0]
    many = margins.run(Conditions(size=Size.DEFAULT, workers=0)).rows[0]
    assert (few.games, few.verdict) == (4, "not decided")
    assert (many.games, many.verdict) == (12, "differs")


@pytest.mark.both_modes
def test_a_trend_is_the_slope_of_a_line_and_its_error():
    """Points on a line give its slope; with equal errors the error is that of the differences over the distance."""
    assert slope([(3.0, 50.0, 1.0), (4.0, 52.0, 5.0), (5.0, 54.0, 2.0)])[0] == pytest.approx(2.0)
    assert slope([(3.0, 50.0, 3.0), (5.0, 51.0, 4.0)]) == pytest.approx((0.5, 2.5))


@pytest.mark.both_modes
def test_every_spec_of_every_experiment_can_be_built():
    for one in EXPERIMENTS:
        owner = getattr(one.function, "__self__", None)
        for pair in owner.pairs if isinstance(owner, MatchExperiment) else ():
            for size in range(3):
                values = {name: by_size[size] for name, by_size in owner.values.items()} | {"opponent": "random"}
                for spec in (pair.player, pair.opponent):
                    PLAYERS.build(spec.format(**values))


@pytest.mark.both_modes
def test_there_are_31_artefacts_and_their_page_is_up_to_date():
    assert len(ARTEFACTS) == 31
    assert {one.experiment for one in ARTEFACTS} <= set(EXPERIMENTS.names())
    assert index_page(RESULTS) == (RESULTS / "README.md").read_text(encoding="utf-8")


@pytest.mark.both_modes
def test_the_report_and_the_list_show_what_is_in_a_folder(tmp_path, capsys):
    data = {
        "experiment": "lecture-n", "size": "default", "seed": 1, "seconds": 2.0, "settings": {"games": 2},
        "verdict": "not decided", "rows": [SMALL.run(Conditions(size=Size.QUICK)).rows[0].data()], "listings": [],
        "notes": ["a < b"], "figures": ["lost.svg"],
        "samples": [{"number": 0, "game": "tictactoe", "players": ["x", "y"], "moves": "b2 a1", "result": "draw"}],
    }  # fmt: skip
    (tmp_path / "lecture-n.json").write_text(json.dumps(data), encoding="utf-8")
    page = report_page(tmp_path)
    assert "a &lt; b" in page
    assert page.count("<svg") == 2
    assert "The figure lost.svg is missing" in page
    assert run(["reproduce", "--list", "--out", str(tmp_path)]) == 0
    assert "[run, default; not judged]" in capsys.readouterr().out
    assert run(["report", str(tmp_path)]) == 0
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page
    (tmp_path / "rubbish.sqlite").write_text("x", encoding="utf-8")
    match = ["match", "--game", "tictactoe", "--player", "random", "--player", "random", "--games", "4", "--seed", "1"]
    assert run([*match, "--workers", "0", "--ledger", str(tmp_path / "kept.sqlite")]) == 0
    assert "random against random #2, seed 1, 4 of 4 games" in report_page(tmp_path)
    listed = index_page(tmp_path)
    assert "- [kept.sqlite](kept.sqlite)\n\n  ```text\n  tictactoe: random against random #2, seed 1" in listed
    assert "rubbish.sqlite' is not a Montego ledger; name another file\n" in listed
    for damage in ("{}", json.dumps({**data, "rows": [{}]}), json.dumps({**data, "listings": [1]}), "[]"):
        (tmp_path / "lecture-n.json").write_text(damage, encoding="utf-8")
        for command in (["report", str(tmp_path)], ["reproduce", "--list", "--out", str(tmp_path)]):
            assert run(command) == 2
            assert "is not a result of lecture-n" in capsys.readouterr().err


@pytest.mark.both_modes
def test_a_smaller_run_does_not_replace_a_larger_one(tmp_path):
    one = Experiment("lecture-n", "A paper", "Flat against random.", SMALL.run)
    how = Conditions(size=Size.DEFAULT, seed=3, folder=tmp_path, workers=0)
    perform(one, how)
    stored = (tmp_path / "lecture-n.json").read_bytes()
    with pytest.raises(Skipped, match="holds the default run of lecture-n, and a quick run would replace it; name ano"):
        perform(one, replace(how, size=Size.QUICK))
    assert (tmp_path / "lecture-n.json").read_bytes() == stored
    with pytest.raises(Skipped, match="no games of small"):
        perform(one, replace(how, size=Size.FULL, judge=True))
    more = replace(SMALL, games=Games(4, 8, 40))  # another ledger of the same size with fewer games
    with pytest.raises(Skipped, match="from 12 games, more than the 8 in this ledger; play more of them first"):
        perform(replace(one, function=more.run), replace(how, judge=True))
    (tmp_path / "lecture-n.json").write_text("damaged", encoding="utf-8")
    data, _, (path, *_) = perform(one, replace(how, size=Size.QUICK))
    assert json.loads(path.read_text(encoding="utf-8")) == data


@pytest.mark.both_modes
def test_options_without_effect_are_refused(capsys):
    assert run(["reproduce", "lecture-n", "--opponent", "random"]) == 2
    assert "no reference opponent plays in lecture-n; leave out --opponent" in capsys.readouterr().err
    assert run(["reproduce", "--list", "lecture-n"]) == 2
    assert "give --list or lecture-n, not both" in capsys.readouterr().err


@pytest.mark.both_modes
def test_long_words_of_a_table_leave_its_numbers_whole(capsys):
    row = Row("a label of a row", "a quantity that takes many words to say, and a few more, points", -123.4, -567.8,
              error=1.0, digits=1, note="what else there is to say of it")  # fmt: skip
    _show(EXPERIMENTS["lecture-n"], Report([row]), {"seed": 1, "seconds": 1.0, "figures": []}, [])
    shown = capsys.readouterr().out
    assert all(number in shown for number in ("-123.4", "-567.8", "+444.4"))
