"""Driving the page with a real browser: Debian's Chromium under Playwright."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.external import require_program

_OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
_OPTIONS += ["--disable-component-update", "--disable-sync"]
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
SECOND = 1000


@contextmanager
def chromium() -> Iterator[Any]:
    """Start a browser with a profile of its own."""
    program = require_program("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, headless=True, args=_OPTIONS)
        try:
            yield browser
        finally:
            browser.close()


class Driver:
    """One page of the lab, and what a person does with it. Errors on the page fail the test."""

    def __init__(self, page: Page, origin: str) -> None:
        self.page, self.origin, self.problems = page, origin, list[str]()
        page.set_default_timeout(90 * SECOND)  # the first use of a game compiles it, on a busy machine
        page.on("pageerror", lambda problem: self.problems.append(str(problem)))
        page.on("console", lambda message: self._console(message.type, message.text))

    def _console(self, kind: str, text: str) -> None:
        if kind == "error" and "WebSocket" not in text and "ERR_CONNECTION" not in text:
            self.problems.append(text)

    def open(self, address: str = "") -> None:
        """Open the page at an address such as ``play?game=tictactoe``; an earlier game is forgotten."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.origin}/#{address}")
        self.page.wait_for_selector("html[data-ready=yes]")

    def new_game(self, game: str, first: str = "human", second: str = "human", **rules: object) -> None:
        """Start a game by the dialog."""
        page = self.page
        page.click("#new-game")
        page.select_option("#new-game-body select >> nth=0", game)
        for name, value in rules.items():
            page.locator(f"#new-game-body [id$='-{name}']").fill(str(value))
            page.keyboard.press("Tab")
        page.select_option("#chair0", first)
        page.select_option("#chair1", second)
        page.click("#start-game")
        self.until(f"() => montego.table.tree.game.startsWith('{game}') && montego.table.tree.nodes.length < 3")

    def until(self, condition: str, seconds: float = 90) -> None:
        """Wait until a JavaScript function is true."""
        self.page.wait_for_function(condition, timeout=seconds * SECOND)

    def ask(self, expression: str) -> Any:
        return self.page.evaluate(expression)

    @property
    def status(self) -> str:
        return self.page.inner_text("#status")

    def ready(self) -> None:
        """Wait until the position is known and nobody thinks."""
        self.until("() => montego.table.position && !montego.table.position.pending && !montego.play.thinking")

    def click(self, point: str) -> None:
        """Click a point of the board and wait for the position after it."""
        self.ready()
        before = self.ask("montego.table.tree.current")
        self.page.click(f'[data-point="{point}"]')
        self.until(f"() => montego.table.tree.current !== {before}")
        self.ready()

    def legal(self) -> list[str]:
        """The points that can be clicked."""
        self.ready()
        return list(self.ask("[...document.querySelectorAll('.hit.legal')].map((hit) => hit.dataset.point)"))

    def serious_findings(self) -> list[str]:
        """What axe-core finds wrong with the page as it is now, if it is serious."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]} "
            f"{one['nodes'][0].get('failureSummary', '')[:200]}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
