"""Ctrl-C ends every search with ``KeyboardInterrupt`` and leaves the player usable; a watcher cuts a search short."""

import os
import signal
import time

import pytest

import montego as mg
from montego.rng import stream
from montego.search import Analysis, Limits
from montego.search.budget import Budget, spend_in_threads

ENDLESS = "playouts=0, seconds=1000000"
SEARCHES = [
    f"uct({ENDLESS}, solver=false)",
    f"uct({ENDLESS}, solver=false, threads=3)",
    f"uct({ENDLESS}, solver=false, threads=2, parallel=root)",
    f"uct({ENDLESS}, solver=false, reuse=true)",
    f"flat({ENDLESS})",
    f"ucb({ENDLESS})",
    f"depth(i=1, {ENDLESS})",
    f"first_order({ENDLESS})",
    f"higher_order({ENDLESS})",
]


def press_ctrl_c(look):
    """Watch a search by sending this process the signal of Ctrl-C, once there is something that could be lost."""
    if look().playouts > 0:
        os.kill(os.getpid(), signal.SIGINT)
    return False


def stop_at_once(look):
    """Watch a search by ending it."""
    return True


def moves_of(player, position):
    """Return what a player finds out with 90 playouts, move by move."""
    player.choose(position, Limits(playouts=90, seconds=0))
    assert player.analysis().playouts == 90
    return [(entry.move, entry.visits, entry.value) for entry in player.analysis().moves]


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", SEARCHES)
def test_every_search_raises_and_can_be_used_again(spec):
    position = mg.game("tictactoe").start()
    player = mg.player(spec, "tictactoe", seed=1)
    for _ in range(3):  # a loop of choices ends at the first press, not at the fourth
        with pytest.raises(KeyboardInterrupt):
            player.choose(position, Limits(watch=press_ctrl_c))
    found = moves_of(player, position)
    if "threads" not in spec and "reuse" not in spec:
        assert found == moves_of(mg.player(spec, "tictactoe", seed=1), position)


@pytest.mark.both_modes
def test_a_tree_interrupted_while_it_is_planted_is_not_kept(monkeypatch):
    """The next search of an earlier position must not take the tree of a later one for its own."""
    game = mg.game("tictactoe")
    search = mg.PLAYERS.build("uct(playouts=200, reuse=true)").search(game)
    start = game.start()
    search.run(start, stream(1))
    later = start.copy().play("b2")

    def interrupt(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(search, "_divide", interrupt)
        with pytest.raises(KeyboardInterrupt):
            search.run(later, stream(2))
    found = search.run(start, stream(3))
    assert {entry.move for entry in found.moves} == set(start.legal_moves())


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", SEARCHES)
def test_a_search_that_was_cut_short_says_so(spec):
    position = mg.game("tictactoe").start()
    player = mg.player(spec, "tictactoe", seed=1)
    player.choose(position, Limits(watch=stop_at_once))
    assert player.analysis().cut_short
    player.choose(position, Limits(playouts=30, seconds=0))
    assert not player.analysis().cut_short
    player.choose(position, Limits(playouts=10, seconds=0, watch=stop_at_once))
    assert not player.analysis().cut_short  # the budget was spent before the watcher was asked


@pytest.mark.both_modes
def test_a_settled_search_is_not_cut_short():
    position = mg.game("tictactoe").start()
    for move in ("a1", "a3", "b1", "b3"):
        position.play(move)
    player = mg.player("uct(playouts=5000)", "tictactoe", seed=1)
    player.choose(position, Limits(watch=lambda look: look().settled != ""))
    assert player.analysis().settled
    assert not player.analysis().cut_short


@pytest.mark.both_modes
def test_impatient_presses_leave_no_thread_behind():
    """Threads that still wrote to the tree after the search has raised would spoil the next search."""
    begun, ended = [], []

    def simulate(count):
        if count > 0:
            begun.append(count)
            for _ in range(3):
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.1)  # as fast as a person presses, and long enough for the signal to arrive
            ended.append(count)
        return True

    with pytest.raises(KeyboardInterrupt):
        spend_in_threads(Budget(1000, 0, Limits()), [simulate], lambda: Analysis("b2", 4))
    assert begun
    assert begun == ended


PRESSING_PLAYER = """
import os, signal
from typing import NamedTuple
from montego.players import PLAYERS
from montego.search import Limits, Uct

def press(look):
    os.kill(os.getpid(), signal.SIGINT)
    return False

class Pressing(NamedTuple):
    def search(self, game):
        return PressingSearch(Uct(playouts=0, seconds=1e6, solver=False).search(game))

class PressingSearch(NamedTuple):
    inner: object
    def run(self, position, rng, limits):
        return self.inner.run(position, rng, Limits(watch=press))

PLAYERS.add("pressing", Pressing)
"""


def test_montego_analyse_ends_at_the_first_press(tmp_path, python):
    record, players = tmp_path / "game.sgf", tmp_path / "pressing_player.py"
    record.write_text("(;GM[1]FF[4]SZ[2];B[aa];W[bb])")
    players.write_text(PRESSING_PLAYER)
    code = """
        import signal, sys
        from montego.cli.main import INTERRUPTED, run
        signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run(["analyse", {record!r}, "--load", {players!r}, "--player", "pressing", "--seed", "1"])
        sys.exit(0 if code == INTERRUPTED else f"ended with code {{code}}")
    """
    lines = code.format(record=str(record), players=str(players)).splitlines()
    python("\n".join(line.strip() for line in lines), interpreted=True)
