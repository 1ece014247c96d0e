"""The engine's opinion of a position: who has what in the end, which stones are dead, when to pass and when to resign.

Points are judged by random playouts from the position with either side to move. Where these leave a chain of Go stones in
doubt, a search that plays for points makes the next moves first. Random playouts fill no eye that looks real, but know
nothing of a bent four.
"""

from dataclasses import dataclass, field

import numpy as np

from montego.games import Go, Position
from montego.games.rules import final_owners
from montego.players import Player
from montego.playouts import ownership
from montego.protocols.gtp.table import facing
from montego.rng import stream
from montego.search import Analysis, MoveStatistics, Uct

_PLAYOUTS = 400  # of one judgement, half of them with each side to move
_FINAL_PLAYOUTS = 1600  # of the judgement that counts
_UNDECIDED = 0.1  # mean owner of a chain's points, for either side, where playouts alone cannot tell life from death
_DOUBT = 0.25  # mean owner of an own chain's points below which it is better not to count on it
_PLAYED_ON = 24  # moves before the playouts of a judgement in doubt
_SMALL_BOARD, _SMALL_SEARCH, _LARGE_SEARCH = 13 * 13, 1000, 400  # points, and playouts of each of these moves
_SETTLED = 0.5  # mean owner of a point that hardly anybody disputes (random playouts do not keep territory well)
_CROWDED = 0.4  # share of points with stones from which on a first pass is thought of
_SEKI_REGION = 6  # points at most that chains in seki share
_RESIGN_VISITS = 200  # of all moves, for their values to be believed
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


def played_on_map(position: Position, seed: int = 0) -> FloatMap:
    """Return the same for Go, after some moves by a search that wants points, with either side beginning."""
    game = position.game
    playouts = _SMALL_SEARCH if len(game.layout().names) <= _SMALL_BOARD else _LARGE_SEARCH
    settings = Uct(playouts, rave="silver", reward="sigmoid(k=0.1)", memory=20)
    player = Player(settings, game, seed)
    maps = []
    for side in (0, 1):
        later = facing(position, side).copy()
        while len(later.moves) < _PLAYED_ON and not later.over:
            later.play(player.choose_number(later))
        maps.append(owner_map(later, _PLAYOUTS, seed))
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


def chain_status(position: Position) -> dict[str, list[list[str]]]:
    """Return the chains of a game of Go by status: alive, dead, or seki, as names of points.

    In seki are chains that live although, without the dead stones, all that is beside them are small regions that both
    colours touch.
    """
    game, owners = position.game, position.owners()
    assert isinstance(game, Go)
    stones = [chain for chain in chains(game, owners) if owners[chain[0]] >= 0]
    owner = owner_map(position, _FINAL_PLAYOUTS)
    if undecided := [chain for chain in stones if abs(owner[chain].mean()) < _UNDECIDED]:
        later = played_on_map(position)
        for chain in undecided:
            owner[chain] = later[chain]
    dead = [chain for chain in stones if owner[chain].mean() * _sign(owners[chain[0]]) < 0]
    left = owners.copy()
    for chain in dead:
        left[chain] = -1
    shared: set[int] = set()  # points of small regions that both colours touch
    for region in chains(game, left):
        beside = {int(left[near]) for point in region for near in neighbours(game, point)} - {-1}
        if left[region[0]] < 0 and len(beside) == 2 and len(region) <= _SEKI_REGION:
            shared.update(region)
    names = game.layout().names
    status: dict[str, list[list[str]]] = {"alive": [], "dead": [], "seki": []}
    for chain in stones:
        liberties = {near for point in chain for near in neighbours(game, point) if left[near] < 0}
        kind = "dead" if chain in dead else "seki" if liberties <= shared else "alive"
        status[kind].append([names[point] for point in chain])
    return status


def _sign(player: int) -> int:
    return 1 if player == 0 else -1


def without(position: Position, removed: set[str]) -> Position:
    """Return a position without some of its stones."""
    names, owners = position.game.layout().names, position.owners()
    stones = {n: int(owner) for n, owner in zip(names, owners, strict=True) if owner >= 0 and n not in removed}
    return Position(position.game, stones, position.to_move)


def final_score(position: Position) -> float:
    """Return the score of a game of Go, dead stones taken off, from Black's perspective."""
    return without(position, {name for chain in chain_status(position)["dead"] for name in chain}).score()


# ------------------------------------------------------------------------------------------------------------- decisions


def wins_by_passing(position: Position) -> bool:
    """Whether the player to move in a game of Go, whose opponent has passed, wins by passing too.

    The board as it stands must be won, even without those of the player's own stones whose life is in doubt.
    """
    sign, game = _sign(position.to_move), position.game
    if position.score() * sign <= 0:
        return False
    assert isinstance(game, Go)
    owner, owners, names = owner_map(position), position.owners(), game.layout().names
    own = [chain for chain in chains(game, owners) if owners[chain[0]] == position.to_move]
    doubtful = {names[point] for chain in own if owner[chain].mean() * sign < _DOUBT for point in chain}
    return without(position, doubtful).score() * sign > 0


def is_settled(position: Position) -> bool:
    """Whether a game of Go is won for the player to move as it stands, and every point has the owner it will have."""
    if position.score() * _sign(position.to_move) <= 0 or (position.owners() >= 0).mean() < _CROWDED:
        return False
    as_it_stands = np.full(len(position.owners()), -1, np.int8)
    final_owners(position.game, position.state, as_it_stands)
    stands_for = np.choose(as_it_stands + 1, [0, 1, -1])
    return bool((owner_map(position) * stands_for >= _SETTLED).all())


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
        low = best is not None and self.threshold > 0 and (best.proven == "loss" or self._is_low(analysis, best))
        self.low[player] = self.low[player] + 1 if low else 0
        stones = int((position.owners() >= 0).sum())
        enough = max(stones, len(position.moves)) >= _RESIGN_AFTER * len(position.owners())
        return enough and self.low[player] >= _RESIGN_TIMES

    def _is_low(self, analysis: Analysis, best: MoveStatistics) -> bool:
        """Whether the chosen move and the moves together promise less than the threshold, after enough visits."""
        tried = [entry for entry in analysis.moves if entry.value is not None and entry.visits > 0]
        visits = sum(entry.visits for entry in tried)
        if best.value is None or best.value >= self.threshold or visits < _RESIGN_VISITS:
            return False
        return sum(entry.visits * (entry.value or 0.0) for entry in tried) < self.threshold * visits
