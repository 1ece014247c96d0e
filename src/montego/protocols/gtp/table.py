"""The game on the table: a position and what led to it, as GTP sees it.

A ``Position`` knows only games in which the players take turns. A controller may play two stones of one colour in a row,
ask for a move of either side, or go on after both have passed. Then the stones are set up anew with the wanted side to
move; the boards of the game so far are kept, so that superko still holds. Every step remembers the position before it, so
that undo takes back exactly one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from montego.errors import IllegalMove, MontegoError, SpecError
from montego.games import Game, Go, Position
from montego.protocols.gtp.lines import Failure

PASS = "pass"


@dataclass(frozen=True)
class Step:
    """A move that was made, by whom, and the position before it."""

    player: int
    move: int
    before: Position


def facing(position: Position, player: int) -> Position:
    """Return the position with a player to move in a game that goes on: the same one, or one set up for it."""
    if position.to_move == player and not position.over:
        return position
    if not position.over and position.legal_moves() == [PASS]:  # Blokus: there was no choice
        turned = position.copy().play(PASS)
    else:
        turned = _set_up_again(position, player)
    if turned.over or turned.to_move != player:
        raise Failure("game is over" if turned.over else "not this color's turn")
    return turned


def _set_up_again(position: Position, player: int) -> Position:
    names, owners = position.game.layout().names, position.owners()
    stones = {name: int(owner) for name, owner in zip(names, owners, strict=True) if owner >= 0}
    try:
        turned = Position(position.game, stones, player)
    except IllegalMove:
        raise Failure("game is over" if position.over else "not this color's turn") from None
    turned._boards = position.earlier_boards()[:-1]  # a set-up forgets the history that superko needs
    return turned


class Table:
    """A board with a game in progress. A refused command changes nothing."""

    def __init__(self, game: Game) -> None:
        self.clear(game)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.position.game

    def clear(self, game: Game | None = None) -> None:
        """Start anew, with another game if one is given. Handicap stones are set up, so that the game itself has none."""
        game = game or self.game
        self.position = game.start()
        self.handicap = game.handicap if isinstance(game, Go) else 0
        if isinstance(game, Go) and game.handicap:
            stones = _stones(self.position)
            self.position = Position(game._replace(handicap=0), stones, 1)
        self.steps: list[Step] = []

    def load(self, position: Position) -> None:
        """Take over a position, moves and all."""
        moves = list(position.moves)
        start = Position(position.game, *(position.setup or (None, 0)))
        self.clear(position.game)
        if not self.handicap:
            self.position = start
        for move in moves:
            self.play_number(self.position.to_move, move)

    @property
    def empty(self) -> bool:
        """Whether no stone is on the board."""
        return bool((self.position.owners() < 0).all())

    def resize(self, width: int, height: int) -> None:
        """Start anew on a board of another size."""
        self.clear(resized(self.game, width, height))

    def set_komi(self, komi: float) -> None:
        """Change the komi of a game of Go in progress."""
        if not isinstance(self.game, Go):
            raise Failure(f"{self.game.spec_name} has no komi")
        try:
            self.set_rules(self.game._replace(komi=komi))
        except SpecError:
            raise Failure("unacceptable komi") from None

    def set_rules(self, game: Game) -> None:
        """Go on with the same stones under other rules."""
        for position in [self.position, *(step.before for step in self.steps)]:
            position.game = game

    def place_handicap(self, names: Sequence[str]) -> None:
        """Put Black's handicap stones on an empty board, White to move."""
        self.steps = []
        self.position = Position(self.game, dict.fromkeys(names, 0), 1)
        self.handicap = len(names)

    def play(self, player: int, move: str | int) -> None:
        """Make a legal move for a player, whoever's turn it is."""
        from montego.protocols.gtp.lines import vertex

        self.play_number(player, vertex(self.game, move) if isinstance(move, str) else move)

    def play_number(self, player: int, move: int) -> None:
        """Make a move, given as a number."""
        try:
            after = facing(self.position, player).copy().play(move)
        except (IllegalMove, Failure):
            raise Failure("illegal move") from None
        self.steps.append(Step(player, move, self.position))
        self.position = after

    def undo(self, count: int = 1) -> None:
        """Take back the last moves, all of them or none."""
        if not 1 <= count <= len(self.steps):
            raise Failure("cannot undo")
        self.position = self.steps[-count].before
        del self.steps[-count:]

    def passed(self, player: int) -> bool:
        """Whether the last move was a pass of a player."""
        return bool(self.steps) and self.steps[-1].player == player and self.last_move() == PASS

    def last_move(self) -> str | None:
        """Return the last move as people write it."""
        return self.game.move_name(self.steps[-1].move) if self.steps else None


def _stones(position: Position) -> dict[str, int]:
    names = position.game.layout().names
    return {name: int(owner) for name, owner in zip(names, position.owners(), strict=True) if owner >= 0}


def resized(game: Game, width: int, height: int) -> Game:
    """Return the same game on a board of another size."""
    fields: tuple[str, ...] = getattr(game, "_fields", ())
    try:
        if "height" in fields:
            return game._replace(size=width, height=height)  # type: ignore[attr-defined, no-any-return]
        if width == height and "size" in fields:
            return game._replace(size=width)  # type: ignore[attr-defined, no-any-return]
    except MontegoError:
        raise Failure("unacceptable size") from None
    if width == height and width * height == len(game.layout().names):
        return game
    raise Failure("unacceptable size")
