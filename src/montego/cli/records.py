"""Games from files, as people name them: SGF, or a position saved as JSON."""

from __future__ import annotations

from pathlib import Path

from montego import sgf
from montego.games import Game, Position
from montego.outside import read_file


def read_position(file: Path, game: Game | None = None) -> Position:
    """Return the last position of a file's first game; ``game`` replaces the rules that a record names."""
    source = read_file(file)
    if source.lstrip().startswith(b"{"):
        return Position.loads(source.decode(errors="replace"))
    return sgf.read(source, game).position
