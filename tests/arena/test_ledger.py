"""The ledger: nothing that was recorded is lost, nothing counts twice, and whatever is wrong is said in one line."""

import os
import pickle
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path

import pytest

from montego.arena.game import FinishedGame, Task
from montego.arena.ledger import FORMAT, Ledger, LedgerError
from montego.arena.match import run
from montego.arena.rows import FIELDS
from montego.arena.schedule import Contest
from montego.arena.workers import NoWorkers

Record = Callable[..., FinishedGame]
OLD_LEDGER = Path(__file__).with_name("ledger-format-1.sql")
SETTINGS = {"game": "tictactoe", "players": ["random", "flat"], "seed": 1}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "match.sqlite"


def opened(file: Path) -> Ledger:
    ledger = Ledger(file)
    ledger.begin(SETTINGS, 10, "v", "now")
    return ledger


def complaint(file: Path, **options: bool) -> str:
    with pytest.raises(LedgerError) as caught:
        Ledger(file, **options).close()
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ------------------------------------------------------------------------------------------------------------- keeping


def test_games_come_back_as_they_were_recorded(file: Path, record: Record) -> None:
    games = [record(number) for number in (3, 0, 7)]
    with opened(file) as ledger:
        assert ledger.record(games) == games
        assert ledger.games() == sorted(games, key=lambda game: game.task.number)
    with Ledger(file, read_only=True) as ledger:
        assert ledger.settings() == (SETTINGS, 10)
        assert ledger.games() == sorted(games, key=lambda game: game.task.number)
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_game_counts_once(file: Path, record: Record) -> None:
    with opened(file) as ledger:
        assert len(ledger.record([record(0), record(1)])) == 2
        assert ledger.record([record(1, moves="c3"), record(2)]) == [record(2)]
        assert [game.moves for game in ledger.games()] == [("a1", "b2")] * 3


def test_every_recorded_game_survives_a_killed_process(file: Path, record: Record) -> None:
    """The child records games and says so; it is killed in the middle of it."""
    code = f"""
import pickle, sys
from montego.arena.ledger import Ledger
ledger = Ledger({str(file)!r})
ledger.begin({SETTINGS!r}, 10, "v", "now")
game = pickle.loads({_pickled(record(0))!r})
from dataclasses import replace
for number in range(10**6):
    ledger.record([replace(game, task=replace(game.task, number=number))])
    print(number, flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        said = [int(child.stdout.readline()) for _ in range(50)]
        child.send_signal(signal.SIGKILL)
        said += [int(line) for line in child.stdout.read().split()]
    with opened(file) as ledger:
        kept = [game.task.number for game in ledger.games()]
    assert kept == list(range(len(kept)))
    assert len(said) <= len(kept) <= len(said) + 1


def _pickled(game: FinishedGame) -> bytes:
    return pickle.dumps(game)


def test_a_failed_transaction_leaves_nothing(file: Path, record: Record) -> None:
    with opened(file) as ledger:
        broken = record(1)
        object.__setattr__(broken, "moves", (object(),))
        with pytest.raises(TypeError):
            ledger.record([record(0), broken])
        assert ledger.games() == []
        assert len(ledger.record([record(0)])) == 1


# ---------------------------------------------------------------------------------------------------- several processes


def test_many_processes_write_one_ledger(file: Path, record: Record) -> None:
    """Four processes record the same 60 games; each counts for exactly one of them."""
    opened(file).close()
    code = f"""
import pickle
from dataclasses import replace
from montego.arena.ledger import Ledger
game = pickle.loads({_pickled(record(0))!r})
with Ledger({str(file)!r}) as ledger:
    ledger.begin({SETTINGS!r}, 60, "v", "now")
    print(sum(len(ledger.record([replace(game, task=replace(game.task, number=n))])) for n in range(60)))
"""
    children = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    counts = [int(child.communicate()[0]) for child in children]
    assert sum(counts) == 60
    with opened(file) as ledger:
        assert [game.task.number for game in ledger.games()] == list(range(60))


def test_a_game_is_claimed_by_one_process_until_that_ends(file: Path) -> None:
    code = f"""
from montego.arena.ledger import Ledger
ledger = Ledger({str(file)!r})
ledger.begin({SETTINGS!r}, 10, "v", "now")
print([ledger.claim(number) for number in range(3)], flush=True)
input()
"""
    with opened(file) as ledger:
        assert ledger.claim(1)
        with subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == "[True, False, True]\n"
            assert not ledger.claim(0)
            child.send_signal(signal.SIGKILL)
            child.wait()
            assert ledger.claim(0)


def test_what_another_process_recorded_is_noticed_and_not_played_again(file: Path, record: Record) -> None:
    with opened(file) as mine, opened(file) as other:
        mine.changed()
        assert mine.games() == []
        other.record([record(4)])
        assert not mine.claim(4)
        assert mine.changed()
        assert not mine.changed()
        assert mine.new_games() == [record(4)]
        assert mine.new_games() == []


# ------------------------------------------------------------------------------------------------------------ bad files


def test_another_contest_is_refused(file: Path, record: Record) -> None:
    with opened(file) as ledger:
        ledger.record([record(0)])
    with Ledger(file) as ledger, pytest.raises(LedgerError, match=r"another contest \(seed there: 1; here: 2\)"):
        ledger.begin(SETTINGS | {"seed": 2}, 10, "v", "now")
    with opened(file) as ledger:
        assert len(ledger.games()) == 1


@pytest.mark.both_modes
def test_a_contest_without_games_gives_way_to_another(file: Path, record: Record) -> None:
    opened(file).close()
    with Ledger(file) as ledger:
        ledger.begin(SETTINGS | {"seed": 2}, 10, "v", "now")
        ledger.record([record(0)])
        assert ledger.settings()[0]["seed"] == 2
        assert len(ledger.games()) == 1


@pytest.mark.both_modes
def test_a_contest_that_somebody_plays_does_not_give_way(file: Path) -> None:
    code = f"""
from montego.arena.ledger import Ledger
ledger = Ledger({str(file)!r})
ledger.begin({SETTINGS!r}, 10, "v", "now")
print("begun", flush=True)
input()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "begun\n"
        with Ledger(file) as ledger, pytest.raises(LedgerError, match="belongs to another contest"):
            ledger.begin(SETTINGS | {"seed": 2}, 10, "v", "now")
        child.communicate("\n")


@pytest.mark.both_modes
def test_nor_does_one_that_this_process_plays(file: Path, record: Record) -> None:
    with opened(file) as first:
        with Ledger(file) as ledger, pytest.raises(LedgerError, match="belongs to another contest"):
            ledger.begin(SETTINGS | {"seed": 2}, 10, "v", "now")
        assert Path(f"{file}-claims").exists()  # the one that was refused leaves the claims as they are
        first.record([record(0)])


@pytest.mark.both_modes
def test_games_are_not_mixed_with_those_of_a_contest_that_took_over(file: Path, record: Record) -> None:
    with opened(file) as late:
        with closing(sqlite3.connect(file)) as database, database:
            database.execute("UPDATE experiment SET key = 'another'")
        with pytest.raises(LedgerError, match="has become the ledger of another contest"):
            late.record([record(0)])


def test_when_players_resign_belongs_to_the_contest(file: Path, contest: Callable[..., Contest]) -> None:
    match = contest(resign=5)
    with Ledger(file) as ledger:
        played = run(match, ledger, NoWorkers, 2).counted()
    with Ledger(file) as ledger:
        assert Contest.from_settings(ledger.settings()[0]) == match
        assert ledger.games() == played
        assert [game.task for game in played] == [match.task(0), match.task(1)]
        for other, here in ((4.5, "4.5"), (0, "not set")):
            with pytest.raises(LedgerError, match=rf"another contest \(resign there: 5.0; here: {here}\)"):
                run(contest(resign=other), ledger, NoWorkers, 2)
        assert run(match, ledger, NoWorkers, 4).played_here == 2


def test_a_longer_run_of_the_same_contest_is_welcome(file: Path) -> None:
    opened(file).close()
    with Ledger(file) as ledger:
        ledger.begin(SETTINGS, 40, "v", "now")
        assert ledger.settings() == (SETTINGS, 40)


@pytest.mark.parametrize(("found", "hint"), [(FORMAT + 1, "a newer Montego"), (FORMAT - 1, "an older Montego")])
def test_a_ledger_of_another_format_is_refused_and_left_alone(file: Path, found: int, hint: str) -> None:
    opened(file).close()
    database = sqlite3.connect(file)
    database.execute(f"PRAGMA user_version = {found}")
    database.close()
    before = file.read_bytes()
    assert re.search(f"has ledger format {found}, this Montego reads {FORMAT}; use {hint}", complaint(file))
    assert file.read_bytes() == before


def test_files_that_are_not_ledgers(file: Path, tmp_path: Path) -> None:
    file.write_text("once upon a time " * 100, encoding="utf-8")
    assert "not a SQLite file" in complaint(file)
    assert file.read_text(encoding="utf-8").startswith("once")
    other = tmp_path / "other.sqlite"
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE mine (a)")
    database.close()
    assert "is not a Montego ledger" in complaint(other)
    assert "name an existing file" in complaint(tmp_path / "missing", read_only=True)
    assert f"is a folder; name a file in it, such as {tmp_path}/match.sqlite" in complaint(tmp_path)
    assert "there is no folder" in complaint(tmp_path / "no" / "where.sqlite")


def test_a_damaged_ledger_is_refused_and_left_alone(file: Path, record: Record) -> None:
    with opened(file) as ledger:
        ledger.record([record(number, moves="a1 " * 200) for number in range(200)])
    content = bytearray(file.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 8192] = b"\xff" * 8192
    file.write_bytes(content)
    for read_only in (False, True):
        assert "damaged" in complaint(file, read_only=read_only) or "malformed" in complaint(file)
    assert file.read_bytes() == content
    file.write_bytes(content[: len(content) // 3])
    assert re.search("damaged|malformed", complaint(file))


def test_damaged_values_are_found(file: Path, record: Record) -> None:
    with opened(file) as ledger:
        ledger.record([record(0)])
    database = sqlite3.connect(file)
    database.execute("UPDATE games SET points = 0.5")
    database.commit()
    with opened(file) as ledger, pytest.raises(LedgerError, match="game 0 is not as it was recorded"):
        ledger.games()
    database.execute("UPDATE experiment SET settings = '{}'")
    database.commit()
    database.close()
    with Ledger(file) as ledger, pytest.raises(LedgerError, match="its settings do not match their key"):
        ledger.settings()


def test_an_empty_ledger_has_no_results(file: Path) -> None:
    Ledger(file).close()
    with Ledger(file, read_only=True) as ledger, pytest.raises(LedgerError, match="holds no contest yet"):
        ledger.settings()


def test_a_ledger_on_a_read_only_disk_can_be_read(file: Path, record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(file) as ledger:
        ledger.record([record(0)])
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    before = file.stat()
    with Ledger(file, read_only=True) as ledger:
        ledger.settings()
        assert len(ledger.games()) == 1
        assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert file.stat().st_mtime == before.st_mtime


def test_a_ledger_of_an_earlier_build_opens_and_its_games_are_played_alike(file: Path) -> None:
    """The dump was written by the first build with format 1; the same contest must play the same games today."""
    database = sqlite3.connect(file, isolation_level=None)
    database.executescript(OLD_LEDGER.read_text(encoding="utf-8"))
    database.close()
    with Ledger(file) as ledger:
        settings, scheduled = ledger.settings()
        old = ledger.games()
        contest = Contest.from_settings(settings)
        assert (scheduled, len(old)) == (6, 6)
        longer = run(contest, ledger, NoWorkers, 8)
    assert longer.played_here == 2
    with Ledger() as ledger:
        new = run(contest, ledger, NoWorkers, 6).counted()
    assert contest.resign == 0
    assert contest.settings() == settings
    for before, after in zip(old, new, strict=True):
        unlike = {"version": after.version, "finished": after.finished, "seconds": after.seconds}
        assert replace(before, **unlike) == after


def test_the_columns_hold_every_field_of_a_game() -> None:
    """A new field must not be forgotten: the ledger would give back games without it."""
    paths = {f"task.{field.name}" for field in fields(Task)} - {"task.resign"}  # in the settings
    paths |= {field.name for field in fields(FinishedGame)} - {"task"}
    assert {field.path for field in FIELDS} == paths


# ------------------------------------------------------------------------------------------------------------ full disk


def test_a_full_disk_loses_nothing(file: Path, contest: Callable[..., Contest]) -> None:
    """SQLite itself says when the file may not grow; with more room the same match goes on to its end."""
    match = contest("random", "random")
    with Ledger(file) as ledger:
        ledger._database.execute("PRAGMA max_page_count = 12")
        with pytest.raises(LedgerError, match="full; all recorded games are safe: make room and run the same command"):
            run(match, ledger, NoWorkers, 400)
        safe = ledger.games()
    assert 0 < len(safe) < 400
    with Ledger(file) as ledger:
        assert run(match, ledger, NoWorkers, 400).finished == 400
        kept = {game.task.number: game for game in ledger.games()}
    assert all(kept[game.task.number] == game for game in safe)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are a matter of Unix")
def test_a_file_that_may_not_grow_is_reported(file: Path) -> None:
    """The operating system refuses the write: a real failure below SQLite."""
    command = [sys.executable, "-m", "montego.cli", "match", "--game", "tictactoe", "--player", "random"]
    command += ["--player", "random", "--games", "2000", "--workers", "0", "--ledger", str(file)]
    limited = ["bash", "-c", 'ulimit -f 200; exec "$@"', "limited", *command]
    done = subprocess.run(limited, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith("montego: error: cannot write the ledger")
    assert "Traceback" not in done.stderr
    with Ledger(file, read_only=True) as ledger:
        ledger.settings()
        assert 0 < len(ledger.games()) < 2000
