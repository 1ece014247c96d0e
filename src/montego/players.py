"""A spec and a game become a player.

A player is the settings that a spec names (a NamedTuple in ``PLAYERS`` whose ``search(game)`` makes the search), a game
and a seed. To add one, write such a class and ``PLAYERS.add`` it, in this package or in a file of your own.
"""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from montego.errors import IllegalMove, MontegoError, whole_number
from montego.games import BlokusDuo, Game, Go, Hex, Position, Y, game as build_game
from montego.opponents import Gtp
from montego.playouts import PlayoutMaps, playout_maps
from montego.rng import stream
from montego.search import (
    NO_LIMITS,
    Analysis,
    BrowsableSearch,
    ClosableSearch,
    Depth,
    Flat,
    Limits,
    MoveStatistics,
    OpinionatedSearch,
    PlainUct,
    Random,
    Search,
    Ucb,
    Uct,
)
from montego.search.higher_order import FirstOrder, HigherOrder, MicroReduction, SecondOrder
from montego.spec import Registry, Spec, parse, text

__all__ = [
    "PLAYERS",
    "Depth",
    "FirstOrder",
    "Flat",
    "Gtp",
    "HigherOrder",
    "MicroReduction",
    "PlainUct",
    "Player",
    "Random",
    "SecondOrder",
    "Ucb",
    "Uct",
    "default_settings",
    "player",
]

_MAPS = 0x4D415053  # key of the random streams of maps, apart from those of moves

PLAYERS: Registry[Any] = Registry("player")
for _name, _class in {
    "random": Random,
    "flat": Flat,
    "ucb": Ucb,
    "uct": Uct,
    "plain_uct": PlainUct,
    "depth": Depth,
    "first_order": FirstOrder,
    "second_order": SecondOrder,
    "higher_order": HigherOrder,
    "micro_reduction": MicroReduction,
    "gtp": Gtp,
}.items():
    PLAYERS.add(_name, _class)


# The strongest known player of each game (docs/results); a game that extends one of them may need other knowledge.
_STRONGEST: dict[type[Game], str] = {
    Go: "uct(playouts=5000, rave=silver, playout=careful(fallback=softmax), prior=patterns, "
    "initial=values(count=100, even=10))",
    BlokusDuo: 'uct(playouts=5000, c=0.15, playout=lgrf(2, fallback=softmax), prior=softmax("blokus_duo-prior"), '
    "bias=puct_log(0.15), initial=relative(1.3), expand=visits(1), reward=quality(0.5), pace=early)",
    Hex: "uct(playouts=5000, rave=silver, playout=bridges, prior=patterns, initial=values(count=200, even=20))",
    Y: "uct(playouts=5000, rave=silver, playout=bridges, prior=patterns, initial=values(count=200, even=20))",
}
# On large boards playouts must be surer, and the prior must count for more against them.
LARGE_BOARD = 15
_LARGE_GO = (
    "uct(playouts=5000, rave=silver, playout=careful(fallback=softmax(power=2)), prior=patterns, "
    "initial=values(count=300, even=10))"
)
_ALL_ROUND = "uct(playouts=5000, rave=silver)"


def default_settings(game: Game, **changes: Any) -> Any:
    """Return the settings of the strongest known player of a game, with some parameters replaced.

    It is asked when nobody names a player: by the terminal, GTP, analyses and pictures.
    """
    if type(game) is Go and game.size >= LARGE_BOARD:
        return _settings(_LARGE_GO, changes)
    return _settings(_STRONGEST.get(type(game), _ALL_ROUND), changes)


class Player:
    """One player of one game.

    Chance is drawn from the stream (seed, number of moves played), so that equal seeds give equal moves in equal
    positions, whatever was asked before.
    """

    def __init__(self, settings: Any, game: Game, seed: int | None = None) -> None:
        self.settings = settings
        self.game = game
        self.seed = secrets.randbits(32) if seed is None else whole_number("seed", seed)
        if not isinstance(game, Game):
            raise MontegoError(f"a player needs a game, such as 'tictactoe' or mg.game('go(size=9)'), not {game!r}")
        with self._enough_memory():
            self._search: Search = settings.search(game)
        self._analysis: Analysis | None = None

    @contextmanager
    def _enough_memory(self) -> Iterator[None]:
        """Say in one line that the machine has less memory than the settings ask for."""
        try:
            yield
        except MemoryError:
            raise MontegoError(f"this machine has not enough memory for {self} on {self.game}; ask for less") from None

    def __str__(self) -> str:
        return text(self.settings)

    def __repr__(self) -> str:
        return f"<{self} for {self.game}, seed {self.seed}>"

    def opinion(self, position: Position) -> str:
        """Return what a player that is another program thinks of a finished game, or nothing."""
        return str(self._search.opinion(position) or "") if isinstance(self._search, OpinionatedSearch) else ""

    def choose_number(self, position: Position, limits: Limits = NO_LIMITS) -> int:
        """Return the move to play in a position of the player's game, as a number; the position is left as it is.

        An opponent that is another program may raise ``Forfeit``.
        """
        if not isinstance(position, Position):
            raise MontegoError(f"expected a position, such as mg.game('hex').start(), not {position!r}")
        if type(position.game) is not type(self.game) or position.game != self.game:
            raise MontegoError(f"this player plays {self.game}, the position is one of {position.game}")
        if position.over:
            raise IllegalMove(f"the game is over ({position.result}); there is no move to choose")
        position = position.copy()  # the search and its analysis may keep it
        with self._enough_memory():
            analysis = self._search.run(position, stream(self.seed, len(position.moves)), limits)
        self._analysis = replace(analysis, position=position) if analysis.position is None else analysis
        return analysis.number

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> str:
        """Return the move to play in a position, as people write it."""
        return self.game.move_name(self.choose_number(position, limits))

    def analysis(self) -> Analysis:
        """Return what the last choice was based on."""
        if self._analysis is None:
            raise MontegoError("no analysis yet: ask the player to choose a move first")
        return self._analysis

    def explore(self, line: Sequence[int]) -> list[MoveStatistics]:
        """Return what the last search knows of the moves after a line from its root, most visits first.

        Values are from the perspective of the player who makes those moves. Empty for players without a tree.
        """
        return self._search.explore(line) if isinstance(self._search, BrowsableSearch) else []

    def playout_maps(self, position: Position, playouts: int) -> PlayoutMaps:
        """Return the maps of playouts from a position by the player's policy, as it has learned, or uniform ones."""
        rng = stream(self.seed, len(position.moves), _MAPS)
        if isinstance(self._search, BrowsableSearch):
            return self._search.playout_maps(position, playouts, rng)
        return playout_maps(position, playouts, rng)

    def close(self) -> None:
        """Give back what the player holds outside this process, such as an engine; it cannot choose after that."""
        if isinstance(self._search, ClosableSearch):
            self._search.close()


def player(spec: Any, game: Game | str, seed: int | None = None, **parameters: Any) -> Player:
    """Return a player of a game; without a seed, one is drawn at random.

    ``spec`` is text such as ``"uct(playouts=500)"`` or settings such as ``mg.Uct(playouts=500)``. Further keywords
    replace parameters of the spec: ``mg.player("uct", game, playouts=500, rave="silver")``.
    """
    return Player(_settings(spec, parameters), build_game(game) if isinstance(game, str) else game, seed)


def _settings(spec: Any, parameters: dict[str, Any]) -> Any:
    """Return the settings that a spec describes, with some parameters replaced."""
    if not isinstance(spec, str) and type(spec) not in PLAYERS:
        raise MontegoError(
            f"a player is a spec such as 'uct(playouts=500)' or settings such as mg.Uct(playouts=500), not {spec!r}"
        )
    if not parameters:
        return PLAYERS.build(spec) if isinstance(spec, str) else spec
    # As text, settings leave out what follows from other parameters, which may be among the replaced ones.
    given = parse(spec if isinstance(spec, str) else text(spec))
    if given.name not in PLAYERS.names():
        return PLAYERS.build(given)  # which says what is wrong
    in_order = PLAYERS[given.name]._fields[: len(given.args)]
    args = [parameters.pop(name, value) for name, value in zip(in_order, given.args, strict=False)]
    surplus = given.args[len(in_order) :]
    return PLAYERS.build(Spec(given.name, (*args, *surplus), {**given.kwargs, **parameters}))
