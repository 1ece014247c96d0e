"""Generic functions: the implementation is chosen by the type of the first argument.

In compiled code the choice is made at compile time and costs nothing. Games, playout policies and other plug-in parts
are types for this reason: one search kernel is specialised for each of them.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from numba import types
from numba.core.datamodel.models import OpaqueModel
from numba.core.imputils import lower_constant
from numba.extending import register_model

from montego._jit.cache import ancestry, note_implementation
from montego._jit.compiling import as_kernel
from montego.errors import MissingKernel

F = TypeVar("F", bound=Callable[..., Any])

_NAMED: dict[str, type] = {}  # every class that kernels are specialised for, by its name


class Generic:
    """A function whose implementation is chosen by the type of its first argument, in Python and in kernels.

    A class without an implementation of its own takes that of its nearest base class, as with methods.
    """

    def __init__(self, function: Callable[..., Any], default: Any) -> None:
        functools.update_wrapper(self, function, updated=())
        self.__name__ = function.__name__
        self.default = default
        self.table: dict[type, Any] = {}

    def choose(self, cls: Any) -> Any:
        """Return the kernel for a type."""
        implementation = next((self.table[base] for base in ancestry(cls) if base in self.table), self.default)
        if implementation is None:
            name, kind = self.__name__, getattr(cls, "__qualname__", cls)  # the name that ``name_apart`` leaves alone
            raise MissingKernel(f"{kind} has no {name}(): write one under @implements({name}, {kind})")
        return implementation

    def __call__(self, *args: Any) -> Any:
        return self.choose(type(args[0]))(*args)

    @property
    def _numba_type_(self) -> "_GenericType":
        return _GenericType(self)


class _GenericType(types.Callable):  # type: ignore[misc]
    """What a generic function is to Numba: the kernel that its table names, called without a wrapper between."""

    def __init__(self, function: Generic) -> None:
        self.function = function
        super().__init__(f"generic {function.__name__} {id(function)}")

    def _chosen(self, first: Any) -> Any:
        return types.Dispatcher(self.function.choose(getattr(first, "instance_class", first)))

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return self._chosen(args[0]).get_call_type(context, args, kws)

    def get_impl_key(self, sig: Any) -> Any:
        return self._chosen(sig.args[0]).get_impl_key(sig)

    def get_call_signatures(self) -> Any:
        return (), True


register_model(_GenericType)(OpaqueModel)


@lower_constant(_GenericType)
def _lower_generic(context, builder, numba_type, value):  # type: ignore[no-untyped-def]
    return context.get_dummy_value()


def generic(function: Callable[..., Any]) -> Generic:
    """Declare a function chosen by the type of its first argument; every type must implement it."""
    return Generic(function, default=None)


def generic_with_default(function: Callable[..., Any]) -> Generic:
    """Declare a function chosen by the type of its first argument; its body serves the types without their own."""
    return Generic(function, default=as_kernel(function))


def name_apart(cls: type) -> None:
    """Give a class a name that no other class has for which kernels were specialised.

    When Python calls a kernel, Numba tells named tuples apart by the names of class and fields alone. A copy of
    ``TicTacToe`` in a user's file, or a class defined anew in a notebook, would be played by the rules of the first.
    """
    name, number = cls.__name__, 1
    while _NAMED.setdefault(cls.__name__, cls) is not cls:
        number += 1
        cls.__name__ = f"{name}_{number}"


def implements(function: Generic, cls: type) -> Callable[[F], F]:
    """Make the decorated function the implementation of a generic function for a class and its subclasses."""

    name_apart(cls)

    def register(implementation: F) -> F:
        compiled = as_kernel(implementation)
        function.table[cls] = compiled
        note_implementation(cls, implementation)
        return compiled

    return register
