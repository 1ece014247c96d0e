"""The games of a tuning: a contest in which the first player's settings follow from the results so far.

Pair k of games tries one setting against the opponent, with the sides exchanged. It is chosen from the results of all
pairs up to k - ``ahead``, so that ``ahead`` pairs can be under way at a time. It does not depend on how many workers
there are or on which game ends first: with the same seed, the same games are played, before and after an interruption.
The ledger is that of any contest; the rows of its games hold the specs that played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from montego.arena.game import FinishedGame, Task
from montego.arena.schedule import Contest
from montego.arena.tuning.methods import Method, make_method
from montego.arena.tuning.regression import Array, Games
from montego.arena.tuning.space import Space, Value
from montego.errors import MontegoError

MOST_AHEAD = 10**4
_METHOD_STREAM = 3  # key of the random streams of methods; players use 1, openings 2
_CONFIRMATION_STREAM = 4


@dataclass
class _Known:
    """What has been worked out: it follows from the games and need not be worked out again."""

    method: Method
    chosen: dict[int, str] = field(default_factory=dict)  # pair -> spec
    rows: list[Array] = field(default_factory=list)  # coordinates of the first pairs
    points: list[float] = field(default_factory=list)  # of the same pairs
    complete: int = 0  # pairs, up to the first one that is not


@dataclass(frozen=True)
class Campaign(Contest):
    """A tuning: everything that decides its games. Player 0 has the starting settings, player 1 is the opponent."""

    parameters: tuple[str, ...] = ()
    method: str = "clop"
    ahead: int = 8
    space: Space = field(init=False, compare=False, repr=False)  # the parameters, read
    _known: _Known = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.ahead <= MOST_AHEAD:
            raise MontegoError(f"ahead: expected a whole number from 1 to {MOST_AHEAD}, not {self.ahead}")
        object.__setattr__(self, "space", Space.read(self.players[0], self.parameters))
        object.__setattr__(self, "parameters", tuple(self.space.lines()))
        object.__setattr__(self, "_known", _Known(make_method(self.method, self.space)))

    def settings(self) -> dict[str, Any]:
        return {
            **super().settings(),
            "parameters": list(self.parameters),
            "method": self.method,
            "ahead": self.ahead,
        }

    @classmethod
    def from_settings(cls, settings: dict[str, Any]) -> Campaign:
        """Return the campaign of a ledger."""
        plain = Contest.from_settings(settings)
        try:
            extra: dict[str, Any] = {
                "parameters": tuple(map(str, settings["parameters"])),
                "method": str(settings["method"]),
                "ahead": int(settings["ahead"]),
            }
        except (LookupError, TypeError, ValueError):
            raise MontegoError("the ledger is damaged: its settings are not those of a tuning") from None
        fields = ("game", "players", "pairings", "seed", "openings", "max_moves", "names", "test", "resign")
        return cls(**{name: getattr(plain, name) for name in fields} | extra)

    def entrants(self) -> list[str]:
        return list(dict.fromkeys([*self.players, *self.space.variants()]))

    def reach(self, games: Mapping[int, FinishedGame], total: int) -> int:
        """Return how many games have settings that are known by now: ``ahead`` pairs after the complete ones."""
        return min(total, 2 * (self.complete_pairs(games) + self.ahead))

    def task(self, number: int, games: Mapping[int, FinishedGame] = MappingProxyType({})) -> Task:
        """Return a game: the next setting, chosen from the pairs before, or that of the pair's other game."""
        plain = super().task(number)
        tried = self._setting(plain.pair, games)
        specs = (tried, plain.specs[1]) if plain.players[0] == 0 else (plain.specs[0], tried)
        return replace(plain, specs=specs)

    def complete_pairs(self, games: Mapping[int, FinishedGame]) -> int:
        """Return the number of pairs that are complete, up to the first one that is not."""
        while 2 * self._known.complete in games and 2 * self._known.complete + 1 in games:
            self._known.complete += 1
        return self._known.complete

    def _setting(self, pair: int, games: Mapping[int, FinishedGame]) -> str:
        """Return the spec that a pair tries."""
        for number in (2 * pair, 2 * pair + 1):
            if number in games:
                return tried_spec(games[number])
        if pair not in self._known.chosen:
            played = self.played(games, max(0, pair - self.ahead + 1))
            rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(_METHOD_STREAM, pair)))
            row = self._known.method.propose(played, rng)
            self._known.chosen[pair] = self.space.spec(self.space.values(row))
        return self._known.chosen[pair]

    def played(self, games: Mapping[int, FinishedGame], pairs: int) -> Games:
        """Return the results of the first pairs, all of which are complete."""
        rows, points = self._known.rows, self._known.points
        for pair in range(len(rows), pairs):
            rows.append(self.space.coordinates(self.tried(games[2 * pair])))
            points.append(games[2 * pair].points_of(0) + games[2 * pair + 1].points_of(0))
        coordinates = np.array(rows[:pairs]).reshape(pairs, self.space.shape.columns)
        return Games(coordinates, np.array(points[:pairs], np.float64), np.full(pairs, 2.0))

    def tried(self, game: FinishedGame) -> dict[str, Value]:
        """Return the values that a game tried."""
        return self.space.values_of(tried_spec(game))

    def confirmation(self, best: str) -> Contest:
        """Return the match with fresh seeds of the best setting against the starting one."""
        words = np.random.SeedSequence(self.seed, spawn_key=(_CONFIRMATION_STREAM,)).generate_state(1, np.uint64)
        return Contest(
            game=self.game,
            players=(best, self.players[0]),
            pairings=((0, 1),),
            seed=int(words[0]) >> 32,
            openings=self.openings,
            max_moves=self.max_moves,
            resign=self.resign,
        )


def is_campaign(settings: Mapping[str, Any]) -> bool:
    """Whether the settings of a ledger are those of a tuning."""
    return "parameters" in settings


def tried_spec(game: FinishedGame) -> str:
    """Return the spec of the player that is tuned, as it was in a game."""
    return game.task.specs[game.task.players.index(0)]
