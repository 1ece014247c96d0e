"""Opinions on a position: who will own which point, which stones are dead, what the score is, whether to pass.

Points are judged by random playouts. In games that end by passing (Go and its variants) either side begins half of
them, and stones may be dead. Where the playouts leave a chain of stones in doubt, a search that plays for points
makes the next moves first. Random playouts never fill an eye that looks real, but they know nothing of a bent four.
"""

import numpy as np

from montego.games import Position
from montego.games.rules import final_owners
from montego.players import Player
from montego.playouts import ownership
from montego.rng import stream
from montego.search import Uct

_PLAYOUTS = 400  # of one judgement, half of them with each side to move
_FINAL_PLAYOUTS = 1600  # of the judgement that decides the score
_UNDECIDED = 0.1  # mean owner of a chain's points, for either side, where playouts alone cannot tell life from death
_DOUBT = 0.25  # mean owner of an own chain's points below which it is better not to count on it
_PLAYED_ON = 24  # moves before the playouts of a judgement in doubt
_SMALL_BOARD, _SMALL_SEARCH, _LARGE_SEARCH = 13 * 13, 1000, 400  # points, and playouts of each of these moves
_SETTLED = 0.5  # mean owner of a point that hardly anybody disputes (random playouts do not keep territory well)
_CROWDED = 0.4  # share of points with stones from which on a first pass is thought of
_SEKI_REGION = 6  # points at most that chains in seki share
_JUDGE = 0x4A554447  # key of the random streams, apart from the player's

FloatMap = np.ndarray[tuple[int], np.dtype[np.float64]]
OwnerMap = np.ndarray[tuple[int], np.dtype[np.int8]]
Neighbours = list[list[int]]  # of every point of the layout: Game.adjacent_points()


def owner_map(position: Position, playouts: int = _PLAYOUTS, seed: int = 0) -> FloatMap:
    """Return the mean final owner of every point of the layout, from player 0's perspective, -1 … 1."""
    game, rng = position.game, stream(seed, _JUDGE, len(position.moves))
    if not game.ends_by_passing:
        return ownership(game, position.state, playouts, rng)
    position = _without_handicap(position)
    maps = [ownership(game, position.facing(player).state, playouts // 2, rng) for player in (0, 1)]
    mean: FloatMap = (maps[0] + maps[1]) / 2
    return mean


def _without_handicap(position: Position) -> Position:
    """Return the same board in a game without handicap, as stones can be set up anew only there."""
    if not position.game.handicap_stones():
        return position
    twin = position.copy()
    twin.game = position.game.with_rules(handicap=0)
    return twin


def played_on_map(position: Position, seed: int = 0) -> FloatMap:
    """Return the same after some moves by a search that wants points, with either side beginning."""
    position = _without_handicap(position)
    game = position.game
    playouts = _SMALL_SEARCH if len(game.layout().names) <= _SMALL_BOARD else _LARGE_SEARCH
    settings = Uct(playouts, rave="silver", reward="sigmoid(k=0.1)", memory=20)
    player = Player(settings, game, seed)
    maps = []
    for side in (0, 1):
        later = position.facing(side).copy()
        while len(later.moves) < _PLAYED_ON and not later.over:
            later.play(player.choose_number(later))
        maps.append(owner_map(later, _PLAYOUTS, seed))
    mean: FloatMap = (maps[0] + maps[1]) / 2
    return mean


# ------------------------------------------------------------------------------------------------------------- stones


def chains(near: Neighbours, owners: OwnerMap) -> list[list[int]]:
    """Return the chains of stones and the empty regions as lists of points of the layout."""
    seen = np.zeros(len(owners), bool)
    found = []
    for first in range(len(owners)):
        if seen[first]:
            continue
        seen[first] = True
        chain = [first]
        for point in chain:  # it grows while it is walked
            for other in near[point]:
                if not seen[other] and owners[other] == owners[first]:
                    seen[other] = True
                    chain.append(other)
        found.append(chain)
    return found


def _beside(near: Neighbours, points: list[int]) -> set[int]:
    """Return the points next to any of some points."""
    return {other for point in points for other in near[point]}


def chain_status(position: Position) -> dict[str, list[list[str]]]:
    """Return the chains of stones by status: alive, dead, or seki, as names of points.

    Chains are in seki if they live although, without the dead stones, they touch only small regions that both colours
    touch.
    """
    game, owners = position.game, position.owners()
    near = game.adjacent_points()
    stones = [chain for chain in chains(near, owners) if owners[chain[0]] >= 0]
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
    for region in chains(near, left):
        colours = {int(left[point]) for point in _beside(near, region)} - {-1}
        if left[region[0]] < 0 and len(colours) == 2 and len(region) <= _SEKI_REGION:
            shared.update(region)
    names = game.layout().names
    status: dict[str, list[list[str]]] = {"alive": [], "dead": [], "seki": []}
    for chain in stones:
        liberties = {point for point in _beside(near, chain) if left[point] < 0}
        kind = "dead" if chain in dead else "seki" if liberties <= shared else "alive"
        status[kind].append([names[point] for point in chain])
    return status


def _sign(player: int) -> int:
    return 1 if player == 0 else -1


def without(position: Position, removed: set[str]) -> Position:
    """Return a position without some of its stones."""
    position = _without_handicap(position)
    stones = {name: owner for name, owner in position.stones().items() if name not in removed}
    return Position(position.game, stones, position.to_move)


def final_score(position: Position) -> float:
    """Return the score after dead stones are taken off, from the first player's perspective."""
    return without(position, {name for chain in chain_status(position)["dead"] for name in chain}).score()


# ----------------------------------------------------------------------------------------------------------- decisions


def wins_by_passing(position: Position) -> bool:
    """Whether the player to move, whose opponent has passed, wins by passing too.

    The board as it stands must be won, even without those of the player's own stones whose life is in doubt.
    """
    sign, game = _sign(position.to_move), position.game
    if position.score() * sign <= 0:
        return False
    owner, owners, names = owner_map(position), position.owners(), game.layout().names
    own = [c for c in chains(game.adjacent_points(), owners) if owners[c[0]] == position.to_move]
    doubtful = {names[point] for chain in own if owner[chain].mean() * sign < _DOUBT for point in chain}
    return without(position, doubtful).score() * sign > 0


def is_settled(position: Position) -> bool:
    """Whether the player to move wins as the board stands, and every point already has its final owner."""
    if position.score() * _sign(position.to_move) <= 0 or (position.owners() >= 0).mean() < _CROWDED:
        return False
    as_it_stands = np.full(len(position.owners()), -1, np.int8)
    final_owners(position.game, position.state, as_it_stands)
    stands_for = np.choose(as_it_stands + 1, [0, 1, -1])
    return bool((owner_map(position) * stands_for >= _SETTLED).all())


def cleanup_move(position: Position) -> int | None:
    """Return a move that helps to capture dead stones of the opponent, or None when there are none (left to capture).

    It is a liberty of the dead chain with the fewest liberties, where the stone itself is not captured at once.
    """
    game = position.game
    names, owners, near = game.layout().names, position.owners(), game.adjacent_points()
    numbers = {name: point for point, name in enumerate(names)}
    player = position.to_move
    best: tuple[int, str] | None = None
    for chain in chain_status(position)["dead"]:
        points = [numbers[name] for name in chain]
        if owners[points[0]] == player:
            continue
        liberties = {point for point in _beside(near, points) if owners[point] < 0}
        for liberty in sorted(liberties):
            if position.is_legal(names[liberty]) and _safe_stone(position, liberty, near):
                best = min(best or (len(liberties), names[liberty]), (len(liberties), names[liberty]))
    return game.parse_move(best[1]) if best else None


def _safe_stone(position: Position, point: int, near: Neighbours) -> bool:
    """Whether a stone on a point is part of a chain with two liberties, or captures."""
    owners = position.copy().play(position.game.layout().names[point]).owners()
    captured = (owners >= 0).sum() <= (position.owners() >= 0).sum()
    chain = next(chain for chain in chains(near, owners) if point in chain)
    liberties = [other for other in _beside(near, chain) if owners[other] < 0]
    return bool(captured or len(liberties) > 1)
