"""Registries: what a spec such as ``go(size=9)`` can name, and how its parameters are declared, checked and explained.

A game, a player or a part of one is a NamedTuple class in a ``Registry``. Its fields are the parameters: the annotation
gives the type and, through ``Param``, the meaning and the allowed range. So ``montego players`` and ``help(mg.Uct)``
can explain them, and Python, command line, GTP and tournament files refuse bad values with the same message.
"""

import functools
import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from montego.errors import SpecError, nearest
from montego.language import Name, Spec, parse, print_value, text

__all__ = ["Name", "Param", "Parameter", "Registry", "Spec", "parameters", "parse", "print_value", "summary", "text"]

_LARGEST = 10**15  # of a parameter without a bound of its own: whole numbers stay exact in 64 bits and in JSON
_SHOWN = 100  # characters of a refused value

T = TypeVar("T")
C = TypeVar("C")

# ------------------------------------------------------------------------------------------------------ the parameters


@dataclass(frozen=True)
class Param:
    """What a parameter means, which values it may have, and the paper it comes from.

    ``usual`` is where ``montego tune`` looks for the best value, if that is narrower than what is allowed.
    """

    meaning: str
    low: float | None = None
    high: float | None = None
    paper: str = ""
    usual: tuple[float, float] | None = None


@dataclass(frozen=True)
class Parameter:
    """One declared parameter of a registered class."""

    name: str
    type: Any
    default: Any
    param: Param
    registry: "Registry[Any] | None" = None

    def allowed(self) -> str:
        """Describe the allowed values."""
        low, high = self.param.low, self.param.high
        if self.registry is not None:
            return f"one of {', '.join(self.registry.names())}"
        if self.type is bool:
            return "true or false"
        if isinstance(self.type, type) and issubclass(self.type, IntEnum):
            return f"one of {', '.join(member.name.lower() for member in self.type)}"
        kind = {int: "a whole number", float: "a number", str: "a string", Name: "a string", tuple: "a tuple"}.get(
            self.type, str(self.type)
        )
        if low is not None and high is not None:
            return f"{kind} from {low:g} to {high:g}"
        if low is not None:
            return f"{kind} of at least {low:g}"
        return f"{kind} of at most {high:g}" if high is not None else kind

    def coerce(self, owner: str, value: Any) -> Any:
        """Return the value in the declared type, or raise an error that says what is allowed."""
        converted = self._convert(value)
        bad = converted is None or (isinstance(converted, float) and not math.isfinite(converted))
        if not bad and self.type in (int, float):
            low, high = self.param.low, self.param.high
            bad = (low is not None and converted < low) or (high is not None and converted > high)
        if bad:
            raise SpecError(f"{owner}: {self.name} must be {self.allowed()}, not {_shortened(value)}")
        if self.type is int and abs(converted) > _LARGEST:
            raise SpecError(f"{owner}: {self.name} must be a whole number of at most {_LARGEST:g}")
        return converted

    def _convert(self, value: Any) -> Any:
        """Convert without loss; None means that it is impossible."""
        if self.registry is not None:
            if isinstance(value, (Spec, str)):
                return self.registry.build(value)
            if self.registry.number and isinstance(value, (int, float)) and not isinstance(value, bool):
                return self.registry[self.registry.number](value)
            return value if type(value) in self.registry else None
        if isinstance(self.type, type) and issubclass(self.type, IntEnum):
            if isinstance(value, (Spec, str)):
                return self.type.__members__.get(str(value).upper())
            return self.type(value) if value in list(self.type) and not isinstance(value, bool) else None
        if self.type is bool:
            return value if isinstance(value, bool) else None
        if isinstance(value, bool) or not isinstance(value, (int, float, str, tuple, Spec)):
            value = value.item() if hasattr(value, "item") else None
        if self.type is Name:
            return Name(str(value)) if isinstance(value, (str, Spec, Name)) else None
        if self.type is int:
            whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
            return int(value) if whole else None
        if self.type is float:
            return _as_float(value) if isinstance(value, (int, float)) else None
        if self.type is str:
            return str(value) if isinstance(value, (str, Spec)) else None
        return value if isinstance(value, self.type) else None


def _shortened(value: Any) -> str:
    """Print a refused value, not all of a long one; Python does not even print whole numbers of 4,301 digits."""
    if isinstance(value, int) and abs(value) > _LARGEST**2:
        return "a number as large as that"
    shown = print_value(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


def _as_float(value: int | float) -> float | None:
    """Return a number as float; None if it is too large for one."""
    try:
        return float(value)
    except OverflowError:
        return None


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
    """The classes of one kind (games, players, rewards, …) that a spec can name.

    ``number`` names the one that a bare number means: ``bias=2`` is ``bias=progressive(2)``.
    """

    def __init__(self, kind: str, number: str | None = None) -> None:
        self.kind, self.number = kind, number
        self._classes: dict[str, type[T]] = {}

    def __contains__(self, thing: object) -> bool:
        return thing in self.names() if isinstance(thing, str) else thing in self._classes.values()

    def __getitem__(self, name: str) -> type[T]:
        return self._classes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())

    def __repr__(self) -> str:
        width = max((len(name) for name in self), default=0)
        lines = [f"  {name:<{width}}  {summary(self[name])}" for name in self]
        return "\n".join([f"<registry of kind '{self.kind}', {len(self)} names>", *lines])

    def names(self) -> list[str]:
        """Return the registered names in alphabetical order."""
        return sorted(self._classes)

    def add(self, name: str, cls: type[T]) -> None:
        """Register a NamedTuple class under a name and make its constructor check its arguments.

        A name that is taken is refused, unless the same class comes again because its file was loaded again.
        """
        known = self._classes.get(name)
        if known is not None and (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
            raise SpecError(
                f"the {self.kind} '{name}' is taken by {known.__module__}.{known.__qualname__}; choose another name"
            )
        self._classes[name] = cls
        cls.spec_name = name  # type: ignore[attr-defined]
        _check_on_construction(name, cls)
        _compare_by_class(cls)
        _explain(cls)

    def register(self, name: str) -> Callable[[type[C]], type[C]]:
        """Return a class decorator that adds the class under a name: ``@PLAYOUTS.register("uniform")``."""

        def decorate(cls: type[C]) -> type[C]:
            self.add(name, cls)  # type: ignore[arg-type]  # T is what the classes have in common, often a protocol
            return cls

        return decorate

    def build(self, source: "str | Spec") -> T:
        """Build the object that a spec describes."""
        spec = parse(source) if isinstance(source, str) else source
        if not isinstance(spec, Spec):
            raise SpecError(f"a {self.kind} is named by a spec, such as '{self.names()[0]}', not {source!r}")
        if spec.name not in self.names():
            raise SpecError(f"unknown {self.kind} '{spec.name}'{nearest(spec.name, self.names())}")
        return self[spec.name](*spec.args, **spec.kwargs)


def _check_on_construction(name: str, cls: type) -> None:
    """Replace ``cls.__new__`` with one that fills in defaults, converts and checks; ``complete`` may add checks."""
    make = tuple.__new__

    def checked(kind: type, /, *args: Any, **kwargs: Any) -> Any:
        declared = parameters(cls)
        if len(args) > len(declared):
            raise SpecError(f"{name}: expected at most {len(declared)} values, not {len(args)}")
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
                values[key] = None  # ``complete`` derives it from the others
            else:
                values[key] = parameter.coerce(name, given.get(key, parameter.default))
        if hasattr(cls, "complete"):
            values = cls.complete(values)
        return make(kind, tuple(values.values()))

    def replaced(self: Any, /, **changes: Any) -> Any:
        return cls(**{**self._asdict(), **changes})

    cls.__new__ = checked  # type: ignore[method-assign, assignment]
    cls._replace = replaced  # type: ignore[attr-defined]


def _compare_by_class(cls: type) -> None:
    """Make objects of different classes differ; as plain tuples, two games of size 9 would be equal."""

    def equal(self: Any, other: Any) -> bool:
        return type(self) is type(other) and tuple(self) == tuple(other)

    def unequal(self: Any, other: Any) -> bool:
        return not equal(self, other)

    def hashed(self: Any) -> int:
        return hash((cls.__qualname__, *self))

    cls.__eq__, cls.__ne__, cls.__hash__ = equal, unequal, hashed  # type: ignore[method-assign, assignment]


# ------------------------------------------------------------------------------------------------ help() and signatures


def summary(thing: Any) -> str:
    """Return the first line of a docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]


class _Signature:
    """A class attribute that is the real signature: ``inspect.signature`` and ``help`` ask for it.

    It is worked out when somebody asks, because annotations of a class may name things that are defined after it.
    """

    def __get__(self, instance: Any, cls: type) -> inspect.Signature:
        return inspect.Signature([_signature_entry(cls, parameter) for parameter in parameters(cls).values()])


def _signature_entry(cls: type, parameter: Parameter) -> inspect.Parameter:
    """Return a parameter as a signature shows it; the members of an enumeration go by their names."""
    kind, default = parameter.type, inspect.Parameter.empty
    if parameter.name in cls._field_defaults:  # type: ignore[attr-defined]
        default = parameter.default
        kind = kind | None if default is None else kind
    if isinstance(default, IntEnum):
        kind, default = str, default.name.lower()
    return inspect.Parameter(parameter.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind)


class _Docstring:
    """A class attribute that is the docstring, followed by the declared parameters with their meanings and ranges."""

    def __init__(self, written: str) -> None:
        self.written = written

    def __get__(self, instance: Any, cls: type) -> str:
        lines = [
            f"    {name}: {'; '.join(part for part in (one.param.meaning, one.allowed(), one.param.paper) if part)}"
            for name, one in parameters(cls).items()
        ]
        return "\n".join([self.written, "", "Parameters:", *lines]) if lines else self.written


def _explain(cls: type) -> None:
    """Give a class the signature and the docstring that follow from its declared parameters."""
    declared = cls.__dict__.get("__doc__")
    written = declared if isinstance(declared, str) else ""
    if written.startswith(f"{cls.__name__}("):  # made up by NamedTuple
        written = ""
    if not isinstance(declared, _Docstring):
        cls.__doc__ = _Docstring(inspect.cleandoc(written))  # type: ignore[assignment]
    cls.__signature__ = _Signature()  # type: ignore[attr-defined]
