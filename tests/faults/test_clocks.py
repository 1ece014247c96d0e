"""Clocks: every long loop looks at them, and it does not matter where they jump."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import montego as mg
from montego.games.tools import perft as perft_module
from montego.players import Player
from montego.rng import stream
from montego.search import Limits, budget as budget_module
from montego.search.higher_order import pattern_search
from montego.sessions.clock import Kind, Remaining, TimeControl, after_move, seconds_for_move
from tests.faults.test_input import ENVIRONMENT
from tests.protocols.talk import Talk


class FakeClock:
    """A clock that goes on by a step with every look at it; a test can make it jump."""

    def __init__(self, step):
        self.now, self.step, self.looks = 1000.0, step, 0

    def __call__(self):
        self.looks += 1
        self.now += self.step
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = FakeClock(0.01)
    monkeypatch.setattr(budget_module, "_thinking_clock", made)
    return made


@pytest.mark.parametrize(
    ("game", "spec", "most"),
    [
        ("tictactoe", "depth(i=9, playouts=0, seconds=0.1)", 200),
        ("tictactoe", "uct(playouts=0, seconds=0.1, memory=1, solver=false)", 100),
        ("tictactoe", "flat(playouts=0, seconds=0.1)", 100),
        (
            "hex(size=3)",
            "higher_order(playouts=0, seconds=1, patterns=4096, every=1, grow=1000, seen=1, batch=1)",
            1000,
        ),
    ],
)
def test_every_search_ends_soon_after_its_time(clock, game, spec, most):
    """In looks at a clock on which every look takes a hundredth of a second; a loop that never looks would go on."""
    player = mg.player(spec, game, seed=1)
    player.choose(player.game.start())
    assert player.analysis().playouts > 0
    assert clock.looks <= most


def test_a_deep_tree_is_cut_where_the_time_ends(clock):
    player = mg.player("depth(i=9, playouts=0, seconds=0.1)", "tictactoe", seed=1)
    player.choose(player.game.start())
    assert 1 <= player.analysis().greatest_depth < 9
    player = mg.player("depth(i=3, playouts=600)", "tictactoe", seed=1)
    player.choose(player.game.start())
    assert player.analysis().greatest_depth == 3


def test_refinement_stops_between_two_patterns(clock, monkeypatch):
    """``grow=1000`` was one kernel of 89 s."""
    monkeypatch.setattr(pattern_search, "_QUICK", 0)
    settings = mg.HigherOrder(playouts=0, seconds=0.5, patterns=500, every=16, grow=1000, seen=1)
    search = settings.search(mg.game("hex(size=3)"))
    search.run(search.game.start(), stream(1))
    assert search.bench.head.patterns < 100


def test_one_by_one_adds_the_same_patterns_as_at_once(monkeypatch):
    found = []
    for quick in (0, 10**9):
        monkeypatch.setattr(pattern_search, "_QUICK", quick)
        search = mg.HigherOrder(playouts=192, every=64, grow=5, seen=2).search(mg.game("hex(size=3)"))
        search.run(search.game.start(), stream(1))
        found.append([pattern.moves for pattern in search.patterns()])
    assert found[0] == found[1]
    assert len(found[0]) > 5


@pytest.mark.parametrize("jump", [1e9, -1e9])
def test_a_clock_that_jumps_ends_a_search_or_does_not_but_breaks_nothing(monkeypatch, jump):
    """A suspended machine wakes up hours later; the limit in playouts still holds if the clock goes back."""
    made = FakeClock(0.001)
    monkeypatch.setattr(budget_module, "_thinking_clock", made)

    def watch(look):
        made.now += jump
        return False

    player = Player(mg.Uct(playouts=500, seconds=10, memory=1, solver=False), mg.game("tictactoe"), 1)
    player.choose(player.game.start(), Limits(watch=watch))
    assert 1 <= player.analysis().playouts <= 500
    assert player.analysis().playouts == 500 or jump > 0


# ------------------------------------------------------------------------------------------------------- game clocks


def test_a_billion_periods_are_not_counted_one_by_one():
    """``kgs-time_settings byoyomi 0 1e-300 999999999`` made ``genmove`` silent for minutes."""
    control = TimeControl(Kind.BYOYOMI, 0, 1e-300, 999_999_999)
    assert after_move(control, control.start(), 5.0) == Remaining(1e-300, 1)
    control = TimeControl(Kind.BYOYOMI, 0, 10, 5)
    assert after_move(control, Remaining(10, 5), 9.5) == Remaining(10, 5)
    assert after_move(control, Remaining(10, 5), 10) == Remaining(10, 4)
    assert after_move(control, Remaining(10, 5), 25) == Remaining(10, 3)
    assert after_move(control, Remaining(10, 5), 1e300) == Remaining(10, 1)
    talk = Talk("tictactoe", "random")
    talk.ok("time_settings 0 1 999999999")
    talk.ok("time_left b 0 0")
    talk.ok("genmove b")


@pytest.mark.parametrize("kind", [Kind.ABSOLUTE, Kind.CANADIAN, Kind.BYOYOMI])
@pytest.mark.parametrize("seconds", [0.0, 1e-300, 1e300])
@pytest.mark.parametrize("count", [1, 10**18])
def test_the_time_for_a_move_is_a_number_of_seconds(kind, seconds, count):
    control = TimeControl(kind, seconds, max(seconds, 1e-300), count)
    for left in (control.start(), Remaining(seconds, count), Remaining(0.0, 0)):
        assert 0 < seconds_for_move(control, left, 30.0) < float("inf")
        for spent in (0.0, 5.0, 1e300):
            after = after_move(control, left, spent)
            assert after.seconds >= 0
            assert 0 <= after.count <= count


# ---------------------------------------------------------------------------------------------------------- counting


def test_perft_comes_back_to_python_between_two_parts(monkeypatch):
    game = mg.game("tictactoe")
    parts = []
    whole = perft_module.count_sequences
    monkeypatch.setattr(perft_module, "count_sequences", lambda *arguments: parts.append(1) or whole(*arguments))
    assert perft_module.perft(game, game.start().state, 5) == 15120
    assert parts


@pytest.mark.compiled
def test_perft_can_be_interrupted():
    """It was one call of a kernel, and Ctrl-C waited for its end."""
    line = [sys.executable, "-m", "montego.cli", "perft", "--game", "go(size=9)", "--depth", "9"]
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "NUMBA_DISABLE_JIT"}
    with subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        while not _sleeps_or_counts(child.pid):
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=100) == 130


def _sleeps_or_counts(process):
    """Whether a process has used the processor for long enough to have started."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12]) > 200  # hundredths of a second


def test_a_player_can_count_the_seconds_of_the_processor(clock, monkeypatch):
    """Then the wall's clock is not looked at, and other programs on the machine cannot shorten the thinking."""
    processor = FakeClock(0.01)
    monkeypatch.setattr(budget_module, "_processor_clock", processor)
    spec = "uct(playouts=0, seconds=0.1, clock=processor, memory=1, solver=false)"
    player = mg.player(spec, "tictactoe", seed=1)
    player.choose(player.game.start())
    assert not clock.looks
    assert 0 < processor.looks <= 100


def test_processor_time_is_shared_by_threads(monkeypatch):
    processor = FakeClock(0.0)
    monkeypatch.setattr(budget_module, "_processor_clock", processor)
    budget = budget_module.Budget(0, 1.0, Limits(), budget_module.Clock.PROCESSOR, threads=2)
    processor.now += 1.5  # two threads have thought for three quarters of a second
    assert not budget.over()
    processor.now += 0.6
    assert budget.over()


def test_the_clock_of_a_game_is_the_walls(clock, monkeypatch):
    processor = FakeClock(0.0)
    monkeypatch.setattr(budget_module, "_processor_clock", processor)
    budget = budget_module.Budget(0, 1.0, Limits(seconds=0.05), budget_module.Clock.PROCESSOR)
    assert not processor.looks
    clock.now += 0.1
    assert budget.over()
