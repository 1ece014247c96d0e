"""What the commands work with: the session, the mind, and the way to the controller; failures in GTP's own words."""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from montego.errors import IllegalMove, MontegoError
from montego.games import Game, Position
from montego.protocols.gtp.inbox import Inbox
from montego.protocols.gtp.lines import Failure, format_body, format_head, vertex
from montego.search import Analysis, Limits
from montego.sessions import Decision, Manners, Mind, Session

RESIGN = "resign"
Watch = Callable[[Callable[[], Analysis]], bool]
Handler = Callable[["Conversation", list[str]], str]


class Conversation:
    """An engine's side of a conversation with a controller.

    ``write`` gets pieces of replies to be sent at once; ``log`` gets lines for people.
    """

    def __init__(
        self,
        settings: Any,
        game: Game,
        seed: int | None = None,
        *,
        manners: Manners | None = None,
        inbox: Inbox | None = None,
        write: Callable[[str], object] = sys.stdout.write,
        log: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.mind = Mind(settings, seed, manners)
        self.session = Session(game)
        self.inbox = inbox or Inbox()
        self.write = write
        self.log = log
        self.is_heard: Callable[[], bool] = lambda: True  # whether anybody reads the replies
        self.done = False
        self.streaming = False
        self.id = ""  # of the command that is performed
        self._start(game)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.session.game

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.session.position

    # -- replies in parts

    def open_stream(self) -> None:
        """Say that the command succeeds; lines may follow until it returns."""
        self.streaming = True
        self.write(f"{format_head(self.id)}\n")

    def stream(self, line: str) -> None:
        """Write a line of a reply that was opened."""
        self.write(f"{format_body(line)}\n")

    # -- what several commands do

    def _start(self, game: Game) -> None:
        """Begin a game. Handicap stones are set up by hand, so that clearing the board removes them, as GTP has it."""
        stones = list(game.handicap_stones())
        self.session.restart(game.with_rules(handicap=0) if stones else game)
        if stones:
            self.session.place_handicap(stones)

    def new_game(self, game: Game | None = None) -> None:
        """Begin a game, of another size if one is given, and compile what it needs."""
        self._start(game or self.game)
        self.mind.warm(self.game)

    def facing(self, player: int) -> Position:
        """Return the position with a player to move."""
        try:
            return self.position.facing(player)
        except IllegalMove:
            raise Failure("game is over" if self.position.over else "not this color's turn") from None

    def play(self, player: int, word: str) -> None:
        """Make a move for a player, whoever's turn it is."""
        move = vertex(self.game, word)
        try:
            self.session.play(player, move)
        except IllegalMove:
            raise Failure("illegal move") from None

    def undo(self, count: int = 1) -> None:
        """Take back moves."""
        try:
            self.session.undo(count)
        except IllegalMove:
            raise Failure("cannot undo") from None

    def set_rules(self, failure: str, **changes: Any) -> None:
        """Continue with the same stones under changed rules; the words of the failure are the command's."""
        try:
            self.session.set_rules(self.game.with_rules(**changes))
        except MontegoError:
            raise Failure(failure) from None

    def genmove(
        self,
        player: int,
        *,
        watch: Watch | None = None,
        allowed: Callable[[str], bool] | None = None,
        manners: Manners | None = None,
        keep: bool = True,
    ) -> str:
        """Choose a move for a player within the time of the clock, and make it unless it is only asked for."""
        self.facing(player)
        manners = manners or self.mind.manners
        limits = Limits(watch=watch or (lambda current: self.cut_short()))
        decision = self.mind.choose(
            self.session, player, limits, manners if keep else replace(manners, resign_below=0.0), allowed
        )
        if keep:
            self.session.carry_out(decision)
        word = RESIGN if decision.move is None else self.game.move_name(decision.move)
        self.log(self._account(decision, word))
        return word

    def cut_short(self) -> bool:
        """Whether a search is to end at once: by ``# interrupt``, or because the controller has gone.

        A controller that has only closed its end of our input still waits for the last reply.
        """
        return self.inbox.interrupted() or (self.inbox.at_end() and not self.is_heard())

    def _account(self, decision: Decision, word: str) -> str:
        """Tell people what a move is based on."""
        analysis = self.mind.last
        best = analysis.best() if analysis and analysis.move == word else None
        if analysis is None or best is None or best.value is None:
            return f"{word} ({decision.seconds:.2f} s)"
        playouts = f"{best.visits} of {analysis.playouts} playouts"
        line = " ".join(analysis.principal_variation)
        return f"{word} ({best.value:.1%}, {playouts}, {decision.seconds:.2f} s): {line}"
