"""docs/security.md: every statement names tests, and every test that it names exists."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| statement")]


def names_in(file):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_statement_names_its_tests():
    assert len(ROWS) > 20
    for row in ROWS:
        assert re.search(r"`tests/\S+\.py::test_\w+`", row), row


def test_every_test_that_is_named_exists():
    for file, name in re.findall(r"`(tests/\S+\.py)::(test_\w+)`", PAGE):
        assert (ROOT / file).is_file(), file
        assert name in names_in(file), f"{file} has no {name}"


def test_files_that_are_named_exist():
    for name in re.findall(r"\]\(([\w/.-]+\.md)\)", PAGE):
        assert (ROOT / "docs" / name).is_file(), name
