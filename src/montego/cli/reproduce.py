"""``montego reproduce``."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from montego.cli.options import json_option, seed_option
from montego.errors import MontegoError
from montego.outside import write_file

if TYPE_CHECKING:
    from montego.lab import Experiment, Report

DIFFERS = 1


@click.command()
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--quick", is_flag=True, help="Fewer repeats: the same table within seconds, with larger errors.")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Also write NAME.json and the figures to a folder."
)
@seed_option
@json_option
def reproduce(name: str | None, quick: bool, out: Path | None, seed: int | None, as_json: bool) -> int | None:
    """Repeat a paper's experiment and compare the results; without NAME, list the experiments.

    Prints our figures, the paper's, their difference in standard errors and a verdict for each row. The exit code is 1
    if a row differs from the paper.
    """
    from montego.lab import EXPERIMENTS

    if name is None:
        _list(as_json)
        return None
    chosen = EXPERIMENTS[name]
    if out is not None:
        _make_folder(out)
    seed = secrets.randbits(32) if seed is None else seed
    report, seconds = chosen.run(quick=quick, seed=seed)
    data = {
        "experiment": chosen.name,
        "paper": chosen.paper,
        "quick": quick,
        "seed": seed,
        "seconds": round(seconds, 3),
        **report.data(),
    }
    written = _write(out, chosen.name, data, report) if out is not None else []
    if as_json:
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        _show(chosen, report, data, written)
    return None if report.agrees else DIFFERS


def _list(as_json: bool) -> None:
    from montego.lab import EXPERIMENTS

    if as_json:
        entries = [{"name": one.name, "paper": one.paper, "summary": one.summary} for one in EXPERIMENTS]
        click.echo(json.dumps(entries, indent=2, ensure_ascii=False))
        return
    paper = ""
    for one in EXPERIMENTS:
        if one.paper != paper:
            paper = one.paper
            click.echo(paper)
        click.echo(f"    {one.name}: {one.summary}")


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise MontegoError(f"cannot write to '{out}': {problem.strerror}; --out must name a folder") from None


def _write(out: Path, name: str, data: dict[str, Any], report: Report) -> list[Path]:
    """Write the data and the figures and return the paths."""
    files = {f"{name}.json": json.dumps(data, indent=2, ensure_ascii=False) + "\n", **report.figures}
    for file, text in files.items():
        write_file(out / file, text)
    return [out / file for file in files]


def _show(chosen: Experiment, report: Report, data: dict[str, Any], written: list[Path]) -> None:
    """Print the comparison, the listings and the remarks."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(width=None if Console().is_terminal else 118, highlight=False)
    settings = ", ".join(
        f"{key} {value:,}" if isinstance(value, int) else f"{key} {value}" for key, value in report.settings.items()
    )
    console.print(f"{chosen.name}: {chosen.summary}", markup=False)
    console.print(f"{chosen.paper} ({settings}, seed {data['seed']}, {data['seconds']:.1f} s)", markup=False)
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("", no_wrap=True)
    table.add_column("quantity", no_wrap=True)
    for heading in ("ours", "paper", "difference", "in std. errors"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("", style="dim")
    styles = {"agrees": "green", "differs": "bold red", "not judged": "dim"}
    last = ""
    for row in report.rows:
        table.add_row(
            row.label if row.label != last else "",
            row.quantity,
            f"{row.ours:,.{row.digits}f}",
            "" if row.paper is None else f"{row.paper:,.{row.digits}f}",
            "" if row.difference is None else f"{row.difference:+.{row.digits}f}",
            "" if row.deviation is None else f"{row.deviation:+.1f}",
            f"[{styles[row.verdict]}]{row.verdict}[/]",
            row.note,
        )
        last = row.label
    console.print(table)
    for listing in report.listings:
        facts = Table(title=listing.title, title_justify="left", box=box.SIMPLE_HEAD)
        for heading in listing.headings:
            facts.add_column(heading, justify="right")
        for line in listing.rows:
            facts.add_row(*(str(cell) for cell in line))
        console.print(facts)
    for note in report.notes:
        console.print(note, markup=False)
    if report.figures and not written:
        console.print(f"--out DIR writes {', '.join(sorted(report.figures))}", markup=False)
    for path in written:
        console.print(f"written: {path}", markup=False, soft_wrap=True)
    judged = [row for row in report.rows if row.verdict != "not judged"]
    agreeing = sum(row.verdict == "agrees" for row in judged)
    console.print(f"{agreeing} of {len(judged)} judged rows agree with the paper")
