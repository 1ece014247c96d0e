"""Hex and Y the plain way: graphs as dictionaries and breadth-first search. The oracle of the connection games."""

from collections import deque

HEX_STEPS = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)]
Y_STEPS = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)]


class Board:
    """Neighbours of every point, and for each player the sets of points to connect."""

    def __init__(self, neighbours, goals):
        self.neighbours = neighbours
        self.goals = goals  # per player a list of sides, each a set of points

    def chains(self, owners, player):
        """Return the connected sets of a player's points."""
        left = {point for point, owner in enumerate(owners) if owner == player}
        found = []
        while left:
            chain, queue = set(), deque([left.pop()])
            while queue:
                point = queue.popleft()
                chain.add(point)
                for other in self.neighbours[point]:
                    if other in left:
                        left.remove(other)
                        queue.append(other)
            found.append(frozenset(chain))
        return set(found)

    def winners(self, owners):
        """Return the players who have a chain on all their sides."""
        return [
            p for p in (0, 1) if any(all(chain & side for side in self.goals[p]) for chain in self.chains(owners, p))
        ]


def grid(cells, steps):
    """Return the neighbours by number of numbered (row, column) cells."""
    number = {cell: i for i, cell in enumerate(cells)}
    return [[number[r + dr, c + dc] for dr, dc in steps if (r + dr, c + dc) in number] for r, c in cells]


def hex_board(n):
    cells = [(r, c) for r in range(n) for c in range(n)]
    edge = [[{i for i, cell in enumerate(cells) if cell[axis] == end} for end in (0, n - 1)] for axis in (0, 1)]
    return Board(grid(cells, HEX_STEPS), edge)


def straight_y_board(n):
    cells = [(r, c) for r in range(n) for c in range(r + 1)]
    numbered = list(enumerate(cells))
    sides = [
        {i for i, (r, c) in numbered if c == 0},
        {i for i, (r, c) in numbered if c == r},
        {i for i, (r, c) in numbered if r == n - 1},
    ]
    return Board(grid(cells, Y_STEPS), [sides, sides])


def bent_y_board():
    """Build the bent board ring by ring: an inner triangle of five points per side, then four rings of longer sides."""
    number = {}
    for level in (4, 3, 2, 1, 0):
        for side in range(3):
            for t in range(4 + level):
                number[level, side, t] = len(number)
    inner = [len(number) + k for k in range(3)]

    def at(level, side, t):
        return number[level, (side + t // (4 + level)) % 3, t % (4 + level)]

    edges = {frozenset(pair) for pair in zip(inner, inner[1:] + inner[:1], strict=True)}
    edges |= {frozenset((at(0, side, 1), at(0, (side + 2) % 3, 3))) for side in range(3)}  # across an inner corner
    for level in range(5):
        for side in range(3):
            for t in range(4 + level):
                edges.add(frozenset((at(level, side, t), at(level, side, t + 1))))
            for t in range(4 + level + 1):
                for outer in (t, t + 1):
                    if level < 4:
                        edges.add(frozenset((at(level, side, t), at(level + 1, side, outer))))
                if level == 0 and 1 <= t <= 3:
                    edges |= {frozenset((at(0, side, t), inner[(side + k) % 3])) for k in (t - 2, t - 1) if k in (0, 1)}
    neighbours = [[] for _ in range(len(number) + 3)]
    for a, b in map(tuple, edges):
        neighbours[a].append(b)
        neighbours[b].append(a)
    sides = [{at(4, side, t) for t in range(9)} for side in range(3)]
    return Board(neighbours, [sides, sides])


def board_of(game):
    """Return the naive board of a game."""
    if game.spec_name == "hex":
        return hex_board(game.size)
    return bent_y_board() if str(game) == "y(board=bent)" else straight_y_board(game.size)
