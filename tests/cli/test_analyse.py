"""``montego analyse``: remarks, mistakes, variations, and files that cannot be read."""

import json

import pytest

import montego as mg
from montego import sgf
from montego.cli.main import run

PLAYER = ["--player", "uct(playouts=300)", "--seed", "1"]


@pytest.fixture
def blunder(tmp_path):
    """A game of tic-tac-toe in which X does not take the win at move 5 and O takes its own at move 6."""
    position = mg.game("tictactoe").start()
    for move in ["a1", "a3", "b1", "b3", "a2", "c3"]:
        position.play(move)
    file = tmp_path / "game.sgf"
    file.write_text(sgf.write(position, players=("Ann", "Bob"), comments={4: "Ann thinks"}))
    return file


def test_the_blunder_is_found(blunder, capsys):
    assert run(["analyse", str(blunder), *PLAYER, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["game"] == "tictactoe"
    assert report["mistakes"][0] == 5
    positions = {entry["number"]: entry for entry in report["positions"]}
    assert sorted(positions) == [1, 2, 3, 4, 5, 6]  # nothing to choose after the end
    assert positions[5]["best"] == "c1"
    assert positions[5]["after_best"] == 1
    assert positions[5]["after_played"] < 0.1
    assert positions[5]["loss"] == pytest.approx(1 - positions[5]["after_played"])
    assert positions[6]["loss"] == 0
    assert positions[5]["line"] == ["c1"]


def test_the_same_seed_gives_the_same_report(blunder, capsys):
    outputs = []
    for _ in range(2):
        assert run(["analyse", str(blunder), *PLAYER, "--json"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


def test_remarks_and_variations_are_written(blunder, tmp_path, capsys):
    out = tmp_path / "out.sgf"
    assert run(["analyse", str(blunder), *PLAYER, "--out", str(out), "--mistakes", "1"]) == 0
    text = capsys.readouterr().out
    assert "X Ann against O Bob, 6 moves, W+" in text
    assert [line.split()[:4] for line in text.splitlines() if line.strip().startswith("5 ")] == [["5", "X", "a2", "c1"]]
    assert f"written to {out}" in text
    record = sgf.read(out.read_bytes())
    assert record.moves == sgf.read(blunder.read_bytes()).moves
    before = record.main_line()[4]
    assert before.comment.startswith("Ann thinks\nMontego: X to move wins ")
    assert "played: a2, loses" in before.comment
    assert [child.move for child in before.children] == ["a2", "c1"]
    assert before.children[1].position.over


@pytest.mark.parametrize("spec", ["go(size=5)", "hex(size=4, swap=true)", "blokus_duo", "y(size=4)"])
def test_every_game_can_be_analysed(spec, tmp_path, capsys):
    position = mg.game(spec).start()
    for _ in range(3):
        position.play(position.legal_moves()[-1])
    file = tmp_path / "game.sgf"
    file.write_text(sgf.write(position))
    assert run(["analyse", str(file), "--player", "flat(playouts=60)", "--out", str(file), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["positions"]) == 4
    assert "Montego: " in sgf.read(file.read_bytes()).root.comment


def test_turns_that_are_skipped_are_not_judged(tmp_path, capsys):
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[5];B[bb];B[dd];W[bd])")
    assert run(["analyse", str(file), "--player", "flat(playouts=60)", "--json"]) == 0
    judged = [entry["number"] for entry in json.loads(capsys.readouterr().out)["positions"]]
    assert judged == [1, 3, 4]


def test_a_player_without_statistics_says_so(blunder, capsys):
    assert run(["analyse", str(blunder), "--player", "random"]) == 0
    assert "keeps no statistics" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "cannot read"),
        ("a letter", "no SGF found"),
        ("(;SZ[9];B[aa];W[aa])", "move 2 (W[aa]): illegal move A9"),
        ("(;SZ[9];B[aa]", "cut off or damaged after move 1"),
    ],
)
def test_bad_files(content, complaint, tmp_path, capsys):
    file = tmp_path / "bad.sgf"
    if content is not None:
        file.write_text(content)
    assert run(["analyse", str(file)]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1


def test_out_that_cannot_be_written(blunder, capsys):
    assert run(["analyse", str(blunder), *PLAYER, "--out", str(blunder / "x")]) == 2
    assert "cannot write" in capsys.readouterr().err
