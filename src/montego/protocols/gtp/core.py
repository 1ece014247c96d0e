"""The engine: takes a line, performs the command, writes the reply. What the commands do is in ``commands``."""

import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

from montego.errors import MontegoError
from montego.games import Game
from montego.protocols.gtp.clock import LAG, Clock
from montego.protocols.gtp.inbox import Inbox
from montego.protocols.gtp.lines import Command, Failure, format_body, format_head, format_reply, parse_line
from montego.protocols.gtp.mind import RESIGN, Mind
from montego.protocols.gtp.table import Table
from montego.search import Analysis, Limits

Handler = Callable[["Engine", list[str]], str]
Watch = Callable[[Callable[[], Analysis]], bool]
RESIGN_BELOW = 0.05


class Engine:
    """A player that is spoken to in lines of text.

    ``write`` gets the replies, in pieces that are to be sent at once; ``log`` gets lines for people.
    """

    def __init__(
        self,
        settings: Any,
        game: Game,
        seed: int | None = None,
        *,
        resign: float = RESIGN_BELOW,
        lag: float = LAG,
        inbox: Inbox | None = None,
        write: Callable[[str], object] = sys.stdout.write,
        log: Callable[[str], None] = lambda line: None,
    ) -> None:
        from montego.protocols.gtp.commands import commands_for

        self.table = Table(game)
        self.clock = Clock()
        self.mind = Mind(settings, seed, resign)
        self.inbox = inbox or Inbox()
        self.lag = lag
        self.done = False
        self._write = write
        self.log = log
        self._commands_for = commands_for
        self._head = ""
        self._streaming = False

    @property
    def commands(self) -> dict[str, Handler]:
        """The commands that the engine knows for its game."""
        return self._commands_for(self.table.game.spec_name)

    def run(self) -> None:
        """Answer lines from the inbox until ``quit`` or their end."""
        while not self.done:
            line = self.inbox.take()
            if line is None:
                break
            self.handle(line)
        self.mind.close()

    def handle(self, line: str) -> None:
        """Perform the command of one line and write its reply; a line without a command gets none."""
        command = parse_line(line)
        if command is None:
            return
        self._head, self._streaming = command.id, False
        try:
            self._finish(self._perform(command))
        except Failure as failure:
            self._finish(str(failure), ok=False)
        except MontegoError as problem:
            self._finish(" ".join(str(problem).split()), ok=False)
        except (
            OSError,
            ArithmeticError,
            LookupError,
            TypeError,
            ValueError,
            AssertionError,
            RecursionError,
        ) as problem:
            if isinstance(problem, BrokenPipeError):
                raise
            self.log(traceback.format_exc())
            self._finish("internal error", ok=False)

    def _perform(self, command: Command) -> str:
        handler = self.commands.get(command.name)
        if handler is None:
            raise Failure("unknown command")
        return handler(self, command.arguments)

    def _finish(self, text: str, ok: bool = True) -> None:
        if not self._streaming:
            self._write(format_reply(text, self._head, ok))
            return
        if not ok:
            self.log(text)
        self._write(f"{format_body(text)}\n\n" if ok and text else "\n")

    def open_stream(self) -> None:
        """Say that the command succeeds; lines may follow until it returns."""
        self._streaming = True
        self._write(f"{format_head(self._head)}\n")

    def stream(self, line: str) -> None:
        """Write a line of a reply that was opened."""
        self._write(f"{format_body(line)}\n")

    # -- what several commands do

    def new_game(self, game: Game | None = None) -> None:
        """Clear the table and put the clocks back."""
        self.table.clear(game)
        self.clock.restart()
        self.mind.resign_rule.reset()
        self.mind.warm(self.table.game)

    def undo(self, count: int = 1) -> None:
        """Take back moves."""
        self.table.undo(count)
        self.mind.resign_rule.reset()

    def genmove(
        self,
        player: int,
        *,
        watch: Watch | None = None,
        allowed: Callable[[str], bool] | None = None,
        cleanup: bool = False,
        keep: bool = True,
    ) -> str:
        """Choose a move for a player within the time of the clock, and make it unless it is only asked for."""
        began = time.monotonic()
        seconds = self.clock.seconds_for_move(self.table.position, player, self.lag)
        limits = Limits(seconds=seconds, watch=watch or (lambda current: self.inbox.interrupted()))
        move = self.mind.choose(self.table, player, limits, allowed, cleanup, may_resign=keep)
        spent = time.monotonic() - began
        if keep:
            if move != RESIGN:
                self.table.play(player, move)
            self.clock.spend(player, spent)
        self.log(self._account(move, spent))
        return move

    def _account(self, move: str, spent: float) -> str:
        """Say for people what a move is based on."""
        analysis = self.mind.last
        best = analysis.best() if analysis and analysis.move == move else None
        if analysis is None or best is None or best.value is None:
            return f"{move} ({spent:.2f} s)"
        line = " ".join(analysis.principal_variation)
        return f"{move} ({best.value:.1%}, {best.visits} of {analysis.playouts} playouts, {spent:.2f} s): {line}"
