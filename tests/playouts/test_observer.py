"""Policies that follow the board: what a game says a move changed is all that changed."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from montego.games import game
from montego.games.changes import new_changes
from montego.games.rules import begin_playout, is_over, make_noted_move, play
from montego.kernels import implements, index
from montego.playouts import HISTORY, Cut, Lgrf, Policy, Uniform, begin, new_trace, next_move, playout
from montego.playouts.observer import Observer, after_move
from montego.rng import stream


class Counting(NamedTuple):
    changes: Any
    seen: Any  # moves and captured points by place in the trace


class _NoParameters(NamedTuple):
    pass


class Watcher(_NoParameters, Observer, name="watcher_of_the_tests"):
    """Plays uniformly and counts what it is told."""

    def new_memory(self, game):
        return Counting(new_changes(game), np.zeros((len(new_trace(game)), 2), np.int64))


@implements(begin, Watcher)
def _begin(policy, game, memory, state, trace, start):
    memory.seen[:] = 0
    begin_playout(game, state, trace, start)


@implements(after_move, Watcher)
def _after_move(policy, game, memory, state, trace, end):
    changes = memory.changes
    memory.seen[index(end), 0] = changes.points[0] if changes.point_count > 0 else -1
    memory.seen[index(end), 1] = changes.point_count


def surroundings(state, stride, point):
    """Return the eight points around a point, and which of the four beside it belong to chains in atari."""
    steps = (-stride, -1, 1, stride, -stride - 1, -stride + 1, stride - 1, stride + 1)
    colours = tuple(int(state.colour[point + step]) for step in steps)
    ataris = tuple(
        int(state.colour[point + step]) in (1, 2) and int(state.liberties[state.chain[point + step]]) == 1
        for step in steps[:4]
    )
    return colours, ataris


@pytest.mark.both_modes
@pytest.mark.parametrize(("spec", "games"), [("go(size=4)", 20), ("go(size=7)", 8), ("go(size=3, height=6)", 8)])
def test_a_move_of_go_changes_no_surroundings_but_those_it_names(spec, games):
    go = game(spec)
    stride = {4: 10, 7: 10, 3: 10}[go.size]
    for seed in range(games):
        state, twin, rng = go.start().state, go.start().state, stream(seed)
        trace, scratch, changes = new_trace(go), go.new_moves(), new_changes(go)
        end = HISTORY
        captured = 0
        while end < len(trace) and not is_over(go, state):
            before = {point: surroundings(state, stride, point) for point in go.point_numbers()}
            stones = {point for point in go.point_numbers() if state.colour[point] != 0}
            move = next_move(Uniform(), go, np.zeros(1, np.uint8), state, rng, trace, end, scratch)
            make_noted_move(go, state, trace, end, move, changes)
            play(go, twin, move)
            points = changes.points[: changes.point_count].tolist()
            liberties = changes.liberties[: changes.liberty_count].tolist()
            now = {point for point in go.point_numbers() if state.colour[point] != 0}
            assert set(points) == stones ^ now
            assert points[:1] == ([move] if move else [])
            around = {
                p + s for p in points for s in (-1, 1, *range(-stride - 1, 2 - stride), *range(stride - 1, stride + 2))
            }
            for point in set(go.point_numbers()) - now - around - set(liberties):
                assert surroundings(state, stride, point) == before[point]
            captured += len(points) - 1
            end += 1
        assert (state.colour == twin.colour).all()
        assert captured > 0


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["go(size=5)", "hex(size=4)", "y(size=4)", "tictactoe"])
@pytest.mark.parametrize("wrap", [lambda p: p, lambda p: Cut(policy=p), lambda p: Lgrf(p=1.0, fallback=p)])
def test_an_observer_is_told_of_every_move_and_plays_as_its_base_does(spec, wrap):
    board = game(spec)
    if not board.alternates:
        pytest.skip("learners need players who alternate")
    watched, plain = wrap(Watcher()), Uniform()
    memory = watched.new_memory(board)
    state, trace = board.start().state, new_trace(board)
    end = playout(watched, board, memory, state, stream(3), trace, HISTORY, board.new_moves())
    inner = memory if isinstance(memory, Counting) else memory.inner
    told = inner.seen[HISTORY:end]
    moves = trace[HISTORY:end]
    assert end > HISTORY + 3
    assert (told[:, 0][told[:, 0] > -1] == moves[told[:, 0] > -1]).all()
    assert (told[:, 1][moves > 0] >= 1).all()
    assert is_over(board, state)
    assert isinstance(plain, Policy)
