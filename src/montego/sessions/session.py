"""The state of a game in progress: the position, the steps that led to it, the clocks, and who has resigned.

A ``Position`` covers only games in which the players take turns. Here either side may be asked to move: two stones of
one colour in a row, or a move after both have passed. Then the stones are set up again with the wanted side to move
(``Position.facing``). Every step remembers the position before it, so that undo takes back exactly one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from montego.errors import IllegalMove, counted
from montego.games import Game, Position
from montego.sessions.clock import Clock

PASS = "pass"


@dataclass(frozen=True)
class Decision:
    """What a player has decided to do: a move, or to resign if ``move`` is None.

    ``expects`` is the win rate that the player expects for itself, None if it does not know. ``detail`` is what another
    program said when it resigned.
    """

    player: int
    move: int | None
    expects: float | None = None
    seconds: float = 0.0
    detail: str = ""


@dataclass(frozen=True)
class Step:
    """A move that was made: by whom, with what expectation, and the position before it."""

    player: int
    move: int
    before: Position
    expects: float | None = None


class Session:
    """A game in progress. A refused move raises and changes nothing."""

    def __init__(self, game: Game) -> None:
        self.clock = Clock()
        self.restart(game)

    def restart(self, game: Game | None = None) -> None:
        """Start a new game, of another kind if one is given, and reset the clocks."""
        self.set_up((game or self.game).start())
        self.clock.restart()

    def set_up(self, position: Position) -> None:
        """Continue from a position as if the game began with it."""
        self.position = position
        self.steps: list[Step] = []
        self.handicap = 0  # stones placed before the game began
        self.resigned: int | None = None  # the player who gave up

    def load(self, position: Position) -> None:
        """Continue from a position; its moves become steps that can be undone."""
        self.set_up(Position(position.game, *(position.setup or (None, 0))))
        for move in position.moves:
            self.play(self.position.to_move, move)

    def place_handicap(self, names: Sequence[str]) -> None:
        """Begin with handicap stones of the first player; the second player moves first."""
        self.set_up(Position(self.game, dict.fromkeys(names, 0), 1))
        self.handicap = len(names)

    # -- questions

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.position.game

    @property
    def over(self) -> bool:
        """Whether the game has ended, by the rules or by resignation."""
        return self.resigned is not None or self.position.over

    @property
    def result(self) -> str:
        """The result in words, such as ``White+3.5`` or ``White+resign``, or who is to move."""
        if self.resigned is not None:
            return f"{self.game.players[1 - self.resigned]}+resign"
        if self.position.over:
            return self.game.result(self.position.score())
        return f"{self.game.players[self.position.to_move]} to move"

    @property
    def history(self) -> list[str]:
        """The moves that were made, as people write them."""
        return [self.game.move_name(step.move) for step in self.steps]

    def last_pass_by(self, player: int) -> bool:
        """Whether the last step was a pass of a player."""
        last = self.steps[-1] if self.steps else None
        return last is not None and last.player == player and self.game.move_name(last.move) == PASS

    # -- changes

    def set_rules(self, game: Game) -> None:
        """Continue with the same stones under other rules, such as another komi."""
        for position in [self.position, *(step.before for step in self.steps)]:
            position.game = game

    def play(self, player: int, move: str | int, expects: float | None = None) -> None:
        """Make a legal move for a player, whoever's turn it is; ``expects`` as in ``Decision``."""
        number = self.game.parse_move(move) if isinstance(move, str) else move
        after = self.position.facing(player).copy().play(number)
        self.steps.append(Step(player, number, self.position, expects))
        self.position, self.resigned = after, None

    def carry_out(self, decision: Decision) -> None:
        """Do what a player has decided, on its clock."""
        if decision.move is None:
            self.resigned = decision.player
        else:
            self.play(decision.player, decision.move, decision.expects)
        self.clock.spend(decision.player, decision.seconds)

    def undo(self, count: int = 1) -> None:
        """Take back the last steps, all of them or none."""
        if not 1 <= count <= len(self.steps):
            raise IllegalMove(f"cannot undo {counted(count, 'move')}; the game has {len(self.steps)}")
        self.position = self.steps[-count].before
        del self.steps[-count:]
        self.resigned = None
