"""Game records: SGF FF[4], read and written for every game.

``read`` turns a text into a ``GameRecord``: a tree of nodes, each with its position; every move is checked by our rules.
``write`` turns a position, with its moves, into a text. How a game writes its moves is the matter of ``dialects``; the
grammar is sgfmill's.
"""

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sgfmill import sgf_grammar

import montego
from montego.errors import MontegoError, SpecError
from montego.games import Game, Position
from montego.protocols.dialects import RESIGN, SWAP_SIDES, Dialect, Properties, SgfError, dialect_for, dialect_of

__all__ = ["GameRecord", "Node", "SgfError", "new", "read", "read_all", "write"]

COLOURS = ("B", "W")  # player 0 and player 1, in every game
_SETUP = ("AB", "AW", "AE", "PL")


@dataclass(eq=False)
class Node:
    """One node of the tree: a position, and the move that led to it, if a move did.

    ``number`` counts the moves from the root. ``properties`` are the raw values by name, so that what is not understood
    here is written back as it was read.
    """

    position: Position
    properties: Properties = field(default_factory=dict)
    move: str | None = None
    number: int = 0
    children: list["Node"] = field(default_factory=list)

    def text(self, name: str) -> str:
        """Return a property as people wrote it, or an empty string."""
        raw = "\n".join(self.properties.get(name, []))
        return str(sgf_grammar.text_value(raw.encode()).decode())

    def set_text(self, name: str, text: str) -> None:
        """Write a text property; an empty text takes it off."""
        self.properties.pop(name, None)
        if text:
            self.properties[name] = [sgf_grammar.escape_text(text.encode()).decode()]

    @property
    def comment(self) -> str:
        """The comment on the node."""
        return self.text("C")

    @comment.setter
    def comment(self, text: str) -> None:
        self.set_text("C", text)


@dataclass(eq=False)
class GameRecord:
    """A game record. ``warnings`` name what was left out: variations that our rules refuse."""

    game: Game
    root: Node
    dialect: Dialect
    warnings: list[str] = field(default_factory=list)

    @property
    def players(self) -> tuple[str, str]:
        """The names of player 0 and player 1, empty where the record has none."""
        return self.root.text("PB"), self.root.text("PW")

    @property
    def result(self) -> str:
        """The result as it was recorded, such as ``B+3.5`` or ``W+R``; empty if unknown."""
        return self.root.text("RE").strip()

    @property
    def winner(self) -> int | None:
        """The recorded winner, 0 or 1; -1 for a draw; None if unknown."""
        word = self.result.lower()
        if word in ("0", "draw", "jigo"):
            return -1
        return "bw".index(word[0]) if re.match(r"[bw](\+|$|lack|hite)", word) else None

    def main_line(self) -> list[Node]:
        """Return the nodes from the root along the first children."""
        nodes = [self.root]
        while nodes[-1].children:
            nodes.append(nodes[-1].children[0])
        return nodes

    def nodes(self) -> Iterator[Node]:
        """Yield every node, a parent before its children, the main line first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    @property
    def positions(self) -> list[Position]:
        """The start and the position after each move of the main line."""
        return [self.start, *(node.position for node in self.main_line() if node.move)]

    @property
    def start(self) -> Position:
        """The position before the first move."""
        line = self.main_line()
        first = next((i for i, node in enumerate(line) if node.move), len(line))
        return line[max(first - 1, 0)].position

    @property
    def position(self) -> Position:
        """The position at the end of the main line."""
        return self.main_line()[-1].position

    @property
    def moves(self) -> list[str]:
        """The moves of the main line, as Montego writes them."""
        return [node.move for node in self.main_line() if node.move]

    def add(self, node: Node, move: str, before: Position | None = None) -> Node:
        """Play a move after a node, as its last child, and return the new node; ``before`` may be a pass further on."""
        position = (before or node.position).copy()
        mover = COLOURS[position.to_move]
        position.play(move)
        name = str(position.last_move())
        child = Node(position, {mover: [self.dialect.write_move(self.game, name)]}, name, node.number + 1)
        node.children.append(child)
        return child

    def dumps(self) -> str:
        """Return the record as SGF."""
        tree = sgf_grammar.make_coarse_game_tree(self.root, lambda node: node.children, _raw_properties)
        return str(sgf_grammar.serialise_game_tree(tree).decode())


def _raw_properties(node: Node) -> dict[str, list[bytes]]:
    return {name: [value.encode() for value in values] for name, values in node.properties.items()}


# ------------------------------------------------------------------------------------------------------------- writing


def new(position: Position, players: tuple[str, str] = ("", ""), result: str | None = None) -> GameRecord:
    """Return a record of the moves of a position; a finished game's result is its own unless another is given."""
    game, dialect = position.game, dialect_for(position.game)
    properties = {"FF": ["4"], "CA": ["UTF-8"], "AP": [f"Montego:{montego.__version__}"], **dialect.root(game)}
    start = game.start()
    if position.setup:
        start = Position(game, *position.setup)
        for player, name in enumerate(("AB", "AW")):
            stones = [dialect.write_point(game, p) for p, owner in position.setup[0].items() if owner == player]
            if stones:
                properties[name] = properties.get(name, []) + stones
        properties["PL"] = [COLOURS[start.to_move]]
    record = GameRecord(game, Node(start, properties), dialect)
    _add_line(record, record.root, position.history())
    if result is None and position.over:
        result = sgf_result(position)
    for name, text in (("PB", players[0]), ("PW", players[1]), ("RE", result or "")):
        record.root.set_text(name, text)
    return record


def _add_line(record: GameRecord, node: Node, moves: Sequence[str]) -> None:
    """Add moves one after the other; where the dialect leaves passes out, the turn tells of one at the end."""
    before = node.position
    for move in moves:
        if move.lower() == "pass" and not record.dialect.writes_passes:
            before = before.copy().play(move)
            continue
        node = record.add(node, move, before)
        before = node.position
    if before is not node.position:
        node.children.append(Node(before, {"PL": [COLOURS[before.to_move]]}, number=node.number))


def sgf_result(position: Position) -> str:
    """Return the result of a finished game as SGF has it: ``B+3.5``, ``W+``, ``0``."""
    if not position.over or position.winner is None:
        return ""
    if position.winner < 0:
        return "0"
    margin = f"{abs(position.score()):g}" if position.game.max_score() > 1 else ""
    return f"{COLOURS[position.winner]}+{margin}"


def write(
    position: Position,
    *,
    players: tuple[str, str] = ("", ""),
    result: str | None = None,
    comments: Mapping[int, str] | Sequence[str] = (),
    variations: Mapping[int, Sequence[Sequence[str]]] | None = None,
    info: Mapping[str, str] | None = None,
) -> str:
    """Return a position with all its moves as SGF.

    ``comments`` are by number of moves played (0 for the start), ``variations`` too: lines of moves that could have been
    played there instead. ``info`` are further texts of the root by property name, such as ``{"EV": "Cup", "DT": …}``.
    """
    record = new(position, players, result)
    line = {len(node.position.moves): node for node in record.main_line()}
    for number, text in comments.items() if isinstance(comments, Mapping) else enumerate(comments):
        _node_at(line, number).comment = text
    for number, lines in (variations or {}).items():
        for moves in lines:
            _add_line(record, _node_at(line, number), moves)
    for name, text in (info or {}).items():
        record.root.set_text(name, text)
    return record.dumps()


def _node_at(line: Mapping[int, Node], number: int) -> Node:
    """Return the node after so many moves; a pass that is left out belongs to the move before it."""
    if not 0 <= number <= max(line):
        raise SgfError(f"no position after {number} moves; the game has {max(line)}")
    return line[max(played for played in line if played <= number)]


# ------------------------------------------------------------------------------------------------------------- reading


def read(source: str | bytes, game: Game | None = None) -> GameRecord:
    """Read the first game of an SGF text; ``game`` gives the rules instead of those that the record names.

    An illegal move of the main line is an error that names its number, in a variation it ends the variation.
    """
    text = source if isinstance(source, str) else decode(source)
    try:
        tree = sgf_grammar.parse_sgf_game(text.encode())
    except ValueError as problem:
        raise SgfError(_syntax(text, str(problem))) from None
    return _Reader(tree, game).record


def read_all(source: str | bytes, game: Game | None = None) -> list[GameRecord]:
    """Read every game of an SGF collection."""
    text = source if isinstance(source, str) else decode(source)
    try:
        trees = sgf_grammar.parse_sgf_collection(text.encode())
    except ValueError as problem:
        raise SgfError(_syntax(text, str(problem))) from None
    records = []
    for number, tree in enumerate(trees, 1):
        try:
            records.append(_Reader(tree, game).record)
        except MontegoError as problem:
            raise SgfError(f"game {number}: {problem}") from None
    return records


def decode(source: bytes) -> str:
    """Return the text of a file: in the encoding that CA names; without CA as UTF-8, else Latin-1 as FF[4] has it."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if source.startswith(mark):
            return _decoded(source, encoding).lstrip("\ufeff")
    named = re.search(rb"CA\s*\[\s*([\w.:\- ]+?)\s*\]", source[:2000])
    if named:
        return _decoded(source, named[1].decode())
    try:
        return source.decode()
    except UnicodeDecodeError:
        return source.decode("latin-1")


def _decoded(source: bytes, encoding: str) -> str:
    try:
        return source.decode(encoding)
    except LookupError:
        raise SgfError(f"CA[{encoding}] is no encoding known here; save the file as UTF-8") from None
    except UnicodeDecodeError as problem:
        raise SgfError(
            f"the file is not in {encoding.upper()} as it says: byte {problem.start} does not fit; save it as UTF-8"
        ) from None


def _syntax(text: str, problem: str) -> str:
    """Say where a text stops being SGF: after which move."""
    tokens, _ = sgf_grammar.tokenise(text.encode())
    if not tokens:
        return "no SGF found; a record starts with (;"
    moves = sum(kind == "I" and token in (b"B", b"W") for kind, token in tokens)
    if "end of SGF" in problem:
        return f"the record is cut off or damaged after move {moves}: a closing ] or ) is missing"
    return f"not SGF after move {moves}: {problem}"


class _Reader:
    """Builds a record out of sgfmill's parse tree."""

    def __init__(self, tree: Any, game: Game | None) -> None:
        properties = _decoded_properties(tree.sequence[0])
        main = [_decoded_properties(raw) for raw in sgf_grammar.main_sequence_iter(tree)]
        moves = [(name, node[name][0]) for node in main for name in COLOURS if name in node]
        self.dialect = dialect_of(properties) if game is None or "GM" in properties else dialect_for(game)
        try:
            described = self.dialect.game(properties, moves)
        except SpecError as problem:
            raise SgfError(str(problem)) from None
        if game is not None and _board(game) != _board(described):
            raise SgfError(f"the record is one of {described}, not of {game}")
        self.game = game or described
        start = self.dialect.start(self.game, properties)
        root = Node(start or self.game.start(), properties)
        self.record = GameRecord(self.game, root, self.dialect)
        try:
            self._follow(root, set_up=start is None)
        except MontegoError as problem:
            raise SgfError(f"the start{_named(root)}: {problem}") from None
        self._build(tree, root)

    def _build(self, tree: Any, root: Node) -> None:
        """Add all nodes; the stack holds (parse tree, index in its sequence, parent, whether on the main line)."""
        waiting = [(tree, 1, root, True)]
        while waiting:
            branch, at, parent, main = waiting.pop()
            if at == len(branch.sequence):
                children = [(child, 0, parent, main and child is branch.children[0]) for child in branch.children]
                waiting.extend(reversed(children))
                continue
            node = Node(parent.position, _decoded_properties(branch.sequence[at]), number=parent.number)
            try:
                self._follow(node, parent if main else None)
            except MontegoError as problem:
                where = f"move {node.number}{_named(node)}"
                if main:
                    raise SgfError(f"{where}: {problem}") from None
                self.record.warnings.append(f"a variation ends at {where}: {problem}")
                continue
            parent.children.append(node)
            waiting.append((branch, at + 1, node, main))

    def _follow(self, node: Node, parent: Node | None = None, set_up: bool = True) -> None:
        """Give a node its position: what it sets up, then its move.

        ``parent`` is the node before on the main line, whose position learns from the first move who is to begin.
        """
        if set_up and any(name in node.properties for name in _SETUP):
            node.position = self._set_up(node.position, node.properties)
        movers = [player for player in (0, 1) if COLOURS[player] in node.properties]
        if not movers:
            return
        node.number += 1
        player = movers[0]
        value = node.properties[COLOURS[player]][0]
        node.move = f"{COLOURS[player]}[{value[:20]}]"  # for the message, should anything be wrong
        if len(movers) > 1:
            raise SgfError("both B and W move in one node; expected one of them")
        move = self.dialect.move(self.game, sgf_grammar.simpletext_value(value.encode()).decode())
        if move in (RESIGN, SWAP_SIDES):
            node.move, node.number = None, node.number - 1
            if move == RESIGN and not self.record.result:
                self.record.root.set_text("RE", f"{COLOURS[1 - player]}+R")
            return
        position = node.position
        if not self.dialect.takes_turns and (position.to_move != player or position.over):
            begins = not position.moves and not set(node.properties) & set(_SETUP)
            position = self._give_turn(position, player, move)
            if parent is not None and begins:
                parent.position = position
        node.position = position.copy().play(move) if not position.over else position
        node.move = move

    def _give_turn(self, position: Position, player: int, move: str) -> Position:
        """Return the position with ``player`` to move although it is the other's turn, or the game seemed over.

        A player who can do nothing but pass has done so. In games that can be set up the stones stay and the history is
        forgotten, as in records that place handicap stones by moves or go on after two passes.
        """
        if not position.over and position.legal_moves() == ["pass"]:
            return position.copy().play("pass")
        if position.over and (move == "pass" or position.last_move() != "pass"):
            return position.copy() if move == "pass" else _refused(position)
        return self._set_up(position, {"PL": [COLOURS[player]]})

    def _set_up(self, position: Position, properties: Properties) -> Position:
        """Return the position after AB, AW, AE and PL: a new start, or the old position where nothing changes."""
        names = self.game.layout().names
        before = {name: int(owner) for name, owner in zip(names, position.owners(), strict=True) if owner >= 0}
        stones = dict(before)
        for kind, owner in (("AE", None), ("AB", 0), ("AW", 1)):
            for value in properties.get(kind, []):
                for name in self.dialect.points(self.game, value):
                    stones.pop(name, None)
                    if owner is not None:
                        stones[name] = owner
        to_move = position.to_move
        if "PL" in properties:
            word = properties["PL"][0].strip().upper()[:1]
            to_move = {"B": 0, "1": 0, "W": 1, "2": 1}.get(word, to_move)
        if stones == before and to_move == position.to_move and not position.over:
            return position
        if stones == before and not position.over and position.legal_moves() == ["pass"]:
            return position.copy().play("pass")
        return Position(self._without_handicap(), stones, to_move)

    def _without_handicap(self) -> Game:
        """Return the game that can be set up anew: with a handicap its stones would be placed twice."""
        if getattr(self.game, "handicap", 0):
            self.game = self.record.game = self.game._replace(handicap=0)  # type: ignore[attr-defined]
        return self.game


def _named(node: Node) -> str:
    return f" ({node.move})" if node.move else ""


def _refused(position: Position) -> Position:
    raise SgfError(f"the game is over ({position.result()})")


def _board(game: Game) -> tuple[Any, ...]:
    """Return what two games must share for one's record to be read as the other's: the class and the board."""
    return (type(game), *(getattr(game, name, None) for name in ("size", "height", "board", "handicap")))


def _decoded_properties(raw: Mapping[str, Sequence[bytes]]) -> Properties:
    return {name: [value.decode() for value in values] for name, values in raw.items()}
