"""Hex in SGF, GM[11], by the standard's page, as HexGui, HexWorld and PlayHex write it; Little Golem's form is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from montego.errors import SgfError
from montego.games.tools.dialect import RESIGN, SWAP_SIDES, Dialect, Properties, board_size

if TYPE_CHECKING:
    from montego.games.game import Game

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DEFAULT_SIZE = 11
_GIVES_UP = {"resign", "forfeit", "resigns"}
_SWAPS = {"swap-pieces", "swap"}


class HexDialect(Dialect):
    """a1 to k11; ``swap-pieces``; resignation as a move. RU[swap] says that swapping is allowed."""

    gm = "11"
    home = "hex"

    def claims(self, kind: type[Game], properties: Properties) -> bool:
        golem = kind.spec_name == self.home and _is_from_little_golem(properties)
        return golem or super().claims(kind, properties)

    def variant(self, properties: Properties) -> Dialect:
        return LittleGolemDialect() if _is_from_little_golem(properties) else self

    def game(self, kind: Any, properties: Properties, moves: Sequence[tuple[str, str]]) -> Game:
        width, height = board_size(properties, _DEFAULT_SIZE)
        if width != height:
            raise SgfError(f"SZ[{width}:{height}]: Hex is played on square boards here, such as SZ[11]")
        swaps = "swap" in properties.get("RU", [""])[0].lower() or any(m.strip().lower() in _SWAPS for _, m in moves)
        described: Game = kind(size=width, swap=swaps)
        return described

    def rules(self, game: Any) -> Properties:
        return {"SZ": [str(game.size)]} | ({"RU": ["swap"]} if game.swap else {})

    def move(self, game: Any, value: str) -> str:
        word = value.strip().lower()
        if word in _GIVES_UP:
            return RESIGN
        return SWAP_SIDES if word == SWAP_SIDES else super().move(game, word)


class LittleGolemDialect(HexDialect):
    """Little Golem's Hex: two letters, no GM; its W moves first although PB and RE[B] mean the first player."""

    takes_turns = True

    def move(self, game: Any, value: str) -> str:
        word = value.strip().lower()
        if re.fullmatch(r"[a-z]{2}", word):
            word = f"{word[0]}{_LETTERS.index(word[1]) + 1}"
        return super().move(game, word)


def _is_from_little_golem(properties: Properties) -> bool:
    named = properties.get("GM", [""])[0].strip()
    return not named and "littlegolem" in properties.get("SO", [""])[0].lower()
