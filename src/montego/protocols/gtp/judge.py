"""The engine's opinion of a position: who has what in the end, which stones are dead, when to pass and when to resign.

Points are judged by random playouts from the position with either side to move. In Go this finds dead stones as well as
playouts do: they fill no eye that looks real, but know nothing of life in a seki or of a bent four.
"""

from dataclasses import dataclass, field

import numpy as np

from montego.games import Go, Position
from montego.games.rules import final_owners
from montego.playouts import ownership
from montego.protocols.gtp.table import facing
from montego.rng import stream
from montego.search import Analysis

_PLAYOUTS = 400  # of one judgement, half of them with each side to move
_DEAD = 0.3  # mean owner of a dead chain's points, from the other side's perspective
_SETTLED = 0.85  # mean owner of a point that nobody disputes
_CROWDED = 0.5  # share of points with stones from which on a first pass is thought of
_RESIGN_VISITS = 100  # of the best move, for its value to be believed
_RESIGN_TIMES = 3  # in a row the value must be low
_RESIGN_AFTER = 0.25  # moves a point of the board
_JUDGE = 0x4A554447  # key of the random streams, apart from the player's

FloatMap = np.ndarray[tuple[int], np.dtype[np.float64]]
OwnerMap = np.ndarray[tuple[int], np.dtype[np.int8]]


def owner_map(position: Position, playouts: int = _PLAYOUTS, seed: int = 0) -> FloatMap:
    """Return the mean final owner of every point of the layout, from player 0's perspective, -1 … 1."""
    game, rng = position.game, stream(seed, _JUDGE, len(position.moves))
    if not isinstance(game, Go):
        return ownership(game, position.state, playouts, rng)
    maps = [ownership(game, facing(position, player).state, playouts // 2, rng) for player in (0, 1)]
    mean: FloatMap = (maps[0] + maps[1]) / 2
    return mean


# ------------------------------------------------------------------------------------------------------------ Go stones


def chains(game: Go, owners: OwnerMap) -> list[list[int]]:
    """Return the chains of stones and the empty regions as lists of points of the layout."""
    seen = np.zeros(len(owners), bool)
    found = []
    for first in range(len(owners)):
        if seen[first]:
            continue
        seen[first] = True
        chain = [first]
        for point in chain:
            for near in neighbours(game, point):
                if not seen[near] and owners[near] == owners[first]:
                    seen[near] = True
                    chain.append(near)
        found.append(chain)
    return found


def neighbours(game: Go, point: int) -> list[int]:
    """Return the points of the layout beside a point."""
    row, column = divmod(point, game.size)
    near = [point - 1] if column > 0 else []
    near += [point + 1] if column + 1 < game.size else []
    near += [point - game.size] if row > 0 else []
    return near + ([point + game.size] if row + 1 < game.height else [])


def chain_status(position: Position, owner: FloatMap | None = None) -> dict[str, list[list[str]]]:
    """Return the chains of a game of Go by status: alive, dead, or seki, as names of points.

    In seki are chains that live although, without the dead stones, no empty region beside them is their own.
    """
    game, owners = position.game, position.owners()
    assert isinstance(game, Go)
    owner = owner_map(position, 2 * _PLAYOUTS) if owner is None else owner
    sign = np.array([1.0, -1.0, 0.0])
    stones = [chain for chain in chains(game, owners) if owners[chain[0]] >= 0]
    dead = [chain for chain in stones if owner[chain].mean() * sign[owners[chain[0]]] < -_DEAD]
    left = owners.copy()
    for chain in dead:
        left[chain] = -1
    own_regions = set()
    for region in chains(game, left):
        beside = {int(left[near]) for point in region for near in neighbours(game, point)} - {-1}
        if left[region[0]] < 0 and len(beside) == 1:
            own_regions.update(region)
    names = game.layout().names
    status: dict[str, list[list[str]]] = {"alive": [], "dead": [], "seki": []}
    for chain in stones:
        beside_own = any(near in own_regions for point in chain for near in neighbours(game, point))
        kind = "dead" if chain in dead else "alive" if beside_own else "seki"
        status[kind].append([names[point] for point in chain])
    return status


def settled_position(position: Position) -> Position:
    """Return a position of Go without its dead stones."""
    dead = {name for chain in chain_status(position)["dead"] for name in chain}
    names = position.game.layout().names
    stones = {n: int(owner) for n, owner in zip(names, position.owners(), strict=True) if owner >= 0 and n not in dead}
    return Position(position.game, stones, position.to_move)


def final_score(position: Position) -> float:
    """Return the score of a game of Go, dead stones taken off, from Black's perspective."""
    return settled_position(position).score()


# ------------------------------------------------------------------------------------------------------------- decisions


def may_pass(position: Position, opponent_passed: bool) -> bool:
    """Whether the player to move in a game of Go wins by passing now, if the board is counted as it stands.

    After the opponent's pass it is enough that the expected owners give the win as well. Otherwise every point must
    be settled and have its owner already.
    """
    sign = 1 if position.to_move == 0 else -1
    if position.score() * sign <= 0:
        return False
    owners = position.owners()
    if not opponent_passed and (owners >= 0).mean() < _CROWDED:
        return False
    owner = owner_map(position)
    game = position.game
    assert isinstance(game, Go)
    if opponent_passed:
        return sign * (float(np.sign(np.round(owner, 1)).sum()) - game.komi) > 0
    as_it_stands = np.full(len(owners), -1, np.int8)
    final_owners(game, position.state, as_it_stands)
    stands_for = np.choose(as_it_stands + 1, [0, 1, -1])
    return bool((owner * stands_for >= _SETTLED).all())


def cleanup_move(position: Position) -> int | None:
    """Return a move that helps to capture dead stones of the opponent, or None when there are none (left to capture).

    Of the liberties of dead chains, those of chains with the fewest, where the stone itself is not captured at once.
    """
    game = position.game
    assert isinstance(game, Go)
    names, owners = game.layout().names, position.owners()
    numbers = {name: point for point, name in enumerate(names)}
    player = position.to_move
    best: tuple[int, str] | None = None
    for chain in chain_status(position)["dead"]:
        points = [numbers[name] for name in chain]
        if owners[points[0]] == player:
            continue
        liberties = {near for point in points for near in neighbours(game, point) if owners[near] < 0}
        for liberty in sorted(liberties):
            if position.is_legal(names[liberty]) and _safe_stone(position, liberty):
                best = min(best or (len(liberties), names[liberty]), (len(liberties), names[liberty]))
    return game.parse_move(best[1]) if best else None


def _safe_stone(position: Position, point: int) -> bool:
    """Whether a stone on a point is part of a chain with two liberties, or captures."""
    game = position.game
    assert isinstance(game, Go)
    after = position.copy().play(game.layout().names[point])
    owners = after.owners()
    captured = (owners >= 0).sum() <= (position.owners() >= 0).sum()
    chain = next(chain for chain in chains(game, owners) if point in chain)
    liberties = {near for stone in chain for near in neighbours(game, stone) if owners[near] < 0}
    return bool(captured or len(liberties) > 1)


@dataclass
class ResignRule:
    """Gives up a game whose expected win rate has stayed below ``threshold``; 0 never gives up."""

    threshold: float
    low: list[int] = field(default_factory=lambda: [0, 0])  # how often in a row each player's value was low

    def reset(self) -> None:
        """Forget what was noted: another game, or a move taken back."""
        self.low = [0, 0]

    def note(self, position: Position, analysis: Analysis) -> bool:
        """Note what a search expects for the player to move, and return whether to resign."""
        best, player = analysis.best(), position.to_move
        believed = best is not None and best.value is not None and best.visits >= _RESIGN_VISITS
        low = believed and best is not None and best.value is not None and best.value < self.threshold
        self.low[player] = self.low[player] + 1 if low else 0
        stones = int((position.owners() >= 0).sum())
        enough = max(stones, len(position.moves)) >= _RESIGN_AFTER * len(position.owners())
        return enough and self.low[player] >= _RESIGN_TIMES
