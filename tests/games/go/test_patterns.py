"""The 3×3 patterns with atari: their number, their symmetries, and their codes against a naive board."""

import random

import numpy as np
import pytest

import montego.games as mg
from montego.errors import MontegoError
from montego.games import rules
from montego.games.go import patterns
from tests.games.go.naive import NaiveGo
from tests.games.go.test_board import coordinates, number as point_number

# Where the neighbours stand, (column, row) steps in the order of the code: N, W, E, S, NW, NE, SW, SE.
AROUND = [(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)]


def naive_code(board, place):
    """Return the code of a point of a naive board."""
    code = 0
    for bit, (x, y) in enumerate(AROUND):
        other = (place[0] + x, place[1] + y)
        on_board = 0 <= other[0] < board.width and 0 <= other[1] < board.height
        colour = board.stones.get(other, 0) if on_board else 3
        code |= colour << 2 * bit
        if bit < 4 and colour in (1, 2) and len(board.chain(other)[1]) == 1:
            code |= 1 << (16 + bit)
    return code


def code_of(picture):
    """Return the code of three rows with the centre ``*``; small letters are stones in atari."""
    symbols = {(x - 1, y - 1): s for y, row in enumerate(picture.split("/")) for x, s in enumerate(row)}
    code = 0
    for bit, step in enumerate(AROUND):
        symbol = symbols[step]
        code |= ".XO#".index(symbol.upper()) << 2 * bit | symbol.islower() << (16 + bit)
    return code


def turned(picture):
    """Return a picture turned by a quarter."""
    rows = picture.split("/")
    return "/".join("".join(row[x] for row in reversed(rows)) for x in range(3))


def mirrored(picture):
    return "/".join(row[::-1] for row in picture.split("/"))


def test_there_are_2051_patterns():
    numbers = patterns.pattern_numbers()
    assert numbers.dtype == np.uint16
    assert numbers.shape == (2**20,)
    assert set(np.unique(numbers)) == set(range(2052))


def test_every_representative_has_its_own_number_and_picture():
    numbers = patterns.pattern_numbers()
    assert [int(numbers[patterns.representative(n)]) for n in range(1, 2052)] == list(range(1, 2052))
    assert len({patterns.describe(n) for n in range(1, 2052)}) == 2051


def test_a_picture_leads_back_to_its_number_in_all_eight_positions():
    numbers = patterns.pattern_numbers()
    for number in range(1, 2052, 7):
        picture = patterns.describe(number).replace(" ", "").replace("\n", "/")
        for _ in range(4):
            assert numbers[code_of(picture)] == number
            assert numbers[code_of(mirrored(picture))] == number
            picture = turned(picture)


@pytest.mark.parametrize(
    ("picture", "playable"),
    [
        (".../.*./...", True),
        ("XOX/O*O/XOX", False),  # suicide
        ("XoX/O*O/XOX", True),  # the enemy in atari can be captured
        ("OXO/X*X/OXO", True),  # a friend has another liberty
        ("OxO/x*x/OxO", False),  # no friend has one
        ("OxO/x*X/OxO", True),
        (".x./.*./...", False),  # it shows a second liberty
        ("XXX/x*./...", False),  # the chain shows a second liberty on the right
        ("XxO/x*./O..", True),
        ("XxO/X*./O..", False),  # one chain, but only one of its bits
        ("Xx./.*./...", False),
        ("OxO/.*./...", True),
        ("###/.*./...", True),
        ("###/#*./#..", True),
        ("###/.*./###", False),  # a board of one row has no patterns
        ("#../.*./...", False),  # a corner without its sides
    ],
)
def test_which_codes_are_patterns(picture, playable):
    assert (patterns.pattern_numbers()[code_of(picture)] != patterns.NOT_PLAYABLE) == playable


def test_swapping_colours_exchanges_stones_and_nothing_else():
    for picture in ("OxO/.*./X..", "###/o*X/.O.", "###/#*x/#O."):
        swapped = picture.translate(str.maketrans("XOxo", "OXox"))
        assert patterns.swapped(code_of(picture)) == code_of(swapped)
        assert patterns.swapped(patterns.swapped(code_of(picture))) == code_of(picture)


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["go(size=5)", "go(size=4, height=6)", "go(size=9)"])
def test_codes_equal_the_naive_ones_all_through_a_game(spec):
    game = mg.game(spec)
    chance = random.Random(spec)
    table = patterns.pattern_numbers()
    state, naive, moves = game.new_state(), NaiveGo(game.size, game.height), game.new_moves()
    rules.start(game, state)
    for _ in range(90):
        legal = moves[: rules.legal_moves(game, state, moves)].tolist()
        for place in set(naive.points()) - set(naive.stones):
            point = point_number(game, place)
            code = int(patterns.pattern_code(state, point))
            assert code == naive_code(naive, place)
            seen = code if state.turn == 1 else int(patterns.swapped(code))
            assert patterns.pattern_number(state, point, table) == table[seen]
            # Ko is the one rule that a pattern does not show.
            assert (table[seen] != patterns.NOT_PLAYABLE) == (point in legal or naive.ko == place)
        move = chance.choice(legal[1:] or legal)
        rules.play(game, state, move)
        naive = naive.after(coordinates(game, move), naive.turn) if move else naive
        naive.turn = int(state.turn)
        if not move:
            naive.ko = None
        if rules.is_over(game, state):
            break


def test_a_number_out_of_range_is_refused():
    for number in (0, 2052):
        with pytest.raises(MontegoError, match="numbers go from 1 to 2051"):
            patterns.describe(number)
