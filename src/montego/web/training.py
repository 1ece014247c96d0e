"""Trained weights and trainings under way, as data: what was learned, how it was found, how the error went down."""

from __future__ import annotations

from typing import Any

import numpy as np

from montego import weights
from montego.games.go.patterns import PATTERNS, describe
from montego.learning.checkpoint import LARGEST
from montego.web.bounds import Refused
from montego.web.folder import Folder

_SHOWN = 12  # features of a group, the strongest and the weakest
_PATTERN_GROUP = "3×3 pattern"


def trained(name: str, folder: Folder) -> dict[str, Any]:
    """Return weights by their name: those that come with Montego, or a file of the folder."""
    place = name if name in weights.names() else str(folder.place(name, "weights"))
    found = weights.load(place)
    return {
        "name": name,
        "game": found.game,
        "kind": found.kind,
        "about": {key: value for key, value in found.about.items() if isinstance(value, (str, int, float, list, dict))},
        "groups": [_group(*pair) for pair in zip(found.groups, found.gammas, strict=True)],
    }


def _group(name: str, gammas: Any) -> dict[str, Any]:
    """Return the strongest and weakest features of a group; feature 0 stands for none of them and weighs 1."""
    order = 1 + np.argsort(-gammas[1:], kind="stable")
    few = order if len(order) <= 2 * _SHOWN else np.concatenate([order[:_SHOWN], order[-_SHOWN:]])
    return {
        "name": name,
        "size": len(order),
        "features": [[int(number), float(f"{gammas[number]:.4g}"), _picture(name, int(number))] for number in few],
    }


def _picture(group: str, number: int) -> str:
    """Return a pattern as three rows of symbols, nothing for other features."""
    return describe(number) if group == _PATTERN_GROUP and 1 <= number <= PATTERNS else ""


def under_way(name: str, folder: Folder) -> dict[str, Any]:
    """Return how far a training is that keeps its state in the folder: curves by name, each a list of numbers."""
    data = folder.read(name, "trainings")
    try:
        content = weights.unpacked(data, LARGEST)
        wanted = [key for key in content if key == "objectives" or key.startswith("curve_")]
        found = {key.removeprefix("curve_"): np.asarray(content[key], float).ravel() for key in wanted}
    except ValueError:
        raise Refused(f"{name} is not the state of a training, or is being written") from None
    finite = {key: [round(float(value), 6) for value in values if np.isfinite(value)] for key, values in found.items()}
    return {"name": name, "curves": finite}
