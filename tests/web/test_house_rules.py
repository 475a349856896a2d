"""House rules from the form to the end of the game: what is chosen is played, seen and proved."""

import random
import re
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from table.kit_table import Guest, Server
from web.conftest import OpenPage, Pages, axe_violations
from web.kit_web import (
    checked_record,
    every_card_is_reached,
    no_scrolling,
    nothing_overlaps,
    play_out,
    press_move,
    wait_for_turn,
)

PHONES = {"upright": {"width": 360, "height": 640}, "on its side": {"width": 740, "height": 360}}


def begin(page: Page, *choices: str) -> None:
    """The form as the link has filled it, with the host to begin and these choices."""
    for choice in choices:
        page.locator(f"label.option:has(input[value='{choice}'])").click()
    page.locator("button.big").click()
    page.wait_for_url("**/room/*")


def host_begins(page: Page) -> None:
    page.evaluate("localStorage.setItem('lobby', JSON.stringify({begins: 'host', level: '1'}))")


# ---------------------------------------------------------------- Madness


def test_rules_chosen_in_the_form_go_by_a_link_into_a_whole_game(pages: Pages, server: Server) -> None:
    designer = pages.open("/")
    designer.context.grant_permissions(["clipboard-read", "clipboard-write"])
    designer.locator(".house summary").click()
    designer.locator("#house-goal").fill("3")
    designer.locator("[data-option=fields]").get_by_text("−", exact=True).click()
    designer.locator("#house-chance").uncheck()
    designer.get_by_role("button", name="Copy a link to these choices").click()
    expect(designer.get_by_role("button", name="The link is copied")).to_be_visible()
    link = designer.evaluate("navigator.clipboard.readText()")

    page = pages.open(link)
    begin(page, "bot")
    wait_for_turn(page)
    expect(page.locator(".field-of-war")).to_have_count(2)
    expect(page.locator(".rope .cube")).to_have_count(6)
    expect(page.locator(".sheet .about")).to_have_text(
        "Madness · standard · goal 3 · 2 fields · no Coyote's Chance"
    )
    made = play_out([page], seed=3)
    record = checked_record(server, page)
    assert record["options"] == {"edition": "standard", "goal": 3, "fields": 2, "chance": "no"}
    assert made and not [move for _, move in record["moves"] if re.match(r"steal|decline|[ac][34]", move)]
    assert abs(page.evaluate("document.querySelector('madness-table').state.view.lead")) <= 3


@pytest.mark.parametrize("held", PHONES)
def test_four_fields_and_ten_cards_on_a_phone(open_page: OpenPage, held: str) -> None:
    page = open_page("/rules", phone=True, size=PHONES[held], lang="ru")
    host_begins(page)
    page.goto("/?game=madness&edition=classic&fields=4&hand=10")
    begin(page, "bot")
    wait_for_turn(page)
    expect(page.locator(".field-of-war")).to_have_count(4)
    every_card_is_reached(page, "madness-table", cards=10)
    dice = random.Random(held)
    for _ in range(12):
        if not (moves := wait_for_turn(page)):
            break
        nothing_overlaps(page, "madness-table")
        no_scrolling(page)
        # Attacks fill the table, and cards drawn fill the hand.
        good = [move for move in moves if move == "draw" or re.match(r"a\d", move)] or moves
        press_move(page, dice.choice(good))
        page.wait_for_function("() => !document.querySelector('madness-table').busy")
    assert axe_violations(page) == []


def test_a_game_without_jokers_fields_or_cards_to_spare(open_page: OpenPage, server: Server) -> None:
    """The smallest game that there is."""
    page = open_page("/rules", phone=True)
    host_begins(page)
    page.goto("/?game=madness&goal=1&fields=1&hand=1&jokers=0")
    begin(page, "bot")
    wait_for_turn(page)
    nothing_overlaps(page, "madness-table")
    expect(page.locator(".rope .cube")).to_have_count(2)
    play_out([page], seed=1)
    assert len(checked_record(server, page)["deck"]) == 52


# ---------------------------------------------------------------- the duel


def duel_view(page: Page) -> Any:
    return page.evaluate("document.querySelector('duel-table').state.view")


def choose(page: Page, move: str) -> None:
    """A choice, until the turn is over."""
    now = duel_view(page)["turn"]
    page.evaluate(
        "move => document.querySelector('duel-table').dispatchEvent("
        "new CustomEvent('move', { detail: move, bubbles: true }))",
        move,
    )
    page.wait_for_function(
        "now => { const { view } = document.querySelector('duel-table').state;"
        " return view.over || view.turn > now; }",
        arg=now,
    )


def hold_until(page: Page, told: str) -> None:
    for _ in range(30):
        if page.evaluate(told):
            return
        choose(page, "hold")
    raise AssertionError(f"never: {told}")


@pytest.mark.parametrize("held", PHONES)
def test_a_duel_with_ten_cards_in_hand_and_much_health(
    open_page: OpenPage, server: Server, held: str
) -> None:
    page = open_page("/rules", phone=True, size=PHONES[held])
    host_begins(page)
    page.goto("/?game=duel&health=200&hand-limit=10&wear=50")
    page.locator("#my_deck").wait_for()
    begin(page, "bot")
    page.locator("duel-table [data-held]").first.wait_for()
    expect(page.locator(".sheet .about")).to_have_text(
        "Duel · health 200 · hand limit 10 · wear 50 Cards: core"
    )
    expect(page.get_by_role("meter").last).to_have_attribute("aria-valuemax", "200")
    hold_until(page, "document.querySelectorAll('duel-table [data-held]').length === 10")
    every_card_is_reached(page, "duel-table", cards=10)
    no_scrolling(page)
    # D12: what does not fit goes to the discard.
    hold_until(page, "document.querySelector('.side-panel').textContent.includes('Your hand is full')")
    expect(page.locator("duel-table [data-held]")).to_have_count(10)
    dice = random.Random(held)
    while not duel_view(page)["over"]:
        choose(page, dice.choice(page.evaluate("document.querySelector('duel-table').state.legal")))
    expect(page.locator(".end")).to_be_visible()
    assert checked_record(server, page)["options"] == {"health": 200, "hand-limit": 10, "wear": 50}


# ---------------------------------------------------------------- what everybody is told

TITLES = {
    "en": "Madness · classic · goal 2 · 2 fields · 1 Joker · no closing",
    "ru": "Мэднесс · классическая · до 2 · 2 Поля · 1 Джокер · без Закрытия",
}
RULES = {"edition": "classic", "goal": 2, "fields": 2, "jokers": 1, "close": "never"}


def test_the_title_names_what_differs_wherever_the_game_is(open_page: OpenPage, server: Server) -> None:
    host = Guest(server, "Титулярный")
    made = host.make(game="madness", options=RULES, opponent="open")
    seen = {lang: open_page("/", lang=lang, phone=lang == "ru") for lang in TITLES}
    for lang, page in seen.items():
        row = page.locator(".game-row", has_text="Титулярный")
        expect(row.locator(".what")).to_contain_text(TITLES[lang])
        row.click()
        expect(page.locator(".notice .chip").first).to_have_text(TITLES[lang])
        assert axe_violations(page) == []
    seen["en"].get_by_role("button", name="Sit down and play").click()
    with closing(host.sit(made["room"])) as seat:
        seat.wait(lambda update: update["phase"] == "seated")
        seat.ready()
        for lang, page in seen.items():
            page.locator("madness-table").wait_for()
            expect(page.locator(".sheet .about")).to_have_text(TITLES[lang])
            expect(page).to_have_title(re.compile(re.sub(" ", r"\\s", rf"^(● .* · )?{TITLES[lang]}")))
        seat.do("resign")
    for lang, page in seen.items():
        page.locator(".end a[href^='/replay/']").first.click()
        expect(page.locator(".rp-about > .chip")).to_have_text(TITLES[lang])
        expect(page.locator(".proof.good")).to_be_visible()  # a pack with one Joker
        dealt = page.locator("[data-check=deck]")
        dealt.locator("summary").click()
        cards = dealt.locator("code").first.inner_text().split()
        assert len(cards) == 53 and "X1" in cards and "X2" not in cards
        page.goto("/")
    mine = seen["en"].locator(".game-row.over", has_text="Титулярный")
    expect(mine.locator(".what")).to_contain_text(TITLES["en"])


def test_a_pack_with_another_number_of_jokers_is_refuted(open_page: OpenPage, server: Server) -> None:
    """The browser shuffles as many cards as the options say, whatever the server sends."""
    host = Guest(server, "Anna")
    made = host.make(game="madness", options={"jokers": 1}, opponent="bot", bot="random")
    with closing(host.sit(made["room"])) as seat:
        seat.ready()
        seat.wait(lambda update: update["phase"] == "playing")
        seat.do("resign")
    record = host.ask("GET", f"/api/rooms/{made['room']}/record")
    page = open_page("/rules")
    page.route("**/record", lambda route: route.fulfill(json=record))
    for jokers in (0, 2):
        record["options"]["jokers"] = jokers
        page.goto(f"/replay/{made['room']}?{jokers}")
        expect(page.locator(".proof.bad")).to_be_visible()
        expect(page.locator("[data-check=deck].no")).to_be_attached()


REFUSED = {
    "/?game=madness&goal=2&komi=4": [("M25", {"en": "head start", "ru": "Фора"})],
    "/?game=duel&hand=7&hand-limit=2&deck-min=30&deck-max=20": [
        ("D26", {"en": "Hand", "ru": "Hand"}),
        ("D26", {"en": "deck-min", "ru": "deck-min"}),
    ],
}


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("link", REFUSED)
def test_what_cannot_be_is_refused_with_every_reason(pages: Pages, link: str, lang: str) -> None:
    pages.allow("status of 422")
    page = pages.open(link, lang=lang)
    page.locator(".house summary").click()  # closed: it opens by itself where the fault is
    page.locator("button.big").click()
    reasons = page.locator(".reasons li")
    expect(reasons).to_have_count(len(REFUSED[link]))
    expect(page.locator(".house")).to_have_attribute("open", "")
    for reason, (rule, said) in zip(reasons.all(), REFUSED[link], strict=True):
        expect(reason).to_contain_text(said[lang])
        expect(reason.locator("a.rule")).to_have_text(rule)
    assert axe_violations(page) == []
    assert "/room/" not in page.url
    page.locator(".house").get_by_role(
        "button", name="Set everything back" if lang == "en" else "Вернуть всё"
    ).click()
    expect(reasons).to_have_count(0)
    begin(page, "bot")


def test_what_a_link_asks_for_and_nobody_knows_is_left_out(open_page: OpenPage) -> None:
    """A link of another version of the program, or of somebody who plays with addresses."""
    page = open_page("/?game=madness&goal=lots&shape=round&fields=2")
    expect(page.locator(".house .told")).to_have_text("Fields: 2")
    with page.expect_request("**/api/rooms") as asked:
        begin(page, "bot")
    wanted: Any = asked.value.post_data_json
    assert wanted["options"] == {"edition": "standard", "fields": 2}
