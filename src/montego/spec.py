"""Specs: one small language for games, players and everything they are made of.

``name(key=value, nested=other(k=1))`` is parsed, checked against a registry and printed back in one canonical form. A
value is a number, ``true`` or ``false``, a "quoted string", a word, a tuple ``(1, 2)`` or another spec; a spec without
parameters needs no parentheses; values without a key fill the parameters in their declared order.

What can be named is a NamedTuple class in a ``Registry``. Its fields are the parameters: the annotation gives the type,
the default, and through ``Param`` the meaning and the allowed range, so that ``montego games`` and ``montego players`` can
explain them and every way in (Python, command line, GTP, tournament file) refuses the same nonsense with the same words.
"""

import functools
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from importlib import import_module
from typing import Annotated, Any, Generic, NoReturn, TypeVar, get_args, get_origin, get_type_hints

from montego.errors import SpecError, nearest

T = TypeVar("T")
C = TypeVar("C")

# ------------------------------------------------------------------------------------------------------- the language

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))
           |(?P<word>[A-Za-z_][\w.\-]*)
           |(?P<string>"(?:[^"\\]|\\.)*")
           |(?P<sign>[(),=]))""",
    re.VERBOSE,
)


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


def print_value(value: Any) -> str:
    """Print a value so that ``parse`` reads it back."""
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

    def fail(self, at: int, expected: str) -> NoReturn:
        found = self.source[at : at + 12].strip() or "the end"
        raise SpecError(f"cannot read spec {self.source!r} at column {at + 1}: expected {expected}, found {found!r}")

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

    def spec(self) -> Spec:
        name = self.take("word")
        if name is None:
            self.fail(self.tokens[self.next][2], "a name such as go or uct(playouts=1000)")
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        if self.take("sign", "(") is not None:
            while self.take("sign", ")") is None:
                if args or kwargs:
                    self.need(",", "',' or ')'")
                self.argument(args, kwargs)
        return Spec(name, tuple(args), kwargs)

    def argument(self, args: list[Any], kwargs: dict[str, Any]) -> None:
        kind, word, at = self.tokens[self.next]
        if kind == "word" and self.tokens[self.next + 1][1] == "=":
            self.next += 2
            if word in kwargs:
                raise SpecError(f"spec {self.source!r} gives '{word}' twice; give it once")
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
            while self.take("sign", ")") is None:
                if parts:
                    self.need(",", "',' or ')'")
                parts.append(self.value())
            return tuple(parts)
        if self.tokens[self.next][0] == "word":
            if self.tokens[self.next][1].lower() in ("true", "false"):
                return str(self.take("word")).lower() == "true"
            return self.spec()
        self.fail(self.tokens[self.next][2], "a value")


def parse(source: str) -> Spec:
    """Parse ``name(key=value, …)``."""
    parser = _Parser(source)
    try:
        spec = parser.spec()
    except RecursionError:
        raise SpecError(f"cannot read spec {source[:40]!r}…: nested too deeply") from None
    if parser.take("end") is None:
        parser.fail(parser.tokens[parser.next][2], "the end")
    return spec


# ------------------------------------------------------------------------------------------------------ the parameters


@dataclass(frozen=True)
class Param:
    """What a parameter means, which values it may have, and the paper it comes from."""

    meaning: str
    low: float | None = None
    high: float | None = None
    paper: str = ""


@dataclass(frozen=True)
class Parameter:
    """One declared parameter of a registered class."""

    name: str
    type: Any
    default: Any
    param: Param
    registry: "Registry[Any] | None" = None

    def allowed(self) -> str:
        """Say in words which values are right."""
        low, high = self.param.low, self.param.high
        if self.registry:
            return f"one of {', '.join(self.registry.names())}"
        if self.type is bool:
            return "true or false"
        if isinstance(self.type, type) and issubclass(self.type, IntEnum):
            return f"one of {', '.join(member.name.lower() for member in self.type)}"
        kind = {int: "a whole number", float: "a number", str: "a string", tuple: "a tuple"}.get(
            self.type, str(self.type)
        )
        if low is not None and high is not None:
            return f"{kind} from {low:g} to {high:g}"
        if low is not None:
            return f"{kind} of at least {low:g}"
        return f"{kind} of at most {high:g}" if high is not None else kind

    def coerce(self, owner: str, value: Any) -> Any:
        """Return the value in the declared type, or raise with what would be right."""
        converted = self._convert(value)
        bad = converted is None or (isinstance(converted, float) and not math.isfinite(converted))
        if not bad and self.type in (int, float):
            low, high = self.param.low, self.param.high
            bad = (low is not None and converted < low) or (high is not None and converted > high)
        if bad:
            shown = print_value(value)
            raise SpecError(f"{owner}: {self.name} must be {self.allowed()}, not {shown}")
        return converted

    def _convert(self, value: Any) -> Any:
        """Convert without losing anything; None means that it cannot be done."""
        if self.registry is not None:
            if isinstance(value, (Spec, str)):
                return self.registry.build(value)
            return value if type(value) in self.registry else None
        if isinstance(self.type, type) and issubclass(self.type, IntEnum):
            if isinstance(value, (Spec, str)):
                return self.type.__members__.get(str(value).upper())
            return self.type(value) if value in list(self.type) and not isinstance(value, bool) else None
        if self.type is bool:
            return value if isinstance(value, bool) else None
        if isinstance(value, bool) or not isinstance(value, (int, float, str, tuple, Spec)):
            value = value.item() if hasattr(value, "item") else None
        if self.type is int:
            whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
            return int(value) if whole else None
        if self.type is float:
            return float(value) if isinstance(value, (int, float)) else None
        if self.type is str:
            return str(value) if isinstance(value, (str, Spec)) else None
        return value if isinstance(value, self.type) else None


@functools.cache
def parameters(cls: type) -> dict[str, Parameter]:
    """Return the declared parameters of a NamedTuple class, in order."""
    hints = get_type_hints(cls, include_extras=True)
    found = {}
    for name in cls._fields:  # type: ignore[attr-defined]
        hint = hints[name]
        param, registry = Param(""), None
        if get_origin(hint) is Annotated:
            hint, *extras = get_args(hint)
            param = next((extra for extra in extras if isinstance(extra, Param)), param)
            registry = next((extra for extra in extras if isinstance(extra, Registry)), None)
        default = cls._field_defaults.get(name)  # type: ignore[attr-defined]
        found[name] = Parameter(name, hint, default, param, registry)
    return found


# -------------------------------------------------------------------------------------------------------- the registry


class Registry(Generic[T]):
    """The things of one kind (games, players, rewards, …) that a spec can name."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._classes: dict[str, type[T]] = {}
        self._homes: dict[str, tuple[str, str]] = {}  # name -> module and class, of those that are not loaded yet

    def __contains__(self, cls: object) -> bool:
        return cls in self._classes.values()

    def __getitem__(self, name: str) -> type[T]:
        if name in self._homes:
            module, attribute = self._homes[name]
            self.add(name, getattr(import_module(module), attribute))
        return self._classes[name]

    def names(self) -> list[str]:
        """Return the registered names in alphabetical order."""
        return sorted({*self._classes, *self._homes})

    def add(self, name: str, cls: type[T]) -> None:
        """Register a NamedTuple class under a name and make its constructor check its arguments."""
        self._homes.pop(name, None)
        self._classes[name] = cls
        cls.spec_name = name  # type: ignore[attr-defined]
        _check_on_construction(name, cls)
        _compare_by_class(cls)

    def register(self, name: str) -> Callable[[type[C]], type[C]]:
        """Return a class decorator that adds the class under a name: ``@PLAYOUTS.register("uniform")``."""

        def decorate(cls: type[C]) -> type[C]:
            self.add(name, cls)  # type: ignore[arg-type]  # T is what the classes have in common, often a protocol
            return cls

        return decorate

    def add_lazy(self, name: str, module: str, attribute: str) -> None:
        """Register a class of a higher layer, or one that is slow to import: it is loaded when it is first named."""
        self._homes[name] = (module, attribute)

    def build(self, source: "str | Spec") -> T:
        """Make the object that a spec describes."""
        spec = parse(source) if isinstance(source, str) else source
        if spec.name not in self.names():
            raise SpecError(f"unknown {self.kind} '{spec.name}'{nearest(spec.name, self.names())}")
        return self[spec.name](*spec.args, **spec.kwargs)


def _check_on_construction(name: str, cls: type) -> None:
    """Replace ``cls.__new__`` by one that fills defaults, converts and checks; ``complete`` may add cross-checks."""
    make = tuple.__new__

    def checked(kind: type, *args: Any, **kwargs: Any) -> Any:
        declared = parameters(cls)
        if len(args) > len(declared):
            raise SpecError(f"{name}: at most {len(declared)} values expected, not {len(args)}")
        given = dict(zip(declared, args, strict=False))
        for key, value in kwargs.items():
            if key not in declared:
                raise SpecError(f"{name}: unknown parameter '{key}'{nearest(key, list(declared)) or '; it has none'}")
            if key in given:
                raise SpecError(f"{name}: '{key}' is given twice; give it once")
            given[key] = value
        values: dict[str, Any] = {}
        for key, parameter in declared.items():
            if key not in given and key not in cls._field_defaults:  # type: ignore[attr-defined]
                raise SpecError(f"{name}: '{key}' is missing; it must be {parameter.allowed()}")
            if key not in given and parameter.default is None:
                values[key] = None  # for ``complete`` to derive from the others
            else:
                values[key] = parameter.coerce(name, given.get(key, parameter.default))
        if hasattr(cls, "complete"):
            values = cls.complete(values)
        return make(kind, tuple(values.values()))

    def replaced(self: Any, **changes: Any) -> Any:
        return cls(**{**self._asdict(), **changes})

    cls.__new__ = checked  # type: ignore[method-assign, assignment]
    cls._replace = replaced  # type: ignore[attr-defined]


def _compare_by_class(cls: type) -> None:
    """Make things of different classes differ, as tuples of equal numbers (two games of size 9) would not."""

    def equal(self: Any, other: Any) -> bool:
        return type(self) is type(other) and tuple(self) == tuple(other)

    def unequal(self: Any, other: Any) -> bool:
        return not equal(self, other)

    def hashed(self: Any) -> int:
        return hash((cls.__qualname__, *self))

    cls.__eq__, cls.__ne__, cls.__hash__ = equal, unequal, hashed  # type: ignore[method-assign, assignment]


def text(thing: Any) -> str:
    """Print a registered object as its canonical spec: declared order, defaults left out."""
    cls = type(thing)
    fields = {name: getattr(thing, name) for name in cls._fields}  # type: ignore[attr-defined]
    shown = {name: value for name, value in fields.items() if value != _completed_default(cls, name, thing)}
    return str(Spec(cls.spec_name, (), shown))  # type: ignore[attr-defined]


def _completed_default(cls: type, name: str, thing: Any) -> Any:
    """Return what a field would be had it been left out (a default may follow from another field)."""
    others = {key: getattr(thing, key) for key in cls._fields if key != name}  # type: ignore[attr-defined]
    try:
        return getattr(cls(**others), name)
    except SpecError:
        return object()
