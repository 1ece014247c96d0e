"""What pages ask and what they are told. Tic-tac-toe and 7×7 Go keep it quick."""

from collections.abc import Iterator
from contextlib import ExitStack
from socket import SHUT_RDWR
from typing import Any

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed

from montego.web.app import Lab
from montego.web.bounds import Bounds
from tests.web.running import Page, Served, serving

UCT = "uct(playouts=200)"
LONG = "uct(playouts=100000000)"


def test_a_position_with_its_board(page: Page) -> None:
    answer = page.ask("position", game="tictactoe", moves=["b2", "a1"], board=True)
    assert answer["type"] == "position"
    assert answer["to_move"] == 0
    assert answer["owners"].count("0") == answer["owners"].count("1") == 1
    assert len(answer["legal"]) == 7
    assert answer["board"]["players"] == ["X", "O"]
    assert len(answer["board"]["xy"]) == 9


def test_pieces_and_their_tray(page: Page) -> None:
    answer = page.ask("position", game="blokus_duo", moves=[])
    assert len(answer["tray"]) == 2
    assert len(answer["tray"][0]) == 21
    move, *points = answer["legal"][0]
    assert len(move.split(",")) == len(points)


@pytest.mark.parametrize(
    ("request_", "problem"),
    [
        ({"game": "chess"}, "unknown game"),
        ({"game": "tictactoe", "moves": ["z9"]}, "no move"),
        ({"game": "tictactoe", "moves": ["b2", "b2"]}, "illegal"),
        ({"game": "tictactoe", "moves": "b2"}, "list"),
        ({"game": "tictactoe", "moves": ["b2"] * 5000}, "at most"),
        ({"game": 7}, "text"),
        ({"game": "tictactoe", "setup": {"stones": []}}, "setup"),
        ({"game": "go(" * 500}, "spec"),
    ],
)
def test_bad_positions_are_refused_in_one_line(page: Page, request_: dict[str, object], problem: str) -> None:
    answer = page.ask("position", **request_)
    assert answer["type"] == "error"
    assert problem in answer["message"]
    assert "\n" not in answer["message"]


def test_a_player_chooses_a_move(page: Page) -> None:
    answer = page.ask("choose", game="tictactoe", moves=["a1", "b2", "a2", "c2"], player=UCT, slot="first", seed=1)
    assert answer["move"] == "a3"
    assert answer["position"]["over"]
    assert answer["result"] == "X+1"


def test_a_clock_limits_the_thinking(page: Page) -> None:
    clock = {"kind": "absolute", "main": 1, "period": 0, "count": 0, "left": [{"seconds": 1}, {"seconds": 1}]}
    answer = page.ask("choose", game="tictactoe", moves=[], player=LONG, slot="first", clock=clock)
    assert answer["move"]
    refused = page.ask("choose", game="tictactoe", moves=[], player=LONG, slot="first", clock={"kind": "sand"})
    assert "clock" in refused["message"]


def test_an_analysis_shows_its_progress_and_its_tree(page: Page) -> None:
    identity = page.send(
        "analyse", game="tictactoe", moves=["b2"], player=f"{UCT[:-1]}, solver=false)", seconds=0.6, maps=True
    )
    answer, progress = page.answer(identity)
    assert progress
    assert answer["playouts"] > 200
    assert sum(row[1] for row in answer["moves"]) > 200
    assert len(answer["maps"]["criticality"]) == 9
    assert sum(answer["maps"]["policy"]) == pytest.approx(1, abs=0.01)
    tree = page.ask("explore", game="tictactoe", line=[answer["move"]], slot="a")
    assert tree["line"][0] == answer["move"]
    assert tree["moves"][0][1] >= tree["moves"][-1][1]
    assert "tree" in page.ask("explore", game="tictactoe", line=[], slot="b")["message"]


def test_a_new_search_replaces_the_one_in_its_slot(page: Page) -> None:
    first = page.send("analyse", game="tictactoe", moves=[], player=f"{LONG[:-1]}, solver=false)", seconds=60)
    second = page.send("analyse", game="tictactoe", moves=["b2"], player=UCT, seconds=0.1)
    kinds = {}
    while len(kinds) < 2:
        message = page.receive()
        if message["type"] in ("analyse", "error"):
            kinds[message["id"]] = message["type"]
    assert kinds[second] == "analyse"
    assert first in kinds


def test_the_score_of_a_board_with_dead_stones(page: Page) -> None:
    moves = ["C3", "E5", "C2", "D3", "C4", "D2", "C1", "D1", "C5", "D4", "pass", "pass"]
    named = page.ask("score", game="go(size=7, komi=0.5)", moves=moves, dead=["E5"])
    assert named["dead"] == [18]
    judged = page.ask("score", game="go(size=7, komi=0.5)", moves=moves)
    assert judged["result"]
    assert len(judged["ownership"]) == 49


def test_a_game_is_reviewed(page: Page) -> None:
    answer, progress = page.answer(
        page.send("review", game="tictactoe", moves=["a2", "b2", "c2"], player=UCT, slot="review")
    )
    assert [one["number"] for one in answer["opinions"]] == [1, 2, 3, 4]
    assert progress


def test_records_come_and_go(page: Page) -> None:
    text = "(;GM[1]FF[4]SZ[7]KM[0.5]PB[Ann]PW[Bob]C[root];B[cc]C[first];W[bb](;B[dd])(;B[bd];W[db]))"
    record = page.ask("read", text=text)
    assert record["game"].startswith("go(size=7, komi=0.5")
    assert record["players"] == ["Ann", "Bob"]
    assert [node["parent"] for node in record["nodes"]] == [-1, 0, 1, 2, 2, 4]
    nodes = [{"comment": "root"}]
    nodes += [
        {"parent": one["parent"], "move": one["moves"][0], "comment": one["comment"]} for one in record["nodes"][1:]
    ]
    written = page.ask("write", game=record["game"], nodes=nodes, black="Ann", white="Bob", file="game.sgf")
    again = page.ask("read", text=written["sgf"])
    assert again["nodes"] == record["nodes"]
    assert page.ask("files")["records"] == ["game.sgf"]
    assert page.ask("read", file="game.sgf")["nodes"] == record["nodes"]
    assert "plain name" in page.ask("read", file="../game.sgf")["message"]
    assert page.ask("read", text="no record")["type"] == "error"


def test_a_position_is_pasted_as_a_drawing(page: Page) -> None:
    rows = [". . . . . . ."] * 7
    rows[3], rows[4] = ". X . . . . .", ". . . O . . ."
    drawing = "\n".join(rows)
    record = page.ask("read", text=drawing, game="go(size=7)")
    assert record["nodes"][0]["setup"]["stones"] == {"B4": 0, "D3": 1}


@pytest.mark.parametrize("kind", ["choose", "analyse", "review", "maps", "contest_start"])
def test_commands_are_not_run_for_pages(page: Page, kind: str, tmp_path: object) -> None:
    spec = f'gtp("touch {tmp_path}/done")'
    answer = page.ask(kind, game="tictactoe", moves=[], player=spec, players=[spec, "random"], games=2)
    assert answer["type"] == "error"
    assert "--allow-commands" in answer["message"]


@pytest.mark.parametrize(
    "spec",
    [
        'uct(playout=softmax(weights="/etc/passwd"))',
        "uct(playout=lgr(fallback=softmax(weights=x.npz)))",
        'uct(prior=softmax("../../x.npz"))',
        'uct(playout="softmax(weights=x.npz)")',
    ],
)
def test_files_are_not_read_for_pages(page: Page, spec: str) -> None:
    answer = page.ask("analyse", game="go(size=7)", moves=[], player=spec, seconds=0.1)
    assert answer["type"] == "error"
    assert "come with Montego" in answer["message"]


def test_gtp_is_not_even_listed(served: Served) -> None:
    assert '"gtp"' not in served.get("/registry")[1]


def played(page: Page, **settings: object) -> Any:
    """Start a contest of tic-tac-toe and return what was said last, at its end.

    It is watched from then on only, as one that is in its ledger may end before its start is answered.
    """
    players = ["random", "flat(playouts=9)"]
    started = page.ask("contest_start", game="tictactoe", players=players, games=4, seed=1, **settings)
    assert started["type"] != "error", started["message"]
    page.send("contest_watch")
    while True:
        message = page.receive()
        if message["type"] == "contest" and message["contest"] == started["contest"]:
            if message["state"] in ("finished", "failed"):
                assert message["state"] == "finished", message["problem"]
                return message


def test_a_contest_is_played_watched_and_opened(page: Page) -> None:
    latest = started = played(page, ledger="one.ledger")
    assert latest["finished"] == 4
    assert len(latest["score_curve"]) == 4
    game = page.ask("contest_game", contest=started["contest"], number=0)
    assert page.ask("position", game=game["game"], moves=game["moves"])["over"]
    assert page.ask("contest_game", contest=started["contest"], number=99)["type"] == "error"


def test_a_contest_may_cut_games_short_and_let_players_resign(page: Page) -> None:
    latest = played(page, max_moves=3, resign=10, ledger="short.ledger")
    assert {game["moves"] for game in latest["games"]} == {3}
    again = page.ask(
        "contest_start", game="tictactoe", players=["random", "flat(playouts=9)"], games=4, seed=1, resign=51
    )
    assert again["message"] == "'resign' must be a number from 0 to 50, not 51"
    assert played(page, max_moves=3, resign=10, ledger="short.ledger")["finished"] == 4  # the same contest


def test_a_contest_is_stopped_and_resumed(page: Page) -> None:
    def follow(*states: str, more_than: int = 0) -> dict[str, object]:
        while True:
            message = page.receive()
            if message["type"] == "contest" and message["contest"] == identity and message["state"] in states:
                if message["finished"] > more_than or message["state"] == "stopped":
                    return message

    page.ask("contest_watch")
    identity = page.ask(
        "contest_start", game="tictactoe", players=["random"] * 2, games=10_000, seed=1, ledger="two.ledger"
    )["contest"]
    follow("playing", more_than=1)
    page.ask("contest_stop", contest=identity)
    played = follow("stopped", "failed")
    assert played["state"] == "stopped"
    assert "being played" not in page.ask("contest_resume", contest=identity).get("message", "")
    finished = played["finished"]
    assert isinstance(finished, int)
    assert follow("playing", more_than=finished)["total"] == 10_000
    page.ask("contest_stop", contest=identity)
    follow("stopped")


# -------------------------------------------------------------------------------------------------- vanishing, flooding


@pytest.fixture(scope="module")
def narrow() -> Iterator[Served]:
    bounds = Bounds(clients=3, searches=2, messages_per_second=5, burst=60, message_bytes=20_000)
    with serving(Lab(bounds)) as served:
        yield served


def test_a_page_that_vanishes_stops_its_search(narrow: Served) -> None:
    with narrow.connect() as socket:
        page = Page(socket)
        page.send("analyse", game="tictactoe", moves=[], player=f"{LONG[:-1]}, solver=false)", seconds=250)
        assert page.receive()["type"] == "progress"
        assert narrow.status()["searches"] == 1
        socket.socket.shutdown(SHUT_RDWR)  # no goodbye
        assert narrow.settles(searches=0, clients=0)


def test_more_searches_than_threads_wait_and_end(narrow: Served) -> None:
    with narrow.connect() as one, narrow.connect() as two:
        pages = [Page(one), Page(two)]
        for page in pages:
            for slot in ("a", "b"):
                page.send("analyse", game="tictactoe", moves=[], player="uct(solver=false)", seconds=0.5, slot=slot)
            refused = page.ask("analyse", game="tictactoe", moves=[], player=UCT, slot="first")
            assert "are running" in refused["message"]
        for page in pages:
            ended = 0
            while ended < 2:
                ended += page.receive()["type"] == "analyse"
    assert narrow.settles(searches=0, clients=0)


def test_too_many_pages_are_turned_away(narrow: Served) -> None:
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(narrow.connect())
        assert narrow.settles(clients=3)
        with narrow.connect() as one, pytest.raises(ConnectionClosed, match="1013"):
            one.recv(10)
        assert narrow.status()["clients"] == 3
    assert narrow.settles(clients=0)


# ------------------------------------------------------------------------------------------------------------- training


def test_trained_weights_and_trainings(page: Page, served: Served) -> None:
    assert served.lab is not None
    assert served.lab.folder.path is not None
    assert "go-playout" in page.ask("files")["shipped"]
    found = page.ask("trained", file="go-playout")
    assert found["game"] == "go"
    patterns = next(group for group in found["groups"] if group["name"] == "3×3 pattern")
    gammas = [gamma for _, gamma, _ in patterns["features"]]
    assert gammas == sorted(gammas, reverse=True)
    assert all("*" in rows for _, _, rows in patterns["features"])
    np.savez(served.lab.folder.path / "run.npz", objectives=np.array([-4.0, -3.5]), sweeps=np.array(2))
    (served.lab.folder.path / "run.npz").rename(served.lab.folder.path / "run.npz.state")
    assert page.ask("training", file="run.npz.state")["curves"] == {"objectives": [-4.0, -3.5]}
    (served.lab.folder.path / "bad.npz.state").write_bytes(b"PK no archive")
    assert "is not the state" in page.ask("training", file="bad.npz.state")["message"]
    assert page.ask("trained", file="/etc/passwd")["type"] == "error"
