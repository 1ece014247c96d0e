"""The names that ``import montego`` promises, what they say of themselves, and what importing them costs."""

import ast
import inspect
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

import montego as mg
from montego.errors import MontegoError
from montego.names import HOMES
from montego.spec import Registry, parameters

REGISTRIES = [mg.GAMES, mg.PLAYERS, mg.PLAYOUTS, mg.REWARDS]
SETTINGS = [name for name in mg.__all__ if any(getattr(mg, name) in registry for registry in REGISTRIES)]
SOURCE = Path(mg.__file__).read_text(encoding="utf-8")
RECORD = "(;FF[4]GM[1]SZ[5]KM[7.5];B[cc];W[bb];B[cb])"


def modules_after(source: str) -> set[str]:
    """Return the modules that a fresh interpreter has loaded after running some code."""
    code = f"{source}\nimport sys; print('\\n' + ' '.join(sys.modules))"
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    return set(output.splitlines()[-1].split())


# ------------------------------------------------------------------------------------------------------------ the names


def test_every_public_name_exists_and_comes_from_its_home() -> None:
    for name, home in HOMES.items():
        assert getattr(mg, name) is getattr(sys.modules[home], name)
    assert set(mg.__all__) == set(dir(mg)) == {*HOMES, "__version__"}
    assert mg.__version__ == version("montego")


def test_type_checkers_see_the_same_names() -> None:
    """``HOMES`` is the list; the imports under TYPE_CHECKING repeat it for editors."""
    block = next(node for node in ast.parse(SOURCE).body if isinstance(node, ast.If))
    imported = {
        alias.name: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert imported == HOMES


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        mg.nonsense  # noqa: B018


@pytest.mark.parametrize("name", [name for name in mg.__all__ if name != "__version__"])
def test_every_public_name_says_what_it_is(name: str) -> None:
    thing = getattr(mg, name)
    documented = inspect.getdoc(thing) or ""
    first = documented.partition("\n\n")[0]
    assert len(first) > 15, "a docstring is missing"
    assert not documented.startswith(f"{name}("), "a docstring that Python made up"
    assert first.rstrip().endswith((".", ":"))


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_have_signatures_and_documented_parameters(name: str) -> None:
    cls = getattr(mg, name)
    declared = parameters(cls)
    assert list(inspect.signature(cls).parameters) == list(declared)
    for parameter in declared.values():
        assert parameter.param.meaning, f"{parameter.name} has no meaning"
        assert f"\n    {parameter.name}: {parameter.param.meaning}" in cls.__doc__


def test_the_classes_of_settings_are_all_there() -> None:
    for registry in (mg.GAMES, mg.PLAYERS, mg.PLAYOUTS):
        for name in registry:
            cls = registry[name]
            assert getattr(mg, cls.__name__, None) is cls or not cls.__module__.startswith("montego.")  # a test's own
    assert len(SETTINGS) >= 25


@pytest.mark.parametrize("registry", REGISTRIES)
def test_registries_print_names_and_meanings(registry: Registry) -> None:
    lines = repr(registry).splitlines()[1:]
    assert [line.split()[0] for line in lines] == registry.names()
    assert all(len(line.split()) > 3 for line in lines)


# ---------------------------------------------------------------------------------------------------------- the imports


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


@pytest.mark.parametrize("name", ["Uct", "FirstOrder", "Go", "Lgrf", "Sigmoid"])
def test_settings_are_checked_whichever_name_is_used_first(name: str) -> None:
    """A class must be registered by the module that it is loaded from."""
    code = f"import montego; print(montego.{name}.spec_name)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


# ------------------------------------------------------------------------------------------------------------- analyses


def test_a_position_is_analysed() -> None:
    position = mg.game("tictactoe").start().play("a1").play("b1").play("a2").play("b2")
    analysis = mg.analyse(position, player=mg.Flat(playouts=500), seed=1)
    assert isinstance(analysis, mg.Analysis)
    assert analysis.move == "a3"
    assert len(position.moves) == 4
    assert mg.analyse(position, "flat(playouts=500)", seed=1).as_dict()["moves"] == analysis.as_dict()["moves"]
    assert mg.analyse(position, "flat", seed=1, limits=mg.Limits(playouts=50)).playouts < 500


def test_a_players_own_mind_is_used_and_left_open() -> None:
    position = mg.game("tictactoe").start()
    player = mg.player("flat(playouts=90)", "tictactoe", seed=1)
    assert mg.analyse(position, player) is player.analysis()


def test_a_record_is_analysed_from_a_file_a_text_or_an_object(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text(RECORD, encoding="utf-8")
    record = mg.read_sgf(file)
    reviews = [mg.analyse(source, "flat(playouts=60)", seed=1) for source in (str(file), file, RECORD, record)]
    assert all(found == reviews[0] for found in reviews)
    assert [review.played for review in reviews[0]] == ["C3", "B4", "C4", None]
    assert all(isinstance(review, mg.Review) for review in reviews[0])
    assert "Black to move" in record.root.comment


def test_records_are_read_and_written(tmp_path: Path) -> None:
    record = mg.read_sgf(RECORD)
    assert isinstance(record, mg.GameRecord)
    assert record.moves == ["C3", "B4", "C4"]
    file = tmp_path / "again.sgf"
    text = mg.write_sgf(record.position, file, players=("a", "b"))
    assert file.read_text(encoding="utf-8") == text
    assert mg.read_sgf(file).players == ("a", "b")
    assert mg.read_sgf(mg.write_sgf(record)).moves == record.moves


def test_records_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(MontegoError, match=r"cannot read 'nowhere\.sgf': No such file"):
        mg.read_sgf("nowhere.sgf")
    with pytest.raises(MontegoError, match="cannot write"):
        mg.write_sgf(mg.game("tictactoe").start(), tmp_path)
    with pytest.raises(MontegoError, match="a GameRecord has its own players"):
        mg.write_sgf(mg.read_sgf(RECORD), players=("a", "b"))
    with pytest.raises(MontegoError, match="a player is a spec or settings"):
        mg.analyse(mg.game("tictactoe").start(), player=3)


# ---------------------------------------------------------------------------------------------------------- docs/api.md


def test_the_reference_is_up_to_date_and_has_every_name_once() -> None:
    """In a process of its own, as other tests register games and players."""
    command = [sys.executable, "-m", "montego.cli.api_reference"]
    page = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    written = (Path(__file__).parent.parent / "docs" / "api.md").read_text(encoding="utf-8")
    assert written == page, "docs/api.md is out of date: make docs"
    for name in HOMES:
        assert page.splitlines().count(f"### `mg.{name}`") == 1


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: mg.match("tictactoe", "random", "random", games="2"), "games: expected a whole number"),
        (lambda: mg.match("tictactoe", "random", "random", games=2, seed=1.5), "seed: expected a whole number from 0"),
        (lambda: mg.match("tictactoe", "random", "random", games=2, workers=-1), "workers: expected a whole number"),
        (lambda: mg.match("tictactoe", "random", "random", games=2, sprt=5), "sprt: two Elo differences expected"),
        (lambda: mg.match("tictactoe", "random", "random", games=2, resign="x"), "resign: expected a percentage"),
        (lambda: mg.match("tictactoe", "random", "random", openings=5), "openings: a list of lists of moves expected"),
        (lambda: mg.match("tictactoe", "random", "random", load="my.py"), "load: a list of Python files expected"),
        (lambda: mg.match("tictactoe", "random", "random", ledger=5), "ledger: the name of a file expected"),
        (lambda: mg.tune("tictactoe", "uct", 5), "parameters: a list or a dict expected, such as"),
        (lambda: mg.player("uct", "tictactoe", seed="x"), "seed: expected a whole number of at least 0, not 'x'"),
        (lambda: mg.player("uct", 5), "a player needs a game, such as 'tictactoe'"),
        (lambda: mg.game(5), "a game is named by a spec"),
        (lambda: mg.game(None), "a game is named by a spec"),
        (lambda: mg.player("random", "tictactoe").choose("E5"), "expected a position, such as"),
        (lambda: mg.read_sgf(5), "cannot read '5'"),
        (lambda: mg.write_sgf(5), "expected a position or a game record, not 5"),
    ],
)
def test_values_of_a_wrong_type_are_the_callers_to_mend(call: Callable[[], object], expected: str) -> None:
    with pytest.raises(MontegoError, match=f"^{expected}") as caught:
        call()
    assert "\n" not in str(caught.value)
