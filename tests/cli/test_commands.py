"""The commands: what they print, and that bad input is answered by one line and exit code 2."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

import montego.games.tictactoe
from montego.cli.doctor import cache_check
from montego.cli.main import cli, run
from montego.cli.reference import reference
from montego.errors import counted
from montego.games import GAMES
from montego.players import PLAYERS

ROOT = Path(__file__).parents[2]
MONTEGO = [sys.executable, "-m", "montego.cli"]


@pytest.fixture
def users_game(tmp_path: Path) -> Path:
    """A user's file with a game of its own: tic-tac-toe under another name."""
    source = Path(montego.games.tictactoe.__file__).read_text(encoding="utf-8")
    file = tmp_path / "noughts.py"
    file.write_text(source.replace('name="tictactoe"', 'name="noughts"'), encoding="utf-8")
    return file


def montego_process(*args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*MONTEGO, *args], input=stdin, capture_output=True, text=True, check=False)


# --------------------------------------------------------------------------------------------------------- what is said


def test_the_reference_is_up_to_date() -> None:
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == reference(), "run make docs"


@pytest.mark.both_modes
def test_the_reference_keeps_lines_and_cells() -> None:
    text = reference()
    assert "```\nmontego train mm games/ --out mm.npz\nmontego bench playouts" in text
    assert "rave=off\\|silver; may be repeated. Required. |" in text


@pytest.mark.parametrize(("count", "words"), [(0, "0 moves"), (1, "1 move"), (2, "2 moves")])
def test_things_are_counted_in_english(count: int, words: str) -> None:
    assert counted(count, "move") == words


@pytest.mark.parametrize("args", [[], ["--help"], ["bench"], ["bench", "--help"], ["play", "-h"]])
def test_help(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(args) == 0
    assert "Usage: montego" in capsys.readouterr().out


@pytest.mark.parametrize(("command", "registry"), [("games", GAMES), ("players", PLAYERS)])
def test_lists(command: str, registry: object, capsys: pytest.CaptureFixture[str]) -> None:
    names = registry.names()  # type: ignore[attr-defined]
    assert run([command]) == 0
    text = capsys.readouterr().out
    assert all(any(line.split()[0] == name for line in text.splitlines() if line) for name in names)
    assert run([command, "--all"]) == 0
    text = capsys.readouterr().out
    assert all(f"{name}: " in text for name in names)
    assert run([command, "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in entries] == names
    for entry in entries:
        assert entry["summary"]
        for parameter in entry["parameters"]:
            assert parameter["meaning"], f"{entry['name']}: {parameter['name']} needs a Param with its meaning"
            assert parameter["allowed"]
            assert parameter["usual"] is None or len(parameter["usual"]) == 2


def test_one_of_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["players", "silver"]) == 0
    assert "source: Gelly and Silver 2007" in capsys.readouterr().out
    assert run(["players", "uct(playouts=5)", "--json"]) == 0
    entry = json.loads(capsys.readouterr().out)
    assert entry["name"] == "uct"
    assert "playouts" in [parameter["name"] for parameter in entry["parameters"]]
    assert run(["games", "hex"]) == 0
    assert "size=11: points per side" in capsys.readouterr().out
    assert run(["games", "hex(size=0)"]) == 2
    assert "size must be a whole number from" in capsys.readouterr().err


@pytest.mark.both_modes
def test_the_default_players_are_those_of_play_and_gtp(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["players"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("montego play gives them playouts, as listed, and montego gtp seconds; ")


@pytest.mark.parametrize(
    ("words", "incomplete", "expected"),
    [
        (["play", "--game"], "tic", "tictactoe"),
        (["analyse", "--player"], "uc", "ucb"),
        ([], "ana", "analyse"),
    ],
)
def test_the_shell_completes(words: list[str], incomplete: str, expected: str) -> None:
    completion = ShellComplete(cli, {}, "montego", "_MONTEGO_COMPLETE")
    assert expected in [item.value for item in completion.get_completions(words, incomplete)]


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perft", "--game", "tictactoe", "--depth", "3", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["game"], report["depth"], report["nodes"]) == ("tictactoe", 3, 504)
    assert run(["perft", "--game", "tictactoe", "--depth", "2"]) == 0
    assert capsys.readouterr().out.startswith("tictactoe, depth 2: 72 sequences")


def test_bench_playouts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "playouts", "--game", "tictactoe", "--seconds", "0.2", "--seed", "1", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["game"], report["playout"]) == ("tictactoe", "uniform")
    assert report["seconds"] >= 0.2
    assert report["playouts_per_second"] == pytest.approx(report["playouts"] / report["seconds"])
    assert report["moves_per_second"] == pytest.approx(report["playouts_per_second"] * report["mean_length"])
    # Exact: 737/1260 and 8/63. Five standard errors are exceeded once in 1.7 million runs.
    assert abs(report["first_player_win_rate"] - 737 / 1260) < 5 * report["first_player_win_rate_error"]
    assert abs(report["draw_rate"] - 8 / 63) < 5 * report["first_player_win_rate_error"]
    assert run(["bench", "playouts", "--game", "tictactoe", "--seconds", "0.1"]) == 0
    assert "playouts/s" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("policy", "complaint"),
    [("softmax", "no playout weights for tictactoe"), ("softest", "unknown playout policy 'softest'")],
)
def test_bench_playouts_of_a_policy_that_cannot_play(
    policy: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bench", "playouts", "--game", "tictactoe", "--playout", policy]) == 2
    assert complaint in capsys.readouterr().err


def test_bench_search(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["bench", "search", "--game", "tictactoe", "--player", "uct(playouts=2000)", "--seed", "1"]
    assert run([*args, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["simulations"] == 2000
    assert report["simulations_per_second"] > 0
    assert report["bytes_per_node"] <= 40
    assert report["nodes"] > 9
    assert run(args) == 0
    assert "simulations/s" in capsys.readouterr().out


def test_bench_playouts_by_count_are_repeatable(capsys: pytest.CaptureFixture[str]) -> None:
    reports = []
    for _ in range(2):
        assert run(["bench", "playouts", "--game", "tictactoe", "--playouts", "1000", "--seed", "7", "--json"]) == 0
        reports.append(json.loads(capsys.readouterr().out))
    assert reports[0]["playouts"] == 1000
    for key in ("seed", "mean_length", "first_player_win_rate", "draw_rate", "mean_score"):
        assert reports[0][key] == reports[1][key]


def test_doctor_compiles_and_leaves_other_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The cache in use belongs to the process; this one looks at a cache of its own."""
    stale, mine = tmp_path / "0123456789abcdef", tmp_path / "my-thesis"
    for folder in (stale, mine):
        folder.mkdir()
        (folder / "file").write_bytes(b"12345")
    monkeypatch.setenv("MONTEGO_CACHE", str(tmp_path))
    assert run(["doctor", "--clear-cache", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["compile_check"]["ok"]
    assert report["compile_check"]["kernels"] > 0
    assert report["cache_check"]["loaded"] + report["cache_check"]["compiled"] > 0
    assert report["cache_check"]["failed_reads"] == []
    assert report["cleared_bytes"] == 5
    assert not stale.exists()
    assert (mine / "file").exists()
    assert report["cores"] >= 1
    assert {"python", "numpy", "numba", "llvmlite"} <= set(report["versions"])


def test_doctor_reports_what_the_cache_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At first everything is compiled, then loaded; a damaged file is named and compiled again."""
    monkeypatch.setenv("MONTEGO_CACHE", str(tmp_path))
    first, second = cache_check(), cache_check()
    assert first["loaded"] == 0
    assert first["compiled"] > 0
    assert (second["loaded"] > 0, second["compiled"], second["failed_reads"]) == (True, 0, [])
    assert "kernels loaded in" in second["message"]
    for file in tmp_path.rglob("add_playouts*.code"):
        file.write_bytes(file.read_bytes()[:-1] + b"?")
    third = cache_check()
    assert third["compiled"] == 1
    assert len(third["failed_reads"]) == 1
    assert "1 file could not be read (add_playouts" in third["message"]
    assert third["message"].endswith("its checksum is wrong)")


def test_doctor_says_why_the_cache_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o777)
    environment = {**os.environ, "MONTEGO_CACHE": str(folder)}
    done = subprocess.run([*MONTEGO, "doctor"], env=environment, capture_output=True, text=True, check=False)
    assert f"not used: {folder} belongs to another user or can be written by one" in done.stdout
    assert "0 kernels loaded" in done.stdout


def test_doctor_reports_a_failed_check(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.executable", "/nonexistent/python")
    assert run(["doctor"]) == 1
    assert "compile check FAILED" in capsys.readouterr().out


# ---------------------------------------------------------------------------------------------------- a user's own file


def test_a_users_game_is_loaded_and_its_code_is_cached(users_game: Path) -> None:
    args = ["bench", "playouts", "--load", str(users_game), "--game", "noughts", "--playouts", "10", "--json"]
    first, second = montego_process(*args), montego_process(*args)
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout)["game"] == "noughts"
    assert "compiling" not in second.stderr


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.py", None, "expected an existing Python file"),
        ("text.txt", "", "expected an existing Python file"),
        ("broken.py", "x = (", "SyntaxError"),
        ("raising.py", "1 / 0", "ZeroDivisionError: division by zero"),
        ("json.py", "", "not a free name"),
        ("no-name.py", "", "not a free name"),
    ],
)
def test_files_that_cannot_be_loaded(
    name: str, content: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert run(["games", "--load", str(tmp_path / name)]) == 2
    assert_one_line(capsys, message)


# ------------------------------------------------------------------------------------------------------------ bad input


def assert_one_line(capsys: pytest.CaptureFixture[str], message: str) -> None:
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("montego: error: ")
    assert captured.err.count("\n") == 1
    assert message in captured.err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["nonsense"], "no such command 'nonsense'"),
        (["--nonsense"], "no such option"),
        (["bench", "nonsense"], "no such command"),
        (["bench", "search", "--game", "tictactoe", "--player", "random"], "random is not a tree search"),
        (["perft", "--game", "tictactoe"], "missing option '--depth'"),
        (["perft", "--depth", "1"], "missing option '--game'"),
        (["perft", "--game", "tictactoe", "--depth", "-1"], "invalid value for '--depth'"),
        (["perft", "--game", "tictactoe", "--depth", "x"], "invalid value for '--depth'"),
        (["perft", "--game", "tictacto", "--depth", "1"], "did you mean 'tictactoe'"),
        (["perft", "--game", "tictactoe(size=3)", "--depth", "1"], "unknown parameter 'size'"),
        (["perft", "--game", "tictactoe(", "--depth", "1"], "cannot read spec"),
        (["bench", "playouts", "--game", "tictactoe", "--seconds", "0"], "invalid value for '--seconds'"),
        (["bench", "playouts", "--game", "tictactoe", "--seconds", "nan"], "invalid value for '--seconds'"),
        (["bench", "playouts", "--game", "tictactoe", "--seed", "-1"], "invalid value for '--seed'"),
        (["play", "--side", "third"], "no side 'third' in go; expected first, second, black, white or none"),
        (["play", "--player", "flat(playouts=-1)"], "playouts must be a whole number"),
        (["play", "--player", "flatt"], "did you mean 'flat'"),
        (["games", "tictactoe", "go"], "unexpected extra argument"),
        (["games", "chess"], "no game or part of one is called 'chess'"),
        (["players", "silvr"], "did you mean 'silver'"),
    ],
)
def test_bad_input(args: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(args) == 2
    assert_one_line(capsys, message)


def test_the_exit_code_reaches_the_shell() -> None:
    child = montego_process("perft", "--game", "nonsense", "--depth", "1")
    assert child.returncode == 2
    assert child.stderr.startswith("montego: error: unknown game 'nonsense'")
    assert "Traceback" not in child.stderr


def test_a_reader_that_leaves_early_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        child = subprocess.run([*MONTEGO, "games"], stdout=closed, stderr=subprocess.PIPE, text=True, check=False)
    assert child.returncode == 1
    assert child.stderr == ""
