"""Functions of the public face that bring several layers together: analyses, and game records from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, overload

from montego import sgf
from montego.errors import MontegoError
from montego.games import Game, Position
from montego.outside import read_file, write_file
from montego.players import PLAYERS, Player, default_settings
from montego.protocols.remarks import Review
from montego.protocols.review import review
from montego.search import NO_LIMITS, Analysis, Limits
from montego.sgf import GameRecord


@overload
def analyse(subject: Position, player: Any = ..., seed: int | None = ..., limits: Limits = ...) -> Analysis: ...
@overload
def analyse(subject: GameRecord | str | Path | bytes, player: Any = ..., seed: int | None = ...) -> list[Review]: ...
def analyse(
    subject: Position | GameRecord | str | Path | bytes,
    player: Any = None,
    seed: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Analysis | list[Review]:
    """Return what a player thinks of a position, or of every position of a game record.

    A position gives one ``Analysis``: visits and values of its moves, the expected continuation, who owns which point.
    A record gives a list with one ``Review`` per move: the best move and what the played one lost. The remarks are
    also written into a ``GameRecord``, as comments and variations.

    Parameters:
        subject: a position, a ``GameRecord``, the name of an SGF file, or SGF text
        player: who analyses: a spec, settings or a ``Player``; left out: the usual one for the game
        seed: seed of everything random; chosen at random if left out
        limits: a budget in place of the player's, for a position
    """
    if isinstance(subject, Position):
        analyst, borrowed = _player(player, subject.game, seed)
        try:
            analyst.choose_number(subject, limits)
            return analyst.analysis()
        finally:
            if not borrowed:
                analyst.close()
    record = subject if isinstance(subject, GameRecord) else read_sgf(subject)
    analyst, borrowed = _player(player, record.game, seed)
    try:
        return review(record, analyst)
    finally:
        if not borrowed:
            analyst.close()


def _player(player: Any, game: Game, seed: int | None) -> tuple[Player, bool]:
    """Return the player to ask, and whether it is the caller's own."""
    if isinstance(player, Player):
        return player, True
    if player is None:
        player = default_settings(game)
    settings = PLAYERS.build(player) if isinstance(player, str) else player
    if type(settings) not in PLAYERS:
        raise MontegoError(f"a player is a spec or settings, such as 'uct' or mg.Uct(playouts=100), not {player!r}")
    return Player(settings, game, seed), False


def read_sgf(source: str | Path | bytes, game: Game | None = None) -> GameRecord:
    """Read the first game of an SGF file or text; every move is checked by our rules.

    Parameters:
        source: the name of a file, or SGF text, which starts with a parenthesis
        game: the rules, in place of those that the record names
    """
    return sgf.read(_content(source), game)


def write_sgf(game: Position | GameRecord, file: str | Path | None = None, **details: Any) -> str:
    """Return a game as SGF text, and write it to a file if one is named.

    Parameters:
        game: a position with the moves that led to it, or a ``GameRecord``
        file: where to write the text
        details: of a position: ``players`` (two names), ``result``, ``comments`` by number of moves played,
            ``variations``, and ``info`` by SGF property
    """
    if not isinstance(game, (GameRecord, Position)):
        raise MontegoError(f"expected a position or a game record, not {game!r}")
    if isinstance(game, GameRecord):
        if details:
            raise MontegoError(f"a GameRecord has its own {', '.join(details)}; details are for a position")
        text = game.dumps()
    else:
        text = sgf.write(game, **details)
    if file is not None:
        write_file(file, text)
    return text


def _content(source: str | Path | bytes) -> str | bytes:
    """Return SGF text as it is, and the content of a file."""
    if isinstance(source, bytes) or (isinstance(source, str) and source.lstrip().startswith("(")):
        return source
    return read_file(source)
