"""The tables and figures of the papers, which experiment repeats each, and what the stored results say about them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from montego.arena.ledger import Ledger
from montego.arena.match import Progress
from montego.arena.result import Result
from montego.arena.schedule import Contest
from montego.errors import MontegoError
from montego.lab import higher_order, lecture, sigmoid, simulation_balancing, win_loss_states
from montego.lab.experiment import EXPERIMENTS, Conditions, Size


class Artefact(NamedTuple):
    """A published table or figure."""

    paper: str
    title: str
    experiment: str


def _of(paper: str, entries: Iterable[tuple[str, str]]) -> list[Artefact]:
    return [Artefact(paper, title, name) for title, name in entries]


ARTEFACTS = [
    *_of(
        win_loss_states.PAPER,
        [
            ("Table I", "wls-table-1"),
            ("Table II", "wls-table-2"),
            ("Fig. 1", "wls-figure-1"),
            ("Fig. 2", "wls-step-response"),
        ],
    ),
    *_of(
        simulation_balancing.PAPER,
        [
            *((f"Table {number}", f"sb-table-{number}") for number in range(1, 7)),
            *((f"Fig. {number}", f"sb-figure-{number}") for number in (2, 3)),
        ],
    ),
    *_of(
        lecture.PAPER,
        [
            ("r_d", "lecture-rd"),
            ("σ_e", "lecture-sigma"),
            ("AMAF, basic, PP", "lecture-amaf"),
            ("N", "lecture-n"),
            ("K", "lecture-temperature"),
            ("depth", "lecture-depth"),
        ],
    ),
    *_of(sigmoid.PAPER, [(f"Fig. {number}", f"sigmoid-figure-{number}") for number in (3, 4, 5, 7, 8, 9, 10, 11)]),
    *_of(
        higher_order.PAPER,
        [
            ("Table 1", "y-tournament"),
            ("Table 2", "y-tournament"),
            ("Fig. 3", "y-heatmap"),
            ("Fig. 5", "hex-selfplay"),
            ("Fig. 6", "hex-selfplay"),
        ],
    ),
]


def command_of(name: str, how: Conditions) -> str:
    """Return the command that repeats a run."""
    size = "" if how.size == Size.DEFAULT else f" --{how.size}"
    opponent = f" --opponent '{how.opponent}'" if how.opponent else ""
    return f"montego reproduce {name}{size} --seed {how.seed}{opponent}"


# What every stored result has, and what is in each entry of its lists.
_PARTS = {"experiment", "size", "seed", "seconds", "settings", "verdict", "rows", "listings", "notes", "figures"}
_ENTRIES = {
    "rows": {"label", "quantity", "ours", "paper", "difference", "difference_in_standard_errors", "verdict", "note"},
    "listings": {"title", "headings", "rows"},
    "chi_square": {"quantity", "chi_square", "rows", "p"},
    "samples": {"number", "game", "players", "moves", "result"},
}


def read_results(folder: str | Path) -> dict[str, dict[str, Any]]:
    """Return the results of experiments that are stored in a folder, by name."""
    if not Path(folder).is_dir():
        raise MontegoError(f"there is no folder '{folder}'; montego reproduce NAME --out DIR writes results to one")
    found = {name: read_result(folder, name) for name in EXPERIMENTS.names()}
    return {name: data for name, data in found.items() if data is not None}


def read_result(folder: str | Path, name: str) -> dict[str, Any] | None:
    """Return the result of an experiment that is stored in a folder, or None; refuse a file that is none."""
    path = Path(folder) / f"{name}.json"
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        whole = data["experiment"] == name and data["size"] in list(Size) and data["verdict"] and data.keys() >= _PARTS
        if not whole or any(not one.keys() >= keys for part, keys in _ENTRIES.items() for one in data.get(part, ())):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise MontegoError(
            f"'{path}' is not a result of {name}; remove it or repeat: montego reproduce {name} --out {folder}"
        ) from None
    return dict(data)


def state_of(data: dict[str, Any] | None) -> tuple[str, str]:
    """Return the state of an experiment, and its verdict with the number of rows that agree."""
    if data is None:
        return "not run", ""
    settings = data.get("settings", {})
    games, wanted = settings.get("games", 0), settings.get("wanted", 0)
    state = f"begun, {data['size']}: {games} of {wanted} games" if games < wanted else f"run, {data['size']}"
    judged = [row for row in data["rows"] if row["verdict"] != "not judged"]
    if not judged:
        return state, "not judged"
    agreeing = sum(row["verdict"] == "agrees" for row in judged)
    return state, f"{data['verdict']} ({agreeing} of {len(judged)} rows agree)"


def ledgers_in(folder: str | Path) -> list[Path]:
    """Return the ledgers of a folder, in the order of their names."""
    return sorted(Path(folder).glob("*.sqlite"))


def ledger_lines(path: Path) -> list[str]:
    """Return what a ledger says, finished or not; a damaged one is named as such."""
    try:
        with Ledger(path, read_only=True) as ledger:
            settings, scheduled = ledger.settings()
            games = ledger.games()
        return Result.of(Progress.of(Contest.from_settings(settings), scheduled, games)).lines()
    except MontegoError as problem:
        return [str(problem)]


def index_page(folder: str | Path) -> str:
    """Return docs/results/README.md: every artefact with its command, state and verdict."""
    results = read_results(folder)
    lines = [
        "# Results",
        "",
        "<!-- written by: make docs -->",
        "",
        f"{len(ARTEFACTS)} tables and figures of five papers, the command that repeats each, and how far that is. The",
        "results are the JSON files beside this page; `montego report docs/results` shows them with their figures.",
        "`--quick` takes a minute and judges little, the default about 20 minutes on two cores, `--full` has the",
        "paper's number of games. With `--out DIR` a run can be interrupted and resumed, and judged meanwhile by",
        "`--judge`.",
    ]
    paper = ""
    for one in ARTEFACTS:
        if one.paper != paper:
            paper = one.paper
            lines += [
                "",
                f"## {paper}",
                "",
                "| | command | estimated cost: default; full | state | verdict |",
                "|---|---|---|---|---|",
            ]
        state, verdict = state_of(results.get(one.experiment))
        command, cost = f"`montego reproduce {one.experiment}`", EXPERIMENTS[one.experiment].cost
        lines.append(f"| {one.title} | {command} | {cost} | {state} | {verdict} |")
    listed = {one.experiment for one in ARTEFACTS}
    lines += ["", "## Beside the papers' tables", "", "| experiment | | state | verdict |", "|---|---|---|---|"]
    for other in EXPERIMENTS:
        if other.name not in listed:
            state, verdict = state_of(results.get(other.name))
            lines.append(f"| `montego reproduce {other.name}` | {other.summary} | {state} | {verdict} |")
    if ledgers := ledgers_in(folder):
        lines += [
            "",
            "## Ledgers",
            "",
            "Every game of the longer matches. `montego results FILE` reports them and writes them as SGF; the command",
            "of a match with `--ledger FILE` makes it longer.",
            "",
        ]
        for path in ledgers:
            lines += [f"- [{path.name}]({path.name})", "", "  ```text"]
            lines += [f"  {line}" for text in ledger_lines(path)[:2] for line in text.splitlines()]  # players; score
            lines += ["  ```", ""]
    pages = sorted(path for path in Path(folder).glob("*.md") if path.name != "README.md")
    lines += ["", "## Pages", "", *(f"- [{_title(path)}]({path.name})" for path in pages)]
    return "\n".join(lines) + "\n"


def _title(path: Path) -> str:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    return first.removeprefix("# ") or path.stem
