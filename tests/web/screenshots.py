"""Pictures of the pages: ``python -m tests.web.screenshots [NAME …]`` writes docs/images/web-*.png."""

import sys
import tempfile
from collections.abc import Callable
from typing import Any

from tests.web.browser import Driver, chromium
from tests.web.running import ROOT, Process

GO = "E6.E4.G4.D5.F5.G3.D6.C5.C6.F3.B6.H3.B5.H4.B4.H5.B3.H7.F7.G8.F8.D3.C2.H6"
HEX = "c8.i7.b10.g8.b11.f4.k1.b9.c9.c6.d6.c7.d7.d5.e5.e4.g5.g4"
BLOKUS = (
    "g8,g9,e10,f10,g10.h5,i5,j5,j6,k6.i10,h11,i11,j11.f3,g3,f4,g4,f5.c10,c11,d11,d12,d13.e6,g6,e7,f7,g7.k7,j8,k8,j9."
    "c3,c4,b5,c5,d5.m6,m7,m8,l9,m9.l2,l3,k4,l4.k12,j13,k13,l13,j14.a4"
)
PLACE = ROOT / "docs" / "images"


def search(driver: Driver, seconds: int = 8) -> None:
    """Analyse the position on the page to the end."""
    driver.page.fill("#analysis-seconds", str(seconds))
    driver.page.click("#analysis-toggle")
    driver.until("() => montego.analyse.maps && !montego.analyse.active", 300)


def play(driver: Driver) -> None:
    driver.open(f"play?game=go(size%3D9)&moves={GO}")


def new_game(driver: Driver) -> None:
    play(driver)
    driver.page.click("#new-game")


def analyse(driver: Driver) -> None:
    driver.open(f"analyse?game=go(size%3D9)&moves={GO}")
    driver.page.click("#review")
    driver.until("() => montego.table.tree.line().every((node) => node.value !== undefined)", 400)
    search(driver)


def ownership(driver: Driver) -> None:
    driver.open(f"analyse?game=go(size%3D9)&moves={GO}")
    search(driver)
    driver.page.select_option("#heat", "ownership")


def hex_visits(driver: Driver) -> None:
    driver.open(f"analyse?game=hex(size%3D11)&moves={HEX}")
    search(driver)
    driver.page.select_option("#heat", "visits")


def blokus(driver: Driver) -> None:
    driver.open(f"play?game=blokus_duo&moves={BLOKUS}")
    driver.page.evaluate("montego.play.seats = [{kind: 'human', spec: ''}, {kind: 'human', spec: ''}]")
    driver.page.evaluate("montego.table.changed()")
    driver.page.click('[data-piece="W"]')
    driver.page.hover('[data-point="c8"]')


def lab(driver: Driver) -> None:
    driver.open("lab")
    page = driver.page
    page.select_option("#lab .spec-form select >> nth=0", "tictactoe")
    page.evaluate("montego.lab.players[0].form.set('uct(playouts=60)')")
    page.evaluate("montego.lab.players[1].form.set('flat(playouts=60)')")
    page.fill("#lab-games", "200")
    page.check("#lab-sprt")
    page.click("#start-contest")
    page.wait_for_selector("#contest-title:text('tictactoe')")
    driver.until("() => document.querySelector('#contest-state')?.innerText.includes('finished')", 400)


def experiment(driver: Driver) -> None:
    driver.open("lab")
    driver.page.select_option("#experiment", "wls-figure-1")
    driver.page.click("#start-experiment")
    driver.until("() => document.querySelector('#contest-state')?.innerText.includes('finished')", 400)
    driver.until("() => [...document.querySelectorAll('img.figure')].every((one) => one.naturalWidth > 0)")


def weights(driver: Driver) -> None:
    driver.open("lab")
    driver.page.click("#trainings button:text('go-playout')")
    driver.page.wait_for_selector(".pattern svg")


def dark(driver: Driver) -> None:
    driver.open("analyse?game=y(size%3D9)&moves=e7.e6.d7.f8.c6.d5")
    driver.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    search(driver)


WIDE: dict[str, Any] = {"viewport": {"width": 1200, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1.5, "is_mobile": True}
PICTURES: dict[str, tuple[Callable[[Driver], None], dict[str, Any]]] = {
    "play": (play, WIDE),
    "new-game": (new_game, WIDE),
    "analyse": (analyse, WIDE),
    "ownership": (ownership, WIDE),
    "hex": (hex_visits, WIDE),
    "blokus": (blokus, WIDE),
    "lab": (lab, WIDE),
    "experiment": (experiment, {"viewport": {"width": 1200, "height": 1250}}),
    "weights": (weights, WIDE),
    "dark": (dark, WIDE),
    "phone": (play, PHONE),
}


def main() -> None:
    """Take the pictures that are named, or all."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        process = Process("--folder", folder)
        try:
            for name in sys.argv[1:] or PICTURES:
                prepare, window = PICTURES[name]
                context = browser.new_context(**window)
                driver = Driver(context.new_page(), process.origin)
                prepare(driver)
                if name != "blokus":  # whose picture shows where the pointer is
                    driver.page.mouse.move(2, 2)
                driver.page.evaluate("scrollTo(0, 0)")
                driver.page.wait_for_timeout(4500)  # until what was said at the bottom is gone
                path = PLACE / f"web-{name}.png"
                driver.page.screenshot(path=path)
                print(path.name, path.stat().st_size // 1000, "kB", flush=True)
                context.close()
        finally:
            process.stop()


if __name__ == "__main__":
    main()
