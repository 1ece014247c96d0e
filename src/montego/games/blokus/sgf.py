"""Blokus Duo in SGF: Pentobi's ``.blksgf``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from montego.games.tools.dialect import Dialect, Properties

if TYPE_CHECKING:
    from montego.games.game import Game


class BlokusDialect(Dialect):
    """The squares of a piece as one value; a player who can place nothing is left out."""

    gm = "Blokus Duo"
    home = "blokus_duo"

    def game(self, kind: Any, properties: Properties, moves: Sequence[tuple[str, str]]) -> Game:
        free = "free" in properties.get("RU", [""])[0].lower()
        described: Game = kind(starts="free" if free else "fixed")
        return described

    def rules(self, game: Any) -> Properties:
        return {"RU": ["free starts"]} if game.starts else {}
