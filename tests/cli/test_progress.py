"""The spinner while kernels are compiled, and the bar."""

import io

import pytest

from montego import _jit
from montego.cli.progress import bar, compiling, spinner


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def compile_something() -> None:
    """Do what the cache does before Numba compiles: call the announcer."""
    announcer = _jit.announce_with(lambda: None)
    _jit.announce_with(announcer)
    announcer()


def test_a_spinner_is_shown_each_time_something_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for _ in range(2):
        terminal = Terminal()
        monkeypatch.setattr("sys.stderr", terminal)
        with compiling():
            assert terminal.getvalue() == ""
            compile_something()
            compile_something()
        assert "compiling for this machine" in terminal.getvalue()


def test_nothing_is_shown_if_nothing_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with compiling():
        pass
    assert "compiling" not in terminal.getvalue()


def test_the_announcer_is_restored_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    before = _jit.announce_with(lambda: calls.append("called"))
    monkeypatch.setattr("sys.stderr", Terminal())
    try:
        with pytest.raises(ZeroDivisionError), compiling():
            raise ZeroDivisionError
        compile_something()
    finally:
        _jit.announce_with(before)
    assert calls == ["called"]


def test_away_from_a_terminal_the_announcer_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    before = _jit.announce_with(print)
    try:
        with compiling():
            assert _jit.announce_with(print) is print
    finally:
        _jit.announce_with(before)


def test_a_spinner_is_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        with spinner("checking"):
            pass
        assert ("checking" in stream.getvalue()) == shown


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_a_bar_yields_every_step(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", stream)
    assert list(bar(iter(range(3)), "counting", 3)) == [0, 1, 2]
