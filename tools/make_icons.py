"""The pictures by which devices and messengers know the table: icons, and a preview for links.

    python tools/make_icons.py [--only icons|previews]

Icons are `icon.svg` in the sizes that are asked for. A preview is a game of Madness at night, in each
language, as large as messengers show it.
"""

import argparse
from pathlib import Path

from make_screenshots import (  # type: ignore[import-not-found]  # beside this file
    FLAGS,
    LANGS,
    NAMES,
    Visitor,
    server,
)
from playwright.sync_api import Browser, sync_playwright

WEB = Path(__file__).resolve().parent.parent / "src" / "coyote" / "table" / "web"
SKY = "#17172b"
# Name, width, how much of it the head fills, and what is behind it: what may be cut to any shape has a sky.
ICONS = [
    ("icon-192.png", 192, 1.0, "transparent"),
    ("icon-512.png", 512, 1.0, "transparent"),
    ("icon-maskable.png", 512, 0.72, SKY),
    ("icon-180.png", 180, 0.82, SKY),
]
PREVIEW = {"width": 1200, "height": 630}


def icon(browser: Browser, width: int, fills: float, sky: str) -> bytes:
    page = browser.new_page(viewport={"width": width, "height": width})
    svg = (WEB / "icon.svg").read_text(encoding="utf-8")
    page.set_content(
        f"<style>body {{ margin: 0; height: 100vh; display: grid; place-items: center; background: {sky} }}"
        f"svg {{ width: {100 * fills}vw }}</style>{svg}"
    )
    made = page.screenshot(omit_background=True)
    page.close()
    return made


def preview(browser: Browser, visitor: Visitor, lang: str) -> bytes:
    context = browser.new_context(
        base_url=visitor.address, viewport=PREVIEW, locale=LANGS[lang], color_scheme="dark",  # type: ignore[arg-type]
        reduced_motion="reduce",
    )  # fmt: skip
    name, _, value = visitor.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": visitor.address}])
    page = context.new_page()
    page.goto(f"/room/{visitor.rooms['madness']}", wait_until="networkidle")
    page.locator("madness-table").wait_for()
    page.wait_for_timeout(700)
    made = page.screenshot()
    context.close()
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("icons", "previews"))
    wanted = parser.parse_args().only
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        if wanted != "previews":
            for name, width, fills, sky in ICONS:
                (WEB / name).write_bytes(icon(browser, width, fills, sky))
        if wanted != "icons":
            with server() as address:
                for lang in LANGS:
                    visitor = Visitor(address, NAMES[lang][0])
                    visitor.play_for(["madness"], Visitor(address, NAMES[lang][1]))
                    (WEB / f"preview-{lang}.png").write_bytes(preview(browser, visitor, lang))
        browser.close()


if __name__ == "__main__":
    main()
