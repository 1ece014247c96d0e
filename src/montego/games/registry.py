"""The games that a spec can name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.spec import Registry

if TYPE_CHECKING:
    from montego.games.game import Game

GAMES: Registry[Game] = Registry("game")


def game(spec: str) -> Game:
    """Return the game that a spec such as ``go(size=9, komi=7.5)`` describes."""
    return GAMES.build(spec)
