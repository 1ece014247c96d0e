"""The command reference ``docs/cli.md``, made from the commands themselves: ``python -m montego.cli.reference``."""

from collections.abc import Iterator

import click

from montego.cli.main import cli

_HEAD = """\
# Command line

Made by `make docs` from the commands themselves; a test fails when it is out of date.

Bad input (an unknown game, a parameter out of range, an illegal move, a wrong option) is answered by one line
`montego: error: …` on stderr and exit code 2. Ctrl-C ends with exit code 130. Every command has `--help`.
"""


def reference() -> str:
    """Return the reference of every command as Markdown."""
    return "\n".join([_HEAD, *_sections(cli, ["montego"])]).rstrip() + "\n"


def _sections(command: click.Command, path: list[str]) -> Iterator[str]:
    name = " ".join(path)
    if command is not cli:
        usage = " [OPTIONS]" if any(isinstance(param, click.Option) for param in command.params) else ""
        usage += "".join(f" {param.metavar}" for param in command.params if isinstance(param, click.Argument))
        yield f"## `{name}`\n"
        yield f"{_paragraphs(command.help or '')}\n"
        if not isinstance(command, click.Group):
            yield f"```\n{name}{usage}\n```\n"
        options = [_option(param) for param in command.params if isinstance(param, click.Option)]
        if options:
            yield "| option | meaning |\n|---|---|"
            yield "\n".join(options) + "\n"
    if isinstance(command, click.Group):
        for child in sorted(command.commands):
            yield from _sections(command.commands[child], [*path, child])


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def _option(option: click.Option) -> str:
    value = ""
    if isinstance(option.type, click.Choice):
        value = " " + "\\|".join(option.type.choices)
    elif not option.is_flag:
        value = f" {option.metavar or option.type.name.upper()}"
    notes = " Required." if option.required else ""
    if option.show_default:
        notes += f" Default: `{option.default}`."
    return f"| `{', '.join(option.opts)}{value}` | {option.help}{notes} |"


if __name__ == "__main__":
    print(reference(), end="")
