"""Connect Four of the examples, which has features: the game that general trainings are tested with."""

import importlib.util
import sys
from pathlib import Path

from montego.games import GAMES, Game, game

FILE = Path(__file__).parents[2] / "examples" / "connect_four.py"


def connect_four(width: int, height: int) -> Game:
    """Return the game; its file is loaded once, as a user's file would be."""
    if "connect_four" not in GAMES.names():
        spec = importlib.util.spec_from_file_location("connect_four", FILE)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["connect_four"] = module
        spec.loader.exec_module(module)
    return game(f"connect_four(width={width}, height={height})")
