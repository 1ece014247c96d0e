"""The engine as controllers see it: takes a line, performs its command, writes the reply."""

import contextlib
import io
import select
import sys
import threading
import traceback
from typing import Any

from montego.errors import MontegoError
from montego.games import Game
from montego.outside import printable
from montego.protocols.gtp.commands import commands_for
from montego.protocols.gtp.conversation import Conversation, Handler
from montego.protocols.gtp.inbox import Inbox, OverlongLine
from montego.protocols.gtp.lines import Command, Failure, format_body, format_reply, no_more, one, parse_line
from montego.sessions import Manners


class GtpServer:
    """Answers the lines of one controller. What the commands do is in ``commands``."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation

    @property
    def commands(self) -> dict[str, Handler]:
        """The commands for the game that is played, by name."""
        found = {"known_command": self._known_command, "list_commands": self._list_commands}
        return dict(sorted((found | commands_for(self.conversation.game.gtp_dialect)).items()))

    def run(self) -> None:
        """Answer lines from the inbox until ``quit`` or their end."""
        while not self.conversation.done:
            line = self.conversation.inbox.take()
            if line is None:
                break
            self.handle(line)
        self.conversation.mind.close()

    def handle(self, line: str) -> None:
        """Perform the command of one line and write its reply; a line without a command gets none."""
        command = parse_line(line)
        if command is None:
            return
        self.conversation.id, self.conversation.streaming = command.id, False
        try:
            if isinstance(line, OverlongLine):
                raise Failure("line too long")
            handler = self.commands.get(command.name)
            if handler is None:
                raise Failure("unknown command")
            self._finish(command, handler(self.conversation, command.arguments))
        except Failure as failure:
            self._finish(command, str(failure), ok=False)
        except MontegoError as problem:
            self._finish(command, " ".join(str(problem).split()), ok=False)
        except BrokenPipeError:
            raise
        except MemoryError:
            self._finish(command, "out of memory", ok=False)
        except (
            OSError,
            ArithmeticError,
            LookupError,
            TypeError,
            ValueError,
            AssertionError,
            RecursionError,
        ):
            self.conversation.log(traceback.format_exc())
            self._finish(command, "internal error", ok=False)

    def _finish(self, command: Command, text: str, ok: bool = True) -> None:
        conversation = self.conversation
        if not conversation.streaming:
            conversation.write(format_reply(text, command.id, ok))
            return
        if not ok:
            conversation.log(text)
        conversation.write(f"{format_body(text)}\n\n" if ok and text else "\n")

    # -- commands about commands

    def _known_command(self, conversation: Conversation, words: list[str]) -> str:
        """Say whether a command is known."""
        return "true" if one(words) in self.commands else "false"

    def _list_commands(self, conversation: Conversation, words: list[str]) -> str:
        """List the commands, one per line."""
        no_more(words, 0)
        return "\n".join(self.commands)


def serve(settings: Any, game: Game, seed: int | None, manners: Manners) -> None:
    """Answer commands from standard input until it ends. Standard output is for replies alone."""
    replies, sys.stdout = sys.stdout, sys.stderr  # whatever else is printed must not look like a reply

    def write(text: str) -> None:
        replies.write(text)
        replies.flush()

    def log(line: str) -> None:
        with contextlib.suppress(OSError):  # nobody reads it
            print(f"montego: {printable(line.rstrip())}", file=sys.stderr, flush=True)

    def is_heard() -> bool:
        """Whether somebody may still read the replies: a pipe knows when its other end has been closed."""
        poll = select.poll()
        poll.register(replies.fileno(), 0)
        return not poll.poll(0)

    if isinstance(replies, io.TextIOWrapper):
        replies.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    inbox = Inbox()
    conversation = Conversation(settings, game, seed, manners=manners, inbox=inbox, write=write, log=log)
    conversation.is_heard = is_heard
    mind = conversation.mind
    log(f"{game}, {mind.player(conversation.game)}, seed {mind.seed}")
    threading.Thread(target=inbox.read, args=(sys.stdin.fileno(),), daemon=True).start()
    try:
        mind.warm(conversation.game)
        GtpServer(conversation).run()
    finally:
        sys.stdout = replies
