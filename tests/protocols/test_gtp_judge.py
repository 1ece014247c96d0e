"""The engine's opinions, asked for by commands: dead stones, scores, passing and resigning."""

import subprocess

import pytest

from montego.games import Position
from tests.external import require_program
from tests.protocols.talk import Talk

UCT = "uct(playouts=1000, rave=silver, c=0, first_play=1, memory=5)"
# White's stones at B2 and B6 are dead, and so is Black's at F2.
FINISHED = """
    . . . X O . .
    . O . X O . .
    . . . X O . O
    X X X X O O .
    . . . X O . O
    . O . X O X .
    . . . X O . ."""


def put(talk, board, to_move=0, size=7):
    """Set a board up as a controller without set-up commands does: stone by stone."""
    talk.ok(f"boardsize {size}")
    position = Position.from_text(talk.session.game, board, to_move)
    for name, owner in position.setup[0].items():
        talk.ok(f"play {'bw'[owner]} {name}")


def test_dead_stones_and_score():
    talk = Talk("go(size=7, komi=0.5)")
    put(talk, FINISHED)
    assert set(talk.ok("final_status_list dead").split()) == {"B2", "B6", "F2"}
    assert len(talk.ok("final_status_list alive").split()) == (talk.session.position.owners() >= 0).sum() - 3
    assert talk.ok("final_status_list seki") == ""
    assert talk.ok("final_score") == "B+6.5"  # 28 points against 21, komi 0.5


def test_an_open_board_has_no_seki():
    talk = Talk("go(size=9)")
    talk.ok("play b E5")
    assert talk.ok("final_status_list alive") == "E5"
    assert talk.ok("final_status_list seki") == ""


def test_passes_after_a_pass_when_that_wins():
    talk = Talk("go(size=7, komi=0.5)", UCT)
    put(talk, FINISHED.replace(". O . X", ". . . X"))
    talk.ok("play w pass")
    assert talk.ok("genmove b") == "pass"


def test_plays_on_after_a_pass_when_the_board_as_it_stands_is_lost():
    talk = Talk("go(size=7, komi=9.5)", UCT, resign_below=0.0)
    put(talk, FINISHED)
    talk.ok("play w pass")
    move = talk.ok("genmove b")
    assert move != "pass"


def test_games_against_itself_end_with_passes_and_agree_on_the_score():
    talk = Talk("go(size=5, komi=0.5)", "uct(playouts=200, rave=silver, memory=1)", resign_below=0.0)
    for turn in range(120):
        talk.ok(f"genmove {'bw'[turn % 2]}")
        if talk.session.position.over:
            break
    assert talk.session.position.over
    assert talk.ok("final_score")[1] == "+"


def test_cleanup_captures_dead_stones_before_it_passes():
    talk = Talk("go(size=7, komi=0.5)", UCT)
    put(talk, FINISHED)
    for _ in range(40):
        move = talk.ok("kgs-genmove_cleanup b")
        if move == "pass":
            break
        talk.ok("play w pass")
    owners = dict(zip(talk.session.game.layout().names, talk.session.position.owners().tolist()))
    assert owners["B2"] != 1
    assert owners["B6"] != 1
    assert talk.ok("kgs-game_over") == ""


def test_the_engine_resigns_a_lost_game():
    talk = Talk("go(size=7, komi=60.5)", UCT)
    put(talk, FINISHED)
    moves = []
    for _ in range(4):
        moves.append(talk.ok("genmove b"))
        talk.ok("play w pass")
    assert moves[2] == "resign"
    assert Talk("go(size=7)", UCT).ok("reg_genmove b") != "resign"


def gnugo(lines):
    """Return GNU Go's replies to lines."""
    command = [require_program("gnugo"), "--mode", "gtp", "--chinese-rules", "--level", "1", "--seed", "3"]
    done = subprocess.run(command, input="\n".join(lines) + "\nquit\n", capture_output=True, text=True, timeout=200)
    return [reply[1:].strip() for reply in done.stdout.strip().split("\n\n")][: len(lines)]


@pytest.mark.parametrize("opening", [["C3", "G7", "C7"], ["E5", "C3", "G3"], ["D4", "F6", "D6"]])
def test_agrees_with_gnu_go_about_finished_games(opening):
    """Let GNU Go play itself to two passes, dead stones left on the board, and count as it does."""
    start = ["boardsize 9", "komi 7.5", *(f"play {'bw'[k % 2]} {move}" for k, move in enumerate(opening))]
    played = gnugo([*start, *(f"genmove {'wb'[k % 2]}" for k in range(120))])[len(start) :]
    end = next(k for k in range(1, len(played)) if played[k - 1 : k + 1] == ["PASS", "PASS"]) + 1
    lines = [*start, *(f"play {'wb'[k % 2]} {move}" for k, move in enumerate(played[:end]))]
    score, dead = gnugo([*lines, "final_score", "final_status_list dead"])[-2:]
    talk = Talk("go(size=9)")
    for line in lines:
        talk.ok(line)
    assert talk.session.position.over
    assert set(talk.ok("final_status_list dead").split()) == set(dead.split())
    assert float(talk.ok("final_score")[2:]) == float(score[2:])
