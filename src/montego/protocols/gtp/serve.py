"""An engine on standard input and output."""

import io
import sys
import threading
from typing import Any

from montego.games import Game
from montego.protocols.gtp.core import Engine
from montego.protocols.gtp.inbox import Inbox


def serve(settings: Any, game: Game, seed: int | None, resign: float, lag: float) -> None:
    """Answer commands from standard input until it ends. Standard output is for replies alone."""
    replies, sys.stdout = sys.stdout, sys.stderr  # whatever else is printed must not look like a reply

    def write(text: str) -> None:
        replies.write(text)
        replies.flush()

    def log(line: str) -> None:
        print(f"montego: {line.rstrip()}", file=sys.stderr, flush=True)

    if isinstance(replies, io.TextIOWrapper):
        replies.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    inbox = Inbox()
    engine = Engine(settings, game, seed, resign=resign, lag=lag, inbox=inbox, write=write, log=log)
    log(f"{game}, {engine.mind.player(engine.table.game)}, seed {engine.mind.seed}")
    threading.Thread(target=inbox.read, args=(sys.stdin.fileno(),), daemon=True).start()
    try:
        engine.mind.warm(engine.table.game)
        engine.run()
    finally:
        sys.stdout = replies
