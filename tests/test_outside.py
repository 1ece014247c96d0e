"""Files that are written: nothing is replaced that nobody meant to replace."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from montego.cli.main import run
from montego.errors import MontegoError
from montego.outside import check_outputs, write_file


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    file = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE games (number INTEGER)")
    return file


def test_a_ledger_is_never_replaced(ledger: Path) -> None:
    before = ledger.read_bytes()
    for refuse in (lambda: write_file(ledger, "page"), lambda: check_outputs([ledger])):
        with pytest.raises(MontegoError, match=r"cannot write '.*a.sqlite': it is a SQLite file, such as a ledger"):
            refuse()
    assert ledger.read_bytes() == before


def test_outputs_are_neither_inputs_nor_each_other(tmp_path: Path) -> None:
    game = tmp_path / "game.sgf"
    game.write_text("(;)", encoding="utf-8")
    (tmp_path / "link").symlink_to(game)
    check_outputs([tmp_path / "new", None, tmp_path / "other"], [game, None, ""])
    with pytest.raises(MontegoError, match="it is read too; name another file"):
        check_outputs([tmp_path / "link"], [game])
    with pytest.raises(MontegoError, match="it is written already; name another file"):
        check_outputs([tmp_path / "new", str(tmp_path / "new")])
    with pytest.raises(MontegoError, match="it is a folder"):
        check_outputs([tmp_path])


@pytest.mark.parametrize(
    "command",
    [
        "train sb WEIGHTS --out WEIGHTS",
        "train mm WEIGHTS --game go(7) --out WEIGHTS",
        "train mm FOLDER --game go(7) --out FILE",
        "train positions --game tictactoe --out KEPT",
        "results LEDGER --csv LEDGER",
        "tune --game tictactoe --player uct --parameter c --ledger FILE --plot FILE",
        "report FOLDER --out LEDGER",
        "report FOLDER --out FOLDER/table.json",
        "analyse FILE --svg FILE",
        "analyse FILE --game 1 --out FILE",
        "analyse FILE --html NEW --svg NEW",
        "analyse FILE --out LEDGER",
    ],
)
def test_commands_refuse_such_outputs(
    command: str, ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "b.svg"
    file.write_text("(;GM[1]SZ[5];B[aa])", encoding="utf-8")
    weights, kept = tmp_path / "w.npz", tmp_path / "k.npz"
    weights.write_text("(;GM[1]SZ[5];B[aa])", encoding="utf-8")
    kept.write_bytes(ledger.read_bytes())
    names = {"FILE": file, "LEDGER": ledger, "NEW": tmp_path / "new.svg", "FOLDER": tmp_path}
    names |= {"WEIGHTS": weights, "KEPT": kept}
    before = [path.read_bytes() for path in sorted(tmp_path.iterdir())]
    for name, path in names.items():
        command = command.replace(name, str(path))
    assert run(command.split()) == 2
    assert capsys.readouterr().err.startswith("montego: error: cannot write")
    assert [path.read_bytes() for path in sorted(tmp_path.iterdir())] == before
