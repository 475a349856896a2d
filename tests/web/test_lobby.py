"""The first page: a stranger plays with one press, friends find each other, names can be changed."""

from typing import Any

import pytest
from playwright.sync_api import expect

from web.conftest import axe_violations
from web.kit_web import new_game, wait_for_turn


@pytest.mark.parametrize(
    ("lang", "theme"), [("en", "light"), ("ru", "dark"), ("en", "dark"), ("ru", "light")]
)
def test_everybody_can_use_it(open_page: Any, lang: str, theme: str) -> None:
    page = open_page("/", lang=lang, theme=theme, phone=theme == "dark")
    page.locator("button.big").wait_for()
    page.locator("summary").click()
    assert axe_violations(page) == []
    for value in ("duel", "self"):
        page.locator(f"label.option:has(input[value='{value}'])").click()
    page.locator("#their_deck").wait_for()
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_stranger_plays_with_one_press(open_page: Any) -> None:
    page = open_page("/", phone=True)
    page.locator("button.big").click()
    assert wait_for_turn(page)
    page.goto("/")
    expect(page.locator(".game-row.playing")).to_contain_text("Stray")
    page.locator(".game-row.playing").click()
    assert wait_for_turn(page)


def test_a_game_for_anybody_is_found_and_joined_with_a_clock(open_page: Any) -> None:
    host = open_page("/")
    host.get_by_label("Your name").fill("Анна")
    host.get_by_role("button", name="Change").click()
    host.locator("summary").click()
    host.get_by_label("Clock", exact=True).select_option("minutes")
    host.get_by_label("Minutes each").fill("7")
    new_game(host, "Madness, classic", "Anybody")
    host.locator(".qr").wait_for()
    assert axe_violations(host) == []
    guest = open_page("/", lang="ru")
    row = guest.locator(".game-row", has_text="Анна")
    expect(row).to_contain_text("Мэднесс, классика · 7 мин + 5 с")
    row.click()
    guest.get_by_label("Ваше имя").wait_for()
    assert axe_violations(guest) == []
    guest.get_by_role("button", name="Сесть за стол").click()
    for page in (host, guest):
        page.locator("madness-table").wait_for()
        expect(page.locator(".clock").first).to_contain_text(":")


def test_a_duel_with_decks_by_name_is_asked_for_as_chosen(open_page: Any) -> None:
    page = open_page("/")
    page.locator("label.option", has=page.get_by_text("Duel", exact=True)).click()
    page.get_by_label("Your deck").select_option("oasis")
    page.get_by_label("The other deck").select_option("random")
    with page.expect_request("**/api/rooms") as asked:
        page.locator("button.big").click()
    wanted = asked.value.post_data_json
    assert (wanted["game"], wanted["deck"], wanted["their_deck"]) == ("duel", "oasis", "random")
    assert wanted["opponent"] == "bot" and wanted["bot"] == "level:2"
    page.wait_for_url("**/room/*")


def test_a_room_that_nobody_needs_is_closed(open_page: Any) -> None:
    page = open_page("/")
    new_game(page, "A friend")
    page.get_by_role("button", name="Copy the link").click()
    page.get_by_role("button", name="Do not wait any longer").click()
    page.wait_for_url(lambda url: "/room/" not in url)
    expect(page.locator(".game-row").first).to_contain_text("closed")
