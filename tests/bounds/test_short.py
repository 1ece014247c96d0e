"""The sweep over all bounds in its short form: interpreted, where arrays check their bounds, on the smallest boards."""

import os
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
