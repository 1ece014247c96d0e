"""The reference of the Python API, ``docs/api.md``, made from the code: ``python -m montego.cli.api_reference``."""

import inspect
import re
import textwrap
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Any

import montego
from montego.names import TOPICS
from montego.spec import Registry, parameters, print_value, summary

_HEAD = """\
# Python API

Made by `make docs` from the code itself; a test fails when it is out of date.

```python
import montego as mg

result = mg.match("go(size=5)", mg.Uct(playouts=100), "random", games=20, seed=1)
print(result)
```

A name is loaded when it is first used, so `import montego` takes milliseconds. Wherever a game, a player, a playout policy
or a reward is expected, its spec does as well: `mg.Uct(playouts=500)` and `"uct(playouts=500)"` mean the same. Bad input
raises a `mg.MontegoError` whose message is one line that says what was expected.
"""
_SECTION = "Parameters:"
_WIDTH = 100
_SHORT = 10  # characters of a default in a signature


def reference() -> str:
    """Return the reference of all public names as Markdown."""
    lines = [_HEAD]
    for topic, homes in TOPICS.items():
        lines.append(f"## {topic}\n")
        for names in homes.values():
            for name in names:
                lines.extend(_entry(name, getattr(montego, name)))
    return "\n".join(lines).rstrip() + "\n"


def _entry(name: str, thing: Any) -> Iterator[str]:
    yield f"### `mg.{name}`\n"
    if isinstance(thing, Registry):
        yield f"Every {thing.kind} that a spec can name. `mg.{name}[name]` is its class, `mg.{name}.build(spec)` makes one.\n"
        yield _table(("name", "meaning"), [(f"`{entry}`", _cell(summary(thing[entry]))) for entry in thing])
        return
    if not (inspect.isclass(thing) and issubclass(thing, Exception)):
        call = textwrap.fill(f"mg.{name}{_signature(thing)}", _WIDTH, subsequent_indent="    ", break_on_hyphens=False)
        yield f"```python\n{call}\n```\n"
    yield f"{_description(thing)}\n"
    if declared := _declared(thing):
        yield _table(("parameter", "default", "meaning"), declared)
    if inspect.isclass(thing) and not issubclass(thing, Exception) and not _is_settings(thing):
        members = [(f"`{member}`", _cell(meaning)) for member, meaning in _members(thing)]
        if members:
            yield _table(("member", "meaning"), members)


def _is_settings(thing: Any) -> bool:
    """Whether a thing is a class whose parameters are declared for a registry."""
    return inspect.isclass(thing) and issubclass(thing, tuple) and "spec_name" in vars(thing)


def _declared(thing: Any) -> list[tuple[str, ...]]:
    """Return parameters with their defaults and meanings: from the declaration, or from the docstring of a function."""
    if _is_settings(thing):
        return [
            (f"`{name}`", _default(one.default), _cell("; ".join(filter(None, (one.param.meaning, one.allowed())))))
            for name, one in parameters(thing).items()
        ]
    if inspect.isclass(thing):
        return []
    section = (inspect.getdoc(thing) or "").partition(f"\n{_SECTION}\n")[2]
    signature = inspect.signature(thing).parameters
    rows: list[tuple[str, ...]] = []
    for names, meaning in re.findall(r"^    (\w[\w, ]*): ((?:.|\n(?!    \w[\w, ]*: ))*)", section, re.MULTILINE):
        listed = names.split(", ")
        defaults = _default(signature[listed[0]].default) if len(listed) == 1 else ""
        rows.append((", ".join(f"`{one}`" for one in listed), defaults, _cell(meaning)))
    return rows


def _signature(thing: Any) -> str:
    """Return the names of the parameters, with defaults that are short."""
    shown = []
    keyword_only = False
    for parameter in inspect.signature(thing).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            shown.append("*")
        prefix = "**" if parameter.kind is parameter.VAR_KEYWORD else "*" * (parameter.kind is parameter.VAR_POSITIONAL)
        default = "" if parameter.default is parameter.empty else f"={_short(parameter.default)}"
        shown.append(f"{prefix}{parameter.name}{default}")
    return f"({', '.join(shown)})"


def _short(default: Any) -> str:
    shown = repr(default)
    return shown if len(shown) <= _SHORT and not shown.startswith("<") else "…"


def _default(value: Any) -> str:
    if value is inspect.Parameter.empty or value is None:
        return ""
    shown = print_value(value) if isinstance(value, (IntEnum, tuple)) else repr(value)
    return f"`{shown}`".replace("|", "\\|")


def _description(thing: Any) -> str:
    """Return the docstring up to its parameters, a paragraph per line."""
    text = (inspect.getdoc(thing) or "").partition(f"\n{_SECTION}\n")[0].strip()
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    return "\n\n".join(paragraphs).replace("``", "`")


def _members(cls: type) -> Iterator[tuple[str, str]]:
    """Yield the public fields, properties and methods of a class that have a docstring, in the order of the source."""
    for base in reversed([base for base in cls.__mro__ if base.__module__.startswith("montego.")]):
        for name, member in vars(base).items():
            if name.startswith("_") or getattr(cls, name, None) is None:
                continue
            function = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
            if isinstance(function, property):
                yield name, summary(function)
            elif inspect.isfunction(function):
                arguments = [parameter.name for parameter in inspect.signature(function).parameters.values()]
                yield f"{name}({', '.join(one for one in arguments if one not in ('self', 'cls'))})", summary(function)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("``", "`").replace("|", "\\|")


if __name__ == "__main__":
    print(reference(), end="")
