"""Playouts by rules: what each rule proposes on small boards, how rules are chosen, and every place a policy works."""

from collections import Counter

import numpy as np
import pytest

import montego as mg
from montego.errors import MontegoError, SpecError
from montego.games import Position, game, rules
from montego.kernels import INTERPRETED
from montego.playouts import HISTORY, PLAYOUTS, Rules, move_values, move_weights, new_trace, next_move
from montego.playouts.rules.suggestions import (
    CAPTURE,
    EYE_SPACE,
    ROOM,
    SAVE,
    TWO_LIBERTIES,
    situation,
    suggest_capture,
    suggest_nakade,
    suggest_saves,
    suggest_shapes,
    suggest_two_liberties,
)
from montego.playouts.rules.weights import SIMULATIONS
from montego.rng import stream

OFF = Rules(**{name: 0.0 for name in Rules._fields if name != "fallback"})
SUGGEST = {
    "capture": suggest_capture,
    "save": suggest_saves,
    "nakade": suggest_nakade,
    "two_liberties": suggest_two_liberties,
}
BITS = {"capture": CAPTURE, "save": SAVE, "nakade": EYE_SPACE, "two_liberties": TWO_LIBERTIES}


def after(picture, *moves):
    """Return a position on a square board after moves that end with White's: Black (X) is to move.

    Columns A to E from the left, rows 5 to 1 from the top.
    """
    go = mg.Go(size=len(picture.split()))
    position = Position.from_text(go, picture, to_move=len(moves) % 2)
    for move in moves:
        position.play(move)
    assert position.to_move == 0
    return position


def proposed(rule, position):
    """Return the names of the points that a rule proposes."""
    go, last, room = position.game, position.moves[-1], np.zeros(ROOM, np.int64)
    if not situation(position.state, last) & BITS[rule]:
        return set()
    points = room[: SUGGEST[rule](position.state, last, room)].tolist()
    assert len(set(points)) == len(points)
    return {go.move_name(point) for point in points}


def traced(position):
    """Return a trace with the moves of a position, and their end."""
    trace, end = new_trace(position.game), HISTORY + len(position.moves)
    trace[HISTORY:end] = position.moves
    return trace, end


def played(policy, position, draws=60):
    """Count what a policy plays in a position."""
    go, memory, rng = position.game, policy.new_memory(position.game), stream(1)
    trace, end = traced(position)
    moves = [
        next_move(policy, go, memory, position.copy().state, rng, trace, end, go.new_moves()) for _ in range(draws)
    ]
    return Counter(go.move_name(int(move)) for move in moves)


# --------------------------------------------------------------------------------------------------------- single rules


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("rule", "picture", "last", "expected"),
    [
        # The last stone is in atari, or it is not; an older one in atari does not count.
        ("capture", "X.... ..... ..... ..... .....", "B5", set()),
        ("capture", ".X... X.X.. ..... ..... .....", "B4", {"B3"}),
        ("capture", "OX... ..... ..... ..... .....", "E1", set()),
        # Save by extending; not into self-atari; by capturing the attacker; nothing if it has liberties.
        ("save", "..... .OXO. ..... ..... .....", "C5", {"C3"}),
        ("save", "..... ..... .OXO. .O.O. .....", "C4", set()),
        ("save", "..... .X... XOX.. ..O.. .....", "D3", {"B2", "C4"}),
        ("save", "..... .OX.. ..... ..... .....", "C3", set()),
        ("save", "XO... ..... ..... ..... .....", "E1", set()),
        # The middle of three points; not where a stone of mine is inside or the space is wide.
        ("nakade", "..... OOOO. ..... ..... .....", "D5", {"B5"}),
        ("nakade", "..... OOOX. ..... ..... .....", "D5", {"B5"}),
        ("nakade", ".X... OOOO. ..... ..... .....", "D5", set()),
        ("nakade", "..... ..... ..... ..... .....", "C3", set()),
        # Two liberties: keep the last stone from gaining any, or gain some for a chain of mine beside it.
        ("two_liberties", "..X.. ..... ..X.. ..... .....", "C4", {"B4", "D4", "B5", "D5"}),
        ("two_liberties", "..... ..X.. .OX.. ..... .....", "D3", set()),
        ("two_liberties", "..O.. ..X.. .O... ..... .....", "B4", {"C3", "D4"}),
        ("two_liberties", "..... ..... ..X.. ..... .....", "D2", set()),
    ],
)
def test_what_a_rule_proposes(rule, picture, last, expected):
    assert proposed(rule, after(picture, last)) == expected


def shapes(position):
    """Return the names of the points that the rule of patterns proposes."""
    trace, end = traced(position)
    memory = Rules().new_memory(position.game)
    count = suggest_shapes(position.state, int(trace[end - 1]), int(trace[end - 2]), memory.patterns, memory.room)
    points = memory.room[:count].tolist()
    assert len(set(points)) == len(points)
    return {position.game.move_name(point) for point in points}


@pytest.mark.both_modes
def test_patterns_beside_the_last_two_moves():
    lone = "....... ....... ....... ....... ....... ....... ......."
    assert shapes(after(lone, "D4")) == set()
    contact = "....... ....... ....... ...X... ....... ....... ......."
    assert shapes(after(contact, "E4")) == {"D5", "D3", "E5", "E3"}
    # The fight is at the last move but one: Black's D4 beside White's E4, and White has just played far away.
    fight = "....... ....... ....... ....O.. ....... ....... ......."
    assert shapes(after(fight, "D4", "A1")) == {"D5", "D3", "E5", "E3"}
    # A point beside both moves is proposed once, and nothing that is beside neither.
    assert shapes(after(contact, "pass", "E4")) == {"D5", "D3", "E5", "E3"}
    assert shapes(after(lone.replace(".......", "XO.....", 1), "pass", "G1")) == set()


# ------------------------------------------------------------------------------------------------------------- a policy


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("rule", "picture", "last", "expected"),
    [
        ("capture", ".X... X.X.. ..... ..... .....", "B4", {"B3"}),
        ("save", "..... .OXO. ..... ..... .....", "C5", {"C3"}),
        ("nakade", "..... OOOO. ..... ..... .....", "D5", {"B5"}),
        ("two_liberties", "..X.. ..... ..X.. ..... .....", "C4", {"B4", "D4", "B5", "D5"}),
        ("patterns", "..... ..... ..X.. ..... .....", "D3", {"C4", "D4", "C2", "D2"}),
    ],
)
def test_a_rule_alone_decides_as_often_as_it_should(rule, picture, last, expected):
    position = after(picture, last)
    assert set(played(OFF._replace(**{rule: 1.0}), position)) == expected
    always, half, never = (
        sum(count for move, count in played(OFF._replace(**{rule: p}), position, 200).items() if move in expected)
        for p in (1.0, 0.5, 0.0)
    )
    # The rest is uniform over up to 23 points; four standard deviations of 200 draws: one failure in 15,000.
    assert always == 200
    assert 100 - 28 < half < 120 + 28
    assert never < 35 + 22


@pytest.mark.both_modes
def test_the_first_rule_that_can_move_does():
    """White's D3 is in atari, and so is Black's C3: the capture comes first, then the extension, then chance."""
    position = after("..... ..OX. .OX.. ...X. .....", "D3")
    assert set(played(Rules(capture=1), position)) == {"E3"}
    assert set(played(Rules(capture=0, save=1), position)) == {"C2", "E3"}
    assert len(played(OFF, position)) > 5


@pytest.mark.both_modes
def test_suggestions_that_a_playout_may_not_make_are_left_out():
    """White takes a ko at C4. The last stone is in atari, but retaking it at once is forbidden."""
    position = after(".OX.. OX.X. .OX.. ..... .....", "C4")
    assert proposed("capture", position) == {"B4"}
    assert "B4" not in played(Rules(capture=1), position)


@pytest.mark.both_modes
def test_self_atari_is_refused_corrected_or_made():
    """The last move was a pass, so that every move is random. A5 is a self-atari, and so is A4, what it leaves."""
    position = after(".O... .O... O.... ..... .....", "pass")
    made = played(OFF, position, 300)["A5"]
    assert made > 5
    assert played(OFF._replace(random_self_atari=1.0), position, 300)["A5"] < made / 2
    assert played(OFF._replace(correction=1.0), position, 300)["A5"] > 5


@pytest.mark.both_modes
def test_a_correction_plays_the_liberty_that_the_self_atari_would_leave():
    """B5 would leave the chain on A5 and A4 the liberty A3, where it gets three."""
    position = after("X.O.. XO... ..... ..... .....", "pass")
    plain, corrected = (played(OFF._replace(correction=p), position, 400) for p in (0.0, 1.0))
    assert plain["B5"] > 5
    assert corrected["B5"] == 0
    assert corrected["A3"] > 1.4 * plain["A3"]


@pytest.mark.both_modes
def test_without_a_history_or_after_a_pass_moves_are_uniform():
    assert len(played(Rules(), game("go(size=3)").start(), 200)) == 9
    go = game("go(size=5)")
    assert (
        next_move(
            Rules(), go, Rules().new_memory(go), go.start().state, stream(3), new_trace(go), HISTORY, go.new_moves()
        )
        > 0
    )


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", ["go(size=2, height=1)", "go(size=3)", "go(size=4, height=2)", "go(size=5)"])
def test_every_move_of_its_playouts_may_be_made(spec):
    go = game(spec)
    policy, moves = Rules(), go.new_moves()
    memory = policy.new_memory(go)
    for seed in range(8):
        position, trace, end = go.start(), new_trace(go), HISTORY
        while not rules.is_over(go, position.state) and end < len(trace):
            allowed = moves[: rules.playout_moves(go, position.state, moves)].tolist()
            move = int(next_move(policy, go, memory, position.state, stream(seed, end), trace, end, go.new_moves()))
            assert move in allowed
            rules.play(go, position.state, move)
            trace[end] = move
            end += 1


# ------------------------------------------------------------------------------------------------- weights for the tree


def weights_of(position):
    """Return the weight of each move, by name."""
    go, moves = position.game, position.game.new_moves()
    moves = moves[: rules.search_moves(go, position.state, moves)]
    weights = np.zeros(len(moves))
    trace, end = traced(position)
    move_weights(Rules(), go, Rules().new_memory(go), position.state, trace, end, moves, weights)
    assert (weights > 0).all()
    return {go.move_name(int(move)): weight for move, weight in zip(moves, weights, strict=True)}


@pytest.mark.both_modes
def test_weights_know_captures_saves_self_atari_and_ladders():
    capture = weights_of(after("..... .X... XOX.. ..... .....", "E1"))
    assert capture["B2"] > 3 * max(capture["D3"], capture["C2"], capture["A2"])
    ladder = weights_of(after("....... ..OO... .OX.... ....... ....... ....... .......", "C4"))
    escape = weights_of(after("....... ..OO... .OX.... ....X.. ....... ....... .......", "C4"))
    assert escape["D5"] > 3 * ladder["D5"]  # the black stone on E4 breaks the ladder
    bad = weights_of(after(".O... ..... ..... ..... .....", "E1"))
    assert bad["A5"] < min(bad["A4"], bad["B4"])


@pytest.mark.both_modes
def test_weights_fall_with_the_distance_to_the_last_moves_and_the_pass_comes_last():
    empty = " ".join(["." * 9] * 9)
    found = weights_of(after(empty, "pass", "E5"))
    assert found["E6"] > found["E7"] > found["E8"]
    assert min(found, key=found.__getitem__) == "pass"
    opening = weights_of(after(empty, "C3"))
    assert opening["G1"] < opening["G2"] < opening["G3"]


@pytest.mark.both_modes
def test_initial_values_count_simulations_by_the_logarithm_of_the_weight():
    position = after(".O... ..... ..... ..... .....", "E1")
    go, weights = position.game, weights_of(position)
    moves = np.array([go.parse_move(name) for name in weights], np.int32)
    opinions = np.zeros((2, len(moves)))
    trace, end = traced(position)
    move_values(Rules(), go, Rules().new_memory(go), position.state, trace, end, moves, opinions)
    assert opinions[1] == pytest.approx(SIMULATIONS * np.abs(np.log(list(weights.values()))))
    found = dict(zip(weights, opinions[0].tolist(), strict=True))
    assert (found["A5"], found["pass"], found["E2"]) == (0.0, 0.0, 1.0)


# ----------------------------------------------------------------------------------------------------------- everywhere


def test_specs():
    assert PLAYOUTS.build("rules") == Rules()
    assert PLAYOUTS.build("rules(0, save=0.5)") == Rules()._replace(capture=0.0, save=0.5)
    with pytest.raises(SpecError, match="capture"):
        PLAYOUTS.build("rules(capture=1.5)")


@pytest.mark.parametrize("other", ["hex(size=5)", "y(size=5)", "tictactoe"])
def test_other_games_are_refused_in_one_line(other):
    with pytest.raises(MontegoError, match="rules of thumb of Go") as problem:
        mg.player("uct(playouts=10, playout=rules)", other, seed=1).choose(mg.game(other).start())
    assert "\n" not in str(problem.value)


INTERPRETED_ONLY = pytest.mark.skipif(
    not INTERPRETED, reason="each would compile a search of its own; interpreted is enough"
)


@pytest.mark.both_modes
@pytest.mark.parametrize(
    "spec",
    [
        "uct(playouts=40, rave=silver, playout=rules, prior=rules, bias=5, threads=2)",
        pytest.param("uct(playouts=40, playout=lgrf(2, fallback=wls(fallback=rules)))", marks=INTERPRETED_ONLY),
        pytest.param("uct(playouts=40, rave=silver, playout=pool_rave(fallback=rules))", marks=INTERPRETED_ONLY),
        pytest.param("flat(playouts=60, playout=cut(moves=20, policy=rules))", marks=INTERPRETED_ONLY),
        pytest.param("depth(i=1, playouts=60, playout=rules)", marks=INTERPRETED_ONLY),
    ],
)
def test_it_works_wherever_a_policy_works(spec):
    position = mg.game("go(size=3)").start().play("B2")
    move = mg.player(spec, "go(size=3)", seed=1).choose(position)
    assert move in position.legal_moves()
