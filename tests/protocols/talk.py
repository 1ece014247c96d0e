"""A controller for the tests: talks to an engine in this process and takes its replies apart strictly."""

import re
from dataclasses import dataclass

import montego as mg
from montego.players import PLAYERS
from montego.protocols.gtp import Conversation, GtpServer, Inbox
from montego.sessions import Manners, Mind, Session

REPLY = re.compile(r"([=?])(\d*)(?: ?)((?:[^\n]|\n(?!\n))*)\n\n")


@dataclass
class Reply:
    """One reply, as GTP's grammar has it."""

    ok: bool
    id: str
    text: str


def parse_replies(output: str) -> list[Reply]:
    """Split what an engine wrote into replies; anything that is not a reply is an error."""
    found, at = [], 0
    while at < len(output):
        match = REPLY.match(output, at)
        assert match, f"not a GTP reply: {output[at : at + 200]!r}"
        assert not any(ord(c) < 32 and c not in "\n\t" for c in match[0])
        found.append(Reply(match[1] == "=", match[2], match[3]))
        at = match.end()
    return found


class Talk:
    """An engine in this process. Whatever it is told, input is waiting behind it, so no analysis goes on for ever."""

    def __init__(self, game="go(size=5)", player="random", seed=1, **manners):
        self.written: list[str] = []
        self.logged: list[str] = []
        self.inbox = Inbox()
        self.conversation = Conversation(
            PLAYERS.build(player),
            mg.game(game),
            seed,
            manners=Manners(**manners),
            inbox=self.inbox,
            write=self.written.append,
            log=self.logged.append,
        )
        self.server = GtpServer(self.conversation)

    @property
    def session(self) -> Session:
        """The game that is played."""
        return self.conversation.session

    @property
    def mind(self) -> Mind:
        """Who plays it."""
        return self.conversation.mind

    def raw(self, text: str) -> str:
        """Send a text of any lines and return everything that was written."""
        self.written.clear()
        for line in text.split("\n"):
            self.inbox.put(line + "\n")
        self.inbox.put(None)
        self.server.run()
        return "".join(self.written)

    def ask(self, line: str) -> Reply:
        """Send a line and return the one reply to it."""
        replies = parse_replies(self.raw(line))
        assert len(replies) == 1, replies
        return replies[0]

    def ok(self, line: str) -> str:
        """Send a line that must succeed and return the text of the reply."""
        reply = self.ask(line)
        assert reply.ok, (line, reply.text, self.logged)
        return reply.text

    def fails(self, line: str) -> str:
        """Send a line that must fail and return the text of the reply."""
        before = str(self.session.position), len(self.session.steps)
        reply = self.ask(line)
        assert not reply.ok, (line, reply.text)
        assert (str(self.session.position), len(self.session.steps)) == before
        return reply.text
