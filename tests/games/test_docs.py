"""``docs/adding-a-game.md`` names every rule and every hook of a game, and nothing else."""

import inspect
import re
from pathlib import Path

import pytest

from montego.games import Game, rules

pytestmark = pytest.mark.both_modes
PAGE = (Path(__file__).parents[2] / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
# What every game has and nobody replaces.
FIXED = {"has_rule", "with_rules", "start", "symmetries", "new_state", "new_moves", "new_trace", "spec_name"}


def names_in_table(heading: str) -> set[str]:
    """Return the names in backticks in the first column of the table with a heading."""
    table = re.search(rf"^\| {re.escape(heading)} \|.*\n\|---.*\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert table is not None, f"no table '{heading}' in docs/adding-a-game.md"
    cells = [row.split("|")[1] for row in table[1].splitlines()]
    return {name for cell in cells for name in re.findall(r"`(\w+)", cell)}


def generics() -> dict[str, bool]:
    """Return every rule of ``rules.py`` with whether a game must implement it."""
    found = {name: value for name, value in vars(rules).items() if type(value).__name__ == "Generic"}
    return {name: value.default is None for name, value in found.items()}


def hooks() -> set[str]:
    """Return the public methods and attributes of ``Game``."""
    annotated = {name for name in inspect.get_annotations(Game) if not name.startswith("_")}
    return (annotated | {name for name in vars(Game) if not name.startswith("_")}) - FIXED


def test_the_required_rules():
    assert names_in_table("required") == {name for name, required in generics().items() if required}


def test_the_optional_rules():
    assert names_in_table("optional") == {name for name, required in generics().items() if not required}


def test_the_required_methods():
    methods = inspect.getmembers(Game, inspect.isfunction)
    must = {name for name, method in methods if f"must define {name}()" in inspect.getsource(method)}
    assert names_in_table("the class must define") == must


def test_the_hooks():
    tables = ["names and drawing", "sizes and search", "positions", "other programs and records"]
    documented = set().union(*map(names_in_table, ["the class must define", *tables]))
    assert documented == hooks()
