"""Who plays whom, in which order, from which opening and with which seeds.

A schedule is a list of *pairings* of players. Pairs of games take the pairings in turn, round after round, so that a
longer run of the same contest begins with the games of a shorter one:

    pair k belongs to pairing k mod P and to round k div P;
    game 2k has the pairing's first player on side 0, game 2k + 1 has the sides exchanged.

All pairs of a round share one opening. The seed of a player in a game follows from the contest, the pair and the side;
the random numbers of a move follow from that seed and the number of the move. So it does not matter which worker plays
a game, or when.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, product
from types import MappingProxyType
from typing import Any

import numpy as np

from montego.arena.game import FinishedGame, Task, canonical_player
from montego.arena.openings import Openings
from montego.errors import MontegoError, SpecError, whole_number
from montego.games import game as build_game
from montego.spec import Spec, parse

MOST_GAMES = 10**9
MOST_MOVES = 10**9  # of a game
MOST_SEED = 2**128
MOST_RESIGN = 50  # percent
SCHEDULES = ("round_robin", "gauntlet", "ladder")


def pairings(schedule: str, count: int, challengers: int = 1) -> list[tuple[int, int]]:
    """Return the pairings of ``count`` players.

    round_robin: everybody against everybody; gauntlet: each of the first ``challengers`` players against each of the
    others; ladder: each player against the next, for a series of players of growing strength.
    """
    if count < 2:
        raise MontegoError(f"a {schedule.replace('_', ' ')} needs at least two players, not {count}")
    if schedule == "round_robin":
        return list(combinations(range(count), 2))
    if schedule == "gauntlet":
        if not 0 < whole_number("challengers", challengers) < count:
            raise MontegoError(f"a gauntlet of {count} players has 1 to {count - 1} challengers, not {challengers}")
        return list(product(range(challengers), range(challengers, count)))
    return [(k, k + 1) for k in range(count - 1)]


def expand(spec: str, grid: dict[str, Any]) -> list[str]:
    """Return the canonical specs of a player with some parameters set; a list of values gives one player for each.

    Several lists give all combinations, the last one varying fastest.
    """
    base = parse(spec)
    choices = [value if isinstance(value, list) else [value] for value in grid.values()]
    for name, listed in zip(grid, choices, strict=True):
        if not listed:
            raise SpecError(f"{name}: expected at least one value, not an empty list")
        if name in base.kwargs:
            raise SpecError(f"{name} is given twice, in the spec {spec!r} and on its own; give it once")
    found = []
    for values in product(*choices):
        given = {name: _value(value) for name, value in zip(grid, values, strict=True)}
        found.append(canonical_player(str(Spec(base.name, base.args, base.kwargs | given))))
    return found


def _value(value: Any) -> Any:
    """Read a value as in a spec: ``"silver"`` and ``"cut(mercy=0.3)"`` are specs, ``3`` is a number."""
    if isinstance(value, str):
        try:
            return parse(value)
        except SpecError:
            return value
    if isinstance(value, (bool, int, float)):
        return value
    raise SpecError(f"{value!r} is not a value of a parameter; expected a number, true, false or a string")


@dataclass(frozen=True)
class Contest:
    """A match or a tournament: everything that decides its games.

    Two runs with equal settings play equal games if the players are limited by playouts, not by time.
    """

    game: str
    players: tuple[str, ...]
    pairings: tuple[tuple[int, int], ...]
    seed: int
    openings: Openings
    max_moves: int = 0
    names: tuple[str, ...] = ()  # what people call the players; their specs if left out
    test: tuple[float, float, float, float] | None = None  # elo0, elo1, alpha, beta of a sequential test
    resign: float = 0.0  # expected win rate in percent below which a player gives up; 0: never

    def __post_init__(self) -> None:
        for name, most in (("max_moves", MOST_MOVES), ("seed", MOST_SEED)):
            object.__setattr__(self, name, whole_number(name, getattr(self, name), 0, most))
        if not isinstance(self.resign, (int, float)) or not 0 <= self.resign <= MOST_RESIGN:
            raise MontegoError(f"resign: expected a percentage from 0 to {MOST_RESIGN}, not {self.resign!r}")
        object.__setattr__(self, "resign", float(self.resign))  # 5 and 5.0 are the same contest
        object.__setattr__(self, "game", str(build_game(self.game)))
        object.__setattr__(self, "players", tuple(canonical_player(spec) for spec in self.players))
        object.__setattr__(self, "names", _distinct(self.names or self.players))
        self.openings.check(self.game)

    def settings(self) -> dict[str, Any]:
        """Return the settings that a ledger stores, ready for JSON.

        ``resign`` is left out if it is 0: a contest without it is the same contest as before there was such a setting.
        """
        settings = {
            "game": self.game,
            "players": list(self.players),
            "names": list(self.names),
            "pairings": [list(pairing) for pairing in self.pairings],
            "seed": self.seed,
            "openings": self.openings.settings(),
            "max_moves": self.max_moves,
            "test": None if self.test is None else list(self.test),
        }
        return settings | {"resign": self.resign} if self.resign else settings

    @classmethod
    def from_settings(cls, settings: dict[str, Any]) -> Contest:
        """Return the contest of a ledger."""
        contest = object.__new__(cls)  # not checked again: a program that played may be missing on this machine
        try:
            values: dict[str, Any] = {
                "game": str(settings["game"]),
                "players": tuple(map(str, settings["players"])),
                "pairings": tuple((int(first), int(second)) for first, second in settings["pairings"]),
                "seed": int(settings["seed"]),
                "openings": Openings.from_settings(settings["openings"]),
                "max_moves": int(settings["max_moves"]),
                "names": tuple(map(str, settings["names"])),
                "test": None if settings["test"] is None else tuple(map(float, settings["test"])),
                "resign": float(settings.get("resign", 0.0)),
            }
            entered = range(len(values["players"]))
            sound = values["pairings"] and all(place in entered for pair in values["pairings"] for place in pair)
            if not sound or len(values["names"]) != len(entered) or len(values["test"] or range(4)) != 4:
                raise ValueError
            if not 0 <= values["resign"] <= MOST_RESIGN:
                raise ValueError
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
            raise MontegoError("the ledger is damaged: its settings are not those of a contest") from None
        for name, value in values.items():
            object.__setattr__(contest, name, value)
        return contest

    def entrants(self) -> list[str]:
        """Return the specs of all players whose code may be needed."""
        return list(self.players)

    def reach(self, games: Mapping[int, FinishedGame], total: int) -> int:
        """Return how many games of the schedule can be played now: all, unless they depend on the results of others."""
        return total

    def task(self, number: int, games: Mapping[int, FinishedGame] = MappingProxyType({})) -> Task:
        """Return the game with this number in the schedule; it may depend on the games that are finished."""
        pair, swapped = divmod(number, 2)
        rounds, place = divmod(pair, len(self.pairings))
        players = self.pairings[place]
        if swapped:
            players = (players[1], players[0])
        return Task(
            number=number,
            pair=pair,
            players=players,
            game=self.game,
            specs=(self.players[players[0]], self.players[players[1]]),
            seeds=(game_seed(self.seed, number, 0), game_seed(self.seed, number, 1)),
            opening=self.openings.of_round(self.game, self.seed, rounds),
            max_moves=self.max_moves,
            resign=self.resign,
        )


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Number the names that occur more than once, for example when a player plays against itself."""
    return tuple(
        f"{name} #{names[:place].count(name) + 1}" if names[:place].count(name) else name
        for place, name in enumerate(names)
    )


def game_seed(seed: int, number: int, side: int) -> int:
    """Return the seed of one side in game ``number`` of a contest."""
    pair, swapped = divmod(number, 2)
    words = np.random.SeedSequence(seed, spawn_key=(1, pair, swapped, side)).generate_state(1, np.uint64)
    return int(words[0]) >> 11  # 53 bits: a whole number in JSON too
