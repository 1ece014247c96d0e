"""What a game is to the rest of the program: rule parameters, sizes of its arrays, notation and layout.

A game is two classes and a handful of kernels, all in one file (``tictactoe.py`` is the one to copy)::

    class _Rules(NamedTuple):                     # the parameters, each with its meaning and range
        size: Annotated[int, Param("points per side", 1, 25)] = 9

    class MyGame(_Rules, Game, name="my_game"):   # sizes, names of moves, where points are drawn
        ...

    @implements(play, MyGame)                     # the rules (montego.games.rules lists them)
    def _play(game, state, move): ...
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from montego._jit import name_apart
from montego.errors import IllegalMove, SpecError, nearest
from montego.games import rules
from montego.games.features import Column
from montego.games.position import Position
from montego.games.registry import GAMES, game
from montego.games.tools.dialect import Dialect
from montego.games.tools.layout import Layout
from montego.games.tools.symmetry import Symmetry
from montego.spec import parameters, text

__all__ = ["GAMES", "Game", "game"]


class Game:
    """Base of every game class. Subclasses are NamedTuples of rule parameters; instances are immutable."""

    spec_name: ClassVar[str]
    players: ClassVar[tuple[str, str]] = ("Black", "White")
    alternates: ClassVar[bool] = True  # whether the players always move in turn, a pass being a move; RAVE needs it
    symbols: ClassVar[str] = "XO."  # player 0, player 1, nobody, in text drawings
    neutral_symbol: ClassVar[str] = "#"  # a point that is blocked or neutral (``rules.NEUTRAL``)
    colours: ClassVar[tuple[str, str]] = ("#1c1c1c", "#f7f7f2")  # of the players, in pictures
    # Whether two passes end the game and the players then agree which stones are dead and come off (Go).
    ends_by_passing: ClassVar[bool] = False
    # Whether a forced pass is sent to other programs and written to records (not in Blokus).
    passes_are_told: ClassVar[bool] = True
    # Which family of GTP commands a controller expects: "go", "hex", "blokus" or "plain".
    gtp_dialect: ClassVar[str] = "plain"
    # What the players are called in the GTP commands that we send, and further words by which others may call them.
    colour_names: ClassVar[tuple[str, str]] = ("black", "white")
    colour_words: ClassVar[dict[str, int]] = {}
    # How the game is written in SGF.
    sgf: ClassVar[Dialect] = Dialect()

    def __init_subclass__(cls, name: str = "", **kwargs: Any) -> None:
        """Register a game under its name; a class without one is a base for other games."""
        super().__init_subclass__(**kwargs)
        name_apart(cls)
        if name:
            GAMES.add(name, cls)

    def __str__(self) -> str:
        return text(self)

    def __bool__(self) -> bool:
        return True  # an empty tuple would be false, but a game without parameters is still a game

    # -- what a subclass must define

    def state_dtype(self) -> np.dtype[Any]:
        """Return the record type of a state."""
        raise TypeError(f"{type(self).__name__} must define state_dtype()")

    def move_limit(self) -> int:
        """Return a number above every move; arrays indexed by move have this length."""
        raise TypeError(f"{type(self).__name__} must define move_limit()")

    def max_length(self) -> int:
        """Return the greatest number of moves of a playout (a cap where a game could go on for ever)."""
        raise TypeError(f"{type(self).__name__} must define max_length()")

    def layout(self) -> Layout:
        """Return where the points are drawn."""
        raise TypeError(f"{type(self).__name__} must define layout()")

    # -- what a subclass may replace; the defaults serve games whose move k is "occupy point k of the layout"

    def most_legal_moves(self) -> int:
        """Return a number that the legal moves of a position never exceed; arrays that list moves have this length."""
        return self.move_limit()

    def move_names(self) -> Sequence[str]:
        """Return the notation that people use for each move, in the order of their numbers."""
        return self.layout().names

    def move_name(self, move: int) -> str:
        """Return the notation that people use for a move."""
        return _names(self)[move]

    def parse_move(self, source: str) -> int:
        """Return the move that a notation means; upper and lower case are the same."""
        word = source.strip().lower()
        numbers = _numbers(self)
        if word not in numbers:
            names = _names(self)
            raise IllegalMove(f"no move {source.strip()[:40]!r} in {self}{_move_hint(word[:40], names)}")
        return numbers[word]

    def describe_move(self, move: int) -> str:
        """Return a move as a person would call it, where the notation is long (Blokus: piece, square and turn)."""
        return self.move_name(move)

    def why_illegal(self, position: Position, move: int) -> str:
        """Return in a few words why a move is illegal in a position that is not over; empty if there is no more to say.

        It is asked only for moves that ``rules.is_legal`` refuses. The default knows that a point may be taken.
        """
        taken = position.stones()
        point = next((name for name in self.points_of(move) if name in taken), None)
        return f"{point} is taken" if point else ""

    def points_of(self, move: int) -> list[str]:
        """Return the names of the points that a move occupies, for marking the last move."""
        name = self.move_name(move)
        return [name] if name in _point_numbers(self) else []

    def last_points(self, position: Position) -> list[str]:
        """Return the names of the points to mark as the last move, where its number alone does not tell."""
        return self.points_of(position.moves[-1]) if position.moves else []

    def board_key(self, state: Any) -> int:
        """Return 64 bits that identify what must not be repeated, for games with such a rule (Go: the board)."""
        return int(rules.state_hash(self, state))

    def allowed_by_history(self, position: Position, moves: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return for each of some otherwise legal moves whether the earlier positions permit it (Go: superko)."""
        return np.ones(len(moves), bool)

    def point_symmetries(self) -> list[list[int]]:
        """Return the symmetries of the game as permutations of the layout's points: where each point goes.

        A symmetry turns every game into an equally good game of the same players. The identity comes first; a game that
        has others chooses from ``self.layout().symmetries()``.
        """
        return [list(range(len(self.layout().names)))]

    def image_of_move(self, move: int, symmetry: Symmetry) -> int:
        """Return what a symmetry makes of a move; the default maps moves of one point and leaves others as they are."""
        points = self.points_of(move)
        return self.parse_move(symmetry.point_name(points[0])) if len(points) == 1 else move

    def turning_move(self) -> int | None:
        """Return the move that exchanges the players and changes nothing else, if there is one (Hex: the swap).

        After it the other player is where the mover was before, so it is worth 1 minus the best other move: a search
        makes it when that is worth less than 1/2.
        """
        return None

    def certain_winner(self, position: Position) -> int | None:
        """Return who wins a position for certain, whoever is to move, if the game can tell before its end (Hex, Y).

        None says nothing. Where players may resign, the other one gives up.
        """
        return None

    def notes(self, position: Position) -> list[str]:
        """Return lines to show below the board in a text drawing (Blokus: the pieces left)."""
        return []

    def tray(self, position: Position) -> list[dict[str, list[tuple[int, int]]]]:
        """Return for each player the pieces still to be placed: their squares (row, column) by name.

        Empty in games whose moves are not pieces.
        """
        return []

    def set_up(self, state: Any, stones: dict[str, int], to_move: int) -> None:
        """Place stones (name of point -> player) on a starting state."""
        raise IllegalMove(f"{self} has no positions set up by hand; start from the beginning and play moves")

    def handicap_stones(self) -> dict[str, int]:
        """Return the stones (name of point -> player) that are on the board at the start because of a handicap."""
        return {}

    def resized(self, width: int, height: int) -> Game:
        """Return the same game on a board of so many columns and rows; ``SpecError`` if there is no such board."""
        if self.has_rule("height"):
            across = "width" if self.has_rule("width") else "size"
            return self.with_rules(**{across: width, "height": height})
        if width == height and self.has_rule("size"):
            return self.with_rules(size=width)
        if width == height and width * height == len(self.layout().names):
            return self
        raise SpecError(f"{self.spec_name} has no board of {width}×{height}; {self} is played")

    def gtp_start(self) -> list[str]:
        """Return the GTP commands that prepare another program for the start of this game."""
        return ["clear_board"]

    def max_score(self) -> float:
        """Return the greatest score there can be, to scale scores by."""
        return 1.0

    def pattern_classes(self) -> int:
        """Return how many classes of surroundings ``rules.pattern_class`` tells apart; 1 if the game has none."""
        return 1

    def feature_columns(self) -> tuple[Column, ...]:
        """Return what the numbers of ``rules.move_features`` mean; without columns a game has no softmax policy."""
        return ()

    def feature_tables(self) -> Any:
        """Return what ``rules.move_features`` reads and works with: an array, or a NamedTuple of arrays."""
        return np.zeros(1, np.uint8)

    def directions(self) -> int:
        """Return in how many directions ``rules.nearby`` finds points beside a move; 0 without ``nearby``."""
        return 0

    def result(self, score: float) -> str:
        """Return the result of a finished game in words, such as ``Black+3.5``."""
        if score == 0:
            return "draw"
        return f"{self.players[0 if score > 0 else 1]}+{abs(score):g}"

    # -- what every game has

    def _parameters(self) -> list[str]:
        kind: type = type(self)
        return list(parameters(kind))

    def has_rule(self, name: str) -> bool:
        """Whether the game has a rule parameter of a name, such as ``komi``, ``handicap`` or ``swap``."""
        return name in self._parameters()

    def with_rules(self, /, **changes: Any) -> Game:
        """Return the same game with other rule parameters; ``SpecError`` for an unknown one or a wrong value."""
        values = {name: getattr(self, name) for name in self._parameters()}
        return type(self)(**{**values, **changes})

    def adjacent_points(self) -> list[list[int]]:
        """Return for each point of the layout its neighbours: the points that a line joins it with."""
        near: list[list[int]] = [[] for _ in self.layout().names]
        for one, other in self.layout().lines:
            near[one].append(other)
            near[other].append(one)
        return near

    def start(self) -> Position:
        """Return a new game at its starting position."""
        return Position(self)

    def symmetries(self) -> list[Symmetry]:
        """Return the symmetries of the game, the identity first; each maps points and moves."""
        return [Symmetry(self, tuple(points)) for points in self.point_symmetries()]

    def new_state(self) -> Any:
        """Return a zeroed record of the game's state type."""
        return np.zeros(1, self.state_dtype())[0]

    def new_moves(self) -> np.ndarray[Any, Any]:
        """Return an array with room for every legal move."""
        return np.zeros(self.most_legal_moves(), np.int32)

    def new_trace(self) -> np.ndarray[Any, Any]:
        """Return an array with room for every move of a playout."""
        return np.zeros(self.max_length(), np.int32)


@lru_cache(maxsize=64)
def _names(game: Game) -> list[str]:
    return list(game.move_names())


@lru_cache(maxsize=64)
def _numbers(game: Game) -> dict[str, int]:
    return {name.lower(): number for number, name in enumerate(_names(game))}


@lru_cache(maxsize=64)
def _point_numbers(game: Game) -> dict[str, int]:
    return {name: number for number, name in enumerate(game.layout().names)}


def _move_hint(word: str, names: list[str]) -> str:
    """Suggest the nearest names, or show the range of names."""
    hint = nearest(word, names)
    return hint if hint.startswith("; did") else f"; moves go from {names[0]} to {names[-1]}"
