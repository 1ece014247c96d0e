"""``mg.tune``: the same games whatever happens, a confirmed result, and what a few lines of Python get."""

import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import montego as mg
from montego.arena.ledger import Ledger
from montego.arena.match import Progress
from montego.arena.tuning.campaign import Campaign
from montego.arena.tuning.tuner import kept_tuning, play_campaign
from montego.errors import MontegoError

WANTED = {"playouts": (1, 60), "amaf": None}


def tuned(**changes: Any) -> mg.Tuning:
    settings: dict[str, Any] = {"against": "random", "games": 40, "confirm": 20, "seed": 5, "opening_moves": 1}
    return mg.tune("tictactoe", "flat(playouts=2)", WANTED, **settings | changes)


@pytest.fixture(scope="module")
def found() -> mg.Tuning:
    return tuned()


def moves(tuning: mg.Tuning) -> list[tuple[str, ...]]:
    return [tuning.progress.games[number].moves for number in range(2 * tuning.pairs)]


def test_a_tuning_in_one_line(found: mg.Tuning) -> None:
    assert found.pairs == 20
    assert found.best.startswith("flat(")
    assert found.estimate.interval[0] < found.estimate.rate < found.estimate.interval[1]
    assert found.confirmation is not None
    assert found.confirmation.names[1] == found.start == "flat(playouts=2)"
    assert len(found.confirmation.games) == 20
    assert found.confirmation.progress.contest.seed != found.campaign.seed
    text = str(found)
    for expected in ("best setting: flat(", "best 10 %", "confirmation with fresh seeds", "default should change"):
        assert expected in text
    assert f"--player '{found.best}' --player 'flat(playouts=2)' --games 20" in found.command()
    assert "\n" not in repr(found)


def test_the_command_plays_the_confirmation(found: mg.Tuning) -> None:
    match = found.campaign.confirmation(found.best)
    again = mg.match("tictactoe", found.best, found.start, games=20, seed=match.seed, opening_moves=1)
    assert found.confirmation is not None
    assert [game.moves for game in again.games] == [game.moves for game in found.confirmation.games]


def test_when_players_resign_holds_for_the_confirmation_too(found: mg.Tuning) -> None:
    campaign = Campaign.from_settings(replace(found.campaign, resign=5).settings())
    assert campaign.resign == campaign.confirmation(found.best).resign == 5
    resigning = replace(found, progress=replace(found.progress, contest=campaign))
    assert " --resign 5" in resigning.command()
    assert "--resign" not in found.command()


def test_an_interrupted_tuning_ends_with_the_same_result(found: mg.Tuning, tmp_path: Path) -> None:
    """Stopped in the middle of a pair, then of the confirmation; then longer than it was."""
    file = tmp_path / "tuning.sqlite"

    class Stop(Exception):
        pass

    def stop_at(games: int, confirming: bool) -> Any:
        def watch(progress: Progress) -> None:
            if isinstance(progress.contest, Campaign) != confirming and progress.finished >= games:
                raise Stop

        return watch

    for games, confirming in ((13, False), (27, False), (7, True)):
        with pytest.raises(Stop):
            tuned(ledger=file, watch=stop_at(games, confirming))
    resumed = tuned(ledger=file)
    assert resumed.progress.played_here < 40
    assert moves(resumed) == moves(found)
    assert resumed.best == found.best
    assert resumed.confirmation is not None
    assert found.confirmation is not None
    assert resumed.confirmation.elo == found.confirmation.elo
    with Ledger(file, read_only=True) as ledger:
        settings, scheduled = ledger.settings()
        kept = kept_tuning(Campaign.from_settings(settings), ledger, scheduled)
    assert str(kept) == str(resumed)
    longer = tuned(ledger=file, games=60, confirm=0)
    assert moves(longer)[:40] == moves(found)
    assert "not confirmed" in str(longer)
    with pytest.raises(MontegoError, match="belongs to another contest"):
        tuned(ledger=file, method="random")


@pytest.mark.slow
def test_workers_play_the_same_games(found: mg.Tuning) -> None:
    assert moves(tuned(workers=2)) == moves(found)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Dask's own
def test_a_cluster_plays_the_same_games(found: mg.Tuning) -> None:
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, Ledger() as ledger:
        campaign = Campaign.from_settings(found.campaign.settings())
        result = play_campaign(campaign, ledger, 40, 20, None, cluster.scheduler_address, (), lambda progress: None)
    assert moves(result) == moves(found)
    assert result.best == found.best
    assert result.confirmation is not None
    assert len(result.confirmation.games) == 20


def test_settings_depend_on_the_pairs_before_them_only(found: mg.Tuning) -> None:
    """The settings of a pair follow from the pairs that are at least ``ahead`` before it."""
    games = {number: game for number, game in found.progress.games.items() if number < 2 * 12}
    fresh = Campaign.from_settings(found.campaign.settings())
    assert fresh.reach(games, 40) == 2 * (12 + 8)
    for pair in range(12, 20):
        for number in (2 * pair, 2 * pair + 1):
            assert fresh.task(number, games) == found.progress.games[number].task


def test_what_programs_get(found: mg.Tuning) -> None:
    frame = found.to_frame()
    assert list(frame.columns) == ["playouts", "amaf", "points", "spec"]
    assert len(frame) == 20
    assert set(frame.amaf) <= {"false", "true"}
    assert frame.playouts.between(1, 60).all()
    texts = {text.text for text in ET.fromstring(found.svg()).iter("{http://www.w3.org/2000/svg}text")}
    assert {"playouts", "amaf", "expected score, %"} <= texts
    assert found.as_dict()["values"] == found.estimate.values


def test_two_numbers_have_a_surface() -> None:
    result = mg.tune("tictactoe", "flat(playouts=2)", ["playouts=1..60"], games=8, confirm=0, seed=1)
    assert "<svg" in result.svg()
    result = mg.tune(
        "tictactoe", "ucb(playouts=9)", ["playouts=2..60", "c"], games=8, confirm=0, seed=1, method="random"
    )
    assert "half width of its interval, %" in result.svg()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"games": 3}, "games: an even number"),
        ({"confirm": 3}, "games: an even number"),
        ({"method": "clopp"}, "did you mean 'clop'"),
        ({"ahead": 0}, "ahead: expected a whole number from 1"),
        ({"against": 7}, "a player is a spec or settings"),
    ],
)
def test_bad_input(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(MontegoError, match=message) as caught:
        tuned(**wrong)
    assert "\n" not in str(caught.value)


def test_bad_parameters() -> None:
    with pytest.raises(MontegoError, match="expected a range such as"):
        mg.tune("tictactoe", "flat", {"playouts": 7})
    with pytest.raises(MontegoError, match="has no parameter 'playout_s'; did you mean 'playouts'"):
        mg.tune("tictactoe", "flat", "playout_s")


def test_a_table_needs_pandas(found: mg.Tuning, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MontegoError, match="needs pandas"):
        found.to_frame()
