"""Pages of results: what they say, and that they stay tables whatever the players are called."""

import json
import re

import pytest

from montego.arena.markdown import cross_table, match_table, notes, page, ratings_table
from montego.arena.ratings import bradley_terry
from montego.arena.sequential import Gsprt
from montego.arena.statistics import summarize
from montego.errors import MontegoError


def result(scores, names, **changes):
    """Return what `montego results --json` prints for {(first name's index, second's): pairs of the first's scores}."""
    games = 2 * sum(map(len, scores.values()))
    played = []
    for (one, two), pairs in scores.items():
        for first, second in pairs:
            played += [(names[one], names[two], first), (names[two], names[one], 1 - second)]
    data = {
        "game": "hex(size=7)",
        "players": [f"uct(playouts={100 * (number + 1)})" for number in range(len(names))],
        "names": list(names),
        "seed": 7,
        "scheduled": games,
        "games": games,
        "complete": True,
        "pairings": [
            {
                "players": list(players),
                **summarize(pairs, [one for pair in pairs for one in (pair[0], 1 - pair[1])]).as_dict(),
            }
            for players, pairs in scores.items()
        ],
        "test": None,
        "ratings": bradley_terry(played, names).as_dict() if len(names) > 2 else None,
        "distinct_games": games,
        "forfeits": [],
        "length_limited": 0,
        "games_not_counted": 0,
        "versions": ["0.1.0"],
    }
    return json.loads(json.dumps(data | changes, allow_nan=False))


MATCH = {(0, 1): [(1, 0)] * 48 + [(1, 1)] * 37 + [(0, 0)] * 15}
ROBIN = {
    (0, 1): [(0, 0)] * 7 + [(1, 0)] * 3,
    (0, 2): [(0, 0.5)] * 7 + [(1, 1)] * 3,
    (1, 2): [(1, 1)] * 5 + [(0, 1)] * 5,
}


def cells(text):
    """Read every table of a page into lists of cells; a bar with a backslash does not separate cells."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


def test_a_match():
    text = page(result(MATCH, ["new", "old"]), "montego match new old --seed 7")
    assert (
        text
        == """\
# new against old, hex(size=7)

```sh
montego match new old --seed 7
```

|  | with 95 % intervals |
| --- | --- |
| game | `hex(size=7)` |
| new | `uct(playouts=100)` |
| old | `uct(playouts=200)` |
| seed | 7 |
| games | 200 of 200, 200 of them distinct |
| new won, drawn, lost | 122, 0, 78 |
| new scores | 61.0 % (54.1–67.5 %) |
| Elo difference | +78 (+28…+127) |
| first to move scores | 74.0 % (67.5–79.6 %) |
| pairs by points 0, ½, 1, 1½, 2 | 15, 0, 48, 0, 37 |
| version | 0.1.0 |
"""
    )


def test_a_match_with_a_test():
    test = Gsprt(0, 50)
    for pair in MATCH[0, 1]:
        test.add_pair(*pair)
    text = page(result(MATCH, ["new", "old"], test=test.as_dict()))
    assert f"| sequential test | {test.verdict} accepted after {test.pairs} pairs, LLR -" in text
    assert "H0 Elo +0, H1 Elo +50, α = 0.05, β = 0.05 |" in text
    assert "undecided after 0 pairs" in page(result(MATCH, ["new", "old"], test=Gsprt(0, 50).as_dict()))


@pytest.mark.parametrize(("score", "elo"), [(1, "+∞ (+287…+∞)"), (0, "-∞ (-∞…-287)")])
def test_infinite_elo_survives_json(score, elo):
    assert f"| Elo difference | {elo} |" in page(result({(0, 1): [(score, score)] * 10}, ["new", "old"]))


def test_a_match_without_games():
    text = page(result({(0, 1): []}, ["new", "old"], scheduled=10, complete=False))
    assert "| new scores | ? |" in text
    assert "| Elo difference | ? |" in text
    assert "- Not finished: 0 of 10 games played." in text


def test_a_list_of_matches():
    matches = [(result(MATCH, ["new", "old"]), "montego match new old"), (result({(0, 1): [(1, 1)]}, ["a", "b"]), "")]
    header, _, first, second = cells(match_table(matches))
    assert dict(zip(header, first)) == {
        "game": "`hex(size=7)`",
        "players": "new – old",
        "games": "200",
        "distinct": "200",
        "first of the two scores": "61.0 % (54.1–67.5 %)",
        "Elo": "+78 (+28…+127)",
        "seed": "7",
        "command": "`montego match new old`",
    }
    assert second[1] == "a – b"
    with pytest.raises(MontegoError, match="has two players, not 3"):
        match_table([(result(ROBIN, ["a", "b", "c"]), "")])


def test_a_round_robin():
    data = result(ROBIN, ["low", "top", "mid"])
    text = page(data, "montego tournament robin.toml")
    assert text.startswith("# 3 players, hex(size=7)\n\n```sh\nmontego tournament robin.toml\n```\n")
    assert "`hex(size=7)`, seed 7, 60 of 60 games, 60 of them distinct." in text
    table = cells(text)
    assert [row[1] for row in table[2:5]] == ["top", "mid", "low"]
    assert [row[4:] for row in table[2:5]] == [["40", "80 %"], ["40", "39 %"], ["40", "31 %"]]
    assert "Elo: 0 is the mean of the players. Moving first is worth " in text
    assert table[-2:] == [["top", "`uct(playouts=200)`"], ["mid", "`uct(playouts=300)`"]]


def test_a_cross_table_is_ordered_by_rating_and_complementary():
    header, _, *rows = cells(cross_table(result(ROBIN, ["low", "top", "mid"])))
    assert header == ["", "row against column", "1", "2", "3"]
    assert rows == [
        ["1", "top", "–", "75 % of 20", "85 % of 20"],
        ["2", "mid", "25 % of 20", "–", "52 % of 20"],
        ["3", "low", "15 % of 20", "48 % of 20", "–"],
    ]


def test_a_pairing_that_never_met_is_empty_and_one_met_twice_is_added_up():
    data = result({(0, 1): [(1, 1)] * 2, (1, 0): [(1, 0)], (1, 2): [(1, 0)]}, ["a", "b", "c"])
    table = {row[1]: row[2:] for row in cells(cross_table(data))[2:]}
    order = [row[1] for row in cells(cross_table(data))[2:]]
    assert table["a"][order.index("b")] == "83 % of 6"
    assert table["b"][order.index("a")] == "17 % of 6"
    assert table["a"][order.index("c")] == ""


def test_groups_and_anchors_of_ratings():
    ratings = bradley_terry([("a", "b", 1), ("b", "a", 0), ("c", "d", 1)], list("abcde"), anchor="b").as_dict()
    text = ratings_table(json.loads(json.dumps(ratings)))
    assert [row[0] for row in cells(text)[2:]] == ["1", "2", "1", "2", "1"]
    assert ["2", "b", "0", "", "2", "0 %"] in cells(text)
    assert ["1", "e", "?", "", "0", ""] in cells(text)
    assert "Elo: b has 0." in text
    assert "No games link these groups, so ratings can be compared only within each: a, b; c, d." in text


def test_an_advantage_that_was_not_fitted():
    ratings = bradley_terry([("a", "b", 1), ("b", "a", 0)], first_player_advantage=False).as_dict()
    assert ratings_table(ratings).endswith("Moving first is taken to be worth nothing.")
    assert ratings_table(bradley_terry([], ["a"]).as_dict()).endswith(
        "Elo: 0 is the mean of the players. Without games: a."
    )


def test_names_that_are_specs_are_not_repeated():
    names = ["uct(playouts=100)", "uct(playouts=200)", "uct(playouts=300)"]
    assert "| spec |" not in page(result(ROBIN, names))
    assert "| uct(playouts=100) | `" not in page(result(MATCH, names[:2]))


def test_notes_warn():
    forfeits = [
        {"number": 3, "loser": 1, "reason": "forfeit: crashed"},
        {"number": 4, "loser": 1, "reason": "forfeit: hung"},
    ]
    data = result(
        MATCH,
        ["new", "old"],
        scheduled=201,
        complete=False,
        distinct_games=150,
        forfeits=forfeits,
        length_limited=1,
        games_not_counted=4,
        versions=["0.1.0", "0.2.0"],
    )
    assert notes(data) == [
        "Not finished: 200 of 201 games played.",
        "50 games repeat another game move for move; the intervals count them as new evidence.",
        "Forfeits: 2 games (1 × old: crashed; 1 × old: hung).",
        "Stopped by the length limit and scored as they stood: 1 game.",
        "In the ledger but not counted: 4 games, beyond the number requested.",
        "Played by different versions of the program: 0.1.0, 0.2.0.",
    ]
    assert "| version |" not in page(data)
    assert notes(result(MATCH, ["new", "old"])) == []


@pytest.mark.parametrize(
    "name", ["a|b", "*bold*", "`tick`", "two\nlines", "<b>", "snake_case_name", "back\\slash", "[x](y)"]
)
def test_odd_names_stay_in_their_cells(name):
    data = result(ROBIN, [name, "top", "mid"])
    data["players"][0] = f'gtp("{name}")'
    text = page(data, f"echo '{name}'")
    for block in text.split("\n\n"):
        if block.startswith("|"):
            assert len({len(row) for row in cells(block)}) == 1
    assert "*bold*" not in text.replace("\\*bold\\*", "").replace("echo '*bold*'", "").replace('`gtp("*bold*")`', "")
    match = page(result(MATCH, [name, "old"]) | {"players": [f'gtp("{name}")', "b"]})
    assert {len(row) for row in cells(match)} == {2}


def test_code_spans_hold_backticks_and_bars():
    data = result(MATCH, ["new", "old"])
    data["players"] = ["gtp(`a`)", "`b` | c`"]
    text = page(data)
    assert "``gtp(`a`)``" in text
    assert r"`` `b` \| c` ``" in text
    assert "````sh\n```\n````" in page(data, "```")


def test_a_title_and_data_that_are_not_a_result():
    assert page(result(MATCH, ["new", "old"]), title="RAVE\nor not").startswith("# RAVE or not\n\n|")
    with pytest.raises(MontegoError, match="'pairings' is missing; montego results LEDGER --json"):
        page({key: value for key, value in result(MATCH, ["new", "old"]).items() if key != "pairings"})
