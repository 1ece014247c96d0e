"""``montego match``, ``tournament`` and ``results``: what they print, keep, export and refuse."""

import csv
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import montego as mg
import montego.games.tictactoe
from montego.cli.main import run

MATCH = ["match", "--game", "tictactoe", "--player", "random", "--player", "flat(playouts=27)", "--workers", "0"]


def result_of(args: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    capsys.readouterr()
    assert run([*args, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_a_match_without_a_ledger(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*MATCH, "--games", "20", "--seed", "1"]) == 0
    captured = capsys.readouterr()
    notes = [line for line in captured.err.splitlines() if "compiling" not in line]
    assert notes == ["the games will not be kept; --ledger FILE keeps them"]
    lines = captured.out.splitlines()
    assert lines[0] == "tictactoe: random against flat(playouts=27), seed 1, 20 of 20 games"
    assert lines[1].startswith("random ")
    assert " of 20 games" in lines[1]
    assert "Elo" in lines[1]
    assert lines[2].startswith("first to move: ")
    assert lines[3].startswith("pairs by points ")


def test_the_same_seed_gives_the_same_match(capsys: pytest.CaptureFixture[str]) -> None:
    args = [*MATCH, "--games", "20", "--opening-moves", "2"]
    reports = [result_of([*args, "--seed", seed], capsys) for seed in ("1", "1", "2")]
    for report in reports:
        del report["effort"]
    assert reports[0] == reports[1]
    assert reports[0]["pairings"] != reports[2]["pairings"]


def test_the_same_command_goes_on_and_another_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = [*MATCH, "--ledger", str(tmp_path / "m.sqlite")]
    first = result_of([*args, "--games", "10"], capsys)  # the seed is drawn by chance, and kept
    second = result_of([*args, "--games", "20"], capsys)
    assert (first["games"], second["games"]) == (10, 20)
    assert first["seed"] == second["seed"]
    assert run([*args, "--games", "20", "--opening-moves", "1"]) == 2
    error = capsys.readouterr().err
    assert "belongs to another contest (openings there: " in error
    assert error.count("\n") == 1
    assert result_of(["results", str(tmp_path / "m.sqlite")], capsys) | {"ledger": second["ledger"]} == second


@pytest.mark.both_modes
def test_a_start_that_fails_leaves_a_ledger_that_can_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rest = ["--player", "random", "--games", "2", "--workers", "0", "--ledger", str(tmp_path / "m.sqlite")]
    assert run(["match", "--game", "tictactoe", "--player", 'gtp("false")', *rest]) == 2
    assert "stopped" not in capsys.readouterr().err
    assert run(["match", "--game", "tictactoe", "--player", "random", *rest]) == 0


def test_a_sequential_test_stops_a_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "m.sqlite")
    args = [*MATCH, "--games", "2000", "--sprt", "-100,0", "--seed", "1", "--ledger", file]
    report = result_of(args, capsys)
    assert report["test"]["verdict"] == "H0"  # type: ignore[index]
    assert report["games"] == 2 * report["test"]["pairs"] < 2000  # type: ignore[index, operator]
    assert report["complete"]
    assert run(["results", file]) == 0
    assert "H0 Elo -100, H1 Elo +0: H0 accepted" in capsys.readouterr().out
    assert run([*args, "--alpha", "0.01"]) == 2
    assert "another contest (test there: -100.0, 0.0, 0.05, 0.05" in capsys.readouterr().err


def test_games_are_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, table, folder = tmp_path / "m.sqlite", tmp_path / "games.csv", tmp_path / "sgf"
    assert run(["match", "--game", "go(size=3)", "--player", "random", "--player", "random", "--games", "4"]
               + ["--workers", "0", "--ledger", str(file)]) == 0  # fmt: skip
    assert run(["results", str(file), "--csv", str(table), "--sgf", str(folder)]) == 0
    with table.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [int(row["number"]) for row in rows] == [0, 1, 2, 3]
    from montego.sgf import read

    for row in rows:
        position = mg.game(row["game"]).start()
        for move in row["moves"].split():
            position.play(move)
        assert position.score() == float(row["score"])
        record = read((folder / f"game-{row['number']}.sgf").read_bytes())
        assert record.moves == row["moves"].split()
        assert record.winner == (0 if row["points"] == "1.0" else 1 if row["points"] == "0.0" else -1)


def test_openings_come_from_sgf_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    openings, file = tmp_path / "openings.sgf", tmp_path / "m.sqlite"
    openings.write_text("(;FF[4]GM[1]SZ[5];B[cc];W[bb];B[dd])(;FF[4]GM[1]SZ[5];B[aa])", encoding="utf-8")
    args = ["match", "--game", "go(size=5)", "--player", "random", "--player", "random", "--games", "4"]
    args += ["--workers", "0", "--ledger", str(file), "--openings", str(openings), "--opening-moves", "2"]
    assert run(args) == 0
    table = tmp_path / "games.csv"
    assert run(["results", str(file), "--csv", str(table)]) == 0
    with table.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["opening"] for row in rows] == ["C3 B4", "C3 B4", "A5", "A5"]
    assert all(row["moves"].startswith(row["opening"]) for row in rows)
    openings.write_text("nonsense", encoding="utf-8")
    capsys.readouterr()
    assert run(args) == 2
    assert "openings.sgf" in capsys.readouterr().err


def test_a_tournament_keeps_its_ledger_beside_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "ladder.toml"
    plan.write_text(
        'game = "tictactoe"\ngames = 10\nschedule = "ladder"\nseed = 1\n'
        '[[players]]\nspec = "random"\n[[players]]\nspec = "flat"\nplayouts = [9, 90]\n',
        encoding="utf-8",
    )
    assert run(["tournament", str(plan), "--workers", "0"]) == 0
    output = capsys.readouterr().out
    assert "tictactoe: 3 players, seed 1, 20 of 20 games" in output
    assert "random – flat(playouts=9): " in output
    assert (tmp_path / "ladder.sqlite").exists()
    report = result_of(["results", str(tmp_path / "ladder.sqlite")], capsys)
    assert [entry["player"] for entry in report["ratings"]["ratings"]][-1] == "random"  # type: ignore[index]


def test_when_players_resign_is_part_of_a_match_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "m.sqlite")
    args = [*MATCH, "--games", "2", "--seed", "1", "--ledger", file]
    assert result_of([*args, "--resign", "5"], capsys)["resign"] == 5.0
    assert result_of(["results", file], capsys)["resigned"] == 0
    for more in ([], ["--markdown"]):
        assert run(["results", file, *more]) == 0
        assert "or the loss was certain: 0 games ended by resignation." in capsys.readouterr().out
    assert run(args) == 2
    assert "another contest (resign there: 5.0; here: not set)" in capsys.readouterr().err


def test_an_option_replaces_what_a_tournament_says_of_resigning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "t.toml"
    players = '[[players]]\nspec = "random"\n[[players]]\nspec = "flat(playouts=9)"\n'
    plan.write_text(f'game = "tictactoe"\ngames = 2\nresign = 3\n{players}', encoding="utf-8")
    for option, expected in ([], 3.0), (["--resign", "7"], 7.0), (["--resign", "0"], None):
        ledger = ["--ledger", str(tmp_path / f"{expected}.sqlite"), "--workers", "0"]
        assert result_of(["tournament", str(plan), *option, *ledger], capsys).get("resign") == expected


def test_a_users_game_reaches_the_workers(tmp_path: Path) -> None:
    source = Path(montego.games.tictactoe.__file__).read_text(encoding="utf-8")
    file = tmp_path / "crosses.py"
    file.write_text(source.replace('name="tictactoe"', 'name="crosses"'), encoding="utf-8")
    command = [sys.executable, "-m", "montego.cli", "match", "--load", str(file), "--game", "crosses"]
    command += ["--player", "random", "--player", "random", "--games", "4", "--workers", "1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 4
    assert json.loads(done.stdout)["forfeits"] == []


def test_a_terminal_gets_a_live_view() -> None:
    """The view is drawn with control codes, and the result stays on the screen at the end."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "montego.cli", *MATCH, "--games", "400", "--sprt", "-5,5"]
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE, env={**os.environ, "TERM": "xterm"}) as child:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # the other end is closed
            pass
        os.close(ours)
    text = shown.decode()
    assert child.returncode == 0
    assert "\x1b[" in text
    assert "games/h" in text
    assert "LLR" in text
    assert "pairs by points" in text


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["match", "--game", "tictactoe"], "missing option '--player'"),
        (["match", "--game", "tictactoe", "--player", "random"], "a match has two players: give --player twice, not 1"),
        ([*MATCH, "--player", "random"], "a match has two players: give --player twice, not 3"),
        ([*MATCH, "--games", "3"], "expected an even number"),
        ([*MATCH, "--games", "0"], "invalid value for '--games'"),
        ([*MATCH, "--sprt", "5"], "expected two numbers such as 0,20"),
        ([*MATCH, "--sprt", "5,0"], "elo0 must be less than elo1"),
        ([*MATCH, "--sprt", "0,nan"], "elo1 must be a number"),
        ([*MATCH, "--sprt", "0,5", "--alpha", "0.7"], "invalid value for '--alpha'"),
        ([*MATCH, "--cluster", "tcp://x:1"], "give --workers or --cluster, not both"),
        ([*MATCH, "--ledger", "/nonexistent/m.sqlite"], "there is no folder '/nonexistent'"),
        ([*MATCH, "--resign", "51"], "invalid value for '--resign'"),
        ([*MATCH, "--resign", "nan"], "expected a finite number, not nan"),
        ([*MATCH, "--alpha", "0.1"], "--alpha belongs to a sequential test; give --sprt ELO0,ELO1 too"),
        ([*MATCH, "--beta", "0.05"], "--beta belongs to a sequential test"),
        ([*MATCH, "--games", "many"], "'many' is not a valid whole number"),
        ([*MATCH, "--ledger", str(Path(__file__).parent)], "is a folder; name a file in it"),
        ([*MATCH, "--opening-moves", "9"], "no opening of 9 random moves"),
        ([*MATCH, "--openings", "/nonexistent.sgf"], "cannot read '/nonexistent.sgf'"),
        (["tournament", "/nonexistent.toml"], "cannot read '/nonexistent.toml'"),
        (["tournament"], "missing argument 'FILE.toml'"),
        (["results", "/nonexistent.sqlite"], "no ledger '/nonexistent.sqlite'"),
        (["results", __file__], "not a SQLite file"),
    ],
)
def test_bad_input(args: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(args) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines()[-1].startswith("montego: error: ")
    assert message in captured.err.splitlines()[-1]
    assert len(captured.err.splitlines()) <= 2  # one more that the games are not kept


def test_exports_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "m.sqlite")
    assert run([*MATCH, "--games", "2", "--ledger", file]) == 0
    for option in ("--csv", "--sgf"):
        assert run(["results", file, option, "/proc/nowhere/x"]) == 2
        assert "cannot write" in capsys.readouterr().err
