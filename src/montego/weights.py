"""Files of trained weights: the γ of every feature of a game, with a header that says where they come from.

A file is NumPy's ``.npz`` format without pickles: a header in JSON, and one array of γ for each group of features,
with an entry 0 that is always 1 ("no feature of this group"). Kinds of weights tell apart what they are for:
``playout`` for the features of ``Game.feature_columns``, other names for other sets of features, which may add arrays
of their own.

Weights that come with Montego are in the folder ``trained``; ``best_weights`` names the best for a game and board.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from montego.errors import MontegoError
from montego.games.features import Array, Column
from montego.outside import read_file, write_file

FORMAT = 1
SUFFIX = ".npz"
FOLDER = Path(__file__).parent / "trained"
_HEADER = "header"
_MOST_BYTES = 64 << 20
_REQUIRED = {"format": int, "kind": str, "game": str, "groups": list}


class WeightsError(MontegoError):
    """A file of weights cannot be used."""


@dataclass(frozen=True)
class Weights:
    """The γ of each group of features, in the order of the columns, and how they were found.

    ``game`` is the name of the game without its parameters. ``about`` has what people want to know: data, command,
    seed, result, the size of the board they were trained on. ``extra`` holds further arrays, such as known shapes.
    """

    game: str
    kind: str
    groups: tuple[str, ...]
    gammas: tuple[Array, ...]
    about: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Array] = field(default_factory=dict)

    def without(self, groups: Iterable[str]) -> Weights:
        """Return the weights with all γ of some groups at 1, so that their features do not count."""
        left_out = set(groups)
        unknown = sorted(left_out.difference(self.groups))
        if unknown:
            raise WeightsError(f"no features {unknown[0]!r} in {self.game}; it has {', '.join(self.groups[:20])}")
        gammas = (np.ones_like(g) if name in left_out else g for name, g in zip(self.groups, self.gammas, strict=True))
        return replace(self, gammas=tuple(gammas))

    def raised(self, power: float) -> Weights:
        """Return the weights with all γ to some power."""
        return self if power == 1.0 else replace(self, gammas=tuple(gamma**power for gamma in self.gammas))

    def strengths(self, columns: Sequence[Column]) -> Array:
        """Return the product of γ that each value of each column stands for; columns × values, filled up with 1."""
        groups = [group for column in columns for group in column.groups]
        if [group.name for group in groups] != list(self.groups):
            raise WeightsError(f"weights of {', '.join(self.groups[:3])} … do not fit the features of {self.game}")
        for group, gamma in zip(groups, self.gammas, strict=True):
            if len(gamma) != group.size + 1:
                raise WeightsError(f"weights have {len(gamma) - 1} features of {group.name!r}; {group.size} expected")
        return strengths(columns, self.gammas)

    def array(self, name: str, kind: Any) -> Array:
        """Return a further array that the weights come with."""
        found = self.extra.get(name)
        if found is None or found.ndim != 1 or found.dtype != kind:
            raise WeightsError(f"these {self.kind} weights for {self.game} are damaged: they lack the {name}")
        return found


def strengths(columns: Sequence[Column], gammas: Sequence[Array]) -> Array:
    """Return the product of γ that each value of each column stands for; columns × values, filled up with 1."""
    table = np.ones((len(columns), max(len(column.features) for column in columns)))
    remaining = iter(gammas)
    for number, column in enumerate(columns):
        for place in range(len(column.groups)):
            table[number, : len(column.features)] *= next(remaining)[column.features[:, place]]
    return table


# ---------------------------------------------------------------------------------------------------------------- files


def save(weights: Weights, path: str | Path) -> None:
    """Write weights to a file; one that exists is replaced at once, or stays as it is if that fails."""
    header = {
        "format": FORMAT,
        "kind": weights.kind,
        "game": weights.game,
        "groups": list(weights.groups),
        "about": weights.about,
    }
    arrays = {f"gamma{place}": np.asarray(gamma, np.float32) for place, gamma in enumerate(weights.gammas)}
    buffer = io.BytesIO()
    contents: dict[str, Any] = {_HEADER: np.array(json.dumps(header)), **arrays, **weights.extra}
    np.savez_compressed(buffer, **contents)
    write_file(path, buffer.getvalue())


def unpacked(data: bytes, most_bytes: int = _MOST_BYTES) -> dict[str, Array]:
    """Return the arrays of a file in NumPy's ``.npz`` format: no pickles, and at most so many bytes when unpacked.

    Everything else raises ``ValueError`` with a few words: the caller knows what kind of file it is.
    """
    packed = io.BytesIO(data)
    try:
        with zipfile.ZipFile(packed) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
        if size <= most_bytes:
            with np.load(packed, allow_pickle=False) as content:
                return {name: content[name] for name in content.files}
    except Exception:  # zipfile, zlib and NumPy raise nearly anything for a damaged file
        raise ValueError("damaged") from None
    raise ValueError(f"larger than {most_bytes >> 20} MB when unpacked")


@lru_cache(maxsize=16)
def load(path: str | Path) -> Weights:
    """Return the weights of a file, or of those that come with Montego by their name; refuse a damaged file."""
    target = find(path)
    data = read_file(target)
    try:
        arrays = unpacked(data)
    except ValueError as problem:
        said = f"{target} is not a file of weights, or {problem}: montego train writes such files"
        raise WeightsError(said) from None
    return _checked(target, arrays)


def find(path: str | Path) -> Path:
    """Return the file that a name means: a path, or a file that comes with Montego."""
    shipped = FOLDER / f"{path}{SUFFIX}"
    if shipped.parent == FOLDER and shipped.is_file():
        return shipped
    if not Path(path).is_file():
        raise WeightsError(
            f"no weights {str(path)!r}; a file that montego train wrote expected, or {', '.join(names())}"
        )
    return Path(path)


def names() -> list[str]:
    """Return the names of the weights that come with Montego."""
    return sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}"))


def _checked(path: Path, arrays: dict[str, Array]) -> Weights:
    """Return the weights that some arrays hold, after a look at each."""
    try:
        header = json.loads(str(arrays.pop(_HEADER)))
    except (KeyError, ValueError):
        raise WeightsError(f"{path} has no header: it is not a file of weights") from None
    if not isinstance(header, dict) or any(not isinstance(header.get(k), kind) for k, kind in _REQUIRED.items()):
        raise WeightsError(f"{path} has a damaged header: {', '.join(_REQUIRED)} expected")
    if header["format"] != FORMAT:
        raise WeightsError(f"{path} has format {header['format']}; this version of Montego reads format {FORMAT}")
    gammas = []
    for place, group in enumerate(header["groups"]):
        gamma = arrays.pop(f"gamma{place}", None)
        if gamma is None or gamma.ndim != 1 or gamma.dtype.kind != "f" or len(gamma) < 2:
            raise WeightsError(f"{path} is damaged: it lacks the weights of {group!r}")
        if not np.isfinite(gamma).all() or (gamma < 0).any() or gamma[0] != 1:
            raise WeightsError(f"{path} is damaged: every γ of {group!r} must be a number of at least 0")
        gammas.append(gamma.astype(np.float64))
    about = header.get("about")
    groups = tuple(str(group) for group in header["groups"])
    return Weights(
        header["game"], header["kind"], groups, tuple(gammas), about if isinstance(about, dict) else {}, arrays
    )


# --------------------------------------------------------------------------------------------- which ones are the best


def load_for(game: Any, kind: str, name: str = "") -> Weights:
    """Return weights of a kind for a game: those of a file or name, or without one the best that come with Montego."""
    weights = load(name or best_weights(game, kind))
    if weights.kind != kind:
        raise WeightsError(f"{name} has {weights.kind} weights; {kind} weights are needed here")
    if weights.game not in _game_names(game):
        raise WeightsError(f"{name} has weights for {weights.game}, not for {game.spec_name}")
    return weights


def _game_names(game: Any) -> list[str]:
    """Return the names of a game and of the games that it extends."""
    return [vars(base)["spec_name"] for base in type(game).__mro__ if "spec_name" in vars(base)]


def best_weights(game: Any, kind: str) -> str:
    """Return the name of the weights of a kind that come with Montego for a game, those for its board size first.

    Files are called ``game-kind`` or ``game-kind-size``. A game that extends another may use the other's.
    """
    available = names()
    for name in _game_names(game):
        for candidate in (f"{name}-{kind}-{getattr(game, 'size', '')}", f"{name}-{kind}"):
            if candidate in available:
                return candidate
    raise WeightsError(f'no {kind} weights for {game} come with Montego; train some and give weights="FILE"')
