"""From game records to a file of weights by minorisation–maximisation: what ``montego train mm`` does.

The state after every sweep stands beside the file to be written, so that a training that was interrupted goes on where
it was.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from montego.errors import MontegoError
from montego.games import Game
from montego.games.features import Array, Column, Group
from montego.learning.checkpoint import Checkpoint
from montego.learning.evaluation import Prediction, evaluate
from montego.learning.material import SHAPES, Material, Progress, Wanted, gather, read_records
from montego.learning.mm import Fit, Training, train, untrained
from montego.weights import Weights, save


class Fitted(NamedTuple):
    """The result of a training."""

    weights: Weights
    fit: Fit
    prediction: Prediction  # of the held-out games
    chosen: tuple[Array, ...]  # for each group, how often each feature was that of a chosen move
    problems: list[str]  # games that could not be read or replayed to their end


def groups_of(columns: Sequence[Column]) -> list[Group]:
    """Return the groups of some columns in their order."""
    return [group for column in columns for group in column.groups]


def chosen_groups(columns: Sequence[Column], only: Sequence[str], without: Sequence[str]) -> tuple[int, ...] | None:
    """Return the places of the groups whose names contain one of ``only`` (all if empty) and none of ``without``."""
    names = [group.name.lower() for group in groups_of(columns)]
    for part in (*only, *without):
        if not any(part.lower() in name for name in names):
            raise MontegoError(f"no group of features is called {part!r}; there are {', '.join(names)}")
    if not only and not without:
        return None
    places = [
        place
        for place, name in enumerate(names)
        if (not only or any(part.lower() in name for part in only)) and not any(p.lower() in name for p in without)
    ]
    if not places:
        raise MontegoError("no group of features is left to train")
    return tuple(places)


def fit_records(
    game: Game,
    sources: Sequence[str | Path],
    out: str | Path,
    wanted: Wanted,
    training: Training,
    only: Sequence[str] = (),
    without: Sequence[str] = (),
    about: dict[str, Any] | None = None,
    progress: Progress = lambda text, share: None,
) -> Fitted:
    """Learn weights from the games of some files, write them to ``out`` and return them with their quality."""
    began, began_cpu = time.perf_counter(), time.process_time()
    progress("reading games", 0.0)
    records = read_records(game, sources, wanted)
    settings = {
        "game": game.spec_name,
        "games": len(records.learnt),
        "moves": records.moves,
        **wanted._replace(threads=0)._asdict(),
        "prior": training.prior,
        "only": list(only),
        "without": list(without),
    }
    checkpoint = Checkpoint(out, settings)
    state = checkpoint.load()
    material = gather(records, wanted, progress, state.get(SHAPES))
    replayed = time.perf_counter() - began
    training = training._replace(groups=chosen_groups(material.columns, only, without))
    start = _fit_of(state, material) if state else None

    def keep(fit: Fit) -> None:
        arrays = {f"gamma{place}": gamma for place, gamma in enumerate(fit.gammas)}
        checkpoint.save(objectives=np.array(fit.objectives), sweeps=np.array(fit.sweeps), **arrays, **material.extra)
        progress(f"sweep {fit.sweeps}, log-likelihood {fit.objectives[-1]:.5f}", min(1.0, fit.sweeps / training.sweeps))

    fit = train(material.learnt, material.columns, training, start, keep)
    prediction = evaluate(material.tested, material.columns, fit.gammas)
    facts = {
        **(about or {}),
        "size": records.size,
        "games": len(records.learnt),
        "positions": material.learnt.size,
        "seed": wanted.seed,
        "prior": training.prior,
        "sweeps": fit.sweeps,
        "seconds": [round(replayed, 1), round(time.perf_counter() - began - replayed, 1)],
        "cpu_seconds": round(time.process_time() - began_cpu, 1),
        "objective": round(fit.objectives[-1], 6),
        "held_out": {
            "games": len(records.tested),
            "positions": prediction.decisions,
            "top1": round(prediction.top1, 5),
            "top5": round(prediction.top5, 5),
            "log_likelihood": round(prediction.log_likelihood, 5),
        },
    }
    names = tuple(group.name for group in groups_of(material.columns))
    weights = Weights(game.spec_name, wanted.kind, names, fit.gammas, facts, material.extra)
    save(weights, out)
    checkpoint.remove()
    return Fitted(weights, fit, prediction, _chosen(material), records.problems)


def _fit_of(state: dict[str, Array], material: Material) -> Fit:
    """Return the fit of a stored state."""
    fresh = untrained(material.columns)
    try:
        gammas = tuple(state[f"gamma{place}"] for place in range(len(fresh.gammas)))
        return Fit(gammas, int(state["sweeps"]), tuple(state["objectives"].tolist()))
    except (KeyError, TypeError, ValueError):
        raise MontegoError("the state of the training is damaged; remove it to start again") from None


def _chosen(material: Material) -> tuple[Array, ...]:
    won = material.learnt.won_values()
    return tuple(
        np.bincount(column.features[won[:, number], at], minlength=group.size + 1)
        for number, column in enumerate(material.columns)
        for at, group in enumerate(column.groups)
    )
