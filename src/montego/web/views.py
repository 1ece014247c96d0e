"""Boards, positions and analyses as data for the page."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from montego.errors import MontegoError
from montego.games import Game, Position, game as build_game
from montego.games.rules import NEUTRAL, NOBODY
from montego.search import Analysis, MoveStatistics
from montego.web.bounds import Bounds
from montego.web.requests import Message, stones, string, strings

_MOVE = 60  # characters of the longest name of a move
_OWNERS = {NOBODY: ".", 0: "0", 1: "1", NEUTRAL: "#"}


@lru_cache(maxsize=64)
def _numbers(game: Game) -> dict[str, int]:
    return {name: number for number, name in enumerate(game.layout().names)}


@lru_cache(maxsize=64)
def board(game: Game) -> dict[str, Any]:
    """Return what does not change during a game: the layout, the players, their colours."""
    layout = game.layout()
    return {
        "game": str(game),
        "name": game.spec_name,
        "players": list(game.players),
        "colours": list(game.colours),
        "symbols": game.symbols,
        "ends_by_passing": game.ends_by_passing,
        "alternates": game.alternates,
        "shape": layout.shape.value,
        "names": list(layout.names),
        "xy": [[round(x, 4), round(y, 4)] for x, y in layout.xy],
        "lines": [list(line) for line in layout.lines],
        "marks": [[round(x, 4), round(y, 4), mark] for x, y, mark in layout.marks],
        "borders": [[player, [[round(x, 4), round(y, 4)] for x, y in path]] for player, path in layout.borders],
        "dots": list(layout.dots),
        "pieces": bool(game.tray(game.start())),
    }


@lru_cache(maxsize=64)
def _book(game: Game) -> dict[int, tuple[str, list[int]]]:
    """Return the names and points of a game's moves, as far as anybody has asked; asking the game takes longer."""
    return {}


class Places:
    """The names of the moves of one position, and where on the board they lie, as numbers of points."""

    def __init__(self, at: Position) -> None:
        self.at, self._book = at, _book(at.game)
        self._landings: dict[int, list[int]] = {}

    def entry(self, move: int) -> tuple[str, list[int]]:
        """Return the name of a move and its points; none for a pass or a swap."""
        if move not in self._book:
            game, numbers = self.at.game, _numbers(self.at.game)
            self._book[move] = game.move_name(move), [numbers[name] for name in game.points_of(move)]
        name, points = self._book[move]
        return name, points or self._landing(move)

    def of(self, move: int) -> list[int]:
        """Return the points of a move."""
        return self.entry(move)[1]

    def _landing(self, move: int) -> list[int]:
        """Return the points that a move whose name is not that of a point fills, as a column of Connect Four does.

        A move that also takes a stone away is none of these.
        """
        if move not in self._landings:
            before = self.at.owners()
            try:
                after = self.at.copy().play(move).owners()
            except MontegoError:
                after = before
            changed = [int(point) for point in (before != after).nonzero()[0]]
            self._landings[move] = changed if all(before[point] == NOBODY for point in changed) else []
        return self._landings[move]


def position(at: Position) -> dict[str, Any]:
    """Return a position: who holds which point, the legal moves with their points, the result."""
    game = at.game
    over = at.over
    legal = [] if over else at.legal_numbers().tolist()
    numbers, places = _numbers(game), Places(at)
    return {
        "game": str(game),
        "moves": at.history,
        "to_move": at.to_move,
        "over": over,
        "winner": at.winner,
        "result": at.result,
        "owners": "".join(_OWNERS[owner] for owner in at.owners().tolist()),
        "last": [numbers[name] for name in game.last_points(at)],
        "legal": [[name, *points] for name, points in map(places.entry, legal)],
        "tray": game.tray(at),
        "notes": game.notes(at),
        "setup": None if at.setup is None else {"stones": at.setup[0], "to_move": at.setup[1]},
    }


def build(message: Message, bounds: Bounds) -> Position:
    """Return the position that a request names: a game, stones set up and moves; every move is checked."""
    game = build_game(string(message, "game"))
    moves = strings(message, "moves", bounds.moves, _MOVE)
    at = Position(game, *(stones(message) or (None, 0)))
    for move in moves:
        at.play(move)
    return at


def statistics(entry: MoveStatistics, places: Places | None) -> list[Any]:
    """Return a move of an analysis as a row, in the order of the columns in the page's heat.js."""
    return [
        entry.move,
        entry.visits,
        _short(entry.value),
        entry.amaf_visits,
        _short(entry.amaf_value),
        _short(entry.lower),
        _short(entry.upper),
        _short(entry.prior, 5),
        entry.proven or ("pruned" if entry.pruned else ""),
        places.of(entry.number) if places else [],
    ]


def analysis(found: Analysis, places: Places) -> dict[str, Any]:
    """Return an analysis as data."""
    return {
        "move": found.move,
        "playouts": found.playouts,
        "seconds": round(found.seconds, 3),
        "speed": round(found.playouts_per_second),
        "moves": [statistics(entry, places) for entry in found.moves],
        "line": found.principal_variation[:40],
        "nodes": found.nodes,
        "megabytes": round(found.memory / 1e6, 1),
        "mean_depth": round(found.mean_depth, 2),
        "greatest_depth": found.greatest_depth,
        "ownership": [round(owner, 2) for owner in found.ownership.values()],
        "scores": [[score, count] for score, count in found.score_histogram.items()],
        "settled": found.settled,
    }


def _short(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)
