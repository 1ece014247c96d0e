"""``montego reproduce``."""

from __future__ import annotations

import json
import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from montego.cli.competition import worker_options
from montego.cli.options import json_option, seed_option
from montego.errors import MontegoError

if TYPE_CHECKING:
    from montego.arena.match import Progress
    from montego.lab import Conditions, Experiment, Report

DIFFERS = 1
ALL = "all"
_LINE_SECONDS = 10.0
_STYLES = {"agrees": "green", "differs": "bold red", "not decided": "yellow", "not judged": "dim"}


@click.command()
@click.argument("name", required=False, metavar="[NAME|all]")
@click.option("--list", "listing", is_flag=True, help="List experiments, their costs and, with --out, results.")
@click.option("--quick", is_flag=True, help="A look at the same table, within a minute, with larger errors.")
@click.option("--full", is_flag=True, help="As many games and playouts as in the paper; hours for most.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A folder for NAME.json, figures, their CSV, and ledgers: the same command resumes. With --list: show the "
    "state of what is there.",
)
@click.option("--judge", is_flag=True, help="Play nothing: judge the games that are in the ledgers of --out so far.")
@click.option(
    "--opponent",
    metavar="COMMAND",
    default="",
    help="The reference opponent of experiments that have one: a GTP command or a player. Default: GNU Go.",
)
@worker_options
@seed_option
@json_option
def reproduce(
    name: str | None,
    listing: bool,
    quick: bool,
    full: bool,
    out: Path | None,
    judge: bool,
    opponent: str,
    workers: int | None,
    cluster: str | None,
    seed: int | None,
    as_json: bool,
) -> int | None:
    """Repeat a paper's experiment and compare the results; without NAME, list the experiments.

    Prints our figures, the paper's, their difference in standard errors and a verdict for each row. Without --quick or
    --full an experiment takes about 20 minutes on two cores. The exit code is 1 if a row differs from the paper.
    """
    from montego.lab import EXPERIMENTS, Conditions, Size
    from montego.lab.performing import perform

    if quick and full:
        raise click.UsageError("give --quick or --full, not both")
    if workers is not None and cluster is not None:
        raise click.UsageError("give --workers or --cluster, not both")
    if judge and out is None:
        raise click.UsageError("--judge needs --out, the folder with the ledgers")
    if name is not None and listing:
        raise click.UsageError(f"give --list or {name}, not both")
    if name is None:
        _list(out, as_json)
        return None
    if opponent and name != ALL and not EXPERIMENTS[name].opposed:
        raise click.UsageError(f"no reference opponent plays in {name}; leave out --opponent")
    if out is not None:
        _make_folder(out)
    conditions = Conditions(
        size=Size.QUICK if quick else Size.FULL if full else Size.DEFAULT,
        seed=_seed(seed, out),
        folder=out,
        workers=workers,
        cluster=cluster,
        opponent=opponent,
        judge=judge,
        watch=_Watch(),
    )
    if name == ALL:
        return _all(conditions, as_json)
    chosen = EXPERIMENTS[name]
    data, report, written = perform(chosen, conditions)
    if as_json:
        click.echo(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        _show(chosen, report, data, written)
    return None if report.agrees else DIFFERS


def _seed(given: int | None, out: Path | None) -> int:
    """Return the seed: as given, or 1 where ledgers are kept, so that the same command resumes, or any."""
    if given is not None:
        return given
    return 1 if out is not None else secrets.randbits(32)


class _Watch:
    """Prints a line every few seconds: the part, how many games are finished, the speed and the time left."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _LINE_SECONDS

    def __call__(self, part: str, progress: Progress) -> None:
        from montego.cli.live import pace

        if time.monotonic() >= self._next:
            click.echo(f"{part}: {pace(progress)}", err=True)
            self._next = time.monotonic() + _LINE_SECONDS


def _all(how: Conditions, as_json: bool) -> int | None:
    """Run every experiment, say one line each, and go on after one that cannot run."""
    from montego.lab import EXPERIMENTS, Skipped
    from montego.lab.performing import perform

    found = []
    for one in EXPERIMENTS:
        began = time.perf_counter()
        try:
            data, report, _ = perform(one, how)
            said, note = report.verdict, f"{sum(row.verdict == 'agrees' for row in report.rows)} rows agree"
        except Skipped as problem:
            data, said, note = {"experiment": one.name, "verdict": "skipped"}, "skipped", str(problem)
        found.append(data)
        if not as_json:
            click.echo(f"{one.name:22} {said:12} {time.perf_counter() - began:6.1f} s  {note}")
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
    return DIFFERS if any(data["verdict"] == "differs" for data in found) else None


def _list(out: Path | None, as_json: bool) -> None:
    from montego.lab import EXPERIMENTS
    from montego.lab.artefacts import read_results, state_of

    states = read_results(out) if out is not None else {}
    if as_json:
        entries = [
            {
                "name": one.name,
                "paper": one.paper,
                "summary": one.summary,
                "cost": one.cost,
                "size": states.get(one.name, {}).get("size"),
                "state": state_of(states.get(one.name))[0],
                "verdict": states.get(one.name, {}).get("verdict"),
            }
            for one in EXPERIMENTS
        ]
        click.echo(json.dumps(entries, indent=2, ensure_ascii=False))
        return
    paper = ""
    for one in EXPERIMENTS:
        if one.paper != paper:
            paper = one.paper
            click.echo(paper)
        state = ""
        if out is not None:
            state = f" [{'; '.join(part for part in state_of(states.get(one.name)) if part)}]"
        click.echo(f"    {one.name}: {one.summary} ({one.cost}){state}")
    click.echo("in brackets: estimated time of the default size; of --full, on two cores")


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise MontegoError(f"cannot write to '{out}': {problem.strerror}; --out must name a folder") from None


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
    table.add_column("quantity", overflow="fold")  # and not no_wrap, as numbers would then be cut instead
    for heading in ("ours", "paper", "difference", "in std. errors"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("", style="dim")
    last = ""
    for row in report.rows:
        wanted = row.wanted_games if row.verdict == "not decided" else 0
        open_until = f"; {wanted:,} games could decide" if wanted else ""
        table.add_row(
            row.label if row.label != last else "",
            row.quantity,
            f"{row.ours:,.{row.digits}f}",
            "" if row.paper is None else f"{row.paper:,.{row.digits}f}",
            "" if row.difference is None else f"{row.difference:+.{row.digits}f}",
            "" if row.deviation is None else f"{row.deviation:+.1f}",
            f"[{_STYLES[row.verdict]}]{row.verdict}[/]",
            f"{row.note}{open_until}",
        )
        last = row.label
    console.print(table)
    for quantity, value, rows, p in report.chi_squares():
        console.print(f"χ² over the table, {quantity}: {value:.1f} for {rows} rows, p = {p:.2g}", markup=False)
    for listing in report.listings:
        facts = Table(title=listing.title, title_justify="left", box=box.SIMPLE_HEAD)
        for heading in listing.headings:
            facts.add_column(heading, justify="right")
        for line in listing.rows:
            facts.add_row(*(str(cell) for cell in line))
        console.print(facts)
    for note in report.notes:
        console.print(note, markup=False)
    pictures = data["figures"]
    if pictures and not written:
        console.print(f"--out DIR writes {', '.join(pictures)}", markup=False)
    for path in written:
        console.print(f"written: {path}", markup=False, soft_wrap=True)
    judged = [row for row in report.rows if row.verdict != "not judged"]
    agreeing = sum(row.verdict == "agrees" for row in judged)
    undecided = sum(row.verdict == "not decided" for row in judged)
    more = f", {undecided} cannot be decided yet" if undecided else ""
    console.print(f"{agreeing} of {len(judged)} judged rows agree with the paper{more}; the table: {report.verdict}")
