"""A game record: a tree of nodes, each with its position."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sgfmill import sgf_grammar

from montego.games import Dialect, Game, Position, rules
from montego.games.tools.dialect import Properties

COLOURS = ("B", "W")  # player 0 and player 1, in every game
NEUTRAL_STONES = "NEUTRAL"  # the private property for blocked and neutral points of a set-up
SETUP = ("AB", "AW", NEUTRAL_STONES, "AE", "PL")
STONES = {"AB": 0, "AW": 1, NEUTRAL_STONES: rules.NEUTRAL}


def encoded(text: str) -> bytes:
    """Return a text in UTF-8; half a character (a lone surrogate), which has no code there, becomes a question mark."""
    return text.encode(errors="replace")


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
        return str(sgf_grammar.text_value(encoded(raw)).decode())

    def set_text(self, name: str, text: str) -> None:
        """Write a text property; an empty text takes it off."""
        self.properties.pop(name, None)
        if text:
            self.properties[name] = [sgf_grammar.escape_text(encoded(text)).decode()]

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
        """Play a move after a node, as its last child, and return the new node.

        ``before`` is the position to move in where it is not the node's own: after a pass that is not written.
        """
        position = (before or node.position).copy()
        mover = COLOURS[position.to_move]
        position.play(move)
        name = self.game.move_name(position.moves[-1])
        child = Node(position, {mover: [self.dialect.write_move(self.game, name)]}, name, node.number + 1)
        node.children.append(child)
        return child

    def dumps(self) -> str:
        """Return the record as SGF."""
        tree = sgf_grammar.make_coarse_game_tree(self.root, lambda node: node.children, _raw_properties)
        return str(sgf_grammar.serialise_game_tree(tree).decode())


def _raw_properties(node: Node) -> dict[str, list[bytes]]:
    return {name: [encoded(value) for value in values] for name, values in node.properties.items()}
