"""Pictures of the pages for the documentation: ``python -m tests.web.screenshots`` writes docs/images/web-*.png."""

from pathlib import Path

from tests.web.browser import Driver, chromium
from tests.web.running import ROOT, Process

GO = "E6.E4.G4.D5.F5.G3.D6.C5.C6.F3.B6.H3.B5.H4.B4.H5.B3.H7.F7.G8.F8.D3.C2.H6"
HEX = "c8.i7.b10.g8.b11.f4.k1.b9.c9.c6.d6.c7.d7.d5.e5.e4.g5.g4"
BLOKUS = (
    "g8,g9,e10,f10,g10.h5,i5,j5,j6,k6.i10,h11,i11,j11.f3,g3,f4,g4,f5.c10,c11,d11,d12,d13.e6,g6,e7,f7,g7.k7,j8,k8,j9."
    "c3,c4,b5,c5,d5.m6,m7,m8,l9,m9.l2,l3,k4,l4.k12,j13,k13,l13,j14.a4"
)
PLACE = ROOT / "docs" / "images"


def analysed(driver: Driver, address: str, seconds: int = 8) -> None:
    """Open a position and analyse it."""
    driver.open(f"analyse?{address}")
    driver.page.fill("#analysis-seconds", str(seconds))
    driver.page.click("#analysis-toggle")
    driver.until("() => montego.analyse.maps && !montego.analyse.active", 300)


def shoot(driver: Driver, name: str) -> None:
    path = PLACE / f"web-{name}.png"
    driver.page.mouse.move(2, 2)
    driver.page.evaluate("scrollTo(0, 0)")
    driver.page.wait_for_timeout(4500)  # until what was said at the bottom is gone
    driver.page.screenshot(path=path)
    print(path.name, path.stat().st_size // 1000, "kB")


def go_pictures(driver: Driver) -> None:
    driver.open(f"analyse?game=go(size%3D9)&moves={GO}")
    driver.page.click("#review")
    driver.until("() => montego.table.tree.line().every((node) => node.value !== undefined)", 300)
    driver.page.fill("#analysis-seconds", "8")
    driver.page.click("#analysis-toggle")
    driver.until("() => montego.analyse.maps && !montego.analyse.active", 300)
    shoot(driver, "analyse")
    driver.page.select_option("#heat", "ownership")
    shoot(driver, "ownership")


def contest_picture(driver: Driver) -> None:
    driver.open("lab")
    page = driver.page
    page.select_option("#lab .spec-form select >> nth=0", "tictactoe")
    page.evaluate("montego.lab.players[0].form.set('uct(playouts=60)')")
    page.evaluate("montego.lab.players[1].form.set('flat(playouts=60)')")
    page.fill("#lab-games", "200")
    page.check("#lab-sprt")
    page.click("#start-contest")
    driver.until("() => document.querySelector('#contest-state')?.innerText.includes('finished')", 300)
    shoot(driver, "lab")


def main() -> None:
    """Take all pictures."""
    PLACE.mkdir(exist_ok=True)
    process = Process("--load", str(Path("examples") / "connect_four.py"))
    try:
        with chromium() as browser:
            driver = Driver(browser.new_page(viewport={"width": 1200, "height": 800}), process.origin)
            driver.open(f"play?game=go(size%3D9)&moves={GO}")
            shoot(driver, "play")
            driver.page.click("#new-game")
            shoot(driver, "new-game")
            driver.page.keyboard.press("Escape")
            go_pictures(driver)
            analysed(driver, f"game=hex(size%3D11)&moves={HEX}")
            driver.page.select_option("#heat", "visits")
            shoot(driver, "hex")
            driver.open(f"play?game=blokus_duo&moves={BLOKUS}")
            driver.page.evaluate("montego.play.seats = [{kind: 'human', spec: ''}, {kind: 'human', spec: ''}]")
            driver.page.evaluate("montego.table.changed()")
            driver.page.click('[data-piece="W"]')
            driver.page.hover('[data-point="b8"]')
            driver.page.wait_for_timeout(300)
            driver.page.screenshot(path=PLACE / "web-blokus.png")
            contest_picture(driver)
            driver.page.click("#theme")
            analysed(driver, "game=y(size%3D9)&moves=e7.e6.d7.f8.c6.d5")
            shoot(driver, "dark")
            phone = browser.new_context(viewport={"width": 390, "height": 844}, device_scale_factor=1.5, is_mobile=True)
            small = Driver(phone.new_page(), process.origin)
            small.open(f"play?game=go(size%3D9)&moves={GO}")
            shoot(small, "phone")
    finally:
        process.stop()


if __name__ == "__main__":
    main()
