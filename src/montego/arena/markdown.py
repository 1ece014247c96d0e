"""Pages of results in Markdown, made from data: a match, a list of matches, a tournament.

The data are what ``montego results LEDGER --json`` prints, so a page says nothing that its ledger does not, and equal
data give equal pages.
"""

import re
from collections.abc import Mapping, Sequence
from math import inf, nan
from typing import Any

from montego.arena.notes import rating_notes, result_notes
from montego.arena.statistics import percent, signed
from montego.errors import MontegoError

Data = Mapping[str, Any]  # what ``montego results LEDGER --json`` prints

_NEEDED = (
    "game",
    "players",
    "names",
    "seed",
    "scheduled",
    "games",
    "pairings",
    "ratings",
    "distinct_games",
    "forfeits",
)


def page(result: Data, command: str = "", title: str | None = None) -> str:
    """Return a page: the command that made the result, its numbers, and what to know before trusting them."""
    _check(result)
    names = result["names"]
    heading = title or (f"{names[0]} against {names[1]}" if len(names) == 2 else f"{len(names)} players")
    parts = [f"# {_one_line(heading)}, {_one_line(result['game'])}" if title is None else f"# {_one_line(title)}"]
    if command:
        parts.append(_block(command))
    if len(names) == 2:
        parts.append(match_details(result))
    else:
        parts.append(_conditions(result))
        if result["ratings"] is not None:
            parts.append(ratings_table(result["ratings"]))
        parts.append(cross_table(result))
        parts.append(_specs(result))
    if noted := notes(result):
        parts.append("\n".join(f"- {note}" for note in noted))
    return "\n\n".join(part for part in parts if part) + "\n"


def match_details(result: Data) -> str:
    """Return everything about a match of two players, one number per line."""
    summary, names = result["pairings"][0], result["names"]
    order = summary["players"]
    first = names[order[0]]
    rows = [
        ("game", _code(result["game"])),
        *((_cell(names[one]), _code(result["players"][one])) for one in order if names[one] != result["players"][one]),
        ("seed", str(result["seed"])),
        ("games", f"{summary['games']} of {result['scheduled']}, {result['distinct_games']} of them distinct"),
        (f"{_cell(first)} won, drawn, lost", f"{summary['wins']}, {summary['draws']}, {summary['losses']}"),
        (f"{_cell(first)} scores", _rate(summary["rate"], summary["rate_interval"])),
        ("Elo difference", _elo(summary)),
        ("first to move scores", _rate(summary["first_player_rate"], summary["first_player_interval"])),
        ("pairs by points 0, ½, 1, 1½, 2", ", ".join(map(str, summary["pentanomial"]))),
        *_margin_rows(first, summary.get("margins")),
    ]
    if result.get("test") is not None:
        rows.append(("sequential test", _test(result["test"])))
    if len(result.get("versions", ())) == 1:
        rows.append(("version", _cell(result["versions"][0])))
    return table(("", "with 95 % intervals"), rows)


def _margin_rows(first: str, margins: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Return the rows of the final scores; none for data of an older version or without scored games."""
    if not margins or not margins["games"]:
        return []
    low, high = margins["interval"]
    ends = "" if low is None else f" ({low:+.1f}…{high:+.1f})"
    rows = [(f"{_cell(first)}, mean score", f"{margins['mean']:+.1f}{ends}")]
    if margins["variance"] is not None:
        rows.append(("variance of the score", f"{margins['variance']:.1f}"))
    return [*rows, ("mean length", f"{margins['length']:.1f} moves")]


def match_table(results: Sequence[tuple[Data, str]]) -> str:
    """Return one line per match of two players, each given with its command (or an empty text)."""
    rows = []
    for result, command in results:
        _check(result)
        if len(result["names"]) != 2:
            raise MontegoError(f"every match in a list has two players, not {len(result['names'])}; use a page")
        summary = result["pairings"][0]
        first, second = (_cell(result["names"][player]) for player in summary["players"])
        rows.append(
            (
                _code(result["game"]),
                f"{first} – {second}",
                str(summary["games"]),
                str(result["distinct_games"]),
                _rate(summary["rate"], summary["rate_interval"]),
                _elo(summary),
                str(result["seed"]),
                _code(command) if command else "",
            )
        )
    header = ("game", "players", "games", "distinct", "first of the two scores", "Elo", "seed", "command")
    shown = len(header) if any(command for _, command in results) else len(header) - 1
    return table(header[:shown], [row[:shown] for row in rows], right=(2, 3))


def ratings_table(ratings: Mapping[str, Any]) -> str:
    """Return the rating table of ``Ratings.as_dict``, with notes below it."""
    place = {player: rank for group in ratings["groups"] for rank, player in enumerate(group, 1)}
    rows = []
    for line in ratings["ratings"]:
        known = line["elo"] is not None and line["player"] != ratings["anchor"]
        rows.append(
            (
                str(place[line["player"]]),
                _cell(line["player"]),
                signed(_number(line["elo"], nan)),
                _between(line["interval"]) if known else "",
                str(line["games"]),
                percent(line["rate"]) if line["rate"] is not None else "",
            )
        )
    header = ("", "player", "Elo", "95 %", "games", "score")
    return table(header, rows, right=(0, 2, 4, 5)) + "\n\n" + " ".join(rating_notes(ratings, _cell))


def cross_table(result: Data) -> str:
    """Return who scored what against whom: the row's score, best rating first."""
    header, rows = cross_cells(result)
    return table(header, [(rank, _cell(name), *cells) for rank, name, *cells in rows], right=range(2, len(header)))


def cross_cells(result: Data) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of the cross table as plain text."""
    _check(result)
    names = result["names"]
    order = list(range(len(names)))
    if result["ratings"] is not None:
        order = [names.index(line["player"]) for line in result["ratings"]["ratings"]]
    points: dict[tuple[int, int], float] = {}
    games: dict[tuple[int, int], int] = {}
    for pairing in result["pairings"]:
        first, second = pairing["players"]
        made = pairing["wins"] + pairing["draws"] / 2
        for one, other, score in ((first, second, made), (second, first, pairing["games"] - made)):
            points[one, other] = points.get((one, other), 0.0) + score
            games[one, other] = games.get((one, other), 0) + pairing["games"]
    rows = []
    for rank, one in enumerate(order, 1):
        cells = [
            f"{percent(points[one, other] / games[one, other])} of {games[one, other]}"
            if games.get((one, other))
            else ""
            for other in order
        ]
        cells[rank - 1] = "–"
        rows.append([str(rank), names[one], *cells])
    return ["", "row against column", *(str(rank) for rank in range(1, len(order) + 1))], rows


def notes(result: Data) -> list[str]:
    """Return sentences that should make a reader careful: unfinished, repeated, forfeited games."""
    unfinished = result["games"] < result["scheduled"] and not result.get("complete", False)
    said = [f"Not finished: {result['games']} of {result['scheduled']} games played."] if unfinished else []
    return said + result_notes(result, _cell)


def table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Return a Markdown table whose cells hold Markdown already; the columns listed in ``right`` are right-aligned."""
    rule = ["---:" if column in right else "---" for column in range(len(header))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, rule, *rows])


def _conditions(result: Data) -> str:
    return (
        f"{_code(result['game'])}, seed {result['seed']}, {result['games']} of {result['scheduled']} games, "
        f"{result['distinct_games']} of them distinct."
    )


def _specs(result: Data) -> str:
    """Return what each name stands for, unless every name is its spec."""
    if list(result["names"]) == list(result["players"]):
        return ""
    rows = [(_cell(name), _code(spec)) for name, spec in zip(result["names"], result["players"], strict=True)]
    return table(("player", "spec"), rows)


def _test(test: Mapping[str, Any]) -> str:
    verdict = "undecided" if test["verdict"] is None else f"{test['verdict']} accepted"
    return (
        f"{verdict} after {test['pairs']} pairs, LLR {test['llr']:+.2f} ({test['lower']:+.2f}…{test['upper']:+.2f}); "
        f"H0 Elo {test['elo0']:+g}, H1 Elo {test['elo1']:+g}, α = {test['alpha']:g}, β = {test['beta']:g}"
    )


def _rate(rate: float | None, interval: Sequence[float]) -> str:
    if rate is None:
        return "?"
    return f"{percent(rate, 1)} ({100 * interval[0]:.1f}–{100 * interval[1]:.1f} %)"


def _elo(summary: Mapping[str, Any]) -> str:
    """Return the Elo difference; where JSON has null, the rate tells which infinity was meant."""
    if summary["rate"] is None:
        return "?"
    missing = inf if summary["rate"] == 1 else -inf
    return f"{signed(_number(summary['elo'], missing))} ({_between(summary['elo_interval'])})"


def _between(interval: Sequence[float | None]) -> str:
    return f"{signed(_number(interval[0], -inf))}…{signed(_number(interval[1], inf))}"


def _number(value: float | None, missing: float) -> float:
    return missing if value is None else value


def _one_line(text: str) -> str:
    return " ".join(str(text).split())


def _cell(text: str) -> str:
    """Return plain text for a cell, with the characters escaped that mean something in Markdown."""
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", _one_line(text))


def _code(text: str) -> str:
    """Return a code span for a cell."""
    text = _one_line(text)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{padding}{text}{padding}{fence}".replace("|", r"\|")


def _block(command: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", command)), default=0))
    return f"{fence}sh\n{command.strip()}\n{fence}"


def _check(result: Data) -> None:
    for key in _NEEDED:
        if key not in result:
            raise MontegoError(f"this is not a result: '{key}' is missing; montego results LEDGER --json prints one")
