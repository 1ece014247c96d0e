"""The engine against the GTP 2 specification: every command, wrong arguments, ids, comments, odd sequences."""

import pytest

from montego import __version__
from montego.protocols.gtp.lines import Command, format_reply, parse_line
from tests.protocols.talk import Talk, parse_replies

STANDARD = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "showboard",
    "time_settings",
    "time_left",
    "final_score",
    "final_status_list",
    "fixed_handicap",
    "place_free_handicap",
    "set_free_handicap",
    "loadsgf",
    "printsgf",
    "reg_genmove",
    "cputime",
]

# ------------------------------------------------------------------------------------------------------------- grammar


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("name", Command("name", [])),
        ("12 play b C3", Command("play", ["b", "C3"], "12")),
        ("\tplay\tb\t C3 \r\n", Command("play", ["b", "C3"])),
        ("na\x00me\x7f # a comment # another", Command("name", [])),
        ("7 # nothing but a number", Command("", [], "7")),
        ("-1 name", Command("-1", ["name"])),
        ("", None),
        ("   \r\n", None),
        ("# all comment", None),
    ],
)
def test_lines(line, command):
    assert parse_line(line) == command


@pytest.mark.both_modes
def test_replies():
    assert format_reply("", "3") == "=3 \n\n"
    assert format_reply("illegal move", ok=False) == "? illegal move\n\n"
    assert format_reply("\na\n\n b \n\n\n") == "= \na\n b\n\n"  # two newlines would end the reply
    assert format_reply("a\x00\x1bb") == "= ab\n\n"


@pytest.mark.both_modes
def test_ids_comments_blank_lines_and_carriage_returns():
    talk = Talk()
    output = talk.raw("\n1 name\r\n\r\n# comment\n\n2\tplay b C3 # here\n003 play b C3\nversion\n   \n")
    assert [(r.ok, r.id, r.text) for r in parse_replies(output)] == [
        (True, "1", "Montego"),
        (True, "2", ""),
        (False, "003", "illegal move"),
        (True, "", __version__),
    ]


# ------------------------------------------------------------------------------------------------------- administration


def test_administration():
    talk = Talk()
    assert talk.ok("protocol_version") == "2"
    assert talk.ok("name") == "Montego"
    assert talk.ok("version") == __version__
    assert set(STANDARD) <= set(talk.ok("list_commands").split("\n"))
    assert [talk.ok(f"known_command {name}") for name in STANDARD] == ["true"] * len(STANDARD)
    assert talk.ok("known_command xyzzy") == "false"
    assert float(talk.ok("cputime")) > 0
    assert talk.fails("xyzzy") == "unknown command"
    assert talk.fails("PLAY b C3") == "unknown command"  # names of commands are as they are
    assert talk.fails("17") == "unknown command"


def test_every_listed_command_is_performed_and_none_is_missing():
    for game in ("go(size=5)", "hex(size=3)", "y(size=3)", "tictactoe"):
        talk = Talk(game)
        for name in sorted(talk.ok("list_commands").split("\n"), key="quit".__eq__):
            reply = talk.ask(name)
            assert reply.text not in ("unknown command", "internal error"), (game, name, talk.logged)


def test_quit_answers_and_ends():
    talk = Talk()
    assert parse_replies(talk.raw("5 quit\n6 name"))[0].id == "5"
    assert talk.written == ["=5 \n\n"]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("name x", "syntax error"),
        ("known_command", "syntax error"),
        ("boardsize", "syntax error"),
        ("boardsize x", "syntax error"),
        ("boardsize 5.5", "syntax error"),
        ("boardsize 1", "unacceptable size"),
        ("boardsize 0", "unacceptable size"),
        ("boardsize 26", "unacceptable size"),
        ("boardsize -3", "unacceptable size"),
        ("komi", "syntax error"),
        ("komi x", "syntax error"),
        ("komi nan", "syntax error"),
        ("komi inf", "syntax error"),
        ("komi 1e9", "unacceptable komi"),
        ("play", "syntax error"),
        ("play b", "syntax error"),
        ("play b C3 D4", "syntax error"),
        ("play x C3", "invalid color"),
        ("play b Z9", "invalid coordinate"),
        ("play b A0", "invalid coordinate"),
        ("play b I3", "invalid coordinate"),
        ("play b A٣", "invalid coordinate"),
        ("play b resign", "invalid coordinate"),
        ("genmove", "syntax error"),
        ("genmove x", "invalid color"),
        ("reg_genmove b w", "syntax error"),
        ("undo", "cannot undo"),
        ("undo 2", "syntax error"),
        ("gg-undo 1", "cannot undo"),
        ("time_settings 1 2", "syntax error"),
        ("time_settings 1 2 x", "syntax error"),
        ("time_settings -1 2 3", "syntax error"),
        ("time_left b 1", "syntax error"),
        ("time_left x 1 2", "invalid color"),
        ("final_status_list", "syntax error"),
        ("final_status_list sleeping", "syntax error"),
        ("fixed_handicap", "syntax error"),
        ("fixed_handicap 2", "invalid number of stones"),  # on 5×5
        ("place_free_handicap 1", "invalid number of stones"),
        ("set_free_handicap", "bad vertex list"),
        ("set_free_handicap A1", "bad vertex list"),
        ("set_free_handicap A1 A1", "bad vertex list"),
        ("set_free_handicap A1 pass", "bad vertex list"),
        ("set_free_handicap A1 Z9", "bad vertex list"),
        ("loadsgf", "syntax error"),
        ("loadsgf /no/such/file", "cannot load file"),
        ("loadsgf /no/such/file x", "syntax error"),
        ("kgs-rules japanese", "unsupported rules: expected one of chinese, aga, new_zealand"),
        ("kgs-time_settings byoyomi 1 2", "syntax error"),
        ("kgs-time_settings hourglass 1", "syntax error"),
        ("gogui-play_sequence b C3 w", "syntax error"),
        ("gogui-play_sequence b C3 w C3", "illegal move"),
        ("lz-analyze b x", "syntax error"),
        ("lz-analyze b 10 interval", "syntax error"),
        ("lz-analyze b 10 avoid b C3", "syntax error"),
        ("lz-analyze b 10 avoid b Q16 3", "invalid coordinate"),
        ("set_random_seed x", "syntax error"),
        ("set_random_seed -1", "syntax error"),
    ],
)
def test_errors(line, error):
    assert Talk().fails(line) == error


# ------------------------------------------------------------------------------------------------------------- the game


def test_colours_and_points_in_either_case():
    talk = Talk()
    for line in ("play black a1", "play WHITE B1", "play B c1", "play w D1"):
        talk.ok(line)
    assert talk.session.history == ["A1", "B1", "C1", "D1"]


@pytest.mark.both_modes
def test_two_moves_of_one_colour_and_undo_of_just_the_last():
    talk = Talk()
    for line in ("play b A1", "play b B2", "play b C3", "play w D4", "play w E5"):
        talk.ok(line)
    board = talk.ok("showboard")
    assert board.count("X") == 3
    assert board.replace("(O)", " O ").count("O") == 2
    talk.ok("undo")
    assert "E5" not in {talk.session.game.move_name(step.move) for step in talk.session.steps}
    assert talk.session.position.to_move == 0  # as after White's D4
    for _ in range(4):
        talk.ok("undo")
    assert not talk.session.position.stones()
    assert talk.fails("undo") == "cannot undo"


@pytest.mark.both_modes
def test_ko_and_superko_outlive_moves_out_of_turn():
    talk = Talk("go(size=4)")
    # A ko at B3/C3: Black takes at C3, White may not retake at once.
    for line in (
        "play b B4",
        "play w C4",
        "play b A3",
        "play w D3",
        "play b B2",
        "play w C2",
        "play w B3",
        "play b C3",
    ):
        talk.ok(line)
    assert talk.fails("play w B3") == "illegal move"
    talk.ok("play b D1")  # out of turn: White's ban was for the next move, but the board would be as before
    talk.ok("undo")
    assert talk.fails("play w B3") == "illegal move"
    talk.ok("play b pass")  # out of turn, the board is the same: superko forbids what ko no longer does
    assert talk.fails("play w B3") == "illegal move"


@pytest.mark.both_modes
def test_suicide_is_illegal_unless_the_rules_allow_it():
    talk = Talk("go(size=3)")
    for line in ("play w A1", "play b A2", "play b B2", "play b C1"):
        talk.ok(line)
    assert talk.fails("play w B1") == "illegal move"
    talk.ok("kgs-rules new_zealand")
    talk.ok("play w B1")
    assert talk.session.position.owners().tolist().count(1) == 0


def test_genmove_for_either_side_and_after_the_end():
    talk = Talk(player="random")
    assert talk.ok("genmove w") != "pass"
    assert talk.ok("genmove w") != "pass"
    assert len(talk.session.steps) == 2
    talk.ok("play b pass")
    talk.ok("play w pass")
    assert talk.session.position.over
    assert talk.ok("genmove b") == "pass"
    talk.ok("play b A1") if "A1" in talk.ok("all_legal b") else talk.ok("play b pass")  # the game may be taken up again
    assert not talk.session.position.over


@pytest.mark.both_modes
def test_two_passes_of_one_colour_do_not_end_the_game():
    talk = Talk()
    for _ in range(4):
        talk.ok("play b pass")
    assert not talk.session.position.over
    talk.ok("play w pass")
    assert talk.session.position.over
    for _ in range(5):
        talk.ok("undo")
    assert talk.fails("undo") == "cannot undo"


def test_reg_genmove_leaves_the_board_and_repeats_itself():
    talk = Talk()
    moves = {talk.ok("reg_genmove b") for _ in range(3)}
    assert len(moves) == 1
    assert not talk.session.position.stones()


@pytest.mark.both_modes
def test_boardsize_in_mid_game_clears_and_rectangles_are_boards():
    talk = Talk()
    talk.ok("play b C3")
    talk.ok("boardsize 7")
    assert not talk.session.position.stones()
    assert str(talk.session.game) == "go(size=7)"
    talk.ok("boardsize 5 3")
    talk.ok("play b E3")
    assert talk.fails("play w A4") == "invalid coordinate"
    talk.ok("rectangular_boardsize 3 5")
    talk.ok("play b A5")
    assert talk.fails("rectangular_boardsize 3") == "syntax error"


def test_clear_board_keeps_size_and_komi():
    talk = Talk()
    talk.ok("komi 0.5")
    talk.ok("play b C3")
    talk.ok("clear_board")
    assert str(talk.session.game) == "go(size=5, komi=0.5)"
    assert not talk.session.position.stones()


def test_komi_in_mid_game_counts():
    talk = Talk(player="random")
    for line in ("play b C3", "play w pass", "play b pass"):
        talk.ok(line)
    assert talk.ok("final_score") == "B+17.5"
    talk.ok("komi -3")
    assert talk.ok("final_score") == "B+28"
    talk.ok("komi 25")
    assert talk.ok("final_score") == "0"
    assert talk.ok("get_komi") == "25"
    talk.ok("undo")
    talk.ok("genmove b")


# ------------------------------------------------------------------------------------------------------------- handicap


def test_fixed_handicap_as_the_specification_has_it():
    talk = Talk("go(size=9)")
    assert set(talk.ok("fixed_handicap 5").split()) == {"C3", "G7", "C7", "G3", "E5"}
    assert talk.fails("fixed_handicap 2") == "board not empty"
    assert talk.session.position.to_move == 1
    assert talk.fails("undo") == "cannot undo"
    talk.ok("clear_board")
    assert talk.fails("fixed_handicap 10") == "invalid number of stones"
    talk.ok("boardsize 8")
    assert len(talk.ok("fixed_handicap 4").split()) == 4
    talk.ok("clear_board")
    assert talk.fails("fixed_handicap 5") == "invalid number of stones"


@pytest.mark.both_modes
def test_free_handicap():
    talk = Talk("go(size=9)")
    assert len(set(talk.ok("place_free_handicap 9").split())) == 9
    talk.ok("clear_board")
    assert len(set(talk.ok("place_free_handicap 14").split())) == 14
    talk.ok("boardsize 3")
    assert 2 <= len(talk.ok("place_free_handicap 100").split()) <= 4
    talk.ok("boardsize 9")
    talk.ok("set_free_handicap A1 J9 E5")
    assert talk.fails("set_free_handicap B1 B2") == "board not empty"
    talk.ok("genmove w")
    talk.ok("play w B2")
    assert "HA[3]" in talk.ok("printsgf")


def test_a_game_with_handicap_from_the_start():
    talk = Talk("go(size=9, handicap=2)")
    assert talk.session.position.to_move == 1
    talk.ok("play b E5")  # out of turn
    talk.ok("genmove w")
    talk.ok("clear_board")
    assert not talk.session.position.stones()


# ----------------------------------------------------------------------------------------------------------------- SGF


def test_records_there_and_back(tmp_path):
    talk, file = Talk(), tmp_path / "game.sgf"
    for line in ("play b C3", "play b D4", "play w pass", "play w A1"):
        talk.ok(line)
    assert ";B[cc];B[db];W[];W[ae]" in talk.ok("printsgf").replace("\n", "")
    talk.ok(f"printsgf {file}")
    other = Talk("go(size=9)")
    assert other.ok(f"loadsgf {file}") == "black"
    assert str(other.session.position) == str(talk.session.position)
    assert other.ok(f"loadsgf {file} 3") in ("black", "white")
    assert other.session.position.owners().tolist().count(0) == 2
    assert len(other.session.steps) == 2
    other.ok("undo")
    assert other.ok(f"loadsgf {file} 99") == "black"
    assert other.fails(f"loadsgf {file} 0") == "syntax error"
    assert other.fails(f"printsgf {tmp_path}").startswith("cannot write file")


@pytest.mark.both_modes
def test_records_with_set_up_and_handicap(tmp_path):
    file = tmp_path / "set-up.sgf"
    file.write_text("(;GM[1]FF[4]SZ[9]HA[2]AB[cg][gc]KM[0.5];W[ee];B[aa];AW[ii]AE[aa];B[bb])")
    talk = Talk()
    assert talk.ok(f"loadsgf {file}") == "white"
    assert str(talk.session.game) == "go(komi=0.5)"  # with the engine's own rules, as the record names none
    owners = dict(zip(talk.session.game.layout().names, talk.session.position.owners().tolist()))
    assert {name: owner for name, owner in owners.items() if owner >= 0} == {
        "C3": 0, "G7": 0, "E5": 1, "J1": 1, "B8": 0,
    }  # fmt: skip
    talk.ok("genmove w")
    file.write_text("(;GM[1]SZ[9];B[aa];W[aa])")
    assert talk.fails(f"loadsgf {file}") == "cannot load file"
    file.write_text("(;GM[11]SZ[9];B[a1])")
    assert talk.fails(f"loadsgf {file}") == "cannot load file"
    file.write_bytes(b"\x00\xff garbage")
    assert talk.fails(f"loadsgf {file}") == "cannot load file"


# ------------------------------------------------------------------------------------------------------------- GoGui


def test_gogui_commands():
    talk = Talk(player="uct(playouts=200, rave=silver, memory=1)")
    types = {line.split("/")[0] for line in talk.ok("gogui-analyze_commands").split("\n")}
    assert types <= {"dboard", "cboard", "sboard", "var", "gfx", "plist", "string"}
    for line in talk.ok("gogui-analyze_commands").split("\n"):
        kind, _, command = line.split("/")
        text = talk.ok(command.replace("%c", "b"))
        if kind in ("dboard", "cboard", "sboard"):
            rows = [row.split() for row in text.strip().split("\n")]
            assert [len(row) for row in rows] == [5] * 5
            if kind == "dboard":
                assert all(-1 <= float(cell) <= 1 for row in rows for cell in row)
    talk.ok("gogui-play_sequence b C3 w C4 b D4")
    assert talk.fails("gogui-play_sequence b A1 w A2 b C3") == "illegal move"
    assert len(talk.session.steps) == 3
    talk.ok("gg-undo 3")
    assert not talk.session.position.stones()
    assert talk.ok("gogui-interrupt") == ""
