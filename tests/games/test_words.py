"""What people are told and may type: why a move is illegal, and moves of Blokus by piece, square and turn."""

import pytest

from montego.errors import IllegalMove
from montego.games import game
from montego.games.blokus.pieces import PLACEMENTS

pytestmark = pytest.mark.both_modes
DUO = game("blokus_duo")
KO = ["B1", "C1", "A2", "D2", "B3", "C3", "C2", "B2"]  # White has just captured C2 in a ko


@pytest.mark.parametrize(
    ("spec", "moves", "move", "reason"),
    [
        ("tictactoe", ["b2"], "b2", "b2 is taken"),
        ("go(size=5)", ["C3"], "C3", "C3 is taken"),
        ("go(size=5)", KO, "C2", "ko: the stone that has just captured cannot be taken back at once"),
        ("go(size=5)", ["A2", "E5", "B1", "E4", "pass"], "A1", "suicide: the stone would have no liberty"),
        ("hex(size=4)", ["b2"], "b2", "b2 is taken"),
        ("hex(size=4, swap=true)", [], "swap", "only the second player may swap, instead of the first answer"),
        ("y(size=4)", ["a1"], "a1", "a1 is taken"),
        ("blokus_duo", [], "a1", "the first piece must cover the start point e10"),
        ("blokus_duo", [], "pass", "there is still room for a piece"),
        ("blokus_duo", ["e10"], "e10,e9", "e10 is taken"),
        ("blokus_duo", ["e10", "j5"], "f11", "the piece 1 has been placed before"),
        ("blokus_duo", ["e10", "j5"], "e9,e8", "it lies edge to edge with a piece of the same colour"),
        ("blokus_duo", ["e10", "j5"], "a1,a2", "it touches no corner of a piece of the same colour"),
        ("blokus_duo(starts=free)", ["e10"], "a1", "the first piece must cover the start point j5"),
    ],
)
def test_illegal_moves_are_explained(spec, moves, move, reason):
    position = game(spec).start()
    for played in moves:
        position.play(played)
    with pytest.raises(IllegalMove) as problem:
        position.play(move)
    assert str(problem.value).startswith("illegal move ")
    assert str(problem.value).endswith(f": {reason}")


def test_every_blokus_move_can_be_called_by_its_piece():
    words = [DUO.describe_move(move) for move in range(PLACEMENTS)]
    assert len(set(words)) == PLACEMENTS
    assert [DUO.parse_move(word) for word in words] == list(range(PLACEMENTS))
    assert DUO.describe_move(PLACEMENTS) == "pass"


@pytest.mark.parametrize(
    ("typed", "squares"),
    [
        ("e8 d9 e9 f9 e10", "e8,d9,e9,f9,e10"),
        (" e8, d9 ,e9,f9, e10 ", "e8,d9,e9,f9,e10"),
        ("X e10", "e8,d9,e9,f9,e10"),
        ("x e10 90", "e8,d9,e9,f9,e10"),
        ("T5 d10", "e8,e9,d10,e10,f10"),
        ("t5 e10 180", "d8,e8,f8,e9,e10"),
        ("L4 e10", "e9,f9,g9,e10"),
        ("L4 e10 flip", "c9,d9,e9,e10"),
        ("L4 e10 r90", "e8,e9,e10,f10"),
        ("I3 h3", "h3,i3,j3"),
        ("i3 h3", "h3,i3"),  # two squares that are a piece
        ("i3 a1", "a1,b1,c1"),  # two squares that are none
    ],
)
def test_moves_with_spaces_and_by_piece(typed, squares):
    assert DUO.move_name(DUO.parse_move(typed)) == squares


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("X a1", "X does not fit on the board with its first square on a1"),
        ("X z9", "no square 'z9'"),
        ("X e10 45", "no square 'x'"),
        ("e10 m1", "'e10 m1' is not a piece"),
        ("", "no square ''"),
    ],
)
def test_bad_pieces(typed, complaint):
    with pytest.raises(IllegalMove) as problem:
        DUO.parse_move(typed)
    assert str(problem.value).startswith(complaint)
