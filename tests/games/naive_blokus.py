"""Blokus Duo once more, slow and obvious: sets of squares, every rule by its words. It shares nothing with the package.

Squares are (column, row) with (1, 1) at the bottom left, as in the notation: (5, 10) is e10.
"""

from itertools import product

Square = tuple[int, int]
Piece = frozenset[Square]

SIZE = 14
START_POINTS: list[Square] = [(5, 10), (10, 5)]


def normal(squares) -> Piece:
    """Move a set of squares against the axes."""
    left, bottom = min(x for x, _ in squares), min(y for _, y in squares)
    return frozenset((x - left, y - bottom) for x, y in squares)


def variants(piece) -> set[Piece]:
    """Return a piece in all its turns and flips."""
    turned = list(piece)
    found = set()
    for _ in range(4):
        turned = [(y, -x) for x, y in turned]
        found |= {normal(turned), normal([(-x, y) for x, y in turned])}
    return found


def polyominoes(size: int) -> list[set[Piece]]:
    """Return all pieces of a number of squares, each as the set of its variants, by growing smaller ones."""
    if size == 1:
        return [{frozenset([(0, 0)])}]
    found: list[set[Piece]] = []
    for smaller in polyominoes(size - 1):
        piece = next(iter(smaller))
        for x, y in product(range(-1, size), repeat=2):
            if (x, y) not in piece and beside((x, y)) & piece:
                grown = normal(piece | {(x, y)})
                if not any(grown in known for known in found):
                    found.append(variants(grown))
    return found


def beside(square: Square) -> set[Square]:
    x, y = square
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


def diagonal(square: Square) -> set[Square]:
    x, y = square
    return {(x + 1, y + 1), (x + 1, y - 1), (x - 1, y + 1), (x - 1, y - 1)}


BOARD = set(product(range(1, SIZE + 1), repeat=2))
PIECES = [piece for size in range(1, 6) for piece in polyominoes(size)]

# For every piece all placements on the empty board.
PLACEMENTS = [
    [
        placed
        for variant in piece
        for x, y in BOARD
        if (placed := frozenset((x + a, y + b) for a, b in variant)) <= BOARD
    ]
    for piece in PIECES
]
# What the squares of a placement touch by an edge or by a corner.
EDGES = {placed: frozenset().union(*map(beside, placed)) - placed for some in PLACEMENTS for placed in some}
CORNERS = {placed: frozenset().union(*map(diagonal, placed)) - placed for some in PLACEMENTS for placed in some}

# The placements of every piece that cover a square.
THROUGH: dict[Square, list[set[Piece]]] = {square: [set() for _ in PIECES] for square in BOARD}
for _number, _placements in enumerate(PLACEMENTS):
    for _placed in _placements:
        for _square in _placed:
            THROUGH[_square][_number].add(_placed)


class NaiveBlokus:
    """A game of Blokus Duo in progress."""

    def __init__(self, free_start: bool = False) -> None:
        self.free_start = free_start
        self.squares: list[set[Square]] = [set(), set()]
        self.left = [set(range(len(PIECES))), set(range(len(PIECES)))]
        self.player = 0

    def allowed(self, player: int, placed: Piece) -> bool:
        """Whether the squares may be covered by a player, by the words of the rules."""
        own, other = self.squares[player], self.squares[1 - player]
        if not placed.isdisjoint(own) or not placed.isdisjoint(other):
            return False
        if not own:
            if self.free_start:
                return any(point in placed for point in START_POINTS if point not in other)
            return START_POINTS[player] in placed
        return EDGES[placed].isdisjoint(own) and not CORNERS[placed].isdisjoint(own)

    def placements(self, player: int) -> set[Piece]:
        """Return all placements of a player; they must go through an empty corner of an own piece, or a start point."""
        own = self.squares[player]
        near = set().union(*map(diagonal, own)) - set().union(*map(beside, own)) if own else set(START_POINTS)
        candidates: set[Piece] = set()
        for square in (near & BOARD) - self.squares[0] - self.squares[1]:
            candidates.update(*(THROUGH[square][piece] for piece in self.left[player]))
        return {placed for placed in candidates if self.allowed(player, placed)}

    def moves(self) -> set[Piece]:
        """Return the legal moves; a pass is the empty set of squares."""
        found = self.placements(self.player)
        if not found and self.placements(1 - self.player):
            return {frozenset()}
        return found

    def play(self, placed: Piece) -> None:
        if placed:
            self.squares[self.player] |= placed
            variant = normal(placed)
            self.left[self.player].remove(next(k for k, piece in enumerate(PIECES) if variant in piece))
        self.player = 1 - self.player

    def score(self) -> int:
        return len(self.squares[0]) - len(self.squares[1])
