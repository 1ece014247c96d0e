"""``mg.match`` and ``mg.tournament``, and what the command line shares with them."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from montego.arena.cluster import ClusterWorkers
from montego.arena.game import warm_up
from montego.arena.ledger import MEMORY, Ledger
from montego.arena.match import Progress, run
from montego.arena.openings import Openings
from montego.arena.result import Result
from montego.arena.schedule import MOST_GAMES, SCHEDULES, Contest, pairings
from montego.arena.sequential import Gsprt
from montego.arena.workers import LocalWorkers, NoWorkers, UserFile, Workers
from montego.errors import MontegoError, nearest, whole_number
from montego.games import Game
from montego.loading import load_file
from montego.players import PLAYERS, Player
from montego.spec import text

ERROR_RATE = 0.05  # of a sequential test, for both kinds of error


def match(
    game: Game | str,
    player: Any,
    opponent: Any,
    *,
    games: int = 100,
    seed: int | None = None,
    opening_moves: int = 0,
    openings: Sequence[Sequence[str]] = (),
    max_moves: int = 0,
    resign: float = 0.0,
    sprt: tuple[float, float] | None = None,
    workers: int | None = 0,
    ledger: str | Path | None = None,
    load: Sequence[str] = (),
    watch: Callable[[Progress], None] | None = None,
) -> Result:
    """Play many games between two players and return the score with its uncertainty.

    Players are specs (``"uct(playouts=100)"``) or settings (``mg.Uct(playouts=100)``). Games come in pairs: both start
    from the same opening, with the sides exchanged. Equal seeds give equal games if the players go by playouts.

    Parameters:
        game: the game, or its spec
        player: the player whose score is reported
        opponent: the other player
        games: how many games to play, an even number
        seed: seed of everything random; chosen at random if left out
        opening_moves: start each pair with this many random moves, different for every pair
        openings: lists of moves to start the pairs with, in turn, in place of random moves
        max_moves: stop longer games and score them as they stand; 0: the limit of the game
        resign: a player whose expected win rate stayed below this percentage, at most 50, at its last three moves
            resigns; 0: never. Only players whose values are win rates do: ``flat``, ``ucb``, ``uct`` and ``plain_uct``
            that count wins (``reward=win_loss``)
        sprt: two Elo differences; stop as soon as it is clear which of them is closer to the truth
        workers: processes that play; 0: this process; None: one for each core. A script that uses processes needs
            ``if __name__ == "__main__":``
        ledger: a file that keeps every game, so that the same call resumes after an interruption; none by default
        load: Python files that add games or players, known to the workers too
        watch: called with the progress after every few games
    """
    test = None if sprt is None else _test(sprt)
    load_files(load)
    with Ledger(ledger or MEMORY) as kept:
        contest = Contest(
            game=str(game),
            players=(player_spec(player), player_spec(opponent)),
            pairings=((0, 1),),
            seed=choose_seed(seed, kept),
            openings=_openings(opening_moves, openings),
            max_moves=max_moves,
            resign=resign,
            test=test,
        )
        return Result.of(run(contest, kept, crew(contest, workers, None, load), even(games), watch or _ignore))


def tournament(
    game: Game | str,
    players: Sequence[Any] | Mapping[str, Any],
    *,
    schedule: str = "round_robin",
    challengers: int = 1,
    games: int = 100,
    seed: int | None = None,
    opening_moves: int = 0,
    openings: Sequence[Sequence[str]] = (),
    max_moves: int = 0,
    resign: float = 0.0,
    workers: int | None = 0,
    ledger: str | Path | None = None,
    load: Sequence[str] = (),
    watch: Callable[[Progress], None] | None = None,
) -> Result:
    """Play a tournament of two or more players and return their ratings and scores.

    Parameters:
        game: the game, or its spec
        players: specs or settings, or a dictionary from the name of each player to its spec or settings
        schedule: ``round_robin`` (everybody against everybody), ``gauntlet`` (the first ``challengers`` against each
            of the others) or ``ladder`` (each against the next)
        challengers: how many of the first players challenge the others in a gauntlet
        games: how many games each pairing plays, an even number
        seed, opening_moves, openings, max_moves, resign, workers, ledger, load, watch: as in ``match``
    """
    if schedule not in SCHEDULES:
        raise MontegoError(f"unknown schedule '{schedule}'{nearest(schedule, list(SCHEDULES))}")
    load_files(load)
    names, entered = ((), players) if not isinstance(players, Mapping) else (tuple(players), list(players.values()))
    with Ledger(ledger or MEMORY) as kept:
        contest = Contest(
            game=str(game),
            players=tuple(player_spec(one) for one in entered),
            pairings=tuple(pairings(schedule, len(entered), challengers)),
            seed=choose_seed(seed, kept),
            openings=_openings(opening_moves, openings),
            max_moves=max_moves,
            resign=resign,
            names=names,
        )
        total = even(games) * len(contest.pairings)
        return Result.of(run(contest, kept, crew(contest, workers, None, load), total, watch or _ignore))


# ----------------------------------------------------------------------------------------- shared with the command line


def player_spec(player: Any) -> str:
    """Return the spec of a player that is given as a spec, as settings or as a ``Player``."""
    if isinstance(player, str):
        return player
    settings = player.settings if isinstance(player, Player) else player
    if type(settings) not in PLAYERS:
        raise MontegoError(f"a player is a spec or settings, such as 'uct' or mg.Uct(playouts=100), not {player!r}")
    return text(settings)


def even(games: int) -> int:
    """Return the number of games, or raise if it is not a positive even number."""
    games = whole_number("games", games)
    if games > MOST_GAMES:
        raise MontegoError(f"games: at most {MOST_GAMES:,} are played in one contest")
    if games < 2 or games % 2:
        raise MontegoError(
            f"games: an even number of at least 2 expected, as games come in pairs with sides exchanged, not {games}"
        )
    return games


def choose_seed(given: int | None, ledger: Ledger) -> int:
    """Return the seed of a contest: as given, as in the ledger, or chosen at random."""
    if given is not None:
        return given
    if ledger.begun():
        return int(ledger.settings()[0]["seed"])
    return secrets.randbits(32)


def load_files(paths: Sequence[str]) -> None:
    """Import Python files that add games or players."""
    if isinstance(paths, str) or not isinstance(paths, Sequence):
        raise MontegoError(f"load: a list of Python files expected, such as ['my_game.py'], not {paths!r}")
    for path in paths:
        load_file(path)


def crew(contest: Contest, workers: int | None, cluster: str | None, files: Sequence[str]) -> Callable[[], Workers]:
    """Return a function that starts the workers.

    It first makes every player choose a move: that shows that the player works, and puts its code into the cache.
    """
    processes = cores() if workers is None else whole_number("workers", workers)

    def start() -> Workers:
        entrants = contest.entrants()
        warm_up(contest.game, entrants)
        sources = [UserFile.read(path) for path in files]
        if cluster is not None:
            return ClusterWorkers(cluster, contest.game, entrants, sources)
        return LocalWorkers(processes, sources) if processes else NoWorkers()

    return start


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _ignore(progress: Progress) -> None:
    """Watch nothing."""


def _test(sprt: Any) -> tuple[float, float, float, float]:
    """Return the sequential test between two Elo differences."""
    try:
        elo0, elo1 = map(float, sprt)
    except (TypeError, ValueError):
        raise MontegoError(f"sprt: two Elo differences expected, such as (0, 20), not {sprt!r}") from None
    Gsprt(elo0, elo1, ERROR_RATE, ERROR_RATE)  # refuses bounds that make no sense
    return elo0, elo1, ERROR_RATE, ERROR_RATE


def _openings(moves: int, book: Any) -> Openings:
    """Return random moves or a book of openings; refuse a book that is no list of lists."""
    try:
        listed = () if isinstance(book, str) else tuple(tuple(opening) for opening in book)
    except TypeError:
        listed = ()
    if book and not listed:
        raise MontegoError(f"openings: a list of lists of moves expected, such as [['E5', 'C3']], not {book!r}")
    return Openings(moves, listed)
