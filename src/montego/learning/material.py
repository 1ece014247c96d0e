"""What weights are learnt from: the decisions of recorded games, some of them held out to test with.

Go has kernels of its own for its playout features and for those of the tree's prior, Hex and Y for the latter; every
other game goes through the features that it answers for (``plain``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from montego.errors import MontegoError
from montego.games import Game
from montego.games.features import Array, Column
from montego.games.go.features import PLAYOUT_COLUMNS
from montego.games.go.game import Go
from montego.games.go.prior_features import prior_columns
from montego.games.tools.connection import prior_features as connection_features
from montego.games.tools.connection.game import ConnectionGame
from montego.learning.connection_prior import connection_decisions, harvest_shapes as harvest_connection_shapes
from montego.learning.decisions import Decisions
from montego.learning.go import playout_decisions
from montego.learning.go_prior import MOST_SHAPES, harvest_shapes, prior_decisions
from montego.learning.plain import plain_decisions, read_played
from montego.learning.records import read_games
from montego.learning.replay import Selection, held_out

PLAYOUT, PRIOR = "playout", "prior"
KINDS = (PLAYOUT, PRIOR)
SHAPES = "shapes"  # the name of the known shapes among the extra arrays of prior weights

Progress = Callable[[str, float], None]  # what is being done, and which share of it is done


class Wanted(NamedTuple):
    """Which decisions to learn from.

    ``positions`` is about how many, spread over all games; 0 means all. ``every`` holds out each so manieth game.
    ``least`` and ``shapes`` limit the shapes of a prior: seen so many times, and so many at most.
    """

    kind: str = PLAYOUT
    positions: int = 0
    players: str = "both"
    every: int = 20
    least: int = 20
    shapes: int = 40000
    seed: int = 1
    threads: int = 0


class Material(NamedTuple):
    """Decisions to learn from and to test with, what their columns mean, and arrays that belong to the weights."""

    columns: tuple[Column, ...]
    learnt: Decisions
    tested: Decisions
    extra: dict[str, Array]


class Records(NamedTuple):
    """Recorded games, those to learn from and those to test with, and what could not be read."""

    game: Game
    learnt: list[Any]
    tested: list[Any]
    problems: list[str]

    @property
    def moves(self) -> int:
        """The number of moves of the games to learn from."""
        return sum(record.length for record in self.learnt)

    @property
    def size(self) -> int:
        """The board size of most games; 0 where boards have none."""
        sizes = [record.board_size for record in self.learnt]
        return int(max(sorted(set(sizes)), key=sizes.count))


def is_go(game: Game) -> bool:
    """Whether a game is Go itself, not a game that extends it by other rules."""
    return type(game) is Go


def read_records(game: Game, sources: Sequence[str | Path], wanted: Wanted) -> Records:
    """Read the games of some files, folders and ledgers; games that cannot be read are described and left out."""
    _check(game, wanted)
    problems: list[str] = []
    games: list[Any] = []
    for source in sources:
        games += read_games(source, problems) if is_go(game) else read_played(source, game, problems)
    if len(games) < 2:
        first = f"; {problems[0]}" if problems else ""
        raise MontegoError(f"{len(games)} games in {', '.join(map(str, sources))}; at least 2 expected{first}")
    learnt, tested = held_out(games, wanted.every)
    return Records(game, learnt, tested, problems)


def _check(game: Game, wanted: Wanted) -> None:
    if wanted.kind not in KINDS:
        raise MontegoError(f"no weights of kind {wanted.kind!r}; {' or '.join(KINDS)} expected")
    if wanted.kind == PRIOR and not (is_go(game) or isinstance(game, ConnectionGame)):
        raise MontegoError(f"{game} has no features for a prior of the tree; use --kind {PLAYOUT}")
    if not game.feature_columns():
        raise MontegoError(f"{game} has no features to learn the weights of; see docs/adding-a-game.md")
    if not 1 <= wanted.shapes <= MOST_SHAPES:
        raise MontegoError(f"a prior knows 1 to {MOST_SHAPES} shapes, not {wanted.shapes}")


def gather(records: Records, wanted: Wanted, progress: Progress, shapes: Array | None = None) -> Material:
    """Return the decisions of games. ``shapes`` are those of a prior if they were harvested before."""
    moves = records.moves
    share = min(1.0, wanted.positions / moves) if wanted.positions else 1.0
    selection = Selection(wanted.players, share, wanted.seed)
    extra: dict[str, Array] = {}
    if wanted.kind == PRIOR:
        if shapes is None:
            games = len(records.learnt)
            watch = _watch(progress, "harvesting shapes", games)
            if is_go(records.game):
                shapes = harvest_shapes(records.learnt, wanted.least, most=wanted.shapes, progress=watch)
            else:
                options: dict[str, Any] = {"most": wanted.shapes, "progress": watch}
                shapes = harvest_connection_shapes(records.learnt, wanted.least, share, wanted.seed, **options)
        extra = {SHAPES: shapes}
    columns = _columns(records.game, extra)

    def decisions(games: list[Any], label: str) -> Decisions:
        watch = _watch(progress, label, len(games))
        options: dict[str, Any] = {"problems": records.problems, "progress": watch, "threads": wanted.threads}
        if is_go(records.game):
            if wanted.kind == PRIOR:
                return prior_decisions(games, extra[SHAPES], selection, **options)
            return playout_decisions(games, selection, **options)
        if wanted.kind == PRIOR:
            return connection_decisions(games, extra[SHAPES], share=share, seed=wanted.seed, **options)
        return plain_decisions(games, len(columns), share, wanted.seed, **options)

    learnt = decisions(records.learnt, "replaying games to learn from")
    return Material(columns, learnt, decisions(records.tested, "replaying games to test with"), extra)


def _columns(game: Game, extra: dict[str, Array]) -> tuple[Column, ...]:
    if SHAPES in extra:
        shapes = extra[SHAPES]
        return prior_columns(shapes) if is_go(game) else connection_features.prior_columns(game, shapes)
    return PLAYOUT_COLUMNS if is_go(game) else game.feature_columns()


def _watch(progress: Progress, label: str, total: int) -> Callable[[int], None]:
    return lambda done: progress(label, done / total)
