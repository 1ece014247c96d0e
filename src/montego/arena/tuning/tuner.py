"""``mg.tune``, and what the command line shares with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from montego.arena.compete import choose_seed, crew, even, load_files, player_spec
from montego.arena.ledger import MEMORY, Ledger
from montego.arena.match import Progress, run
from montego.arena.openings import Openings
from montego.arena.result import Result
from montego.arena.tuning.campaign import Campaign
from montego.arena.tuning.result import Tuning
from montego.errors import MontegoError
from montego.games import Game
from montego.spec import print_value

GAMES = 400
CONFIRM = 400


def tune(
    game: Game | str,
    player: Any,
    parameters: Sequence[str] | Mapping[str, Any],
    *,
    against: Any = None,
    games: int = GAMES,
    confirm: int = CONFIRM,
    method: str = "clop",
    ahead: int = 8,
    seed: int | None = None,
    opening_moves: int = 0,
    max_moves: int = 0,
    workers: int | None = 0,
    ledger: str | Path | None = None,
    load: Sequence[str] = (),
    watch: Callable[[Progress], None] | None = None,
) -> Tuning:
    """Find the best values of some parameters of a player by playing games against an opponent.

    Each pair of games tries one setting, chosen from the results so far. The best setting is estimated by a regression
    and then plays a match with fresh seeds against the starting settings.

    Parameters:
        game: the game, or its spec
        player: the player to tune, with its starting settings
        parameters: names such as ``"c"`` or ``"rave.b"``, with ranges (``"c=0..1"``) or alternatives
            (``"rave=off|silver"``) if others are wanted than the declared ones; or a dictionary from names to ranges
            (tuples of two), lists of alternatives, or None
        against: the opponent; the starting settings if left out
        games: how many games to play, an even number
        confirm: how many games the match at the end has; 0: no match
        method: how settings are chosen: ``clop`` (local regression), ``tpe`` (Optuna) or ``random``
        ahead: how many pairs may be under way at a time; at least the number of workers
        seed, opening_moves, max_moves, workers, load: as in ``match``
        ledger: a file that keeps every game, so that the same call resumes after an interruption; the match is kept in
            a file beside it
        watch: called with the progress of the tuning, then of the match, after every few games
    """
    load_files(load)
    total, last = even(games), even(confirm) if confirm else 0
    start = player_spec(player)
    with Ledger(ledger or MEMORY) as kept:
        campaign = Campaign(
            game=str(game),
            players=(start, start if against is None else player_spec(against)),
            pairings=((0, 1),),
            seed=choose_seed(seed, kept),
            openings=Openings(opening_moves),
            max_moves=max_moves,
            parameters=parameter_lines(parameters),
            method=method,
            ahead=ahead,
        )
        return play_campaign(campaign, kept, total, last, workers, None, load, watch or (lambda progress: None))


def play_campaign(
    campaign: Campaign,
    ledger: Ledger,
    games: int,
    confirm: int,
    workers: int | None,
    cluster: str | None,
    files: Sequence[str],
    watch: Callable[[Progress], None],
) -> Tuning:
    """Play the games of a tuning and the match that confirms it, except those that are kept already."""
    progress = run(campaign, ledger, crew(campaign, workers, cluster, files), games, watch)
    kept = confirmation_path(ledger.path, games) if ledger.durable else ""
    found = Tuning(progress, None, confirm, kept)
    if not confirm or found.best == found.start:
        return found
    match = campaign.confirmation(found.best)
    with Ledger(kept or MEMORY) as confirming:
        result = Result.of(run(match, confirming, crew(match, workers, cluster, files), confirm, watch))
    return Tuning(progress, result, confirm, kept)


def confirmation_path(ledger: str, games: int) -> str:
    """Return the file beside a ledger that keeps the confirmation of a tuning of so many games."""
    file = Path(ledger)
    return str(file.with_name(f"{file.stem}-confirmation-{games}{file.suffix}"))


def kept_tuning(campaign: Campaign, ledger: Ledger, games: int) -> Tuning:
    """Return the tuning that a ledger holds, with its confirmation as far as it has been played."""
    progress = Progress.of(campaign, games, ledger.games())
    path = confirmation_path(ledger.path, games)
    found = Tuning(progress)
    if not found.pairs or not Path(path).is_file():
        return found
    with Ledger(path, read_only=True) as confirming:
        settings, confirm = confirming.settings()
        match = campaign.confirmation(found.best)
        if settings != match.settings():  # it was begun for an estimate that has changed
            return found
        return Tuning(progress, Result.of(Progress.of(match, confirm, confirming.games())), confirm, path)


def parameter_lines(parameters: Sequence[str] | Mapping[str, Any]) -> tuple[str, ...]:
    """Return parameters as the command line has them."""
    if isinstance(parameters, str):
        return (parameters,)
    if not isinstance(parameters, Mapping):
        if not isinstance(parameters, Sequence):
            raise MontegoError(f"parameters: a list or a dict expected, such as ['c=0..1'], not {parameters!r}")
        return tuple(map(str, parameters))
    return tuple(_line(path, wanted) for path, wanted in parameters.items())


def _line(path: str, wanted: Any) -> str:
    if wanted is None:
        return path
    if isinstance(wanted, tuple) and len(wanted) == 2:
        return f"{path}={print_value(wanted[0])}..{print_value(wanted[1])}"
    if isinstance(wanted, list):
        return f"{path}={'|'.join(one if isinstance(one, str) else print_value(one) for one in wanted)}"
    raise MontegoError(f"{path}: expected a range such as (0, 1), a list of alternatives or None, not {wanted!r}")
