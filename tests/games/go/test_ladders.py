"""Ladders on small boards, and against a plain recursive reader in random positions."""

import random

import pytest

import montego.games as mg
from montego.games import rules
from montego.games.go import ladders
from tests.games.go.naive import NaiveGo
from tests.games.go.test_board import coordinates, number as point_number


def board(picture):
    """Return a square board of rows separated by spaces, and its game."""
    game = mg.Go(size=len(picture.split()))
    return game, mg.Position.from_text(game, picture).state


def caught(picture, stone):
    game, state = board(picture)
    return bool(ladders.is_caught(state, game.parse_move(stone), ladders.ladder_room(game)))


def catch(picture, stone):
    game, state = board(picture)
    move = ladders.catching_move(state, game.parse_move(stone), ladders.ladder_room(game))
    return game.move_name(move) if move else None


OPEN = "....... ....... ....... ..O.... .OX.... ..OO... ......."


@pytest.mark.both_modes
def test_a_ladder_runs_to_the_edge():
    assert caught(OPEN, "C3")


@pytest.mark.both_modes
def test_a_friend_on_the_way_breaks_it():
    assert not caught("....... .....X. ....... ..O.... .OX.... ..OO... .......", "C3")
    assert not caught("....... ....... ....... ..O.X.. .OX.... ..OO... .......", "C3")


def test_an_enemy_on_the_way_does_not():
    assert caught("....... .....O. ....... ..O.... .OX.... ..OO... .......", "C3")


def test_a_runner_that_can_capture_a_chaser_escapes():
    """The stone C4 is in atari at D4 if Black stands on B4 and C5."""
    assert not caught("....... ....... ..X.... .XO.... .OX.... ..OO... .......", "C3")


def test_of_two_ataris_the_right_one_is_found():
    assert catch("....... ....... ....... ....... .OX.... ..OO... .......", "C3") == "C4"
    assert catch("....... ....... ....... ..O.... .OXX... ..OOO.. .......", "C3") == "D4"


def test_no_atari_catches_a_chain_in_the_open():
    assert catch("..... ..... .OX.. ..O.. .....", "C3") is None


def test_other_numbers_of_liberties_are_not_ladders():
    assert not caught("..... ..... .OX.. ..O.. .....", "C3")  # two
    assert catch(OPEN, "C3") is None  # one
    assert catch("..... ..... ..X.. ..... .....", "C3") is None  # four


def test_a_stone_on_the_edge_is_caught_along_it():
    assert catch("....... ....... ....... ....... .O..... .XO.... .......", "B2") == "A2"


def naive_caught(naive, stone, runner, depth=40):
    """Read a ladder by plain recursion; the runner is to move."""
    stones, liberties = naive.chain(stone)
    moves = set(liberties)
    for other in {o for s in stones for o in naive.near(s) if naive.stones.get(o) == 3 - runner}:
        if len(naive.chain(other)[1]) == 1:
            moves |= naive.chain(other)[1]
    for move in moves - {naive.ko}:
        after = naive.after(move, runner)
        left = len(after.chain(stone)[1]) if stone in after.stones else 0
        if left > 2 or (left == 2 and (depth == 0 or naive_catch(after, stone, runner, depth - 1) is None)):
            return False
    return True


def naive_catch(naive, stone, runner, depth=40):
    """Return an atari that catches a chain of two liberties, or None."""
    for move in sorted(naive.chain(stone)[1] - {naive.ko}):
        after = naive.after(move, 3 - runner)
        if move in after.stones and len(after.chain(stone)[1]) == 1 and naive_caught(after, stone, runner, depth):
            return move
    return None


@pytest.mark.parametrize(("size", "games"), [(6, 12), (9, 3)])
def test_readings_equal_plain_recursion_in_random_games(size, games):
    game = mg.Go(size=size)
    room = ladders.ladder_room(game)
    verdicts = []
    for seed in range(games):
        chance = random.Random(seed)
        state, naive, moves = game.new_state(), NaiveGo(size, size), game.new_moves()
        rules.start(game, state)
        for _ in range(size * size):
            seen = set()
            for place, colour in naive.stones.items():
                chain, liberties = naive.chain(place)
                if place in seen or len(liberties) > 2:
                    continue
                seen |= chain
                point = point_number(game, place)
                mover = colour if len(liberties) == 1 else 3 - colour
                ko, naive.ko = naive.ko, naive.ko if naive.turn == mover else None
                if len(liberties) == 1:
                    found = bool(ladders.is_caught(state, point, room))
                    assert found == naive_caught(naive, place, colour)
                else:
                    move = int(ladders.catching_move(state, point, room))
                    found = bool(move)
                    assert found == (naive_catch(naive, place, colour) is not None)
                    if found:
                        after = naive.after(coordinates(game, move), 3 - colour)
                        assert naive_caught(after, place, colour)
                verdicts.append(found)
                naive.ko = ko
            legal = moves[: rules.playout_moves(game, state, moves)].tolist()
            move = chance.choice(legal)
            if move == 0:
                break
            rules.play(game, state, move)
            naive = naive.after(coordinates(game, move), naive.turn)
    assert 0.05 < sum(verdicts) / len(verdicts) < 0.95
