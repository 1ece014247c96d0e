"""Writing game records: a position with its moves becomes a tree, or a text."""

from collections.abc import Mapping, Sequence

import montego
from montego.errors import SgfError, counted
from montego.games import Position
from montego.sgf.record import COLOURS, STONES, GameRecord, Node


def new(position: Position, players: tuple[str, str] = ("", ""), result: str | None = None) -> GameRecord:
    """Return a record of the moves of a position; a finished game's result is its own unless another is given."""
    game, dialect = position.game, position.game.sgf
    properties = {"FF": ["4"], "CA": ["UTF-8"], "AP": [f"Montego:{montego.__version__}"], **dialect.root(game)}
    start = position.beginning()
    if position.setup:
        for name, player in STONES.items():
            stones = [dialect.write_point(game, p) for p, owner in position.setup[0].items() if owner == player]
            if stones:
                properties[name] = properties.get(name, []) + stones
        properties["PL"] = [COLOURS[start.to_move]]
    record = GameRecord(game, Node(start, properties), dialect)
    _add_line(record, record.root, position.history)
    if result is None and position.over:
        result = sgf_result(position)
    for name, text in (("PB", players[0]), ("PW", players[1]), ("RE", result or "")):
        record.root.set_text(name, text)
    return record


def _add_line(record: GameRecord, node: Node, moves: Sequence[str]) -> None:
    """Add moves one after the other; where passes are not written, the turn tells of one at the end."""
    before = node.position
    for move in moves:
        if move.lower() == "pass" and not record.game.passes_are_told:
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

    ``comments`` are by number of moves played (0 for the start), ``variations`` too: lines of moves that could have
    been played there instead. ``info`` are further texts of the root by property name, such as ``{"EV": "Cup", "DT":
    …}``.
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
        raise SgfError(f"no position after {counted(number, 'move')}; the game has {max(line)}")
    return line[max(played for played in line if played <= number)]
