"""Duplicate in the browser: two people and two bots, from the form over the seals to the sum."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from coyote.fairness import check_fair, sealed
from table.kit_table import PATIENCE, Server
from table.test_ratings import move_once
from web.conftest import axe_violations
from web.kit_web import a_guest
from web.test_ladder import sit_down


def make(page: Page) -> str:
    page.goto("/boards")
    page.locator("#boards-kind").select_option("madness/classic")
    page.locator("#boards-people").select_option("two")
    page.locator("#boards-level").select_option("level:1")
    assert not axe_violations(page)
    page.locator("button.big").click()
    page.wait_for_url(re.compile(r"/boards/[0-9a-f]+$"))
    return page.url.rsplit("/", 1)[1]


def leave(page: Page) -> None:
    room = page.url.rsplit("/", 1)[1]
    assert page.request.post(f"/api/rooms/{room}/leave").ok


@pytest.mark.parametrize(("lang", "theme"), [("en", "light"), ("ru", "dark")])
def test_a_deal_for_two_tables(open_page: Callable[..., Page], lang: str, theme: str) -> None:
    first, second = (
        a_guest(open_page, name, phone=True, lang=lang, theme=theme) for name in ("Anna", "Boris")
    )
    board = make(first)
    expect(first.locator(".state b")).not_to_be_empty()
    assert not axe_violations(first)
    second.goto(f"/boards/{board}")
    second.locator(".team-1 button").click()
    for page in (first, second):  # seals and numbers go by themselves, and then all to their tables
        page.wait_for_url("**/room/*")
        page.locator("madness-table [data-held]").first.wait_for()
    assert first.url == second.url
    leave(second)
    first.locator(".end .part-of").click()
    first.wait_for_url("**/boards/*")
    first.locator(".result .both").wait_for()  # the bots have played their table, too
    expect(first.locator(".result .both li")).to_have_count(2)
    expect(first.locator(".par")).to_contain_text(re.compile(r"\d"))
    assert not axe_violations(first)
    room = first.locator(".result .both li").first.get_by_role("link").get_attribute("href") or ""
    record = first.request.get(f"/api/rooms/{room.rsplit('/', 1)[1]}/record").json()
    check_fair(record)
    assert sealed(record) == "both"


def test_the_worth_of_any_finished_deal(open_page: Callable[..., Page], server: Server) -> None:
    galya, boris = server.guest("Galya"), server.guest("Boris")
    first, second = sit_down(galya, boris, galya.make(game="madness"))
    move_once(first, second)
    second.do("resign")
    page = open_page(f"/room/{first.room}")
    page.locator(".ask-par").click()
    expect(page.locator(".end .par")).to_contain_text("%", timeout=1000 * PATIENCE)
