"""Openings: real symmetries, and as many distinct openings as there are."""

import numpy as np
import pytest

import montego as mg
from montego.arena.openings import Openings, RandomOpenings
from montego.arena.schedule import Contest
from montego.errors import MontegoError
from montego.rng import below, stream

SYMMETRIES = {
    "tictactoe": 8,
    "go(size=5)": 8,
    "go(size=4, height=5)": 4,
    "go(size=9, handicap=2)": 4,
    "go(size=9, handicap=3)": 2,
    "hex(size=4)": 2,
    "hex(size=4, swap=true)": 2,
    "y(size=5)": 6,
    "y(board=bent)": 6,
    "blokus_duo": 2,
    "blokus_duo(starts=free)": 4,
}


@pytest.mark.parametrize("spec", SYMMETRIES)
def test_symmetries_are_permutations_with_the_identity_first(spec: str) -> None:
    game = mg.game(spec)
    symmetries = game.symmetries()
    points = list(range(len(game.layout().names)))
    assert len(symmetries) == SYMMETRIES[spec]
    assert list(symmetries[0].points) == points
    assert all(sorted(symmetry.points) == points for symmetry in symmetries)


@pytest.mark.parametrize("spec", SYMMETRIES)
def test_the_image_of_a_game_is_a_game_with_the_same_result(spec: str) -> None:
    """Legal moves, owners of points, the end and the score must all go along, in every position of random games."""
    game = mg.game(spec)
    rng = stream(5)
    for symmetry in game.symmetries()[1:]:
        position, image = game.start(), game.start()
        for number in range(game.max_length()):
            if position.over:
                break
            legal = position.legal_numbers()
            if number % 7 == 0:
                images = {symmetry.move(int(move)) for move in legal}
                assert images == set(map(int, image.legal_numbers()))
            move = int(legal[below(rng, len(legal))])
            position.play(move)
            image.play(symmetry.move(move))
            assert (image.owners()[list(symmetry.points)] == position.owners()).all()
        assert image.over == position.over
        assert image.score() == position.score()


# Counted by hand or by exhaustion: first moves of tic-tac-toe are corner, side and middle; 12 positions after two moves
# and 38 after three (OEIS A008907); an n×n Go board has ceil(n/2)(ceil(n/2)+1)/2 points up to symmetry.
@pytest.mark.parametrize(
    ("spec", "moves", "count"),
    [("tictactoe", 1, 3), ("tictactoe", 2, 12), ("tictactoe", 3, 38), ("go(size=5)", 1, 6), ("hex(size=3)", 1, 5)]
    + [("y(size=4)", 1, 3)],
)
def test_all_distinct_openings_are_found_and_come_again_in_turn(spec: str, moves: int, count: int) -> None:
    source = RandomOpenings(mg.game(spec), 7, moves)
    first = [source.opening(number) for number in range(count)]
    assert len(set(first)) == count
    assert not source.exhausted
    assert source.opening(count) == first[0]
    assert source.exhausted
    assert source.opening(3 * count + 1) == first[1]


def test_openings_follow_from_the_seed_and_not_from_the_order_of_asking() -> None:
    asked = [RandomOpenings(mg.game("go(size=9)"), 3, 4) for _ in range(2)]
    late = [asked[0].opening(number) for number in (9, 5, 0)]
    early = [asked[1].opening(number) for number in range(10)]
    assert late == [early[9], early[5], early[0]]
    assert len(set(early)) == 10
    assert RandomOpenings(mg.game("go(size=9)"), 4, 4).opening(0) != early[0]
    assert "pass" not in {move for opening in early for move in opening}


def test_both_games_of_a_pair_and_all_pairings_of_a_round_share_an_opening() -> None:
    contest = Contest("go(size=5)", ("random", "flat", "ucb"), ((0, 1), (0, 2), (1, 2)), 1, Openings(2))
    tasks = [contest.task(number) for number in range(12)]
    assert len({task.opening for task in tasks[:6]}) == 1
    assert len({task.opening for task in tasks}) == 2
    assert [task.players for task in tasks[:6]] == [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    assert len({seed for task in tasks for seed in task.seeds}) == 24


def test_openings_from_a_book() -> None:
    book = Openings(book=(("b2",), ("a1", "b2")))
    contest = Contest("tictactoe", ("random", "flat"), ((0, 1),), 1, book)
    assert [contest.task(2 * pair).opening for pair in range(3)] == [("b2",), ("a1", "b2"), ("b2",)]
    assert Openings.from_settings(book.settings()) == book


@pytest.mark.parametrize(
    ("openings", "message"),
    [
        (Openings(9), "no opening of 9 random moves leaves a game of tictactoe"),
        (Openings(12), "fewer moves expected"),
        (Openings(book=(("b2", "b2"),)), r"opening 1 \(b2 b2\) cannot be played: illegal move b2"),
        (Openings(book=(("b2",), ("z9",))), "opening 2 .* no move 'z9'"),
        (Openings(book=(("a1", "b1", "a2", "b2", "a3"),)), "leaves nothing to play"),
        (Openings(1, (("b2",),)), "not both"),
    ],
)
def test_openings_that_cannot_be_played(openings: Openings, message: str) -> None:
    with pytest.raises(MontegoError, match=message):
        Contest("tictactoe", ("random", "flat"), ((0, 1),), 1, openings)


def test_seeds_of_games_look_random() -> None:
    contest = Contest("tictactoe", ("random", "flat"), ((0, 1),), 0, Openings())
    seeds = np.array([contest.task(number).seeds for number in range(500)]).ravel()
    assert len(set(seeds)) == 1000
    assert seeds.max() < 2**53
    assert 0.45 < (seeds / 2**53).mean() < 0.55  # six standard errors
