"""Simulation balancing: Algorithm 1 of the paper, and an optimiser that needs fewer playouts.

Huang, Coulom and Lin, "Monte-Carlo simulation balancing in practice" (2010), after Silver and Tesauro (2009). For each
position s with value V*, Algorithm 1 takes V from M playouts and g = (1/N) Σ (z − b)/T Σ_t ψ(s_t, a_t) from N
others, and steps θ ← θ + α (V* − V) g.

``adaptive`` departs from it in four ways, for which the paper's conclusion asks:

- Every playout serves both estimates. Of n playouts, number j gives the score and the other n − 1 the value and the
  baseline: (V* − V_j)(z_j − V_j) Σψ with V_j the mean outcome without j. Its mean is the product of both means,
  as j is independent of the others and a score has mean 0.
- n is small and a step takes the mean over many positions: the noise of a step comes from the choice of positions more
  than from the playouts of each, so that playouts are better spent on further positions.
- Each θ has its own step size, by the mean square of its derivatives (Adam; Kingma and Ba 2015), so that the size of a
  step does not depend on the scale of values, gradients or playouts, and no rate is to be found by trial. Features that
  hardly ever occur change less (``damping``), or a few hundred positions would be learnt by heart through them.
- The weights returned are the mean over the second half of the steps (Polyak and Juditsky 1992), which takes out most
  of the noise that is left.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games import Game
from montego.games.features import Array, Column
from montego.learning.balancing import go  # registers Go's way to find scores
from montego.learning.balancing.gradient import Desk, Sums, add_playouts, by_group, new_desk, new_sums, set_strengths
from montego.learning.balancing.positions import PositionSet
from montego.playouts.policy import HISTORY
from montego.rng import stream
from montego.weights import strengths

__all__ = ["ADAPTIVE", "OPTIMISERS", "PAPER", "Balancer", "Settings", "State", "go"]

PAPER, ADAPTIVE = "paper", "adaptive"
OPTIMISERS = (PAPER, ADAPTIVE)
SIGNED, ZERO_ONE = "signed", "zero_one"
PARTS = 4  # pieces of the playouts of one position in Algorithm 1; fixed, so that threads do not change the result
_FIRST_MOMENT, _SECOND_MOMENT, _TINY = 0.9, 0.99, 1e-8


class Settings(NamedTuple):
    """How to balance. ``value_playouts`` to ``baseline`` are for Algorithm 1, the next four for the other optimiser."""

    optimiser: str = ADAPTIVE
    iterations: int = 4  # over all positions
    value_playouts: int = 100  # M
    gradient_playouts: int = 100  # N
    rate: float = 10.0  # α
    outcome: str = SIGNED
    baseline: float = 0.0  # b
    playouts: int = 32  # of each position in a step of the adaptive optimiser
    batch: int = 64  # positions of such a step
    step: float = 0.1  # the change of log γ in one step is of this size for the features with the greatest derivatives
    damping: float = 0.3  # features whose derivatives are smaller than this share of the greatest change less
    seed: int = 1
    threads: int = 0


class State(NamedTuple):
    """Where a training stands: after some iterations, with θ, the moments and the mean of the adaptive optimiser."""

    theta: Array
    first: Array
    second: Array
    mean: Array
    steps: int = 0
    averaged: int = 0
    iterations: int = 0
    playouts: int = 0


class Root(NamedTuple):
    """A position as playouts begin from it."""

    state: Any
    last: tuple[int, int]
    value: float


def roots_of(positions: PositionSet) -> list[Root]:
    """Return the states of positions with the two moves before each."""
    roots = []
    for number in range(len(positions)):
        position = positions.position(number)
        last = tuple([-1, -1, *position.moves][-HISTORY:])
        roots.append(Root(position.state, (last[0], last[1]), float(positions.values[number])))
    return roots


class Balancer:
    """Plays out positions with weights that change; use it as a context manager."""

    def __init__(self, game: Game, settings: Settings, gammas: Sequence[Array] | None = None) -> None:
        _check(game, settings)
        self.game, self.settings = game, settings
        self.columns: tuple[Column, ...] = game.feature_columns()
        sizes = [group.size for column in self.columns for group in column.groups]
        self._ends = np.cumsum([0, *sizes])
        self._threads = settings.threads or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self._threads)
        self._first_desk = new_desk(game, strengths(self.columns, self.gammas(np.zeros(self._ends[-1]))))
        self._desks = threading.local()
        self.start = np.zeros(self._ends[-1])
        if gammas is not None:
            if [len(gamma) - 1 for gamma in gammas] != sizes or any((gamma[1:] <= 0).any() for gamma in gammas):
                raise MontegoError(f"weights to start from do not fit the features of {game}, or have a γ of 0")
            self.start = np.concatenate([np.log(gamma[1:]) for gamma in gammas])

    def __enter__(self) -> Balancer:
        return self

    def __exit__(self, *problem: object) -> None:
        self._pool.shutdown()

    def gammas(self, theta: Array) -> list[Array]:
        """Return the γ of each group, entry 0 being 1."""
        return [np.concatenate([[1.0], np.exp(theta[a:b])]) for a, b in zip(self._ends, self._ends[1:])]

    def fresh(self) -> State:
        """Return the state before any training."""
        zeros = np.zeros_like(self.start)
        return State(self.start.copy(), zeros, zeros.copy(), zeros.copy())

    def result(self, state: State) -> Array:
        """Return the θ that a training ends with."""
        return state.mean if state.averaged else state.theta

    # -- playouts

    def _desk(self) -> Desk:
        desk: Desk | None = getattr(self._desks, "desk", None)
        if desk is None:
            table = strengths(self.columns, self.gammas(self.start))
            desk = self._desks.desk = new_desk(self.game, table, self._first_desk)
        return desk

    def set_weights(self, theta: Array) -> None:
        """Give all playouts the weights exp(θ)."""
        table = strengths(self.columns, self.gammas(theta))
        set_strengths(self._first_desk.keeper, self._first_desk.room, table)

    def _run(self, root: Root, count: int, keys: Sequence[int], gradient: bool) -> Sums:
        """Return the sums of playouts of a position by the stream of some keys."""
        desk, sums = self._desk(), new_sums(self.columns)
        desk.trace[:HISTORY] = root.last
        source = stream(self.settings.seed, *keys)
        for name in ("a", "b", "c", "d"):
            desk.rng[name] = source[name]
        per_move = self.settings.optimiser == PAPER
        add_playouts(self.game, root.state, desk, count, sums, per_move, gradient)
        return sums

    def error(self, theta: Array, roots: Sequence[Root], playouts: int, key: int = 0) -> float:
        """Return the mean squared error of the mean outcomes of so many playouts, less what chance adds to it."""
        self.set_weights(theta)

        def one(number: int) -> float:
            total, squares, count, _ = self._run(roots[number], playouts, (3, key, number), False).outcomes
            mean = total / count
            variance = max(0.0, squares / count - mean * mean) * count / max(count - 1, 1)
            return float((roots[number].value - mean) ** 2 - variance / count)

        return float(np.mean(list(self._pool.map(one, range(len(roots))))))

    # -- training

    def train(self, roots: Sequence[Root], state: State | None = None) -> Iterator[State]:
        """Yield the state after each iteration over the positions, in an order drawn by the seed."""
        state = state or self.fresh()
        step = self._paper_steps if self.settings.optimiser == PAPER else self._adaptive_steps
        while state.iterations < self.settings.iterations:
            order = np.random.default_rng([self.settings.seed, state.iterations]).permutation(len(roots))
            state = step(roots, order.tolist(), state)._replace(iterations=state.iterations + 1)
            yield state

    def _flat(self, table: Array) -> Array:
        """Return derivatives by θ from a table of columns × values."""
        return np.concatenate([array[1:] for array in by_group(self.columns, table)])

    def _paper_steps(self, roots: Sequence[Root], order: Sequence[int], state: State) -> State:
        """Algorithm 1, one step for each position."""
        wanted, theta = self.settings, state.theta.copy()
        zero_one = wanted.outcome == ZERO_ONE

        def part(task: tuple[Root, int, tuple[int, ...], bool]) -> Sums:
            return self._run(*task)

        for number in order:
            root = roots[number]
            self.set_weights(theta)
            tasks = []
            for gradient, count in ((False, wanted.value_playouts), (True, wanted.gradient_playouts)):
                for piece in range(PARTS):
                    share = count * (piece + 1) // PARTS - count * piece // PARTS
                    keys = (1, state.iterations, number, piece, int(gradient))
                    tasks.append((root, share, keys, gradient))
            sums = list(self._pool.map(part, tasks))
            value = sum(one.outcomes[0] for one in sums[:PARTS]) / wanted.value_playouts
            scores = self._flat(np.sum([one.scores for one in sums[PARTS:]], axis=0)) / wanted.gradient_playouts
            products = self._flat(np.sum([one.products for one in sums[PARTS:]], axis=0)) / wanted.gradient_playouts
            target = root.value
            if zero_one:  # z and V* from 0 to 1
                value, target, products = (value + 1) / 2, (target + 1) / 2, (products + scores) / 2
            theta += wanted.rate * (target - value) * (products - wanted.baseline * scores)
        played = len(order) * (wanted.value_playouts + wanted.gradient_playouts)
        return state._replace(theta=theta, playouts=state.playouts + played)

    def _adaptive_steps(self, roots: Sequence[Root], order: Sequence[int], state: State) -> State:
        """One step for each batch of positions."""
        wanted = self.settings
        batches = max(1, round(len(order) / wanted.batch))
        total = wanted.iterations * batches
        theta, first, second = state.theta.copy(), state.first.copy(), state.second.copy()
        mean, steps, averaged = state.mean.copy(), state.steps, state.averaged
        for batch in np.array_split(np.array(order), batches):
            self.set_weights(theta)

            def one(number: int) -> Array:
                return self.improvement(roots[number], (2, state.iterations, number))

            slope = np.mean(list(self._pool.map(one, batch.tolist())), axis=0)
            steps += 1
            first = _FIRST_MOMENT * first + (1 - _FIRST_MOMENT) * slope
            second = _SECOND_MOMENT * second + (1 - _SECOND_MOMENT) * slope * slope
            scale = np.sqrt(second / (1 - _SECOND_MOMENT**steps))
            scale += wanted.damping * scale.max() + _TINY
            pace = wanted.step * min(1.0, 2 * (1 - (steps - 1) / total))
            theta += pace * first / (1 - _FIRST_MOMENT**steps) / scale
            if 2 * steps > total:
                averaged += 1
                mean += (theta - mean) / averaged
        played = state.playouts + len(order) * wanted.playouts
        return State(theta, first, second, mean, steps, averaged, state.iterations, played)

    def improvement(self, root: Root, keys: Sequence[int]) -> Array:
        """Return the direction in which the squared error of one position falls, without bias."""
        sums = self._run(root, self.settings.playouts, keys, True)
        total, _, count, _ = sums.outcomes
        # (V* − (S − z)/(n − 1)) (z − (S − z)/(n − 1)) as a polynomial in z, whose cube does not occur; z²
        # is 1 unless drawn.
        most = count - 1
        constant, slope = root.value - total / most, 1 / most
        base, rise = -total / most, count / most
        squares = sums.scores - sums.drawn
        table = (
            constant * base * sums.scores + (constant * rise + slope * base) * sums.products + slope * rise * squares
        )
        return np.asarray(self._flat(table) / count)


def _check(game: Game, settings: Settings) -> None:
    if not game.feature_columns():
        raise MontegoError(f"{game} has no features to learn the weights of; see docs/adding-a-game.md")
    if settings.optimiser not in OPTIMISERS:
        raise MontegoError(f"no optimiser {settings.optimiser!r}; {' or '.join(OPTIMISERS)} expected")
    if settings.outcome not in (SIGNED, ZERO_ONE):
        raise MontegoError(f"outcomes are {SIGNED} or {ZERO_ONE}, not {settings.outcome!r}")
    if min(settings.value_playouts, settings.gradient_playouts, settings.iterations, settings.batch) < 1:
        raise MontegoError("numbers of playouts, positions and iterations must be at least 1")
    if settings.playouts < 2:
        raise MontegoError(
            f"the adaptive optimiser needs at least 2 playouts of each position, not {settings.playouts}"
        )
