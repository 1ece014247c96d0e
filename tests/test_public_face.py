"""The names that ``import montego`` promises, and what it costs."""

import subprocess
import sys
from importlib.metadata import version

import pytest

import montego as mg


def modules_after(source: str) -> set[str]:
    """Return the modules that a fresh interpreter has loaded after running some code."""
    code = f"{source}\nimport sys; print('\\n' + ' '.join(sys.modules))"
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    return set(output.splitlines()[-1].split())


def test_every_public_name_exists() -> None:
    for name in mg.__all__:
        assert getattr(mg, name) is not None
    assert set(mg.__all__) <= set(dir(mg))
    assert mg.__version__ == version("montego")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        mg.nonsense  # noqa: B018


@pytest.mark.parametrize(
    "source",
    [
        "import montego",
        "from montego.cli.main import run; run(['--help'])",
        "from montego.cli.main import run; run(['play', '--help'])",
        "from montego.cli.main import run; run(['--version'])",
        "from montego.cli.main import run; run(['nonsense'])",
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(source: str) -> None:
    assert not modules_after(source) & {"numba", "llvmlite", "numpy", "rich", "montego.games"}


def test_the_games_come_with_the_first_use() -> None:
    assert "numba" in modules_after("import montego; montego.game('tictactoe')")
