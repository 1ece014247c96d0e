"""Input that nobody should send: one line says what is wrong, at once, and everything goes on."""

import json
import os
import select
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import montego as mg
from montego import sgf
from montego.arena.compete import even
from montego.arena.openings import Openings
from montego.arena.schedule import Contest
from montego.cli.main import run as montego
from montego.errors import MontegoError, SgfError, SpecError
from montego.language import parse
from montego.learning.records import RecordError, parse_games
from montego.protocols.gtp.inbox import LONGEST_LINE, Inbox, OverlongLine
from tests.protocols.talk import Talk

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(mg.__file__).parents[1]), "NUMBA_DISABLE_JIT": "1"}


def refused(capsys, *words):
    """Run a command that must be refused in one line; return the line."""
    assert montego([str(word) for word in words]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("montego: error: ")
    assert captured.err.count("\n") == 1
    assert len(captured.err) < 1000
    return captured.err


# --------------------------------------------------------------------------------------------------------------- specs


@pytest.mark.parametrize("name", ["kind", "self", "cls", "args", "kwargs", "owner", "value"])
def test_a_parameter_that_has_the_name_of_one_of_ours(name, capsys, tmp_path):
    """``go(kind=1)`` was a TypeError, as a spec, in SGF and as a key of a tournament."""
    with pytest.raises(SpecError, match=f"unknown parameter '{name}'"):
        mg.game(f"go({name}=1)")
    with pytest.raises(SgfError, match=f"unknown parameter '{name}'"):
        sgf.read(f"(;GM[y]MONTEGO[y({name}=1)])")
    with pytest.raises(SpecError, match=f"unknown parameter '{name}'"):
        mg.game("go").with_rules(**{name: 1})
    with pytest.raises(SpecError, match=f"unknown parameter '{name}'"):
        mg.Uct()._replace(**{name: 1})
    file = tmp_path / "t.toml"
    file.write_text(
        f'game = "tictactoe"\ngames = 2\n[[players]]\nspec = "random"\n[[players]]\nspec = "uct"\n{name} = 1\n'
    )
    assert f"unknown parameter '{name}'" in refused(capsys, "tournament", file)


@pytest.mark.parametrize(
    "spec",
    [
        "uct(playouts=" + "9" * 20 + ")",
        "uct(playouts=" + "9" * 299 + ")",
        "uct(playouts=1e300)",
        "uct(survey=1e30)",
        "higher_order(playouts=1" + "0" * 40 + ")",
        "depth(i=99999999999999999999)",
        "uct(" + "x" * 100_000 + "=1)",
        "uct(c=" + "9" * 5000 + ")",
    ],
    ids=range(8),
)
def test_numbers_beyond_everything(spec):
    with pytest.raises(SpecError) as caught:
        mg.PLAYERS.build(spec)
    assert "\n" not in str(caught.value)


def test_numbers_from_python_beyond_everything():
    for value in (10**400, -(10**400), 10**5000):
        with pytest.raises(SpecError):
            mg.Uct(c=value)
        with pytest.raises(SpecError):
            mg.Uct(playouts=value)


def test_specs_inside_one_another_have_an_end():
    """Every level of a nested policy is a type of its own, and compiled."""
    for depth in (25, 1000):
        with pytest.raises(SpecError, match="nested more than 24 deep"):
            mg.PLAYERS.build("uct(playout=" + "cut(policy=" * depth + "uniform" + ")" * (depth + 1))


# ----------------------------------------------------------------------------------------------------------------- SGF


@pytest.mark.parametrize("value", ["inf", "nan", "-inf", "1e999", "1_0", "9" * 5000, "٣"])
@pytest.mark.parametrize("name", ["HA", "KM"])
def test_numbers_in_sgf(name, value):
    with pytest.raises(SgfError, match=rf"{name}\[.*\] is not a number"):
        sgf.read(f"(;GM[1]SZ[9]{name}[{value}];B[aa])")


@pytest.mark.parametrize(
    "name",
    ["undefined", "punycode", "unicode_escape", "rot13", "base64", "zlib", "hex", "utf-16", "utf_32", "x"],
)
def test_encodings_that_are_none(name):
    with pytest.raises(SgfError, match="is not an encoding known here"):
        sgf.read(f"(;CA[{name}]GM[1]SZ[9];B[aa])".encode())


def test_encodings_that_are_some():
    for name in ("utf-8", "latin-1", "cp1252", "shift_jis", "gb2312", "euc_kr", "big5", "koi8-r", "ascii"):
        assert sgf.read(f"(;CA[{name}]GM[1]SZ[9];B[aa])".encode()).moves == ["A9"]
    assert sgf.read("(;GM[1]SZ[9];B[aa])".encode("utf-16")).moves == ["A9"]


def test_a_property_without_a_name_is_refused():
    """``;b[x]`` was read as a property without a name and written back as ``;[x]``."""
    for text in ("(;GM[1]SZ[9];b[aa])", "(;GM[1]SZ[9]x[y];B[aa])", "(;GM[1]SZ[9](;B[aa])(;b[bb]))"):
        with pytest.raises(SgfError, match="a name without capital letters"):
            sgf.read(text)
    assert sgf.read("(;GaMe[1]SiZe[9];Black[aa])").moves == ["A9"]


def calls(action):
    """Count the calls of Python functions."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "form",
    [
        lambda n: "(;GM[tictactoe]" + "(;B[a1])" * n + ")",
        lambda n: "(;GM[tictactoe]" + "(;C[a]" * n + ")" * n + ")",
        lambda n: "(;GM[tictactoe]" + ";C[a]" * n + ")",
        lambda n: "(;GM[tictactoe]" + "(;C[x]" * n + "(;C[y]))" * n + ")",
        lambda n: "(;GM[tictactoe](;B[a1])" + "(;B[zz])" * n + ")",
    ],
    ids=["flat", "nested", "long", "comb", "illegal"],
)
def test_the_work_for_variations_is_linear(form):
    sgf.read(form(2))
    few, many = (calls(lambda n=n: sgf.read(form(n)).dumps()) for n in (150, 600))
    assert many < 5 * few


def test_a_number_with_a_letter_behind_is_refused_in_linear_time():
    # Found by fuzzing. Of quadratic work this would be half an hour.
    with pytest.raises(SpecError, match="expected a name"):
        parse("9" * 10**6 + "x")


@pytest.mark.parametrize("text", [b"(;SZ[" + b"9" * 5000 + b"])", b"(;BR[" + b"9" * 5000 + b"k]SZ[9];B[aa])"])
def test_records_for_learning_with_thousands_of_digits(text):
    try:
        assert parse_games(text)[0].stronger() == (1, 2)
    except RecordError as problem:
        assert "is not a board" in str(problem)  # noqa: PT017


# ----------------------------------------------------------------------------------------------------- the command line


@pytest.mark.parametrize(
    "words",
    [
        ["match", "--game", "tictactoe", "--player", "random", "--player", "random", "--games", 10**20],
        ["match", "--game", "tictactoe", "--player", "random", "--player", "random", "--max-moves", 10**20],
        ["match", "--game", "tictactoe", "--player", "random", "--player", "random", "--opening-moves", 10**20],
        ["match", "--game", "tictactoe", "--player", "random", "--player", "random", "--seed", 10**60],
        ["match", "--game", "tictactoe", "--player", "random", "--player", "random", "--games", "9" * 5000],
        ["perft", "--game", "tictactoe", "--depth", 10**20],
        ["perft", "--game", "tictactoe", "--depth", 1001],
        ["analyse", "/dev/zero"],
        ["analyse", "/dev/full"],
        ["results", "/dev/zero"],
        ["tournament", "/dev/zero"],
    ],
    ids=lambda words: f"{words[0]} {str(words[-2])[-20:]} {str(words[-1])[:12]}",
)
def test_options_beyond_everything(words, capsys):
    refused(capsys, *words)


@pytest.mark.parametrize(
    "line",
    [
        "games = 1" + "0" * 20,
        "max_moves = 1" + "0" * 20,
        "seed = 1" + "0" * 50,
        "games = " + "9" * 5000,
        "a = " + "[" * 5000,
    ],
)
def test_tournaments_beyond_everything(line, tmp_path, capsys):
    file = tmp_path / "t.toml"
    rest = {"games": "games = 2", "game": 'game = "tictactoe"'}
    rest.pop(line.partition(" ")[0], None)
    file.write_text("\n".join([*rest.values(), line, '[[players]]\nspec = "random"\n[[players]]\nspec = "flat"\n']))
    refused(capsys, "tournament", file)


def test_matches_from_python_beyond_everything():
    with pytest.raises(MontegoError, match="at most"):
        even(10**20)
    for change in ({"max_moves": 10**20}, {"seed": 10**60}, {"seed": -1}):
        with pytest.raises(MontegoError, match="expected a whole number from 0"):
            Contest(
                **{
                    "game": "tictactoe",
                    "players": ("random", "flat"),
                    "pairings": ((0, 1),),
                    "seed": 1,
                    "openings": Openings(),
                }
                | change
            )


MATCH = ["match", "--game", "tictactoe", "--player", "random", "--player", "random", "--games", "2", "--workers", "0"]


def spoken(words, **streams):
    line = [sys.executable, "-m", "montego.cli", *words]
    return subprocess.run(
        line, env=ENVIRONMENT | streams.pop("env", {}), stderr=subprocess.PIPE, check=False, **streams
    )


def test_standard_output_that_is_full():
    with Path("/dev/full").open("w") as full:
        done = spoken(MATCH, stdout=full)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[-1] == (
        "montego: error: cannot write to standard output: No space left on device"
    )
    assert b"Traceback" not in done.stderr


def test_standard_output_that_is_closed(tmp_path):
    ledger = tmp_path / "match.sqlite"
    code = "import os, sys; os.close(1); os.execv(sys.executable, [sys.executable, '-m', 'montego.cli', *sys.argv[1:]])"
    done = subprocess.run(
        [sys.executable, "-c", code, *MATCH, "--ledger", str(ledger)], env=ENVIRONMENT, capture_output=True, check=False
    )
    assert b"Traceback" not in done.stderr
    assert json.loads(spoken(["results", str(ledger), "--json"], stdout=subprocess.PIPE).stdout)["games"] == 2


def test_standard_output_that_cannot_say_everything():
    """An en dash stopped the result of a match."""
    done = spoken(MATCH, stdout=subprocess.PIPE, env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert b"of 2 games" in done.stdout


def test_memory_that_is_not_there(capsys, monkeypatch):
    def no_memory(*args, **kwargs):
        raise MemoryError

    monkeypatch.setattr("montego.games.tools.perft.perft", no_memory)
    assert "not enough memory" in refused(capsys, "perft", "--game", "tictactoe", "--depth", 2)


# ---------------------------------------------------------------------------------------------------------------- GTP


def test_vertices_with_thousands_of_digits_are_just_wrong():
    talk = Talk("go(size=5)")
    for word in ("A" + "1" * 5000, "A" + "0" * 5000 + "1", "1" * 5000, "A1" * 5000):
        assert talk.fails(f"play b {word}") == "invalid coordinate"


def test_a_seed_of_ten_digits_is_a_seed():
    talk = Talk("go(size=5)")
    talk.ok("set_random_seed 1073741823")
    assert talk.mind.seed == 1073741823
    talk.ok("set_random_seed 999999999999999999")
    for word in ("-1", "9" * 19, "9" * 5000, "1.5", "٣"):
        assert talk.fails(f"set_random_seed {word}") == "syntax error"


def test_records_are_read_from_and_written_to_plain_files_only(tmp_path):
    talk = Talk("go(size=5)")
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path in (fifo, "/dev/zero", "/dev/full", "/dev/stdin", tmp_path):
        assert talk.fails(f"loadsgf {path}") == "cannot load file"
        assert talk.fails(f"printsgf {path}") == "cannot write file"
    talk.ok("play b A1")
    talk.ok(f"printsgf {tmp_path / 'game.sgf'}")
    talk.ok("clear_board")
    assert talk.ok(f"loadsgf {tmp_path / 'game.sgf'}") == "white"


def test_a_line_that_is_too_long_is_refused_at_once_and_forgotten():
    """Before its end has come, and without keeping it."""
    reading, writing = os.pipe()
    inbox = Inbox()
    threading.Thread(target=inbox.read, args=(reading,), daemon=True).start()
    os.write(writing, b"7 play b ")
    for _ in range(3):
        os.write(writing, b"x" * LONGEST_LINE)
    first = inbox.take()
    assert isinstance(first, OverlongLine)
    os.write(writing, b"x" * LONGEST_LINE + b"\n8 name\n")
    assert inbox.take() == "8 name"
    os.close(writing)
    assert inbox.take() is None
    talk = Talk("go(size=5)")
    talk.server.handle(first)
    assert "".join(talk.written) == "?7 line too long\n\n"


def test_the_end_of_a_controller_ends_a_search(tmp_path):
    """Both pipes are closed in the middle of a search of ten minutes: nobody waits for its move."""
    line = [
        sys.executable,
        "-m",
        "montego.cli",
        "gtp",
        "--game",
        "hex(size=3)",
        "--player",
        "uct(playouts=0, seconds=600, memory=1, solver=false)",
    ]
    engine = subprocess.Popen(
        line, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        engine.stdin.write(b"name\ngenmove b\n")
        engine.stdin.flush()
        assert engine.stdout.readline() == b"= Montego\n"
        time.sleep(0.5)
        engine.stdin.close()
        time.sleep(0.5)
        assert engine.poll() is None, "the reply may still be waited for"
        engine.stdout.close()
        engine.wait(timeout=60)
    finally:
        engine.kill()
        engine.stderr.close()
        engine.wait()


def test_a_pipe_says_that_nobody_reads():
    reading, writing = os.pipe()
    poll = select.poll()
    poll.register(writing, 0)
    assert poll.poll(0) == []
    os.close(reading)
    assert poll.poll(0) != []
    os.close(writing)
