"""The player that moves at random: the opponent that everything must beat."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from montego.games import Game, Position
from montego.games.rules import random_move
from montego.rng import below
from montego.search.analysis import NO_LIMITS, Analysis, Limits

_DRAWS = 100  # draws before giving up on moves that the history of the game forbids


class Random(NamedTuple):
    """Moves drawn uniformly from those a random playout makes (Go: never into an own eye)."""

    def search(self, game: Game) -> "RandomSearch":
        """Return the search that these settings describe."""
        return RandomSearch(game)


@dataclass
class RandomSearch:
    """Draws a move as random playouts do, and draws again when the history of the game forbids it."""

    game: Game

    def run(self, position: Position, rng: Any, limits: Limits = NO_LIMITS) -> Analysis:
        scratch = self.game.new_moves()
        for _ in range(_DRAWS):
            number = int(random_move(self.game, position.state, rng, scratch))
            if position.is_legal(number):
                return Analysis(self.game.move_name(number), number)
        legal = position.legal_numbers()
        number = int(legal[below(rng, len(legal))])
        return Analysis(self.game.move_name(number), number)
