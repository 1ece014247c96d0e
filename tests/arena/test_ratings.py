"""Ratings against choix, statsmodels' logistic regression, closed forms and simulated tournaments."""

import json
import math

import choix
import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, strategies as st

from montego.arena.ratings import ELO_PER_NAT, bradley_terry
from montego.arena.statistics import elo, expected_rate
from montego.errors import MontegoError

NAMES = ["ann", "bob", "cid", "dan"]


def tournament(truth, advantage, rounds, seed, draws=0.0):
    """Play every ordered pairing ``rounds`` times between players of known Elo."""
    rng = np.random.default_rng(seed)
    names = list(truth)
    results = []
    for first in names:
        for second in names:
            for _ in range(rounds if first != second else 0):
                rate = expected_rate(truth[first] - truth[second] + advantage)
                drawn = rng.random() < draws * min(rate, 1 - rate) * 2
                results.append((first, second, 0.5 if drawn else float(rng.random() < rate)))
    return results


STRENGTHS = dict(zip(NAMES, [120.0, 40.0, -10.0, -150.0]))


def regression(results, names, *, advantage=True, virtual=()):
    """Fit the same model as a binomial GLM, the first player's rating held at 0; return coefficients and covariance."""
    rows = [(first, second, score, 1.0) for first, second, score in results] + list(virtual)
    design = np.zeros((len(rows), len(names) + 1))
    for row, (first, second, _, _) in enumerate(rows):
        design[row, names.index(first)] += 1
        design[row, names.index(second)] -= 1
        design[row, -1] = 1
    design = design[:, 1:] if advantage else design[:, 1:-1]
    weights = np.array([weight for *_, weight in rows])
    scores = np.array([score for _, _, score, _ in rows])
    model = sm.GLM(scores, design, family=sm.families.Binomial(), freq_weights=weights)
    fit = model.fit(tol=1e-12, scale=1.0)
    return fit.params * ELO_PER_NAT, fit.cov_params() * ELO_PER_NAT**2


def in_order(ratings, names):
    order = [[entry.player for entry in ratings.entries].index(name) for name in names]
    return np.array([ratings[name].elo for name in names]), ratings.covariance[np.ix_(order, order)]


def test_two_players_have_the_closed_form():
    results = (
        [("ann", "bob", 1.0)] * 9 + [("ann", "bob", 0.0)] * 3 + [("bob", "ann", 1.0)] * 3 + [("bob", "ann", 0.0)] * 9
    )
    ratings = bradley_terry(results, prior=0)
    difference, (low, high) = ratings.difference("ann", "bob")
    assert difference == pytest.approx(elo(0.75))
    assert high - difference == pytest.approx(1.959964 * ELO_PER_NAT / math.sqrt(24 * 0.75 * 0.25))
    assert low == pytest.approx(2 * difference - high)
    assert ratings.advantage == pytest.approx(0, abs=1e-9)
    assert [entry.player for entry in ratings.entries] == ["ann", "bob"]
    assert ratings["ann"].elo == pytest.approx(difference / 2)
    assert ratings["ann"].rate == 0.75
    assert ratings["ann"].games == 24


def test_two_players_with_the_prior_have_one_more_draw():
    ratings = bradley_terry([("ann", "bob", 1.0), ("bob", "ann", 0.0)] * 10)
    assert ratings.difference("ann", "bob")[0] == pytest.approx(elo(20.5 / 21))
    stronger = bradley_terry([("ann", "bob", 1.0), ("bob", "ann", 0.0)] * 10, prior=3)
    assert stronger.difference("ann", "bob")[0] == pytest.approx(elo(21.5 / 23))


def test_advantage_alone_has_the_closed_form():
    results = [("ann", "bob", 1.0), ("bob", "ann", 1.0)] * 7 + [("ann", "bob", 0.0), ("bob", "ann", 0.0)] * 3
    ratings = bradley_terry(results, prior=0)
    assert ratings.advantage == pytest.approx(elo(0.7))
    assert ratings.difference("ann", "bob")[0] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_choix_finds_the_same_ratings(seed):
    results = tournament(STRENGTHS, 0, 15, seed)
    ratings = bradley_terry(results, NAMES, prior=0, first_player_advantage=False)
    wins = [(first, second) if score else (second, first) for first, second, score in results]
    theirs = choix.ilsr_pairwise(4, [(NAMES.index(won), NAMES.index(lost)) for won, lost in wins], tol=1e-12)
    ours, _ = in_order(ratings, NAMES)
    assert ours == pytest.approx((theirs - theirs.mean()) * ELO_PER_NAT, abs=1e-4)
    assert ratings.advantage == 0
    assert ratings.advantage_interval == (0, 0)
    assert "Moving first is taken to be worth nothing." in str(ratings)


@pytest.mark.parametrize("advantage", [True, False])
@pytest.mark.parametrize("draws", [0.0, 0.5])
def test_logistic_regression_finds_the_same_ratings_and_covariance(advantage, draws):
    results = tournament(STRENGTHS, 60, 10, 5, draws)
    ratings = bradley_terry(results, NAMES, prior=0, anchor="ann", first_player_advantage=advantage)
    theirs, their_covariance = regression(results, NAMES, advantage=advantage)
    ours, covariance = in_order(ratings, NAMES)
    assert ours == pytest.approx([0, *theirs[:3]], abs=1e-5)
    assert covariance[1:, 1:] == pytest.approx(their_covariance[:3, :3], rel=1e-5)
    assert not covariance[0].any()
    if advantage:
        error = 1.959964 * math.sqrt(their_covariance[3, 3])
        assert ratings.advantage == pytest.approx(theirs[3], abs=1e-5)
        assert ratings.advantage_interval == pytest.approx((theirs[3] - error, theirs[3] + error), abs=1e-3)


def test_without_an_anchor_covariance_is_that_about_the_mean():
    results = tournament(STRENGTHS, 60, 10, 5)
    _, covariance = in_order(bradley_terry(results, NAMES, prior=0), NAMES)
    _, reduced = regression(results, NAMES)
    full = np.zeros((4, 4))
    full[1:, 1:] = reduced[:3, :3]
    centring = np.eye(4) - 1 / 4
    assert covariance == pytest.approx(centring @ full @ centring, rel=1e-5)
    assert covariance.sum(axis=0) == pytest.approx(np.zeros(4), abs=1e-8)


def test_the_prior_is_virtual_draws_in_the_regression():
    # ann met bob 6 times and cid twice, bob and cid never met: shares of games 6/8, 2/8 and, for bob and cid, all.
    results = [("ann", "bob", 1.0)] * 3 + [("bob", "ann", 0.0)] * 3 + [("ann", "cid", 1.0), ("cid", "ann", 0.0)]
    names = ["ann", "bob", "cid"]
    ratings = bradley_terry(results, names, prior=2.0, anchor="ann")
    virtual = []
    for other, share in (("bob", 6 / 8), ("cid", 2 / 8)):
        draws = 2.0 * (share + 1) / 2
        virtual += [("ann", other, 0.5, draws / 2), (other, "ann", 0.5, draws / 2)]
    theirs, their_covariance = regression(results, names, virtual=virtual)
    ours, covariance = in_order(ratings, names)
    assert ours == pytest.approx([0, *theirs[:2]], abs=1e-4)
    assert covariance[1:, 1:] == pytest.approx(their_covariance[:2, :2], rel=1e-4)


def test_the_prior_hardly_changes_a_long_ladder():
    # Twenty players, neighbours 100 Elo apart with exactly the expected scores: errors must not add up along the
    # ladder.
    names = [f"p{number}" for number in range(20)]
    wins = round(100 * expected_rate(100))
    results = []
    for better, worse in zip(names[1:], names):
        for first, second, won in ((better, worse, wins), (worse, better, 100 - wins)):
            results += [(first, second, 1.0)] * won + [(first, second, 0.0)] * (100 - won)
    ratings = bradley_terry(results)
    assert ratings.difference("p19", "p0")[0] == pytest.approx(19 * elo(wins / 100), rel=0.01)


def test_differences_use_the_covariance():
    ratings = bradley_terry(tournament(STRENGTHS, 60, 10, 5), NAMES, anchor="ann")
    other = bradley_terry(tournament(STRENGTHS, 60, 10, 5), NAMES, anchor="dan")
    mean = bradley_terry(tournament(STRENGTHS, 60, 10, 5), NAMES)
    for pair in (("bob", "cid"), ("ann", "dan"), ("cid", "ann")):
        one, two, three = (table.difference(*pair) for table in (ratings, other, mean))
        assert one[0] == pytest.approx(two[0])
        assert one[0] == pytest.approx(three[0])
        assert one[1] == pytest.approx(two[1])
        assert one[1] == pytest.approx(three[1])
    assert ratings.difference("bob", "bob") == (0, (0, 0))
    difference, interval = ratings.difference("dan", "ann")
    assert ratings["dan"].elo == difference
    assert ratings["dan"].interval == pytest.approx(interval)


def test_a_player_who_won_everything_is_finite_with_the_prior_only():
    results = (
        tournament(STRENGTHS, 0, 5, 1) + [("eva", name, 1.0) for name in NAMES] + [(name, "eva", 0.0) for name in NAMES]
    )
    ratings = bradley_terry(results)
    assert ratings.entries[0].player == "eva"
    assert 200 < ratings["eva"].elo < 1000
    with pytest.raises(MontegoError, match="no finite ratings"):
        bradley_terry(results, prior=0)


def test_groups_of_winners_without_prior_are_refused():
    # Nobody has 0 % or 100 %, but ann and bob beat cid and dan every time.
    inner = [("ann", "bob", 1.0), ("bob", "ann", 1.0), ("cid", "dan", 1.0), ("dan", "cid", 1.0)]
    outer = [(high, low, 1.0) for high in NAMES[:2] for low in NAMES[2:]]
    with pytest.raises(MontegoError, match="no finite ratings"):
        bradley_terry(inner + outer, prior=0, first_player_advantage=False)
    ratings = bradley_terry(inner + outer)
    assert {entry.player for entry in ratings.entries[:2]} == {"ann", "bob"}


def test_games_with_one_colour_only_cannot_give_the_advantage():
    results = [("ann", "bob", 1.0)] * 3 + [("ann", "bob", 0.0)]
    with pytest.raises(MontegoError, match="swap colours"):
        bradley_terry(results, prior=0)
    assert bradley_terry(results, prior=0, first_player_advantage=False).difference("ann", "bob")[0] == pytest.approx(
        elo(0.75)
    )
    confounded = bradley_terry(results)
    assert confounded.difference("ann", "bob")[1][0] < 0 < confounded.advantage_interval[1]


def test_groups_without_common_games_are_told_apart():
    results = tournament({"ann": 100, "bob": 0}, 0, 10, 1) + tournament({"cid": 0, "dan": 50, "eva": 100}, 0, 10, 2)
    ratings = bradley_terry(results, [*NAMES, "eva", "fay"])
    assert sorted(map(sorted, ratings.groups)) == [["ann", "bob"], ["cid", "dan", "eva"], ["fay"]]
    assert len(ratings.groups[0]) == 3
    for group in ratings.groups[:2]:
        assert sum(ratings[name].elo for name in group) == pytest.approx(0, abs=1e-6)
        assert [ratings[name].elo for name in group] == sorted((ratings[name].elo for name in group), reverse=True)
    assert ratings.ranks() == [1, 2, 3, 1, 2, 1]
    difference, interval = ratings.difference("ann", "cid")
    assert math.isnan(difference)
    assert interval == (-math.inf, math.inf)
    assert math.isnan(ratings["fay"].elo)
    assert "No games link these groups" in str(ratings)
    assert "Without games: fay." in str(ratings)
    anchored = bradley_terry(results, [*NAMES, "eva", "fay"], anchor="bob")
    assert anchored.groups[0][:2] in (("ann", "bob"), ("bob", "ann"))
    assert anchored["bob"].elo == 0
    assert anchored.difference("ann", "bob")[1] == pytest.approx(ratings.difference("ann", "bob")[1])


def test_no_games_at_all():
    assert bradley_terry([]).entries == ()
    ratings = bradley_terry([], ["ann", "bob"])
    assert all(math.isnan(entry.elo) for entry in ratings.entries)
    assert math.isnan(ratings.advantage)
    assert "Without games: ann, bob." in str(ratings)
    assert json.loads(json.dumps(ratings.as_dict(), allow_nan=False))["ratings"][0]["elo"] is None


def test_json_and_text():
    ratings = bradley_terry(tournament(STRENGTHS, 60, 25, 5), NAMES, anchor="bob")
    data = json.loads(json.dumps(ratings.as_dict(), allow_nan=False))
    assert [line["player"] for line in data["ratings"]] == [entry.player for entry in ratings.entries]
    assert data["anchor"] == "bob"
    assert np.array(data["covariance"]) == pytest.approx(ratings.covariance)
    lines = str(ratings).splitlines()
    assert lines[0].split() == ["player", "Elo", "95", "%", "games", "score"]
    assert lines[1].split()[:2] == ["1", "ann"]
    assert lines[-1].startswith("Elo: bob has 0. Moving first is worth +")
    assert len({len(line) for line in lines[:5]}) == 1  # columns line up


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"results": [("ann", "bob", 2)]}, "a result is"),
        ({"results": [("ann", "bob", math.nan)]}, "a result is"),
        ({"results": [("ann", "bob")]}, "a result is"),
        ({"results": [("ann", "ann", 1)]}, "two different players"),
        ({"results": [("ann", "bub", 1)], "players": ["ann", "bob"]}, "did you mean 'bob'"),
        ({"results": [], "players": ["ann", "ann"]}, "listed twice"),
        ({"results": [("ann", "bob", 1)], "anchor": "bib"}, "did you mean 'bob'"),
        ({"results": [("ann", "bob", 1)], "prior": -1}, "prior must be 0"),
        ({"results": [("ann", "bob", 1)], "prior": math.nan}, "prior must be 0"),
        ({"results": [("ann", "bob", 1)], "prior": math.inf}, "prior must be 0"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    with pytest.raises(MontegoError, match=message):
        bradley_terry(**arguments)


def test_an_unknown_player_is_refused():
    with pytest.raises(MontegoError, match="did you mean 'ann'"):
        bradley_terry([("ann", "bob", 1)])["anne"]


result_lists = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from([0.0, 0.5, 1.0])).filter(
        lambda result: result[0] != result[1]
    ),
    min_size=1,
    max_size=40,
)


@given(result_lists)
def test_turning_all_results_round_turns_the_ratings_round(results):
    ours = bradley_terry(results, NAMES)
    theirs = bradley_terry([(first, second, 1 - score) for first, second, score in results], NAMES)
    for name in NAMES:
        assert ours[name].elo == pytest.approx(-theirs[name].elo, abs=1e-4, nan_ok=True)
    assert ours.advantage == pytest.approx(-theirs.advantage, abs=1e-4)


@given(result_lists)
def test_at_the_ratings_expected_scores_are_the_scores(results):
    # The likelihood equations: with the virtual draws, everybody's expected points are the points made.
    ratings = bradley_terry(results, NAMES)
    games = {
        (one, two): sum({first, second} == {one, two} for first, second, _ in results) for one in NAMES for two in NAMES
    }
    for name in NAMES:
        if not ratings[name].games:
            continue
        made = expected = 0.0
        for first, second, score in results:
            if name in (first, second):
                rate = expected_rate(ratings.difference(first, second)[0] + ratings.advantage)
                made += score if name == first else 1 - score
                expected += rate if name == first else 1 - rate
        for other in NAMES:
            if other != name and games[name, other]:
                share = games[name, other] / ratings[name].games + games[name, other] / ratings[other].games
                made += share / 4
                difference = ratings.difference(name, other)[0]
                for moves_first in (ratings.advantage, -ratings.advantage):
                    expected += share / 4 * expected_rate(difference + moves_first)
        assert expected == pytest.approx(made, abs=1e-6)


@given(result_lists, st.sampled_from(NAMES[1:]))
def test_a_further_win_against_an_opponent_raises_the_difference(results, other):
    both = [("ann", other, 1.0), (other, "ann", 0.0)]
    before = bradley_terry([*results, ("ann", other, 0.5), (other, "ann", 0.5)]).difference("ann", other)[0]
    after = bradley_terry([*results, *both]).difference("ann", other)[0]
    assert after > before


# Among 500 tournaments, the standard error of a coverage of 0.95 is 0.0097; five of them on either side, so each of the
# four checks fails by chance less than once in a million. The coverages found are 0.946 to 0.968.
def test_intervals_cover_the_truth():
    pairs = [("ann", "dan"), ("bob", "cid")]
    covered = dict.fromkeys([*pairs, "advantage", "ann"], 0)
    for seed in range(500):
        ratings = bradley_terry(tournament(STRENGTHS, 60, 8, seed), NAMES)
        for pair in pairs:
            low, high = ratings.difference(*pair)[1]
            covered[pair] += low <= STRENGTHS[pair[0]] - STRENGTHS[pair[1]] <= high
        covered["advantage"] += ratings.advantage_interval[0] <= 60 <= ratings.advantage_interval[1]
        low, high = ratings["ann"].interval
        covered["ann"] += low <= 120 - sum(STRENGTHS.values()) / 4 <= high
    for count in covered.values():
        assert 0.90 < count / 500 < 0.999


def test_a_hundred_players_take_a_moment():
    rng = np.random.default_rng(1)
    truth = {f"p{number}": float(rating) for number, rating in enumerate(rng.normal(0, 200, 100))}
    ratings = bradley_terry(tournament(truth, 30, 1, 2))
    errors = [(ratings[name].elo - rating + np.mean(list(truth.values()))) for name, rating in truth.items()]
    assert np.std(errors) < 40
    assert ratings.advantage == pytest.approx(30, abs=20)


def test_level_players_keep_their_order():
    """Six lost every game to the best, so that only the last digits of their ratings differ, if any."""
    losers = ["f", "b", "e", "a", "d", "c"]
    results = [("best", one, 1.0) for one in losers] + [(one, "best", 0.0) for one in losers]
    assert [one.player for one in bradley_terry(results * 5, [*losers, "best"]).entries] == ["best", *losers]
