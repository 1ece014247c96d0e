"""``montego check``: whether the games, policies and players of a user's file keep their promises."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import click

from montego.cli.options import Number, Whole, json_option
from montego.cli.progress import spinner
from montego.errors import MontegoError, counted
from montego.outside import signal_name

_STALL_SECONDS = 60.0  # beyond --seconds, for compiling, before a child without news is stopped
_POLL_SECONDS = 0.1
_STDERR = 2  # the file descriptor, which is there even where sys.stderr is replaced

_CANNOT_KNOW = (
    "Not checked: whether the rules are those of the real game. "
    "Compare with another implementation or with published counts."
)


@dataclass
class Line:
    """One line of the report: a subject in one mode, with what is wrong if something is."""

    mode: str
    subject: str
    status: str
    detail: str = ""
    file: str = ""
    line: int = 0
    source: str = ""
    seconds: float = 0.0

    @property
    def bad(self) -> bool:
        return self.status in ("failed", "crashed")

    def print(self, width: int) -> None:
        """Print the line, and the place of a mistake below it."""
        status = self.status.upper() if self.bad else self.status
        click.echo(f"{self.mode:<12} {self.subject:<{width}}  {status:<8} {self.detail}".rstrip())
        if self.file:
            click.echo(f"    {self.file}:{self.line}: {self.source}")


@dataclass
class Child:
    """What a child process said, and how it ended."""

    subjects: list[tuple[str, str]] = field(default_factory=list)
    outcomes: list[dict[str, Any]] = field(default_factory=list)
    doing: dict[str, Any] = field(default_factory=dict)  # the check that was begun last
    refused: str = ""
    ended: str = ""  # why it did not end by itself: a signal, no news, or its last words


@click.command()
@click.argument("file", type=click.Path(dir_okay=False), metavar="FILE.py")
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="SPEC",
    help="Check this game only, and try policies and players on it (may be repeated). "
    "Default: every game of the file with its default parameters and on two other boards.",
)
@click.option(
    "--seconds",
    type=Number(min=1, max=86400),
    default=60.0,
    show_default=True,
    metavar="S",
    help="Time for the checks in each mode, besides compiling.",
)
@click.option("--seed", type=Whole(min=0), default=1, show_default=True, metavar="N", help="Seed of everything random.")
@json_option
@click.pass_context
def check(context: click.Context, file: str, games: tuple[str, ...], seconds: float, seed: int, as_json: bool) -> None:
    """Check the games, playout policies and players that a Python file registers.

    Random games are played first without compiling, where a wrong field or index raises an error with its line, then
    compiled, and the same seeded games are compared. The exit code is 1 if something is wrong.
    """
    if not file.endswith(".py") or not Path(file).is_file():
        raise MontegoError(f"cannot check '{file}': expected an existing Python file such as examples/connect_four.py")
    request = {"file": file, "games": list(games), "seed": seed, "seconds": seconds}
    with spinner(f"checking {file}, interpreted"):
        interpreted = _run(request, interpreted=True)
    lines = _lines("interpreted", interpreted)
    bad = [line.subject for line in lines if line.bad]
    loaded = bool(interpreted.subjects)
    if loaded and len(bad) < len(interpreted.subjects):
        with spinner(f"checking {file}, compiled"):
            compiled = _run({**request, "skip": bad}, interpreted=False)
        lines += _lines("compiled", compiled)
        lines += _comparison(interpreted, compiled)
    lines += [Line("compiled", name, "skipped", "mend the interpreted run first") for name in bad if loaded]
    if as_json:
        report = {"file": file, "seed": seed, "ok": not any(line.bad for line in lines)}
        click.echo(json.dumps({**report, "results": [asdict(line) for line in lines]}, indent=2))
    else:
        width = max(len(line.subject) for line in lines)
        for line in lines:
            line.print(width)
        click.echo(_CANNOT_KNOW)
    context.exit(1 if any(line.bad for line in lines) else 0)


# ------------------------------------------------------------------------------------------------------------ the child


def _run(request: dict[str, Any], interpreted: bool) -> Child:
    """Run the checks in a process of their own and return what it reported."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        report.touch()
        environment = {**os.environ, "NUMBA_DISABLE_JIT": str(int(interpreted))}
        command = [sys.executable, "-P", "-m", "montego.cli.checks", json.dumps({**request, "report": str(report)})]
        with (Path(folder) / "errors").open("w+b") as errors:
            # What the user's file prints goes to our stderr: it must not be taken for the report.
            process = subprocess.Popen(command, env=environment, stdout=_STDERR, stderr=errors)
            try:
                ended = _wait(process, report, request["seconds"] + _STALL_SECONDS)
            finally:
                process.kill()
                process.wait()
            errors.seek(0)
            last_words = errors.read().decode(errors="replace").strip().splitlines()
        child = _read(report.read_text(encoding="utf-8"))
    child.ended = ended
    if process.returncode > 0:
        child.ended = last_words[-1] if last_words else f"exit code {process.returncode}"
    if child.refused:
        raise MontegoError(child.refused)
    if not child.ended and not child.subjects and not child.outcomes:
        raise MontegoError(f"{request['file']} registers no game, playout policy or player; nothing to check")
    return child


def _wait(process: subprocess.Popen[bytes], report: Path, patience: float) -> str:
    """Wait until a process ends or has no news for too long; return why if it did not end by itself."""
    size, since = 0, time.monotonic()
    while process.poll() is None:
        time.sleep(_POLL_SECONDS)
        if (now := report.stat().st_size) != size:
            size, since = now, time.monotonic()
        elif time.monotonic() - since > patience:
            return f"no end after {patience:.0f} s: an endless loop, or a game that needs more --seconds"
    if process.returncode < 0:
        name = signal_name(-process.returncode)
        return f"compiled code crashed ({name}): most likely an index out of range; look at every [index(...)]"
    return ""


def _read(report: str) -> Child:
    """Put the events of a child together."""
    child = Child()
    for text in report.splitlines():
        event = json.loads(text)
        kind = event.pop("event")
        if kind == "found":
            child.subjects = [(name, what) for name, what in event["subjects"]]
        elif kind == "outcome":
            child.outcomes.append(event)
            child.doing = {}
        elif kind == "begin":
            child.doing = event
        else:
            child.refused = event["message"]
    return child


# ----------------------------------------------------------------------------------------------------------- the report


def _lines(mode: str, child: Child) -> list[Line]:
    """Return a line for each subject that a child came to, and one for what stopped it."""
    lines = []
    for outcome in child.outcomes:
        detail = _done(outcome) if outcome["status"] == "ok" else f"{_label(outcome['check'])}{outcome['reason']}"
        place = {key: outcome[key] for key in ("file", "line", "source", "seconds")}
        lines.append(Line(mode, outcome["subject"], outcome["status"], detail, **place))
    if child.ended:
        doing = child.doing or {"subject": "the file", "check": "loading"}
        lines.append(Line(mode, doing["subject"], "crashed", f"{_label(doing['check'])}{child.ended}"))
    return lines


def _label(check: str) -> str:
    """Return the name of a check in front of what it found."""
    return f"{'seeded games' if check == 'record' else check}: " if check else ""


def _done(outcome: dict[str, Any]) -> str:
    """Say what was checked of a subject that is all right."""
    if outcome["kind"] == "game":
        return f"{len(outcome['checks'])} checks, {counted(outcome['rounds'] - 1, 'random game')} each"
    words = {"policy": "legal playouts, and a search with them", "player": "legal moves, the same for the same seed"}
    return words[outcome["kind"]]


def _comparison(interpreted: Child, compiled: Child) -> list[Line]:
    """Compare what both modes did with the same seed."""
    lines = []
    there = {outcome["subject"]: outcome["record"] for outcome in compiled.outcomes if outcome["status"] == "ok"}
    for outcome in interpreted.outcomes:
        subject, ours = outcome["subject"], outcome["record"]
        if ours is None or there.get(subject) is None:
            continue
        difference = first_difference(ours, there[subject])
        status = "failed" if difference else "ok"
        lines.append(Line("both", subject, status, difference or "the same games with the same seed"))
    return lines


def first_difference(interpreted: Any, compiled: Any) -> str:
    """Say where two records of the same seed part first; empty if they are equal."""
    if interpreted == compiled:
        return ""
    if not isinstance(interpreted, dict):
        return _parting("the games", interpreted, compiled)
    for ply, (ours, theirs) in enumerate(zip(interpreted["steps"], compiled["steps"])):
        for key in ("legal", "score", "owners", "key"):
            if ours[key] != theirs[key]:
                name = {"legal": "legal_moves", "key": "state_hash"}.get(key, key)
                return (
                    f"{name} differs after {counted(ply, 'move')} ({interpreted['moves'][:ply]}): "
                    f"interpreted {_short(ours[key])}, compiled {_short(theirs[key])}"
                )
    if interpreted["moves"] != compiled["moves"]:
        return _parting("the random games", interpreted["moves"], compiled["moves"])
    ours, theirs = interpreted["playout"], compiled["playout"]
    if ours["trace"] != theirs["trace"]:
        return _parting("the random playouts", ours["trace"], theirs["trace"])
    return f"the random playouts end differently: interpreted {_short(ours)}, compiled {_short(theirs)}"


def _parting(what: str, ours: list[Any], theirs: list[Any]) -> str:
    """Say at which move two lists of moves part."""
    ply = next((i for i, (one, other) in enumerate(zip(ours, theirs)) if one != other), min(len(ours), len(theirs)))
    one, other = (_short(moves[ply]) if ply < len(moves) else "the end" for moves in (ours, theirs))
    return f"{what} part at move {ply + 1}: interpreted {one}, compiled {other}"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
