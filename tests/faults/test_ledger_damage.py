"""A damaged ledger is found out, is never made worse, and gives back every game that is still sound."""

import json
import math
import random
import sqlite3
from dataclasses import replace

import pytest

from montego.arena.game import Task, play_game
from montego.arena.ledger import Ledger, LedgerError, repair
from montego.arena.rows import settings_key
from montego.arena.schedule import Contest
from montego.cli.main import run as montego
from montego.errors import MontegoError
from montego.players import PLAYERS
from montego.search import Analysis
from tests.arena.conftest import contest, faulty, record  # noqa: F401 (fixtures)

SETTINGS = {
    "game": "tictactoe",
    "players": ["random", "flat"],
    "names": ["random", "flat"],
    "pairings": [[0, 1]],
    "seed": 1,
    "openings": {"moves": 0, "book": []},
    "max_moves": 0,
    "test": None,
}
GAMES = 60


@pytest.fixture
def file(tmp_path, record):  # noqa: F811
    file = tmp_path / "match.sqlite"
    with Ledger(file) as ledger:
        ledger.begin(SETTINGS, GAMES, "v", "now")
        ledger.record([record(number, moves="a1 b2 " * 40) for number in range(GAMES)])
    return file


def sound_games(path, expected):
    """Open a damaged file in every way, and return how many games it shows; what it shows must be what was recorded."""
    try:
        with Ledger(path, read_only=True) as ledger:
            ledger.settings()
            games = ledger.games()
    except MontegoError as problem:
        return None if "\n" not in str(problem) else pytest.fail(f"more than one line: {problem}")
    assert games == expected
    return len(games)


@pytest.mark.parametrize("flips", [1, pytest.param(40, marks=pytest.mark.slow)])
def test_a_flipped_bit_in_any_page_is_found_or_harmless(file, tmp_path, flips):
    """In every page: its header, its pointers, its content. What can be opened is whole; what cannot is repaired."""
    whole = file.read_bytes()
    with Ledger(file, read_only=True) as ledger:
        ledger.settings()
        expected = ledger.games()
    size = int.from_bytes(whole[16:18], "big")
    chance = random.Random(1)
    refused = 0
    for number, start in enumerate(range(0, len(whole), size)):
        for place in [0, 8, *(chance.randrange(size) for _ in range(flips))]:
            damaged = bytearray(whole)
            damaged[start + place] ^= 1 << chance.randrange(8)
            path = tmp_path / "damaged.sqlite"
            path.write_bytes(damaged)
            if sound_games(path, expected) is None:
                refused += 1
                assert path.read_bytes() == bytes(damaged), "a damaged file is left as it is"
                _check_repair(path, expected, number)
            path.unlink()
    assert refused > 20


def _check_repair(path, expected, page):
    new = path.with_name("new.sqlite")
    try:
        kept, lost = repair(path, new)
    except MontegoError as problem:
        if "settings" not in str(problem):
            raise
        return
    with Ledger(new, read_only=True) as ledger:
        assert ledger.settings() == (SETTINGS, GAMES)
        games = {game.task.number: game for game in ledger.games()}
    assert len(games) == kept
    assert kept + lost <= len(expected)
    assert kept >= len(expected) - 12, f"page {page}: a bit is in one page, which holds a few games"
    assert all(games[number] == expected[number] for number in games)
    new.unlink()


def test_a_bad_index_does_not_hide_games(file, capsys):
    """It showed 93 of 300 games with exit code 0, and the match went on and recorded games twice."""
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA writable_schema = 1")
        page = database.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_games_1'"
        ).fetchone()[0]
    database.close()
    data = bytearray(file.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    start = size * (page - 1)
    count = int.from_bytes(data[start + 3 : start + 5], "big")
    data[start + 3 : start + 5] = (count // 2).to_bytes(2, "big")
    file.write_bytes(data)
    assert montego(["results", str(file)]) == 2
    assert "is damaged" in capsys.readouterr().err
    new = file.with_name("new.sqlite")
    assert montego(["results", str(file), "--repair", str(new)]) == 0
    assert f"has the {GAMES} sound games" in capsys.readouterr().err
    assert montego(["results", str(file), "--repair", str(new)]) == 2
    assert "exists already" in capsys.readouterr().err


def test_no_bit_of_an_index_hides_games(file, tmp_path):
    """Only the whole check compares an index with its table. Flips 200 bits of indexes, one at a time."""
    whole = file.read_bytes()
    with Ledger(file, read_only=True) as ledger:
        ledger.settings()
        expected = ledger.games()
    size = int.from_bytes(whole[16:18], "big")
    pages = [start for start in range(size, len(whole), size) if whole[start] in (2, 10)]  # of indexes
    chance = random.Random(1)
    refused = 0
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[chance.choice(pages) + chance.randrange(8, size)] ^= 1 << chance.randrange(8)
        path = tmp_path / "damaged.sqlite"
        path.write_bytes(damaged)
        refused += sound_games(path, expected) is None
        path.unlink()
    assert refused > 10


def test_games_that_are_only_in_the_log_are_saved_too(file, tmp_path, record):  # noqa: F811
    copy = tmp_path / "copy.sqlite"
    with Ledger(file) as ledger:
        ledger.begin(SETTINGS, GAMES + 2, "v", "now")
        ledger.record([record(GAMES)])
        copy.write_bytes(file.read_bytes())
        (tmp_path / "copy.sqlite-wal").write_bytes(file.with_name("match.sqlite-wal").read_bytes())
    assert repair(copy, tmp_path / "new.sqlite")[0] == GAMES + 1


@pytest.mark.parametrize("old", ["moves TEXT", "CREATE TABLE games", "INTEGER NOT NULL", "digest"])
def test_damage_in_the_text_of_the_schema_is_one_line(file, old, capsys):
    data = file.read_bytes()
    assert old.encode() in data
    file.write_bytes(data.replace(old.encode(), b"\xff" + old.encode()[1:], 1))
    assert montego(["results", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "addition",
    [
        "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END",
        "CREATE VIEW v AS SELECT load_extension('x')",
        "CREATE TABLE more (a)",
        "CREATE INDEX more ON games (moves)",
        "ALTER TABLE games ADD COLUMN more TEXT",
    ],
)
def test_a_ledger_with_anything_added_is_refused(file, addition):
    database = sqlite3.connect(file)
    database.execute(addition)
    database.commit()
    database.close()
    for options in ({}, {"read_only": True}):
        with pytest.raises(LedgerError, match="its tables are not those of a ledger"):
            Ledger(file, **options)


@pytest.mark.parametrize(
    "change",
    [
        {"pairings": None},
        {"pairings": []},
        {"pairings": [[0, 7]]},
        {"pairings": [[0]]},
        {"pairings": "ab"},
        {"players": 3},
        {"names": ["only one"]},
        {"test": [1, 2]},
        {"seed": "x"},
        {"openings": 1},
        {"max_moves": 1e999},
        {"resign": "x"},
        {"resign": 99},
    ],
)
def test_settings_that_are_not_those_of_a_contest_are_one_line(tmp_path, change, capsys):
    """The key is right, so the file is not damaged: somebody has written it so."""
    settings = {name: value for name, value in (SETTINGS | change).items() if value is not None or name == "test"}
    with Ledger(tmp_path / "odd.sqlite") as ledger:
        ledger.begin(settings, 2, "v", "now")
    assert ledger.key == settings_key(settings)
    assert montego(["results", str(tmp_path / "odd.sqlite")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(MontegoError):
        Contest.from_settings(settings)


# ------------------------------------------------------------------------------------------- every game can be recorded


@pytest.mark.parametrize(
    "change",
    [
        {"score": -0.0},
        {"score": math.nan},
        {"score": math.inf},
        {"reason": "forfeit: \ud800 half a character"},
        {"detail": "a\x00b\udfff\x1b[31m"},
        {"playouts": (10**30, -(10**30))},
        {"seconds": (-0.0, math.nan)},
        {"opinions": ("\udc80", "B+3.5")},
        {"result": "\n\r\t"},
    ],
    ids=str,
)
def test_the_strangest_game_is_recorded_and_found_sound(tmp_path, record, change):  # noqa: F811
    game = replace(record(0), **change)
    with Ledger(tmp_path / "odd.sqlite") as ledger:
        ledger.begin(SETTINGS, 2, "v", "now")
        ledger.record([game])
        kept = ledger.games()
    with Ledger(tmp_path / "odd.sqlite", read_only=True) as ledger:
        ledger.settings()
        assert ledger.games() == kept
    assert len(kept) == 1
    assert kept[0].moves == game.moves


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no text either")


@pytest.mark.parametrize(
    "problem", [Mute(), ValueError("\ud800"), ValueError("x" * 10**6)], ids=["mute", "half", "long"]
)
def test_whatever_a_player_raises_its_game_ends_and_is_recorded(faulty, tmp_path, monkeypatch, problem):  # noqa: F811
    def fail(*args):
        raise problem

    monkeypatch.setattr(_search_class(), "run", fail)
    game = play_game(Task(0, 0, (0, 1), "tictactoe", ('faulty(how="nothing")', "random"), (1, 2)))
    assert game.reason.startswith("forfeit: X: raised ")
    assert len(game.reason) < 5000
    with Ledger(tmp_path / "one.sqlite") as ledger:
        ledger.begin(SETTINGS, 2, "v", "now")
        assert len(ledger.record([game])) == 1


def test_a_player_may_claim_any_number_of_playouts(faulty, tmp_path, monkeypatch):  # noqa: F811
    def boast(search, position, rng, limits=None):
        number = int(position.legal_numbers()[0])
        return Analysis(str(number), number, playouts=10**30)

    monkeypatch.setattr(_search_class(), "run", boast)
    game = play_game(Task(0, 0, (0, 1), "tictactoe", ('faulty(how="nothing")', "random"), (1, 2)))
    with Ledger(tmp_path / "one.sqlite") as ledger:
        ledger.begin(SETTINGS, 2, "v", "now")
        ledger.record([game])
        assert ledger.games()[0].playouts[0] == 2**63 - 1


def _search_class():
    return type(PLAYERS.build('faulty(how="nothing")').search(None))


def test_a_saved_ledger_reads_as_json(file, capsys):
    assert montego(["results", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == GAMES
