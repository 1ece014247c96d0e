"""``mg.match`` and ``mg.tournament``: what a few lines of Python get, with specs and with settings."""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import montego as mg
from montego.arena.ledger import Ledger
from montego.errors import MontegoError

FAST = "flat(playouts=18)"


@pytest.fixture(scope="module")
def played() -> mg.Result:
    return mg.match("tictactoe", FAST, "random", games=12, seed=3, opening_moves=1)


@pytest.fixture(scope="module")
def rated() -> mg.Result:
    players = {"by chance": "random", "a few": mg.Flat(playouts=9), "more": mg.Flat(playouts=90)}
    return mg.tournament(mg.TicTacToe(), players, games=8, seed=1, opening_moves=1)


def test_a_match_in_one_line(played: mg.Result) -> None:
    assert len(played.games) == 12
    low, high = played.elo_interval
    assert low < played.elo < high
    assert played.names == (FAST, "random")
    assert str(played).startswith(f"tictactoe: {FAST} against random, seed 3, 12 of 12 games")
    assert repr(played).startswith(f"<tictactoe: {FAST} against random; {FAST} ")
    assert "\n" not in repr(played)


def test_settings_and_specs_play_the_same_games(played: mg.Result) -> None:
    again = mg.match(
        mg.game("tictactoe"), mg.Flat(playouts=18), mg.player("random", "tictactoe"), games=12, seed=3, opening_moves=1
    )
    assert [game.moves for game in again.games] == [game.moves for game in played.games]


def test_games_as_a_table(played: mg.Result) -> None:
    frame = played.to_frame()
    assert list(frame.index) == list(range(12))
    assert set(frame.player0) == {FAST, "random"}
    first = frame.player0 == FAST
    assert played.summaries[0].wins == ((frame.points == first.astype(float)) & (frame.points != 0.5)).sum()
    assert list(frame.moves) == [" ".join(game.moves) for game in played.games]


def test_a_table_needs_pandas(played: mg.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MontegoError, match="to_frame\\(\\) needs pandas, which is not installed: pip install pandas"):
        played.to_frame()


def test_games_as_positions(played: mg.Result) -> None:
    for game, position in zip(played.games, played.positions(), strict=True):
        assert tuple(position.history) == game.moves
        assert position.over


def test_a_chart_of_the_score(played: mg.Result) -> None:
    texts = [text.text for text in ET.fromstring(played.svg()).iter("{http://www.w3.org/2000/svg}text")]
    assert {"games", "score, %", "95 % interval"} <= set(texts)


def test_what_a_notebook_shows(played: mg.Result, rated: mg.Result) -> None:
    for result in (played, rated):
        shown = result._repr_html_()
        assert shown.count("<svg") == 1
        assert shown.count("<tr>") == 1 + len(result.names)
        assert all(name in shown for name in result.names)


def test_a_tournament_is_rated(rated: mg.Result) -> None:
    assert rated.ratings is not None
    assert {entry.player for entry in rated.ratings.entries} == {"by chance", "a few", "more"}
    assert rated.ratings.entries[-1].player == "by chance"
    assert len(rated.games) == 24
    assert rated.crosstable().count("of 8") == 6
    texts = [text.text for text in ET.fromstring(rated.svg()).iter("{http://www.w3.org/2000/svg}text")]
    assert {"by chance", "a few", "more"} <= set(texts)
    assert "best more" in repr(rated) or "best a few" in repr(rated)
    with pytest.raises(MontegoError, match=r"3 players have no single Elo difference; see result\.ratings"):
        rated.elo  # noqa: B018


def test_a_gauntlet() -> None:
    result = mg.tournament("tictactoe", ["random", FAST, "flat(playouts=9)"], schedule="gauntlet", games=2, seed=1)
    assert result.progress.contest.pairings == ((0, 1), (0, 2))


def test_a_ledger_is_kept_and_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "match.sqlite"
    first = mg.match("tictactoe", FAST, "random", games=4, opening_moves=1, ledger=file)
    longer = mg.match("tictactoe", FAST, "random", games=8, opening_moves=1, ledger=file)
    assert longer.progress.played_here == 4
    assert longer.progress.contest.seed == first.progress.contest.seed
    assert [game.moves for game in longer.games][:4] == [game.moves for game in first.games]
    with Ledger(file, read_only=True) as ledger:
        assert ledger.settings()[1] == 8


def test_a_sequential_test_ends_a_match_early() -> None:
    seen: list[int] = []
    result = mg.match(
        "tictactoe", "flat(playouts=90)", "random", games=400, seed=1, opening_moves=1, sprt=(0, 200),
        watch=lambda progress: seen.append(progress.finished),
    )  # fmt: skip
    assert result.progress.decided
    assert len(result.games) < 400
    assert seen == sorted(seen)
    assert "H1 accepted" in str(result)


def test_lost_games_are_given_up() -> None:
    """Until then the moves are those of the whole games, and the points are theirs."""

    def match(resign: float) -> mg.Result:
        return mg.match(
            "go(size=5)", "uct(playouts=300)", "uct(playouts=1000)", games=4, seed=1, opening_moves=1, resign=resign
        )

    whole, short = match(0), match(5)
    assert [game.reason for game in whole.games] == ["played"] * 4
    assert [game.reason for game in short.games] == ["resigned"] * 4
    for one, other in zip(whole.games, short.games, strict=True):
        assert other.points == one.points
        assert other.result == f"{'Black' if one.points else 'White'}+resign"
        assert other.moves == one.moves[: len(other.moves)] != one.moves
    assert short.margins[0].games == 0
    assert "below 5 % at three moves in a row or the loss was certain: 4 games ended by resignation." in str(short)
    assert (short.as_dict()["resign"], short.as_dict()["resigned"]) == (5.0, 4)
    assert "resign" not in str(whole)
    assert "resign" not in whole.as_dict()


def test_games_that_are_lost_for_certain_are_given_up_by_any_player() -> None:
    """Random players expect no win rates; in Hex the stones show the loss, and the moves until then are the same."""

    def match(resign: float) -> mg.Result:
        return mg.match("hex(size=5)", "random", "random", games=10, seed=1, resign=resign)

    whole, short = match(0), match(5)
    for one, other in zip(whole.games, short.games, strict=True):
        assert other.moves == one.moves[: len(other.moves)]
        assert (other.reason, other.detail) in (("resigned", "the game is lost for certain"), ("played", ""))
    assert len(short.ends("resigned")) > 3  # in the others the last move won at once
    assert not whole.ends("resigned")


def test_players_without_win_rates_play_on() -> None:
    players = ["random", "flat(playouts=300, reward=score)", "depth(i=1, playouts=1000)", "uct(playouts=300)"]
    result = mg.tournament("go(size=3)", players, schedule="gauntlet", challengers=3, games=2, seed=1, resign=50)
    losers = {players[game.task.players[int(game.points)]] for game in result.ends("resigned")}
    assert losers == {"uct(playouts=300)"}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: mg.match("tictactoe", "random", "random", games=3), "games: an even number of at least 2 expected"),
        (lambda: mg.match("tictactoe", "random", 7), r"a player is a spec or settings, .* not 7"),
        (lambda: mg.match("tictactoe", "random", mg.Go()), "a player is a spec or settings"),
        (lambda: mg.match("tictactoe", "random", "flatt"), "did you mean 'flat'"),
        (lambda: mg.match("nonsense", "random", "random"), "unknown game 'nonsense'"),
        (lambda: mg.match("tictactoe", "random", "random", sprt=(20, 0)), "elo0 must be less than elo1"),
        (lambda: mg.match("tictactoe", "random", "random", sprt=(1, 2, 3)), "two Elo differences expected"),
        (lambda: mg.match("tictactoe", "random", "random", openings=[["z9"]]), "cannot be played"),
        (
            lambda: mg.match("tictactoe", "random", "random", resign=51),
            "resign: expected a percentage from 0 to 50, not",
        ),
        (lambda: mg.tournament("tictactoe", ["random", "flat"], resign=-1), "resign: expected a percentage from 0 to"),
        (lambda: mg.tournament("tictactoe", ["random"]), "needs at least two players, not 1"),
        (lambda: mg.tournament("tictactoe", ["random", "flat"], schedule="lader"), "did you mean 'ladder'"),
    ],
)
def test_bad_input(wrong: Any, message: str) -> None:
    with pytest.raises(MontegoError, match=message) as caught:
        wrong()
    assert "\n" not in str(caught.value)
