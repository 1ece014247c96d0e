"""Families of alternatives that are values, not types: kernels read the chosen one as a record of numbers.

A search is compiled for its game and its policies only. Everything else that can be chosen (a RAVE schedule, a pruning
rule, …) is a family: its members are NamedTuples of parameters, and one record type, derived from them, holds the
numbers of whichever member was chosen. So a tournament over a hundred settings compiles once.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from montego.spec import Registry

C = TypeVar("C")


class Family(Registry[Any]):
    """A registry whose members share one record type: the union of their numbers.

    ``kind`` is the number by which kernels tell members apart. The other numbers are a member's parameters, or what its
    method ``numbers()`` returns, if it has one.
    """

    def __init__(self, kind: str, number: str | None = None) -> None:
        super().__init__(kind, number)
        self._kinds: dict[type, int] = {}
        self._type: np.dtype[Any] | None = None

    def register(self, name: str, kind: int = 0) -> Callable[[type[C]], type[C]]:
        """Return a class decorator that adds a member: ``@RAVES.register("silver", kind=SILVER)``."""

        def decorate(cls: type[C]) -> type[C]:
            self._kinds[cls], self._type = kind, None
            self.add(name, cls)
            return cls

        return decorate

    def numbers(self, member: Any) -> dict[str, Any]:
        """Return what kernels read of a member."""
        return {"kind": self._kinds[type(member)], **getattr(member, "numbers", member._asdict)()}

    def record_type(self) -> np.dtype[Any]:
        """Return the record type that holds the numbers of any member."""
        if self._type is None:
            fields: dict[str, type] = {}
            for name in self.names():
                for field, value in self.numbers(self[name]()).items():
                    fields[field] = np.float64 if isinstance(value, float) else np.int64
            self._type = np.dtype((np.record, sorted(fields.items())))
        return self._type

    def write(self, record: Any, member: Any) -> None:
        """Write the numbers of a member into a record that has the family's fields; those it does not have become 0."""
        numbers = self.numbers(member)
        for field in self.record_type().names or ():
            record[field] = numbers.get(field, 0)
