"""UCT with RAVE as plainly as possible: objects, dictionaries, formulas as in the papers.

The compiled search must give equal visit counts for equal seeds. Playouts are drawn by the game's own sampler from the
same stream, so that the two differ in nothing but the tree.
"""

import math

from montego.games import rules
from montego.search.rave import RAVES, mixed_mean


class Node:
    """One position of the tree; values are for the player who moved here."""

    def __init__(self, move=None):
        self.move = move
        self.visits, self.total = 0, 0.0
        self.amaf_visits, self.amaf_total = 0, 0.0
        self.children = []


def reward_for_first(setting, score):
    """Return what a score is worth to player 0."""
    name, constant = setting
    if name == "score":
        return min(max(0.5 + score / (2 * constant), 0.0), 1.0)
    if name == "sigmoid":
        return 1 / (1 + math.exp(-constant * score))
    return {1: 1.0, 0: 0.5, -1: 0.0}[(score > 0) - (score < 0)]


def beta(rave, visits, amaf_visits):
    """Return the share of the AMAF mean."""
    name, *constants = rave
    if name == "amaf" or visits == 0:
        return 1.0
    if name == "linear":
        return 1 - min(1.0, visits / constants[0])
    if name == "silver":
        return amaf_visits / (visits + amaf_visits + 4 * constants[0] ** 2 * visits * amaf_visits)
    initial, final = constants
    weight = initial / (1 / amaf_visits + initial / final)
    return weight / (visits + weight)


def mixed(rave, child):
    """Return the mean with its share of the AMAF mean, in the program's arithmetic, so that ties fall the same way.

    ``test_the_mixed_mean_is_that_of_the_papers`` compares it with ``beta``.
    """
    name, *constants = rave
    visits, amaf_visits = float(child.visits), float(child.amaf_visits)
    return mixed_mean(*RAVES[name](*constants).setting(), visits, child.total, amaf_visits, child.amaf_total)


class ReferenceSearch:
    """The search of one position."""

    def __init__(
        self, game, position, rng, c=0.7, first_play=1e6, rave=None, expand=0, reward=("win_loss", 0), depth=512
    ):
        self.game, self.rng = game, rng
        self.position = position
        self.c, self.first_play, self.rave, self.expand = c, first_play, rave, expand
        self.reward, self.depth = reward, depth
        self.root = Node()
        legal = set(position.legal_numbers().tolist())
        self.root.children = [Node(move) for move in self.moves(position.state) if move in legal]

    def moves(self, state):
        out = self.game.new_moves()
        return out[: rules.search_moves(self.game, state, out)].tolist()

    def value(self, parent, child):
        mean = child.total / child.visits if child.visits else self.first_play
        if self.rave and child.amaf_visits:
            mean = mixed(self.rave, child)
        return mean + self.c * math.sqrt(math.log(max(parent.visits, 1)) / max(child.visits, 1))

    def simulate(self):
        """Descend, expand, play out, back up."""
        game, state = self.game, self.position.copy().state
        node, path, moves = self.root, [self.root], []
        grown = False
        while len(path) <= self.depth and not grown:
            if not node.children:
                if node.visits < self.expand or rules.is_over(game, state):
                    break
                grown = True
                node.children = [Node(move) for move in self.moves(state)]
            parent = node
            node = max(parent.children, key=lambda child: self.value(parent, child))
            moves.append((int(rules.to_move(game, state)), node.move))
            rules.play(game, state, node.move)
            path.append(node)
        player = int(rules.to_move(game, state))
        if not rules.is_over(game, state):
            trace = game.new_trace()
            length = rules.random_playout(game, state, self.rng, trace, game.new_moves())
            moves += [(player ^ (i & 1), int(move)) for i, move in enumerate(trace[:length])]
        first = reward_for_first(self.reward, float(rules.score(game, state)))
        self.back_up(path, moves, (first, 1 - first))

    def back_up(self, path, moves, worth):
        """Add the reward along the path, and to the children whose moves their player made first from there on."""
        start = int(rules.to_move(self.game, self.position.state))
        for level, node in enumerate(path):
            player = start ^ (level & 1)
            node.visits += 1
            node.total += worth[1 - player]
            if not self.rave:
                continue
            maker = {}
            for who, move in moves[level:]:
                maker.setdefault(move, who)
            for child in node.children:
                if maker.get(child.move) == player:
                    child.amaf_visits += 1
                    child.amaf_total += worth[player]
