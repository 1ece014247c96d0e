"""The grammar of the Go Text Protocol, version 2: a line becomes a command, an answer becomes a reply.

Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2" (2002), sections 2 and 3.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from montego.errors import IllegalMove
from montego.games import Game

SYNTAX_ERROR = "syntax error"
_CONTROL = {code: None for code in [*range(32), 127] if code not in (9, 10)} | {9: " "}
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?", re.ASCII)
_LONGEST_NUMBER = 100  # characters
_WHOLE = re.compile(r"[-+]?\d{1,18}", re.ASCII)


class Failure(Exception):
    """A command that fails; the text is what the reply says after the question mark."""


@dataclass(frozen=True)
class Command:
    """One command: its name, its arguments, and its identity number as it was written, or ``""``."""

    name: str
    arguments: list[str]
    id: str = ""


def parse_line(line: str) -> Command | None:
    """Return the command of a line, or None for a line with nothing but spaces and comments.

    Control characters are removed, a tab counts as a space, and ``#`` starts a comment (sections 2.2 to 2.6).
    """
    words = line.translate(_CONTROL).partition("#")[0].split()
    if not words:
        return None
    number = ""
    if words[0].isascii() and words[0].isdigit():
        number = words.pop(0)
    return Command(words[0] if words else "", words[1:], number)


def format_head(number: str = "", ok: bool = True) -> str:
    """Return the start of a reply: ``=`` or ``?`` and the identity number."""
    return f"{'=' if ok else '?'}{number}"


def format_body(text: str) -> str:
    """Return a text in the form that a reply allows: without empty lines (one ends a reply) or control characters."""
    lines = (line.rstrip().translate(_CONTROL) for line in text.replace("\r", "\n").split("\n"))
    kept = [line for line in lines if line]
    return "\n".join(["", *kept] if text.startswith("\n") else kept)


def format_reply(text: str, number: str = "", ok: bool = True) -> str:
    """Return a whole reply, the empty line at its end included."""
    return f"{format_head(number, ok)} {format_body(text)}\n\n"


# ----------------------------------------------------------------------------------------------------------- arguments


def no_more(words: Sequence[str], most: int) -> None:
    """Reject more arguments than a command takes."""
    if len(words) > most:
        raise Failure(SYNTAX_ERROR)


def one(words: Sequence[str]) -> str:
    """Return the only argument."""
    if len(words) != 1:
        raise Failure(SYNTAX_ERROR)
    return words[0]


def whole(word: str) -> int:
    """Read a whole number."""
    if not _WHOLE.fullmatch(word):
        raise Failure(SYNTAX_ERROR)
    return int(word)


def number(word: str) -> float:
    """Read a finite decimal number."""
    value = float(word) if len(word) <= _LONGEST_NUMBER and _NUMBER.fullmatch(word) else float("inf")
    if value in (float("inf"), float("-inf")):
        raise Failure(SYNTAX_ERROR)
    return value


def colour(game: Game, word: str) -> int:
    """Return the player that a colour stands for: black, white, or the game's own words."""
    found = _colours(game).get(word.lower())
    if found is None:
        raise Failure("invalid color")
    return found


def _colours(game: Game) -> dict[str, int]:
    names = {name.lower(): player for player, name in enumerate(game.players)}
    return names | game.colour_words | {"b": 0, "black": 0, "w": 1, "white": 1}


def colour_letter(player: int) -> str:
    """Return ``b`` or ``w``."""
    return "bw"[player]


def vertex(game: Game, word: str) -> int:
    """Return the number of a move that a game knows, legal or not."""
    try:
        return game.parse_move(word)
    except IllegalMove:
        raise Failure("invalid coordinate") from None
