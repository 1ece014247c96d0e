"""What others have written is shown without the control characters that a terminal would obey."""

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import montego as mg
from montego.arena.ledger import Ledger
from montego.cli.main import run as montego
from montego.errors import Forfeit
from montego.opponents import Gtp
from montego.outside import printable, printable_line
from montego.rng import stream
from tests.arena.conftest import record  # noqa: F401 (a fixture)
from tests.faults.test_ledger_damage import SETTINGS

EVIL = "\x1b]0;owned\x07\x1b[31mred\x9b2J\x00\x08\u202eback"
ENGINE = Path(__file__).with_name("hostile_engine.py")


def is_safe(text):
    return not any((ord(letter) < 32 and letter not in "\n\t") or 127 <= ord(letter) < 160 for letter in text)


def test_printable():
    assert printable(EVIL) == "]0;owned[31mred2Jback"
    assert printable("one\ttwo\nthree – ½ 囲碁 é") == "one\ttwo\nthree – ½ 囲碁 é"
    assert printable("\ud800") == "\ufffd"
    assert printable_line(f"a\nb\r\n{EVIL}\tc") == "a b ]0;owned[31mred2Jback c"
    for code in range(0x3000):
        assert is_safe(printable(chr(code)))


def test_names_and_warnings_of_a_record(tmp_path, capsys):
    file = tmp_path / "game.sgf"
    text = mg.write_sgf(mg.game("tictactoe").start().play("a1"), players=(EVIL, "B"), result=EVIL)
    file.write_text(text[: text.rindex(")")] + f"(;W[b2])(;W[{EVIL.replace(']', '')}]))", encoding="utf-8")
    assert montego(["analyse", str(file), "--player", "flat(playouts=9)", "--seed", "1"]) == 0
    shown = capsys.readouterr().out
    assert "owned" in shown
    assert is_safe(shown)


def test_names_and_forfeits_of_a_ledger(tmp_path, capsys, record):  # noqa: F811
    file = tmp_path / "match.sqlite"
    with Ledger(file) as ledger:
        ledger.begin(SETTINGS | {"names": [EVIL, "b"], "game": f"tictactoe{EVIL}"}, 2, EVIL, "now")
        ledger.record([replace(record(number), reason=f"forfeit: X: {EVIL}", detail=EVIL) for number in (0, 1)])
    for options in ([], ["--markdown"]):
        assert montego(["results", str(file), *options]) == 0
        shown = capsys.readouterr().out
        assert "owned" in shown
        assert is_safe(shown)
    assert montego(["results", str(file), "--json"]) == 0
    assert EVIL in json.loads(capsys.readouterr().out)["names"], "programs get what is there, escaped by JSON"


def test_messages_about_bad_input(tmp_path, capsys):
    file = tmp_path / "game.sgf"
    file.write_text(f"(;GM[{EVIL}])", encoding="utf-8")
    for words in (
        ["analyse", str(file)],
        ["perft", "--game", f"go({EVIL}", "--depth", "1"],
        ["results", f"x{EVIL}"[:5]],
    ):
        assert montego(words) == 2
        assert is_safe(capsys.readouterr().err)


def test_replies_of_an_engine(capsys):
    command = shlex.join([sys.executable, str(ENGINE), "escapes"])
    search = Gtp(command).search(mg.Go(size=9))
    with pytest.raises(Forfeit) as caught:
        search.run(mg.Go(size=9).start(), stream(1))
    search.close()
    assert is_safe(printable_line(str(caught.value)))
    words = ["match", "--game", "go(size=5)", "--player", f'gtp("{command}")', "--player", "random", "--games", "2"]
    assert montego([*words, "--workers", "0"]) == 2
    captured = capsys.readouterr()
    assert "owned" in captured.err
    assert is_safe(captured.out)
    assert is_safe(captured.err)
