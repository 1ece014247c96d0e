"""Tournament files: schedules, grids of players, and one clear line for whatever is wrong with a file."""

from pathlib import Path

import pytest

from montego.arena.openings import Openings
from montego.arena.schedule import Contest, expand, pairings
from montego.arena.tournament import Tournament, read_tournament
from montego.errors import MontegoError

HEAD = 'game = "tictactoe"\ngames = 4\n'
TWO = '[[players]]\nspec = "random"\n[[players]]\nspec = "flat"\n'


def tournament(tmp_path: Path, content: str) -> Tournament:
    file = tmp_path / "t.toml"
    file.write_text(content, encoding="utf-8")
    return read_tournament(file)


@pytest.mark.parametrize(
    ("schedule", "challengers", "expected"),
    [
        ("round_robin", 1, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]),
        ("gauntlet", 1, [(0, 1), (0, 2), (0, 3)]),
        ("gauntlet", 2, [(0, 2), (0, 3), (1, 2), (1, 3)]),
        ("ladder", 1, [(0, 1), (1, 2), (2, 3)]),
    ],
)
def test_schedules(schedule: str, challengers: int, expected: list[tuple[int, int]]) -> None:
    assert pairings(schedule, 4, challengers) == expected


def test_a_grid_of_players() -> None:
    assert expand("uct", {"playouts": [100, 200], "rave": ["off", "silver"], "c": 0.5}) == [
        "uct(playouts=100, c=0.5)",
        "uct(playouts=100, c=0.5, rave=silver)",
        "uct(playouts=200, c=0.5)",
        "uct(playouts=200, c=0.5, rave=silver)",
    ]
    assert expand("flat(playouts=7)", {}) == ["flat(playouts=7)"]


def test_a_whole_file(tmp_path: Path) -> None:
    plan = tournament(
        tmp_path,
        """
game = "hex(size=5)"
schedule = "gauntlet"
games = 10
seed = 7
opening_moves = 2
max_moves = 40
resign = 2.5
[[players]]
name = "rave"
spec = "uct(playouts=100, rave=silver)"
[[players]]
spec = "flat"
playouts = [100, 200]
[[players]]
name = "bandit"
spec = "ucb"
c = [0.5, 1]
""",
    )
    assert plan.games == 40
    contest = plan.contest
    assert contest.names == (
        *("rave", "flat(playouts=100)", "flat(playouts=200)"),
        *("bandit: ucb(c=0.5)", "bandit: ucb(c=1.0)"),
    )
    assert (contest.seed, contest.max_moves, contest.openings.moves, contest.resign) == (7, 40, 2, 2.5)
    assert contest.pairings == ((0, 1), (0, 2), (0, 3), (0, 4))
    assert Contest.from_settings(contest.settings()) == contest


def test_a_users_file_is_loaded_from_beside_the_tournament(tmp_path: Path, faulty: Path) -> None:
    (tmp_path / "my_own_player.py").write_text("import faulty\n", encoding="utf-8")
    plan = tournament(tmp_path, HEAD + 'load = ["my_own_player.py"]\n' + TWO.replace("flat", "faulty"))
    assert plan.files == (str(tmp_path / "my_own_player.py"),)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("game = ", "is not a TOML file: Invalid value"),
        ("game = 'tictactoe'\nspiel = 1", "unknown key 'spiel'"),
        (HEAD + "opening_move = 2\n" + TWO, "unknown key 'opening_move'; did you mean 'opening_moves'?"),
        (HEAD, "the key 'players' is missing: a list of tables"),
        ("games = 4\n" + TWO, "the key 'game' is missing"),
        ('game = "tictactoe"\n' + TWO, "the key 'games' is missing: an even number"),
        ("game = 3\ngames = 4\n" + TWO, "game: expected a string such as"),
        (HEAD.replace("4", '"4"') + TWO, "games: expected an even number of games of every pairing, not '4'"),
        (HEAD.replace("4", "true") + TWO, "games: expected an even number of games of every pairing, not True"),
        (HEAD.replace("4", "5") + TWO, "games: expected an even number, as games"),
        (HEAD.replace("4", "0") + TWO, "games: expected a whole number of at least 2, not 0"),
        (HEAD + "seed = -1\n" + TWO, "seed: expected a whole number of at least 0, not -1"),
        (HEAD + "seed = 1.5\n" + TWO, "seed: expected a whole number"),
        (HEAD.replace("tictactoe", "tictacto") + TWO, "unknown game 'tictacto'; did you mean 'tictactoe'?"),
        (HEAD + 'schedule = "robin"\n' + TWO, "schedule: unknown schedule 'robin'; did you mean 'round_robin'?"),
        (HEAD + "challengers = 1\n" + TWO, "challengers: only a gauntlet has challengers"),
        (HEAD + 'schedule = "gauntlet"\nchallengers = 2\n' + TWO, "has 1 to 1 challengers, not 2"),
        (HEAD + '[[players]]\nspec = "random"\n', "needs at least two players, not 1"),
        (HEAD + "players = [1, 2]\n", "players, entry 1: expected a table under [[players]], not 1"),
        (HEAD + TWO + "[[players]]\nname = 'x'\n", "players, entry 3: the key 'spec' is missing"),
        (HEAD + TWO + '[[players]]\nspec = "flatt"\n', "players, entry 3: unknown player 'flatt'; did you mean 'flat'"),
        (HEAD + TWO + '[[players]]\nspec = "flat"\nplayots = 3\n', "flat: unknown parameter 'playots'; did you mean"),
        (
            HEAD + TWO + '[[players]]\nspec = "flat"\nplayouts = [3, -1]\n',
            "playouts must be a whole number of at least 0",
        ),
        (HEAD + TWO + '[[players]]\nspec = "flat"\nplayouts = []\n', "playouts: expected at least one value"),
        (HEAD + TWO + '[[players]]\nspec = "flat(playouts=2)"\nplayouts = 3\n', "playouts is given twice, in the spec"),
        (HEAD + TWO + '[[players]]\nspec = "flat"\nplayouts = {a = 1}\n', "is not a value of a parameter"),
        (HEAD + TWO + '[[players]]\nspec = "flat"\nname = 3\n', "name: expected a string, not 3"),
        (HEAD + TWO + '[[players]]\nspec = "flat(playouts=1000)"\n', "entry 3: flat is listed already"),
        (HEAD + "opening_moves = 9\n" + TWO, "no opening of 9 random moves"),
        (HEAD + "resign = 60\n" + TWO, "resign: expected a percentage from 0 to 50, not 60"),
        (HEAD + "resign = nan\n" + TWO, "resign: expected a percentage from 0 to 50, not nan"),
        (HEAD + "resign = true\n" + TWO, "resign: expected a percentage from 0 to 50, not True"),
        (HEAD + 'load = ["nowhere.py"]\n' + TWO, "expected an existing Python file"),
        (HEAD + "load = [1]\n" + TWO, "load: expected a list of Python files"),
        (HEAD + 'openings = "x.sgf"\n' + TWO, "x.sgf': No such file"),
    ],
)
def test_bad_files(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(MontegoError) as caught:
        tournament(tmp_path, content)
    assert message in str(caught.value)
    assert str(tmp_path / "t.toml") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(MontegoError, match=r"cannot read '.*nowhere.toml': No such file"):
        read_tournament(tmp_path / "nowhere.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MontegoError, match="cannot read"):
        read_tournament(tmp_path / "bytes.toml")


def test_a_contest_is_known_from_its_ledger_though_its_players_are_not() -> None:
    settings = Contest("tictactoe", ("random", "flat"), ((0, 1),), 1, Openings()).settings()
    settings["players"] = ["lost", 'gtp("gone --mode gtp")']
    assert Contest.from_settings(settings).players == ("lost", 'gtp("gone --mode gtp")')
