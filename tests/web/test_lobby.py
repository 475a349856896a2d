"""The first page: a stranger plays with one press, friends find each other, names can be changed."""

from typing import Any

import pytest
from playwright.sync_api import expect

from web.conftest import Pages, axe_violations
from web.kit_web import new_game, wait_for_turn


@pytest.mark.parametrize(
    ("lang", "theme"), [("en", "light"), ("ru", "dark"), ("en", "dark"), ("ru", "light")]
)
def test_everybody_can_use_it(open_page: Any, lang: str, theme: str) -> None:
    page = open_page("/", lang=lang, theme=theme, phone=theme == "dark")
    page.locator("button.big").wait_for()
    for summary in page.locator("summary").all():
        summary.click()
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
    host.locator("summary", has_text="Clock and more").click()
    host.get_by_label("Clock", exact=True).select_option("minutes")
    host.get_by_label("Minutes each").fill("7")
    new_game(host, "Madness, classic", "Anybody")
    host.locator(".qr").wait_for()
    assert axe_violations(host) == []
    guest = open_page("/", lang="ru")
    row = guest.locator(".game-row", has_text="Анна")
    expect(row).to_contain_text("Мэднесс · классическая · 7 мин + 5 с")
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


# ---------------------------------------------------------------- house rules


def test_house_rules_are_chosen_told_and_taken_back(open_page: Any) -> None:
    page = open_page("/", phone=True)
    house = page.locator(".house")
    expect(house.locator(".told")).to_have_text("as in the edition")
    expect(house).not_to_have_attribute("open", "")
    house.locator("summary").click()
    goal, close, chance = (page.locator(f"#house-{name}") for name in ("goal", "close", "chance"))
    row = page.locator("[data-option=goal]")
    expect(row).to_contain_text("1 to 20 · in the edition: 5")
    for _ in range(2):
        row.get_by_text("+", exact=True).click()
    expect(goal).to_have_value("7")
    close.select_option("never")
    chance.uncheck()
    expect(house.locator(".told")).to_contain_text("Lead that wins: 7")
    page.reload()  # what was chosen last is chosen again
    expect(house.locator(".told")).to_contain_text("Lead that wins: 7")
    house.locator("summary").click()
    row.get_by_role("button", name="Lead that wins: back to 5").click()
    expect(goal).to_have_value("5")
    expect(goal).to_be_focused()
    page.get_by_role("button", name="Set everything back").click()
    expect(house.locator(".told")).to_have_text("as in the edition")
    expect(chance).to_be_checked()


def test_house_rules_belong_to_their_edition(open_page: Any) -> None:
    page = open_page("/")
    page.locator(".house summary").click()
    page.locator("#house-goal").fill("9")
    page.locator("label.option:has(input[value='madness/classic'])").click()
    expect(page.locator("#house-goal")).to_have_value("6")
    expect(page.locator("#house-close")).to_have_value("open")
    page.locator("label.option:has(input[value='duel'])").click()
    expect(page.locator("#house-goal")).to_have_count(0)
    expect(page.locator("#house-health")).to_have_value("100")
    page.locator("label.option:has(input[value='madness/standard'])").click()
    expect(page.locator("#house-goal")).to_have_value("9")


def test_a_link_carries_house_rules_into_the_form_and_to_the_server(pages: Pages) -> None:
    page = pages.open("/")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/?game=madness&edition=standard&goal=7&fields=2&close=never")
    house = page.locator(".house")
    expect(house).to_have_attribute("open", "")
    expect(page.locator("#house-fields")).to_have_value("2")
    page.get_by_role("button", name="Copy a link to these rules").click()
    expect(page.get_by_role("button", name="The link is copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("/?game=madness&edition=standard&goal=7&fields=2&close=never")
    with page.expect_request("**/api/rooms") as asked:
        page.locator("button.big").click()
    wanted: Any = asked.value.post_data_json
    assert wanted["options"] == {"edition": "standard", "goal": 7, "fields": 2, "close": "never"}
    page.wait_for_url("**/room/*")


def test_house_rules_by_keyboard_alone(open_page: Any) -> None:
    page = open_page("/")
    page.locator(".house summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#house-goal")).to_be_focused()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    expect(page.locator("#house-goal")).to_have_value("8")
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Lead that wins: back to 5")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#house-goal")).to_have_value("5")


def test_what_cannot_be_is_said_with_every_reason(pages: Pages) -> None:
    pages.allow("status of 422")
    page = pages.open("/?game=madness&goal=2&komi=4")
    problem = {
        "code": "option.komi", "text": "one; two", "rule": "M25",
        "reasons": [
            {"code": "option.komi", "text": "komi 4 is not less than goal 2 (M25)", "rule": "M25"},
            {"code": "option.range", "text": "fields is 9, not 1 to 4 (M5)", "rule": "M5"},
        ],
    }  # fmt: skip
    page.route("**/api/rooms", lambda route: route.fulfill(status=422, json=problem))
    page.locator("button.big").click()
    reasons = page.locator(".reasons li")
    expect(reasons).to_have_count(2)
    expect(reasons.nth(0)).to_have_text("komi 4 is not less than goal 2 M25")
    expect(reasons.nth(1).locator("a")).to_have_attribute("href", "/rules/madness#M5")
    assert axe_violations(page) == []
    page.locator("#house-goal").fill("30")  # the browser itself knows the bounds
    expect(reasons).to_have_count(0)
    page.locator(".house summary").click()
    page.locator("button.big").click()
    expect(page.locator(".house")).to_have_attribute("open", "")
    assert page.url.endswith("komi=4")


def test_the_deck_page_leads_to_a_game_with_that_deck(open_page: Any) -> None:
    page = open_page("/decks")
    page.locator("#deck-start").select_option("ready:oasis")
    page.locator(".play-link").click()
    expect(page.locator("input[value='duel']")).to_be_checked()
    expect(page.locator("#my_deck")).to_have_value("code")
    code = page.locator("#my_deck-code").input_value()
    assert code
    with page.expect_request("**/api/rooms") as asked:
        page.locator("button.big").click()
    assert asked.value.post_data_json["deck"] == code
    page.wait_for_url("**/room/*")


def test_a_game_that_pages_do_not_know_can_be_chosen_all_the_same(pages: Pages) -> None:
    """A third game needs nothing of the lobby: all that it shows comes from the server."""
    both = {"en": "Whist", "ru": "Вист"}
    hands = {
        "name": "tricks", "kind": "number", "least": 1, "most": 13, "choices": [], "values": {"": 13},
        "rule": "W3", "title": {"en": "Tricks", "ru": "Взятки"}, "about": both, "choice_titles": {},
    }  # fmt: skip
    whist = {
        "name": "whist", "title": both, "letter": "W", "editions": [], "options": [hands],
        "needs_decks": False, "lot": True, "rulebook": True, "lesson": False,
    }  # fmt: skip
    page = pages.open("/rules")
    page.route("**/api/games", lambda route: route.fulfill(json={"games": [whist]}))
    page.goto("/?game=whist&tricks=7")
    expect(page.locator(".game .tile b")).to_have_text("Whist")
    expect(page.locator(".house .told")).to_have_text("Tricks: 7")
    expect(page.locator("[data-option=tricks] a.rule")).to_have_attribute("href", "/rules/whist#W3")
    with page.expect_request("**/api/rooms") as asked:
        page.locator("button.big").click()
    wanted: Any = asked.value.post_data_json
    assert (wanted["game"], wanted["options"]) == ("whist", {"tricks": 7})
    pages.allow("status of 4")


def test_a_room_that_nobody_needs_is_closed(open_page: Any) -> None:
    page = open_page("/")
    new_game(page, "A friend")
    page.get_by_role("button", name="Copy the link").click()
    page.get_by_role("button", name="Do not wait any longer").click()
    page.wait_for_url(lambda url: "/room/" not in url)
    expect(page.locator(".game-row").first).to_contain_text("closed")
