"""Which numbers and choices of a player are tuned, and in which ranges: read from the player's own declarations.

A parameter is named by its dotted path: ``c`` of the player, ``rave.b`` of its RAVE schedule. Its range is the usual
one of the declaration (``spec.Param``), unless one is given: ``c=0..1``, or ``rave=off|silver(b=0.1)`` for a choice.
Numbers that span two powers of ten or more are searched on a logarithmic scale.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import Any

import numpy as np

from montego.arena.tuning.regression import Array, Shape
from montego.errors import SpecError, nearest
from montego.players import PLAYERS
from montego.spec import Parameter, Spec, parameters, parse, print_value, text

Value = float | int | str

_RANGE = re.compile(r"\s*(.+?)\s*\.\.\s*(.+?)\s*")
_LOGARITHMIC = 100.0  # ratio of the ends from which on a range is searched on a logarithmic scale
_WIDEST = 1000.0  # of a linear range, and the square root of the widest ratio of a logarithmic one
_DIGITS = 4  # significant ones of a number that is tried


@dataclass(frozen=True)
class Number:
    """A parameter that is a number, with the ends of its range."""

    path: str
    low: float
    high: float
    whole: bool
    meaning: str = ""

    @property
    def logarithmic(self) -> bool:
        """Whether the range is searched on a logarithmic scale."""
        return self.low > 0 and self.high / self.low >= _LOGARITHMIC

    def coordinate(self, value: float) -> float:
        """Return where a value lies: -1 at the low end, 1 at the high end."""
        low, high, at = self.low, self.high, float(value)
        if self.logarithmic:
            low, high, at = math.log(low), math.log(high), math.log(max(at, self.low * 1e-6))
        return 2.0 * (at - low) / (high - low) - 1.0

    def exact(self, coordinate: float) -> float:
        """Return the value at a coordinate, with all its digits."""
        share = (min(max(float(coordinate), -1.0), 1.0) + 1.0) / 2.0
        if self.logarithmic:
            return math.exp(math.log(self.low) + share * (math.log(self.high) - math.log(self.low)))
        return self.low + share * (self.high - self.low)

    def value(self, coordinate: float) -> float | int:
        """Return the value at a coordinate that a player is given: a whole number, or one of few digits."""
        found = self.exact(coordinate)
        if self.whole:
            return int(min(max(round(found), self.low), self.high))
        return min(max(float(f"{found:.{_DIGITS}g}"), self.low), self.high)

    def searched(self) -> str:
        """Return the range for people."""
        return f"{self.low:g} – {self.high:g}{' (logarithmic)' if self.logarithmic else ''}"

    def __str__(self) -> str:
        ends = (print_value(int(end) if self.whole else float(end)) for end in (self.low, self.high))
        return f"{self.path}={'..'.join(ends)}"


@dataclass(frozen=True)
class Choice:
    """A parameter with a few alternatives, each as text."""

    path: str
    values: tuple[str, ...]
    meaning: str = ""

    def searched(self) -> str:
        """Return the alternatives for people."""
        return ", ".join(self.values)

    def __str__(self) -> str:
        return f"{self.path}={'|'.join(self.values)}"


@dataclass(frozen=True)
class Space:
    """All parameters that are tuned, of a player with its starting settings."""

    start: Any  # the player's settings
    numbers: tuple[Number, ...]
    choices: tuple[Choice, ...]

    @classmethod
    def read(cls, player: str, wanted: Sequence[str]) -> Space:
        """Return the space that lines such as ``c`` or ``rave.b=0.01..1`` describe, or raise what would be right."""
        settings = PLAYERS.build(player)
        if not wanted:
            raise SpecError(f"name at least one parameter of {settings.spec_name}{_some(_paths(settings))}")
        found = [_dimension(settings, line) for line in wanted]
        paths = [one.path for one in found]
        for place, path in enumerate(paths):
            for other in paths[:place]:
                if path == other:
                    raise SpecError(f"'{path}' is given twice; give it once")
                if path.startswith(f"{other}.") or other.startswith(f"{path}."):
                    raise SpecError(f"'{path}' and '{other}' cannot be tuned together: one is a part of the other")
        numbers = tuple(one for one in found if isinstance(one, Number))
        return cls(settings, numbers, tuple(one for one in found if isinstance(one, Choice)))

    @property
    def dimensions(self) -> tuple[Number | Choice, ...]:
        """All parameters, numbers first."""
        return (*self.numbers, *self.choices)

    @property
    def shape(self) -> Shape:
        """The coordinates of a setting."""
        return Shape(len(self.numbers), tuple(len(choice.values) for choice in self.choices))

    def lines(self) -> list[str]:
        """Return the parameters with their ranges, as ``read`` reads them."""
        return [str(one) for one in self.dimensions]

    def blocks(self) -> list[slice]:
        """Return the columns of each choice among the coordinates."""
        ends = np.cumsum([len(self.numbers), *(len(choice.values) for choice in self.choices)]).tolist()
        return [slice(begin, end) for begin, end in pairwise(ends)]

    def coordinates(self, values: Mapping[str, Value]) -> Array:
        """Return the coordinates of a setting."""
        row = np.zeros(self.shape.columns)
        for column, number in enumerate(self.numbers):
            row[column] = number.coordinate(float(values[number.path]))
        for block, choice in zip(self.blocks(), self.choices, strict=True):
            if values[choice.path] in choice.values:
                row[block.start + choice.values.index(str(values[choice.path]))] = 1.0
        return row

    def values(self, row: Array) -> dict[str, Value]:
        """Return the setting nearest to coordinates."""
        found: dict[str, Value] = {n.path: n.value(row[column]) for column, n in enumerate(self.numbers)}
        for block, choice in zip(self.blocks(), self.choices, strict=True):
            found[choice.path] = choice.values[int(np.argmax(row[block]))]
        return found

    def random(self, rng: np.random.Generator) -> Array:
        """Return coordinates drawn evenly from the whole space."""
        row = np.zeros(self.shape.columns)
        row[: len(self.numbers)] = rng.uniform(-1.0, 1.0, len(self.numbers))
        for block in self.blocks():
            row[rng.integers(block.start, block.stop)] = 1.0
        return row

    def spec(self, values: Mapping[str, Value]) -> str:
        """Return the player with these values, as its canonical spec."""
        changed = parse(text(self.start))
        for path, value in values.items():
            changed = _with(self.start, changed, path.split("."), _parsed(value) if isinstance(value, str) else value)
        return text(PLAYERS.build(changed))

    def values_of(self, spec: str) -> dict[str, Value]:
        """Return the values that a player of this space has."""
        settings = PLAYERS.build(spec)
        found: dict[str, Value] = {number.path: _value_at(settings, number.path) for number in self.numbers}
        return found | {choice.path: print_value(_value_at(settings, choice.path)) for choice in self.choices}

    def variants(self) -> list[str]:
        """Return a player for each alternative of each choice: each may need code of its own."""
        start = self.values_of(text(self.start))
        inside = {number.path: start[number.path] for number in self.numbers}
        return [self.spec({**inside, choice.path: value}) for choice in self.choices for value in choice.values]


def _dimension(settings: Any, line: str) -> Number | Choice:
    path, given, wanted = (part.strip() for part in line.partition("="))
    parameter, owner = _declared(settings, path)
    meaning = parameter.param.meaning
    if given and (ends := _RANGE.fullmatch(wanted)) and "|" not in wanted:
        if parameter.type not in (int, float):
            raise SpecError(f"{path} has no range: it is {parameter.allowed()}; list some as {path}=FIRST|SECOND")
        low, high = (parameter.coerce(owner, _parsed(end)) for end in ends.groups())
        return _number(path, parameter, low, high, meaning)
    if given:
        listed = tuple(dict.fromkeys(print_value(parameter.coerce(owner, _parsed(v))) for v in wanted.split("|")))
        if len(listed) < 2:
            raise SpecError(f"{path}: expected a range such as {path}=0..1 or alternatives such as {path}=FIRST|SECOND")
        return Choice(path, listed, meaning)
    if parameter.type in (int, float):
        ends_declared = parameter.param.usual or (parameter.param.low, parameter.param.high)
        return _number(path, parameter, *ends_declared, meaning)
    values = _alternatives(parameter)
    if len(values) < 2:
        raise SpecError(f"{path} is {parameter.allowed()}: list what to try as {path}=FIRST|SECOND")
    return Choice(path, values, meaning)


def _number(path: str, parameter: Parameter, low: float | None, high: float | None, meaning: str) -> Number:
    """Return a dimension, unless its range is empty, endless or too wide to be searched."""
    if low is None or high is None:
        raise SpecError(f"{path} is {parameter.allowed()}: give a range, such as {path}=1..100")
    if not low < high:
        raise SpecError(f"{path}: the range {low:g}..{high:g} is empty; the lower end comes first")
    found = Number(path, low, high, parameter.type is int, meaning)
    if high - low > _WIDEST and not (found.logarithmic and high / low <= _WIDEST**2):
        raise SpecError(f"{path}: the range {low:g}..{high:g} is too wide; give a smaller one, such as {path}=1..100")
    return found


def _alternatives(parameter: Parameter) -> tuple[str, ...]:
    """Return what a parameter that is not a number may be, as text."""
    if parameter.registry is not None:
        return tuple(parameter.registry.names())
    if parameter.type is bool:
        return ("false", "true")
    if isinstance(parameter.type, type) and issubclass(parameter.type, IntEnum):
        return tuple(print_value(member) for member in parameter.type)
    return ()


def _declared(settings: Any, path: str) -> tuple[Parameter, str]:
    """Return the declaration of a parameter by its path, and the name of what it belongs to."""
    *parts, last = path.split(".")
    owner = settings
    for part in parts:
        declared = _parameters(owner).get(part)
        if declared is None or declared.registry is None:
            raise _unknown(settings, path)
        owner = getattr(owner, part)
    if last not in _parameters(owner):
        raise _unknown(settings, path)
    return _parameters(owner)[last], owner.spec_name


def _parameters(settings: Any) -> dict[str, Parameter]:
    cls: Any = type(settings)
    return parameters(cls)


def _unknown(settings: Any, path: str) -> SpecError:
    return SpecError(f"{text(settings)} has no parameter '{path}'{nearest(path, _paths(settings))}")


def _paths(settings: Any, prefix: str = "") -> list[str]:
    """Return the paths of all parameters of a player, parts of parts included."""
    found = []
    for name, parameter in _parameters(settings).items():
        found.append(prefix + name)
        if parameter.registry is not None:
            found += _paths(getattr(settings, name), f"{prefix}{name}.")
    return found


def _some(paths: Sequence[str]) -> str:
    return f", such as {paths[0]}" if paths else ": it has none"


def _parsed(written: str) -> Any:
    """Return a value as a spec has it."""
    return parse(f"values(value={written.strip()})").kwargs["value"]


def _value_at(settings: Any, path: str) -> Any:
    """Return the value of a parameter."""
    for part in path.split("."):
        settings = getattr(settings, part)
    return settings


def _with(settings: Any, spec: Spec, parts: Sequence[str], value: Any) -> Spec:
    """Return the spec of some settings with one value replaced, which may be one of their parts."""
    name, *deeper = parts
    if deeper:
        inner = getattr(settings, name)
        there = spec.kwargs.get(name)
        value = _with(inner, there if isinstance(there, Spec) else parse(text(inner)), deeper, value)
    return Spec(spec.name, spec.args, {**spec.kwargs, name: value})
