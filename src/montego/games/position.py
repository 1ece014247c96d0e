"""A game in progress: a state, the moves that led to it, and the checks between a person and the kernels."""

from __future__ import annotations

import json
import operator
from typing import Any

import numpy as np

from montego.errors import IllegalMove, MontegoError, StateError
from montego.games import drawing, rules
from montego.games.game import Game, game as build_game


class Position:
    """One position of one game, with its history.

    Moves are names ("E5") or numbers. A refused move raises and changes nothing. ``state`` is the record that kernels
    work on; treat it as read-only and take a copy.
    """

    def __init__(self, game: Game, stones: dict[str, int] | None = None, to_move: int = 0) -> None:
        self.game = game
        self.setup = (dict(stones or {}), to_move) if stones or to_move else None
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

    def result(self) -> str:
        """Return the result in words, or who is to move."""
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

    def last_move(self) -> str | None:
        """Return the last move as people write it."""
        return self.game.move_name(self.moves[-1]) if self.moves else None

    def history(self) -> list[str]:
        """Return all moves as people write them."""
        return [self.game.move_name(move) for move in self.moves]

    def owners(self) -> np.ndarray[Any, np.dtype[np.int8]]:
        """Return who holds each point of the layout: 0, 1, or -1 for nobody."""
        out = np.full(len(self.game.layout().names), -1, np.int8)
        rules.owners(self.game, self.state, out)
        return out

    def stones(self) -> dict[str, int]:
        """Return the points that are held, with their owners."""
        owners = zip(self.game.layout().names, self.owners(), strict=True)
        return {name: int(owner) for name, owner in owners if owner >= 0}

    def facing(self, player: int) -> Position:
        """Return the position with a player to move in a game that goes on: this one, or one set up for it."""
        if self.to_move == player and not self.over:
            return self
        if not self.over and self.legal_moves() == ["pass"]:
            turned = self.copy().play("pass")
        else:
            turned = Position(self.game, self.stones(), player)
            turned._boards = self.earlier_boards()[:-1]  # a set-up forgets the history that superko needs
        if turned.over or turned.to_move != player:
            raise IllegalMove(f"{self.game.players[player]} cannot move here")
        return turned

    def earlier_boards(self) -> list[int]:
        """Return the ``board_key`` of every position of the game so far, this one included."""
        return [*self._boards, self.game.board_key(self.state)]

    # -- moves

    def _check(self, move: str | int) -> int:
        """Return the number of a legal move, or raise with the reason."""
        number = self.game.parse_move(move) if isinstance(move, str) else _whole(move)
        if self.over:
            raise IllegalMove(f"the game is over ({self.result()}); undo or start a new one")
        if not 0 <= number < self.game.move_limit():
            raise IllegalMove(
                f"no move number {number} in {self.game}; numbers go from 0 to {self.game.move_limit() - 1}"
            )
        if not rules.is_legal(self.game, self.state, number):
            raise IllegalMove(f"illegal move {self._name(number)} for {self.game.players[self.to_move]}")
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

    # -- copies, comparison, storage

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
        return self.game == other.game and self.key() == other.key()

    def __hash__(self) -> int:
        return hash((self.game, self.key()))

    def key(self) -> int:
        """Return 64 bits that identify the position within its game."""
        return int(rules.state_hash(self.game, self.state))

    def dumps(self) -> str:
        """Return the game as one line of JSON: spec, stones set up, moves, and a key that guards them."""
        record: dict[str, Any] = {
            "montego": 1,
            "game": str(self.game),
            "moves": self.history(),
            "key": f"{self.key():016x}",
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
            raise StateError('damaged position: expected {"montego": 1, "game": …, "moves": […], "key": …}') from None
        if expected != f"{position.key():016x}":
            raise StateError("damaged position: the moves do not lead to the recorded key")
        return position

    # -- drawing

    @classmethod
    def from_text(cls, game: Game, board: str, to_move: int = 0) -> Position:
        """Set up the position of a drawing: one symbol (``X``, ``O``, ``.``) a point, row by row; spaces mean nothing."""
        symbols = "".join(board.split())
        names = game.layout().names
        if len(symbols) != len(names) or set(symbols) - set(game.symbols):
            raise IllegalMove(
                f"a board of {game} has {len(names)} symbols out of '{game.symbols}'; this one has {len(symbols)}"
            )
        stones = {name: game.symbols.index(s) for name, s in zip(names, symbols, strict=True) if s != game.symbols[2]}
        return cls(game, stones, to_move)

    def __str__(self) -> str:
        return drawing.text(self)

    def __repr__(self) -> str:
        return f"<{self.game}, {len(self.moves)} moves, {self.result()}>"

    def svg(self, heat: dict[str, float] | None = None, labels: dict[str, str] | None = None) -> str:
        """Return the board as SVG, the last move marked, with a heat map and labels per point if given."""
        return drawing.svg(self, heat, labels)

    def _repr_svg_(self) -> str:
        return self.svg()


def _whole(move: Any) -> int:
    """Return a move number as int; 3.7 and None are no moves."""
    try:
        return operator.index(move)
    except TypeError:
        raise IllegalMove(f"a move is a name or a whole number, not {move!r}") from None
