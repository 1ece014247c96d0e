"""Decisions of recorded Go games: every candidate and every feature as a plain loop over the position finds them."""

import numpy as np
import pytest

import montego.games as mg
from montego.errors import MontegoError
from montego.games import rules
from montego.games.go import patterns
from montego.games.go.previous_move import feature_room, previous_move_features
from montego.learning.decisions import Decisions
from montego.learning.evaluation import evaluate
from montego.learning.go import PLAYOUT_COLUMNS, playout_decisions
from montego.learning.mm import Training, train, untrained
from montego.learning.records import PASS, RecordedGame, parse_games
from montego.learning.replay import Selection, held_out
from montego.rng import stream

SIZE = 5


def random_record(seed, size=SIZE, length=40):
    """Return a game of random moves as a record."""
    game = mg.Go(size=size)
    state, scratch, rng = game.new_state(), game.new_moves(), stream(seed)
    rules.start(game, state)
    places = []
    points = [*game.point_numbers()]
    for _ in range(length):
        move = int(rules.random_move(game, state, rng, scratch))
        places.append(points.index(move) if move else PASS)
        rules.play(game, state, move)
        if rules.is_over(game, state):
            break
    colours = np.arange(len(places)) % 2 + 1
    return RecordedGame(size, size, colours.astype(np.uint8), np.array(places, np.int16))


def expected_decisions(record):
    """Yield for every move the candidates, (pattern, features) -> how many, and the numbers of the chosen one."""
    game = mg.Go(size=record.width, height=record.height)
    state, moves, table = game.new_state(), game.new_moves(), patterns.pattern_numbers()
    rules.start(game, state)
    last = before_last = 0
    for place in record.places.tolist():
        move = game.point_numbers()[place] if place != PASS else 0
        room = feature_room(game.move_limit())
        previous_move_features(state, last, before_last, room)
        candidates = moves[: rules.playout_moves(game, state, moves)].tolist()
        if move in candidates and move:
            teams = {p: (int(patterns.pattern_number(state, p, table)), int(room.sets[p])) for p in candidates}
            counts = {team: list(teams.values()).count(team) for team in teams.values()}
            yield counts, teams[move]
        before_last, last = last, move
        rules.play(game, state, move)


def listed(decisions: Decisions):
    """Yield decisions in the same form."""
    for number in range(decisions.size):
        rows = slice(decisions.starts[number], decisions.starts[number + 1])
        counts: dict[tuple[int, int], int] = {}
        for (pattern, features), count in zip(decisions.values[rows].tolist(), decisions.counts[rows].tolist()):
            counts[pattern, features] = counts.get((pattern, features), 0) + count
        yield counts, tuple(decisions.values[decisions.starts[number] + decisions.winners[number]].tolist())


@pytest.mark.both_modes
def test_decisions_are_those_of_a_plain_loop():
    records = [random_record(seed) for seed in range(3)]
    decisions = playout_decisions(records)
    decisions.check(PLAYOUT_COLUMNS)
    assert list(listed(decisions)) == [choice for record in records for choice in expected_decisions(record)]
    assert decisions.size > 60


def test_a_larger_board_merges_equal_candidates():
    decisions = playout_decisions([random_record(7, 9, 60)])
    assert list(listed(decisions)) == list(expected_decisions(random_record(7, 9, 60)))
    assert decisions.candidates > 1.5 * len(decisions.values)
    plain = decisions.values[:, 1] == 0
    for number in range(decisions.size):
        rows = np.arange(decisions.starts[number], decisions.starts[number + 1])
        alone = decisions.values[rows[plain[rows]], 0]
        assert len(set(alone.tolist())) == len(alone)


def test_handicap_stones_moves_out_of_turn_and_moves_after_two_passes():
    (record,) = parse_games(b"(;SZ[5]AB[bb][dd];W[cc];W[cd];B[];W[];B[ca];W[aa])")
    decisions = playout_decisions([record])
    assert decisions.size == 4
    assert decisions.counts[: decisions.starts[1]].sum() == 23
    second = slice(decisions.starts[1], decisions.starts[2])
    assert not decisions.values[second, 1].any()  # White's second move in a row has no previous move
    assert decisions.counts[decisions.starts[3] :].sum() <= 20


def test_an_illegal_move_ends_its_game_and_is_noted():
    good = random_record(1)
    bad = good._replace(places=np.concatenate([good.places[:6], good.places[:1], good.places[6:]]).astype(np.int16))
    bad = bad._replace(colours=(np.arange(len(bad.places)) % 2 + 1).astype(np.uint8))
    problems: list[str] = []
    seen: list[int] = []
    decisions = playout_decisions([good, bad], problems=problems, progress=seen.append)
    assert problems == ["game 2: move 7 is illegal"]
    assert seen == [1, 2]
    assert decisions.size == playout_decisions([good]).size + 6


def test_a_selection_by_strength_and_by_chance():
    record = random_record(2)._replace(ranks=("1d", "9k"))
    everything = list(listed(playout_decisions([record])))
    strong = list(listed(playout_decisions([record], Selection("stronger"))))
    assert strong == everything[::2][: len(strong)]
    assert 0 < len(everything) - 2 * len(strong) + 1 < 4
    some = playout_decisions([record] * 20, Selection(share=0.25, seed=3))
    assert 0.15 < some.size / (20 * len(everything)) < 0.35
    again = playout_decisions([record] * 20, Selection(share=0.25, seed=3))
    assert all(np.array_equal(a, b) for a, b in zip(some, again, strict=True))
    for bad in (Selection("weaker"), Selection(share=0), Selection(share=1.5)):
        with pytest.raises(MontegoError, match="a selection is"):
            playout_decisions([record], bad)


def test_the_number_of_threads_changes_nothing():
    records = [random_record(seed) for seed in range(12)]
    one = playout_decisions(records, Selection(share=0.5), threads=1)
    for threads in (2, 7):
        other = playout_decisions(records, Selection(share=0.5), threads=threads)
        assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_held_out_games_are_not_learnt_from():
    games = [random_record(seed, 3, 4) for seed in range(7)]
    learnt, test = held_out(games, 3)
    assert [id(game) for game in test] == [id(games[k]) for k in (0, 3, 6)]
    assert len(learnt) == 4
    with pytest.raises(MontegoError, match="at least 2"):
        held_out(games, 1)


def test_weights_from_records_predict_the_moves_of_the_records():
    decisions = playout_decisions([random_record(seed, 7, 12) for seed in range(4)])
    fit = train(decisions, PLAYOUT_COLUMNS, Training(sweeps=30))
    before = evaluate(decisions, PLAYOUT_COLUMNS, untrained(PLAYOUT_COLUMNS).gammas)
    after = evaluate(decisions, PLAYOUT_COLUMNS, fit.gammas)
    assert [len(gamma) for gamma in fit.gammas] == [2052] + 7 * [2]
    assert after.log_likelihood > before.log_likelihood + 0.2
    assert after.top1 > 2 * before.top1
