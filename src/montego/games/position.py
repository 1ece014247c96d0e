"""A game in progress: a state, the moves that led to it, and the checks between a person and the kernels."""

from __future__ import annotations

import json
import operator
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from montego.errors import IllegalMove, MontegoError, StateError
from montego.games import rules
from montego.games.registry import game as build_game
from montego.games.tools import characters, drawing

if TYPE_CHECKING:
    from montego.games.game import Game

T = TypeVar("T")


class Position:
    """One position of one game, with its history.

    What is known about a position is a property (``to_move``, ``over``, ``winner``, ``result``, ``last_move``,
    ``history``, ``key``); what the rules work out anew each time is a call (``legal_moves()``, ``score()``,
    ``owners()``, ``stones()``).

    Moves are names ("E5") or numbers. A refused move raises and changes nothing. ``state`` is the record that kernels
    work on; treat it as read-only and take a copy.
    """

    def __init__(self, game: Game, stones: dict[str, int] | None = None, to_move: int = 0) -> None:
        self.game = game
        stones, to_move = _checked_setup(stones or {}, to_move)
        self.setup = (stones, to_move) if stones or to_move else None
        self.moves: list[int] = []
        self._boards: list[int] = []  # the keys of the positions before this one
        self.state = self._initial()

    def _initial(self) -> Any:
        state = self.game.new_state()
        rules.start(self.game, state)
        if self.setup:
            self.game.set_up(state, *self.setup)
        return state

    # -- questions

    @property
    def to_move(self) -> int:
        """The player to move, 0 or 1."""
        return int(rules.to_move(self.game, self.state))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(rules.is_over(self.game, self.state))

    def score(self) -> float:
        """Return the score from player 0's perspective; final when the game is over."""
        return float(rules.score(self.game, self.state))

    @property
    def winner(self) -> int | None:
        """The winner of a finished game, 0 or 1; -1 for a draw; None while it goes on."""
        return int(rules.winner(self.game, self.state)) if self.over else None

    @property
    def result(self) -> str:
        """The result in words, or who is to move."""
        if self.over:
            return self.game.result(self.score())
        return f"{self.game.players[self.to_move]} to move"

    def legal_numbers(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Return the legal moves as numbers, history rules included."""
        moves = self.game.new_moves()
        moves = moves[: rules.legal_moves(self.game, self.state, moves)]
        allowed: np.ndarray[Any, np.dtype[np.int32]] = moves[self.game.allowed_by_history(self, moves)]
        return allowed

    def legal_moves(self) -> list[str]:
        """Return the legal moves as people write them."""
        return [self.game.move_name(int(move)) for move in self.legal_numbers()]

    def is_legal(self, move: str | int) -> bool:
        """Whether a move may be played now."""
        try:
            self._check(move)
        except IllegalMove:
            return False
        return True

    @property
    def last_move(self) -> str | None:
        """The last move as people write it; None before the first one."""
        return self.game.move_name(self.moves[-1]) if self.moves else None

    @property
    def history(self) -> list[str]:
        """All moves as people write them."""
        return [self.game.move_name(move) for move in self.moves]

    def owners(self) -> np.ndarray[Any, np.dtype[np.int8]]:
        """Return who holds each point of the layout: 0, 1, ``rules.NOBODY`` (-1) or ``rules.NEUTRAL`` (2)."""
        out = np.full(len(self.game.layout().names), rules.NOBODY, np.int8)
        rules.owners(self.game, self.state, out)
        return out

    def stones(self) -> dict[str, int]:
        """Return who holds each point that is not empty, by name: 0, 1 or ``rules.NEUTRAL``."""
        owners = zip(self.game.layout().names, self.owners(), strict=True)
        return {name: int(owner) for name, owner in owners if owner >= 0}

    def earlier_boards(self) -> list[int]:
        """Return the ``board_key`` of every position of the game so far, this one included."""
        return [*self._boards, self.game.board_key(self.state)]

    # -- moves

    def _check(self, move: str | int) -> int:
        """Return the number of a legal move, or raise with the reason."""
        number = self.game.parse_move(move) if isinstance(move, str) else _whole(move)
        if self.over:
            raise IllegalMove(f"the game is over ({self.result}); undo or start a new one")
        if not 0 <= number < self.game.move_limit():
            raise IllegalMove(
                f"no move number {number} in {self.game}; numbers go from 0 to {self.game.move_limit() - 1}"
            )
        if not rules.is_legal(self.game, self.state, number):
            why = self.game.why_illegal(self, number)
            raise IllegalMove(
                f"illegal move {self._name(number)} for {self.game.players[self.to_move]}{': ' if why else ''}{why}"
            )
        if not self.game.allowed_by_history(self, np.array([number], np.int32))[0]:
            raise IllegalMove(f"illegal move {self._name(number)}: it would repeat an earlier position")
        return number

    def _name(self, number: int) -> str:
        try:
            return self.game.move_name(number)
        except (IndexError, KeyError, MontegoError):
            return f"number {number}"

    def play(self, move: str | int) -> Position:
        """Play a legal move; return the position itself."""
        number = self._check(move)
        self._boards.append(self.game.board_key(self.state))
        rules.play(self.game, self.state, number)
        self.moves.append(number)
        return self

    def undo(self) -> Position:
        """Take back the last move; return the position itself."""
        if not self.moves:
            raise IllegalMove("nothing to undo: no move has been played")
        state = self._initial()
        for move in self.moves[:-1]:
            rules.play(self.game, state, move)
        self.state = state
        self.moves.pop()
        self._boards.pop()
        return self

    def facing(self, player: int) -> Position:
        """Return this board with ``player`` to move in a game that goes on, whoever's turn it is.

        The position itself if it is that player's turn. If the other player can only pass, the pass is played.
        Otherwise the stones are set up again with ``player`` to move; earlier boards are kept, so that superko still
        holds.
        """
        if not self.over and self.to_move == player:
            return self
        if not self.over and self.legal_moves() == ["pass"]:
            turned = self.copy().play("pass")
        else:
            turned = Position.with_stones(self.game, self.stones(), player)
            turned._boards = list(self._boards)  # a set-up forgets them
        if turned.over or turned.to_move != player:
            state = "the game is over" if turned.over else f"it is not the turn of {self.game.players[player]}"
            raise IllegalMove(f"{state} ({self.result}); undo or start a new one")
        return turned

    # -- copies, comparison, storage

    def beginning(self) -> Position:
        """Return the position before the first move."""
        return Position(self.game, *(self.setup or (None, 0)))

    def copy(self) -> Position:
        """Return an independent copy."""
        twin = Position.__new__(Position)
        twin.game, twin.setup = self.game, self.setup
        twin.moves, twin._boards = list(self.moves), list(self._boards)
        twin.state = np.array([self.state], self.game.state_dtype())[0]
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and self.key == other.key

    def __hash__(self) -> int:
        return hash((self.game, self.key))

    @property
    def key(self) -> int:
        """64 bits that identify the position within its game."""
        return int(rules.state_hash(self.game, self.state))

    def dumps(self) -> str:
        """Return the game as one line of JSON: spec, stones set up, moves, and a key that guards them."""
        record: dict[str, Any] = {
            "montego": 1,
            "game": str(self.game),
            "moves": self.history,
            "key": f"{self.key:016x}",
        }
        if self.setup:
            record["setup"] = {"stones": self.setup[0], "to_move": self.setup[1]}
        return json.dumps(record)

    @classmethod
    def loads(cls, source: str) -> Position:
        """Rebuild a game from ``dumps``; every move is checked again."""
        try:
            record = json.loads(source)
            if record["montego"] != 1:
                raise StateError(f"this position was saved in format {record['montego']}; format 1 expected")
            setup = record.get("setup") or {"stones": None, "to_move": 0}
            position = cls(build_game(record["game"]), setup["stones"], setup["to_move"])
            for move in record["moves"]:
                position.play(str(move))
            expected = record["key"]
        except StateError:
            raise
        except MontegoError as problem:
            raise StateError(f"damaged position: {problem}") from None
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            form = '{"montego": 1, "game": …, "moves": […], "key": …}'
            raise StateError(f"damaged position: expected {form}") from None
        if expected != f"{position.key:016x}":
            raise StateError("damaged position: the moves do not lead to the recorded key")
        return position

    # -- drawing

    @classmethod
    def with_stones(cls, game: Game, stones: dict[str, int], to_move: int = 0) -> Position:
        """Set up the position with exactly these stones; those of the game's start must be among them."""
        there = game.start().stones()
        if missing := [name for name, owner in there.items() if stones.get(name) != owner]:
            raise IllegalMove(f"cannot set up {game} without the stone on {missing[0]}, which is there at the start")
        return cls(game, {name: owner for name, owner in stones.items() if name not in there}, to_move)

    @classmethod
    def from_text(cls, game: Game, board: str, to_move: int = 0) -> Position:
        """Set up the position of a drawing: a symbol (``X``, ``O``, ``.``) per point, row by row, with any spaces."""
        symbols = "".join(board.split())
        names = game.layout().names
        nobody = game.symbols[2]
        owners = {game.symbols[0]: 0, game.symbols[1]: 1, nobody: rules.NOBODY, game.neutral_symbol: rules.NEUTRAL}
        if len(symbols) != len(names) or set(symbols) - set(owners):
            raise IllegalMove(
                f"a board of {game} has {len(names)} symbols out of '{game.symbols}'; this one has {len(symbols)}"
            )
        stones = {name: owners[symbol] for name, symbol in zip(names, symbols, strict=True) if symbol != nobody}
        return cls.with_stones(game, stones, to_move)

    def __str__(self) -> str:
        return characters.text(self)

    def __repr__(self) -> str:
        return f"<{self.game}, {len(self.moves)} moves, {self.result}>"

    def svg(
        self,
        heat: drawing.Heat | Mapping[str, float] | None = None,
        labels: Mapping[str, str] | None = None,
    ) -> str:
        """Return the board as SVG, the last move marked, with a heat map and labels if given.

        Both are by names of points or of moves. A move stands for every point that it occupies; a pass is left out.
        ``Heat`` says more than a dict of numbers: title and ends of the scale, and how well founded a number is.
        """
        warmth = heat if isinstance(heat, drawing.Heat) else drawing.Heat(heat or {})
        warmth = replace(warmth, values=self._by_point(warmth.values), weights=self._by_point(warmth.weights))
        return drawing.svg(self, warmth, self._by_point(labels or {}))

    def _by_point(self, values: Mapping[str, T]) -> dict[str, T]:
        """Return values given by point or by move, by point; of moves that share a point the first one counts."""
        names = set(self.game.layout().names)
        found: dict[str, T] = {}
        for name, value in values.items():
            for point in [name] if name in names else self._points_of(name):
                found.setdefault(point, value)
        return found

    def _points_of(self, move: str) -> list[str]:
        """Return the points of a move; what is not a move is returned as it is, for the drawing to refuse."""
        try:
            return self.game.points_of(self.game.parse_move(str(move)))
        except IllegalMove:
            return [move]

    def _repr_svg_(self) -> str:
        return self.svg()


def _checked_setup(stones: dict[str, int], to_move: int) -> tuple[dict[str, int], int]:
    """Return a copy of a set-up as plain numbers; refuse a player to move or an owner that no game has.

    Everything that is set up from outside comes through here, and kernels trust what they are given.
    """
    if not _is_one_of(to_move, (0, 1)):
        raise IllegalMove(f"the player to move must be 0 or 1, not {to_move!r:.40}")
    for name, owner in stones.items():
        if not _is_one_of(owner, (0, 1, rules.NEUTRAL)):
            raise IllegalMove(
                f"the stone on {name!s:.40} must belong to player 0 or 1, or to {rules.NEUTRAL} if neutral,"
                f" not {owner!r:.40}"
            )
    return {name: int(owner) for name, owner in stones.items()}, int(to_move)


def _is_one_of(value: Any, allowed: tuple[int, ...]) -> bool:
    """Whether a value is one of some whole numbers; 1.0 and true are not."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value in allowed


def _whole(move: Any) -> int:
    """Return a move number as int; 3.7 and None are not moves."""
    try:
        return operator.index(move)
    except TypeError:
        raise IllegalMove(f"a move is a name or a whole number, not {move!r}") from None
