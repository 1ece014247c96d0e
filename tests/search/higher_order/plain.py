"""Higher-order statistics the plain way: patterns as frozensets, boards as lists, one playout after the other.

The twin of ``montego.search.higher_order``, written from the paper. It draws the same random numbers in the same
order, so that counts must come out equal, decayed ones to the last bits.
"""

import math

from montego.rng import next_word, uniform
from tests.games.naive_connection import board_of

UNIT = 2**30
EMPTY = frozenset()


class Statistics:
    """What is known after one pattern."""

    def __init__(self, moves):
        self.seen = 0.0
        self.won = [0.0, 0.0]
        self.made = dict.fromkeys(moves, 0.0)
        self.wins = dict.fromkeys(moves, 0.0)
        self.chosen = dict.fromkeys(moves, 0)  # never forgotten, nor copied

    def scale(self, factor):
        self.seen *= factor
        self.won = [factor * count for count in self.won]
        for counts in (self.made, self.wins):
            for move in counts:
                counts[move] *= factor

    def add(self, made, winner):
        """Add one playout: who made each point, and who won."""
        self.seen += 1
        self.won[winner] += 1
        for point, player in made.items():
            self.made[player, point] += 1
            self.wins[player, point] += player == winner


class PlainSearch:
    """First order (no patterns), second order (all single moves), or selective, in Hex and Y."""

    def __init__(self, position, rng, settings, all_single=False):
        self.board = board_of(position.game)
        self.owners = position.owners().tolist()
        self.mover = position.to_move
        self.rng, self.settings = rng, settings
        self.points = [point for point, owner in enumerate(self.owners) if owner < 0]
        self.moves = [(player, point) for player in (0, 1) for point in self.points]
        self.statistics = {EMPTY: Statistics(self.moves)}  # in the order of discovery
        self.history = []
        self.grows = not all_single and settings.order > 1
        if all_single:
            for point in self.points:
                self.statistics[frozenset([(self.mover, point)])] = Statistics(self.moves)
        self.playouts = self.since_growth = 0
        self.keep = 2.0 ** (-1.0 / settings.half_life) if settings.half_life else 1.0

    def run(self, total):
        while self.playouts < total:
            count = min(self.settings.batch, total - self.playouts)
            self.batch(count, total)

    def batch(self, count, total):
        settings = self.settings
        if settings.noise > 0 or settings.optimism > 0:
            boards = [
                self.guided(settings.noise * max(0.0, 1 - (self.playouts + lane) / total)) for lane in range(count)
            ]
        else:
            words = [int(next_word(self.rng)) for _ in self.points]
            boards = [
                {point: 0 if word >> lane & 1 else 1 for point, word in zip(self.points, words, strict=True)}
                for lane in range(count)
            ]
        judged = [(made, self.winner(made)) for made in boards]
        for pattern, statistics in self.statistics.items():
            self.learn(pattern, statistics, judged)
        self.history.append(judged)
        self.playouts += count
        self.since_growth += count
        if self.grows and self.since_growth >= settings.every and len(self.statistics) < settings.patterns:
            self.refine()

    def learn(self, pattern, statistics, judged):
        statistics.scale(self.keep ** len(judged))
        for made, winner in judged:
            if all(made[point] == player for player, point in pattern):
                statistics.add(made, winner)

    def winner(self, made):
        owners = [made.get(point, owner) for point, owner in enumerate(self.owners)]
        (winner,) = self.board.winners(owners)
        return winner

    # -- playouts

    def value(self, pattern, move):
        """Return an evaluation in whole units, cut off towards zero."""
        statistics, extra = self.statistics[pattern], self.settings.optimism
        rate = statistics.won[move[0]] / statistics.seen if statistics.seen > 0 else 0.5
        total = statistics.made[move] + extra
        value = (statistics.wins[move] + extra) / total if total > 0 else rate
        return int((value - (rate if self.settings.relative else 0.0)) * UNIT)

    def guided(self, amount):
        noise = {move: int(amount * UNIT * uniform(self.rng)) for move in self.moves}
        values = {pattern: {move: self.value(pattern, move) for move in self.moves} for pattern in self.statistics}
        made = {}
        player = self.mover
        while len(made) < len(self.points):
            applying = [p for p in self.statistics if all(made.get(point) == who for who, point in p)]
            maximal = [p for p in applying if not any(p < q for q in applying)]
            left = [point for point in self.points if point not in made]
            best = max(left, key=lambda x: (max(values[p][player, x] for p in maximal) + noise[player, x], -x))
            by = max(maximal, key=lambda p: values[p][player, best])  # the first found of equal ones
            self.statistics[by].chosen[player, best] += 1
            made[best] = player
            player = 1 - player
        return made

    # -- patterns

    def information(self, pattern, point):
        """Return the mutual information in bits of who has a point and who won, given a pattern, if having it helps."""
        s = self.statistics[pattern]
        joint = {
            (0, 0): s.wins[0, point],
            (0, 1): s.made[0, point] - s.wins[0, point],
            (1, 0): s.made[1, point] - s.wins[1, point],
            (1, 1): s.wins[1, point],
        }
        rows = [joint[k, 0] + joint[k, 1] for k in (0, 1)]
        columns = [joint[0, k] + joint[1, k] for k in (0, 1)]
        total = sum(rows)
        if min(rows) <= 0 or joint[0, 0] * rows[1] <= joint[1, 0] * rows[0]:
            return 0.0
        return sum(n / total * math.log2(n * total / (rows[a] * columns[b])) for (a, b), n in joint.items() if n > 0)

    def relevance(self, pattern, move, strength, gain):
        best = max((strength(q, move) for q in self.known if q < pattern), default=0.0)
        s, empty = self.statistics[pattern], self.statistics[EMPTY]
        if pattern == EMPTY and gain:
            best = empty.won[move[0]] / empty.seen
        weight = s.made[move] / empty.seen if self.settings.criterion.name != "INFORMATION" else 1.0
        return (strength(pattern, move) - best) * weight

    def refine(self):
        settings = self.settings
        self.since_growth = 0
        self.known = list(self.statistics)  # new patterns have their turn at the next refinement
        information = {p: {x: self.information(p, x) for x in self.points} for p in self.known}
        gain = settings.criterion.name == "GAIN"

        def strength(pattern, move):
            if not gain:
                return information[pattern][move[1]]
            s = self.statistics[pattern]
            return s.wins[move] / s.made[move] if s.made[move] > 0 else 0.0

        for _ in range(settings.grow):
            if len(self.statistics) >= settings.patterns:
                return
            best, best_score = None, settings.relevance
            for pattern in self.known:
                if len(pattern) >= settings.order - 1:
                    continue
                for point in self.points:
                    if information[pattern][point] <= 0 or any(x == point for _, x in pattern):
                        continue
                    for player in (0, 1):
                        known = self.statistics[pattern]
                        counts = known.chosen if settings.selected else known.made
                        if counts[player, point] < settings.seen:
                            continue
                        score = self.relevance(pattern, (player, point), strength, gain)
                        if score > best_score + 1e-9 and pattern | {(player, point)} not in self.statistics:
                            best, best_score = (pattern, (player, point)), score
            if best is None:
                return
            self.add(*best)

    def add(self, parent, move):
        new = self.statistics[parent | {move}] = Statistics(self.moves)
        old = self.statistics[parent]
        if self.settings.replay:
            for judged in self.history[-self.settings.replay :]:
                self.learn(parent | {move}, new, judged)
            return
        new.seen, new.won = old.seen, list(old.won)
        new.made, new.wins = dict(old.made), dict(old.wins)
        new.scale(self.settings.copy)

    # -- the move

    def mean(self, pattern, move):
        s, doubt = self.statistics[pattern], self.settings.doubt
        return s.wins[move] / (s.made[move] + doubt) if s.made[move] + doubt > 0 else 0.0

    def best_first(self):
        """Return the move of eq. 4."""
        return max(self.points, key=lambda x: (self.mean(EMPTY, (self.mover, x)), -x))

    def worst_answers(self):
        """Return for every move the value of its best answer, which eq. 5 minimises."""
        found = {}
        for point in self.points:
            pattern = frozenset([(self.mover, point)])
            pattern = pattern if pattern in self.statistics else EMPTY
            others = [x for x in self.points if x != point]
            found[point] = max((self.mean(pattern, (1 - self.mover, x)) for x in others), default=0.0)
        return found
