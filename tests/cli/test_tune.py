"""``montego tune``: end to end on a tiny game, killed and resumed, and what it refuses."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from montego.cli.main import run
from tests.arena.watching import games_in

TUNE = ["tune", "--game", "tictactoe", "--player", "flat(playouts=2)", "--against", "random", "--opening-moves", "1"]
TUNE += ["--parameter", "playouts=1..60", "--parameter", "amaf", "--seed", "5", "--workers", "0"]


def test_from_the_first_game_to_the_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, picture = tmp_path / "t.sqlite", tmp_path / "t.svg"
    args = [*TUNE, "--games", "40", "--confirm", "20", "--ledger", str(file), "--plot", str(picture)]
    assert run(args) == 0
    shown = capsys.readouterr().out
    assert "tictactoe: flat(playouts=2) tuned against random, method clop, seed 5, 40 of 40 games" in shown
    assert "default should change" in shown
    assert "montego match --game tictactoe --player 'flat(" in shown
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["t-confirmation-40.sqlite", "t.sqlite", "t.svg"]
    assert run(["results", str(file)]) == 0
    assert capsys.readouterr().out == shown
    assert run(["results", str(file), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 40
    assert report["complete"]
    assert report["best"] in shown
    assert report["confirmation"]["games"] == 20
    assert run([*args, "--json"]) == 0  # everything is kept already
    assert json.loads(capsys.readouterr().out) == report | {"ledger": str(file)}


def test_killed_and_resumed_it_ends_with_the_same_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SIGKILL after some games, then the same command, against one that nobody disturbed."""
    args = [*TUNE, "--games", "200", "--confirm", "0", "--json"]
    file = tmp_path / "killed.sqlite"
    command = [sys.executable, "-m", "montego.cli", *args, "--ledger", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        while child.poll() is None and games_in(file) < 21:
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
    assert 21 <= games_in(file) < 200
    reports = []
    for ledger in (file, tmp_path / "undisturbed.sqlite"):
        assert run([*args, "--ledger", str(ledger)]) == 0
        reports.append(json.loads(capsys.readouterr().out))
    for report in reports:
        del report["ledger"]
    assert reports[0] == reports[1]


def test_ctrl_c_ends_cleanly_and_shows_the_best_so_far(tmp_path: Path) -> None:
    file = tmp_path / "t.sqlite"
    command = [sys.executable, "-m", "montego.cli", *TUNE, "--games", "20000", "--ledger", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        while child.poll() is None and games_in(file) < 5:
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=60)
    assert child.returncode == 130
    assert f"the finished games are in {file}; the same command resumes" in errors
    assert "Traceback" not in errors
    assert "best setting: flat(" in output


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["--parameter", "rave.bias"], "has no parameter 'rave.bias'"),
        (["--parameter", "playots"], "did you mean 'playouts'?"),
        (["--parameter", "reward.scale=2..1"], "the range 2..1 is empty"),
        (["--games", "7"], "an even number of at least 2 expected"),
        (["--confirm", "7"], "an even number of at least 2 expected"),
        (["--plot", "x.png"], "cannot write 'x.png': expected a name that ends in .svg"),
        (["--method", "nonsense"], "is not one of"),
        (["--cluster", "tcp://nowhere:1"], "give --workers or --cluster, not both"),
    ],
)
def test_bad_input(changes: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*TUNE, *changes]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
