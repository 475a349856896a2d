"""The first page: a stranger plays with one press, friends find each other, names can be changed."""

import re
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from coyote.games.registry import GAMES, make_game
from coyote.lab.report import play_link
from table.kit_table import Guest, Server
from web.conftest import OpenPage, Pages, axe_violations
from web.kit_web import new_game, room_of, wait_for_turn

TOO_WIDE = """() => [...document.querySelectorAll(".game .option, .level .option")].flatMap((option) => {
  const [place, tile] = [option, option.querySelector(".tile")].map((one) => one.getBoundingClientRect());
  return [...option.querySelectorAll("b, .edition, .pips")].filter((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const text = range.getBoundingClientRect();
    return text.left < tile.left - 0.5 || text.right > tile.right + 0.5 || tile.right > place.right + 0.5;
  }).map((one) => one.textContent);
})"""


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


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_games_and_opponents_have_room_for_their_names(open_page: Any, lang: str) -> None:
    """In tiles that lie side by side, and not over each other."""
    page = open_page("/", lang=lang)
    page.locator(".level .tile").nth(6).wait_for()
    for width in (320, 360, 390, 480, 683, 861, 1024, 1280, 2560):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(TOO_WIDE) == [], width


def test_a_stranger_plays_with_one_press(open_page: Any) -> None:
    page = open_page("/", phone=True)
    page.locator("button.big").click()
    assert wait_for_turn(page)
    page.goto("/")
    expect(page.locator(".mine .game-row")).to_contain_text("Stray")
    page.locator(".mine .game-row").click()
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
        page.locator(".big-ready").click()
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
    assert wanted["opponent"] == "bot" and wanted["bot"] == "level:3"
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
    page = pages.open("/?game=madness&edition=standard&goal=7&fields=2&close=never")
    house = page.locator(".house")
    expect(house).to_have_attribute("open", "")
    expect(page.locator("#house-fields")).to_have_value("2")
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
    expect(reasons.nth(0)).to_have_text("Komi 4 is not less than goal 2. M25")
    expect(reasons.nth(1).locator("a")).to_have_attribute("href", "/rules/madness#M5")
    assert axe_violations(page) == []
    page.locator("#house-goal").fill("30")  # the browser itself knows the bounds
    expect(reasons).to_have_count(0)
    page.locator(".house summary").click()
    page.locator("button.big").click()
    expect(page.locator(".house")).to_have_attribute("open", "")
    assert page.url.endswith("komi=4")


# ---------------------------------------------------------------- links and decks


def wanted_of(page: Page) -> Any:
    """What the server is asked for when the form is sent."""
    with page.expect_request("**/api/rooms") as asked:
        page.locator("button.big").click()
    page.wait_for_url("**/room/*")
    return asked.value.post_data_json


def copied_link(page: Page) -> str:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy a link to these choices").click()
    expect(page.get_by_role("button", name="The link is copied")).to_be_visible()
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_a_link_carries_everything_to_another_browser(open_page: OpenPage) -> None:
    first = open_page("/")
    for value in ("duel", "bot", "4"):
        first.locator(f"label.option:has(input[value='{value}'])").click()
    first.get_by_label("Your deck").select_option("magpies")
    first.get_by_label("The other deck").select_option("pack")
    first.locator(".house summary").click()
    first.locator("#house-health").fill("60")
    first.locator("summary", has_text="Clock and more").click()
    first.get_by_label("Clock", exact=True).select_option("minutes")
    first.get_by_label("Minutes each").fill("0.5")
    link = copied_link(first)
    wanted = wanted_of(first)
    assert wanted["clock"] == {"minutes": 0.5, "increment": 5} and wanted["bot"] == "level:4"
    assert (wanted["deck"], wanted["their_deck"], wanted["options"]) == ("magpies", "pack", {"health": 60})

    second = open_page("/rules", lang="ru")
    second.evaluate(
        "localStorage.setItem('lobby', JSON.stringify({game: 'madness/classic', opponent: 'open'}))"
    )
    second.goto(link)
    expect(second.locator("#my_deck")).to_have_value("magpies")
    expect(second.locator("#clock")).to_have_value("minutes")
    expect(second.locator(".more-choices .told").last).to_have_text("0,5 мин + 5 с")
    assert wanted_of(second) == wanted


def test_a_report_leads_to_the_variant_that_it_speaks_of(open_page: OpenPage, server: Server) -> None:
    table = f"http://{server.host}/"
    page = open_page(
        play_link(table, make_game("duel", health=60), deck="magpies", their_deck="pack", level=4)
    )
    page.locator("#my_deck").wait_for()
    wanted = wanted_of(page)
    assert (wanted["game"], wanted["options"], wanted["bot"]) == ("duel", {"health": 60}, "level:4")
    assert (wanted["deck"], wanted["their_deck"]) == ("magpies", "pack")
    page = open_page(play_link(table, make_game("madness", edition="classic", goal=7, chance="no")))
    page.locator("button.big").wait_for()
    assert wanted_of(page)["options"] == {"edition": "classic", "goal": 7, "chance": "no"}


def test_what_a_link_does_not_say_is_as_it_was(open_page: OpenPage) -> None:
    """And what it says that cannot be is left out."""
    page = open_page("/rules")
    page.evaluate(
        "localStorage.setItem('lobby', JSON.stringify({opponent: 'self', clock: 'days', days: '3'}))"
    )
    page.goto("/?game=madness&level=9&begins=nobody&opponent=who")
    wanted = wanted_of(page)
    assert (wanted["opponent"], wanted["clock"], wanted["begins"]) == ("bot", {"days": 3}, "lot")
    page.goto("/?game=duel")
    page.locator("#my_deck").wait_for()
    assert page.evaluate("JSON.parse(localStorage.getItem('lobby')).game") == "madness/standard"


def test_no_house_rule_has_the_name_of_a_field() -> None:
    """They stand side by side in a link."""
    fields = {"game", "edition", "deck", "their_deck", "opponent", "level", "other_name", "clock"}
    fields |= {"minutes", "increment", "days", "begins"}
    for game in GAMES.values():
        assert not fields & {option.name for option in game.OPTIONS}, game.name


def test_the_deck_page_leads_to_a_game_with_that_deck(open_page: OpenPage) -> None:
    page = open_page("/decks")
    page.locator("#deck-start").select_option("ready:wildfire")
    page.locator(".line .step").first.click()  # not quite the ready one any more
    expect(page.locator(".deck-count")).to_contain_text("18 cards")
    page.locator(".play-link").click()
    expect(page.locator("input[value='duel']")).to_be_checked()
    expect(page.locator("#my_deck")).to_have_value("code")
    expect(page.locator("#my_deck-note")).to_contain_text("18 cards: common")
    code = page.locator("#my_deck-code").input_value()
    assert wanted_of(page)["deck"] == code


def test_a_deck_of_ones_own_is_there_wherever_a_deck_is_chosen(open_page: OpenPage, server: Server) -> None:
    page = open_page("/decks")
    page.locator("#deck-start").select_option("ready:wildfire")
    expect(page.locator(".verdict")).to_contain_text("ready to play")
    page.locator("#deck-name").fill("Burning «ember»")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved in this browser: Burning «ember».")).to_be_visible()
    code = page.locator("#code-out").input_value()
    page.locator(".play-link").click()  # the link has its code, and here it has a name
    expect(page.locator("#my_deck")).to_have_value("saved:Burning «ember»")
    assert axe_violations(page) == []
    assert wanted_of(page)["deck"] == code
    page.goto("/")
    expect(page.locator("#my_deck")).to_have_value("saved:Burning «ember»")  # and stays chosen

    made = Guest(server, "Host").make(game="duel", opponent="open")
    page.goto(f"/room/{made['room']}")
    page.get_by_label("Your deck").select_option("saved:Burning «ember»")
    expect(page.locator("#join-deck-note")).to_contain_text("19 cards")
    with page.expect_request("**/join") as asked:
        page.get_by_role("button", name="Sit down and play").click()
    wanted: Any = asked.value.post_data_json
    assert wanted["deck"] == code
    expect(page.locator("#join-deck")).to_have_count(0)


def test_a_deck_that_cannot_be_played_is_said_where_it_is_chosen(pages: Pages) -> None:
    page = pages.open("/?game=duel&deck=ABCDEF", lang="ru", phone=True)
    expect(page.locator("#my_deck-note")).to_have_text("Код колоды повреждён.")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    page.locator("button.big").click()
    expect(page.locator("#my_deck-code")).to_be_focused()
    assert not [url for url in asked if url.endswith("/api/rooms")]
    page.evaluate(
        "localStorage.setItem('decks', JSON.stringify([{name: 'Куцая', cards: ['ember', 'ember']}]))"
    )
    page.reload()
    page.get_by_label("Ваша колода").select_option("saved:Куцая")
    expect(page.locator("#my_deck-note .fault")).to_have_text("Карт 2, а нужно не меньше 15.")
    expect(page.locator("#my_deck-note a.rule")).to_have_text("D19")
    assert axe_violations(page) == []
    page.locator("label.option:has(input[value='madness/standard'])").click()  # where no deck is needed
    assert "deck" not in wanted_of(page)


# ---------------------------------------------------------------- names and other devices


def test_a_name_that_was_typed_is_taken(open_page: OpenPage, server: Server) -> None:
    page = open_page("/")
    page.get_by_label("Your name").fill("Дарья")
    new_game(page, "A friend")
    assert Guest(server, "x").ask("GET", f"/api/rooms/{room_of(page)}")["update"]["names"][0] == "Дарья"
    page.goto("/")
    page.get_by_label("Your name").fill("Dasha")
    page.locator("h1").click()
    expect(page.get_by_text("You are called Dasha now.")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Your name")).to_have_value("Dasha")
    assert axe_violations(page) == []


def test_a_name_that_cannot_be_is_refused_before_anybody_is_invited(pages: Pages) -> None:
    pages.allow("status of 422")
    page = pages.open("/", lang="ru")
    page.get_by_label("Ваше имя").fill("Старый Койот")
    page.locator("button.big").click()
    expect(page.locator(".reasons li")).to_contain_text("Старый Койот")
    assert "/room/" not in page.url


def test_a_link_that_works_here_only_says_so(open_page: OpenPage) -> None:
    page = open_page("/?opponent=link")
    note = page.locator(".new-game .only-here")
    expect(note).to_contain_text("on this computer only")
    expect(note).to_contain_text("coyote table --host 0.0.0.0")
    page.locator("button.big").click()
    expect(page.locator(".share .only-here")).to_contain_text("coyote table --host 0.0.0.0")
    assert axe_violations(page) == []
    page.goto("/?opponent=bot")
    page.locator("button.big").wait_for()
    expect(note).to_be_hidden()


def test_a_link_leads_to_the_address_that_others_can_reach(open_page: OpenPage) -> None:
    page = open_page("/rules", lang="ru")
    found = {"only_here": False, "addresses": ["http://192.0.2.7:8000/"]}
    page.route("**/api/address", lambda route: route.fulfill(json=found))
    page.goto("/?opponent=link")
    expect(page.locator(".reach .reach")).to_have_text("Для устройств в вашей сети: http://192.0.2.7:8000")
    page.locator("button.big").click()
    expect(page.locator("#invite-link")).to_have_value(
        re.compile(r"^http://192\.0\.2\.7:8000/room/\w+\?invite=")
    )


# ---------------------------------------------------------------- what others play


def test_a_game_that_is_played_can_be_watched_until_it_is_over(open_page: OpenPage, server: Server) -> None:
    one, two = Guest(server, "Watched one"), Guest(server, "Watched two")
    made = one.make(game="madness", opponent="open")
    two.join(made)
    with closing(one.sit(made["room"])) as first, closing(two.sit(made["room"])) as second:
        for seat in (first, second):
            seat.ready()
        first.wait(lambda update: update["phase"] == "playing")
        page = open_page("/")
        row = page.locator(".playing .game-row", has_text="Watched one — Watched two")
        expect(row).to_contain_text("Watch")
        assert axe_violations(page) == []
        first.do("resign")
        expect(row).to_have_count(0)


def test_ones_own_games_say_whose_turn_it_is_and_how_they_ended(open_page: OpenPage) -> None:
    page = open_page("/?game=madness&opponent=bot&level=1&begins=host")
    page.locator("button.big").click()
    wait_for_turn(page)
    page.goto("/")
    row = page.locator(".mine .game-row")
    expect(row).to_contain_text("Your turn")
    row.click()
    wait_for_turn(page)
    page.get_by_role("button", name="Resign").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.locator(".end").wait_for()
    page.goto("/")
    expect(row).to_contain_text("Lost")
    expect(row).to_have_attribute("href", re.compile("^/replay/"))


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
    page.locator("button.big").wait_for()
    expect(page.locator(".mine .game-row")).to_have_count(0)
