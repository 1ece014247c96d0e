"""Lists of what a registry contains, as text and as data for JSON."""

import json
from typing import Any

import click

from montego.spec import Registry, parameters, print_value, summary


def describe(registry: Registry[Any]) -> list[dict[str, Any]]:
    """Return every registered class with its parameters, ready for JSON."""
    return [_describe_class(name, registry[name]) for name in registry.names()]


def _describe_class(name: str, cls: type) -> dict[str, Any]:
    listed = []
    for parameter in parameters(cls).values():
        required = parameter.name not in cls._field_defaults  # type: ignore[attr-defined]
        listed.append(
            {
                "name": parameter.name,
                "default": None if required or parameter.default is None else print_value(parameter.default),
                "allowed": parameter.allowed(),
                "meaning": parameter.param.meaning,
                "paper": parameter.param.paper,
            }
        )
    return {"name": name, "summary": summary(cls), "parameters": listed}


def parts(registry: Registry[Any]) -> dict[str, Registry[Any]]:
    """Return, by kind, the registries that the parameters of a registry's classes choose from, directly or not."""
    found: dict[str, Registry[Any]] = {}
    waiting = [registry]
    while waiting:
        current = waiting.pop(0)
        classes: list[type] = [current[name] for name in current.names()]
        for cls in classes:
            for parameter in parameters(cls).values():
                other = parameter.registry
                if other is not None and other.kind not in found and other is not registry:
                    found[other.kind] = other
                    waiting.append(other)
    return found


def show(registry: Registry[Any], as_json: bool) -> None:
    """Print what a registry contains, followed by the parts that its entries are made of."""
    entries = describe(registry)
    if as_json:
        click.echo(json.dumps(entries, indent=2))
        return
    _print(entries)
    for kind, other in parts(registry).items():
        click.echo(f"\n{kind}:")
        _print(describe(other), "  ")


def _print(entries: list[dict[str, Any]], margin: str = "") -> None:
    for entry in entries:
        click.echo(f"{margin}{entry['name']}: {entry['summary']}")
        for parameter in entry["parameters"]:
            default = "" if parameter["default"] is None else f"={parameter['default']}"
            details = "; ".join(
                part for part in (parameter["meaning"], parameter["allowed"], parameter["paper"]) if part
            )
            click.echo(f"{margin}    {parameter['name']}{default}: {details}")
