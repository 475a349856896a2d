"""The short animated picture of the README: a turn of the duel, from the choice to the last number.

    python tools/make_animation.py [--out docs/pictures/turn.webp]

A real table and a real browser; each frame lasts as long as it did there.
"""

import argparse
import io
import time
from pathlib import Path

from make_screenshots import (  # type: ignore[import-not-found]  # beside this file
    FLAGS,
    PICTURES,
    Visitor,
    server,
)
from PIL import Image
from playwright.sync_api import Page, sync_playwright

SIZE = {"width": 960, "height": 600}
TURNS = 2
SECONDS = 4.0  # of a turn that are shown
APART = 0.07  # seconds between two frames
QUALITY = 50


def shown(page: Page, seconds: float) -> list[tuple[float, bytes]]:
    """What is seen, and when."""
    found, end = [], time.monotonic() + seconds
    while (now := time.monotonic()) < end:
        found.append((now, page.screenshot(type="jpeg", quality=90)))
        time.sleep(max(0.0, now + APART - time.monotonic()))
    return found


def film(page: Page) -> list[tuple[float, bytes]]:
    frames = shown(page, 0.6)
    for _ in range(TURNS):
        page.locator("duel-table [data-held]").last.click()
        frames += shown(page, 0.5)
        page.locator("duel-table .choices .go").click()
        frames += shown(page, SECONDS)
    return frames


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=PICTURES / "turn.webp")
    out: Path = parser.parse_args().out
    with server() as address, sync_playwright() as driver:
        visitor = Visitor(address, "Anna")
        room = visitor.game("duel", {}, 4)
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        context = browser.new_context(base_url=address, viewport=SIZE, locale="en-GB", color_scheme="dark")  # type: ignore[arg-type]
        name, _, value = visitor.cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": address}])
        context.add_init_script("Object.assign(localStorage, { guest: 'yes', name: 'Anna' })")
        page = context.new_page()
        page.goto(f"/room/{room}", wait_until="networkidle")
        page.wait_for_timeout(1500)
        frames = film(page)
        browser.close()
    ends = [at for at, _ in frames[1:]] + [frames[-1][0] + 1.5]
    lasts = [round(1000 * (end - at)) for (at, _), end in zip(frames, ends, strict=True)]
    images = [
        Image.open(io.BytesIO(body)).resize((SIZE["width"] * 3 // 4, SIZE["height"] * 3 // 4))
        for _, body in frames
    ]
    images[0].save(
        out, save_all=True, append_images=images[1:], duration=lasts, loop=0, quality=QUALITY, method=4
    )
    print(out, out.stat().st_size // 1000, "kB,", len(images), "frames")


if __name__ == "__main__":
    main()
