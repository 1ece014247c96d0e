"""Lists of what a registry contains, as text and as data for JSON."""

import json
from typing import Any

import click

from montego.errors import MontegoError, nearest
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
                "usual": parameter.param.usual,
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


def show(registry: Registry[Any], name: str | None, everything: bool, as_json: bool) -> None:
    """Print a list of a registry, all about one of its entries or of their parts, or all about everything."""
    if name is not None:
        entries = _named(registry, name)
        click.echo(json.dumps(entries[0] if len(entries) == 1 else entries, indent=2) if as_json else _lines(entries))
    elif as_json:
        click.echo(json.dumps(describe(registry), indent=2))
    elif everything:
        click.echo(_lines(describe(registry)))
        for kind, other in parts(registry).items():
            click.echo(f"\n{kind}:\n{_lines(describe(other), '  ')}")
    else:
        _overview(registry)


def _overview(registry: Registry[Any]) -> None:
    """Print a line per entry, and the names of the parts that they are made of."""
    width = max(map(len, registry.names()))
    for name in registry.names():
        click.echo(f"{name:<{width}}  {summary(registry[name])}")
    others = parts(registry)
    if others:
        click.echo("\nParameters choose from:")
    for kind, other in others.items():
        click.echo(f"  {kind}: {', '.join(other.names())}")
    command = f"montego {registry.kind}s"
    click.echo(f"\n'{command} NAME' explains one of these names and its parameters, '{command} --all' every one.")


def _named(registry: Registry[Any], name: str) -> list[dict[str, Any]]:
    """Return the entries of a name: of the registry itself, or else of every kind of part that has it."""
    wanted = name.partition("(")[0].strip()
    if wanted in registry.names():
        if wanted != name.strip():
            registry.build(name)  # refuses parameters that are not allowed
        return [_describe_class(wanted, registry[wanted])]
    others = parts(registry)
    found = [_describe_class(wanted, other[wanted]) for other in others.values() if wanted in other.names()]
    if not found:
        known = [*registry.names(), *(part for other in others.values() for part in other.names())]
        raise MontegoError(f"no {registry.kind} or part of one is called '{name}'{nearest(name, known)}")
    return found


def _lines(entries: list[dict[str, Any]], margin: str = "") -> str:
    """Return everything about entries as text."""
    lines = []
    for entry in entries:
        lines.append(f"{margin}{entry['name']}: {entry['summary']}")
        for parameter in entry["parameters"]:
            default = "" if parameter["default"] is None else f"={parameter['default']}"
            source = f"source: {parameter['paper']}" if parameter["paper"] else ""
            usual = "tuned from {:g} to {:g}".format(*parameter["usual"]) if parameter["usual"] else ""
            about = (parameter["meaning"], parameter["allowed"], usual, source)
            details = "; ".join(part for part in about if part)
            lines.append(f"{margin}    {parameter['name']}{default}: {details}")
    return "\n".join(lines)
