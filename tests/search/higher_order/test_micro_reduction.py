"""Probabilistic micro-reduction: against all colourings of tiny boards, and as a player."""

from itertools import product

import numpy as np
import pytest

import montego as mg
from montego.errors import MontegoError
from montego.games.y.bent import POINT_OF_CELL
from montego.search.higher_order import move_chances
from montego.search.higher_order.micro_reduction import chance_of, chance_of_two
from tests.games.naive_connection import board_of


def brute_force(chances):
    """Reduce a triangle of probabilities, row by row, by summing over the eight colourings of each three cells."""
    rows, at = [], 0
    while at < len(chances):
        rows.append(list(chances[at : at + len(rows) + 1]))
        at += len(rows)
    while len(rows) > 1:
        smaller = []
        for row in range(len(rows) - 1):
            line = []
            for column in range(row + 1):
                three = rows[row][column], rows[row + 1][column], rows[row + 1][column + 1]
                total = 0.0
                for colours in product((0, 1), repeat=3):
                    share = np.prod([p if colour else 1 - p for p, colour in zip(three, colours, strict=True)])
                    total += share if sum(colours) >= 2 else 0.0
                line.append(total)
            smaller.append(line)
        rows = smaller
    return rows[0][0]


def chance(game, player, points):
    return float(chance_of(game, player, np.array(points, float), np.zeros(200)))


@pytest.mark.both_modes
def test_the_majority_of_three():
    for a, b, c in product((0, 0.25, 0.5, 1), repeat=3):
        exact = a * b * c + a * b * (1 - c) + a * (1 - b) * c + (1 - a) * b * c
        assert np.isclose(chance_of_two(a, b, c), exact)


@pytest.mark.both_modes
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_the_straight_board_against_brute_force(size):
    game = mg.game(f"y(size={size})")
    for seed in range(5):
        points = np.random.default_rng(seed).random(size * (size + 1) // 2)
        assert np.isclose(chance(game, 0, points), brute_force(points))
        assert np.isclose(chance(game, 1, 1 - points), 1 - brute_force(points))


@pytest.mark.both_modes
def test_the_smallest_board_is_exact():
    """With three points nothing depends on anything, so the heuristic is the true chance of a random colouring."""
    game = mg.game("y(size=2)")
    board = board_of(game)
    points = [0.2, 0.7, 0.4]
    exact = 0.0
    for owners in product((0, 1), repeat=3):
        share = np.prod([p if owner == 0 else 1 - p for p, owner in zip(points, owners, strict=True)])
        exact += share * (0 in board.winners(owners))
    assert np.isclose(chance(game, 0, points), exact)


@pytest.mark.both_modes
def test_the_bent_board_is_its_triangle():
    game = mg.game("y(board=bent)")
    points = np.random.default_rng(4).random(93)
    assert np.isclose(chance(game, 0, points), brute_force(points[POINT_OF_CELL]))


@pytest.mark.both_modes
@pytest.mark.parametrize("size", [2, 3, 4])
def test_hex_is_a_triangle_with_filled_corners(size):
    game = mg.game(f"hex(size={size})")
    points = np.random.default_rng(size).random((size, size))
    for player in (0, 1):
        grid = points if player == 0 else points.T
        side = 2 * size - 1
        triangle = []
        for level in range(side):  # the cells with row + column = level
            for column in range(level + 1):
                row = level - column
                inside = row < size and column < size
                triangle.append(grid[row, column] if inside else 1.0 if row >= size else 0.0)
        assert np.isclose(chance(game, player, points.ravel()), brute_force(triangle))


@pytest.mark.parametrize("spec", ["y(size=6)", "y(board=bent)", "hex(size=5)"])
def test_a_full_board_has_its_winner(spec):
    game = mg.game(spec)
    board = board_of(game)
    for seed in range(10):
        owners = np.random.default_rng(seed).integers(0, 2, len(game.layout().names))
        (winner,) = board.winners(owners.tolist())
        for player in (0, 1):
            assert chance(game, player, owners == player) == (winner == player)


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["y(size=4)", "hex(size=4)"])
def test_chances_of_moves(spec):
    game = mg.game(spec)
    position = game.start().play("a2").play("b2")
    for player in (0, 1):
        (own, other), now = move_chances(game, position.state, player)
        owners = position.owners()
        assert (own[owners >= 0] == -1).all()
        assert np.allclose(own[owners < 0] + other[owners < 0], 1)
        assert (own[owners < 0] >= now - 1e-12).all()  # a stone of one's own never harms
        points = np.where(owners < 0, 0.5, owners == player)
        assert np.isclose(now, chance(game, player, points))


@pytest.mark.both_modes
def test_the_player_wins_at_once_and_takes_the_centre():
    game = mg.game("y(size=3)")
    player = mg.player("micro_reduction", game, seed=1)
    position = game.start().play("a1").play("a3").play("a2").play("c3")
    assert player.choose(position) in ("b2", "b3")
    assert player.analysis().best().value > 0.5
    straight = mg.game("y(size=7)")
    assert mg.player("micro_reduction", straight, seed=1).choose(straight.start()) == "c5"
    finishing = mg.game("hex(size=3)").start().play("b1").play("a1").play("b2").play("a2")
    assert mg.player("micro_reduction", finishing.game, seed=1).choose(finishing) in ("b3", "a3")


@pytest.mark.both_modes
def test_other_games_are_refused():
    with pytest.raises(MontegoError, match="micro_reduction plays hex and y, not tictactoe"):
        mg.player("micro_reduction", "tictactoe")
    game = mg.game("tictactoe")
    with pytest.raises(MontegoError, match="decides hex and y"):
        move_chances(game, game.start().state, 0)
