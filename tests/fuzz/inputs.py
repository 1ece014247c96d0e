"""Inputs by chance: sound ones to begin with, and what becomes of them when they are damaged."""

import random
from collections.abc import Sequence

SPECIAL = [
    "",
    "0",
    "-1",
    "1e999",
    "nan",
    "inf",
    "9" * 30,
    "9" * 5000,
    "\x00",
    "\x1b[31m",
    "\ud800",
    "é",
    "\u202e",
    "𝔘",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    "\\",
    ";",
    ":",
    ",",
    "=",
    "#",
    "\n",
    "\r\n",
    "\t",
    " ",
    "null",
    "true",
    "-0.0",
    "0x10",
    "1_000",
    "٣",
    "kind",
    "self",
    "__class__",
    "../../etc/passwd",
    "%s%n",
    "{0}",
]


def damaged_text(chance: random.Random, text: str, words: Sequence[str] = ()) -> str:
    """Return a text after a few insertions, deletions, exchanges and repetitions."""
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8])):
        at, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        end = min(end, at + chance.choice([1, 2, 5, 30]))
        kind = chance.randrange(6)
        if kind == 0:
            text = text[:at] + text[end:]
        elif kind == 1:
            text = text[:at] + chance.choice(SPECIAL) + text[at:]
        elif kind == 2:
            text = text[:at] + chance.choice(SPECIAL) + text[end:]
        elif kind == 3:
            text = text[:at] + text[at:end] * chance.choice([2, 3, 20]) + text[end:]
        elif kind == 4 and words:
            text = text[:at] + chance.choice(words) + text[end:]
        else:
            text = text[:at] + chr(chance.choice([*range(128), 0xE9, 0x2028, 0xFFFF])) + text[end:]
    return text[:20_000]


def damaged_bytes(chance: random.Random, data: bytes, spare: int = 0) -> bytes:
    """Return bytes after a few flips, cuts and repetitions, none of them in the first ``spare``."""
    changed = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 4, 16])):
        at = chance.randrange(spare, max(spare + 1, len(changed)))
        kind = chance.randrange(8)
        if kind < 5 and at < len(changed):
            changed[at] ^= 1 << chance.randrange(8)
        elif kind == 5 and at < len(changed):
            changed[at] = chance.choice([0, 1, 127, 128, 255])
        elif kind == 6:
            end = at + chance.choice([1, 4, 100])
            changed[at:end] = bytes(chance.randrange(256) for _ in range(end - at))
        else:
            del changed[at : at + chance.choice([1, 10, 1000, 10**6])]
    return bytes(changed)
