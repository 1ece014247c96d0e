"""MoGo's patterns, self-atari, vital points and common-fate distances: small boards, and naive versions in random
games.
"""

import random

import numpy as np
import pytest

import montego.games as mg
from montego.games import rules
from montego.games.go import nakade
from montego.games.go.common_fate import FAR, common_fate_distances
from montego.games.go.mogo import SHAPES, matches_bit, mogo_patterns
from montego.games.go.self_atari import is_self_atari, remaining_liberty
from montego.games.go.tactics import is_snapback
from tests.games.go.naive import NaiveGo
from tests.games.go.test_board import coordinates, number as point_number


def board(picture, to_move=0):
    """Return the game and the state of a square board, Black (X) to move; columns A, B, … from the left."""
    game = mg.Go(size=len(picture.split()))
    return game, mg.Position.from_text(game, picture, to_move=to_move).state


# ------------------------------------------------------------------------------------------------------------- patterns


def matches(picture, name, to_move=0):
    game, state = board(picture, to_move)
    return bool(matches_bit(state, game.parse_move(name), mogo_patterns()))


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("picture", "name"),
    [
        ("..... .XOX. ..... ..... .....", "C3"),  # hane that encloses
        ("..... .XO.. ..... ..... .....", "C3"),  # hane that does not cut
        ("..... .XOO. .X... ..... .....", "C3"),  # hane that turns
        ("..... ..O.. .X... ..... .....", "C3"),  # diagonal contact
        ("..... .XO.. .O... ..... .....", "C3"),  # cut that is not protected
        ("..... .XO.. .O.X. ..O.. .....", "C3"),  # cut at a peep
        ("..... ..X.. .O.O. ..... .....", "C3"),  # push through
        ("..... .OX.. ...O. .X... .....", "C3"),  # cut of a knight's move
        ("..... ..... ..... .X... .O...", "C1"),  # chase on the edge
        ("..... ..... ..... .OX.. .X.O.", "C1"),  # block of a cut on the edge
        ("..... ..... ..... ..X.. ...O.", "C1"),  # block of a connection on the edge
        ("..... ..... ..... ..XO. .....", "C1"),  # descent
        ("..... ..... ..... ..OX. .X.O.", "C1"),  # cut on the edge
    ],
)
def test_each_pattern_matches_for_both_players_in_both_colours_and_turned(picture, name):
    turned = " ".join("".join(row[i] for row in picture.split()[::-1]) for i in range(5))
    corner = {"C3": "C3", "C1": "A3"}[name]
    swapped = picture.translate(str.maketrans("XO", "OX"))
    assert matches(picture, name)
    assert matches(picture, name, to_move=1)
    assert matches(swapped, name)
    assert matches(turned, corner)


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("picture", "name"),
    [
        ("..... ..... ..... ..... .....", "C3"),  # nothing there
        ("..... .X... ..... ..... .....", "C3"),  # no stone beside the point
        ("..... ..X.. ..... ..... .....", "C3"),  # only one colour
        ("..... .XO.. .O.O. ..O.. .....", "C3"),  # a cut that is protected on both sides
        ("..... ..X.. .O.O. ..O.. .....", "C3"),  # nothing to push through to
        ("..... ..... ..... ..X.. .....", "C1"),  # nobody to block on the edge
    ],
)
def test_what_is_no_pattern(picture, name):
    assert not matches(picture, name)


def test_every_pattern_touches_a_stone_and_the_number_of_codes_is_known():
    codes = np.flatnonzero(np.unpackbits(mogo_patterns().view(np.uint8), bitorder="little"))
    assert len(SHAPES) == 13
    beside = (codes[:, None] >> (2 * np.arange(4))) & 3
    assert np.isin(beside, (1, 2)).any(axis=1).all()


# ----------------------------------------------------------------------------------------------------------- self-atari


def self_atari(picture, name):
    game, state = board(picture)
    point = game.parse_move(name)
    liberty = remaining_liberty(state, point)
    return bool(is_self_atari(state, point)), game.move_name(liberty) if liberty else None


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("picture", "name", "expected"),
    [
        (".O... ..... ..... ..... .....", "A5", (True, "A4")),  # one stone, one liberty
        ("..O.. X.O.. OXO.. .O... .....", "B5", (False, "A5")),  # two empty neighbours
        ("XO... .O... O.... ..... .....", "A4", (True, None)),  # suicide
        ("XX.O. OOO.. ..... ..... .....", "C5", (True, None)),
        ("OX... .O... O.... ..... .....", "A4", (False, None)),  # takes a stone
        (".XO.. XO.O. .XO.. ..... .....", "C4", (False, None)),  # takes a ko
        ("X.O.. X.O.. OOO.. ..... .....", "B5", (True, "B4")),  # a chain of two liberties fills one of them
        ("X.O.. X..O. OO.O. ..O.. .....", "B4", (False, "B5")),  # and here gets another
        ("X.X.. O.O.. .O... ..... .....", "B5", (False, "D5")),  # joins two chains; C5 has D5
    ],
)
def test_self_atari(picture, name, expected):
    assert self_atari(picture, name) == expected


def random_positions(spec, games):
    """Yield the game, the state and the naive board before every move of random games."""
    game = mg.game(spec)
    for seed in range(games):
        chance = random.Random(seed)
        state, naive, moves = game.new_state(), NaiveGo(game.size, game.height), game.new_moves()
        rules.start(game, state)
        for _ in range(2 * game.size * game.height):
            yield game, state, naive
            move = chance.choice(moves[: rules.playout_moves(game, state, moves)].tolist())
            if move == 0:
                break
            rules.play(game, state, move)
            naive = naive.after(coordinates(game, move), naive.turn)


@pytest.mark.both_modes
@pytest.mark.parametrize(("spec", "games"), [("go(size=4, height=5)", 30), ("go(size=7)", 6)])
def test_self_atari_equals_the_naive_one_all_through_random_games(spec, games):
    met = set()
    for game, state, naive in random_positions(spec, games):
        for place in set(naive.points()) - set(naive.stones):
            later = naive.after(place, naive.turn)
            captured = len(later.stones) < len(naive.stones) + 1 and place in later.stones
            liberties = later.chain(place)[1] if place in later.stones else set()
            expected = len(liberties) < 2 and not captured
            point = point_number(game, place)
            found = bool(is_self_atari(state, point))
            assert found == expected
            met.add((found, len(liberties)))
            if expected:
                left = {point_number(game, liberty) for liberty in liberties} or {0}
                assert {int(remaining_liberty(state, point))} == left
    assert {(True, 0), (True, 1), (False, 1), (False, 2)} <= met


# --------------------------------------------------------------------------------------------------------------- nakade


def vital(picture, last, to_move=0):
    """Return the vital point that the player to move finds beside the last stone."""
    game, state = board(picture, to_move)
    point = int(nakade.vital_point(state, game.parse_move(last), np.zeros(16, np.int64)))
    return game.move_name(point) if point else None


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("picture", "last", "expected"),
    [
        ("...O. OOOO. ..... ..... .....", "D5", "B5"),  # straight three
        ("...O. OOOO. ..... ..... .....", "A4", "B5"),
        ("..O.. .OO.. OO... ..... .....", "C5", "A5"),  # bent three in the corner
        ("...O. O.OO. OOO.. ..... .....", "D5", "B5"),  # pyramid four
        ("...O. ..OO. OOO.. ..... .....", "D5", "B5"),  # bulky five
        (".O.O. ...O. OOOO. ..... .....", "D5", None),  # bent shapes of five that live
        ("....O OOOOO ..... ..... .....", "E5", None),  # straight four lives
        ("..OO. ..OO. OOO.. ..... .....", "C5", None),  # square four is dead as it stands
        ("..O.. OOO.. ..... ..... .....", "C5", None),  # two points are one eye
        (".O... OO... ..... ..... .....", "B5", None),  # and so is one
        ("...O. OOXO. ..XO. ..... .....", "D5", None),  # a stone of mine is at its rim
        ("..... ..O.. ..... ..... .....", "C4", None),  # the open board
    ],
)
def test_vital_points(picture, last, expected):
    assert vital(picture, last) == expected
    assert vital(picture.translate(str.maketrans("XO", "OX")), last, to_move=1) == expected


@pytest.mark.both_modes
def test_vital_points_of_crossed_five_and_rabbity_six():
    cross = "OOOOOOO OOO.OOO OO...OO OOO.OOO OOOOOOO ....... ......."
    assert vital(cross, "A7") is None  # beside no empty point
    assert vital(cross, "C6") == "D5"
    rabbity = "OOOOOOO OO..OOO OO...OO OOO.OOO OOOOOOO ....... ......."
    assert vital(rabbity, "E6") == "D5"


@pytest.mark.both_modes
def test_my_own_eye_space_is_no_nakade():
    assert vital("...X. XXXX. ..... ..... .....", "D5") is None


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("picture", "name", "expected"),
    [
        ("...O. OOOO. XXXXX X...X .....", "B5", False),  # White has liberties at E5 and E4
        ("...OX OOOOX XXXXX X...X .....", "B5", True),  # its three points are all that White has
        ("...OX OOOOX XXXXX X...X .....", "A5", False),  # not the vital point
        ("....O OOOOO XXXXX XXXXX XXXX.", "B5", False),  # four in a row live
        ("...OX OOOOX XX.XX X...X .....", "C3", False),  # Black's are no eye space
    ],
)
def test_questions_of_life_concern_both_players(picture, name, expected):
    for drawing in (picture, picture.translate(str.maketrans("XO", "OX"))):
        for to_move in (0, 1):
            game, state = board(drawing, to_move)
            assert bool(nakade.is_question_of_life(state, game.parse_move(name), np.zeros(7, np.int64))) == expected


# ------------------------------------------------------------------------------------------------------------ snapbacks


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("picture", "name", "expected"),
    [
        ("..... ..... .XXX. .XOOX OO..X", "C1", True),  # taken at D1 by three stones with the liberty C1
        ("..... ..... .XXX. .XOOX OO..X", "D1", False),  # joined to E1
        ("..... ..... .XXX. .XOO. OO..X", "C1", False),  # White gets out at E2
        ("..... ..... ..... ..... .....", "C1", False),
    ],
)
def test_snapbacks(picture, name, expected):
    game, state = board(picture)
    assert bool(is_snapback(state, game.parse_move(name))) == expected


def naive_snapback(naive, place):
    """Whether a lone stone with one liberty is taken at once, alone, by a chain that is left with one liberty."""
    after = naive.after(place, naive.turn)
    if len(after.stones) != len(naive.stones) + 1 or len(after.chain(place)[0]) > 1:
        return False
    liberties = after.chain(place)[1]
    if len(liberties) != 1:
        return False
    (answer,) = liberties
    taken = after.after(answer, 3 - naive.turn)
    return answer in taken.stones and len(taken.stones) == len(after.stones) and len(taken.chain(answer)[1]) == 1


# A ko that is taken leaves one stone with one liberty: a chain of a single stone, which is no use to take back.
@pytest.mark.both_modes
@pytest.mark.parametrize(("spec", "games"), [("go(size=4, height=5)", 30), ("go(size=6)", 8)])
def test_snapbacks_equal_the_naive_ones_all_through_random_games(spec, games):
    found = 0
    for game, state, naive in random_positions(spec, games):
        for place in set(naive.points()) - set(naive.stones):
            expected = naive_snapback(naive, place)
            assert bool(is_snapback(state, point_number(game, place))) == expected
            found += expected
    assert found > 5


# ---------------------------------------------------------------------------------------------------------- common fate


@pytest.mark.both_modes
def test_common_fate_distances_on_a_board():
    game, state = board("..... .XXX. ....O ..... .....")
    distances, queue = np.zeros(len(state.colour), np.uint8), np.zeros(len(state.colour), np.int64)
    common_fate_distances(state, game.parse_move("B4"), 2, distances, queue)
    rows = [[int(distances[game.parse_move(f"{column}{row}")]) for column in "ABCDE"] for row in (5, 4, 3, 2, 1)]
    assert rows == [
        [2, 1, 1, 1, 2],
        [1, 0, 0, 0, 1],
        [2, 1, 1, 1, 2],
        [FAR, 2, 2, 2, FAR],
        [FAR, FAR, FAR, FAR, FAR],
    ]


@pytest.mark.both_modes
def test_a_chain_is_one_step_however_long():
    game, state = board("XXXXX ..... O.... ..... .....")
    distances, queue = np.zeros(len(state.colour), np.uint8), np.zeros(len(state.colour), np.int64)
    common_fate_distances(state, game.parse_move("A3"), 3, distances, queue)
    assert distances[game.parse_move("A4")] == 1
    assert distances[game.parse_move("E5")] == 2
    assert distances[game.parse_move("E4")] == 3
