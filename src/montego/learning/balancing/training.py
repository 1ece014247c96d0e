"""From evaluated positions to a file of weights by simulation balancing: what ``montego train sb`` does."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.learning.balancing.positions import PositionSet
from montego.learning.balancing.trainer import Balancer, Settings, State, roots_of
from montego.learning.checkpoint import Checkpoint, fingerprint
from montego.weights import Weights, load, save

LEAST = 8  # positions to learn from
MEASURED = 12  # times that the error is measured in the course of a training


class Curve(NamedTuple):
    """The mean squared errors of training and held-out positions after some iterations and playouts."""

    iterations: list[int]
    playouts: list[int]
    training: list[float]
    held_out: list[float]


class Balanced(NamedTuple):
    """The result of a training."""

    weights: Weights
    curve: Curve
    start: tuple[Any, ...]  # the γ that it began with


def balance(
    learnt: PositionSet,
    tested: PositionSet,
    out: str | Path,
    settings: Settings,
    start: str = "",
    measure: int = 200,
    about: dict[str, Any] | None = None,
    progress: Callable[[str, float], None] = lambda text, share: None,
) -> Balanced:
    """Balance the weights of a game on positions, write them to ``out`` and return them with the errors on the way.

    ``start`` names weights to start from; without, all γ are 1. Errors are those of ``measure`` playouts of each
    position, chance taken out, of all positions to test with and of as many to learn from.
    """
    if len(learnt) < LEAST or len(tested) < 2:
        raise MontegoError(
            f"{len(learnt)} positions to learn from and {len(tested)} to test with; at least {LEAST} and 2 expected"
        )
    if learnt.game != tested.game:
        raise MontegoError(f"positions of {tested.game} cannot test what is learnt from positions of {learnt.game}")
    began = time.perf_counter()
    game = learnt.game
    gammas = _start(game, start)
    wanted = {**settings._replace(threads=0)._asdict(), "start": start}
    wanted |= {"positions": _digest(learnt), "tested": _digest(tested)}
    checkpoint = Checkpoint(out, wanted | {"measure": measure})
    with Balancer(game, settings, gammas) as balancer:
        learnt_roots, tested_roots = roots_of(learnt), roots_of(tested)
        sample = learnt_roots[: len(tested_roots)]
        stored = checkpoint.load()
        state, curve = _restored(stored) if stored else (balancer.fresh(), Curve([], [], [], []))
        pause = max(1, settings.iterations // MEASURED)

        def note(state: State) -> None:
            theta = balancer.result(state)
            curve.iterations.append(state.iterations)
            curve.playouts.append(state.playouts)
            curve.training.append(balancer.error(theta, sample, measure, 1))
            curve.held_out.append(balancer.error(theta, tested_roots, measure, 2))

        if not curve.iterations:
            note(state)
        for after in balancer.train(learnt_roots, state):
            state = after
            if state.iterations % pause == 0 or state.iterations == settings.iterations:
                note(state)
            checkpoint.save(**state._asdict(), **{f"curve_{name}": np.array(v) for name, v in curve._asdict().items()})
            progress(
                f"iteration {state.iterations}, {state.playouts:,} playouts, "
                f"mean squared error {curve.held_out[-1]:.4f}",
                state.iterations / settings.iterations,
            )
        final = tuple(balancer.gammas(balancer.result(state)))
        first = tuple(balancer.gammas(balancer.start))
    names = tuple(group.name for column in game.feature_columns() for group in column.groups)
    facts = {
        **(about or {}),
        **{name: value for name, value in wanted.items() if name not in ("positions", "tested", "threads")},
        "size": int(getattr(game, "size", 0)),
        "trained_on": str(game),
        "positions": len(learnt),
        "positions_made": learnt.about,
        "playouts": state.playouts,
        "seconds": round(time.perf_counter() - began, 1),
        "held_out": {"positions": len(tested), "before": curve.held_out[0], "after": curve.held_out[-1]},
    }
    weights = Weights(game.spec_name, "playout", names, final, facts)
    save(weights, out)
    checkpoint.remove()
    return Balanced(weights, curve, first)


def _digest(positions: PositionSet) -> str:
    return fingerprint(positions.values, *(np.array(moves) for moves in positions.moves))


def _start(game: Any, name: str) -> list[Any] | None:
    if not name:
        return None
    weights = load(name)
    weights.strengths(game.feature_columns())  # refuses those for other features
    return list(weights.gammas)


def _restored(stored: dict[str, Any]) -> tuple[State, Curve]:
    """Return the state and the errors of a checkpoint."""
    try:
        values: dict[str, Any] = {name: stored[name] for name in ("theta", "first", "second", "mean")}
        values |= {name: int(stored[name]) for name in ("steps", "averaged", "iterations", "playouts")}
        lists = [stored[f"curve_{name}"].tolist() for name in Curve._fields]
    except (KeyError, TypeError, ValueError):
        raise MontegoError("the state of the training is damaged; remove it to start again") from None
    return State(**values), Curve(*lists)
