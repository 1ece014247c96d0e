"""Game records: round trips of random games of every game, what other programs write, and files that are broken."""

import random

import pytest
from hypothesis import given, settings, strategies as st
from sgfmill import sgf as sgfmill_sgf

import montego as mg
from montego import sgf
from montego.games import GAMES, Position
from montego.sgf import SgfError

SPECS = {
    "blokus_duo": ["blokus_duo", "blokus_duo(starts=free)"],
    "go": [
        *[
            "go(size=2)",
            "go(size=9)",
            "go(size=19, handicap=5, komi=0.5)",
            "go(size=25, superko=false)",
            "go(size=5, height=9)",
        ],
        *["go(size=7, suicide=true)", "go(size=7, superko=false)", "go(size=7, suicide=true, superko=false, komi=-3)"],
    ],
    "hex": ["hex(size=1)", "hex(size=5)", "hex(size=25)", "hex(size=4, swap=true)"],
    "tictactoe": ["tictactoe"],
    "y": ["y(size=6)", "y(board=bent)"],
}
ALL = [spec for specs in SPECS.values() for spec in specs]
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=20)


def play_randomly(game, seed, most):
    """Play up to ``most`` random moves; seldom a pass, so that Go goes on."""
    chance = random.Random(seed)
    position = game.start()
    for _ in range(most):
        if position.over:
            break
        moves = [int(move) for move in position.legal_numbers()]
        passes = {move for move in moves[:1] + moves[-1:] if game.move_name(move) == "pass"}
        others = moves if chance.random() < 0.1 else [move for move in moves if move not in passes]
        position.play(chance.choice(others or moves))
    return position


def test_every_game_is_tried():
    built_in = {name for name in GAMES.names() if GAMES[name].__module__.startswith("montego.")}
    assert built_in <= set(SPECS), "add specs of the new game to SPECS"


@settings(max_examples=60, deadline=None)
@given(
    spec=st.sampled_from(ALL),
    seed=st.integers(0, 2**32),
    most=st.integers(0, 90),
    players=st.tuples(TEXTS, TEXTS),
    comment=TEXTS,
)
def test_round_trip(spec, seed, most, players, comment):
    game = mg.game(spec)
    position = play_randomly(game, seed, most)
    text = sgf.write(position, players=players, comments={0: comment, len(position.moves): comment})
    record = sgf.read(text)
    assert type(record.game) is type(game)
    assert record.game == game
    assert record.position.moves == position.moves
    assert record.position == position
    assert record.position.setup == position.setup
    assert [p.moves for p in record.positions if game.spec_name != "blokus_duo"] == [
        position.moves[:n] for n in range(len(position.moves) + 1) if game.spec_name != "blokus_duo"
    ]
    squeezed = [" ".join(name.split()) for name in players]
    assert [" ".join(name.split()) for name in record.players] == squeezed
    assert record.root.comment.split() == comment.split()
    assert record.winner == position.winner
    assert sgf.read(text.encode()).dumps() == record.dumps() == text
    assert not record.warnings


@pytest.mark.parametrize("spec", ["go(size=9)", "hex(size=6)", "y(size=6)"])
@pytest.mark.parametrize("seed", range(5))
def test_round_trip_of_set_up_stones(spec, seed):
    played = play_randomly(mg.game(spec), seed, 12)
    stones = {name: int(o) for name, o in zip(played.game.layout().names, played.owners(), strict=True) if o >= 0}
    position = Position(played.game, stones, seed % 2)
    position.play(position.legal_moves()[-1])
    record = sgf.read(sgf.write(position))
    assert record.position == position
    assert record.position.setup == position.setup
    assert record.start.to_move == seed % 2


@pytest.mark.parametrize("seed", range(10))
def test_sgfmill_reads_what_we_write(seed):
    """An independent reader of Go files agrees with us about the players, the komi, the moves and the final board."""
    position = play_randomly(mg.game("go(size=9, komi=6.5)"), seed, 60)
    theirs = sgfmill_sgf.Sgf_game.from_string(sgf.write(position, players=("Ann", "Bob"), result="B+R"))
    assert theirs.get_size() == 9
    assert theirs.get_komi() == 6.5
    assert theirs.get_winner() == "b"
    assert theirs.get_player_name("w") == "Bob"
    moves = [node.get_move() for node in theirs.get_main_sequence()][1:]
    assert [colour for colour, _ in moves] == ["bw"[turn % 2] for turn in range(len(position.moves))]
    names = ["pass" if point is None else f"{'ABCDEFGHJ'[point[1]]}{point[0] + 1}" for _, point in moves]
    assert names == position.history


# -------------------------------------------------------------------------------------------------- what others write


def test_go_as_servers_write_it():
    record = sgf.read(
        b"(;GM[1]FF[4]CA[UTF-8]SZ[19]PB[Lumi\xc3\xa8re]PW[w]KM[6.50]RU[Japanese]RE[W+Time]DT[2017-11-13]"
        b";B[pd]BL[599.2];W[dp]C[w: hi\\] [9k\\]];B[];W[tt])"
    )
    assert record.game == mg.Go(size=19, komi=6.5, superko=False)
    assert record.players == ("Lumière", "w")
    assert (record.result, record.winner) == ("W+Time", 1)
    assert record.moves == ["Q16", "D4", "pass", "pass"]
    assert record.main_line()[2].comment == "w: hi] [9k]"
    assert record.position.over


def test_variations_markup_and_private_properties_are_kept():
    text = "(;FF[4]GM[1]SZ[5](;B[cc](;LB[aa:1\\:2]W[bb])(;N[other]W[dd];B[bb]))(;B[aa]KGSDE[x]))"
    record = sgf.read(text)
    assert record.moves == ["C3", "B4"]
    assert [node.move for node in record.nodes() if node.move] == ["C3", "B4", "D2", "B4", "A5"]
    assert len(record.root.children) == 2
    assert record.root.children[1].position.history == ["A5"]
    assert "".join(record.dumps().split()) == text


def test_a_bad_variation_is_left_out_with_a_warning():
    record = sgf.read("(;SZ[5];B[cc](;W[bb])(;W[cc];B[dd]))")
    assert record.moves == ["C3", "B4"]
    assert record.warnings == ["a variation ends at move 2 (W[cc]): illegal move C3 for White: C3 is taken"]


@pytest.mark.parametrize(
    ("text", "handicap", "komi"),
    [
        ("(;SZ[19]HA[2]KM[0.5]AB[pd][dp];W[dd])", 2, 0.5),
        ("(;SZ[19]HA[2]KM[0.5]AB[pd][dp]PL[W];W[dd])", 2, 0.5),
        ("(;SZ[19]HA[2];W[dd])", 2, 0.5),  # old files leave the stones out
        ("(;SZ[19]HA[2]AB[cc][dd];W[pp])", 0, 0.5),  # free placement
        ("(;SZ[19]HA[2];B[pd];B[dp];W[dd])", 0, 0.5),  # placed by moves
    ],
)
def test_handicap(text, handicap, komi):
    record = sgf.read(text)
    assert record.game.handicap == handicap
    assert record.game.komi == komi
    assert sorted(record.position.owners()).count(0) == 2
    assert sorted(record.position.owners()).count(1) == 1
    assert record.position.to_move == 0


def test_set_up_in_the_middle():
    record = sgf.read("(;SZ[9]AB[aa:bb]AW[ii];W[ee];AE[aa][ee]AW[dd]PL[W];W[cc])")
    owners = dict(zip(record.game.layout().names, record.position.owners(), strict=True))
    assert {name: int(owner) for name, owner in owners.items() if owner >= 0} == {
        "B9": 0,
        "A8": 0,
        "B8": 0,
        "J1": 1,
        "D6": 1,
        "C7": 1,
    }
    assert record.start.to_move == 1


def test_play_that_goes_on_after_two_passes():
    record = sgf.read("(;SZ[9];B[ee];W[];B[];W[aa];B[];W[];B[])")
    assert record.moves == ["E5", "pass", "pass", "A9", "pass", "pass", "pass"]
    assert record.position.over
    assert (record.position.owners() >= 0).sum() == 2


def test_hex_as_the_standard_has_it():
    record = sgf.read("(;AP[HexGui:0.2]FF[4]GM[11]SZ[11]PL[B];B[a3];W[swap-pieces];B[F6];W[resign])")
    assert record.game == mg.Hex(size=11, swap=True)
    assert record.moves == ["a3", "swap-pieces", "f6"]
    assert record.winner == 0
    owners = dict(zip(record.game.layout().names, record.position.owners(), strict=True))
    assert {name: int(owner) for name, owner in owners.items() if owner >= 0} == {"c1": 1, "f6": 0}


def test_hex_where_players_change_seats():
    record = sgf.read("(;FF[4]GM[11]SZ[5];B[a3];W[swap-sides];W[c3])")
    owners = dict(zip(record.game.layout().names, record.position.owners(), strict=True))
    assert {name: int(owner) for name, owner in owners.items() if owner >= 0} == {"a3": 0, "c3": 1}


def test_hex_from_little_golem():
    """W moves first there, although PB and RE[B] mean the first player; here the second one resigns."""
    record = sgf.read("(;FF[4]PB[Ann]PW[Bob]SZ[13]RE[B]SO[https://www.littlegolem.net];W[am];B[swap];W[de];B[resign])")
    assert record.game == mg.Hex(size=13, swap=True)
    assert record.moves == ["a13", "swap-pieces", "d5"]
    assert record.players[record.winner] == "Ann"


def test_blokus_as_pentobi_writes_it():
    text = "(;GM[Blokus Duo]CA[UTF-8]AP[Pentobi:19.0]\n;B[f9,e10,f10,g10,f11]\n;W[i4,h5,i5,j5,i6])\n"
    record = sgf.read(text)
    assert record.game == mg.BlokusDuo()
    assert record.moves == ["f9,e10,f10,g10,f11", "i4,h5,i5,j5,i6"]


def test_passes_of_blokus_are_not_written():
    game = mg.BlokusDuo()
    position = next(p for p in (play_randomly(game, seed, 60) for seed in range(50)) if "pass" in p.history)
    text = sgf.write(position)
    assert "pass" not in text
    assert "[]" not in text
    assert sgf.read(text).position.moves == position.moves


def test_a_collection():
    records = sgf.read_all("(;SZ[5];B[aa])\n(;GM[11]SZ[3];B[a1])")
    assert [str(record.game) for record in records] == ["go(size=5, superko=false)", "hex(size=3)"]
    with pytest.raises(SgfError, match=r"game 2: move 1 \(B\[zz\]\)"):
        sgf.read_all("(;SZ[5];B[aa])(;SZ[5];B[zz])")


def test_rules_given_by_the_caller():
    game = mg.Go(size=5, komi=0.5)
    assert sgf.read("(;SZ[5]KM[6];B[aa])", game).position.game == game
    with pytest.raises(SgfError, match="not of go"):
        sgf.read("(;SZ[9];B[aa])", game)


# ------------------------------------------------------------------------------------------------- writing with remarks


def test_comments_and_variations_are_written():
    position = mg.game("hex(size=4)").start().play("a1").play("b2")
    text = sgf.write(position, comments=["start", "one"], variations={1: [["c3", "d4"]]}, info={"EV": "Cup"})
    record = sgf.read(text)
    assert record.root.text("EV") == "Cup"
    assert [node.comment for node in record.main_line()] == ["start", "one", ""]
    first = record.root.children[0]
    assert [child.move for child in first.children] == ["b2", "c3"]
    assert first.children[1].children[0].move == "d4"
    with pytest.raises(SgfError, match="no position after 9 moves"):
        sgf.write(position, comments={9: "x"})


@pytest.mark.parametrize(("margin", "moves"), [("B+8", "E5 pass pass"), ("W+1", "pass pass")])
def test_the_result_of_a_finished_game(margin, moves):
    position = mg.Go(size=3, komi=1).start()
    for move in moves.replace("E5", "B2").split():
        position.play(move)
    assert sgf.read(sgf.write(position)).result == margin


# --------------------------------------------------------------------------------------------------------- broken files


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("", "no SGF found"),
        ("a game of chess", "no SGF found"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "no SGF found"),
        ("(;GM[1]SZ[9];B[aa];W[bb];B[c", "cut off or damaged after move 3"),
        ("(;GM[1]SZ[9];B[aa];W[bb]", "cut off or damaged after move 2"),
        ("(;GM[1]SZ[9];B[aa];W)", "not SGF after move 2"),
        ("(;SZ[nine])", r"SZ\[nine\] is not a board size"),
        ("(;SZ[0])", "size must be"),
        ("(;SZ[52];B[aa])", "size must be a whole number from 1 to 25, not 52"),
        ("(;GM[11]SZ[5:7])", "square"),
        ("(;GM[3])", r"GM\[3\] is not a game known here"),
        ("(;SZ[9]KM[much])", r"KM\[much\] is not a number"),
        ("(;SZ[9];B[aa];W[aa])", r"move 2 \(W\[aa\]\): illegal move A9 for White"),
        ("(;SZ[9];B[aa];W[zz])", r"move 2 \(W\[zz\]\): \[zz\] is not a point of a 9×9 board"),
        ("(;SZ[9];B[a])", r"move 1 \(B\[a\]\)"),
        ("(;SZ[9];B[aa]W[bb])", "both B and W move in one node"),
        ("(;SZ[9]AB[cc:aa])", "not a rectangle"),
        ("(;SZ[3]AB[aa][ba][ca][ab][bb][cb][ac][bc][cc])", "no liberty"),
        ("(;GM[11]SZ[1];B[a1];W[a1])", r"move 2 \(W\[a1\]\): the game is over"),
        ("(;GM[11];B[a3];W[l1])", r"move 2 \(W\[l1\]\): no move 'l1'"),
        ("(;GM[Blokus Duo];B[a1,b2])", r"move 1 \(B\[a1,b2\]\)"),
        ("(;GM[Blokus Duo]AB[a1,b1])", "no positions set up by hand"),
        ("(;GM[y]MONTEGO[y(size=99)])", "size must be"),
        ("(;GM[tictactoe];B[b2];B[a1])", "move 2"),
        (b"(;CA[UTF-8]PB[\xff])", "not in UTF-8 as it says: byte 14"),
        (b"(;CA[KLINGON]SZ[9])", r"CA\[KLINGON\] is not an encoding"),
    ],
)
def test_a_broken_file_is_one_clear_line(source, complaint):
    with pytest.raises(SgfError, match=complaint) as caught:
        sgf.read(source)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("(;CA[GB18030]PB[柯洁];B[aa])".encode("gb18030"), "柯洁"),
        ("(;CA[Shift_JIS]PB[表示];B[aa])".encode("shift_jis"), "表示"),  # 表 ends in the byte of a backslash
        ("(;PB[Müller];B[aa])".encode("latin-1"), "Müller"),
        ("(;PB[Müller];B[aa])".encode(), "Müller"),
        ("(;PB[Müller];B[aa])".encode("utf-16"), "Müller"),
        (b"\xef\xbb\xbf(;PB[x];B[aa])", "x"),
    ],
)
def test_encodings(source, name):
    assert sgf.read(source).players[0] == name


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damage_never_surprises(data):
    """Any change of a few characters gives a record or an ``SgfError``."""
    text = list(sgf.write(play_randomly(mg.game(data.draw(st.sampled_from(ALL[:9] + ["hex(size=5)"]))), 1, 8)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at] = data.draw(st.sampled_from([*"()[];:\\BWAEPL19azt ", "", "é"]))
    try:
        sgf.read("".join(text))
    except SgfError as problem:
        assert "\n" not in str(problem)  # noqa: PT017 (either outcome is right)
