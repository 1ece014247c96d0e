"""The page in a real browser: games by clicks, records dropped, matches watched, the server restarted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser import Driver, chromium
from tests.web.running import ROOT, Process

SGF = "(;GM[1]FF[4]SZ[7]KM[0.5]PB[Ann]PW[Bob];B[cc];W[bb];B[bc];W[cb](;B[db];W[dc];B[dd])(;B[ac];W[ab]))"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as one:
        yield one


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    folder = tmp_path_factory.mktemp("folder")
    one = Process("--folder", str(folder), "--load", str(ROOT / "examples" / "connect_four.py"))
    yield one
    one.stop()


@pytest.fixture
def driver(browser: Any, process: Process) -> Iterator[Driver]:
    context = browser.new_context(viewport={"width": 1300, "height": 900})
    one = Driver(context.new_page(), process.origin)
    yield one
    context.close()
    assert one.problems == []


# ------------------------------------------------------------------------------------------------------ games by clicks


@pytest.mark.parametrize(("game", "rules"), [("tictactoe", {}), ("hex", {"size": 3}), ("y", {"size": 3})])
def test_a_whole_game_by_clicks(driver: Driver, game: str, rules: dict[str, object]) -> None:
    driver.open("play")
    driver.new_game(game, **rules)
    moves = 0
    while legal := driver.legal():
        driver.click(legal[moves % len(legal)])
        moves += 1
    assert moves >= 3
    assert driver.status.startswith("Game over")
    assert driver.page.locator("#moves button").count() == moves


def test_a_game_of_go_with_dead_stones(driver: Driver) -> None:
    driver.open("play")
    driver.new_game("go", size=7, komi=0.5)
    for point in ["C3", "E5", "C2", "D3", "C4", "D2", "C1", "D1", "C5", "D4"]:
        driver.click(point)
    for _ in range(2):
        driver.page.click('[data-move="pass"]')
        driver.ready()
    driver.until("() => montego.table.scored")
    assert "dead or alive" in driver.status
    before = driver.ask("montego.table.dead.length")
    driver.page.click('[data-point="E5"]')
    driver.until(f"() => montego.table.dead.length !== {before}")


def test_a_game_against_a_player_with_undo_and_hint(driver: Driver) -> None:
    driver.open("play")
    driver.new_game("tictactoe", second="uct(playouts=60)")
    driver.click("b2")
    assert driver.ask("montego.table.tree.node.number") == 2
    driver.page.click("#hint-button")
    driver.until("() => document.querySelectorAll('.candidate').length > 0")
    driver.page.keyboard.press("u")
    driver.until("() => montego.table.tree.node.number === 0")
    driver.page.click("#redo")
    driver.until("() => montego.table.tree.node.number === 1")
    driver.page.click("#resign")
    assert "resign" in driver.status


def test_two_engines_with_clocks_and_a_swap(driver: Driver) -> None:
    driver.open("play")
    page = driver.page
    page.click("#new-game")
    page.select_option("#new-game-body select >> nth=0", "tictactoe")
    page.select_option("#chair0", "uct(playouts=60)")
    page.select_option("#chair1", "uct(playouts=60)")
    page.select_option("#clock-kind", "absolute")
    page.click("#start-game")
    driver.until("() => montego.table.position?.over")
    assert driver.status.startswith("Game over")
    assert page.is_visible("#clock0")
    driver.open("play?game=hex(size%3D3%2Cswap%3Dtrue)&moves=a2")
    page.evaluate("montego.play.seats = [{kind: 'human', spec: ''}, {kind: 'human', spec: ''}]")
    page.evaluate("montego.table.changed()")
    driver.ready()
    page.click('#plain-moves [data-move^="swap"]')
    driver.until("() => montego.table.tree.node.number === 2")
    driver.ready()
    assert page.locator('#plain-moves [data-move^="swap"]').count() == 0


def test_a_game_of_blokus_with_pieces_turned_and_dragged(driver: Driver) -> None:
    driver.open("play")
    driver.new_game("blokus_duo")
    driver.ready()
    page = driver.page
    # Drag the F piece over the start point, turned on the way.
    page.click('[data-piece="F"]')
    shape = driver.ask("montego.tray.cells.join(';')")
    page.click("#rotate")
    assert driver.ask("montego.tray.cells.join(';')") != shape
    page.click("#flip")
    start = page.locator('[data-piece="F"]').bounding_box()
    target = page.locator('[data-point="e10"]').bounding_box()
    assert start is not None
    assert target is not None
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(target["x"] + 30, target["y"] + 30, steps=4)
    assert page.locator(".ghost").count() == 1
    page.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=4)
    assert page.locator(".preview.good").count() == 5
    page.mouse.up()
    driver.until("() => montego.table.tree.node.number === 1")
    moves = 1
    while not driver.ask("montego.table.over"):
        driver.ready()
        if not _place_a_piece(driver):
            page.click('[data-move="pass"]')
        moves += 1
        driver.until(f"() => montego.table.tree.node.number === {moves}")
        driver.ready()
    assert driver.status.startswith("Game over")
    assert moves > 20


def _place_a_piece(driver: Driver) -> bool:
    """Place the piece of the last legal move, which is a large one, by clicks; False if only a pass is legal."""
    goal = driver.ask("""() => {
      const {tray, view, table} = montego;
      const [, ...points] = table.position.legal.at(-1)[0] === 'pass' ? [null] : table.position.legal.at(-1);
      if (!points.length) return null;
      const cells = points.map((point) => tray.place2(point));
      const key = tray.shapeKey(cells);
      const pieces = table.position.tray[table.position.to_move];
      const fits = (name) => tray.orientations(pieces[name]).some((one) => tray.shapeKey(one) === key);
      const piece = Object.keys(pieces).find(fits);
      const sorted = cells.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      const [row, column] = sorted[Math.floor(sorted.length / 2)];
      return {piece, key, point: view.board.names[view.board.xy.findIndex(([x, y]) => x === column && y === row)]};
    }""")
    if goal is None:
        return False
    page = driver.page
    page.click(f'[data-piece="{goal["piece"]}"]')
    for turn in range(8):
        if driver.ask("montego.tray.shapeKey(montego.tray.cells)") == goal["key"]:
            break
        page.keyboard.press("f" if turn == 3 else "r")
    page.click(f'[data-point="{goal["point"]}"]')
    return True


def test_a_users_game_from_one_file(driver: Driver) -> None:
    driver.open("play")
    driver.new_game("connect_four")
    for column in ["d1", "c1", "d2", "c2", "d3", "c3", "d4"]:
        driver.click(column)
    assert driver.status.startswith("Game over: Yellow")


def test_the_board_is_played_by_keyboard(driver: Driver) -> None:
    driver.open("play")
    driver.new_game("tictactoe")
    driver.page.focus('.hit[tabindex="0"]')
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        driver.page.keyboard.press(key)
    driver.until("() => montego.table.tree.node.move === 'b2'")


# ------------------------------------------------------------------------------------------------------------ analysing


def test_a_record_is_dropped_reviewed_and_analysed(driver: Driver) -> None:
    driver.open("play")
    page = driver.page
    page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], "game.sgf"));
          for (const kind of ["dragenter", "dragover", "drop"])
            document.body.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
        }""",
        SGF,
    )
    driver.until("() => montego.table.tree.nodes.length === 10")
    assert page.get_attribute("#tab-analyse", "aria-selected") == "true"
    assert page.locator("#moves .branch").count() == 1
    page.click("#to-end")
    page.click("#review")
    driver.until("() => montego.table.tree.line().every((node) => node.value !== undefined)")
    driver.until("() => !montego.analyse.reviewing")
    graph = page.locator("#graph svg")
    box = graph.bounding_box()
    assert box is not None
    graph.click(position={"x": 5, "y": box["height"] / 2})
    driver.until("() => montego.table.tree.current === 0")
    page.fill("#analysis-seconds", "2")
    page.click("#analysis-toggle")
    driver.until("() => montego.analyse.found.a && montego.analyse.found.a.playouts > 500")
    driver.until("() => montego.analyse.maps && !montego.analyse.active")
    for heat in ("visits", "value", "amaf", "ownership", "criticality", "policy"):
        page.select_option("#heat", heat)
        assert page.locator(".heat").count() > 0, heat
        assert page.locator(".legend").count() == 1
    page.hover("#considered tbody tr >> nth=0")
    driver.until("() => document.querySelectorAll('.line-number').length > 1")
    page.click("#browse")
    page.click("#tree button >> nth=0")
    driver.until("() => document.querySelectorAll('#tree .node .node').length > 0")
    with page.expect_download() as saved:
        page.click("#save-file")
    text = Path(saved.value.path()).read_text(encoding="utf-8")
    assert text.startswith("(;")
    assert "PB[Ann]" in text


def test_two_settings_side_by_side(driver: Driver) -> None:
    driver.open("analyse?game=tictactoe&moves=b2")
    driver.page.fill("#analysis-seconds", "1")
    driver.page.check("#compare")
    driver.page.click("#analysis-toggle")
    driver.until("() => montego.analyse.found.a && montego.analyse.found.b && !montego.analyse.active")
    assert driver.page.locator("[data-slot]").count() == 2


def test_a_position_is_shared_by_its_address(driver: Driver) -> None:
    driver.open("analyse?game=hex(size%3D3)&moves=b2.a1")
    assert driver.ask("montego.table.position.moves") == ["b2", "a1"]
    driver.page.click("#share")
    address = driver.ask("location.hash")
    driver.open(address.removeprefix("#"))
    assert driver.ask("montego.table.tree.message().moves") == ["b2", "a1"]


# ------------------------------------------------------------------------------------------------------------------ lab


def test_a_match_is_watched_to_its_end_and_a_game_opened(driver: Driver) -> None:
    driver.open("lab")
    page = driver.page
    page.select_option("#lab .spec-form select >> nth=0", "tictactoe")
    page.select_option("#lab-players select >> nth=0", "random")
    page.evaluate("montego.lab.players[1].form.set('flat(playouts=9)')")
    page.fill("#lab-games", "4")
    page.fill("#lab-resign", "10")
    page.fill("#lab-max-moves", "9")
    page.check("#lab-sprt")
    page.fill("#lab-ledger", "match")
    page.click("#start-contest")
    driver.until("() => document.querySelector('#contest-state')?.innerText.includes('finished')")
    assert page.locator("#contest-games tbody tr").count() == 4
    assert page.locator("#crosstable tbody tr").count() == 2
    assert page.locator("#contest-place .chart").count() == 2
    page.click("#contest-games tbody tr >> nth=0")
    driver.until("() => montego.table.position.over")


def test_an_experiment_is_started_watched_and_its_report_read(driver: Driver) -> None:
    driver.open("lab")
    page = driver.page
    page.select_option("#experiment", "wls-figure-1")
    assert "automaton" in page.inner_text("#experiment-about")
    page.click("#start-experiment")
    driver.until("() => document.querySelector('#contest-state')?.innerText.includes('finished')")
    assert "agrees" in page.inner_text("#report-table")
    driver.until(
        "() => [...document.querySelectorAll('img.figure')].every((one) => one.complete && one.naturalWidth > 0)"
    )
    assert page.locator("img.figure").count() == 2
    page.click("#trainings button:text('go-playout')")
    page.wait_for_selector(".pattern svg")
    assert page.locator("#gamma-table tbody tr").count() > 0
    page.click("#reports li button:text('wls-figure-1')")
    page.wait_for_selector("#report-table")
    assert "--quick --seed 1" in page.inner_text("#contest-place code")


def test_an_experiment_is_stopped_from_the_page(driver: Driver) -> None:
    driver.open("lab")
    page = driver.page
    page.select_option("#experiment", "sigmoid-figure-3")
    page.click("#start-experiment")
    page.click("#stop-contest")
    driver.until("() => document.querySelector('#contest-state')?.innerText.includes('stopped')")
    assert page.inner_text("#resume-contest") == "Resume"


# ------------------------------------------------------------------------------------------------------------- the page


def test_the_page_goes_on_after_the_server_was_restarted(driver: Driver, process: Process) -> None:
    driver.open("play")
    driver.new_game("tictactoe")
    driver.click("b2")
    process.stop()
    driver.until("() => document.querySelector('#connection').textContent !== ''")
    process.start()
    driver.until("() => document.querySelector('#connection').textContent === ''")
    driver.click("a1")
    assert driver.ask("montego.table.tree.node.number") == 2


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_nothing_serious_for_axe(driver: Driver, theme: str) -> None:
    page = driver.page
    driver.open("play?game=blokus_duo&moves=")
    if driver.ask("document.documentElement.dataset.theme") != theme:
        page.click("#theme")
    findings = {"play": driver.serious_findings()}
    page.click("#new-game")
    findings["dialog"] = driver.serious_findings()
    page.keyboard.press("Escape")
    page.click("#tab-analyse")
    page.click("#analysis-settings summary >> nth=0")
    findings["analyse"] = driver.serious_findings()
    page.click("#tab-lab")
    findings["lab"] = driver.serious_findings()
    assert {view: found for view, found in findings.items() if found} == {}


def test_a_phone_has_no_sideways_scrolling(browser: Any, process: Process) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    driver = Driver(context.new_page(), process.origin)
    for view in ("play", "analyse", "lab"):
        driver.open(f"{view}?game=tictactoe&moves=b2")
        assert driver.ask("document.documentElement.scrollWidth <= innerWidth + 1"), view
    context.close()
