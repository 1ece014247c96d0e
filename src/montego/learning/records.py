"""Game records of Go as arrays of moves, read fast: one SGF game per line, SGF files, compressed files, folders.

Lines that hold nothing but properties of the root and then one move per node go through a regular expression and NumPy,
about a hundred times faster than a parser; everything else goes through sgfmill's grammar. Only the main line counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sgfmill import sgf_grammar

from montego.arena.game import FinishedGame
from montego.games import game as build_game
from montego.games.features import Array
from montego.games.go.game import Go
from montego.learning.files import RecordError, is_ledger, ledger_games, record_texts

PASS = -1
MAX_SIZE = 25

_PLAIN_GAME = re.compile(rb"\(;((?:[A-Z]{1,2}\[[^\]\\]*\]\s*)*)((?:;[BW]\[[a-y]*\])*)\)\s*")
_PROPERTY = re.compile(rb"([A-Z]{1,2})\[([^\]]*)\]")
_SETUP = (b"AB", b"AW", b"AE", b"PL")
_PASS_CODE = ord("z") - ord("a")  # stands for an empty move value while moves are read


class RecordedGame(NamedTuple):
    """One game of Go. A place is ``row * width + column`` from the top left, or PASS.

    ``colours`` (1 Black, 2 White) and ``places`` have an entry per move; ``stones`` are the stones set up before the
    first one, as (colour, place); ``ranks`` are Black's and White's as recorded, such as ``3d``. The first ``given``
    moves were an opening that nobody chose, so that nothing can be learnt from them. ``result`` is as recorded, such as
    ``B+3.5``, and ``komi`` None if there is none.
    """

    width: int
    height: int
    colours: Array
    places: Array
    stones: tuple[tuple[int, int], ...] = ()
    ranks: tuple[str, str] = ("", "")
    given: int = 0
    result: str = ""
    komi: float | None = None

    @property
    def length(self) -> int:
        """The number of moves."""
        return len(self.places)

    @property
    def board_size(self) -> int:
        """The number of columns."""
        return self.width

    def stronger(self) -> tuple[int, ...]:
        """Return the colour of the player with the higher rank, or both colours if the ranks are equal or unknown."""
        black, white = (rank_value(rank) for rank in self.ranks)
        if black is None or white is None or black == white:
            return (1, 2)
        return (1,) if black > white else (2,)


def rank_value(rank: str) -> int | None:
    """Return a rank as a number that is greater for stronger players, or None if it is not a rank."""
    match = re.fullmatch(r"\s*(\d{1,3})\s*([kdpKDP])\w*[?*]?\s*", rank)
    if not match:
        return None
    number, kind = int(match[1]), match[2].lower()
    return {"k": -number, "d": number - 1, "p": 100 + number}[kind]


# -------------------------------------------------------------------------------------------------------------- sources


def read_games(source: str | Path, problems: list[str] | None = None) -> Iterator[RecordedGame]:
    """Yield the games of Go in a file, in all files of a folder (see ``files``) or in a ledger.

    A game that cannot be read raises, or its description is added to ``problems`` if that is given.
    """
    if is_ledger(source):
        yield from (_of_ledger(game, source) for game in ledger_games(source))
        return
    for name, text in record_texts(source):
        try:
            yield from parse_games(text)
        except RecordError as problem:
            if problems is None:
                raise RecordError(f"{name}: {problem}") from None
            problems.append(f"{name}: {problem}")


def _of_ledger(finished: FinishedGame, source: str | Path) -> RecordedGame:
    """Return a game of a ledger; its opening was given."""
    game = build_game(finished.task.game)
    if not isinstance(game, Go):
        raise RecordError(f"{source} holds games of {finished.task.game}, not of Go")
    places = {number: place for place, number in enumerate(game.point_numbers())}
    numbers = [game.parse_move(move) for move in finished.moves]
    stones = tuple((player + 1, places[game.parse_move(name)]) for name, player in game.handicap_stones().items())
    first = game.start().to_move
    colours = (np.arange(len(numbers)) + first) % 2 + 1
    moves = np.array([places.get(number, PASS) for number in numbers], np.int16)
    return RecordedGame(
        game.size, game.height, colours.astype(np.uint8), moves, stones, given=len(finished.task.opening)
    )


# -------------------------------------------------------------------------------------------------------------- parsing


def parse_games(text: bytes) -> list[RecordedGame]:
    """Return the games of an SGF text."""
    plain = _PLAIN_GAME.fullmatch(text.strip())
    if plain:
        properties = {name: [value] for name, value in _PROPERTY.findall(plain[1])}
        if not any(name in properties for name in (*_SETUP, b"B", b"W")):
            return [_plain_game(properties, plain[2])]
    try:
        trees = sgf_grammar.parse_sgf_collection(text)
    except ValueError as problem:
        raise RecordError(f"not SGF: {problem}") from None
    return [_game_of_nodes(list(sgf_grammar.main_sequence_iter(tree))) for tree in trees]


def _plain_game(properties: dict[bytes, list[bytes]], moves: bytes) -> RecordedGame:
    """Return the game of nodes like ``;B[qd]``, all read at once."""
    if b"[]" in moves:
        moves = moves.replace(b"[]", b"[zz]")
    if len(moves) % 6:
        raise RecordError("a move is not two letters")
    letters = np.frombuffer(moves, np.uint8).reshape(-1, 6)
    if (letters[:, 0] != ord(";")).any():
        raise RecordError("a move is not two letters")
    columns, rows = (letters[:, at].astype(np.int16) - ord("a") for at in (3, 4))
    return _recorded(properties, np.where(letters[:, 1] == ord("B"), 1, 2), columns, rows, ())


def _game_of_nodes(nodes: list[dict[str, list[bytes]]]) -> RecordedGame:
    """Return the game of a main line; it ends where stones are set up between moves."""
    root = {name.encode(): values for name, values in nodes[0].items()}
    stones: list[tuple[int, bytes]] = []
    moves: list[tuple[int, int, int]] = []
    for node in nodes:
        if any(name in node for name in ("AB", "AW", "AE")):
            if moves:
                break
            for colour, name in ((1, "AB"), (2, "AW")):
                stones += [(colour, value) for value in node.get(name, [])]
        for colour, name in ((1, "B"), (2, "W")):
            if name in node:
                moves.append((colour, *_letters(node[name][0])))
    table = np.array(moves, np.int16).reshape(-1, 3)
    return _recorded(root, table[:, 0], table[:, 1], table[:, 2], stones)


def _letters(value: bytes) -> tuple[int, int]:
    """Return the column and row of a move value; an empty one is a pass."""
    word = value.strip().lower()
    if not word:
        return _PASS_CODE, _PASS_CODE
    if len(word) != 2 or not word.isalpha():
        raise RecordError(f"{value.decode(errors='replace')[:20]!r} is not a move; two letters expected")
    return word[0] - ord("a"), word[1] - ord("a")


def _recorded(
    properties: dict[bytes, list[bytes]],
    colours: Array,
    columns: Array,
    rows: Array,
    stones: Iterable[tuple[int, bytes]],
) -> RecordedGame:
    """Return a game from its root properties, its moves by column and row, and the stones set up."""
    if properties.get(b"GM", [b"1"])[0].strip() != b"1":
        raise RecordError(f"GM[{properties[b'GM'][0].decode(errors='replace')[:20]}] is not Go; GM[1] expected")
    width, height = _size(properties.get(b"SZ", [b"19"])[0])
    passes = (columns == _PASS_CODE) & (rows == _PASS_CODE)
    if max(width, height) <= 19:
        passes |= (columns == 19) & (rows == 19)  # the pass of older records
    outside = ~passes & ((columns >= width) | (rows >= height) | (columns < 0) | (rows < 0))
    if outside.any():
        raise RecordError(f"move {int(np.argmax(outside)) + 1} is not on the board of {width}×{height}")
    places = np.where(passes, PASS, rows.astype(np.int32) * width + columns)
    ranks = (_text(properties, b"BR"), _text(properties, b"WR"))
    placed = tuple((colour, place) for colour, value in stones for place in _places(value, width, height))
    return RecordedGame(
        width, height, colours.astype(np.uint8), places.astype(np.int16), placed, ranks,
        result=_text(properties, b"RE").strip(), komi=_number(_text(properties, b"KM")),
    )  # fmt: skip


def _size(value: bytes) -> tuple[int, int]:
    match = re.fullmatch(rb"\s*(\d{1,4})\s*(?::\s*(\d{1,4})\s*)?", value)
    width, height = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not (1 <= width <= MAX_SIZE and 1 <= height <= MAX_SIZE and width * height > 1):
        raise RecordError(f"SZ[{value.decode(errors='replace')[:20]}] is not a board of 2 to {MAX_SIZE} lines")
    return width, height


def _text(properties: dict[bytes, list[bytes]], name: bytes) -> str:
    return properties.get(name, [b""])[0].decode(errors="replace")


def _number(text: str) -> float | None:
    """Return a number that is not absurd, or None if a text is not one."""
    match = re.fullmatch(r"\s*[+-]?\d{1,3}(\.\d{0,6})?\s*", text)
    return float(text) if match else None


def _places(value: bytes, width: int, height: int) -> list[int]:
    """Return the places of a point or of a rectangle such as ``aa:cc``."""
    first, _, last = value.partition(b":")
    (left, top), (right, bottom) = _letters(first), _letters(last or first)
    if not (left <= right < width and top <= bottom < height):
        given = value.decode(errors="replace")[:20]
        raise RecordError(f"stones on {given!r} are not on the board of {width}×{height}")
    return [row * width + column for row in range(top, bottom + 1) for column in range(left, right + 1)]
