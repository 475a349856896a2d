"""How much a page loads at the first visit, and how soon it can be used. Real browser, empty cache.

python benchmarks/pages.py
"""

import json
import subprocess
import sys
import tempfile
import time
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
PAGES = {
    "/": "button.big", "/cards": ".duel-card", "/decks": ".duel-card", "/rules/madness": "#M12",
    "/learn/madness": "madness-table [data-held]", "/learn/duel": "duel-table .duel-card",
}  # fmt: skip


def visit(browser: Browser, address: str, path: str, usable: str, then: Any = None) -> None:
    context = browser.new_context(base_url=address)
    page: Page = context.new_page()
    sizes: list[int] = []
    page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    begun = time.perf_counter()
    page.goto(path)
    page.locator(usable).first.wait_for()
    ready = time.perf_counter() - begun
    page.wait_for_load_state("networkidle")
    print(
        json.dumps({"page": path, "kB": round(sum(sizes) / 1000), "files": len(sizes), "s": round(ready, 2)})
    )
    if then:
        then(page)
    context.close()


def play(page: Page) -> None:
    """From the lobby to cards in hand."""
    begun = time.perf_counter()
    page.locator("button.big").click()
    page.locator("madness-table [data-held]").first.wait_for()
    print(json.dumps({"page": "from the lobby to the table", "s": round(time.perf_counter() - begun, 2)}))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        command = [sys.executable, "-m", "coyote", "table", "--port", "0", "--lang", "en"]
        command += ["--db", f"sqlite:///{folder}/table.sqlite3"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                address = server.stdout.readline().split()[-1]
                time.sleep(8)  # the compiled rules are loaded
                browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
                visit(browser, address, "/", PAGES["/"], play)
                for path, usable in PAGES.items():
                    visit(browser, address, path, usable)
                browser.close()
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
