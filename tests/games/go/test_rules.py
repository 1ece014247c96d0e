"""Published counts, superko, handicap, score and notation of Go."""

import itertools

import numpy as np
import pytest

import montego.games as mg
from montego.errors import IllegalMove, MontegoError
from montego.games import rules
from montego.games.go import board
from montego.games.go.hashes import board_hash

# John Tromp, "Number of legal Go positions": boards on which every chain has a liberty.
LEGAL_POSITIONS = {(2, 1): 5, (2, 2): 57, (3, 2): 489, (3, 3): 12675}

# Tromp and Farnebäck, "Combinatorics of Go": games with positional superko, either colour moving at any time, suicide
# allowed, every prefix counted.
SUPERKO_GAMES = {(2, 1): 9, (3, 1): 907}


@pytest.mark.parametrize(("width", "height"), list(LEGAL_POSITIONS))
def test_number_of_legal_positions(width, height):
    game = mg.Go(size=width, height=height)
    names = game.layout().names
    count = 0
    for colours in itertools.product((-1, 0, 1), repeat=len(names)):
        stones = {name: colour for name, colour in zip(names, colours, strict=True) if colour >= 0}
        try:
            mg.Position(game, stones)
            count += 1
        except IllegalMove:
            pass
    assert count == LEGAL_POSITIONS[width, height]


def count_superko_games(game, state, seen):
    """Count the simple paths in the graph of boards that start here, this one included."""
    total = 1
    for point in game.point_numbers():
        for colour in (board.BLACK, board.WHITE):
            if state.colour[point] != board.EMPTY:
                continue
            after = np.array([state], state.dtype)[0]
            board.play_stone(after, point, colour)
            key = int(board_hash(after))
            if key not in seen:
                total += count_superko_games(game, after, seen | {key})
    return total


@pytest.mark.both_modes
@pytest.mark.parametrize(("width", "height"), list(SUPERKO_GAMES))
def test_number_of_superko_games(width, height):
    game = mg.Go(size=width, height=height, suicide=True)
    state = game.start().state
    assert count_superko_games(game, state, frozenset({int(board_hash(state))})) == SUPERKO_GAMES[width, height]


@pytest.mark.both_modes
def test_simple_ko_and_retaking_after_a_threat():
    game = mg.game("go(size=5)")
    position = mg.Position.from_text(game, ". X O . .  X . X O .  . X O . .  . . . . .  . . . . .", to_move=1)
    position.play("B4")  # takes C4
    assert position.owners()[game.layout().names.index("C4")] == -1
    with pytest.raises(IllegalMove, match="illegal move C4"):
        position.play("C4")
    position.play("E1").play("A1").play("C4")


def test_superko_forbids_every_repetition_and_only_that():
    """On a tiny board play random games to the end; no board comes twice, and each refused move would have repeated."""
    game = mg.game("go(size=2, height=2)")
    free = mg.game("go(size=2, height=2, superko=false)")
    chance = np.random.default_rng(5)
    refused = 0
    for _ in range(60):
        position, seen = game.start(), []
        for _ in range(40):
            if position.over:
                break
            seen.append(game.board_key(position.state))
            loose = mg.Position(free)
            loose.state = position.copy().state
            allowed, without = set(position.legal_moves()), set(loose.legal_moves())
            for move in without - allowed:
                assert game.board_key(loose.copy().play(move).state) in seen
                refused += 1
            for move in allowed - {"pass"}:
                assert game.board_key(loose.copy().play(move).state) not in seen
            moves = sorted(allowed - {"pass"}) or ["pass"]
            position.play(str(chance.choice(moves)))
    assert refused > 20


def test_two_passes_end_the_game_and_komi_decides():
    position = mg.game("go(size=9)").start().play("pass").play("pass")
    assert position.over
    assert position.score() == -7.5
    assert position.winner == 1
    assert position.result == "White+7.5"
    assert position.legal_moves() == []


def test_from_text_refuses_a_wrong_number_of_symbols():
    with pytest.raises(MontegoError, match="25 symbols"):
        mg.Position.from_text(mg.game("go(size=5)"), ". X . X X X . . X O O O")


@pytest.mark.both_modes
def test_area_score_with_a_neutral_region():
    drawing = """
        . X . O .
        . X . O .
        X X . O O
        . X . O .
        X X . O .
    """
    position = mg.Position.from_text(mg.game("go(size=5, komi=0.5)"), drawing)
    assert position.score() == -0.5
    owners = np.zeros(25, np.int8)
    rules.final_owners(position.game, position.state, owners)
    rows = ["".join("XO."[owner] for owner in row) for row in owners.reshape(5, 5)]
    assert rows == ["XX.OO"] * 5


@pytest.mark.parametrize("handicap", range(2, 10))
def test_handicap_stones_and_white_moves_first(handicap):
    position = mg.game(f"go(size=19, handicap={handicap})").start()
    assert np.count_nonzero(position.owners() == 0) == handicap
    assert position.to_move == 1


@pytest.mark.parametrize("spec", ["go(size=9, height=3)", "go(size=25)", "go(size=2)", "go"])
def test_coordinates(spec):
    game = mg.game(spec)
    for name, point in zip(game.layout().names, game.point_numbers(), strict=True):
        assert game.move_name(point) == name
        assert game.parse_move(name.lower()) == point
    assert game.parse_move(" PASS ") == board.PASS


@pytest.mark.parametrize("word", ["", "I5", "E0", "E10", "K5", "5E", "E5E", "A", "E٣", "resign"])
def test_malformed_moves_are_refused(word):
    position = mg.game("go(size=9)").start()
    before = position.state.tobytes()
    with pytest.raises(IllegalMove, match="moves go from A1 to J9"):
        position.play(word)
    assert position.state.tobytes() == before


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("go(size=0)", "size must be a whole number from 1 to 25, not 0"),
        ("go(size=99)", "size must be a whole number from 1 to 25, not 99"),
        ("go(size=x)", "not x"),
        ("go(size=1)", "at least two points"),
        ("go(komi=nan)", "komi must be a number"),
        ("go(handicap=1)", "handicap must be 0 or"),
        ("go(size=5, handicap=3)", "at most 0 on 5×5"),
        ("go(size=9.5)", "not 9.5"),
    ],
)
def test_bad_parameters(spec, message):
    with pytest.raises(MontegoError, match=message):
        mg.game(spec)
