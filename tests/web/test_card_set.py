"""A game with other cards than those of the core set says so wherever it is met, and shows what they do."""

from typing import Any

import pytest
from playwright.sync_api import expect

from coyote.games.duel.sets import CORE
from table.kit_table import Guest, Server
from web.conftest import OpenPage, axe_violations

RIGGED = CORE.read_text(encoding="utf-8")


def rigged(name: str) -> str:
    """The cards of the core set by their names, of which one does something else."""
    text = RIGGED.replace('name = "core"', f'name = "{name}"', 1)
    assert text != RIGGED and 'text = "Attack 12."' in text
    return text.replace('text = "Attack 12."', 'text = "Attack 99."', 1)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_other_cards_are_marked_from_the_list_to_the_proof(
    open_page: OpenPage, server: Server, lang: str
) -> None:
    eve = server.guest("Eve")
    made = eve.make(game="duel", opponent="open", set=rigged("Bright Days"), deck="random")
    digest = eve.ask("GET", f"/api/rooms/{made['room']}")["welcome"]["set"]["digest"]
    marked = f"Bright Days · {digest[:6]}…, " + ("not the core set" if lang == "en" else "не основной набор")
    page = open_page("/", phone=lang == "ru", lang=lang)
    row = page.locator(f"a[href='/room/{made['room']}']")
    expect(row.locator(".strange")).to_contain_text("Bright Days")
    assert axe_violations(page) == []
    row.click()
    chip = page.locator(".notice button.card-set.strange")
    expect(chip).to_contain_text(marked)  # before one sits down
    chip.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("99")
    expect(dialog).to_contain_text(digest)
    assert axe_violations(page) == []
    page.keyboard.press("Escape")
    page.locator("form button.primary").click()
    seat = play(eve, made)
    page.locator("duel-table").wait_for()
    if page.locator(".more").is_visible():
        page.locator(".more").click()
    expect(page.locator(".sheet .card-set.strange")).to_contain_text(marked)
    cards = page.evaluate("() => Object.fromEntries(document.querySelector('duel-table').cards)")
    assert cards["ember"]["text"]["en"] == "Attack 99."
    seat.do("resign")
    expect(page.locator(".end")).to_be_visible()
    page.goto(f"/replay/{made['room']}")
    expect(page.locator(".rp-tools .strange")).to_contain_text(marked)
    expect(page.locator(".proof .strange")).to_contain_text(marked)
    cards = page.evaluate("() => Object.fromEntries(document.querySelector('duel-table').cards)")
    assert cards["ember"]["text"]["en"] == "Attack 99."


def play(guest: Guest, made: Any) -> Any:
    seat = guest.sit(made["room"])
    seat.wait(lambda update: update["phase"] == "seated")
    seat.ready()
    return seat


def test_the_core_set_is_called_core_and_cards_are_asked_of_the_room(
    open_page: OpenPage, server: Server
) -> None:
    eve = server.guest("Eve")
    made = eve.make(game="duel", opponent="open", deck="pack")
    page = open_page(f"/room/{made['room']}")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.partition(server.host)[2]))
    expect(page.locator(".notice button.card-set")).to_have_text("Cards: core")
    assert page.locator(".strange").count() == 0
    page.locator("form button.primary").click()
    play(eve, made)
    page.locator("duel-table").wait_for()
    assert f"/api/rooms/{made['room']}/cards" in asked and "/api/cards" not in asked
