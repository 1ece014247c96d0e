"""Reading game records: a text becomes a tree whose every move is checked by our rules. The grammar is sgfmill's."""

import codecs
import re
from collections.abc import Mapping, Sequence
from typing import Any

from sgfmill import sgf_grammar

from montego.errors import MontegoError, SgfError, SpecError
from montego.games import GAMES, Dialect, Game, Position, game as build_game
from montego.games.tools.dialect import RESIGN, SWAP_SIDES, Properties
from montego.outside import printable_line
from montego.sgf.record import COLOURS, SETUP, STONES, GameRecord, Node, encoded

_SAMPLE = b"(;GM[1]CA[a\\x41-z0]\n)"  # the same in every encoding that SGF can be written in
_DEFAULT_GAME = "1"  # what FF[4] means without GM: Go


def read(source: str | bytes, game: Game | None = None) -> GameRecord:
    """Read the first game of an SGF text; ``game`` gives the rules instead of those that the record names.

    An illegal move of the main line is an error that names its number, in a variation it ends the variation.
    """
    text = source if isinstance(source, str) else decode(source)
    try:
        tree = sgf_grammar.parse_sgf_game(encoded(text))
    except ValueError as problem:
        raise SgfError(printable_line(_syntax(text, str(problem)))) from None
    try:
        return _Reader(tree, game).record
    except MontegoError as problem:
        raise SgfError(printable_line(str(problem))) from None  # values in it may have several lines


def read_all(source: str | bytes, game: Game | None = None) -> list[GameRecord]:
    """Read every game of an SGF collection."""
    text = source if isinstance(source, str) else decode(source)
    try:
        trees = sgf_grammar.parse_sgf_collection(encoded(text))
    except ValueError as problem:
        raise SgfError(printable_line(_syntax(text, str(problem)))) from None
    records = []
    for number, tree in enumerate(trees, 1):
        try:
            records.append(_Reader(tree, game).record)
        except MontegoError as problem:
            raise SgfError(printable_line(f"game {number}: {problem}")) from None
    return records


def decode(source: bytes) -> str:
    """Return the text of a file in the encoding that CA names; without CA as UTF-8 or else Latin-1, FF[4]'s default."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if source.startswith(mark):
            return _decoded(source, encoding).lstrip("\ufeff")
    named = re.search(rb"CA\s*\[\s*([\w.:\- ]+?)\s*\]", source[:2000])
    if named:
        _check_encoding(named[1].decode())
        return _decoded(source, named[1].decode())
    try:
        return source.decode()
    except UnicodeDecodeError:
        return source.decode("latin-1")


def _decoded(source: bytes, encoding: str) -> str:
    try:
        return source.decode(encoding)
    except UnicodeError as problem:
        at = getattr(problem, "start", 0)
        raise SgfError(
            f"the file is not in {encoding.upper()} as it says: byte {at} does not fit; save it as UTF-8"
        ) from None


def _check_encoding(name: str) -> None:
    """Refuse an encoding that SGF cannot be written in: Python's codecs for other purposes are among them."""
    try:
        fits = _SAMPLE.decode(name).encode() == _SAMPLE
    except (LookupError, ValueError):
        fits = False
    if not fits:
        raise SgfError(f"CA[{name[:30]}] is not an encoding known here; save the file as UTF-8")


def _syntax(text: str, problem: str) -> str:
    """Say where a text stops being SGF: after which move."""
    tokens, _ = sgf_grammar.tokenise(encoded(text))
    if not tokens:
        return "no SGF found; a record starts with (;"
    moves = sum(kind == "I" and token in (b"B", b"W") for kind, token in tokens)
    if "end of SGF" in problem:
        return f"the record is cut off or damaged after move {moves}: a closing ] or ) is missing"
    return f"not SGF after move {moves}: {problem}"


def kind_of(properties: Properties) -> tuple[type[Game], Dialect]:
    """Return the class of games that a root names, and the form in which the record is written."""
    for spec_name in GAMES.names():
        kind = GAMES[spec_name]
        if kind.sgf.claims(kind, properties):
            return kind, kind.sgf.variant(properties)
    name = properties.get("GM", [""])[0].strip()
    if not name:
        return kind_of({**properties, "GM": [_DEFAULT_GAME]})
    if name.lower() in GAMES.names():
        return GAMES[name.lower()], Dialect()
    known = ", ".join(sorted({GAMES[name].sgf.identifier(GAMES[name]) for name in GAMES.names()}))
    raise SgfError(f"GM[{name[:30]}] is not a game known here; known: {known} (1 is Go, 11 is Hex)")


class _Reader:
    """Builds a record out of sgfmill's parse tree."""

    def __init__(self, tree: Any, game: Game | None) -> None:
        properties = _decoded_properties(tree.sequence[0])
        main = [_decoded_properties(raw) for raw in sgf_grammar.main_sequence_iter(tree)]
        moves = [(name, node[name][0]) for node in main for name in COLOURS if name in node]
        kind, self.dialect = kind_of(properties) if game is None or "GM" in properties else (type(game), game.sgf)
        try:
            described = _described(kind, self.dialect, properties, moves)
        except SpecError as problem:
            raise SgfError(str(problem)) from None
        if game is not None and not _same_board(game, described):
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
        if set_up and any(name in node.properties for name in SETUP):
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
        move = self.dialect.move(self.game, sgf_grammar.simpletext_value(encoded(value)).decode())
        if move in (RESIGN, SWAP_SIDES):
            node.move, node.number = None, node.number - 1
            if move == RESIGN and not self.record.result:
                self.record.root.set_text("RE", f"{COLOURS[1 - player]}+R")
            return
        position = node.position
        if not self.dialect.takes_turns and (position.to_move != player or position.over):
            begins = not position.moves and not set(node.properties) & set(SETUP)
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
        if position.over and (move == "pass" or position.last_move != "pass"):
            return position.copy() if move == "pass" else _refused(position)
        return self._set_up(position, {"PL": [COLOURS[player]]})

    def _set_up(self, position: Position, properties: Properties) -> Position:
        """Return the position after AB, AW, AE and PL: a new start, or the old position where nothing changes."""
        before = position.stones()
        stones = dict(before)
        for kind, owner in {"AE": None, **STONES}.items():
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
        return Position.with_stones(self._without_handicap(), stones, to_move)

    def _without_handicap(self) -> Game:
        """Return the game that can be set up anew: with a handicap its stones would be placed twice."""
        if self.game.handicap_stones():
            self.game = self.record.game = self.game.with_rules(handicap=0)
        return self.game


def _named(node: Node) -> str:
    return f" ({node.move})" if node.move else ""


def _refused(position: Position) -> Position:
    raise SgfError(f"the game is over ({position.result})")


def _described(kind: type[Game], dialect: Dialect, properties: Properties, moves: list[tuple[str, str]]) -> Game:
    """Return the game of a record: by its spec, where the root has it, or as the dialect reads the root."""
    if "MONTEGO" not in properties:
        return dialect.game(kind, properties, moves)
    described = build_game(properties["MONTEGO"][0].replace("\\", ""))
    if type(described) is not kind:
        raise SgfError(f"GM names the game {kind.spec_name}, but MONTEGO {described}; expected the same game twice")
    return described


def _same_board(game: Game, other: Game) -> bool:
    """Whether the record of one game can be read as the other's: the same class, points and handicap."""
    same_points = list(game.layout().names) == list(other.layout().names)
    return type(game) is type(other) and same_points and game.handicap_stones() == other.handicap_stones()


def _decoded_properties(raw: Mapping[str, Sequence[bytes]]) -> Properties:
    if "" in raw:  # the grammar leaves out small letters, as older standards have it: CoPyright is CP
        raise SgfError("a property has a name without capital letters; expected one such as B or AB")
    return {name: [value.decode() for value in values] for name, values in raw.items()}
