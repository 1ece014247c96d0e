"""One self-contained HTML page of everything in a folder of results: tables beside the papers', figures, games."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from montego.errors import MontegoError
from montego.games import game as build_game
from montego.lab.artefacts import ARTEFACTS, ledger_lines, ledgers_in, read_results, state_of
from montego.lab.experiment import EXPERIMENTS

_BOARDS = 6  # pictures of a game at most: evenly spaced moves, the last one included
_ALL_BOARDS = 12  # of an experiment, as long as every game has one
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: .6rem 0; } th, td { padding: .15rem .6rem; text-align: left; }
th { border-bottom: 1px solid #888; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
td pre { margin: 0; } code { background: #f3f3f3; padding: 0 .2rem; } .about { color: #666; }
.agrees { color: #1a7a35; } .differs { color: #b3231b; font-weight: bold; } .not-decided { color: #9a6b00; }
.not-judged, .not-run { color: #777; } .boards svg { width: 13rem; height: auto; margin: .3rem; }
figure { margin: .8rem 0; } summary { cursor: pointer; }
"""


def report_page(folder: str | Path) -> str:
    """Return the page for a folder that ``montego reproduce --out`` has written to."""
    results = read_results(folder)
    ledgers = ledgers_in(folder)
    if not results and not ledgers:
        raise MontegoError(f"'{folder}' holds no results; montego reproduce NAME --out {folder} writes some")
    parts = ["<h1>Montego: the papers' experiments, repeated</h1>", _overview(results)]
    for paper in dict.fromkeys(one.paper for one in EXPERIMENTS):
        names = [one.name for one in EXPERIMENTS if one.paper == paper and one.name in results]
        if names:
            parts.append(f"<h2>{escape(paper)}</h2>")
            parts += [_experiment(results[name], Path(folder)) for name in names]
    if ledgers:
        parts += ["<h2>Ledgers</h2>", *(_ledger(path) for path in ledgers)]
    head = f'<meta charset="utf-8"><title>Montego: results</title><style>{_STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _overview(results: dict[str, dict[str, Any]]) -> str:
    """Return the table of all artefacts."""
    rows = []
    for one in ARTEFACTS:
        data = results.get(one.experiment)
        state, verdict = state_of(data)
        kind = _kind(data["verdict"] if data else "not run")
        name = escape(one.experiment)
        link = f'<a href="#{name}">{name}</a>' if data else name
        rows.append(
            f"<tr><td>{escape(one.paper.partition(',')[0])}</td><td>{escape(one.title)}</td><td>{link}</td>"
            f'<td>{escape(state)}</td><td class="{kind}">{escape(verdict)}</td></tr>'
        )
    heads = _heads(("paper", "table or figure", "experiment", "state", "verdict"))
    return f"<table>{heads}{''.join(rows)}</table>"


def _experiment(data: dict[str, Any], folder: Path) -> str:
    name = data["experiment"]
    settings = ", ".join(f"{key} {value}" for key, value in data["settings"].items())
    about = (
        f"seed {data['seed']}, {data['seconds']:.0f} s, Montego {data.get('version', '')}, {data.get('machine', '')}"
    )
    parts = [
        f'<h3 id="{escape(name)}">{escape(name)}: {escape(data.get("summary", ""))}</h3>',
        f'<p><code>{escape(data.get("command", ""))}</code> <span class="about">{escape(about)}</span><br>'
        f'<span class="about">{escape(settings)}</span></p>',
        _rows_table(data["rows"]),
        *(
            f"<p>χ² over the table, {escape(one['quantity'])}: {one['chi_square']} for {one['rows']} rows, "
            f"p = {one['p']:g}</p>"
            for one in data.get("chi_square", ())
        ),
        f'<p>Verdict: <span class="{_kind(data["verdict"])}">{escape(data["verdict"])}</span></p>',
    ]
    for figure in data["figures"]:
        path = folder / figure
        if path.is_file():
            svg = path.read_text(encoding="utf-8")
            parts.append(f"<figure>{svg[max(0, svg.find('<svg')) :]}</figure>")
        else:
            parts.append(f"<p>The figure {escape(figure)} is missing; the command above writes it.</p>")
    for listing in data["listings"]:
        cells = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in listing["rows"])
        parts.append(f"<details><summary>{escape(listing['title'])}</summary>")
        parts.append(f"<table>{_heads(listing['headings'])}{cells}</table></details>")
    parts += [f"<p>{escape(note)}</p>" for note in data["notes"]]
    samples = data.get("samples", ())
    boards = max(1, min(_BOARDS, _ALL_BOARDS // max(1, len(samples))))
    parts += [_game(one, boards) for one in samples]
    return "\n".join(parts)


def _rows_table(rows: Sequence[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        digits = row.get("digits", 4)
        figures = [
            "" if value is None else f"{value:,.{digits}f}" for value in (row["ours"], row["paper"], row["difference"])
        ]
        deviation = row["difference_in_standard_errors"]
        figures.append("" if deviation is None else f"{deviation:+.1f}")
        wanted = row.get("games_to_decide")
        note = row["note"] + (f"; {wanted:,} games could decide" if wanted else "")
        lines.append(
            f"<tr><td>{escape(row['label'])}</td><td>{escape(row['quantity'])}</td>"
            + "".join(f'<td class="number">{figure}</td>' for figure in figures)
            + f'<td class="{_kind(row["verdict"])}">{escape(row["verdict"])}</td><td>{escape(note)}</td></tr>'
        )
    heads = _heads(("", "quantity", "ours", "paper", "difference", "in std. errors", "verdict", ""))
    return f"<table>{heads}{''.join(lines)}</table>"


def _game(sample: dict[str, Any], count: int) -> str:
    """Return a game as ``count`` boards that open on a click; a game that cannot be replayed as its moves alone."""
    title = f"Game {sample['number']}: {' against '.join(sample['players'])}, {sample['result']}"
    moves = sample["moves"].split()
    shown = {round(len(moves) * part / count) for part in range(1, count + 1)}
    boards = []
    try:
        position = build_game(sample["game"]).start()
        for number, move in enumerate(moves, 1):
            position.play(move)
            if number in shown:
                boards.append(f"<figure>{position.svg()}<figcaption>move {number}</figcaption></figure>")
    except MontegoError:
        boards = []
    return (
        f"<details><summary>{escape(title)}</summary><div class='boards'>{''.join(boards)}</div>"
        f"<p class='about'>{escape(sample['moves'])}</p></details>"
    )


def _ledger(path: Path) -> str:
    text = "\n".join(ledger_lines(path))
    return f"<details><summary>{escape(path.name)}</summary><pre>{escape(text)}</pre></details>"


def _heads(names: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<th>{escape(str(name))}</th>' for name in names)}</tr>"


def _cell(value: Any) -> str:
    text = escape(str(value))
    return f"<td><pre>{text}</pre></td>" if "\n" in text else f"<td>{text}</td>"


def _kind(verdict: str) -> str:
    return verdict.replace(" ", "-")
