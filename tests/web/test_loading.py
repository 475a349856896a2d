"""A page of which a part did not come says so, in both languages, and loads again by itself."""

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from web.conftest import Pages, axe_violations
from web.kit_web import new_game, wait_for_turn

FAILS = re.compile(
    r"Failed to load|ERR_FAILED|MIME type|Failed to fetch|no (words|style)|does not answer|\b429\b|\b503\b"
)


class Broken:
    """Some files do not come for so many times."""

    def __init__(self, context: BrowserContext, pattern: str, status: int, times: int) -> None:
        self.left, self.status, self.failed = times, status, 0
        context.route(re.compile(pattern), self.answer)

    def answer(self, route: Route) -> None:
        if self.failed >= self.left:
            return route.continue_()
        self.failed += 1
        if self.status:
            return route.fulfill(status=self.status, body="{}", headers={"retry-after": "1"})
        return route.abort("connectionrefused")


def blank(pages: Pages, **how: Any) -> Page:
    """A browser that has been nowhere yet."""
    page = pages.open("about:blank", **how)
    pages.allow(FAILS)
    return page


@pytest.mark.parametrize(
    ("file", "status"),
    [("lobby.js", 429), ("dom.js", 503), ("lobby-form.js", 0), ("words/en.json", 429), ("base.css", 503)],
)
def test_a_part_that_does_not_come(pages: Pages, file: str, status: int) -> None:
    page = blank(pages)
    broken = Broken(page.context, rf"/static/\w+/{file}$", status, times=1)
    page.goto("/")
    notice = page.locator("#loading.failed")
    shown = page.wait_for_function("() => document.querySelector('#loading.failed')?.innerText").json_value()
    assert "The page has not loaded completely. It tries again in" in shown  # for a moment only
    assert "Страница загрузилась не полностью. Новая попытка через" in shown
    expect(page.locator("button.big")).to_be_visible()  # nobody had to do anything
    expect(notice).to_have_count(0)
    assert broken.failed == 1


def test_it_waits_longer_each_time_and_has_a_button(pages: Pages) -> None:
    page = blank(pages, phone=True, lang="ru", theme="dark")
    Broken(page.context, r"/static/\w+/dom\.js$", 429, times=5)
    page.goto("/")
    seconds = page.locator("[data-seconds]").first
    tries = 0
    while tries < 5:  # a slow machine may have it loaded again before the button is found
        page.wait_for_function("(tries) => Number(sessionStorage.getItem('load.tries')) > tries", arg=tries)
        expect(seconds).to_have_text(re.compile(r"\d+"))
        tries = int(page.evaluate("sessionStorage.getItem('load.tries')"))
        if tries < 5:
            page.get_by_role("link", name="Загрузить снова").click()
    assert int(seconds.inner_text()) > 15
    assert axe_violations(page) == []
    page.get_by_role("link", name="Загрузить снова").click()
    expect(page.locator("button.big")).to_be_visible()


def test_a_server_that_is_away_is_waited_for(pages: Pages) -> None:
    """The page is not left for the browser's own words about it."""
    page = blank(pages)
    script = Broken(page.context, r"/static/\w+/words\.js$", 0, times=1)
    page.goto("/")
    whole = Broken(page.context, r"/$", 503, times=1)
    expect(page.locator("#loading.failed")).to_be_visible()
    expect(page.locator("button.big")).to_be_visible(timeout=300_000)
    assert script.failed == whole.failed == 1


def test_the_first_script_itself_does_not_come(pages: Pages) -> None:
    page = blank(pages)
    Broken(page.context, r"/static/\w+/(first|lobby)\.js$", 429, times=2)
    page.goto("/")
    expect(page.locator("#loading")).to_be_visible()  # after a while, by the style alone
    page.get_by_role("link", name="Load again").click()
    expect(page.locator("button.big")).to_be_visible()


@pytest.mark.parametrize("file", ["madness-table.js", "madness-table.css"])
def test_a_table_that_does_not_come(pages: Pages, file: str) -> None:
    page = pages.open("/")
    pages.allow(FAILS)
    page.locator("button.big").wait_for()
    broken = Broken(page.context, rf"/static/\w+/{file}$", 429, times=1)
    page.context.clear_cookies()  # so that it is somebody new, with nothing kept
    page.evaluate("localStorage.clear(); localStorage.setItem('lobby', JSON.stringify({begins: 'host'}))")
    page.reload()
    new_game(page)
    wait_for_turn(page)
    assert broken.failed == 1


def test_nothing_is_said_of_a_page_that_comes(pages: Pages) -> None:
    page = pages.open("/")
    page.locator("button.big").wait_for()
    assert page.locator("#loading").count() == 0
    assert page.evaluate("sessionStorage.getItem('load.tries')") is None
