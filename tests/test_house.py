"""House rules that no linter knows: what every kernel of the package keeps to."""

import ast
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "src" / "montego"
MAKES_A_KERNEL = {
    "kernel",
    "borrowing",
    "inlined",
    "wrapping_kernel",
    "generic",
    "generic_with_default",
    "implements",
}
MOST_ARGUMENTS = 8
MOST_LINES = 60
MOST_COLUMNS = 120


def kernels():
    """Return every kernel of the package as its place and its syntax tree."""
    found = {}
    for file in sorted(SOURCES.rglob("*.py")):
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                calls = (d.func if isinstance(d, ast.Call) else d for d in function.decorator_list)
                if MAKES_A_KERNEL & {call.id for call in calls if isinstance(call, ast.Name)}:
                    found[f"{file.relative_to(SOURCES)}:{function.lineno} {function.name}"] = function
    return found


@pytest.fixture(scope="module", name="kernels")
def all_kernels():
    return kernels()


def test_the_kernels_are_found(kernels):
    assert len(kernels) > 200
    assert any(place.endswith(" simulate") for place in kernels)


def test_no_kernel_has_too_many_arguments(kernels):
    """Whole records (a desk, a tree, the settings) are handed on instead of their fields."""
    long = [place for place, kernel in kernels.items() if len(kernel.args.args) > MOST_ARGUMENTS]
    assert long == []


def test_no_kernel_is_too_long(kernels):
    assert [place for place, kernel in kernels.items() if kernel.end_lineno - kernel.lineno > MOST_LINES] == []


def test_no_line_is_too_long():
    """Also where ruff does not look: behind a pragma, in the files of the page, and by tools that count bytes."""
    written = (".py", ".js", ".css", ".html", ".svg")
    files = [f for f in SOURCES.rglob("*") if f.suffix in written and "vendor" not in f.parts]
    assert len(files) > 300
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            assert len(line.encode()) <= MOST_COLUMNS, f"{file.relative_to(SOURCES)}:{number}"
