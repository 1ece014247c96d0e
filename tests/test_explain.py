"""Kernels that cannot be compiled: each typical mistake is explained by its line and a reason in plain words."""

from pathlib import Path

import numpy as np
import pytest

from montego._jit.explain import explain_compilation, explain_failure
from montego.cli.main import run
from montego.loading import load_file

pytestmark = pytest.mark.compiled

STATE = np.dtype((np.record, [("squares", np.int64, (2,)), ("moves", np.int64)]))

HEADER = """
import numpy as np
from montego.kernels import kernel

TABLE = np.arange(9)


def plain(number):
    return number


@kernel
def helper(squares):
    return squares + 1


@kernel
def rule(state, move):
"""

MISTAKES = {
    "read a field": ("return state.movez", "has no field 'movez'"),
    "write a field": ("state.movez = 1", "a record with the fields squares, moves has no field 'movez'"),
    "f-string": ('return len(f"{move / 2:.2f}")', "f-string"),
    "mixed dict": ('return len({"a": 1, 2: 3})', "compiled code cannot do setitem(DictType"),
    "generator": ("return sum(x for x in range(3))", "this cannot be compiled: The use of yield"),
    "with": ("with open(move) as f: return 1", "this cannot be compiled: The 'with (context manager)"),
    "two types": (
        "value = 0\n    for value in range(move): pass\n    if move:\n        value = (1, 2)\n    return value",
        "the variable 'value' has two types",
    ),
    "two types of a choice": (
        "value = 1 if move else (1, 2); return value",
        "a value has two types, int and Tuple(int, int); give it one",
    ),
    "too many arguments": ("return helper(move, 3)", "helper(squares) is called with 2 arguments"),
    "too few arguments": ("return helper()", "helper(squares) is called with 0 arguments"),
    "float index": ("return TABLE[move / 2]", "an index must be an integer, and this one is a float64"),
    "no kernel": ("return plain(move)", "'plain' is an ordinary Python function; make it a kernel with @kernel"),
    "unknown name": ("return move + one", "the name 'one' is not defined"),
    "unknown variable": ("return move + one; one = 1", "the variable 'one' is used before it has a value"),
    "numpy": ("return np.einsum('i', TABLE)", "compiled code has no numpy.einsum"),
    "text in a field": ("state.moves = 'x'", "a value of type str cannot be stored as int64"),
    "exception": (
        "\n    try:\n        return helper(move)\n    except KeyError: return 2",
        "compiled code can only catch every exception",
    ),
}


@pytest.mark.filterwarnings("ignore::numba.NumbaWarning")
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_explained_by_its_line(name: str, tmp_path: Path) -> None:
    body, reason = MISTAKES[name]
    module = "mistake_" + name.replace(" ", "_").replace("-", "_")
    file = tmp_path / f"{module}.py"
    file.write_text(f"{HEADER}    {body}\n", encoding="utf-8")
    rule = load_file(str(file)).rule
    with pytest.raises(Exception) as caught:  # noqa: PT011 (Numba raises many kinds)
        rule(np.zeros(1, STATE)[0], 1)
    explanation = explain_compilation(caught.value)
    assert explanation is not None
    assert reason in explanation.reason
    assert Path(explanation.file).name == file.name
    assert explanation.source in body
    assert explanation.source
    assert str(explanation).count("\n") == 1


def test_a_call_from_another_kernel_is_explained_by_the_innermost_line(tmp_path: Path) -> None:
    file = tmp_path / "mistake_within.py"
    file.write_text(
        f"{HEADER}    return state.movez\n\n\n@kernel\ndef outer(state):\n    return rule(state, 1)\n", encoding="utf-8"
    )
    outer = load_file(str(file)).outer
    with pytest.raises(KeyError) as caught:
        outer(np.zeros(1, STATE)[0])
    assert explain_failure(caught.value).source == "return state.movez"


def test_other_exceptions_are_not_taken_for_the_compilers() -> None:
    def fail() -> None:
        raise KeyError("nothing to do with kernels")

    with pytest.raises(KeyError) as caught:
        fail()
    assert explain_compilation(caught.value) is None
    explanation = explain_failure(caught.value)
    assert explanation.reason == "KeyError: 'nothing to do with kernels'"
    assert (Path(explanation.file), explanation.source) == (
        Path(__file__),
        'raise KeyError("nothing to do with kernels")',
    )


def test_a_command_says_it_in_three_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import montego.games.tictactoe as template

    source = Path(template.__file__).read_text(encoding="utf-8").replace('name="tictactoe"', 'name="broken_noughts"')
    file = tmp_path / "broken_noughts.py"
    file.write_text(source.replace("state.moves += 1", "state.movez += 1"), encoding="utf-8")
    assert run(["perft", "--load", str(file), "--game", "broken_noughts", "--depth", "2"]) == 2
    message = [line for line in capsys.readouterr().err.splitlines() if "compiling" not in line]
    assert len(message) == 3
    assert message[0].startswith(f"montego: error: {file}:")
    assert "has no field 'movez'" in message[0]
    assert message[1].strip() == "state.movez += 1"
    assert f"montego check {file}" in message[2]
    assert "NUMBA_DISABLE_JIT=1" in message[2]
