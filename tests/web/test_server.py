"""Starting the server: the address it prints, tokens, ports, and the bounds that follow from settings."""

import sys
from typing import Any

import pytest
import uvicorn
from click.testing import CliRunner

from montego.cli.main import cli
from montego.errors import MontegoError
from montego.players import PLAYERS
from montego.web.app import Lab
from montego.web.bounds import Bounds, Pace, within
from montego.web.engines import Gate
from montego.web.server import listen, serve


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that are announced; nothing is really served."""
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: None)
    monkeypatch.setattr(sys, "setswitchinterval", lambda seconds: None)
    return []


def test_on_this_machine_no_token_is_needed(printed: list[str]) -> None:
    serve(Lab(), port=0, announce=printed.append)
    assert printed[0].startswith("http://127.0.0.1:")
    assert "token" not in printed[0]


def test_elsewhere_a_token_is_made_up(printed: list[str]) -> None:
    for _ in range(2):
        serve(Lab(), host="0.0.0.0", port=0, announce=printed.append)
    assert all("/?token=" in address for address in printed)
    assert printed[0].split("token=")[1] != printed[1].split("token=")[1]


def test_a_port_in_use_is_said_in_one_line() -> None:
    with listen("127.0.0.1", 0) as taken, pytest.raises(MontegoError, match="--port 0"):
        listen("127.0.0.1", taken.getsockname()[1])


def test_the_command_without_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "montego.web.server", None)
    result = CliRunner().invoke(cli, ["serve"])
    assert "montego[web]" in str(result.exception)


@pytest.mark.parametrize(
    ("spec", "cut"),
    [
        ("uct(playouts=100)", "uct(playouts=100, memory=48)"),
        ("uct(threads=64, seconds=9000, playouts=0)", "uct(playouts=0, seconds=300.0, threads=4, memory=48)"),
        ("uct(memory=10, playout=lgr(memory=5000))", "uct(playout=lgr(memory=48.0), memory=10)"),
        ("random", "random"),
    ],
)
def test_settings_are_cut_to_the_bounds(spec: str, cut: str) -> None:
    found: Any = within(PLAYERS.build(spec), Bounds())
    assert found == PLAYERS.build(cut)


def test_a_pace_allows_a_burst_and_then_refuses() -> None:
    pace = Pace(per_second=0.001, burst=3)
    assert [pace.take() for _ in range(4)] == [True, True, True, False]


def test_a_gate_gives_turns_in_order() -> None:
    gate = Gate(1)
    gate.enter()
    gate.next_turn()  # nobody waits
    gate.leave()
    gate.enter()
    gate.leave()
