"""What is fuzzed: each target makes an input by chance and gives it to its reader, which may refuse it in one line.

Anything else is a finding: another exception, a reply that is not one, a result that cannot be written and read again.
"""

import contextlib
import io
import json
import random
import sqlite3
import string
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import montego as mg
from montego import sgf
from montego.arena.game import FinishedGame, Task
from montego.arena.ledger import Ledger
from montego.arena.openings import Openings
from montego.arena.salvage import salvage
from montego.arena.schedule import Contest
from montego.arena.tournament import read_tournament
from montego.errors import MontegoError
from montego.games import GAMES, Position
from montego.players import PLAYERS
from montego.sessions import judge
from montego.spec import Registry, parameters, print_value, text
from montego.weights import Weights, load, save
from tests.fuzz.inputs import SPECIAL, damaged_bytes, damaged_text
from tests.protocols.talk import Talk, parse_replies
from tests.protocols.test_gtp_fuzz import random_line

Target = Callable[[random.Random], None]


@contextlib.contextmanager
def refusals() -> Iterator[None]:
    """Let a reader refuse its input: by an error of ours that is one line."""
    try:
        yield
    except MontegoError as problem:
        if "\n" in str(problem):
            raise AssertionError(f"more than one line: {problem}") from problem


# ------------------------------------------------------------------------------------------------------------ protocols


def talking(game: str, colours: list[str], moves: list[str]) -> Target:
    """Return a target that sends lines to an engine; it forgets everything now and then."""
    judge._PLAYOUTS = judge._FINAL_PLAYOUTS = 4  # type: ignore[attr-defined]
    talk = Talk(game, "random")
    forbidden = ("quit", "printsgf", "loadsgf")
    known = [name for name in talk.ok("list_commands").split("\n") if name not in forbidden]

    def target(chance: random.Random) -> None:
        line = random_line(chance, known, colours)
        if moves and chance.random() < 0.3:
            line = f"play {chance.choice(colours)} {chance.choice(moves)}"
        if chance.random() < 0.2:
            line = damaged_text(chance, line).replace("\n", " ")
        if any(word in line for word in forbidden):
            return
        if chance.random() < 0.02:
            talk.raw("clear_board")
        output = talk.raw(line)
        parse_replies(output)
        assert "internal error" not in output, talk.logged[-1]
        del talk.logged[:]
        talk.conversation.done = False

    return target


# ------------------------------------------------------------------------------------------------------ specs and texts


def random_value(chance: random.Random, parameter: Any, depth: int) -> str:
    """Return a value for a parameter: sound, at its bounds, or not at all."""
    kind = chance.randrange(8)
    low, high = parameter.param.low, parameter.param.high
    if parameter.registry is not None and kind < 6:
        return random_spec(chance, parameter.registry, depth + 1)
    if kind < 2 and parameter.default is not None:
        return print_value(parameter.default)
    if kind < 4 and low is not None:
        return f"{chance.choice([low, low - 1, low + 1, high if high is not None else low * 2, (high or 0) + 1])}"
    if kind == 4:
        return f"{chance.uniform(-10, 1000)}"
    return chance.choice([*SPECIAL, "true", "(1, 2)", '"x"', "uniform", "silver"])


def random_spec(chance: random.Random, registry: "Registry[Any]", depth: int = 0) -> str:
    """Return a spec of a registry, with some of its parameters."""
    name = chance.choice(registry.names())
    if depth > 3:
        return name
    declared = list(parameters(registry[name]).values())
    chosen = chance.sample(declared, min(len(declared), chance.randrange(4)))
    words = [f"{parameter.name}={random_value(chance, parameter, depth)}" for parameter in chosen]
    return f"{name}({', '.join(words)})" if words else name


def specs(chance: random.Random) -> None:
    """Read a spec of a game or a player; what is built is built again from its text."""
    registry: Registry[Any] = chance.choice([GAMES, PLAYERS, PLAYERS])
    source = random_spec(chance, registry)
    if chance.random() < 0.4:
        source = damaged_text(chance, source)
    with refusals():
        built = registry.build(source)
        assert registry.build(text(built)) == built, source


def _games(*names: str) -> list[Position]:
    """Return games that were played by chance to some length."""
    found = []
    for name in names:
        for seed in range(4):
            position, chance = mg.game(name).start(), random.Random(seed)
            for _ in range(6 * seed):
                if not position.over:
                    position.play(chance.choice(position.legal_moves()))
            found.append(position)
    return found


def sgf_texts() -> Target:
    """Return a target for game records."""
    played = _games(
        "go(size=5)", "go(size=9, handicap=2)", "hex(size=4, swap=true)", "y(size=4)", "tictactoe", "blokus_duo"
    )
    sound = [mg.write_sgf(position, players=("A", "B"), comments={0: "a [comment\\] here"}) for position in played]
    sound += [
        "(;GM[1]SZ[5](;B[aa](;W[bb])(;W[cc]))(;B[dd];W[ee]))",
        "(;SO[http://www.littlegolem.com]SZ[5];W[aa];B[swap])",
    ]
    words = ["GM[1]", "SZ[19]", "SZ[3:4]", "AB[aa:bb]", "AW[cc]", "AE[aa]", "PL[W]", "HA[2]", "KM[6.5]", "CA[utf-8]",
             "CA[shift_jis]", "CA[punycode]", "MONTEGO[go]", ";B[tt]", ";W[]", "(;", ")", "GM[hex]"]  # fmt: skip

    def target(chance: random.Random) -> None:
        source = damaged_text(chance, chance.choice(sound), words)
        data: str | bytes = source
        if chance.random() < 0.5:
            data = damaged_bytes(chance, source.encode(errors="replace"))
        with refusals():
            record = sgf.read(data)
            again = sgf.read(record.dumps())
            assert again.position == record.position
            assert again.moves == record.moves

    return target


def saved_games() -> Target:
    """Return a target for saved games."""
    sound = [position.dumps() for position in _games("go(size=5)", "hex(size=4, swap=true)", "y(size=4)", "tictactoe")]
    sound += [Position(mg.game("go(size=5)"), {"A1": 0, "B2": 1}, 1).dumps()]
    sound += [Position(mg.game("hex(size=4)"), {"a1": 0, "b2": 1}, 1).dumps()]
    values: list[Any] = [
        None,
        True,
        -1,
        0,
        1,
        2,
        3,
        1.0,
        1e999,
        10**30,
        "",
        "A1",
        "pass",
        [],
        {},
        [[]],
        {"A1": 0},
        {"A1": 2},
        "go",
        "hex(size=3)",
    ]

    def target(chance: random.Random) -> None:
        record = json.loads(chance.choice(sound))
        for _ in range(chance.randrange(3)):
            key = chance.choice([*record, "setup"])
            record[key] = chance.choice([*values, {"stones": chance.choice(values), "to_move": chance.choice(values)}])
        source = json.dumps(record)
        if chance.random() < 0.4:
            source = damaged_text(chance, source)
        with refusals():
            position = Position.loads(source)
            assert Position.loads(position.dumps()) == position
            position.legal_moves(), position.score(), str(position)

    return target


# --------------------------------------------------------------------------------------------------------------- files


def put(file: Path, data: bytes) -> None:
    """Write a new file, without anything that an earlier input has left beside it.

    Emptying a file and writing it again is slow, as file systems flush such files at once.
    """
    for end in ("", "-journal", "-wal", "-shm"):
        file.with_name(file.name + end).unlink(missing_ok=True)
    file.write_bytes(data)


def tournaments(folder: Path) -> Target:
    """Return a target for tournament files."""
    sound = """game = "tictactoe"\nschedule = "gauntlet"\ngames = 4\nseed = 1\nopening_moves = 1\nmax_moves = 5
challengers = 1\n[[players]]\nname = "a"\nspec = "random"\n[[players]]\nspec = "uct(memory=1)"\nplayouts = [10, 20]
rave = ["off", "silver"]\n"""
    words = ["games", "kind = 1", "players", "[[players]]", "spec", "[[", "load = 1", "1979-05-27", "openings = 'x'"]
    file = folder / "t.toml"

    def target(chance: random.Random) -> None:
        source = damaged_text(chance, sound, words)
        with contextlib.suppress(tomllib.TOMLDecodeError, ValueError, RecursionError):
            if tomllib.loads(source).get("load"):
                return  # it may run a file, which is not what is tried here
        put(file, source.encode(errors="replace"))
        with refusals():
            read_tournament(file)

    return target


def ledgers(folder: Path) -> Target:
    """Return a target for ledgers: opened, read, and salvaged."""
    contest = Contest("tictactoe", ("random", "flat"), ((0, 1),), 1, Openings())
    file = folder / "sound.sqlite"
    games = [
        FinishedGame(
            Task(n, n // 2, (n % 2, 1 - n % 2), "tictactoe", ("random", "flat"), (n, n)),
            ("a1", "b2") * 20,
            1.0,
            1.0,
            "X+1",
            "played",
        )
        for n in range(30)
    ]
    with Ledger(file) as ledger:
        ledger.begin(contest.settings(), 30, "v", "now")
        ledger.record(games)
        recorded = ledger.games()
    whole, damaged = file.read_bytes(), folder / "damaged.sqlite"

    def target(chance: random.Random) -> None:
        put(damaged, damaged_bytes(chance, whole, chance.choice([0, 0, 100])))
        with refusals(), Ledger(damaged, read_only=True) as ledger:
            Contest.from_settings(ledger.settings()[0])
            assert ledger.games() == recorded, "what is shown is what was recorded"
        with refusals():
            found = salvage(damaged)
            assert all(recorded[number] == game for number, game in found.games.items())

    return target


def weights(folder: Path) -> Target:
    """Return a target for files of weights."""
    file, damaged = folder / "w.npz", folder / "damaged.npz"
    gammas = (np.array([1.0, 2.0, 0.5, 4.0]), np.array([1.0, 8.0]))
    save(
        Weights("go", "playout", ("shape", "near"), gammas, {"seed": 1}, {"hashes": np.arange(5, dtype=np.uint64)}),
        file,
    )
    whole = file.read_bytes()
    plain = io.BytesIO()  # not compressed, so that damage reaches the arrays and not only a checksum
    with np.load(file) as content:
        np.savez(plain, **{name: content[name] for name in content.files})

    def target(chance: random.Random) -> None:
        put(damaged, damaged_bytes(chance, chance.choice([whole, plain.getvalue()])))
        load.cache_clear()
        with refusals():
            read = load(str(damaged))
            assert all(np.isfinite(gamma).all() for gamma in read.gammas)

    return target


# ------------------------------------------------------------------------------------------------------------ all of it


# Share of the inputs that each target gets in a long run, in hundredths; an input costs 0.2 to 3 ms.
SHARES = {
    "gtp": 20,
    "htp": 14,
    "pentobi": 8,
    "sgf": 14,
    "specs": 16,
    "saved": 12,
    "toml": 6,
    "ledgers": 4,
    "weights": 6,
}


def make(name: str, folder: Path) -> Target:
    """Return a target by its name; what it writes goes to a folder."""
    pieces = [f"{a}{n}" for a in string.ascii_lowercase[:5] for n in (1, 5, 9)]
    makers: dict[str, Callable[[], Target]] = {
        "gtp": lambda: talking("go(size=5)", ["b", "w", "black", "White", "x"], []),
        "htp": lambda: talking(
            "hex(size=4, swap=true)", ["b", "w", "red", "blue", "green"], ["swap-pieces", "a1", "d4"]
        ),
        "pentobi": lambda: talking(
            "blokus_duo", ["b", "w", "purple"], ["e8,d9,e9,f9,e10", "e10", "j5", ",".join(pieces[:5])]
        ),
        "sgf": sgf_texts,
        "specs": lambda: specs,
        "saved": saved_games,
        "toml": lambda: tournaments(folder),
        "ledgers": lambda: ledgers(folder),
        "weights": lambda: weights(folder),
    }
    return makers[name]()


@dataclass
class Outcome:
    """What a number of inputs has shown: a line for each finding, and which input took longest."""

    found: list[str]
    slowest: int = -1
    seconds: float = 0.0  # of the processor


def run(name: str, first: int, count: int) -> Outcome:
    """Run inputs ``first`` … ``first + count - 1`` of a target."""
    outcome = Outcome([])
    with tempfile.TemporaryDirectory() as folder:
        target = make(name, Path(folder))
        for number in range(first, first + count):
            began = time.process_time()
            try:
                target(random.Random(f"{name} {number}"))
            except (Exception, sqlite3.Error) as problem:
                outcome.found.append(f"{name}, input {number}: {type(problem).__name__}: {problem!r:.300}")
            if (spent := time.process_time() - began) > outcome.seconds:
                outcome.slowest, outcome.seconds = number, spent
    return outcome
