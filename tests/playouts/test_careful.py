"""Careful playouts: self-ataris of another policy are corrected or refused, and it learns what was played instead."""

from collections import Counter

import pytest

import montego as mg
from montego.errors import MontegoError
from montego.games import Position, game
from montego.games.go.self_atari import is_self_atari
from montego.games.rules import is_over, to_move
from montego.playouts import HISTORY, PLAYOUTS, Careful, Softmax, Uniform, advance, begin, new_trace, next_move
from montego.rng import stream


def played(policy, picture, draws=300):
    """Count what a policy plays for Black on a board of 5×5, columns A to E from the left, rows 5 to 1 from the top."""
    go = mg.Go(size=5)
    position = Position.from_text(go, picture)
    memory, rng, trace = policy.new_memory(go), stream(1), new_trace(go)
    moves = [
        next_move(policy, go, memory, position.state, rng, trace, HISTORY, go.new_moves()) for _ in range(draws)
    ]  # fmt: skip
    return Counter(go.move_name(int(move)) for move in moves)


@pytest.mark.both_modes
def test_a_self_atari_is_refused():
    """A5 is a self-atari, and so is A4, what it leaves."""
    picture = ".O... .O... O.... ..... ....."
    made = played(Uniform(), picture)["A5"]
    assert made > 5
    assert played(Careful(refuse=0.0, correct=0.0), picture) == played(Uniform(), picture)
    assert played(Careful(refuse=1.0, correct=0.0), picture)["A5"] == 0  # after eight draws it might be made
    assert played(Careful(refuse=0.0, correct=1.0), picture)["A5"] > 5


@pytest.mark.both_modes
def test_a_self_atari_is_corrected():
    """B5 would leave the chain on A5 and A4 the liberty A3, where it gets three."""
    picture = "X.O.. XO... ..... ..... ....."
    plain, corrected = (played(Careful(refuse=0.0, correct=p), picture, 400) for p in (0.0, 1.0))
    assert plain["B5"] > 5
    assert corrected["B5"] == 0
    assert corrected["A3"] > 1.4 * plain["A3"]


@pytest.mark.both_modes
def test_the_policy_inside_keeps_its_weights_by_what_was_played():
    go, policy = game("go(size=5)"), Careful(refuse=1.0, correct=1.0, fallback=Softmax())
    memory, fresh = policy.new_memory(go), Softmax().new_memory(go)
    state, trace, rng = go.start().state, new_trace(go), stream(2)
    end, doubtful = HISTORY, 0
    begin(policy, go, memory, state, trace, end)
    while end < len(trace) and not is_over(go, state):
        begin(policy.fallback, go, fresh, state, trace, end)
        assert (memory.inner.board["weight"] == fresh.board["weight"]).all()
        move = next_move(policy, go, memory, state, rng, trace, end, go.new_moves())
        doubtful += bool(move != 0 and is_self_atari(state, move))
        assert to_move(go, state) == (end - HISTORY) % 2
        advance(policy, go, memory, state, trace, end, move)
        end += 1
    assert is_over(go, state)
    assert doubtful < (end - HISTORY) / 5


@pytest.mark.parametrize(
    "playout",
    ["careful", "careful(fallback=softmax(power=2))", "lgrf(fallback=careful(fallback=softmax))", "cut(policy=careful)",
     "careful(fallback=wls)", "rules(fallback=softmax(power=2))"],
)  # fmt: skip
def test_it_works_where_policies_do(playout):
    go = game("go(size=5)")
    for player in ("uct(playouts=60, rave=silver, threads=2, playout={})", "flat(playouts=60, playout={})"):
        assert mg.player(player.format(playout), go, seed=1).choose(go.start()) in go.start().legal_moves()


def test_other_games_are_refused():
    with pytest.raises(MontegoError, match=r"careful knows self-ataris of Go only, not of hex"):
        PLAYOUTS.build("careful").new_memory(game("hex(size=3)"))
