"""Openings: the first moves of a pair of games, the same for both, so that players do not repeat one game.

Random openings are drawn by seed and are all different, also after turning and mirroring the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from montego.errors import IllegalMove, MontegoError, whole_number
from montego.games import Game, Position, Symmetry, game as build_game
from montego.games.rules import playout_moves
from montego.outside import read_file
from montego.rng import below, stream
from montego.sgf import read_all

_OPENING_STREAM = 2  # key of the random stream of openings; players use 1
_TRIES = 500  # failures in a row that mean: there is no other opening


@dataclass(frozen=True)
class Openings:
    """Where openings come from: ``moves`` random moves, or a ``book`` of lists of moves, or the empty board."""

    moves: int = 0
    book: tuple[tuple[str, ...], ...] = ()

    def settings(self) -> dict[str, Any]:
        """Return the choice, ready for JSON."""
        return {"moves": self.moves, "book": [" ".join(opening) for opening in self.book]}

    @classmethod
    def from_settings(cls, settings: dict[str, Any]) -> Openings:
        """Return the choice that ``settings`` describes."""
        return cls(settings["moves"], tuple(tuple(line.split()) for line in settings["book"]))

    def check(self, game: str) -> None:
        """Raise if the openings cannot be played."""
        whole_number("opening_moves", self.moves)
        if self.moves and self.book:
            raise MontegoError("openings come from a file or are random, not both; give one of them")
        for number, opening in enumerate(self.book, 1):
            try:
                position = build_game(game).start()
                for move in opening:
                    position.play(move)
            except IllegalMove as problem:
                raise MontegoError(f"opening {number} ({' '.join(opening)}) cannot be played: {problem}") from None
            if position.over:
                raise MontegoError(f"opening {number} ({' '.join(opening)}) leaves nothing to play")
        if self.moves:
            self.of_round(game, 0, 0)

    def of_round(self, game: str, seed: int, number: int) -> tuple[str, ...]:
        """Return the opening of a round; when there are no more, they come again in turn."""
        if self.book:
            return self.book[number % len(self.book)]
        if not self.moves:
            return ()
        return _source(game, seed, self.moves).opening(number)


def read_openings(path: str, game: str, moves: int) -> tuple[tuple[str, ...], ...]:
    """Return the main lines of the games of an SGF file, as openings; only their first ``moves`` unless that is 0."""
    rules = build_game(game)
    content = read_file(path)
    try:
        records = read_all(content, rules)
    except MontegoError as problem:
        raise MontegoError(f"'{path}': {problem}") from None
    if not records:
        raise MontegoError(f"'{path}' holds no games to open with")
    if any(record.start != rules.start() for record in records):
        raise MontegoError(f"'{path}': openings begin with the empty board, not with stones set up")
    return tuple(tuple(record.moves[: moves or None]) for record in records)


class RandomOpenings:
    """Distinct random openings of some moves, in an order that follows from the seed alone."""

    def __init__(self, game: Game, seed: int, moves: int) -> None:
        self.game, self.moves = game, moves
        self.exhausted = False
        self._rng = stream(seed, _OPENING_STREAM, moves)
        self._symmetries = game.symmetries()
        self._found: list[tuple[str, ...]] = []
        self._seen: set[int] = set()

    def opening(self, number: int) -> tuple[str, ...]:
        """Return an opening by its number."""
        while len(self._found) <= number and not self.exhausted:
            self._find()
        return self._found[number % len(self._found)]

    def _find(self) -> None:
        """Add an opening that is new after all symmetries; note it when there is none left."""
        for _ in range(_TRIES):
            position = self._draw()
            if position is not None and (key := self._canonical_key(position)) not in self._seen:
                self._seen.add(key)
                self._found.append(tuple(position.history))
                return
        if not self._found:
            raise MontegoError(
                f"no opening of {self.moves} random moves leaves a game of {self.game} to play; fewer moves expected"
            )
        self.exhausted = True

    def _draw(self) -> Position | None:
        """Play random moves that a playout might make; None if the game ends or a rule of history forbids them."""
        position = self.game.start()
        choices = self.game.new_moves()
        for _ in range(self.moves):
            if position.over:
                return None
            count = playout_moves(self.game, position.state, choices)
            try:
                position.play(int(choices[below(self._rng, count)]))
            except IllegalMove:
                return None
        return None if position.over else position

    def _canonical_key(self, position: Position) -> int:
        """Return a number that is the same for all images of a position under the symmetries of the game."""
        return min(self._key_of_image(position, symmetry) for symmetry in self._symmetries)

    def _key_of_image(self, position: Position, symmetry: Symmetry) -> int:
        image = self.game.start()
        for move in position.moves:
            image.play(symmetry.move(move))
        return image.key


@lru_cache(maxsize=16)
def _source(game: str, seed: int, moves: int) -> RandomOpenings:
    return RandomOpenings(build_game(game), seed, moves)
