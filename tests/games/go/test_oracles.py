"""Go against independent programs: OpenSpiel at every step of random games, GNU Go for legality, captures and score."""

import random
import subprocess

import pyspiel
import pytest

import montego.games as mg
from montego.games import rules
from montego.games.go import board
from montego.rng import stream
from tests.external import require_program

COLOURS = ("black", "white")


def slow(*values):
    """Mark a case as too long for every day."""
    return pytest.param(*values, marks=pytest.mark.slow)


def openspiel_move(game, size, action):
    """Translate an action of OpenSpiel: points row by row from the bottom, then the pass."""
    if action == size * size:
        return board.PASS
    row, column = divmod(action, size)
    return game.parse_move(f"{'ABCDEFGHJKLMNOPQRST'[column]}{row + 1}")


@pytest.mark.parametrize(("size", "games"), [(3, 1000), (5, 1200), (7, 600), (9, 300), (19, 10)])
def test_openspiel_agrees_at_every_step(size, games):
    """Legal moves, end and winner; OpenSpiel ends a game that repeats a board or is too long, which we do not."""
    theirs = pyspiel.load_game(f"go(board_size={size},komi=5.5)")
    game = mg.Go(size=size, komi=5.5)
    translate = [openspiel_move(game, size, action) for action in range(size * size + 1)]
    moves = game.new_moves()
    finished = 0
    for seed in range(games):
        chance = random.Random(seed)
        oracle, state = theirs.new_initial_state(), game.start().state
        while not oracle.is_terminal():
            actions = oracle.legal_actions()
            ours = moves[: rules.legal_moves(game, state, moves)].tolist()
            assert sorted(translate[a] for a in actions) == sorted(ours)
            assert rules.to_move(game, state) == oracle.current_player()
            action = chance.choice(actions[:-1] or actions) if chance.random() < 0.97 else actions[-1]
            oracle.apply_action(action)
            rules.play(game, state, translate[action])
        if rules.is_over(game, state):
            finished += 1
            assert oracle.returns()[0] == (1 if rules.winner(game, state) == 0 else -1)
    assert finished >= min(games // 20, 3)


class GnuGo:
    """GNU Go over GTP, just enough to ask it questions."""

    def __init__(self):
        command = [require_program("gnugo"), "--mode", "gtp", "--chinese-rules", "--quiet"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *commands):
        """Send commands in one go and return the answers."""
        self.process.stdin.write("".join(f"{command}\n" for command in commands))
        self.process.stdin.flush()
        return [self._answer() for _ in commands]

    def _answer(self):
        lines = [self.process.stdout.readline()]
        while (line := self.process.stdout.readline()).strip():
            lines.append(line)
        answer = "".join(lines).strip()
        assert answer.startswith("="), answer
        return answer[1:].strip()

    def close(self):
        self.process.communicate("quit\n", timeout=20)


@pytest.fixture
def gnugo():
    engine = GnuGo()
    yield engine
    engine.close()


@pytest.mark.parametrize(("size", "games"), [(5, 400), (9, 30), (13, 2), slow(5, 4000), slow(9, 400)])
def test_gnugo_agrees_on_legality_and_captures(gnugo, size, games):
    """Every point for both a legal and an illegal answer, the stones on the board, and what was captured."""
    game = mg.Go(size=size, superko=False)
    names = game.layout().names
    for seed in range(games):
        chance = random.Random(seed)
        gnugo.ask(f"boardsize {size}", "clear_board")
        position = game.start()
        placed = [0, 0]
        for _ in range(size * size * 3 // 2):
            colour = COLOURS[position.to_move]
            answers = gnugo.ask(*(f"is_legal {colour} {name}" for name in names))
            legal = set(position.legal_moves()) - {"pass"}
            assert {name for name, answer in zip(names, answers, strict=True) if answer == "1"} == legal
            if not legal:
                break
            placed[position.to_move] += 1
            move = chance.choice(sorted(legal))
            gnugo.ask(f"play {colour} {move}")
            position.play(move)
            answers = gnugo.ask("list_stones black", "list_stones white", "captures black", "captures white")
            for player in (0, 1):
                mine = {name for name, owner in zip(names, position.owners(), strict=True) if owner == player}
                assert set(answers[player].split()) == mine
                assert int(answers[3 - player]) == placed[player] - len(mine)  # lost stones are the other's captures


@pytest.mark.parametrize(("size", "games"), [(7, 150), (9, 60), slow(7, 1500), slow(9, 600)])
def test_gnugo_agrees_on_the_area_of_finished_playouts(gnugo, size, games):
    """GNU Go takes stones off that it thinks dead, which a playout may leave; where it finds none, scores are equal."""
    game = mg.Go(size=size, komi=7.5, superko=False)
    compared = 0
    for seed in range(games):
        state, trace = game.start().state, game.new_trace()
        length = rules.random_playout(game, state, stream(seed), trace, game.new_moves())
        if not rules.is_over(game, state):
            continue
        plays = [f"play {COLOURS[turn % 2]} {game.move_name(int(m))}" for turn, m in enumerate(trace[:length])]
        gnugo.ask(f"boardsize {size}", "clear_board", "komi 7.5", *plays)
        dead, answer = gnugo.ask("final_status_list dead", "final_score")
        if dead:
            continue
        winner, points = answer.split("+")
        assert (1 if winner == "B" else -1) * float(points) == rules.score(game, state), position_text(
            game, trace, length
        )
        compared += 1
    assert compared > games // 4


def position_text(game, trace, length):
    """Draw the final position of a playout for the message of a failed comparison."""
    position = game.start()
    for move in trace[:length]:
        position.play(int(move))
    return str(position)


@pytest.mark.parametrize("size", [7, 8, 9, 11, 13, 19])
def test_gnugo_agrees_on_handicap_stones(gnugo, size):
    most = 4 if size < 9 or size % 2 == 0 else 9
    for handicap in range(2, most + 1):
        (answer,) = gnugo.ask(f"boardsize {size}", f"fixed_handicap {handicap}")[1:]
        start = mg.Go(size=size, handicap=handicap).start()
        stones = {name for name, owner in zip(start.game.layout().names, start.owners(), strict=True) if owner == 0}
        assert set(answer.split()) == stones


def test_gnugo_agrees_on_every_small_opening(gnugo):
    """All positions after two moves on 3×3: the legal replies are the same."""
    game = mg.Go(size=3, superko=False)
    names = game.layout().names
    gnugo.ask("boardsize 3")
    for first in names:
        for second in sorted(set(names) - {first}):
            position = game.start().play(first).play(second)
            gnugo.ask("clear_board", f"play black {first}", f"play white {second}")
            answers = gnugo.ask(*(f"is_legal black {name}" for name in names))
            legal = set(position.legal_moves()) - {"pass"}
            assert {name for name, answer in zip(names, answers, strict=True) if answer == "1"} == legal
