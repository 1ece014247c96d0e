"""The language of specs: ``name(key=value, nested=other(k=1))`` is parsed into a ``Spec`` and printed back.

A value is a number, ``true`` or ``false``, a "quoted string", a word, a tuple ``(1, 2)`` or another spec. A spec
without parameters needs no parentheses. Values without a key fill the parameters in their declared order.
"""

import re
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, ClassVar, NoReturn

from montego.errors import SpecError

# Nothing in it can be read in two ways, so that thousands of digits with a letter behind them fail in linear time.
_TOKEN = re.compile(
    r"""\s*(?:(?P<number>[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))
           |(?P<word>[A-Za-z_][\w.\-]*)
           |(?P<string>"(?:[^"\\]|\\.)*")
           |(?P<sign>[(),=]))""",
    re.VERBOSE,
)

_DEEPEST = 24  # specs inside one another
_SHOWN = 200  # characters of a spec in a message


@dataclass(frozen=True)
class Spec:
    """A parsed spec: a name, values by position, values by key."""

    name: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = [print_value(value) for value in self.args]
        parts += [f"{key}={print_value(value)}" for key, value in self.kwargs.items()]
        return f"{self.name}({', '.join(parts)})" if parts else self.name


class Name(int):
    """A string that kernels see as a number: the parameter of a playout policy that names a file.

    Policies are handed to kernels, which hold no strings. Equal strings are equal numbers in one process; between
    processes a name travels as its string.
    """

    _known: ClassVar[dict[str, int]] = {"": 0}
    written: str

    def __new__(cls, written: str = "") -> "Name":
        name = super().__new__(cls, cls._known.setdefault(written, len(cls._known)))
        name.written = written
        return name

    def __str__(self) -> str:
        return self.written

    def __repr__(self) -> str:
        return repr(self.written)

    def __reduce__(self) -> tuple[Any, ...]:
        return Name, (self.written,)


def print_value(value: Any) -> str:
    """Print a value so that ``parse`` reads it back."""
    if isinstance(value, Name):
        return print_value(str(value))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, IntEnum):
        return value.name.lower()
    if isinstance(value, Spec):
        return str(value)
    if hasattr(value, "spec_name"):
        return text(value)
    if isinstance(value, tuple):
        return f"({', '.join(print_value(part) for part in value)})"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return repr(value)


class _Parser:
    """Recursive descent over the tokens of one spec."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens: list[tuple[str, str, int]] = []
        at = 0
        end = len(source.rstrip())
        while at < end:
            match = _TOKEN.match(source, at)
            if not match:
                self.fail(at, "a name, a number, a quoted string or one of ( ) , =")
            kind = str(match.lastgroup)
            self.tokens.append((kind, match.group(kind), match.start(kind)))
            at = match.end()
        self.tokens.append(("end", "", end))
        self.next = 0
        self.depth = 0

    def fail(self, at: int, expected: str) -> NoReturn:
        found = self.source[at : at + 12].strip() or "the end"
        raise SpecError(
            f"cannot read spec {_shortened(self.source)} at column {at + 1}: expected {expected}, found {found!r}"
        )

    def take(self, kind: str, value: str | None = None) -> str | None:
        """Consume the next token if it fits."""
        token = self.tokens[self.next]
        if token[0] != kind or (value is not None and token[1] != value):
            return None
        self.next += 1
        return token[1]

    def need(self, sign: str, expected: str) -> None:
        if self.take("sign", sign) is None:
            self.fail(self.tokens[self.next][2], expected)

    def enter(self) -> None:
        """Go one pair of parentheses deeper. Every level of a nested policy is a type, and compiled."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise SpecError(f"cannot read spec {_shortened(self.source)}: nested more than {_DEEPEST} deep")

    def spec(self) -> Spec:
        name = self.take("word")
        if name is None:
            self.fail(self.tokens[self.next][2], "a name such as go or uct(playouts=1000)")
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        if self.take("sign", "(") is not None:
            self.enter()
            while self.take("sign", ")") is None:
                if args or kwargs:
                    self.need(",", "',' or ')'")
                self.argument(args, kwargs)
            self.depth -= 1
        return Spec(name, tuple(args), kwargs)

    def argument(self, args: list[Any], kwargs: dict[str, Any]) -> None:
        kind, word, at = self.tokens[self.next]
        if kind == "word" and self.tokens[self.next + 1][1] == "=":
            self.next += 2
            if word in kwargs:
                raise SpecError(f"spec {_shortened(self.source)} gives '{word}' twice; give it once")
            kwargs[word] = self.value()
        elif kwargs:
            self.fail(at, "key=value, as after the first key every value needs one")
        else:
            args.append(self.value())

    def value(self) -> Any:
        if (number := self.take("number")) is not None:
            return int(number) if re.fullmatch(r"[-+]?\d{1,300}", number) else float(number)
        if (string := self.take("string")) is not None:
            return re.sub(r"\\(.)", r"\1", string[1:-1])
        if self.take("sign", "(") is not None:
            parts: list[Any] = []
            self.enter()
            while self.take("sign", ")") is None:
                if parts:
                    self.need(",", "',' or ')'")
                parts.append(self.value())
            self.depth -= 1
            return tuple(parts)
        if self.tokens[self.next][0] == "word":
            if self.tokens[self.next][1].lower() in ("true", "false"):
                return str(self.take("word")).lower() == "true"
            return self.spec()
        self.fail(self.tokens[self.next][2], "a value")


def _shortened(source: str) -> str:
    return repr(source) if len(source) <= _SHOWN else f"{source[:_SHOWN]!r}…"


def parse(source: str) -> Spec:
    """Parse ``name(key=value, …)``."""
    parser = _Parser(source)
    spec = parser.spec()
    if parser.take("end") is None:
        parser.fail(parser.tokens[parser.next][2], "the end")
    return spec


def text(thing: Any) -> str:
    """Print a registered object as its canonical spec: declared order, defaults left out."""
    cls = type(thing)
    fields = {name: getattr(thing, name) for name in cls._fields}  # type: ignore[attr-defined]
    shown = {name: value for name, value in fields.items() if value != _completed_default(cls, name, thing)}
    return str(Spec(cls.spec_name, (), shown))  # type: ignore[attr-defined]


def _completed_default(cls: type, name: str, thing: Any) -> Any:
    """Return the value that a field would have by default, which may depend on other fields."""
    others = {key: getattr(thing, key) for key in cls._fields if key != name}  # type: ignore[attr-defined]
    try:
        return getattr(cls(**others), name)
    except SpecError:
        return object()
