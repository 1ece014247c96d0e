"""Lists of what a registry holds, as text and as data for JSON."""

import json
from typing import Any

import click

from montego.spec import Registry, parameters, print_value


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
                "default": None if required else print_value(parameter.default),
                "allowed": parameter.allowed(),
                "meaning": parameter.param.meaning,
                "paper": parameter.param.paper,
            }
        )
    summary = (cls.__doc__ or "").strip().partition("\n")[0]
    return {"name": name, "summary": summary, "parameters": listed}


def show(registry: Registry[Any], as_json: bool) -> None:
    """Print what a registry holds."""
    entries = describe(registry)
    if as_json:
        click.echo(json.dumps(entries, indent=2))
        return
    for entry in entries:
        click.echo(f"{entry['name']}: {entry['summary']}")
        for parameter in entry["parameters"]:
            default = "" if parameter["default"] is None else f"={parameter['default']}"
            details = "; ".join(
                part for part in (parameter["meaning"], parameter["allowed"], parameter["paper"]) if part
            )
            click.echo(f"    {parameter['name']}{default}: {details}")
