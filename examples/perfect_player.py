"""A player in one file: it looks at every continuation and plays a move that is best for certain. For small games only.

``docs/adding-a-player.md`` walks through it. Run it for a demonstration, or load it wherever Montego takes a player::

    python examples/perfect_player.py
    montego match --load examples/perfect_player.py --game tictactoe --player perfect --player random --games 20
    montego check examples/perfect_player.py
"""

from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import montego as mg
from montego.games.rules import score, state_hash
from montego.players import PLAYERS
from montego.rng import below
from montego.search import NO_LIMITS, Analysis, Limits, MoveStatistics
from montego.spec import Param


class Perfect(NamedTuple):
    """The best move, found by looking at every position that can follow."""

    positions: Annotated[int, Param("positions to remember; a larger game is refused", 1, 10**8)] = 100_000

    def search(self, game: mg.Game) -> "PerfectSearch":
        """Return the search that these settings describe."""
        return PerfectSearch(game, self.positions)


PLAYERS.add("perfect", Perfect)


@dataclass
class PerfectSearch:
    """Negamax with a table of the positions seen, which is kept from move to move."""

    game: mg.Game
    positions: int
    known: dict[int, float] = field(default_factory=dict)

    def run(self, position: mg.Position, rng: Any, limits: Limits = NO_LIMITS) -> Analysis:
        """Return one of the best moves, drawn by chance, with the value of every move for the player to move."""
        values = {move: self.value(position.copy().play(move)) for move in position.legal_numbers().tolist()}
        sign = 1 if position.to_move == 0 else -1
        best = max(sign * value for value in values.values())
        choices = [move for move, value in values.items() if sign * value == best]
        number = choices[int(below(rng, len(choices)))]
        moves = [self.statistics(move, sign * value) for move, value in values.items()]
        return Analysis(self.game.move_name(number), number, moves=moves)

    def value(self, position: mg.Position) -> float:
        """Return the score of a position with best play, from player 0's perspective."""
        key = int(state_hash(self.game, position.state))
        if key not in self.known:
            if len(self.known) >= self.positions:
                raise mg.MontegoError(
                    f"{self.game} has more than {self.positions:,} positions; perfect is for small games"
                )
            replies = [self.value(position.copy().play(move)) for move in position.legal_numbers().tolist()]
            best = max if position.to_move == 0 else min
            self.known[key] = best(replies) if replies else float(score(self.game, position.state))
        return self.known[key]

    def statistics(self, move: int, value: float) -> MoveStatistics:
        """Return what is known about a move: its value as a share of wins, proven."""
        share, proof = (1.0, "win") if value > 0 else (0.0, "loss") if value < 0 else (0.5, "draw")
        return MoveStatistics(self.game.move_name(move), move, visits=1, value=share, proven=proof)


if __name__ == "__main__":
    player = mg.player("perfect", "tictactoe", seed=1)
    position = mg.game("tictactoe").start().play("a1")
    print(f"after a1 play {player.choose(position)}: every other move loses")
