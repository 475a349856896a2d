"""A real server and a real browser. A page that complains in the console fails its test."""

import contextlib
import json
import os
import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from table.kit_table import PATIENCE, Server

# Chromium without a window of its own does the same with a third less work.
SHELLS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
CHROMIUM = next((path for path in SHELLS if path.exists()), SHELLS[-1])
# Those that Playwright leaves out (of several such switches the last one counts), and then the parts of
# Chromium's own window that are pages themselves: nobody sees them, and half of the work was theirs.
LEFT_OUT = [
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding",
    "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints",
    "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch",
    "PreloadTopChromeWebUI", "InitialWebUI", "WebUIReloadButton", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
]  # fmt: skip
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    f"--disable-features={','.join(LEFT_OUT)}",
]  # fmt: skip
PHONE = {"width": 360, "height": 640}
DESKTOP = {"width": 1280, "height": 800}
# What a browser says when the network is away on purpose; a test that does this allows it by name.
OFFLINE = re.compile(r"ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|WebSocket connection to")

expect.set_options(timeout=120_000)  # two browsers and a server share what the machine has

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    database = tmp_path_factory.mktemp("table") / "table.sqlite3"
    with Server(f"sqlite:///{database}") as started:
        wait_until_prepared(started)
        yield started


def wait_until_prepared(server: Server) -> None:
    """After a change of the rules they are compiled anew, which takes longer than a browser waits."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        # A server that compiles may be too slow to call itself well.
        with (
            contextlib.suppress(urllib.error.HTTPError),
            urllib.request.urlopen(f"http://{server.host}/healthz") as answer,
        ):
            if not json.loads(answer.read())["preparing"]:
                return
        time.sleep(0.2)
    raise TimeoutError("the rules are never compiled")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        if os.environ.get("CI") == "true":
            pytest.fail("the tests of pages need Chromium: apt-get install chromium-headless-shell")
        pytest.skip("chromium is not installed")
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield found
        found.close()


class Pages:
    """Opens pages for a test, each in a browser profile of its own, and listens to what they complain of."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser, self.server = browser, server
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.allowed: list[re.Pattern[str]] = []

    def open(
        self,
        path: str,
        *,
        phone: bool = False,
        lang: str = "en",
        theme: str = "light",
        reduced: bool = True,
        host: str = "",
        size: dict[str, int] | None = None,
        pace: str = "off",
    ) -> Page:
        context = self.browser.new_context(
            base_url=f"http://{host or self.server.host}",
            viewport=size or (PHONE if phone else DESKTOP),  # type: ignore[arg-type]
            has_touch=phone,
            locale="ru-RU" if lang == "ru" else "en-GB",
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce" if reduced else "no-preference",
        )
        context.set_default_timeout(120_000)
        context.add_init_script(f"try {{ localStorage.pace ??= '{pace}' }} catch {{}}")  # none without a page
        self.contexts.append(context)
        page = context.new_page()
        self.listen(page)
        page.goto(path)
        return page

    def listen(self, page: Page) -> None:
        page.on("console", lambda said: self.hear(said.type, said.text))
        page.on("pageerror", lambda error: self.hear("error", str(error)))

    def hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(f"{kind}: {text}")

    def allow(self, *patterns: str | re.Pattern[str]) -> None:
        """Complaints that the test brings about on purpose."""
        self.allowed += [re.compile(one) for one in patterns]

    def close(self) -> list[str]:
        for context in self.contexts:
            with contextlib.suppress(Exception):
                context.close()
        return [one for one in self.complaints if not any(known.search(one) for known in self.allowed)]


@pytest.fixture
def pages(browser: Browser, server: Server) -> Iterator[Pages]:
    found = Pages(browser, server)
    yield found
    complaints = found.close()
    assert not complaints, complaints


@pytest.fixture
def open_page(pages: Pages) -> OpenPage:
    return pages.open


def run_tsc(project: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["tsc", "-p", str(project)], capture_output=True, text=True, check=False)


def axe_violations(page: Page) -> list[Any]:
    """What axe finds wrong on the page as it stands, short enough to read."""
    from axe_playwright_python.sync_playwright import Axe

    response = Axe().run(page).response
    return [
        (one["id"], one["help"], [node["html"][:160] for node in one["nodes"]])
        for one in response["violations"]
    ]
