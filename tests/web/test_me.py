"""One's name on another device, one's bots, and what is kept of one."""

import json
import re

from playwright.sync_api import Page, expect

from table.kit_table import Server
from web.conftest import OpenPage, Pages, axe_violations
from web.kit_web import new_game, room_of, wait_for_turn


def somebody(open_page: OpenPage, name: str, games: int = 1, **how: object) -> Page:
    """With a name and games of their own."""
    page = open_page("/", **how)
    page.locator("#my-name").fill(name)
    page.locator(".name-box button").click()
    expect(page.locator(".name-box button")).to_be_disabled()
    for _ in range(games):
        page.goto("/")
        new_game(page)
        page.locator("madness-table").wait_for()
    return page


def code_of(page: Page) -> str:
    page.goto("/me")
    page.get_by_role("button", name=re.compile("Make a code|Получить код")).click()
    return page.locator(".code-line code").inner_text()


def test_name_and_games_come_to_another_device(open_page: OpenPage) -> None:
    first = somebody(open_page, "Anna")
    first.goto("/")
    first.get_by_role("link", name="Take your name and games to another device").click()
    code = code_of(first)
    expect(first.locator(".left")).to_contain_text(re.compile(r"\d+:\d\d"))
    assert first.locator("#invite-link").input_value().endswith(f"/take#{code}")
    assert axe_violations(first) == []
    second = open_page(f"/take#{code}", phone=True, lang="ru", theme="dark")
    assert axe_violations(second) == []
    second.get_by_role("button", name="Перенести сюда").click()
    expect(second.locator("main")).to_contain_text("Здравствуйте, Anna. Ваши партии здесь.")
    assert second.url.endswith("/take")
    second.get_by_role("link", name="На главную").last.click()
    expect(second.locator("#my-name")).to_have_value("Anna")
    expect(second.locator(".mine .game-row")).to_have_count(1)


def test_a_code_counts_once_and_a_name_with_games_is_not_lost_unasked(
    pages: Pages, open_page: OpenPage
) -> None:
    pages.allow("status of 403")
    first, second = somebody(open_page, "Anna"), somebody(open_page, "Boris", games=2)
    code = code_of(first)
    second.goto(f"/take#{code}")
    second.get_by_role("button", name="Take it over").click()
    dialog = second.get_by_role("dialog")
    expect(dialog).to_contain_text("This browser is Boris, with 2 games.")
    dialog.get_by_role("button", name="No, go back").click()
    second.goto("/me")
    expect(second.locator("main")).to_contain_text("You are Boris.")
    second.goto(f"/take#{code}")
    second.get_by_role("button", name="Take it over").click()
    second.get_by_role("dialog").get_by_role("button", name="Replace it").click()
    expect(second.locator("main")).to_contain_text("Welcome, Anna.")
    third = open_page(f"/take#{code}")
    third.get_by_role("button", name="Take it over").click()
    expect(third.locator(".toast")).to_be_visible()
    assert third.evaluate("localStorage.getItem('guest')") is None


def test_bots_are_listed_and_revoked(open_page: OpenPage, server: Server) -> None:
    page = somebody(open_page, "Anna")
    page.goto("/me")
    expect(page.locator("main")).to_contain_text("You have given no tokens to programs.")
    made = page.evaluate(
        "async () => (await fetch('/api/tokens', {method: 'POST', body: JSON.stringify({name: 'Robbie'}),"
        " headers: {'Content-Type': 'application/json'}})).json()"
    )
    assert made["token"]
    page.reload()
    row = page.locator(".bots li")
    expect(row).to_contain_text("Robbie")
    row.get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    expect(page.locator("main")).to_contain_text("You have given no tokens to programs.")


def test_other_browsers_are_signed_out(pages: Pages, open_page: OpenPage) -> None:
    pages.allow("status of 401")
    first = somebody(open_page, "Anna")
    second = open_page(f"/take#{code_of(first)}")
    second.get_by_role("button", name="Take it over").click()
    expect(second.locator("main")).to_contain_text("Welcome, Anna.")
    first.wait_for_timeout(20)  # not in the same millisecond
    first.get_by_role("button", name="Sign out everywhere else").click()
    first.get_by_role("dialog").get_by_role("button", name="Sign out everywhere else").click()
    expect(first.locator(".done")).to_be_visible()
    second.goto("/me")
    expect(second.locator("main")).to_contain_text("nothing is kept of you")
    first.reload()
    expect(first.locator("main")).to_contain_text("You are Anna.")


def test_all_of_it_is_saved_or_deleted(open_page: OpenPage) -> None:
    page = somebody(open_page, "Anna")
    wait_for_turn(page)
    room = room_of(page)
    page.get_by_role("button", name="Resign").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".end")).to_be_visible()
    page.goto("/me")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save all of it").click()
    kept = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert room in json.dumps(kept) and "Anna" in json.dumps(kept)
    page.get_by_role("button", name="Delete me").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete me").click()
    expect(page.locator("main")).to_contain_text("Nothing is kept of you here any more.")
    page.goto("/")
    expect(page.locator("button.big")).to_be_visible()
    assert page.locator("#my-name").input_value() != "Anna"
    assert page.locator(".mine .game-row").count() == 0


def test_a_link_that_is_no_code_still_opens_the_page(open_page: OpenPage) -> None:
    page = open_page("/take#%")
    expect(page.locator("#code")).to_have_value("%")
