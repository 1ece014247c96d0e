"""The errors a user can cause. Each message is one line that says what was expected and what would be right."""

from difflib import get_close_matches
from operator import index
from typing import Any


class MontegoError(ValueError):
    """Base of every error that is the caller's to mend; the command line prints it and exits with 2."""


class SpecError(MontegoError):
    """A spec such as ``go(size=9)`` cannot be read, or names something that does not exist."""


class IllegalMove(MontegoError):
    """A move cannot be read or may not be played here; the position is unchanged."""


class MissingKernel(MontegoError, TypeError):
    """A game or a policy lacks a kernel that is needed."""


class StateError(MontegoError):
    """A serialised position is damaged or does not belong to this version."""


class SgfError(MontegoError):
    """A game record cannot be read or written."""


class Forfeit(MontegoError):
    """A player cannot go on: its program crashed, hung, or made an illegal move. ``detail`` is what it last said."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.detail = detail


class Resignation(Forfeit):
    """A player gives up: a loss like any other, not a fault of its program."""


def nearest(word: str, known: list[str]) -> str:
    """Return a hint such as ``; did you mean 'size'?``, or the known names when nothing is near."""
    folded = {name.casefold(): name for name in known}
    if close := get_close_matches(word.casefold(), list(folded), n=1, cutoff=0.5):
        return f"; did you mean '{folded[close[0]]}'?"
    return f"; known: {', '.join(known)}" if known else ""


def counted(count: int, thing: str) -> str:
    """Return a number of things in words: 1 move, 2 moves."""
    return f"{count} {thing}{'' if count == 1 else 's'}"


def whole_number(name: str, value: Any, least: int = 0, most: int | None = None) -> int:
    """Return a whole number that a caller gave, one of NumPy's too, or raise if it is none or out of range."""
    try:
        number = None if isinstance(value, bool) else index(value)
    except TypeError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        allowed = f"of at least {least}" if most is None else f"from {least} to {most:g}"
        raise MontegoError(f"{name}: expected a whole number {allowed}, not {value!r}")
    return number
