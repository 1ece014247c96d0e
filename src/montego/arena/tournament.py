"""Tournament files: a contest of many players, declared as data.

game = "hex(size=7)"
schedule = "round_robin"      # or gauntlet, ladder
games = 100                   # per pairing
seed = 1
opening_moves = 2

[[players]]
name = "flat"
spec = "flat(playouts=1000)"

[[players]]
spec = "uct"
playouts = [500, 1000]        # lists make one player per combination
rave = ["off", "silver"]
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montego.arena.openings import Openings, read_openings
from montego.arena.schedule import MOST_GAMES, MOST_RESIGN, MOST_SEED, SCHEDULES, Contest, expand, pairings
from montego.errors import MontegoError, nearest, whole_number
from montego.loading import load_file
from montego.outside import read_text

# The keys of a tournament file, each with its type and a description of what is expected.
KEYS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "game": (str, 'a string such as "go(size=9)"'),
    "schedule": (str, f"one of {', '.join(SCHEDULES)}"),
    "games": (int, "an even number of games of every pairing"),
    "seed": (int, "a whole number of at least 0"),
    "opening_moves": (int, "a whole number of at least 0"),
    "openings": (str, "the name of an SGF file"),
    "max_moves": (int, "a whole number of at least 0"),
    "resign": ((int, float), f"a percentage from 0 to {MOST_RESIGN}"),
    "challengers": (int, "a whole number of at least 1"),
    "load": (list, 'a list of Python files such as ["my_player.py"]'),
    "players": (list, "a list of tables, each under [[players]]"),
}
REQUIRED = ("game", "games", "players")


@dataclass(frozen=True)
class Tournament:
    """What a tournament file says."""

    contest: Contest
    games: int  # in total
    files: tuple[str, ...]  # loaded already


def read_tournament(path: str | Path) -> Tournament:
    """Read a tournament file, or raise one line that names the file, the key and what would be right."""
    file = Path(path)
    try:
        table = tomllib.loads(read_text(file))
    except (ValueError, RecursionError) as problem:  # not TOML, a number of thousands of digits, nested without end
        if isinstance(problem, MontegoError):
            raise
        raise MontegoError(f"'{path}' is not a TOML file: {problem}") from None
    try:
        return _tournament(table, file)
    except MontegoError as problem:
        raise MontegoError(f"{path}: {problem}") from None


def _tournament(table: dict[str, Any], file: Path) -> Tournament:
    _check_keys(table)
    files = tuple(str(file.parent / _string(name, "load")) for name in table.get("load", []))
    for name in files:
        load_file(name)
    names, specs = _players(table["players"])
    schedule = table.get("schedule", "round_robin")
    if schedule not in SCHEDULES:
        raise MontegoError(f"schedule: unknown schedule '{schedule}'{nearest(schedule, list(SCHEDULES))}")
    if "challengers" in table and schedule != "gauntlet":
        raise MontegoError(f"challengers: only a gauntlet has challengers, but the schedule is {schedule}")
    pairs = pairings(schedule, len(specs), table.get("challengers", 1))
    moves = _at_least(table, "opening_moves", 0)
    openings = Openings(moves)
    if "openings" in table:
        openings = Openings(book=read_openings(str(file.parent / table["openings"]), table["game"], moves))
    contest = Contest(
        game=table["game"],
        players=tuple(specs),
        pairings=tuple(pairs),
        seed=_at_least(table, "seed", 0, MOST_SEED),
        openings=openings,
        max_moves=_at_least(table, "max_moves", 0),
        names=tuple(names),
        resign=table.get("resign", 0.0),
    )
    games = _at_least(table, "games", 2)
    if games % 2:
        raise MontegoError(f"games: expected an even number, as games come in pairs with sides exchanged, not {games}")
    return Tournament(contest, games * len(pairs), files)


def _check_keys(table: dict[str, Any]) -> None:
    for key, value in table.items():
        if key not in KEYS:
            raise MontegoError(f"unknown key '{key}'{nearest(key, list(KEYS))}")
        kind, described = KEYS[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise MontegoError(f"{key}: expected {described}, not {value!r}")
    for key in REQUIRED:
        if key not in table:
            raise MontegoError(f"the key '{key}' is missing: {KEYS[key][1]}")


def _at_least(table: dict[str, Any], key: str, low: int, most: int = MOST_GAMES) -> int:
    value = whole_number(key, table.get(key, low), low)
    if value > most:
        raise MontegoError(f"{key}: expected a whole number of at most {most:g}")
    return value


def _string(value: Any, key: str) -> str:
    if not isinstance(value, str):
        raise MontegoError(f"{key}: expected {KEYS[key][1]}, not {value!r} in it")
    return value


def _players(entries: list[Any]) -> tuple[list[str], list[str]]:
    """Return the names and specs of all players, grids expanded."""
    names: list[str] = []
    specs: list[str] = []
    for number, entry in enumerate(entries, 1):
        where = f"players, entry {number}"
        if not isinstance(entry, dict):
            raise MontegoError(f"{where}: expected a table under [[players]], not {entry!r}")
        if not isinstance(entry.get("spec"), str):
            raise MontegoError(f"{where}: the key 'spec' is missing: a string such as \"uct(playouts=1000)\"")
        name = entry.get("name")
        if name is not None and not (isinstance(name, str) and name.strip()):
            raise MontegoError(f"{where}: name: expected a string, not {name!r}")
        grid = {key: value for key, value in entry.items() if key not in ("spec", "name")}
        try:
            found = expand(entry["spec"], grid)
        except MontegoError as problem:
            raise MontegoError(f"{where}: {problem}") from None
        for spec in found:
            label = spec if name is None else name if len(found) == 1 else f"{name}: {spec}"
            if label in names or spec in specs:
                raise MontegoError(f"{where}: {label} is listed already; every player needs its own spec and name")
            names.append(label)
            specs.append(spec)
    return names, specs
