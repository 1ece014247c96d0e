"""``montego analyse``: remarks, mistakes, variations, and files that cannot be read."""

import json
from xml.etree import ElementTree

import pytest

import montego as mg
from montego import sgf
from montego.cli.main import run
from montego.protocols.remarks import Review
from montego.protocols.review import mistakes

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
    rows = [line.split() for line in text.splitlines() if line.strip().startswith("5 ")]
    assert rows[0][:4] == ["5", "X", "a2", "won"]
    assert rows[0][-4:] == ["mistake,", "c1", "was", "better"]
    assert rows[1][:6] == ["5", "X", "a2", "0%", "c1", "100%"]
    assert "X's win rate" in text
    assert f"written to {out}" in text
    record = sgf.read(out.read_bytes())
    assert record.moves == sgf.read(blunder.read_bytes()).moves
    before = record.main_line()[4]
    assert before.comment.startswith("Ann thinks\nX to move wins by force (c1).")
    assert "Mistake: after a2 X wins 0 %, after c1 100 %; it costs 100 ± 0 points." in before.comment
    assert [node.text("SBKV") for node in record.main_line()[4:6]] == ["100.00", "0.00"]  # of X, before and after
    assert not before.text("LZ")  # Lizzie knows Go only
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
    remarks = sgf.read(file.read_bytes()).root
    assert f"{position.game.players[0]} to move" in remarks.comment
    assert 0 <= float(remarks.text("SBKV")) <= 100


def test_lizzie_can_read_the_moves(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[5];B[cc])")
    assert run(["analyse", str(file), "--player", "flat(playouts=60)", "--out", str(file), "--seed", "1"]) == 0
    root, after = sgf.read(file.read_bytes()).main_line()
    for node, sbkv_is_movers in ((root, True), (after, False)):
        head, moves = node.text("LZ").split("\n")
        version, rate, playouts = head.split()
        black = float(node.text("SBKV"))
        assert float(rate) == pytest.approx(100 - black if sbkv_is_movers else black, abs=0.06)  # of who has just moved
        assert (version, int(playouts) > 0) == ("0.7", True)
        first = moves.split(" info ")[0].split()
        assert (first[0], first[2], first[4], first[6]) == ("move", "visits", "winrate", "pv")
        assert first[1] == first[7]
        assert int(first[5]) == pytest.approx(100 * (100 - float(rate)), abs=6)


def test_a_collection_and_one_game_of_it(blunder, tmp_path, capsys):
    file, out, page = tmp_path / "two.sgf", tmp_path / "out.sgf", tmp_path / "page.html"
    file.write_text(blunder.read_text() + "\n" + blunder.read_text())
    assert run(["analyse", str(file), *PLAYER, "--out", str(out), "--html", str(page), "--brief"]) == 0
    assert capsys.readouterr().out.count("X Ann against O Bob") == 2
    assert len(sgf.read_all(out.read_bytes())) == 2
    assert page.read_text().count('<section id="game') == 2
    assert run(["analyze", str(file), *PLAYER, "--game", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mistakes"] == [5, 2]  # only b2 answers a1
    assert run(["analyse", str(file), *PLAYER, "--game", "3"]) == 2
    assert "expected a number from 1 to 2, not 3" in capsys.readouterr().err
    assert run(["analyse", str(file), *PLAYER, "--svg", str(tmp_path / "x.svg")]) == 2
    assert "--svg draws one game" in capsys.readouterr().err


def test_the_page_and_the_graph(blunder, tmp_path, capsys):
    page, graph = tmp_path / "page.html", tmp_path / "graph.svg"
    assert run(["analyse", str(blunder), *PLAYER, "--html", str(page), "--svg", str(graph)]) == 0
    drawn = ElementTree.fromstring(graph.read_text())
    kinds = [part.get("class") for part in drawn.iter()]
    assert (kinds.count("curve"), kinds.count("mistake")) == (1, 2)
    text = page.read_text()
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")  # nothing is loaded from elsewhere
    assert "Move 5</a>: X played a2 (×), which wins 0 %; c1 wins 100 %." in text
    data = json.loads(text.split('class="data">')[1].split("</script>")[0])
    assert len(data["positions"]) == 7
    assert data["moves"][4] == "5. a2"
    assert "Mistake" in data["remarks"]["4"]
    assert all("<circle" in element for element in data["elements"])


def test_time_is_shared_out(blunder, capsys):
    """A tight limit is kept roughly; what is found with few visits is not called a mistake."""
    file = blunder.parent / "go.sgf"
    file.write_text("(;SZ[5];B[cc];W[cb];B[bb];W[aa];B[db];W[ee])")
    player = ["--player", "flat(playouts=1000000)", "--seconds", "0.2", "--seed", "1"]
    assert run(["analyse", str(file), *player, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert all(entry["playouts"] < 1000000 for entry in report["positions"])
    for entry in report["positions"]:
        assert not entry["is_mistake"] or entry["loss"] > 2.5 * entry["error"]


def test_a_missed_point_is_named_once_and_few_visits_advise_nothing():
    def made(number, player, best, loss, sure=True):
        return Review(number, player, "A1", best, 0.5, visits=500, loss=loss, error=0.01, is_mistake=sure)

    reviews = [made(1, 0, "C3", 0.1), made(2, 1, "C3", 0.2), made(3, 0, "C3", 0.3), made(5, 0, "D4", 0.9, sure=False)]
    assert [one.number for one in mistakes(reviews)] == [3, 2]
    assert not Review(1, 0, "A1", "C3", 0.9, visits=20).is_founded
    assert Review(1, 0, "A1", "C3", 1.0, visits=1, settled=True).is_founded


def test_turns_that_are_skipped_are_not_judged(tmp_path, capsys):
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[5];B[bb];B[dd];W[bd])")
    assert run(["analyse", str(file), "--player", "flat(playouts=60)", "--json"]) == 0
    judged = [entry["number"] for entry in json.loads(capsys.readouterr().out)["positions"]]
    assert judged == [1, 3, 4]


def test_a_player_without_statistics_says_so(blunder, capsys):
    assert run(["analyse", str(blunder), "--player", "random"]) == 2
    assert capsys.readouterr().err == ("montego: error: random keeps no statistics to analyse with; try uct or flat\n")


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
