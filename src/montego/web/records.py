"""Game records between the page and SGF: a tree of moves with comments, as a flat list of nodes."""

from __future__ import annotations

from typing import Any

from montego import sgf
from montego.games import Position, game as build_game
from montego.sgf import GameRecord, Node
from montego.web.bounds import Bounds, Refused
from montego.web.requests import Message, number, stones, string

_COMMENT = 20_000


def read(source: str, game: str, bounds: Bounds) -> dict[str, Any]:
    """Return the tree in a text: SGF, a position saved by Montego, or a drawing of a board of ``game``."""
    start = source.strip()
    if start.startswith("{"):
        return _tree(sgf.new(Position.loads(start)), bounds)
    if start.startswith("("):
        return _tree(sgf.read(source), bounds)
    return _tree(sgf.new(Position.from_text(build_game(game), source)), bounds)


def _tree(record: GameRecord, bounds: Bounds) -> dict[str, Any]:
    """Return a record as data: every node with its parent, its moves and its comment.

    A node has the moves that its position has more than its parent's: usually one, two where a pass was left out. Where
    stones were set up in between, it has the set-up instead.
    """
    numbers: dict[int, int] = {}
    parents = {id(child): node for node in record.nodes() for child in node.children}
    found: list[dict[str, Any]] = []
    for node in record.nodes():
        if len(found) >= bounds.nodes:
            raise Refused(f"the record has more than {bounds.nodes} nodes")
        numbers[id(node)] = len(found)
        parent = parents.get(id(node))
        found.append({"parent": -1 if parent is None else numbers[id(parent)], **_content(node, parent)})
    return {
        "game": str(record.game),
        "nodes": found,
        "players": list(record.players),
        "result": record.result,
        "warnings": record.warnings[:5],
    }


def _content(node: Node, parent: Node | None) -> dict[str, Any]:
    at = node.position
    before = [] if parent is None else parent.position.moves
    same_start = parent is not None and at.setup == parent.position.setup and at.moves[: len(before)] == before
    setup = None if same_start or at.setup is None else {"stones": at.setup[0], "to_move": at.setup[1]}
    moves = at.moves[len(before) :] if same_start else at.moves
    return {
        "moves": [at.game.move_name(move) for move in moves],
        "setup": setup,
        "fresh": parent is not None and not same_start,
        "comment": node.comment[:_COMMENT],
    }


def write(message: Message, bounds: Bounds) -> str:
    """Return the tree of a request as SGF; the first child of a node is on the main line."""
    nodes = message.get("nodes")
    if not isinstance(nodes, list) or not 1 <= len(nodes) <= bounds.nodes or not isinstance(nodes[0], dict):
        raise Refused(f"'nodes' must be a list of 1 to {bounds.nodes} nodes, the root first")
    game = build_game(string(message, "game"))
    names = (string(message, "black", "", 200), string(message, "white", "", 200))
    start = Position(game, *(stones(nodes[0]) or (None, 0)))
    record = sgf.new(start, names, string(message, "result", "", 40) or None)
    written: list[tuple[Node, Position]] = [(record.root, start)]
    record.root.comment = string(nodes[0], "comment", "", _COMMENT)
    for entry in nodes[1:]:
        if not isinstance(entry, dict):
            raise Refused("a node must be an object with parent, move and comment")
        parent, before = written[int(number(entry, "parent", 0, 0, len(written) - 1))]
        move = string(entry, "move", most=60)
        if move == "pass" and not game.passes_are_told:
            written.append((parent, before.copy().play(move)))
            continue
        node = record.add(parent, move, before)
        node.comment = string(entry, "comment", "", _COMMENT)
        written.append((node, node.position))
    return record.dumps()
