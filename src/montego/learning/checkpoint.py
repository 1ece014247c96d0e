"""Checkpoints: the state of a long training beside the file that it will write, so that the same command goes on."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from montego.errors import MontegoError
from montego.games.features import Array
from montego.outside import read_file, write_file
from montego.weights import unpacked

SUFFIX = ".state"
LARGEST = 256 << 20  # bytes of a state, unpacked
_KEY = "settings"


class Checkpoint:
    """The state of one training, known by its settings."""

    def __init__(self, target: str | Path, settings: dict[str, Any]) -> None:
        target = Path(target)
        if not target.absolute().parent.is_dir():
            raise MontegoError(f"cannot write {target}: there is no folder {target.parent}")
        if target.is_dir():
            raise MontegoError(f"cannot write {target}: it is a folder; name a file")
        self.path = target.with_name(target.name + SUFFIX)
        self.settings = settings

    def load(self) -> dict[str, Array]:
        """Return the arrays of the last state, none if there is no state; refuse that of another training."""
        if not self.path.is_file():
            return {}
        data = read_file(self.path)
        try:
            arrays = unpacked(data, LARGEST)
            settings = json.loads(str(arrays.pop(_KEY)))
        except (KeyError, ValueError):
            raise MontegoError(f"{self.path} is damaged; remove it to start again") from None
        if settings != json.loads(json.dumps(self.settings)):
            other = next(
                name for name in {**settings, **self.settings} if settings.get(name) != self.settings.get(name)
            )
            raise MontegoError(
                f"{self.path} is the state of another training ({other}: {str(settings.get(other))[:60]}); "
                "remove it to start again, or repeat its settings to go on"
            )
        return arrays

    def save(self, **arrays: Any) -> None:
        """Replace the state at once: a process that is killed leaves the old one or the new one."""
        buffer = io.BytesIO()
        np.savez(buffer, **{_KEY: np.array(json.dumps(self.settings))}, **arrays)  # type: ignore[arg-type]
        write_file(self.path, buffer.getvalue())

    def remove(self) -> None:
        """Remove the state of a training that is complete."""
        self.path.unlink(missing_ok=True)


def fingerprint(*arrays: Array) -> str:
    """Return a short hash of some arrays, by which settings can name the data."""
    total = hashlib.sha256()
    for array in arrays:
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:16]
