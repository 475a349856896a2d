"""A tournament of three in the browser: made, joined, begun, played, and the table follows."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from web.conftest import axe_violations
from web.kit_web import a_guest


def confirm(page: Page, what: str) -> None:
    page.locator(f"[data-what='{what}']").click()
    page.locator("dialog button.primary").click()


def play(pages: dict[str, Page]) -> None:
    """Those who have a game go there, and the one who is not Anna, or comes last, resigns."""
    there = {}
    for name, page in pages.items():
        way = page.locator("a.primary[href^='/room/']")
        page.locator(".round").first.wait_for()
        if way.count():
            way.click()
            page.wait_for_url("**/room/*")
            there[name] = page
    assert len(there) == 2
    for page in there.values():
        page.locator(".big-ready").click()
    for page in there.values():
        page.locator("madness-table").wait_for()
    loser = max(there)
    room = there[loser].url.rsplit("/", 1)[1]
    assert there[loser].request.post(f"/api/rooms/{room}/leave").ok
    for page in there.values():
        page.locator(".end .part-of").click()
        page.wait_for_url("**/tournaments/*")


@pytest.mark.parametrize(("lang", "theme"), [("en", "dark")])
def test_a_tournament_of_three(open_page: Callable[..., Page], lang: str, theme: str) -> None:
    names = ("Anna", "Boris", "Vera")
    pages = {name: a_guest(open_page, name, phone=True, lang=lang, theme=theme) for name in names}
    for name, page in pages.items():
        known_as(page, name)
    anna = pages["Anna"]
    anna.goto("/tournaments")
    assert not axe_violations(anna)
    anna.locator("button.big").click()
    anna.wait_for_url(re.compile(r"/tournaments/[0-9a-f]+$"))
    for page in (pages["Boris"], pages["Vera"]):
        page.goto(anna.url)
        page.locator("[data-what='join']").click()
    expect(anna.locator(".standings tbody tr")).to_have_count(3)
    confirm(anna, "start")
    for number in range(3):
        for page in pages.values():
            expect(page.locator(".state")).to_have_text(f"Round {number + 1} of 3.")
        play(pages)
    for page in pages.values():
        expect(page.locator(".state")).to_have_text("The tournament is over.")
    rows = anna.locator(".standings tbody tr")
    expect(rows.nth(0).locator("th")).to_have_text("Anna")
    expect(rows.locator(".points")).to_have_text(["3", "2", "1"])
    assert not axe_violations(anna)


def known_as(page: Page, name: str) -> Page:
    known = json.dumps({"guest": "yes", "name": name})
    page.context.add_init_script(f"try {{ Object.assign(localStorage, {known}) }} catch {{}}")
    return page


def test_the_same_deal_is_sealed_opened_and_proved(open_page: Callable[..., Page]) -> None:
    """Pages draw and tell their numbers by themselves; afterwards a player's browser can prove all of it."""
    pages = {
        name: known_as(a_guest(open_page, name, phone=True, lang="ru"), name) for name in ("Anna", "Boris")
    }
    anna = pages["Anna"]
    anna.goto("/tournaments")
    anna.locator("#tournaments-same").check()
    anna.locator("button.big").click()
    anna.wait_for_url(re.compile(r"/tournaments/[0-9a-f]+$"))
    pages["Boris"].goto(anna.url)
    for page in pages.values():
        page.locator("[data-what='join']").click()
        expect(page.locator("[data-what='leave']")).to_be_visible()
    expect(anna.locator(".standings tbody tr")).to_have_count(2)
    confirm(anna, "start")
    for page in pages.values():  # the numbers are told, and the cards dealt
        page.locator("a.primary[href^='/room/']").click()
        page.locator("madness-table [data-held]").first.wait_for()
    room = anna.url.rsplit("/", 1)[1]
    assert anna.request.post(f"/api/rooms/{room}/leave").ok
    anna.locator(".end .part-of").click()
    expect(anna.locator(".state")).to_have_text("Турнир окончен.")
    anna.goto(f"/replay/{room}?proof")
    proof = anna.locator(".proof")
    proof.wait_for()
    expect(proof).to_have_class(re.compile("good"))
    for check in ("board", "noted"):
        expect(proof.locator(f"[data-check='{check}']")).to_have_class("yes")
    expect(proof.locator(".could [data-who='both']")).to_have_attribute("data-safe", "yes")
