"""``montego check``: what is right passes, and each kind of mistake is found, named and placed."""

import json
from pathlib import Path
from typing import Any

import pytest

import montego.games.tictactoe
from montego.cli import check as command
from montego.cli.check import first_difference
from montego.cli.main import run

pytestmark = pytest.mark.compiled

EXAMPLE = Path(__file__).parents[2] / "examples" / "connect_four.py"
POLICY = EXAMPLE.with_name("local_policy.py")


def write_game(folder: Path, right: str, wrong: str) -> Path:
    """Write tic-tac-toe to a file of a user's own, with one mistake."""
    source = Path(montego.games.tictactoe.__file__).read_text(encoding="utf-8")
    assert right in source
    source = source.replace('name="tictactoe"', 'name="noughts"').replace(
        "import implements,", "import INTERPRETED, implements,"
    )
    file = folder / "noughts.py"
    file.write_text(source.replace(right, wrong, 1), encoding="utf-8")
    return file


def results(capfd: pytest.CaptureFixture[str], *args: str, code: int) -> list[dict[str, Any]]:
    """Run the command and return its results as data."""
    assert run(["check", *args, "--json"]) == code
    report = json.loads(capfd.readouterr().out)
    assert report["ok"] == (code == 0)
    entries: list[dict[str, Any]] = report["results"]
    return entries


def test_a_game_without_mistakes_passes(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(EXAMPLE), "--game", "connect_four(width=4, height=3)"]) == 0
    *lines, last = capfd.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["interpreted", "compiled", "both"]
    assert all(" ok " in line for line in lines)
    assert "10 checks, 3 random games each" in lines[0]
    assert last.startswith("Not checked: whether the rules are those of the real game")


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        ("state.moves += 1", "state.movez += 1", "has no attribute 'movez'"),
        (
            "state.squares[index(state.moves % 2)] |=",
            "state.squares[index(state.moves)] |=",
            "index 2 is out of bounds",
        ),
        ("state.moves += 1", "state.moves += one", "NameError: name 'one' is not defined"),
        ("state.moves += 1", "state.moves += np.uint8(200) + np.uint8(100)", "overflow"),
        ("@implements(score, TicTacToe)\n", "", "TicTacToe has no score(): write one under @implements(score"),
        ("for move in range(9):", "for move in range(8):", "is_legal and legal_moves disagree about [8]"),
        ("return np.uint64(state.squares[0] |", "return np.uint64(0 * state.squares[0] |", "not changed the hash"),
    ],
)
def test_mistakes_are_found_before_compiling(
    right: str, wrong: str, reason: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = write_game(tmp_path, right, wrong)
    entry, skipped = results(capfd, str(file), code=1)
    assert (entry["mode"], entry["subject"], entry["status"]) == ("interpreted", "noughts", "failed")
    assert reason in entry["detail"]
    assert (skipped["mode"], skipped["status"]) == ("compiled", "skipped")
    if entry["file"]:
        assert entry["file"] == str(file)
        assert entry["source"] in file.read_text(encoding="utf-8").splitlines()[entry["line"] - 1]
        assert wrong in entry["source"] or entry["source"] in wrong or "squares" in entry["source"]


def test_what_cannot_be_compiled_is_said_with_its_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = write_game(tmp_path, "state.moves += 1", 'state.moves += len(f"{move / 20:.0f}")')
    assert run(["check", str(file)]) == 1
    interpreted, compiled, place, _ = capfd.readouterr().out.splitlines()
    assert " ok " in interpreted
    assert "FAILED" in compiled
    assert "f-string" in compiled
    assert place.strip().startswith(f"{file}:")
    assert place.endswith('state.moves += len(f"{move / 20:.0f}")')


def test_a_crash_of_compiled_code_is_reported(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    wrong = "if not INTERPRETED:\n        state.squares[index(move + (1 << 40))] = 1\n    state.moves += 1"
    file = write_game(tmp_path, "state.moves += 1", wrong)
    _, entry = results(capfd, str(file), code=1)
    assert (entry["mode"], entry["subject"], entry["status"]) == ("compiled", "noughts", "crashed")
    assert "compiled code crashed (SIGSEGV): most likely an index out of range" in entry["detail"]


def test_a_difference_between_the_modes_is_found(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    right = "return -1.0 if has_line(state.squares[1]) else 0.0"
    file = write_game(tmp_path, right, "return -1.0 if has_line(state.squares[1]) else 0.5 * INTERPRETED")
    entry = results(capfd, str(file), code=1)[-1]
    assert (entry["mode"], entry["status"]) == ("both", "failed")
    assert entry["detail"] == "score differs after 0 moves ([]): interpreted 0.5, compiled 0.0"


@pytest.mark.slow
def test_an_endless_loop_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "_STALL_SECONDS", 30.0)
    file = write_game(tmp_path, "state.moves += 1", "while state.moves < 99:\n        state.squares[0] ^= 1")
    interpreted, compiled = results(capfd, str(file), "--seconds", "1", code=1)
    assert interpreted["status"] == "stopped"
    assert "state.squares[0] ^= 1" in interpreted["source"] or "while" in interpreted["source"]
    assert compiled["status"] == "crashed"
    assert "an endless loop" in compiled["detail"]


PLAYER = """
from typing import NamedTuple
from montego.players import PLAYERS
from montego.search import Analysis


class First(NamedTuple):
    "The first legal move."

    def search(self, game):
        return FirstSearch(game)


class FirstSearch:
    def __init__(self, game):
        self.game = game

    def run(self, position, rng, limits):
        number = int(position.legal_numbers()[0])
        return Analysis(self.game.move_name(number), number)


PLAYERS.add("first", First)
"""


def test_a_player_is_tried(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "first_player.py"
    file.write_text(PLAYER, encoding="utf-8")
    entries = results(capfd, str(file), code=0)
    assert [(entry["mode"], entry["subject"]) for entry in entries] == [
        (mode, "first on tictactoe") for mode in ("interpreted", "compiled", "both")
    ]
    file.write_text(PLAYER.replace("legal_numbers()[0])", "legal_numbers()[0] - 1)"), encoding="utf-8")
    entry = results(capfd, str(file), "--game", "tictactoe", code=1)[0]
    assert "move -1 is not legal after []" in entry["detail"]


@pytest.mark.slow
def test_a_policy_is_tried(capfd: pytest.CaptureFixture[str]) -> None:
    entries = results(capfd, str(POLICY), "--game", "hex(size=3)", code=0)
    assert [(entry["mode"], entry["subject"], entry["status"]) for entry in entries] == [
        (mode, "local on hex(size=3)", "ok") for mode in ("interpreted", "compiled", "both")
    ]


def test_a_policy_that_refuses_the_game_is_skipped(capfd: pytest.CaptureFixture[str]) -> None:
    for entry in results(capfd, str(POLICY), "--game", "go(size=5)", code=0):
        assert (entry["subject"], entry["status"]) == ("local on go(size=5)", "skipped")
        assert "local needs a game whose moves are the points of its board" in entry["detail"]
        assert entry["detail"].endswith("choose another game with --game")


def test_a_file_that_cannot_be_loaded_is_placed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "raising.py"
    file.write_text("import montego\n\nx = 1 / 0\n", encoding="utf-8")
    (entry,) = results(capfd, str(file), code=1)
    assert entry["detail"] == "ZeroDivisionError: division by zero"
    assert (entry["file"], entry["line"], entry["source"]) == (str(file), 3, "x = 1 / 0")


@pytest.mark.parametrize(
    ("content", "args", "message"),
    [
        (None, [], "expected an existing Python file"),
        ("import montego", [], "registers no game, playout policy or player"),
        ("import montego", ["--game", "nonsense"], "unknown game 'nonsense'"),
        ("import montego", ["--seconds", "0"], "--seconds"),
    ],
)
def test_bad_usage(
    content: str | None, args: list[str], message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "nothing_here.py"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    assert run(["check", str(file), *args]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert message in captured.err


def test_the_first_difference_is_named() -> None:
    def record(**changes: Any) -> dict[str, Any]:
        step = {"key": 1, "legal": ["a", "b"], "score": 0.0, "owners": [0]}
        return {"moves": [3, 4], "steps": [step, {**step, **changes}], "playout": {"trace": [1, 2, 3], "score": 1.0}}

    assert first_difference(record(), record()) == ""
    assert first_difference(record(), record(legal=["a"])).startswith("legal_moves differs after 1 move ([3])")
    assert first_difference(record(), record(key=2)).startswith("state_hash differs after 1 move")
    shorter = {**record(), "playout": {"trace": [1, 2], "score": 1.0}}
    assert first_difference(record(), shorter) == (
        "the random playouts part at move 3: interpreted 3, compiled the end"
    )
    other = {**record(), "playout": {"trace": [1, 2, 3], "score": 0.0}}
    assert "end differently" in first_difference(record(), other)
    assert first_difference(["a", "b"], ["a", "c"]) == "the games part at move 2: interpreted b, compiled c"
