"""Sets of evaluated positions: what simulation balancing learns from, as files with a header.

A position is the moves that led to it from the start of the game; its value is the mean outcome that a strong player
expects for the player to move, from -1 (lost) to 1 (won). Files are NumPy's ``.npz`` format without pickles; what is
read is checked, and the moves are played again by our rules.
"""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from montego.errors import MontegoError
from montego.games import Game, Position, game as build_game
from montego.games.features import Array
from montego.outside import read_file, write_file
from montego.weights import unpacked

FORMAT = 1
_MOST_BYTES = 256 << 20
_REQUIRED = {"format": int, "kind": str, "game": str}
_KIND = "positions"


class PositionsError(MontegoError):
    """A file of positions cannot be used."""


@dataclass(frozen=True)
class PositionSet:
    """Evaluated positions of one game. ``moves`` are by number; ``about`` says how the set was made."""

    game: Game
    moves: tuple[tuple[int, ...], ...]
    values: Array
    about: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.moves)

    def position(self, number: int) -> Position:
        """Return a position with its history."""
        position = self.game.start()
        for move in self.moves[number]:
            position.play(move)
        return position

    def part(self, numbers: Sequence[int]) -> PositionSet:
        """Return some of the positions."""
        return PositionSet(self.game, tuple(self.moves[n] for n in numbers), self.values[list(numbers)], self.about)

    def held_out(self, every: int) -> tuple[PositionSet, PositionSet]:
        """Return the positions to learn from and those to test with: every so many goes to the test."""
        numbers = range(len(self))
        return self.part([n for n in numbers if n % every]), self.part(numbers[::every])


def save(positions: PositionSet, path: str | Path) -> None:
    """Write positions to a file; one that exists is replaced at once, or stays as it is if that fails."""
    header = {"format": FORMAT, "kind": _KIND, "game": str(positions.game), "about": positions.about}
    lengths = [len(moves) for moves in positions.moves]
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        header=np.array(json.dumps(header)),
        moves=np.array([move for moves in positions.moves for move in moves], np.int32),
        starts=np.cumsum([0, *lengths]),
        values=positions.values.astype(np.float32),
    )
    write_file(path, buffer.getvalue())


def load(path: str | Path) -> PositionSet:
    """Return the positions of a file; refuse a damaged one."""
    target = Path(path)
    data = read_file(target)
    try:
        arrays = unpacked(data, _MOST_BYTES)
        header = json.loads(str(arrays["header"]))
        moves, starts, values = arrays["moves"], arrays["starts"], arrays["values"].astype(np.float64)
    except (KeyError, ValueError):
        raise PositionsError(
            f"{target} is not a file of positions, or damaged: montego train positions writes them"
        ) from None
    if not isinstance(header, dict) or any(not isinstance(header.get(k), kind) for k, kind in _REQUIRED.items()):
        raise PositionsError(f"{target} has a damaged header: {', '.join(_REQUIRED)} expected")
    if header["kind"] != _KIND:
        raise PositionsError(f"{target} is a file of {header['kind']}, not of {_KIND}")
    if header["format"] != FORMAT:
        raise PositionsError(f"{target} has format {header['format']}; this version of Montego reads format {FORMAT}")
    return _checked(target, header, moves, starts, values)


def _checked(path: Path, header: dict[str, Any], moves: Array, starts: Array, values: Array) -> PositionSet:
    """Return the positions that some arrays hold, after all moves have been played."""
    sound = moves.ndim == starts.ndim == values.ndim == 1 and len(starts) == len(values) + 1 >= 2
    sound = sound and moves.dtype.kind == starts.dtype.kind == "i" and starts[0] == 0 and starts[-1] == len(moves)
    if not sound or (np.diff(starts) < 0).any():
        raise PositionsError(f"{path} is damaged: its arrays do not fit each other")
    if not np.isfinite(values).all() or (np.abs(values) > 1).any():
        raise PositionsError(f"{path} is damaged: every value must be from -1 to 1")
    listed = tuple(tuple(moves[first:last].tolist()) for first, last in itertools.pairwise(starts.tolist()))
    about = header.get("about")
    positions = PositionSet(build_game(header["game"]), listed, values, about if isinstance(about, dict) else {})
    for number in range(len(positions)):
        try:
            over = positions.position(number).over
        except MontegoError as problem:
            raise PositionsError(f"{path} is damaged: position {number + 1}: {problem}") from None
        if over:
            raise PositionsError(f"{path} is damaged: position {number + 1} is the end of a game")
    return positions
