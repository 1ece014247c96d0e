"""The checks of ``montego check``, run in a child process so that a crash or an endless loop does not end the command.

The child writes what it finds to a file, one line of JSON per event: what the user's file registers, which check
begins, and how each subject did. If the child dies, the last event says where.
"""

from __future__ import annotations

import json
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from montego._jit.explain import Explanation, explain_failure
from montego.errors import MontegoError, SpecError
from montego.games import GAMES, Game, conformance, game as build_game, rules
from montego.kernels import INTERPRETED
from montego.loading import load_file
from montego.players import PLAYERS, Player
from montego.playouts.policy import HISTORY, PLAYOUTS, Workspace, new_workspace, playout
from montego.rng import stream
from montego.search import Uct
from montego.spec import Registry, parameters

ROUNDS = 3  # random games for each check, while there is time
_SIZES = ("size", "width", "height")
_PLAYOUTS = 20  # of each decision: interpreted they are slow
_MOVES = 3  # decisions that a player is asked for
_SMALL_GAME = "tictactoe"  # what players and policies are tried on if the file has no game


@dataclass
class Request:
    """What the child is to do."""

    file: str
    report: str
    games: list[str] = field(default_factory=list)
    seed: int = 1
    seconds: float = 60.0
    skip: list[str] = field(default_factory=list)  # subjects that failed before


@dataclass
class Outcome:
    """How one game, policy or player did; ``status`` is ok, failed, stopped (out of time) or skipped."""

    subject: str
    kind: str
    status: str
    checks: list[str]
    rounds: int = 0  # groups of checks that were finished
    seconds: float = 0.0
    check: str = ""  # the one that failed or was stopped
    reason: str = ""
    file: str = ""
    line: int = 0
    source: str = ""
    record: Any = None  # seeded games, to compare interpreted with compiled code


class OutOfTime(BaseException):
    """The time of a subject is used up; not an Exception, so that nothing takes it for an error of the game."""


class NotApplicable(Exception):
    """A player or policy cannot be tried here, which is not a mistake."""


class EventLog:
    """Writes events to the report file at once, so that they outlive a crash."""

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("a", encoding="utf-8")  # noqa: SIM115 (open until the process ends)

    def write(self, event: str, **content: Any) -> None:
        """Write one event."""
        print(json.dumps({"event": event, **content}), file=self._file, flush=True)


# --------------------------------------------------------------------------------------------------- what is registered


class Newcomers:
    """The classes that a user's file adds to the registries."""

    def __init__(self) -> None:
        self._known = {id(registry): set(registry.names()) for registry in (GAMES, PLAYOUTS, PLAYERS)}

    def of(self, registry: Registry[Any]) -> list[Any]:
        """Return the classes that a registry has now and had not when this object was made."""
        return [registry[name] for name in registry.names() if name not in self._known[id(registry)]]


def variants(cls: Any) -> list[Game]:
    """Return a game with its default parameters, preceded by its smallest board and one more if it has sizes."""
    declared = parameters(cls)
    sizes = {name: declared[name] for name in _SIZES if name in declared and declared[name].type is int}
    default = cls()
    found: list[Game] = []
    for extra in range(8):  # the smallest values that the game accepts
        smallest = {name: int(parameter.param.low or 1) + extra for name, parameter in sizes.items()}
        if found := list(_accepted(cls, smallest)):
            break
    middle = {name: (smallest[name] + getattr(default, name) + 1) // 2 for name in sizes}
    if len(middle) > 1:
        middle[next(iter(middle))] += 1  # not square: rows and columns must not be confused
    found += _accepted(cls, middle) if sizes else []
    return list(dict.fromkeys([*found, default]))


def _accepted(cls: Any, values: dict[str, int]) -> Iterator[Game]:
    """Yield the game with some parameters, unless it has no such board."""
    try:
        yield cls(**values)
    except SpecError:
        return


# --------------------------------------------------------------------------------------------------------------- checks

Check = tuple[str, Callable[[], Any]]


def game_checks(game: Game, seed: int) -> Iterator[list[Check]]:
    """Yield the checks of a game, group by group; what ``record`` returns is compared between the modes."""
    fills = rules.random_playout.choose(type(game)) is not rules.random_playout.default
    yield [
        ("parameters", partial(conformance.check_parameters, game)),
        ("record", partial(conformance.playthrough, game, seed)),
        ("cut playouts", partial(conformance.check_cut_playouts, game, seed)),
    ]
    for number in range(seed, seed + ROUNDS):
        yield [
            ("moves", partial(conformance.check_moves, game, number)),
            ("optional rules", partial(conformance.check_optional_rules, game, number)),
            ("end", partial(conformance.check_end, game, number)),
            ("refusals", partial(conformance.check_refusals, game, number)),
            ("copies", partial(conformance.check_copies, game, number)),
            ("drawing", partial(conformance.check_drawing, game, number)),
            ("playouts", partial(conformance.check_playouts, game, number, fills=fills)),
            ("playouts by move", partial(conformance.check_playouts_by_move, game, number, fills=fills)),
        ]


def policy_checks(policy: Any, game: Game, seed: int) -> Iterator[list[Check]]:
    """Yield the checks of a playout policy: its playouts are legal, and a tree search can use them and its weights."""
    settings = Uct(playouts=_PLAYOUTS, playout=policy, prior=policy, bias=0.1)
    yield [
        ("record", partial(policy_playouts, policy, game, seed)),
        ("search", partial(player_moves, settings, game, seed)),
    ]


def policy_playouts(policy: Any, game: Game, seed: int) -> list[list[int]]:
    """Return the moves of some playouts of a policy, after checking that they are legal."""
    space, root = _workspace(policy, game, seed), game.start().state
    traces = []
    for _ in range(5):
        end = playout(policy, game, space.memory, root.copy(), space.rng, space.trace, HISTORY, space.scratch)
        moves = space.trace[HISTORY:end].tolist()
        replay = game.start().state
        for ply, move in enumerate(moves):
            if rules.is_over(game, replay):
                break
            legal = 0 <= move < game.move_limit() and rules.is_legal(game, replay, move)
            conformance.check(legal, f"move {ply} of the playout {moves} is not legal")
            rules.play(game, replay, move)
        traces.append(moves)
    return traces


def _workspace(policy: Any, game: Game, seed: int) -> Workspace:
    try:
        return new_workspace(policy, game, stream(seed))
    except MontegoError as problem:
        raise NotApplicable(f"{problem}; choose another game with --game") from None


def player_checks(settings: Any, game: Game, seed: int) -> Iterator[list[Check]]:
    """Yield the check of a player: it chooses legal moves, and the same again with the same seed."""
    quick = settings._replace(playouts=_PLAYOUTS) if "playouts" in settings._fields else settings
    yield [("record", partial(player_moves, quick, game, seed))]


def player_moves(settings: Any, game: Game, seed: int) -> list[str]:
    """Return the moves that a player chooses, after checking that they are legal and repeatable."""
    games = []
    for _ in range(2):
        player, position = _player(settings, game, seed), game.start()
        try:
            while not position.over and len(position.moves) < _MOVES:
                before = position.dumps()
                move = player.choose_number(position)
                conformance.check(position.dumps() == before, "choosing a move has changed the position")
                conformance.check(position.is_legal(move), f"move {move} is not legal after {position.moves}")
                position.play(move)
        finally:
            player.close()
        games.append([game.move_name(move) for move in position.moves])
    conformance.check(games[0] == games[1], f"the same seed gave the moves {games[0]}, then {games[1]}")
    return games[0]


def _player(settings: Any, game: Game, seed: int) -> Player:
    try:
        return Player(settings, game, seed)
    except MontegoError as problem:
        raise NotApplicable(f"{problem}; choose another game with --game") from None


# ------------------------------------------------------------------------------------------------------------ the child


def subjects(request: Request, newcomers: Newcomers) -> list[tuple[str, str, Callable[[], Iterator[list[Check]]]]]:
    """Return what is to be checked: a name, a kind, and what makes its checks."""
    seed = request.seed
    classes = newcomers.of(GAMES)
    games = [build_game(spec) for spec in request.games] or [game for cls in classes for game in variants(cls)]
    on = games[0] if request.games else games[1 if len(games) > 1 else 0] if games else build_game(_SMALL_GAME)
    own = [game for game in games if type(game) in classes or not request.games]
    found: list[Any] = [(str(game), "game", partial(game_checks, game, seed)) for game in own]
    for cls in newcomers.of(PLAYOUTS):
        found.append((f"{cls.spec_name} on {on}", "policy", partial(_with_defaults, policy_checks, cls, on, seed)))
    for cls in newcomers.of(PLAYERS):
        found.append((f"{cls.spec_name} on {on}", "player", partial(_with_defaults, player_checks, cls, on, seed)))
    return found


def _with_defaults(checks: Callable[..., Iterator[list[Check]]], cls: Any, game: Game, seed: int) -> Any:
    try:
        built = cls()
    except SpecError as problem:
        raise NotApplicable(f"cannot be tried with its defaults: {problem}") from None
    return checks(built, game, seed)


def run_subject(name: str, kind: str, make: Any, seconds: float, reporter: EventLog) -> Outcome:
    """Run the checks of one subject until one fails or the time is over."""
    outcome = Outcome(name, kind, "ok", [])
    began, enough = time.monotonic(), 2 if kind == "game" else 1  # groups after which every check was made once
    try:
        if INTERPRETED:
            signal.setitimer(signal.ITIMER_REAL, seconds)
        for checks in make():
            for label, check in checks:
                reporter.write("begin", subject=name, kind=kind, check=label)
                outcome.check = label
                result = check()
                if label == "record":
                    outcome.record = result
                elif label not in outcome.checks:
                    outcome.checks.append(label)
            outcome.rounds += 1
            if outcome.rounds >= enough and time.monotonic() - began > seconds:
                break
    except OutOfTime as stop:
        if outcome.rounds < enough:
            _blame(outcome, "stopped", explain_failure(stop), f"not finished after {seconds:.0f} s")
    except NotApplicable as problem:
        outcome.status, outcome.reason = "skipped", str(problem)
    except AssertionError as problem:
        outcome.status, outcome.reason = "failed", str(problem)
    except Exception as problem:
        _blame(outcome, "failed", explain_failure(problem))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    outcome.seconds = time.monotonic() - began
    return outcome


def _blame(outcome: Outcome, status: str, why: Explanation, reason: str = "") -> None:
    outcome.status, outcome.reason = status, reason or why.reason
    outcome.file, outcome.line, outcome.source = why.file, why.line, why.source


def _out_of_time(number: int, frame: Any) -> None:
    raise OutOfTime


def main(words: str) -> None:
    """Do what a request says and write the outcomes to its report."""
    request = Request(**json.loads(words))
    reporter = EventLog(request.report)
    signal.signal(signal.SIGALRM, _out_of_time)
    if INTERPRETED:
        warnings.filterwarnings("error", category=RuntimeWarning)  # such as an overflow, silent in compiled code
    newcomers = Newcomers()
    try:
        load_file(request.file)
    except MontegoError as problem:
        why = explain_failure(problem.__cause__ or problem)
        outcome = Outcome(request.file, "file", "failed", [])
        _blame(outcome, "failed", why)
        reporter.write("outcome", **asdict(outcome))
        return
    try:
        todo = subjects(request, newcomers)
    except MontegoError as problem:
        reporter.write("refused", message=str(problem))
        return
    reporter.write("found", subjects=[(name, kind) for name, kind, _ in todo])
    todo = [one for one in todo if one[0] not in request.skip]
    end = time.monotonic() + request.seconds
    for number, (name, kind, make) in enumerate(todo):
        share = max(1.0, (end - time.monotonic()) / (len(todo) - number))
        reporter.write("outcome", **asdict(run_subject(name, kind, make, share, reporter)))


if __name__ == "__main__":
    main(sys.argv[1])
