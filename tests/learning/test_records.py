"""Reading game records: the fast way and the grammar's agree, files of every kind, and what is refused."""

import gzip
import lzma

import pytest

from montego.learning.records import PASS, RecordError, parse_games, rank_value, read_games

GAME = b"(;GM[1]FF[4]SZ[9]PB[a b]BR[3d]WR[5k]KM[5.5]RE[B+R];B[ee];W[cg];B[];W[ia])"


def as_lists(game):
    return game._replace(colours=game.colours.tolist(), places=game.places.tolist())


def test_a_plain_game():
    (game,) = parse_games(GAME)
    assert (game.width, game.height) == (9, 9)
    assert game.colours.tolist() == [1, 2, 1, 2]
    assert game.places.tolist() == [4 * 9 + 4, 6 * 9 + 2, PASS, 8]
    assert game.ranks == ("3d", "5k")
    assert (game.result, game.komi) == ("B+R", 5.5)
    assert game.stones == ()


@pytest.mark.parametrize(
    "text",
    [
        GAME.replace(b";W[cg]", b";W[cg]C[not ;B[aa\\] here]"),
        GAME.replace(b";W[cg]", b"\n;W[cg]BL[10]"),
        GAME.replace(b";W[cg];B[];W[ia])", b"(;W[cg];B[];W[ia])(;W[aa];B[bb]))"),
        GAME.replace(b"B[]", b"B[tt]"),
        GAME.replace(b"KM[5.5]", b"KM[5.5]C[a \\] b]"),
        b"  " + GAME + b"\r\n",
    ],
)
def test_other_ways_to_write_the_same_game(text):
    assert as_lists(parse_games(text)[0]) == as_lists(parse_games(GAME)[0])


def test_the_fast_way_and_the_grammar_agree():
    """A space before the first node sends a record through the grammar."""
    for text in (GAME, b"(;SZ[13:9];W[ma];B[aa])", b"(;GM[1])", b"(;;B[aa];W[bb])"):
        assert as_lists(parse_games(text)[0]) == as_lists(parse_games(b"( " + text[1:])[0])


def test_stones_set_up_first_belong_to_the_game_and_later_ones_end_it():
    (game,) = parse_games(b"(;SZ[5]HA[2]AB[ab][dd]AW[cc:dc];W[aa];B[ba];AB[ee];W[ea])")
    assert game.stones == ((1, 5), (1, 18), (2, 12), (2, 13))
    assert game.places.tolist() == [0, 1]
    assert game.colours.tolist() == [2, 1]


def test_a_collection_holds_several_games():
    assert len(parse_games(GAME + b"\n" + GAME)) == 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"(;GM[11]SZ[9];B[aa])", r"GM\[11\] is not Go"),
        (b"(;SZ[9];B[aa];W[ja])", "move 2 is not on the board of 9×9"),
        (b"(;SZ[1];B[aa])", "is not a board"),
        (b"(;SZ[x];B[aa])", "is not a board"),
        (b"(;SZ[9];B[a])", "not two letters|is not a move"),
        (b"(;SZ[9];B[abc]KO[])", "is not a move"),
        (b"(;SZ[9]AB[zz];B[aa])", "not on the board"),
        (b"hello", "not SGF"),
        (b"(;SZ[9];B[aa]", "not SGF"),
    ],
)
def test_what_is_wrong_with_a_record_is_said_in_one_line(text, problem):
    with pytest.raises(RecordError, match=problem) as error:
        parse_games(text)
    assert "\n" not in str(error.value)


def test_files_of_every_kind_and_folders(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.sgf").write_bytes(b"(;SZ[9]\n;B[aa]\n;W[bb])\n(;SZ[9];B[cc])")
    (tmp_path / "b.sgfs").write_bytes(GAME + b"\n\n" + GAME + b"\n")
    (tmp_path / "c.sgfs.xz").write_bytes(lzma.compress(GAME + b"\n"))
    (tmp_path / "sub" / "d.sgf.gz").write_bytes(gzip.compress(GAME))
    (tmp_path / "readme.txt").write_text("no game")
    assert [len(game.places) for game in read_games(tmp_path)] == [2, 1, 4, 4, 4, 4]
    assert len(list(read_games(tmp_path / "c.sgfs.xz"))) == 1


def test_a_bad_line_is_named_or_noted(tmp_path):
    path = tmp_path / "games.sgfs"
    path.write_bytes(GAME + b"\nrubbish\n" + GAME)
    with pytest.raises(RecordError, match=r"games\.sgfs, line 2: not SGF"):
        list(read_games(path))
    problems: list[str] = []
    assert len(list(read_games(path, problems))) == 2
    assert len(problems) == 1


def test_missing_and_damaged_files(tmp_path):
    with pytest.raises(RecordError, match="no file or folder"):
        list(read_games(tmp_path / "none.sgf"))
    with pytest.raises(RecordError, match="no game records"):
        list(read_games(tmp_path))
    (tmp_path / "bad.sgfs.gz").write_bytes(gzip.compress(GAME * 50)[:60])
    (tmp_path / "bad.sgfs.xz").write_bytes(b"not xz")
    for name in ("bad.sgfs.gz", "bad.sgfs.xz"):
        with pytest.raises(RecordError, match="cannot read"):
            list(read_games(tmp_path / name))


@pytest.mark.parametrize(
    ("komi", "read"), [(b"-3", -3.0), (b" 7.50", 7.5), (b"", None), (b"1e9", None), (b"nan", None)]
)
def test_komi_is_a_number_or_unknown(komi, read):
    (game,) = parse_games(GAME.replace(b"KM[5.5]", b"KM[%b]" % komi))
    assert game.komi == read


def test_ranks():
    assert rank_value("1d") > rank_value("1k") > rank_value("2k")
    assert rank_value("1p") > rank_value("9d")
    assert rank_value("3d?") == rank_value("3 dan") == 2
    assert rank_value("") is rank_value("strong") is None
    game = parse_games(GAME)[0]
    assert game.stronger() == (1,)
    assert game._replace(ranks=("5k", "5k")).stronger() == (1, 2)
    assert game._replace(ranks=("5k", "4k")).stronger() == (2,)
