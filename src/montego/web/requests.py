"""Reading what a page asks: every field is checked before anything is done with it."""

from __future__ import annotations

import json
import math
from typing import Any

from montego.web.bounds import Refused

Message = dict[str, Any]
_SPEC = 2000  # characters of a spec


def parse(text: str) -> Message:
    """Return the request in a message: an object with a type and, usually, an id."""
    try:
        message = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refused("a request is JSON such as {'id': 1, 'type': 'position', …}") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise Refused("a request is a JSON object with a 'type'")
    identity = message.get("id", 0)
    if isinstance(identity, bool) or not isinstance(identity, int) or not 0 <= identity < 2**53:
        raise Refused("the 'id' of a request is a whole number of at least 0")
    return message


def _no_constant(name: str) -> None:
    raise ValueError(name)


def string(message: Message, name: str, default: str | None = None, most: int = _SPEC) -> str:
    """Return a text of a request."""
    value = message.get(name, default)
    if not isinstance(value, str) or len(value) > most:
        raise Refused(f"'{name}' must be a text of at most {most} characters")
    return value


def strings(message: Message, name: str, most: int, length: int = 100) -> list[str]:
    """Return a list of short texts, empty if it is left out."""
    value = message.get(name, [])
    if not isinstance(value, list) or len(value) > most:
        raise Refused(f"'{name}' must be a list of at most {most} texts")
    if not all(isinstance(entry, str) and len(entry) <= length for entry in value):
        raise Refused(f"'{name}' must hold texts of at most {length} characters")
    return value


def number(message: Message, name: str, default: float, low: float, high: float) -> float:
    """Return a number of a request within its range."""
    value = message.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise Refused(f"'{name}' must be a number")
    if not low <= value <= high:
        raise Refused(f"'{name}' must be a number from {low:g} to {high:g}, not {value:g}")
    return float(value)


def whole(message: Message, name: str, default: int, low: int, high: int) -> int:
    """Return a whole number of a request within its range."""
    value = number(message, name, default, low, high)
    if value != int(value):
        raise Refused(f"'{name}' must be a whole number, not {value:g}")
    return int(value)


def flag(message: Message, name: str) -> bool:
    """Return a yes or no, no if it is left out."""
    value = message.get(name, False)
    if not isinstance(value, bool):
        raise Refused(f"'{name}' must be true or false")
    return value


def stones(message: Message) -> tuple[dict[str, int], int] | None:
    """Return the stones that were set up before the first move and who was to move, or None."""
    setup = message.get("setup")
    if setup is None:
        return None
    if not isinstance(setup, dict) or not isinstance(setup.get("stones"), dict) or len(setup["stones"]) > _SPEC:
        raise Refused("'setup' must be {'stones': {point: player}, 'to_move': 0 or 1}")
    return setup["stones"], setup.get("to_move", 0)
