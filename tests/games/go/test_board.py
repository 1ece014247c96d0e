"""The incremental board against the naive one: stones, chains, exact liberties, legality, ko, area, eyes."""

import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import montego.games as mg
from montego.games import rules
from montego.games.go import board
from montego.games.go.rules import is_eye
from tests.games.go.naive import NaiveGo

SPECS = [
    "go(size=2)",
    "go(size=2, height=1)",
    "go(size=5)",
    "go(size=3, height=4)",
    "go(size=4, suicide=true)",
    "go(size=3, height=2, suicide=true)",
]


def coordinates(game, point):
    """Return a point's (column, row) from the top left."""
    stride = board.capacity_of(game.size, game.height) + 1
    return point % stride - 1, point // stride - 1


def number(game, place):
    stride = board.capacity_of(game.size, game.height) + 1
    return (place[1] + 1) * stride + place[0] + 1


def assert_same(game, state, naive):
    """Compare everything that the state keeps with what the naive board works out."""
    empty = {coordinates(game, int(p)) for p in state.empty[: state.empty_count]}
    assert empty == set(naive.points()) - set(naive.stones)
    for place in range(int(state.empty_count)):
        assert state.empty_place[state.empty[place]] == place
    for place in naive.points():
        point = number(game, place)
        assert state.colour[point] == naive.stones.get(place, 0)
        near = [naive.stones.get(other, 0) for other in naive.near(place)]
        off = 4 - len(near)
        packed = near.count(0) + 16 * (near.count(1) + off) + 256 * (near.count(2) + off)
        assert state.neighbours[point] == packed
        if place in naive.stones:
            stones, liberties = naive.chain(place)
            chain = int(state.chain[point])
            members = {coordinates(game, p) for p in range(len(state.chain)) if state.chain[p] == chain}
            assert members == stones
            assert state.stones[chain] == len(stones)
            assert state.liberties[chain] == len(liberties)
            words = [int(word) for word in state.liberty_set[chain]]
            bits = {64 * k + b for k, word in enumerate(words) for b in range(64) if word >> b & 1}
            assert {coordinates(game, bit) for bit in bits} == liberties
        else:
            assert state.chain[point] == board.NO_CHAIN
            for colour in (1, 2):
                looks_like_eye = (int(state.neighbours[point]) >> 4 * colour) & 15 == 4
                assert (looks_like_eye and bool(is_eye(state, point, colour))) == naive.is_eye(place, colour)
    assert state.liberties[board.NO_CHAIN] == 0
    assert (coordinates(game, int(state.ko)) if state.ko else None) == naive.ko
    assert state.turn == naive.turn
    assert rules.score(game, state) == naive.area() - game.komi


def play_random_game(game, seed, most_moves, check_every=1):
    """Play random legal moves on both boards and compare them."""
    chance = random.Random(seed)
    state, naive = game.new_state(), NaiveGo(game.size, game.height, game.suicide)
    rules.start(game, state)
    moves = game.new_moves()
    for turn in range(most_moves):
        legal = sorted(int(m) for m in moves[: rules.legal_moves(game, state, moves)])
        assert legal == sorted([board.PASS] + [number(game, place) for place in naive.legal()])
        if turn % check_every == 0:
            assert legal == [move for move in range(game.move_limit()) if rules.is_legal(game, state, move)]
        move = chance.choice([m for m in legal if m] or legal)
        rules.play(game, state, move)
        if move == board.PASS:
            naive.turn, naive.ko = 3 - naive.turn, None
            if rules.is_over(game, state):
                break
        else:
            naive = naive.after(coordinates(game, move), naive.turn)
        if turn % check_every == 0:
            assert_same(game, state, naive)


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", SPECS)
def test_small_boards_agree_with_the_naive_board(spec):
    for seed in range(3):
        play_random_game(mg.game(spec), seed, 60)


MANY = {"go(size=5)": 40, "go(size=7)": 12, "go(size=9)": 8, "go(size=6, height=9)": 8, "go(size=5, suicide=true)": 20}


@pytest.mark.parametrize("spec", list(MANY))
def test_random_games_agree_with_the_naive_board(spec):
    for seed in range(MANY[spec]):
        play_random_game(mg.game(spec), 1000 + seed, 200, check_every=7)


@pytest.mark.slow
@pytest.mark.parametrize("spec", list(MANY))
def test_thousands_of_games_agree_with_the_naive_board(spec):
    for seed in range(25 * MANY[spec]):
        play_random_game(mg.game(spec), 5000 + seed, 200, check_every=5)


@pytest.mark.parametrize("spec", ["go(size=13)", "go(size=19)", "go(size=25, height=21)"])
def test_large_boards_agree_with_the_naive_board(spec):
    play_random_game(mg.game(spec), 7, 250, check_every=125)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), length=st.integers(0, 120), size=st.integers(2, 9), height=st.integers(2, 9))
def test_incremental_equals_rebuilt(seed, length, size, height):
    """After any random prefix the kept state equals one set up from the stones alone."""
    game = mg.Go(size=size, height=height)
    chance = random.Random(seed)
    state = game.new_state()
    rules.start(game, state)
    moves = game.new_moves()
    for _ in range(length):
        legal = moves[1 : rules.legal_moves(game, state, moves)]
        if not len(legal):
            break
        rules.play(game, state, int(chance.choice(list(legal))))
    names = game.layout().names
    owners = np.zeros(len(names), np.int8)
    rules.owners(game, state, owners)
    stones = {name: int(owner) for name, owner in zip(names, owners, strict=True) if owner >= 0}
    rebuilt = mg.Position(game, stones, int(state.turn) - 1).state
    assert np.array_equal(rebuilt.colour, state.colour)
    assert np.array_equal(rebuilt.neighbours[rebuilt.colour < 3], state.neighbours[state.colour < 3])
    for point in np.flatnonzero((state.colour == 1) | (state.colour == 2)):
        mine, theirs = state.chain[point], rebuilt.chain[point]
        assert state.liberties[mine] == rebuilt.liberties[theirs]
        assert state.stones[mine] == rebuilt.stones[theirs]
        assert np.array_equal(state.liberty_set[mine], rebuilt.liberty_set[theirs])
    assert rules.score(game, rebuilt) == rules.score(game, state)
