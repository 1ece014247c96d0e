"""What a game says about itself to protocols, records and matches: the defaults, and the built-in games."""

from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest

import montego as mg
from montego import sgf
from montego.errors import IllegalMove, SpecError
from montego.games import Layout, Position, conformance, rules, square_board
from montego.games.rules import is_legal, is_over, legal_moves, owners, play, score, start, state_hash, to_move
from montego.games.tictactoe import TicTacToe
from montego.kernels import implements, index
from montego.spec import Param

pytestmark = pytest.mark.both_modes


class _Rules(NamedTuple):
    width: Annotated[int, Param("cells", 2, 40)] = 6
    height: Annotated[int, Param("rows", 1, 1)] = 1


class Strip(_Rules, mg.Game, name="strip_of_the_tests"):
    """Take a cell of a strip, which blocks the cell to its right; the last player to move wins."""

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype((np.record, [("cells", np.int8, (40,)), ("turn", np.int64), ("free", np.int64)]))

    def move_limit(self) -> int:
        return self.width

    def max_length(self) -> int:
        return self.width

    def layout(self) -> Layout:
        return square_board(self.width, 1)

    def set_up(self, state: Any, stones: dict[str, int], to_move: int) -> None:
        names = self.layout().names
        for name, owner in stones.items():
            state.cells[names.index(name)] = owner
        state.turn, state.free = to_move, int((state.cells[: self.width] == rules.NOBODY).sum())


@implements(start, Strip)
def _start(game, state):
    state.cells[:] = -1
    state.free = game.width


@implements(to_move, Strip)
def _to_move(game, state):
    return state.turn


@implements(is_over, Strip)
def _is_over(game, state):
    return state.free == 0


@implements(is_legal, Strip)
def _is_legal(game, state, move):
    return 0 <= move < game.width and state.cells[index(move)] == -1


@implements(legal_moves, Strip)
def _legal_moves(game, state, moves):
    count = 0
    for move in range(game.width):
        if state.cells[index(move)] == -1:
            moves[index(count)] = move
            count += 1
    return count


@implements(play, Strip)
def _play(game, state, move):
    state.cells[index(move)] = state.turn
    state.free -= 1
    if move + 1 < game.width and state.cells[index(move + 1)] == -1:
        state.cells[index(move + 1)] = 2
        state.free -= 1
    state.turn = 1 - state.turn


@implements(score, Strip)
def _score(game, state):
    return 1.0 if state.turn == 1 else -1.0


@implements(state_hash, Strip)
def _state_hash(game, state):
    key = np.uint64(state.turn + 1)
    for cell in range(game.width):
        key = key * np.uint64(5) % np.uint64(1000000007) + np.uint64(state.cells[index(cell)] + 1)
    return key


@implements(owners, Strip)
def _owners(game, state, out):
    for cell in range(game.width):
        out[index(cell)] = state.cells[index(cell)]


STRIP = Strip()


def test_a_game_with_neutral_points_conforms():
    conformance.check_game(STRIP, seeds=2)


def test_neutral_points_are_drawn_set_up_and_recorded():
    position = STRIP.start().play("b1")
    assert str(position).splitlines()[0] == "1 .(X)# . . ."
    assert position.svg().count('class="neutral"') == 1
    assert position.stones() == {"b1": 0, "c1": rules.NEUTRAL}
    assert Position.from_text(STRIP, ". X # . . .", 1) == position
    turned = position.facing(0)
    assert turned.to_move == 0
    assert turned.stones() == position.stones()
    record = sgf.write(turned.play("e1"))
    assert "NEUTRAL[c1]" in record
    assert sgf.read(record).position == turned
    with pytest.raises(IllegalMove, match="must belong to player 0 or 1, not 2"):
        Position(mg.game("hex(size=3)"), {"a1": rules.NEUTRAL})


def test_records_of_a_game_of_ones_own():
    position = STRIP.start().play("b1").play("e1")
    text = sgf.write(position)
    assert "GM[strip_of_the_tests]MONTEGO[strip_of_the_tests]" in text.replace("\n", "")
    assert sgf.read(text).position == position


class Torus(mg.Go, name="torus_of_the_tests"):
    """Go under another name: it inherits Go's kernels and notation, but not its number in SGF."""


def test_a_game_that_extends_another_has_records_of_its_own():
    position = Torus(size=5).start().play("A1").play("B2")
    text = sgf.write(position)
    assert "GM[torus_of_the_tests]" in text
    assert "B[ae];W[bd]" in text
    assert sgf.read(text).game == Torus(size=5)
    assert sgf.read("(;GM[1]SZ[5];B[ae])").game.spec_name == "go"


def test_defaults():
    assert STRIP.gtp_start() == ["clear_board"]
    assert (STRIP.gtp_dialect, STRIP.colour_names, STRIP.colour_words) == ("plain", ("black", "white"), {})
    assert STRIP.passes_are_told
    assert not STRIP.ends_by_passing
    assert STRIP.handicap_stones() == {}
    assert STRIP.adjacent_points() == [[]] * 6
    assert STRIP.most_legal_moves() == STRIP.move_limit() == len(STRIP.new_moves())
    assert [symmetry.points for symmetry in STRIP.symmetries()] == [tuple(range(6))]


@pytest.mark.parametrize(
    ("spec", "commands"),
    [
        ("go(size=13, komi=5.5)", ["boardsize 13", "clear_board", "komi 5.5"]),
        ("go(size=7, height=5)", ["rectangular_boardsize 7 5", "clear_board", "komi 7.5"]),
        ("hex(size=5)", ["boardsize 5", "clear_board"]),
        ("y(board=bent)", ["boardsize 9", "clear_board"]),
        ("blokus_duo", ["set_game Blokus Duo", "clear_board"]),
        ("tictactoe", ["clear_board"]),
    ],
)
def test_how_another_program_is_prepared(spec, commands):
    assert mg.game(spec).gtp_start() == commands


@pytest.mark.parametrize(
    ("spec", "width", "height", "after"),
    [
        ("go(komi=0.5)", 7, 5, "go(size=7, height=5, komi=0.5)"),
        ("hex(swap=true)", 4, 4, "hex(size=4, swap=true)"),
        ("hex", 4, 5, None),
        ("hex", 40, 40, None),
        ("y(board=bent)", 9, 9, "y(board=bent)"),
        ("y(board=bent)", 11, 11, None),
        ("blokus_duo", 14, 14, "blokus_duo"),
        ("blokus_duo", 20, 20, None),
        ("strip_of_the_tests", 9, 1, "strip_of_the_tests(width=9)"),
        ("strip_of_the_tests", 9, 2, None),
    ],
)
def test_another_board(spec, width, height, after):
    if after is None:
        with pytest.raises(SpecError) as problem:
            mg.game(spec).resized(width, height)
        assert "\n" not in str(problem.value)
    else:
        assert mg.game(spec).resized(width, height) == mg.game(after)


def test_other_rules():
    go = mg.game("go(size=5)")
    assert go.with_rules(komi=0.5, superko=False) == mg.game("go(size=5, komi=0.5, superko=false)")
    assert go.has_rule("komi")
    assert not go.has_rule("swap")
    with pytest.raises(SpecError, match="unknown parameter 'colour'"):
        go.with_rules(colour=1)
    with pytest.raises(SpecError, match="komi must be a number"):
        go.with_rules(komi="much")


def test_handicap_stones_and_neighbours_of_go():
    assert mg.game("go(size=9, handicap=2)").handicap_stones() == {"C3": 0, "G7": 0}
    near = mg.game("go(size=3)").adjacent_points()
    assert [sorted(points) for points in near[:2]] == [[1, 3], [0, 2, 4]]
    assert len(near[4]) == 4


@pytest.mark.parametrize(
    ("spec", "most"), [("go(size=10, height=9)", 91), ("hex(size=4, swap=true)", 16), ("y(size=4)", 10)]
)
def test_no_position_has_more_legal_moves(spec, most):
    game = mg.game(spec)
    assert game.most_legal_moves() == most == len(game.new_moves())
    position = game.start()
    counts = [len(position.legal_numbers())]
    if spec.startswith("hex"):
        counts.append(len(position.play("a2").legal_numbers()))
    assert max(counts) == most


def test_facing_the_same_and_the_other_player():
    go = mg.game("go(size=5, handicap=0)").start().play("C3")
    assert go.facing(1) is go
    turned = go.facing(0)
    assert turned.to_move == 0
    assert turned.stones() == {"C3": 0}
    assert go.to_move == 1
    ended = mg.game("go(size=5)").start().play("C3").play("pass").play("pass")
    assert not ended.facing(1).over
    with pytest.raises(IllegalMove, match="has no positions set up by hand"):
        TicTacToe().start().facing(1)


def test_facing_keeps_superko():
    """Black has retaken a ko by two moves in a row; the board before that may not come again."""
    ko = Position.from_text(
        mg.game("go(size=5, superko=true)"), ". X O . .  X . X O .  . X O . .  . . . . .  . . . . .", 1
    )
    taken = ko.play("B4")  # White takes the stone on C4
    assert taken.stones().get("C4") is None
    assert not taken.is_legal("C4")
    assert not taken.facing(1).facing(0).is_legal("C4")


def test_facing_a_player_of_a_handicap_game():
    game = mg.game("go(size=9, handicap=2)")
    turned = game.start().play("E5").facing(1)
    assert turned.game == game
    assert turned.stones() == {"C3": 0, "G7": 0, "E5": 1}


@pytest.mark.parametrize("to_move", [2, -1, None, "1", True, [0]])
@pytest.mark.parametrize("spec", ["tictactoe", "go(size=5)", "hex(size=3)"])
def test_nobody_else_can_be_to_move(spec, to_move):
    with pytest.raises(IllegalMove, match="the player to move must be 0 or 1"):
        Position(mg.game(spec), {}, to_move)


def test_a_taken_name_is_refused():
    with pytest.raises(SpecError, match=r"the game 'go' is taken by montego.games.go.game.Go; choose another name"):

        class Mine(_Rules, mg.Game, name="go"):
            """Not Go."""

    assert mg.game("go") == mg.Go()


def test_symmetries_map_points_and_moves():
    board = mg.game("tictactoe")
    images = {symmetry.move(board.parse_move("a3")) for symmetry in board.symmetries()}
    assert {board.move_name(move) for move in images} == {"a1", "a3", "c1", "c3"}
    half_turn = mg.game("hex(size=3, swap=true)").symmetries()[1]
    assert half_turn.point(0) == 8
    assert half_turn.point_name("a1") == "c3"
    assert half_turn.move(9) == 9  # swapping has no points
