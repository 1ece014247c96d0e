"""The line that a person types: with editing, history and completion in a terminal, plain from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

_MOST = 200  # completions that are offered


Ask = Callable[[str], str]  # asks for a line; the end of the input is an EOFError, Ctrl-C a KeyboardInterrupt


def line_reader(words: Callable[[str], Iterable[str]], file_commands: Iterable[str] = ()) -> Ask:
    """Return what asks for lines; ``words`` gives what a line that starts with a text may become.

    After one of ``file_commands`` the names of files are completed.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return input
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion, PathCompleter
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import InMemoryHistory

    paths = PathCompleter(expanduser=True)
    starts = tuple(f"{command} " for command in file_commands)

    class Lines(Completer):
        def get_completions(self, document: Document, complete_event: Any) -> Iterator[Completion]:
            typed = document.text_before_cursor.lstrip()
            if typed.lower().startswith(starts):
                rest = typed.partition(" ")[2].lstrip()
                yield from paths.get_completions(Document(rest), complete_event)
                return
            found = (word for word in words(typed) if word.lower().startswith(typed.lower()))
            for _, word in zip(range(_MOST), found, strict=False):
                yield Completion(word, start_position=-len(typed))

    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory(), completer=Lines(), complete_while_typing=False, enable_history_search=True
    )

    def ask(prompt: str) -> str:
        return session.prompt(prompt)

    return ask
