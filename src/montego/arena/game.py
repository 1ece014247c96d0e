"""One game between two players: played by our rules, whatever the players do, and handed back as a record."""

from __future__ import annotations

import contextlib
import traceback
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from montego import __version__
from montego._jit import cache_directory
from montego.errors import Forfeit, MontegoError
from montego.games import Game, Position, game as build_game
from montego.players import PLAYERS
from montego.search import NO_LIMITS, Limits
from montego.sessions import PLAY_ON, Mind, Session
from montego.spec import text

PLAYED, RESIGNED, LENGTH_LIMIT, FORFEIT = "played", "resigned", "length limit", "forfeit"
_DETAIL = 4000  # characters kept of what a failed player last said
_WARM_UP = Limits(playouts=2, seconds=0.05)
_WARM_UP_MOVES = 2


@dataclass(frozen=True)
class Task:
    """Everything that decides a game. A pair of entries is for (player 0, player 1) of the game."""

    number: int  # in the schedule
    pair: int  # of two games with the same opening and the sides exchanged
    players: tuple[int, int]  # by their index in the contest
    game: str
    specs: tuple[str, str]
    seeds: tuple[int, int]
    opening: tuple[str, ...] = ()
    max_moves: int = 0  # 0: the game's own limit
    resign: float = 0.0  # expected win rate in percent below which a player gives up; 0: never


@dataclass(frozen=True)
class FinishedGame:
    """A finished game. Pairs are for (player 0, player 1); score and points are player 0's."""

    task: Task
    moves: tuple[str, ...]  # the opening included
    score: float  # by our rules; of an unfinished position where the game was forfeited
    points: float  # 1, 0.5 or 0
    result: str
    reason: str  # played, resigned, length limit, or "forfeit: …"
    detail: str = ""  # what a failed player last said
    seconds: tuple[float, float] = (0.0, 0.0)
    playouts: tuple[int, int] = (0, 0)
    opinions: tuple[str, str] = ("", "")  # what other programs think of the result
    version: str = ""
    finished: str = ""

    def points_of(self, player: int) -> float:
        """Return the points of a player of the contest who took part."""
        return self.points if player == self.task.players[0] else 1.0 - self.points


def build() -> str:
    """Return the version of the program, with the hash of its sources and of the libraries that matter."""
    return f"{__version__}+{cache_directory().name}"


def play_game(task: Task, limits: Limits = NO_LIMITS) -> FinishedGame:
    """Play one game. Whatever a player does, its game ends and is recorded; only a bad task raises."""
    session = Session(build_game(task.game))
    for move in task.opening:
        session.play(session.position.to_move, move)
    manners = replace(PLAY_ON, resign_below=task.resign / 100, concedes=task.resign > 0)
    minds = [Mind(PLAYERS.build(spec), seed, manners) for spec, seed in zip(task.specs, task.seeds, strict=True)]
    max_moves = task.max_moves or session.game.max_length()
    ending = _Ending(PLAYED)
    try:
        while not session.over:
            if len(session.steps) >= max_moves:
                ending = _Ending(LENGTH_LIMIT)
                break
            turn = session.position.to_move
            try:
                decision = minds[turn].choose(session, limits=limits)
                session.carry_out(decision)
            except Exception as problem:
                ending = _forfeit(session.game, turn, problem)
                break
            if decision.move is None:
                ending = _Ending(RESIGNED, decision.detail, turn)
        return _record(task, session, minds, ending)
    finally:
        for mind in minds:
            with contextlib.suppress(Exception):
                mind.close()


class _Ending(NamedTuple):
    """Why a game ended, what a failed player last said, and who lost by it (0, 1, or None)."""

    reason: str
    detail: str = ""
    loser: int | None = None


def _forfeit(game: Game, player: int, problem: Exception) -> _Ending:
    """Return the ending of a game whose player raised something; faults of its program keep their trace."""
    complaint, detail = _said_by(problem), problem.detail if isinstance(problem, Forfeit) else ""
    if not isinstance(problem, MontegoError):
        complaint = f"raised {type(problem).__name__}: {complaint}"
        detail = "".join(traceback.format_exception(problem))
    return _Ending(f"{FORFEIT}: {game.players[player]}: {complaint}", detail, player)


def _said_by(problem: Exception) -> str:
    """Return the text of an exception, not all of a long one; a player's own class may fail even to give it."""
    try:
        return str(problem)[:_DETAIL]
    except Exception:
        return "an exception without a text"


def _record(task: Task, session: Session, minds: list[Mind], ending: _Ending) -> FinishedGame:
    """Return the record of a game that has ended."""
    reason, detail, loser = ending
    score = session.position.score()
    points = float(loser) if loser is not None else 0.5 + 0.5 * ((score > 0) - (score < 0))
    opinions = [_opinion(mind, session.position) if loser is None else "" for mind in minds]
    return FinishedGame(
        task=task,
        moves=tuple(session.history),
        score=score,
        points=points,
        result=_result(session.game, score, loser, reason),
        reason=reason,
        detail=detail[-_DETAIL:],
        seconds=(minds[0].seconds, minds[1].seconds),
        playouts=(minds[0].playouts, minds[1].playouts),
        opinions=(opinions[0], opinions[1]),
        version=build(),
        finished=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )


def _opinion(mind: Mind, position: Position) -> str:
    """Return what another program thinks of the final position, or nothing; its failures no longer matter."""
    with contextlib.suppress(Exception):
        return str(mind.opinion(position))[:_DETAIL]
    return ""


def _result(game: Game, score: float, loser: int | None, reason: str) -> str:
    """Return the result in words, such as ``Black+3.5``, ``White+resign`` or ``Black+forfeit``."""
    if loser is None:
        return game.result(score)
    return f"{game.players[1 - loser]}+{'resign' if reason == RESIGNED else 'forfeit'}"


def warm_up(game: str, specs: list[str]) -> None:
    """Make every player choose a move, so that everything is compiled and cached, and broken players are found early.

    Raises ``MontegoError`` when a player cannot play the game at all.
    """
    for spec in dict.fromkeys(specs):
        task = Task(0, 0, (0, 0), game, (spec, spec), (0, 0), max_moves=_WARM_UP_MOVES)
        record = play_game(task, _WARM_UP)
        if record.reason.startswith(FORFEIT):
            last = record.detail.strip().splitlines()[-1:] or [""]
            said = f" ({last[0].strip()})" if last[0] and last[0].strip() not in record.reason else ""
            complaint = record.reason.removeprefix(f"{FORFEIT}: ").partition(": ")[2]
            raise MontegoError(f"{spec} cannot play {game}: {complaint}{said}")


def canonical_player(spec: str) -> str:
    """Return a player's spec in its one canonical form; raise if there is no such player."""
    return text(PLAYERS.build(spec))
