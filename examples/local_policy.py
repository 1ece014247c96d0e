"""A playout policy in one file: play near the last move and away from the edge. The tree can use its weights, too.

``docs/adding-a-policy.md`` walks through it. Run it for a demonstration, or load it wherever Montego takes a player::

    python examples/local_policy.py
    montego play --load examples/local_policy.py --game "hex(size=7)" --player "uct(playout=local, prior=local, bias=1)"
    montego check examples/local_policy.py --game "hex(size=5)"
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

import montego as mg
from montego.games.rules import draw_move
from montego.kernels import borrowing, implements, index
from montego.playouts import Policy, move_weights, next_move
from montego.rng import uniform
from montego.spec import Param

DRAWS = 20  # at most, before a move is taken as it comes


class _Parameters(NamedTuple):
    near: Annotated[
        float, Param("how much a point one step farther from the last move loses; 0 switches it off", 0, 10)
    ] = 0.5
    edge: Annotated[
        float, Param("how much a point one step farther from the centre loses; 0 switches it off", 0, 10)
    ] = 0.2


class Memory(NamedTuple):
    """What the kernels need for one board."""

    weights: Any  # float64: [last move, move], the last row for the first move of a game; the greatest of a row is 1


class Local(_Parameters, Policy, name="local"):
    """Moves near the last one and near the centre are more likely."""

    def new_memory(self, game: Any) -> Memory:
        layout = game.layout()
        if game.move_limit() != len(layout.names):
            raise mg.MontegoError(
                f"local needs a game whose moves are the points of its board, such as hex; not {game}"
            )
        places = np.array(layout.xy, float)
        steps = np.linalg.norm(places[:, None] - places[None], axis=2)
        centre = np.linalg.norm(places - places.mean(axis=0), axis=1)
        weights = np.exp(-self.edge * centre) * np.exp(-self.near * np.vstack([steps, np.zeros(len(places))]))
        return Memory(weights / weights.max(axis=1, keepdims=True))

    def shared_memory(self, game: Any, memory: Memory) -> Memory:
        return memory  # never written to, so that threads may share it


@implements(next_move, Local)
@borrowing
def _next_move(policy, game, memory, state, rng, trace, end, scratch):
    """Draw uniformly until a move is accepted: each with a probability in proportion to its weight."""
    last = trace[index(end - 1)]  # -1, the last row, at the beginning of a game
    for _ in range(DRAWS):
        move = draw_move(game, state, rng, trace, end, scratch)
        if uniform(rng) < memory.weights[last, move]:
            break
    return move


@implements(move_weights, Local)
@borrowing
def _move_weights(policy, game, memory, state, trace, end, moves, weights):
    last = trace[index(end - 1)]
    for i in range(len(moves)):
        weights[index(i)] = memory.weights[last, moves[index(i)]]


if __name__ == "__main__":
    game = mg.game("hex(size=7)")
    position = game.start().play("d4")
    for spec in ("uct(playouts=2000)", "uct(playouts=2000, playout=local, prior=local, bias=1)"):
        player = mg.player(spec, game, seed=1)
        print(f"{player} answers d4 with {player.choose(position)}")
