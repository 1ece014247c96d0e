"""The seven features of the previous move: small boards for each, and a naive version all through random games."""

import random

import numpy as np
import pytest

import montego.games as mg
from montego.games import rules
from montego.games.go import previous_move as pm
from tests.games.go.naive import NaiveGo
from tests.games.go.test_board import coordinates, number as point_number

NEAR, CAPTURE, CAPTURE_BAD = pm.CONTIGUOUS, pm.SAVE_BY_CAPTURE, pm.SAVE_BY_CAPTURE_SELF_ATARI
EXTEND, EXTEND_BAD, KO, SEMEAI = pm.SAVE_BY_EXTENSION, pm.SAVE_BY_EXTENSION_SELF_ATARI, pm.SOLVE_KO, pm.SEMEAI


def features_of(game, state, last=0, before_last=0):
    """Return the feature sets as a dictionary from point to set."""
    room = pm.feature_room(game.move_limit())
    pm.previous_move_features(state, last, before_last, room)
    found = {int(p): int(room.sets[p]) for p in room.points[: room.count]}
    assert len(found) == room.count
    assert set(found) == set(np.flatnonzero(room.sets))
    pm.clear_room(room)
    assert room.count == room.sets.sum() == 0
    return found


def after(picture, *moves):
    """Play moves on a square board until Black is to move; return the feature sets by name of point."""
    rows = picture.split()
    size = len(rows)
    game = mg.Go(size=size)
    position = mg.Position.from_text(game, picture, to_move=len(moves) % 2)
    for move in moves:
        position.play(move)
    numbers = [0, 0, *position.moves]
    assert position.to_move == 0
    found = features_of(game, position.state, numbers[-1], numbers[-2])
    return {game.move_name(p): features for p, features in found.items()}


def with_feature(found, feature):
    return {name for name, features in found.items() if features & feature}


# Black (X) is to move after the moves given. Columns A to E from the left, rows 5 to 1 from the top.


def test_contiguous_are_the_empty_points_of_the_eight_around_the_last_move():
    found = after("..... ..X.. ..... ..... .....", "C3")
    assert found == dict.fromkeys(["B4", "D4", "B3", "D3", "B2", "C2", "D2"], NEAR)


def test_no_feature_after_a_pass_or_without_a_last_move():
    assert after("..... ..X.. ..... ..... .....", "pass") == {}
    assert features_of(mg.Go(size=5), mg.Go(size=5).start().state) == {}


def test_nothing_but_contiguous_while_the_string_has_enough_liberties():
    found = after("..... .OX.. ..... ..... .....", "C3")
    assert set(found.values()) == {NEAR}


def test_an_old_atari_is_not_new():
    """The stone on A5 has been in atari before, the last move is far from it."""
    found = after("XO... ..... ..... ..... .....", "E1")
    assert set(found.values()) == {NEAR}


def test_save_by_extension():
    found = after("..... .OXO. ..... ..... .....", "C5")
    assert found["C3"] == EXTEND | NEAR  # though it is not beside the last move
    assert with_feature(found, ~NEAR) == {"C3"}


def test_extension_into_self_atari():
    found = after("..... ..... .OXO. .O.O. .....", "C4")
    assert found["C2"] == EXTEND_BAD | NEAR


def test_extension_by_joining_a_friend_with_liberties():
    found = after("..... ..... .OXO. .O.O. ..X..", "C4")
    assert found["C2"] == EXTEND | NEAR


def test_extension_that_is_suicide_has_no_feature():
    assert "A5" not in after(".X... OO... ..... ..... .....", "C5")


def test_save_by_capturing():
    """C3 is in new atari; beside it B3 can be captured at B2, or C3 runs to C4."""
    found = after("..... .X... XOX.. ..O.. .....", "D3")
    assert found["B2"] == CAPTURE | NEAR
    assert found["C4"] == EXTEND | NEAR
    assert with_feature(found, ~NEAR) == {"B2", "C4"}


def test_capture_beside_a_string_that_is_not_in_atari_has_no_feature():
    found = after("..... .X... XOX.. ..... .....", "D3")
    assert with_feature(found, ~NEAR) == set()


def test_a_capturing_stone_may_be_in_atari_if_the_string_is_saved():
    """A5 can be captured at A4 to save B5 and C5; the capturing stone has one liberty then, the string has two."""
    found = after("OXX.. .O... O.... ..... .....", "D5")
    assert found["A4"] == CAPTURE | NEAR


def test_capture_that_leaves_the_string_in_atari():
    """B1 and B2 can capture A2 at A1, but then they have the one liberty A2."""
    found = after("..... ..... XO... OXO.. .X...", "C1")
    assert found["A1"] == CAPTURE_BAD | NEAR


def test_capture_on_the_last_liberty_is_no_extension():
    found = after("..... ..... XX... OOX.. .X...", "C1")
    assert found["A1"] == CAPTURE | NEAR


def test_solve_a_new_ko_by_capturing():
    """Black takes a ko with C4, White plays elsewhere: C5, beside the stone C4, can be captured at D5."""
    ko = ".XO.. XO.O. .XO.. ..... ....."
    found = after(ko, "C4", "E1")
    assert found["D5"] == KO | NEAR
    assert with_feature(found, ~NEAR) == {"D5"}


def test_no_ko_feature_without_a_new_ko():
    without = ".XO.. X..O. .XO.. ..... ....."
    assert with_feature(after(without, "C4", "E1"), KO) == set()  # C4 took nothing
    ko = ".XO.. XO.O. .XO.. ..... ....."
    assert with_feature(after(ko, "C4", "E1", "A1", "E2"), KO) == set()  # the ko is four moves old


def test_two_point_semeai():
    """B3 and B4 are down to two liberties. A3 and A4 die by atari at A2; after atari at A5 they get out at A2."""
    found = after("..... OXO.. OX... ..... .....", "C3")
    assert found["A2"] == SEMEAI | NEAR
    assert with_feature(found, ~NEAR) == {"A2"}


def test_no_semeai_with_three_liberties():
    found = after("..... OX... OX... ..... .....", "C3")
    assert with_feature(found, ~NEAR) == set()


def test_no_semeai_if_the_atari_is_self_atari():
    """As in the semeai, but with White on A1 a stone on A2 would have one liberty."""
    found = after("..... OXO.. OX... ..... O....", "C3")
    assert with_feature(found, SEMEAI) == set()


# ----------------------------------------------------------------------------------------- a naive version


def naive_liberties(board, place, colour):
    """Return the liberties of a stone's chain after it is played."""
    after = board.after(place, colour)
    return len(after.chain(place)[1]) if place in after.stones else 0


def naive_features(board, last, before_last, old_ko):
    """Return the feature set of each empty point by playing every line out on a naive board."""
    own, enemy = board.turn, 3 - board.turn
    sets: dict[tuple[int, int], int] = {}

    def add(place, feature):
        sets[place] = sets.get(place, 0) | feature | NEAR

    def beside(chain, colour):
        return {other for stone in chain for other in board.near(stone) if board.stones.get(other) == colour}

    if last is not None:
        for place in set(board.points()) - set(board.stones):
            if max(abs(place[0] - last[0]), abs(place[1] - last[1])) == 1:
                add(place, NEAR)
        for stone in beside([last], own):
            chain, liberties = board.chain(stone)
            if len(liberties) == 1:
                for other in beside(chain, enemy):
                    if len(board.chain(other)[1]) == 1:
                        (place,) = board.chain(other)[1]
                        saved = len(board.after(place, own).chain(stone)[1]) > 1
                        add(place, CAPTURE if saved else CAPTURE_BAD)
                (place,) = liberties
                left = naive_liberties(board, place, own)
                if left:
                    add(place, EXTEND_BAD if left == 1 else EXTEND)
            elif len(liberties) == 2:
                for other in beside(chain, enemy):
                    theirs = board.chain(other)[1]
                    if len(theirs) == 2:
                        for atari in theirs:
                            (escape,) = theirs - {atari}
                            safe = naive_liberties(board, atari, own) > 1
                            if safe and naive_liberties(board.after(atari, own), escape, enemy) < 2:
                                add(atari, SEMEAI)
    if old_ko is not None and board.stones.get(before_last) == own:
        for other in beside([before_last], enemy):
            if len(board.chain(other)[1]) == 1:
                (place,) = board.chain(other)[1]
                add(place, KO)
    for place, features in sets.items():
        best = next((f for f in (CAPTURE, CAPTURE_BAD, EXTEND, EXTEND_BAD) if features & f), 0)
        sets[place] = features & ~(CAPTURE | CAPTURE_BAD | EXTEND | EXTEND_BAD) | best
    return sets


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("spec", "games", "met"), [("go(size=4, height=5)", 40, 127), ("go(size=7)", 8, 123), ("go(size=9)", 2, NEAR)]
)
def test_features_equal_the_naive_ones_all_through_random_games(spec, games, met):
    game = mg.game(spec)
    seen = 0
    for seed in range(games):
        chance = random.Random(seed)
        state, naive, moves = game.new_state(), NaiveGo(game.size, game.height), game.new_moves()
        rules.start(game, state)
        last = before_last = old_ko = 0
        for _ in range(2 * game.size * game.height):
            places = [coordinates(game, point) if point else None for point in (last, before_last, old_ko)]
            expected = {point_number(game, place): found for place, found in naive_features(naive, *places).items()}
            found = features_of(game, state, last, before_last)
            assert found == expected
            seen |= int(np.bitwise_or.reduce([0, *found.values()]))
            legal = moves[: rules.playout_moves(game, state, moves)].tolist()
            tactical = [move for move in legal if found.get(move, 0) & ~NEAR]
            move = chance.choice(tactical if tactical and chance.random() < 0.3 else legal)
            if move == 0:
                break
            last, before_last, old_ko = move, last, int(state.ko)
            rules.play(game, state, move)
            naive = naive.after(coordinates(game, move), naive.turn)
    assert seen & met == met  # the features that such games should have met
