"""``montego report``."""

from __future__ import annotations

from pathlib import Path

import click

from montego.outside import check_ending, check_outputs, write_file


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE.html",
    help="Where the page is written. Default: report.html in DIR.",
)
@click.option("--index", is_flag=True, help="Print a Markdown list of all tables and figures with their state instead.")
def report(folder: Path, out: Path | None, index: bool) -> None:
    """Write one HTML page of everything that montego reproduce has put into a folder.

    Every table beside the published one, verdicts, figures, commands, seeds and games as boards. The page is complete
    in itself. Experiments that are still running are shown as far as they are.
    """
    from montego.lab.artefacts import index_page
    from montego.lab.report_page import report_page

    if index:
        click.echo(index_page(folder), nl=False)
        return
    target = out or folder / "report.html"
    check_ending(target, ".html")
    check_outputs([target])
    page = report_page(folder)
    write_file(target, page)
    click.echo(f"written: {target}")
