"""UCT with all its refinements as plainly as possible: objects, dictionaries, formulas as in the papers.

The compiled search must give equal visit counts for equal seeds. Playouts are drawn by the game's own sampler from the
same stream, so that the two differ in nothing but the tree. Options are those of a ``uct(...)`` spec.
"""

import math
from statistics import NormalDist

import numpy as np

from montego.games import rules
from montego.playouts import move_values, move_weights, new_trace
from montego.rewards import Sigmoid, WinLoss
from montego.rng import shuffle, uniform

LOST, DRAWN, WON = 1, 2, 3


class Node:
    """One position of the tree; values are for the player who moved here."""

    def __init__(self, move=None, prior=0.0, start=(0.0, 0.0, 0.0, 0.0)):
        self.move, self.prior = move, float(np.float32(prior))
        self.start = tuple(float(np.float32(number)) for number in start)  # the program keeps 32 bits
        self.visits, self.total, self.squares = 0, 0.0, 0.0
        self.amaf_visits, self.amaf_total = 0, 0.0
        self.scores, self.children = [], []
        self.proof, self.pruned, self.selected = 0, False, False


def mixed(rave, visits, total, amaf_visits, amaf_total):
    """Return (1 - β) mean + β AMAF mean, with the papers' β brought to a common denominator.

    So that ties fall as in the program; ``test_the_mixed_mean_is_that_of_the_papers`` compares both with the plain β.
    """
    kind = rave.spec_name
    if kind == "silver":
        b = 4 * rave.b * rave.b
        return (total * (1 + b * amaf_visits) + amaf_total) / (visits * (1 + b * amaf_visits) + amaf_visits)
    if kind == "amaf" or visits == 0:
        return amaf_total / amaf_visits
    if kind == "linear":
        share = max(0.0, 1 - visits / rave.n)
        return (1 - share) * total / visits + share * amaf_total / amaf_visits
    weight = rave.initial / (1 / amaf_visits + rave.initial / rave.final)
    return (total + weight * amaf_total / amaf_visits) / (visits + weight)


class ReferenceSearch:
    """The search of one position by the settings of a player (``montego.search.Uct``)."""

    def __init__(self, game, position, rng, settings):
        self.game, self.position, self.rng, self.s = game, position, rng, settings
        families = ("rave", "amaf_weight", "expand", "prune", "choice", "bias", "initial", "widen")
        self.options = {name: getattr(settings, name).spec_name for name in families}
        self.unit = 64 if self.options["amaf_weight"] == "falling" else 1  # parts of an AMAF visit
        self.choices, self.simulations = 0, 0
        self.surveys, self.critical = [], {}
        self.rule = self.reward_of(settings.reward, len(position.moves) + 1)
        self.c = settings.c / getattr(self.rule, "scale", 1.0)
        self.wins = {0: [], 1: []}  # qualities of the wins so far, for the quality bonus
        self.settled, self.root = False, Node()
        self.root.children = self.new_children(position.state, [], set(position.legal_numbers().tolist()))

    def new_children(self, state, line, allowed=None):
        """Return the children of a position that a line of moves has led to, as the prior sees them."""
        out = self.game.new_moves()
        moves = out[: rules.search_moves(self.game, state, out)]
        moves = moves if allowed is None else moves[[move in allowed for move in moves.tolist()]].copy()
        widens = self.options["widen"] != "off"
        if self.options["widen"] == self.options["bias"] == self.options["initial"] == "off":
            return [Node(move) for move in moves.tolist()]
        if widens:
            shuffle(self.rng, moves, len(moves))
        weights = self.position.game.new_moves().astype(float)
        prior, memory = self.s.prior, self.s.prior.new_memory(self.game)
        trace = new_trace(self.game, len(line))
        trace[: 2 + len(line)] = ([-1, -1] + self.position.moves)[-2:] + line
        asked = (prior, self.game, memory, state, trace, 2 + len(line))
        move_weights(*asked, moves, weights)
        pairs = list(zip(moves.tolist(), weights.tolist(), strict=False))
        if widens:
            pairs.sort(key=lambda pair: -pair[1])
        shares = [weight / sum(weights[: len(pairs)]) for _, weight in pairs]
        moves = np.array([move for move, _ in pairs])
        starts = self.starts(asked, state, moves, shares)
        return [Node(*child) for child in zip(moves.tolist(), shares, starts, strict=True)]

    def starts(self, asked, state, moves, shares):
        """Return the virtual simulations of each move: visits and total of its mean, and of its AMAF mean."""
        rule = self.s.initial
        if rule.spec_name == "off":
            return [(0.0, 0.0, 0.0, 0.0)] * len(moves)
        if rule.spec_name == "relative":
            mine = rules.to_move(self.game, state) == rules.to_move(self.game, self.position.state)
            mean = (self.root.total + 0.5) / (self.root.visits + 1)  # of the root's opponent
            values = [(1 - mean if mine else mean) * math.sqrt(share / max(shares)) for share in shares]
            return [(rule.count, rule.count * value, rule.amaf, rule.amaf * value) for value in values]
        opinions = np.array([np.zeros(len(moves)), shares])
        move_values(*asked, moves, opinions)
        return [
            (
                rule.count * count + rule.even,
                rule.count * count * value + rule.even / 2,
                rule.amaf * count + rule.even_amaf,
                rule.amaf * count * value + rule.even_amaf / 2,
            )
            for value, count in opinions.T
        ]

    # -- choosing a child

    def known(self, child):
        """Return visits, total, AMAF visits and AMAF total of a child with its virtual simulations."""
        real = (child.visits, child.total, child.amaf_visits / self.unit, child.amaf_total / self.unit)
        visits, total, *amaf = [number + virtual for number, virtual in zip(real, child.start, strict=True)]
        wins = self.s.criticality * self.critical.get(self.game.move_name(child.move), 0.0) * amaf[0]
        return [visits, total, amaf[0] + wins, amaf[1] + wins]

    def survey(self, state, score):
        """Note who owns what in the end, now and then, and work out the covariance of owning and winning (Coulom)."""
        if not self.s.criticality or self.simulations % self.s.survey or score == 0:
            return
        names = self.game.layout().names
        owners = np.full(len(names), -1, np.int8)
        rules.final_owners(self.game, state, owners)
        self.surveys.append((dict(zip(names, owners.tolist(), strict=True)), 0 if score > 0 else 1))
        n, winners = len(self.surveys), [winner for _, winner in self.surveys]
        for name in names:
            owned = [final[name] for final, _ in self.surveys]
            by_winner = sum(owner == winner for owner, winner in zip(owned, winners, strict=True))
            by_chance = sum(owned.count(player) * (winners.count(player) / n) for player in (0, 1))
            self.critical[name] = max((by_winner - by_chance) / n, 0.0)

    def mean(self, child, rave):
        visits, total, amaf_visits, amaf_total = self.known(child)
        if rave and amaf_visits:
            return mixed(self.s.rave, visits, total, amaf_visits, amaf_total)
        return total / visits if visits else self.s.first_play

    def bias(self, parent, child):
        """Return what the prior adds to a value, n counting virtual visits too."""
        visits, rule = self.known(child)[0], self.s.bias
        return {
            "off": lambda: 0.0,
            "progressive": lambda: rule.weight * child.prior / (visits + 1),
            "root": lambda: rule.weight * child.prior / math.sqrt(visits + 1),
            "puct": lambda: rule.c * math.sqrt(parent.visits) * child.prior / (visits + 1),
            "puct_log": lambda: (
                rule.c * math.sqrt(parent.visits) * math.log(parent.visits + 1) * child.prior / max(visits, 1)
            ),
        }[rule.spec_name]()

    def value(self, parent, child, rave):
        value = self.mean(child, rave)
        whole, part = parent.visits, self.known(child)[0]
        if self.s.counted:
            whole, part = sum(self.known(other)[2] for other in parent.children), self.known(child)[2]
        ratio = math.log(max(whole, 1)) / max(part, 1)
        if self.s.bandit.name == "TUNED":
            ratio = math.log(max(parent.visits, 1)) / max(child.visits, 1)  # of real rewards, as the variance is
            mean = child.total / max(child.visits, 1)
            variance = max(child.squares / max(child.visits, 1) - mean * mean, 0.0)
            value += self.c * math.sqrt(ratio * min(0.25, variance + math.sqrt(2 * ratio)))
        else:
            value += self.c * math.sqrt(ratio)
        return value + self.bias(parent, child)

    def offered(self, parent):
        """Return the children that progressive widening has opened, without those that are out."""
        widen = self.s.widen
        count = len(parent.children)
        if self.options["widen"] != "off":
            steps = parent.visits / widen.visits
            if widen.growth > 1:
                steps = math.log(1 + steps * (widen.growth - 1)) / math.log(widen.growth)
            count = widen.first + int(steps)
        return [child for child in parent.children[:count] if not child.pruned and child.proof != LOST]

    def choose(self, parent):
        children = self.offered(parent) or parent.children[:1]
        self.choices += 1
        rests = self.s.rave_rest and self.choices % self.s.rave_rest == 0
        rave = self.options["rave"] != "off" and not rests
        if self.options["choice"] == "best":
            return max(children, key=lambda child: self.value(parent, child, rave))
        values = [min(self.mean(child, rave), 1.0) for child in children]
        if self.options["choice"] == "proportional":
            weights = [value + 1e-9 for value in values]
        else:
            k = self.s.choice.k
            if self.options["choice"] == "annealed":
                k *= min(1.0, parent.visits / self.s.choice.n)
            weights = [math.exp(k * (value - max(0.0, *values))) if values[1:] else 1.0 for value in values]
        mark = uniform(self.rng) * sum(weights)
        for child, weight in zip(children, weights, strict=True):
            mark -= weight
            if mark < 0:
                return child
        return children[-1]

    # -- pruning and expansion

    def prune(self, node):
        """Progressive pruning by raw scores; tells whether the position is settled."""
        p = self.s.prune

        def interval(child):
            if child.visits < p.visits:
                return None
            mean = sum(child.scores) / child.visits
            variance = max(sum(x * x for x in child.scores) / child.visits - mean * mean, 0.0)
            error = math.sqrt(variance / child.visits)
            return mean - p.rd * error, mean + p.rd * error, error

        known = {child: interval(child) for child in node.children}
        compared = {child: i for child, i in known.items() if i and (i[2] < p.sigma or not p.literal)}
        best_left = max((i[0] for child, i in compared.items() if not child.pruned), default=-math.inf)
        for child in node.children:
            if child in compared and compared[child][1] < best_left:
                child.pruned = True
            elif self.options["prune"] == "soft" and known[child]:
                child.pruned = False
        left = [child for child in node.children if not child.pruned]
        equal = all(known[child] and known[child][2] < p.sigma for child in left)
        return len(left) == 1 or equal or node.visits >= p.most * len(node.children)

    def is_ripe(self, path):
        node, rule = path[-1], self.s.expand
        if self.options["expand"] == "all_ends" or node.visits >= rule.n:
            return True
        if self.options["expand"] != "transition" or len(path) == 1 or node.visits < rule.early:
            return False
        parent = path[-2]
        mean = (node.total + 0.5) / (node.visits + 1)
        average = (parent.visits - parent.total + 0.5) / (parent.visits + 1)
        variance = mean * (1 - mean) / node.visits + average * (1 - average) / parent.visits
        return mean - average >= max(NormalDist().inv_cdf(rule.confidence), 1e-9) * math.sqrt(variance)

    # -- a simulation

    def simulate(self):
        """Descend, expand, play out, back up."""
        if self.settled or self.root.proof:
            return
        self.simulations += 1
        game, state, least = self.game, self.position.copy().state, getattr(self.s.expand, "least", 0)
        path, moves, grown = [self.root], [], False
        while len(path) <= self.s.depth and not grown and not path[-1].proof:
            node = path[-1]
            if not node.children:
                ripe = self.is_ripe(path)
                if not (ripe or least) or rules.is_over(game, state):
                    break
                node.children = self.new_children(state, [move for _, move in moves])
                grown = True
                if not ripe:
                    break
            elif least and not node.selected and len(path) > 1:
                if not self.is_ripe(path):
                    break
                node.selected = True
                if any(child.visits >= least for child in node.children):
                    for child in node.children:
                        child.pruned |= child.visits < least
            if self.options["prune"] != "off" and node.visits and node.visits % self.s.prune.every == 0:
                settled = self.prune(node)
                self.settled |= settled and node is self.root
            child = self.choose(node)
            moves.append((int(rules.to_move(game, state)), child.move))
            rules.play(game, state, child.move)
            path.append(child)
        self.finish(state, path, moves, least)

    def finish(self, state, path, moves, least):
        game, leaf, depth = self.game, path[-1], len(path) - 1
        mover = int(rules.to_move(game, self.position.state)) ^ 1 ^ (depth & 1)
        if rules.is_over(game, state) and self.s.solver and self.rule.spec_name == "win_loss":
            sign = rules.score(game, state) * (1 if mover == 0 else -1)
            leaf.proof = WON if sign > 0 else LOST if sign < 0 else DRAWN
            self.prove(path)
        if not rules.is_over(game, state) and leaf.proof:
            worth = (leaf.proof - LOST) / 2
            first = worth if mover == 0 else 1 - worth
            score = (sum(leaf.scores) / leaf.visits) * (1 if mover == 0 else -1)
        else:
            if not rules.is_over(game, state):
                played = self.playout(state, len(new_trace(game, self.s.depth)) - 2 - depth)
                moves += [(mover ^ 1 ^ (i & 1), move) for i, move in enumerate(played)]
            score = float(rules.score(game, state))
            first = self.reward(score, len(moves))
            self.survey(state, score)
        if least and 0 < depth < self.s.depth and not leaf.selected and len(moves) > depth:
            path += [child for child in leaf.children if child.move == moves[depth][1]]
        self.back_up(path, moves, (first, 1 - first), score)

    def playout(self, state, room):
        """Play a position to its end, uniformly or with a cut, and return the moves."""
        rule, moves = self.s.playout, []
        cut = rule.spec_name == "cut"
        most = min(room, rule.moves) if cut and rule.moves else room
        while len(moves) < most and not rules.is_over(self.game, state):
            piece = min(rule.every, most - len(moves)) if cut and rule.mercy else most
            trace = np.zeros(piece, np.int32)
            length = rules.random_playout(self.game, state, self.rng, trace, self.game.new_moves())
            moves += trace[:length].tolist()
            if cut and rule.mercy and abs(rules.score(self.game, state)) >= rule.mercy:
                break
        return moves

    def best_moves(self):
        """Return the moves that may be played in the end: a proven win, else the best that are not out."""

        def wilson(child):
            z, n = 1.959964, child.visits
            p = child.total / n
            return (p + z * z / (2 * n) - z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))) / (1 + z * z / n)

        def merit(child):
            mean = child.total / child.visits if child.visits else -1.0
            return {
                "MEAN": lambda: mean,
                "VISITS": lambda: (child.visits, mean),
                "LCB": lambda: round(wilson(child), 12) if child.visits else -1.0,
                "AMAF": lambda: child.amaf_total / child.amaf_visits if child.amaf_visits else mean - 2,
            }[self.s.final.name]()

        children = [child for child in self.root.children if child.proof == WON]
        children = children or [child for child in self.root.children if child.proof != LOST and not child.pruned]
        best = max(map(merit, children or self.root.children))
        return {child.move for child in children or self.root.children if merit(child) == best}

    def prove(self, path):
        """Hand a proof up: a winning child loses the parent; when all are known the best decides."""
        for node in reversed(path[:-1]):
            proofs = [child.proof for child in node.children]
            if WON in proofs:
                node.proof = LOST
            elif all(proofs):
                node.proof = LOST + WON - max(proofs)
            else:
                return

    def reward_of(self, rule, move):
        """Return the reward of a decision at a move of the game: schedules are looked up."""
        if rule.spec_name == "until":
            return self.reward_of(rule.before if move <= rule.move else rule.after, move)
        if rule.spec_name == "ramp":
            share = min(max((move - rule.first) / (rule.last - rule.first), 0), 1)
            return Sigmoid(rule.low + share * (rule.high - rule.low))
        if rule.spec_name == "phased":
            return WinLoss(rule.scale) if move < 8 else Sigmoid(rule.k if move < 17 else rule.late)
        return rule

    def reward(self, score, length):
        """Return what a playout is worth to player 0."""
        kind = self.rule
        if kind.spec_name == "score":
            return min(max(0.5 + score / (2 * self.game.max_score()), 0.0), 1.0)
        if kind.spec_name == "sigmoid":
            return 1 / (1 + math.exp(-kind.k * score))
        sign = (score > 0) - (score < 0)
        if kind.spec_name == "win_loss" or sign == 0:
            return (sign + 1) / 2
        wins = self.wins[0 if sign > 0 else 1]
        quality, bonus = (abs(score) if kind.of.name == "SCORE" else -length), 0.0
        if len(wins) > 1:
            mean = sum(wins) / len(wins)
            deviation = math.sqrt(sum((x - mean) ** 2 for x in wins) / len(wins))
            bonus = kind.a * math.tanh(kind.k * (quality - mean) / deviation / 2) if deviation else 0.0
        wins.append(quality)
        return 0.5 + sign * 0.5 * (1 + bonus) / (1 + kind.a)

    def back_up(self, path, moves, worth, score):
        """Add the reward along the path, and to the children whose moves their player made first from there on."""
        start = int(rules.to_move(self.game, self.position.state))
        for level, node in enumerate(path):
            player = start ^ (level & 1)
            node.visits += 1
            node.total += worth[1 - player]
            node.squares += worth[1 - player] ** 2
            node.scores.append(score if player == 1 else -score)
            maker = {}
            for distance, (who, move) in enumerate(moves[level:]):
                maker.setdefault(move, (who, distance))
            for child in node.children if self.options["rave"] != "off" else ():
                who, distance = maker.get(child.move, (None, 0))
                if who == player and rules.counts_as_first(self.game, child.move):
                    weight = self.amaf_weight(distance, len(moves) - level)
                    child.amaf_visits += weight
                    child.amaf_total += weight * worth[player]

    def amaf_weight(self, distance, length):
        """Return how much a move counts that was made so many moves later, in parts of a visit."""
        rule = self.s.amaf_weight
        if rule.spec_name == "even":
            return 1
        if rule.within and distance >= rule.within:
            return 0
        weight = rule.near - (rule.near - rule.far) * distance / length
        return math.floor(64 * weight + 0.5)
