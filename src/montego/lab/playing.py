"""Games of experiments: contests with a ledger in the folder of results, and books of played openings."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from montego.arena.compete import crew
from montego.arena.game import FinishedGame
from montego.arena.ledger import MEMORY, Ledger, LedgerError, first_difference
from montego.arena.match import Progress, begin, run
from montego.arena.openings import Openings
from montego.arena.schedule import Contest
from montego.errors import MontegoError
from montego.lab.experiment import Conditions, Size, Skipped
from montego.opponents.engine import program_of
from montego.players import PLAYERS
from montego.spec import text

GNU_GO = "gnugo --mode gtp --chinese-rules --level {level}"


def ledger_path(part: str, how: Conditions) -> Path | None:
    """Return the file that keeps the games of a part of an experiment, or None if they are not kept."""
    return None if how.folder is None else how.folder / f"{part}-{how.size}-{how.seed}.sqlite"


def play(part: str, contest: Contest, games: int, how: Conditions) -> Progress:
    """Play a contest of ``games`` games, or only read what has been played of it, as the conditions say.

    A quick run plays in this process unless workers are asked for: starting them takes longer than its games.
    """
    path = ledger_path(part, how)
    if how.judge:
        if path is None or not path.is_file():
            raise Skipped(f"no games of {part} of this size and seed to judge; --out names the folder of its ledger")
        with Ledger(path, read_only=True) as ledger:
            found = Contest.from_settings(ledger.settings()[0])
            if contest.openings == Openings():  # a book would have to be played first
                contest = replace(contest, openings=found.openings)
            if found.settings() != contest.settings():
                difference = first_difference(found.settings(), contest.settings())
                raise Skipped(f"the games in '{path}' are of another contest ({difference}); play it anew elsewhere")
            return Progress.of(found, games, ledger.games())
    workers = 0 if how.quick and how.workers is None else how.workers
    start = crew(contest, workers, how.cluster, ())
    with Ledger(path or MEMORY) as ledger:
        begin(contest, ledger, games)
        if path is not None and not ledger.games():
            ledger.record(_games_of_a_smaller_run(part, contest, how))
        return run(contest, ledger, start, games, lambda progress: how.watch(part, progress))


def _games_of_a_smaller_run(part: str, contest: Contest, how: Conditions) -> list[FinishedGame]:
    """Return the games of a smaller size if they are of the same contest: a longer run begins with them.

    A ledger that cannot be read has none: this run does not depend on it.
    """
    sizes = list(Size)
    for size in reversed(sizes[: sizes.index(how.size)]):
        path = ledger_path(part, replace(how, size=size))
        if path is not None and path.is_file():
            with suppress(LedgerError), Ledger(path, read_only=True) as smaller:
                if smaller.settings()[0] == contest.settings():
                    return smaller.games()
    return []


def played_openings(game: str, player: str, moves: int, count: int, how: Conditions) -> tuple[tuple[str, ...], ...]:
    """Return ``count`` different openings: the first moves of games of a player against itself.

    They follow from the seed alone, so all experiments of one seed share them.
    """
    contest = Contest(game, (player, player), ((0, 1),), how.seed, Openings(), max_moves=moves)
    name = f"openings-{contest.game.partition('(')[0]}-{moves}-{count}"
    wanted = count + count // 10 + 2  # some may be equal
    progress = play(name, contest, wanted + wanted % 2, how)
    found = dict.fromkeys(one.moves for one in progress.counted() if len(one.moves) == moves)
    if len(found) < min(count, 2):
        raise MontegoError(f"{player} plays only {len(found)} different openings of {moves} moves of {game}")
    return tuple(found)[:count]


def opponent_spec(how: Conditions, level: int) -> str:
    """Return the spec of the reference opponent: as given, a spec or a GTP command, or GNU Go of a level."""
    command = how.opponent or GNU_GO.format(level=level)
    if command.partition("(")[0] in PLAYERS.names():
        return command
    if not how.programs:
        raise Skipped(f"this experiment needs the program {command.split()[0]}, and no program may be started here")
    try:
        program_of(command)
    except MontegoError as problem:
        raise Skipped(f"{problem}; install it or name another opponent by --opponent") from None
    return text(PLAYERS.build(f'gtp("{command}")'))
