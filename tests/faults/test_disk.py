"""Full disks, read-only disks, killed processes, two writers: a file is whole, or as it was before."""

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import montego as mg
from montego.arena.claims import SUFFIX
from montego.arena.ledger import Ledger
from montego.arena.match import run
from montego.arena.workers import NoWorkers
from montego.cli.main import run as montego
from montego.errors import MontegoError
from montego.outside import read_file, read_text, write_file
from tests.arena.conftest import contest, record  # noqa: F401 (fixtures)

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(mg.__file__).parents[1]), "NUMBA_DISABLE_JIT": "1"}
OLD = "(;GM[1]SZ[5];B[aa];W[bb])"


def limited(code, size):
    """Run Python code in a process whose files may have so many bytes: its disk is full."""
    start = f"""
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
"""
    return subprocess.run(
        [sys.executable, "-c", start + code], env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.fixture
def no_room(monkeypatch):
    """Let every attempt to bring data to the disk fail."""

    def fail(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)


# --------------------------------------------------------------------------------------------------------- whole files


@pytest.mark.parametrize(
    "words",
    [
        ["analyse", "{old}", "--out", "{file}", "--player", "flat(playouts=9)"],
        ["results", "{ledger}", "--csv", "{file}"],
        ["results", "{ledger}", "--sgf", "{folder}"],
    ],
    ids=["analyse", "csv", "sgf"],
)
def test_a_file_on_a_full_disk_stays_as_it_was(words, tmp_path, no_room, capsys, contest, monkeypatch):  # noqa: F811
    """``analyse --out`` onto an existing file left it truncated."""
    places = {name: tmp_path / name for name in ("old", "file", "ledger", "folder")}
    places["old"].write_text(OLD)
    places["folder"].mkdir()
    there = [places["file"], places["folder"] / "game-0.sgf", places["folder"] / "game-1.sgf"]
    for file in there:
        file.write_text("precious")
    with Ledger(places["ledger"]) as ledger:
        run(contest("random", "flat(playouts=9)"), ledger, NoWorkers, 2)
    assert montego([word.format(**places) for word in words]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert [file.read_text() for file in there] == ["precious"] * 3
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(places), "nothing is left beside it"


def test_saving_onto_a_full_disk_keeps_the_old_game(tmp_path, no_room):
    file = tmp_path / "game.json"
    file.write_text("precious")
    with pytest.raises(MontegoError, match="No space left"):
        write_file(file, "new")
    assert file.read_text() == "precious"


def test_a_disk_that_fills_up_really(tmp_path):
    """The system itself refuses the bytes, in the middle of a file."""
    file = tmp_path / "file"
    file.write_text("precious")
    done = limited(f"from montego.outside import write_file; write_file({str(file)!r}, 'x' * 100_000)", 20_000)
    assert "cannot write" in done.stderr
    assert file.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [file]


def test_a_process_that_is_killed_while_it_writes(tmp_path):
    file = tmp_path / "file"
    file.write_text("precious")
    code = f"""
import os, signal
from montego.outside import write_file
os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
write_file({str(file)!r}, "new")
"""
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert file.read_text() == "precious"


def test_a_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_file(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_only_plain_files_are_read_and_written(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path in (fifo, "/dev/zero", "/dev/full", tmp_path):
        with pytest.raises(MontegoError, match=r"cannot read .*(not a plain file|a directory)"):
            read_file(path)
        with pytest.raises(MontegoError, match=r"cannot write .*(not a plain file|a folder)"):
            write_file(path, "x")
    for path in (tmp_path / "none", "a\0b"):
        with pytest.raises(MontegoError, match="cannot read"):
            read_file(path)
    (tmp_path / "latin").write_bytes(b"\xe4")
    with pytest.raises(MontegoError, match="not UTF-8"):
        read_text(tmp_path / "latin")


def test_a_file_that_is_too_long_is_refused(tmp_path, monkeypatch):
    file = tmp_path / "sparse"
    with file.open("wb") as stream:
        stream.truncate(10**12)
    with pytest.raises(MontegoError, match="more than 200 MB"):
        read_file(file)


# ------------------------------------------------------------------------------------------------------------ ledgers


FILLING = """
from dataclasses import replace
from montego.arena.game import FinishedGame, Task
from montego.arena.ledger import Ledger
from montego.errors import MontegoError
task = Task(0, 0, (0, 1), "tictactoe", ("random", "flat"), (1, 2))
game = FinishedGame(task, ("a1",) * 400, 1.0, 1.0, "X+1", "played", version="v", finished="now")
with Ledger({file!r}) as ledger:
    ledger.begin({{"seed": 1}}, 10**6, "v", "now")
    try:
        for number in range(10**6):
            ledger.record([replace(game, task=replace(task, number=number))])
            print(number, flush=True)
    except MontegoError as problem:
        print("refused:", problem)
"""


def test_a_ledger_on_a_disk_that_fills_up_keeps_what_it_has_recorded(tmp_path):
    file = tmp_path / "match.sqlite"
    done = limited(FILLING.format(file=str(file)), 300_000)
    *said, last = done.stdout.splitlines()
    assert last.startswith("refused: cannot write the ledger"), done.stderr
    assert len(said) > 10
    with Ledger(file) as ledger:
        ledger.begin({"seed": 1}, 10**6, "v", "now")
        assert [game.task.number for game in ledger.games()][: len(said)] == list(range(len(said)))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to everything")
def test_a_read_only_disk(tmp_path):
    tmp_path.chmod(0o500)
    try:
        for write in (lambda: write_file(tmp_path / "file", "x"), lambda: Ledger(tmp_path / "match.sqlite")):
            with pytest.raises(MontegoError, match="cannot"):
                write()
    finally:
        tmp_path.chmod(0o700)


def test_a_read_only_ledger_can_be_read(tmp_path, contest):  # noqa: F811
    file = tmp_path / "match.sqlite"
    with Ledger(file) as ledger:
        run(contest(), ledger, NoWorkers, 4)
    file.chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        with Ledger(file, read_only=True) as ledger:
            ledger.settings()
            assert len(ledger.games()) == 4
    finally:
        tmp_path.chmod(0o700)


def test_a_match_that_is_killed_again_and_again_loses_nothing(tmp_path):
    """Every game that was reported is there in the end, and none counts twice."""
    file = tmp_path / "match.sqlite"
    code = f"""
from montego.arena.compete import match
def watch(progress):
    print(progress.finished, flush=True)
match("tictactoe", "random", "random", games=400, seed=1, ledger={str(file)!r}, watch=watch)
"""
    said = 0
    for _ in range(4):
        with subprocess.Popen(
            [sys.executable, "-c", code], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
        ) as child:
            began = None
            for line in child.stdout:
                began = began or time.monotonic()
                said = max(said, int(line))
                if time.monotonic() - began > 0.3:
                    child.kill()
        with Ledger(file, read_only=True) as ledger:
            ledger.settings()
            numbers = [game.task.number for game in ledger.games()]
        assert len(numbers) == len(set(numbers)) >= said


# ------------------------------------------------------------------------------------------------------------- claims


def claims(file):
    return file.with_name(file.name + SUFFIX)


def test_claims_are_beside_the_ledger_and_go_with_its_last_user(tmp_path):
    """They were files with a guessable name in the temporary folder, a hundred of which stayed behind."""
    file = tmp_path / "match.sqlite"
    code = f"""
from montego.arena.ledger import Ledger
with Ledger({str(file)!r}) as ledger:
    ledger.begin({{"seed": 1}}, 10, "v", "now")
    print(ledger.claim(1), flush=True)
    input()
"""
    with Ledger(file) as ledger:
        ledger.begin({"seed": 1}, 10, "v", "now")
        assert ledger.claim(0)
        assert stat.S_IMODE(claims(file).stat().st_mode) == 0o600
        with subprocess.Popen(
            [sys.executable, "-c", code], env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout.readline() == "True\n"
            child.communicate("\n")
        assert claims(file).exists(), "we still use it"
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_claims_that_a_killed_process_left_are_used_and_removed(tmp_path):
    file = tmp_path / "match.sqlite"
    claims(file).touch()
    with Ledger(file) as ledger:
        ledger.begin({"seed": 1}, 10, "v", "now")
        assert ledger.claim(0)
    assert not claims(file).exists()


def test_a_trap_in_place_of_the_claims_stops_nothing(tmp_path):
    """A link that somebody else has put there is not followed; the match does without claims."""
    file, elsewhere = tmp_path / "match.sqlite", tmp_path / "elsewhere"
    claims(file).symlink_to(elsewhere)
    with Ledger(file) as ledger:
        ledger.begin({"seed": 1}, 10, "v", "now")
        assert ledger.claim(0)
    assert not elsewhere.exists()
