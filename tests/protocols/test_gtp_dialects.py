"""Hex and Y as HexGui speaks, Blokus Duo as Pentobi does, and games that no protocol knows."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from montego.games import GAMES
from montego.loading import load_file
from montego.protocols.gtp.commands import commands_for
from tests.protocols.talk import Talk, parse_replies

CONNECT_FOUR = Path(__file__).parents[2] / "examples" / "connect_four.py"

# ------------------------------------------------------------------------------------------------------------------ Hex


@pytest.mark.both_modes
def test_the_page_promises_maps_that_exist() -> None:
    page = (Path(__file__).parents[2] / "docs" / "protocols.md").read_text(encoding="utf-8")
    promised = re.findall(r"^\| `(montego-[^`]*)` \| ([^:]*): ", page, re.MULTILINE)
    assert len(promised) == 2
    for names, games in promised:
        for dialect in [{"Go": "go", "Hex": "hex", "Y": "hex"}[game] for game in games.split(", ")]:
            assert set(names.split()) <= set(commands_for(dialect))


def test_a_game_of_hex():
    talk = Talk("hex(size=3)")
    for line in ("play black a1", "play white b1", "play black a2", "play white b2"):
        talk.ok(line)
    assert talk.fails("final_score") == "cannot score"
    assert talk.fails("play white b2") == "illegal move"
    talk.ok("play black a3")
    assert talk.ok("final_score") == "B+"
    assert talk.fails("genmove white") == "game is over"
    assert talk.fails("play white c3") == "illegal move"
    talk.ok("undo")
    talk.ok("play white a3")  # out of turn, as GTP allows
    talk.ok("play white c3")
    assert talk.ok("all_legal black") == "c1 c2 b3"


def test_white_connects_left_and_right():
    talk = Talk("hex(size=2)")
    talk.ok("play white a1")
    talk.ok("play white b1")
    assert talk.ok("final_score") == "W+"


def test_swap():
    talk = Talk("hex(size=4, swap=true)")
    talk.ok("play black b3")
    talk.ok("play white swap-pieces")
    assert talk.session.position.to_move == 0
    assert talk.ok("all_legal black").split().count("c2") == 0
    talk.ok("undo")
    talk.ok("play white a1")
    assert talk.fails("play black swap-pieces") == "illegal move"
    strong = Talk("hex(size=4, swap=true)", "uct(playouts=20000, memory=5)")
    strong.ok("play black b3")  # the obtuse middle wins, so it is taken over
    assert strong.ok("genmove white") == "swap-pieces"
    assert Talk("hex(size=4)").fails("play white swap-pieces") == "invalid coordinate"


def test_sizes_of_hex_and_y():
    talk = Talk("hex(size=3)")
    talk.ok("boardsize 4 4")
    talk.ok("boardsize 5")
    assert talk.fails("boardsize 4 5") == "unacceptable size"
    assert talk.fails("boardsize 30") == "unacceptable size"
    y = Talk("y(size=3)")
    y.ok("boardsize 5")
    y.ok("play black a1")
    bent = Talk("y(board=bent)")
    bent.ok("boardsize 9")
    assert bent.fails("boardsize 8") == "unacceptable size"


@pytest.mark.parametrize("game", ["hex(size=3)", "y(size=3)"])
def test_hexgui_analysis(game):
    talk = Talk(game, "uct(playouts=100, rave=silver, memory=1)")
    for line in talk.ok("hexgui-analyze_commands").split("\n"):
        kind, _, command = line.split("/")
        if command == "final_score":
            continue
        words = talk.ok(command.replace("%c", "black")).split()
        assert words
        if kind == "pspairs":
            names = set(talk.session.game.layout().names)
            assert set(words[::2]) <= names
            assert all(abs(int(word)) <= 100 for word in words[1::2])


def test_whole_games_of_hex_and_y():
    for game in ("hex(size=4)", "y(size=4)"):
        talk = Talk(game, "uct(playouts=50, memory=1)", resign_below=0.0)
        for turn in range(16):
            if talk.session.position.over:
                break
            talk.ok(f"genmove {'bw'[turn % 2]}")
        assert talk.ok("final_score") in ("B+", "W+")


def test_records_of_hex(tmp_path):
    talk, file = Talk("hex(size=4)"), tmp_path / "game.sgf"
    for line in ("play b a1", "play w b3", "play w c3"):
        talk.ok(line)
    talk.ok(f"printsgf {file}")
    other = Talk("hex(size=9)")
    assert other.ok(f"loadsgf {file}") == "black"
    assert str(other.session.position) == str(talk.session.position)


# --------------------------------------------------------------------------------------------------------------- Blokus


def test_pentobi_session():
    """The example of Pentobi's documentation, but for the answer of its engine."""
    talk = Talk("blokus_duo")
    talk.ok("set_game Blokus Duo")
    talk.ok("play b e8,d9,e9,f9,e10")
    answer = talk.ok("genmove w")
    assert "j5" in answer.split(",")
    assert "X Purple: 5 squares" in talk.ok("showboard")
    assert talk.fails("set_game Blokus Trigon") == "unsupported game: expected Blokus Duo"
    assert talk.fails("play b a1,a2") == "illegal move"
    assert talk.fails("play b a1,c3") == "invalid coordinate"
    assert talk.fails("play w a1") == "illegal move"  # not White's turn, and Black can move
    assert talk.fails("genmove w") == "not this color's turn"
    assert talk.fails("boardsize 20") == "unacceptable size"
    talk.ok("boardsize 14")
    talk.ok("play blue e8, d9, e9, f9, e10")
    talk.ok("g")
    move = talk.ok("all_legal b").split("\n")[0]
    talk.ok(f"p {move}")
    talk.ok("undo")
    talk.ok("set_random_seed 5")


def test_a_whole_game_of_blokus_to_its_end(tmp_path):
    talk = Talk("blokus_duo", "random")
    for turn in range(60):
        reply = talk.ok(f"genmove {'bw'[turn % 2]}") if talk.session.position.to_move == turn % 2 else "skipped"
        if talk.session.position.over:
            break
        assert reply
    assert talk.ok("genmove b") == "pass"
    talk.ok("play w pass")
    score = talk.ok("final_score")
    assert score == "0" or score[:2] in ("B+", "W+")
    assert {talk.ok("get_place b"), talk.ok("get_place w")} in ({"1", "2"}, {"1 shared"})
    assert talk.fails("get_value") == "no search yet"
    talk.ok(f"printsgf {tmp_path / 'game.blksgf'}")
    other = Talk("blokus_duo")
    other.ok(f"loadsgf {tmp_path / 'game.blksgf'}")
    assert other.ok("final_score") == score


# ------------------------------------------------------------------------------------------------------- other games


def test_a_game_without_a_protocol_of_its_own():
    talk = Talk("tictactoe", "uct(playouts=500, memory=1)")
    assert talk.ok("genmove b")
    assert talk.fails("genmove b") == "not this color's turn"
    talk.ok("clear_board")
    for line in ("play X a1", "play O a2", "play X b1", "play O b2"):
        talk.ok(line)
    assert talk.ok("genmove X") == "c1"
    assert talk.ok("final_score") == "B+1"
    assert talk.fails("komi 5") == "unknown command"
    talk.ok("boardsize 3")
    assert talk.fails("boardsize 4") == "unacceptable size"


@pytest.fixture
def connect_four() -> Iterator[str]:
    """A game in a user's file, forgotten afterwards."""
    load_file(str(CONNECT_FOUR))
    yield "connect_four(width=5, height=4)"
    del GAMES._classes["connect_four"]
    del sys.modules["connect_four"]


def test_a_game_of_a_users_file(connect_four):
    talk = Talk(connect_four, "uct(playouts=300, memory=1)")
    for line in ("play Yellow a", "play red b", "play b a", "play w b", "play yellow a"):
        talk.ok(line)
    assert talk.fails("genmove yellow") == "not this color's turn"
    assert talk.ok("genmove red") == "a"  # the fourth in a row must be prevented
    assert talk.fails("play red c") == "illegal move"  # not its turn, and the game cannot be set up by hand
    assert talk.ok("showboard").count("O") == 3
    talk.ok("undo")
    assert set(talk.ok("all_legal red").split()) == set("abcde")
    report = parse_replies(talk.raw("lz-analyze red 10\n"))[0].text.split("\n")[-1]
    assert re.match(r"info move [a-e] visits \d+ winrate \d+ ", report)
    talk.ok("clear_board")
    assert talk.session.steps == []
    assert talk.fails("final_score") == "cannot score"
