"""A set of evaluated positions by self-play and self-evaluation: what ``montego train positions`` does.

As in the paper (section 3.3), positions are drawn at random from games that a player plays against itself, and the same
program evaluates them with more playouts. The games are a contest of the arena, in a ledger beside the file to be
written, so that any of its workers can play them; the evaluations run in threads, as searches do not hold Python's
lock. Both go on where they were after an interruption.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from montego.arena.compete import crew
from montego.arena.game import FinishedGame
from montego.arena.ledger import Ledger
from montego.arena.match import run
from montego.arena.openings import Openings
from montego.arena.schedule import Contest
from montego.errors import MontegoError
from montego.games import Game
from montego.learning.balancing.positions import PositionSet, save
from montego.learning.checkpoint import Checkpoint, fingerprint
from montego.players import PLAYERS, Player
from montego.spec import text

GAMES_SUFFIX = ".games.db"
_CHUNK = 16  # evaluations between two states


class SelfPlay(NamedTuple):
    """How to make a set of positions: how many, from how many games of whom, and who evaluates them."""

    games: int = 100
    positions: int = 1000
    player: str = "uct(playouts=3000, rave=silver)"
    evaluator: str = "uct(playouts=10000, rave=silver)"
    opening_moves: int = 2
    seed: int = 1


class Crew(NamedTuple):
    """Who plays: processes (0: this one; None: one per core) or a Dask cluster, with the user's files they load."""

    workers: int | None = None
    cluster: str | None = None
    files: Sequence[str] = ()


def make_positions(
    game: Game,
    out: str | Path,
    wanted: SelfPlay,
    players: Crew,
    progress: Callable[[str, float], None] = lambda text, share: None,
) -> PositionSet:
    """Play, draw positions, evaluate them, write them to ``out`` and return them."""
    if wanted.games < 2 or wanted.games % 2 or wanted.positions < 1:
        raise MontegoError("an even number of games and at least one position expected")
    settings = {"game": str(game), **wanted._asdict()}
    checkpoint = Checkpoint(out, settings)
    played = _play(game, Path(out), wanted, players, progress)
    chosen = drawn_positions(game, played, wanted.positions, wanted.seed)
    values = _evaluate(game, chosen, wanted, checkpoint, fingerprint(*(np.array(one) for one in chosen)), progress)
    about = {**settings, "positions": len(chosen)}
    positions = PositionSet(game, tuple(chosen), np.clip(values, -1.0, 1.0), about)
    save(positions, out)
    checkpoint.remove()
    return positions


def _play(
    game: Game, out: Path, wanted: SelfPlay, players: Crew, progress: Callable[[str, float], None]
) -> list[FinishedGame]:
    """Return the games of a player against itself, those of an earlier run included."""
    spec = text(PLAYERS.build(wanted.player))
    contest = Contest(
        game=str(game),
        players=(spec, spec),
        pairings=((0, 1),),
        seed=wanted.seed,
        openings=Openings(wanted.opening_moves),
    )
    with Ledger(out.with_name(out.name + GAMES_SUFFIX)) as ledger:
        workers = crew(contest, players.workers, players.cluster, players.files)
        run(
            contest,
            ledger,
            workers,
            wanted.games,
            lambda done: progress(f"{done.finished} of {wanted.games} games played", done.finished / wanted.games),
        )
        return [one for one in ledger.games() if not one.reason.startswith("forfeit")]


def drawn_positions(game: Game, played: Sequence[FinishedGame], count: int, seed: int) -> list[tuple[int, ...]]:
    """Draw different positions at random from games, as many as possible up to ``count``.

    The opening is left out, and so are positions in which there is nothing to choose and those after a pass.
    """
    chance = np.random.default_rng([seed, 11])
    candidates: dict[int, tuple[int, ...]] = {}
    for one in played:
        position = game.start()
        for number, name in enumerate(one.moves):
            if number >= len(one.task.opening) and not position.over:
                passed = bool(position.moves) and position.last_move == "pass"
                if not passed and len(position.legal_numbers()) > 1:
                    candidates[position.key] = tuple(position.moves)
            position.play(name)
    if not candidates:
        raise MontegoError("the games have no positions to draw from")
    listed = list(candidates.values())
    return [listed[place] for place in sorted(chance.permutation(len(listed))[:count].tolist())]


class _Players(threading.local):
    player: Player | None = None


def _evaluate(
    game: Game,
    chosen: Sequence[tuple[int, ...]],
    wanted: SelfPlay,
    checkpoint: Checkpoint,
    key: str,
    progress: Callable[[str, float], None],
) -> Any:
    """Return the values of positions, those of an earlier run included."""
    settings = PLAYERS.build(wanted.evaluator)
    state = checkpoint.load()
    values = state["values"] if state and str(state["key"]) == key else np.zeros(0)
    own = _Players()

    def one(moves: tuple[int, ...]) -> float:
        if own.player is None:
            own.player = Player(settings, game, wanted.seed)
        return value_of(own.player, game, moves)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        while len(values) < len(chosen):
            more = list(pool.map(one, chosen[len(values) : len(values) + _CHUNK]))
            values = np.concatenate([values, more])
            checkpoint.save(values=values, key=np.array(key))
            progress(f"{len(values)} of {len(chosen)} positions evaluated", len(values) / len(chosen))
    return values


def value_of(player: Player, game: Game, moves: Sequence[int]) -> float:
    """Return what a player expects for the player to move, from -1 to 1: the value of the move that it would choose."""
    position = game.start()
    for move in moves:
        position.play(move)
    player.choose_number(position)
    best = player.analysis().best()
    if best is None or best.value is None:
        raise MontegoError(f"{text(player.settings)} does not tell the value of a position; use a search such as uct")
    return 2.0 * best.value - 1.0
