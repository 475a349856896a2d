"""Sets of guests on the pages: their decks, the lobby, and what a friend sees before sitting down."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from coyote.games.duel.decks import set_of_code
from table.kit_table import Guest, Server
from table.kit_workshop import DECK, OTHER, make_set, publish, small_set
from web.conftest import OpenPage, Pages, axe_violations
from web.kit_web import new_game, room_of

SET = "Пустыня 2"


def cookie(page: Page, guest: Guest) -> None:
    """The same person in a browser."""
    name, _, value = guest.cookie.partition("=")
    host = guest.server.host
    page.context.add_cookies([{"name": name, "value": value, "url": f"http://{host}"}])
    page.evaluate("(name) => { localStorage.guest = 'yes'; localStorage.name = name }", guest.name)


def at_home(open_page: OpenPage, guest: Guest, path: str, **look: Any) -> Page:
    page = open_page("/api/games", **look)
    cookie(page, guest)
    page.goto(path)
    return page


def add(page: Page, ids: list[str]) -> None:
    for card in ids:
        page.locator(f'.tile[data-id="{card}"] .add').click()
    expect(page.locator(".deck-count b")).to_have_text(re.compile(rf"\b{len(ids)}\b"))  # fewer may do as well


def test_a_deck_of_ones_own_set_is_built_kept_and_given_to_the_set(
    open_page: OpenPage, server: Server
) -> None:
    ann = server.guest("Ann")
    made = make_set(ann)
    version = publish(ann, made)
    page = at_home(open_page, ann, f"/decks?set={version['digest']}")
    expect(page.locator(".chip.strange")).to_contain_text(SET)
    expect(page.locator(".tile")).to_have_count(10)
    add(page, DECK)
    expect(page.locator(".verdict")).to_contain_text("ready to play")
    code = page.locator("#code-out").input_value()
    assert set_of_code(code) == version["digest"]
    page.get_by_role("button", name="Deal").click()
    expect(page.locator(".dealt figure")).to_have_count(3)
    expect(page.locator(".dealt")).to_contain_text("Card")
    page.locator("#deck-name").fill("Sand")
    page.get_by_role("button", name="Add to the set").click()
    expect(page.get_by_text("«Sand» is now among the ready decks of «Пустыня 2».").first).to_be_visible()
    [given] = ann.ask("GET", f"/api/card-sets/{version['digest']}/decks")
    assert (given["name"]["en"], given["code"]) == ("Sand", code)
    assert axe_violations(page) == []
    # It is of this set, and of no other.
    page.goto("/decks")
    expect(page.locator("#deck-start")).not_to_contain_text("Sand")
    # A code leads to the cards that it names.
    page.locator("#code-in").fill(code)
    page.get_by_role("button", name="Open").click()
    page.wait_for_url(f"**/decks?set={version['digest']}**")
    expect(page.locator("#code-out")).to_have_value(code)
    expect(page.locator("#deck-start")).to_contain_text("Sand")
    # And it can be printed.
    page.locator("#deck-name").fill("Dune")
    page.get_by_role("button", name="Save", exact=True).click()
    page.goto("/print")
    page.locator("#what").select_option(label="Dune · Пустыня 2")
    expect(page.locator(".told")).to_contain_text(f"{len(DECK)} cards")


def test_decks_are_checked_by_the_house_rules_of_the_match(open_page: OpenPage, server: Server) -> None:
    ann = server.guest("Ann")
    version = publish(ann, make_set(ann))
    page = open_page(f"/decks?set={version['digest']}&copies=3&deck-min=12")
    expect(page.locator(".by-rules")).to_contain_text("Fewest cards in a deck: 12")
    expect(page.get_by_text("12 to 20 cards of your own choice")).to_be_visible()
    add(page, [f"card-{n}" for n in range(4) for _ in range(3)])
    expect(page.locator(".verdict")).to_contain_text("ready to play")
    href = page.locator(".play-link").get_attribute("href") or ""
    assert f"set={version['digest']}" in href and "copies=3" in href and "deck-min=12" in href


def test_ones_own_set_is_chosen_in_the_lobby_and_the_draft_is_what_is_played(
    open_page: OpenPage, server: Server
) -> None:
    ann = server.guest("Ann")
    made = make_set(ann, decks=[{"name": "Sand", "about": "All of it.", "cards": DECK}])
    first = publish(ann, made)
    newer = small_set(attack=20)
    made = ann.ask("GET", f"/api/sets/{made['id']}")
    ann.ask("PUT", f"/api/sets/{made['id']}", {"revision": made["revision"], "text": newer})
    page = at_home(open_page, ann, "/?game=duel", phone=True)
    page.locator("#set").select_option(label=SET)
    expect(page.locator("#set-note")).to_contain_text("10 cards")
    expect(page.locator("#my_deck")).to_contain_text("Sand")
    expect(page.locator("#my_deck-note")).to_contain_text("All of it. 16 cards")
    assert axe_violations(page) == []
    new_game(page, "Duel", "Computer")
    page.locator("duel-table").wait_for()
    room = ann.ask("GET", f"/api/rooms/{room_of(page)}")
    assert room["welcome"]["set"]["name"] == SET and room["welcome"]["set"]["digest"] != first["digest"]
    cards = page.evaluate("() => Object.fromEntries(document.querySelector('duel-table').cards)")
    assert cards["card-0"]["text"]["en"] == "Attack 20."
    # The next time the form is as it was.
    page.goto("/")
    expect(page.locator("#set")).to_have_value(made["id"])


def test_a_set_that_cannot_be_played_says_why_and_sends_nothing(pages: Pages, server: Server) -> None:
    pages.allow("status of 422")
    ann = server.guest("Ann")
    broken = small_set().replace("Attack 13.", "Atack 13.")
    made = make_set(ann, broken, name="Broken")
    page = at_home(pages.open, ann, "/?game=duel")
    page.locator("#set").select_option(label="Broken")
    expect(page.locator("#set-note .fault")).to_be_visible()
    expect(page.locator(".set-links a")).to_have_attribute("href", f"/workshop?set={made['id']}")
    page.locator("button.big").click()
    assert page.url.endswith("game=duel")


def test_a_friend_sees_the_cards_and_the_house_rules_and_builds_a_deck_for_the_game(
    open_page: OpenPage, server: Server
) -> None:
    ann = server.guest("Ann")
    made = make_set(ann, decks=[{"name": "Sand", "about": "", "cards": DECK}])
    version = publish(ann, made)
    [sand] = ann.ask("GET", f"/api/card-sets/{version['digest']}/decks")
    terms = {"game": "duel", "options": {"health": 30}, "set": {"digest": version["digest"]}}
    room = ann.make(**terms, deck=sand["code"], opponent="link")
    page = open_page(f"/room/{room['room']}?invite={room['invite']}", lang="ru", phone=True)
    expect(page.locator(".notice")).to_contain_text(SET)
    expect(page.locator(".notice")).to_contain_text("30")
    expect(page.locator("#join-deck")).to_contain_text("Sand")  # one of those that come with the set
    page.locator(".notice button.card-set").click()
    link = page.get_by_role("link", name="Все карты с картинками")
    expect(link).to_have_attribute("href", f"/cards?set={version['digest']}")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Собрать колоду").click()
    page.wait_for_url("**/decks?set=**")
    expect(page.locator(".by-rules")).to_contain_text("30")
    add(page, OTHER)
    page.get_by_role("link", name="Сесть за стол с этой колодой").click()
    page.wait_for_url("**/room/**")
    expect(page.locator("#join-deck")).to_have_value("code")
    expect(page.locator("#join-deck-note")).to_contain_text("16 карт")
    page.get_by_role("button", name="Сесть за стол").click()
    seat = ann.sit(room["room"])
    seat.wait(lambda update: update["phase"] == "seated")
    seat.ready()
    page.locator("duel-table").wait_for()
    names = page.evaluate(
        "() => [...document.querySelector('duel-table').cards.values()].map((one) => one.name.ru)"
    )
    assert "Карта 3" in names


def test_the_gallery_shows_any_set(pages: Pages, server: Server) -> None:
    pages.allow("status of 404")
    ann = server.guest("Ann")
    version = publish(ann, make_set(ann))
    page = pages.open(f"/cards?set={version['digest']}", theme="dark")
    expect(page.locator(".card-grid li")).to_have_count(10)
    expect(page.locator("h1")).to_have_text(f"Cards: {SET}")
    expect(page.get_by_role("link", name="Play with these cards")).to_have_attribute(
        "href", f"/?game=duel&set={version['digest']}"
    )
    assert axe_violations(page) == []
    page.goto(f"/cards?set={'0' * 32}")
    expect(page.locator(".toast")).to_be_visible()
    expect(page.locator("h1")).to_have_text(re.compile("^Cards$"))


def test_a_listed_set_of_somebody_else_and_one_by_link_are_played(
    open_page: OpenPage, server: Server
) -> None:
    ann = server.guest("Ann")
    listed = make_set(ann, small_set("Listed Ones"), sight="listed", name="Listed Ones")
    publish(ann, listed)
    linked = publish(ann, make_set(ann, small_set("By Link", 14), name="By Link"))
    page = open_page(f"/?game=duel&set={linked['digest']}")
    expect(page.locator("#set")).to_have_value(linked["digest"])
    expect(page.locator("#set-note")).to_contain_text("By Link")
    expect(page.locator("#my_deck")).to_have_value("random")
    page.locator("#set").select_option(label="Listed Ones, by Ann")
    expect(page.locator("#set-note")).to_contain_text("Listed Ones")
    new_game(page, "Duel", "Here, in turns")
    page.locator(".pass, duel-table").first.wait_for()
