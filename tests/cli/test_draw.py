"""``montego draw``: positions, games and analyses as pictures."""

import sys
from xml.etree import ElementTree

import pytest

import montego as mg
from montego import sgf
from montego.cli.main import run

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def record(tmp_path):
    position = mg.game("tictactoe").start()
    for move in ["a1", "b2", "c3"]:
        position.play(move)
    file = tmp_path / "game.sgf"
    file.write_text(sgf.write(position))
    return file


def drawn(capsys):
    return ElementTree.fromstring(capsys.readouterr().out)


def kinds(picture):
    return [part.get("class") for part in picture.iter()]


def words(picture):
    return [part.text for part in picture.iter(f"{SVG}text")]


def test_a_position_from_moves(capsys):
    assert run(["draw", "--game", "tictactoe", "--moves", "a1 b2"]) == 0
    assert kinds(drawn(capsys)).count("stone0") == 1
    assert run(["draw", "--game", "blokus_duo", "--moves", "X e10; j5"]) == 0
    assert kinds(drawn(capsys)).count("stone0") == 5


def test_a_record(record, capsys):
    assert run(["draw", str(record)]) == 0
    assert kinds(drawn(capsys)).count("stone0") == 2
    assert run(["draw", str(record), "--at", "1"]) == 0
    assert kinds(drawn(capsys)).count("stone0") == 1
    assert run(["draw", str(record), "--numbers"]) == 0
    picture = drawn(capsys)
    assert words(picture)[-3:] == ["1", "2", "3"]
    assert "last" not in kinds(picture)  # the number says it


def test_an_analysis(capsys):
    command = ["draw", "--game", "tictactoe", "--moves", "a1 b2", "--seed", "1", "--player", "flat(playouts=300)"]
    assert run([*command, "--heat", "value"]) == 0
    picture = drawn(capsys)
    assert kinds(picture).count("heat") == 7
    assert "win rate after the move" in words(picture)
    assert run([*command, "--heat", "prior"]) == 2
    assert "keeps no prior" in capsys.readouterr().err


def test_png(record, tmp_path):
    pytest.importorskip("resvg_py")
    for width in (None, 300):
        file = tmp_path / "board.png"
        assert run(["draw", str(record), "--out", str(file), *(["--width", str(width)] if width else [])]) == 0
        content = file.read_bytes()
        assert content.startswith(b"\x89PNG")
        assert width is None or int.from_bytes(content[16:20]) == width


def test_png_without_its_library(record, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert run(["draw", str(record), "--out", str(tmp_path / "board.png")]) == 2
    assert "need resvg, which is not installed: pip install 'montego[png]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["--game", "tictactoe", "--out", "board.gif"], "expected a name that ends in .svg or .png"),
        (["--game", "tictactoe", "--at", "3"], "the game has 0 moves"),
        (["--game", "tictactoe", "--moves", "a1 a1"], "illegal move a1 for O: a1 is taken"),
        (["--game", "tictactoe", "--moves", "a1", "--numbers", "--heat", "value"], "give one of them"),
        (["--game", "tictactoe", "--moves", "a1 b1 a2 b2 a3", "--heat", "value"], "the game is over (X+1)"),
        (["nowhere.sgf"], "cannot read 'nowhere.sgf'"),
        (["--game", "tictactoe", "--out", "/nonexistent/x.svg"], "cannot write '/nonexistent/x.svg'"),
    ],
)
def test_bad_input(args, complaint, capsys):
    assert run(["draw", *args]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
