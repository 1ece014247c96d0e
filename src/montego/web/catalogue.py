"""The registries as data: what the menus and forms of the page are made of."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from montego.games import GAMES
from montego.opponents import Gtp
from montego.players import PLAYERS
from montego.spec import Parameter, Registry, parameters, print_value, summary


def catalogue(allow_commands: bool = False) -> dict[str, Any]:
    """Return games, players and the parts they are made of, by kind, ready for JSON."""
    kinds: dict[str, Any] = {}
    waiting: list[Registry[Any]] = [GAMES, PLAYERS]
    while waiting:
        registry = waiting.pop(0)
        if registry.kind in kinds:
            continue
        classes: dict[str, type] = {name: registry[name] for name in registry.names()}
        if not allow_commands:
            classes = {name: cls for name, cls in classes.items() if not issubclass(cls, Gtp)}
        kinds[registry.kind] = [_entry(name, cls) for name, cls in classes.items()]
        waiting += [one.registry for cls in classes.values() for one in parameters(cls).values() if one.registry]
    return kinds


def _entry(name: str, cls: type) -> dict[str, Any]:
    return {
        "name": name,
        "summary": summary(cls),
        "parameters": [_parameter(cls, one) for one in parameters(cls).values()],
    }


def _parameter(cls: type, one: Parameter) -> dict[str, Any]:
    required = one.name not in cls._field_defaults  # type: ignore[attr-defined]
    members = [member.name.lower() for member in one.type] if _is_choice(one) else []
    type_name = getattr(one.type, "__name__", "text")  # int, float, bool …
    kind = "part" if one.registry else "choice" if members else type_name
    return {
        "name": one.name,
        "kind": kind,
        "part": one.registry.kind if one.registry else "",
        "choices": members,
        "default": None if required or one.default is None else print_value(one.default),
        "required": required,
        "low": one.param.low,
        "high": one.param.high,
        "allowed": one.allowed(),
        "meaning": one.param.meaning,
        "paper": one.param.paper,
    }


def _is_choice(one: Parameter) -> bool:
    return isinstance(one.type, type) and issubclass(one.type, IntEnum)
