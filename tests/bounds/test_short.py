"""The sweep over all bounds in its short form: interpreted, where arrays check their bounds, on the smallest boards."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import montego as mg
from montego.cli.listing import parts
from montego.players import PLAYERS
from montego.spec import parameters
from tests.bounds.__main__ import Child, sweep
from tests.bounds.cases import NEEDS, NOT_SWEPT, cases


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(Path(mg.__file__).parents[1]), str(Path(__file__).parents[2])])
    )


def test_every_parameter_at_its_bounds():
    assert sweep("tictactoe", cases(mixed=10), playouts=3) == []


READING_TOO_FAR = """
import numpy as np
from montego.kernels import borrowing, inlined, kernel

def beyond(array, place):
    return array[place]

@kernel
def called(array, place):
    return in_a_kernel(array, place) + borrowed(array, place) + pasted(array, place)

in_a_kernel, borrowed, pasted = kernel(beyond), borrowing(beyond), inlined(beyond)
called(np.arange(3), 1)
for check in (called, in_a_kernel):
    try:
        check(np.arange(3), 5)
    except IndexError:
        print("found")
"""


@pytest.mark.compiled
def test_bounds_checks_are_compiled_into_kernels(tmp_path, monkeypatch):
    """The long form is worth nothing without them."""
    monkeypatch.delenv("NUMBA_DISABLE_JIT")
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    monkeypatch.setenv("MONTEGO_CACHE", str(tmp_path / "cache"))
    script = tmp_path / "reading.py"
    script.write_text(READING_TOO_FAR)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.stdout == "found\nfound\n", done.stderr


def test_every_kind_of_part_is_swept():
    assert set(parts(PLAYERS)) == set(NEEDS)
    swept = " ".join(cases())
    for name in PLAYERS.names():
        for parameter in parameters(PLAYERS[name]).values():
            bounded = parameter.param.low is not None and parameter.name not in ("playouts", "seconds")
            assert name in NOT_SWEPT or not bounded or f"{name}({parameter.name}=" in swept


def test_a_crash_and_an_exception_are_told_apart(tmp_path):
    child = Child("tictactoe", 1)
    child.command = ["sh", "-c", "read line; kill -SEGV $$"]
    assert child.ask("x") == "crashed: SIGSEGV"
    child.command = ["sh", "-c", "read line; exit 3"]
    assert child.ask("x") == "ended with exit code 3"
    assert child.close() == 0
