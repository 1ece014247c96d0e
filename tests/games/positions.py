"""A million positions beside other programs: ``python -m tests.games.positions [N]`` compares and counts them.

OpenSpiel for Go, Hex, Y and tic-tac-toe, GNU Go for Go, and the naive versions of the tests for Go and Blokus Duo.
Legal moves, the player to move, the end and the winner are compared in every position of random games.
"""

import random
import sys
from collections.abc import Callable, Iterator

import pyspiel

import montego as mg
from montego.games import rules
from tests.games.go.naive import NaiveGo
from tests.games.go.test_oracles import COLOURS, GnuGo, openspiel_move
from tests.games.naive_blokus import NaiveBlokus
from tests.games.test_blokus import SQUARES

# Share of the positions for each comparison, in hundredths.
SHARES = {
    "openspiel go(size=5)": 12,
    "openspiel go(size=9)": 20,
    "openspiel go(size=19)": 3,
    "openspiel hex(size=5)": 15,
    "openspiel hex(size=11)": 20,
    "openspiel y(size=5)": 9,
    "openspiel y(size=9)": 10,
    "openspiel tictactoe": 4,
    "naive go(size=5)": 3,
    "naive go(size=7, height=4)": 3,
    "naive blokus_duo": 0.1,
    "gnugo go(size=5)": 0.9,
}
ENDLESS_PASSING = 0.03  # how often a pass is played in Go although there are other moves


def openspiel(spec: str, chance: random.Random) -> Iterator[int]:
    """Yield after every position of one random game that OpenSpiel sees as we do."""
    game = mg.game(spec)
    size = getattr(game, "size", 3)
    names = {"go": f"go(board_size={size},komi=7.5)", "tictactoe": "tic_tac_toe"}
    theirs = pyspiel.load_game(names.get(game.spec_name, f"{game.spec_name}(board_size={size})"))
    translate = _translation(game)
    oracle, position, moves = theirs.new_initial_state(), game.start(), game.new_moves()
    state = position.state
    while not oracle.is_terminal():
        actions = oracle.legal_actions()
        ours = sorted(moves[: rules.legal_moves(game, state, moves)].tolist())
        assert sorted(translate[action] for action in actions) == ours, position
        assert rules.to_move(game, state) == oracle.current_player()
        assert not rules.is_over(game, state)
        action = chance.choice(actions)
        if game.spec_name == "go":
            action = actions[-1] if chance.random() < ENDLESS_PASSING else chance.choice(actions[:-1] or actions)
        oracle.apply_action(action)
        rules.play(game, state, translate[action])
        yield 1
    if rules.is_over(game, state):  # OpenSpiel also ends a game that repeats a board, which our kernels do not
        score = rules.score(game, state)
        assert oracle.returns()[0] == (score > 0) - (score < 0)
    else:
        assert game.spec_name == "go"


def _translation(game: "mg.Game") -> list[int]:
    """Return our move for each action of OpenSpiel."""
    if game.spec_name == "go":
        return [openspiel_move(game, game.size, action) for action in range(game.size**2 + 1)]
    if game.spec_name == "hex":
        return list(range(game.size**2))
    if game.spec_name == "tictactoe":
        return [game.parse_move(f"{'abc'[action % 3]}{3 - action // 3}") for action in range(9)]
    size = game.size  # of Y: their cell (x, y) is column x of our row size - 1 - y
    return [(size - 1 - y) * (size - y) // 2 + x if x < size - y else -1 for y in range(size) for x in range(size)]


def naive_go(spec: str, chance: random.Random) -> Iterator[int]:
    """Yield after every position of one random game that the naive board sees as we do."""
    game = mg.game(spec)
    naive, state, moves = NaiveGo(game.size, game.height), game.start().state, game.new_moves()
    places = {game.parse_move(name): divmod(at, game.size)[::-1] for at, name in enumerate(game.layout().names)}
    for _ in range(game.max_length()):
        ours = moves[: rules.legal_moves(game, state, moves)].tolist()
        legal = naive.legal()
        assert {places[move] for move in ours if move in places} == legal
        assert rules.score(game, state) == naive.area() - game.komi
        yield 1
        candidates = [move for move in ours if move in places]
        if not candidates or chance.random() < ENDLESS_PASSING:
            return
        move = chance.choice(candidates)
        naive = naive.after(places[move], naive.turn)
        rules.play(game, state, move)


def naive_blokus(spec: str, chance: random.Random) -> Iterator[int]:
    """Yield after every position of one random game that the naive version sees as we do."""
    game = mg.game(spec)
    naive, state, moves = NaiveBlokus(), game.start().state, game.new_moves()
    while not rules.is_over(game, state):
        ours = moves[: rules.legal_moves(game, state, moves)].tolist()
        assert {SQUARES[move] for move in ours} == set(naive.moves())
        assert rules.to_move(game, state) == naive.player
        assert rules.score(game, state) == naive.score()
        yield 1
        move = chance.choice(ours)
        naive.play(SQUARES[move])
        rules.play(game, state, move)


def gnugo(spec: str, chance: random.Random, engines: list[GnuGo] = []) -> Iterator[int]:  # noqa: B006 (kept on purpose)
    """Yield after every position of one random game whose legal moves GNU Go sees as we do."""
    engine = engines[0] if engines else engines.append(GnuGo()) or engines[0]
    game = mg.game(spec).with_rules(superko=False)
    position, names = game.start(), game.layout().names
    engine.ask(f"boardsize {game.size}", "clear_board")
    for _ in range(2 * len(names)):
        colour = COLOURS[position.to_move]
        answers = engine.ask(*(f"is_legal {colour} {name}" for name in names))
        legal = sorted(set(position.legal_moves()) - {"pass"})
        assert sorted(name for name, answer in zip(names, answers, strict=True) if answer == "1") == legal
        yield 1
        if not legal:
            return
        move = chance.choice(legal)
        engine.ask(f"play {colour} {move}")
        position.play(move)


COMPARISONS: dict[str, Callable[[str, random.Random], Iterator[int]]] = {
    "openspiel": openspiel,
    "naive go": naive_go,
    "naive blokus": naive_blokus,
    "gnugo": gnugo,
}


def compare(total: int) -> dict[str, int]:
    """Compare at least so many positions; return how many by comparison. A difference raises."""
    found = {}
    for name, share in SHARES.items():
        kind = next(kind for kind in COMPARISONS if name.startswith(kind))
        spec = name.partition(" ")[2]
        count, game = 0, 0
        while count < max(1, total * share / 100):
            count += sum(COMPARISONS[kind](spec, random.Random(f"{name} {game}")))
            game += 1
        found[name] = count
        print(f"{name:<30}{count:>10,} positions of {game:,} games, 0 differences", flush=True)
    print(f"{sum(found.values()):,} positions, 0 differences", flush=True)
    return found


if __name__ == "__main__":
    compare(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
