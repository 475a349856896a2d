"""The deck builder in a browser."""

import re

import pytest
from playwright.sync_api import expect

from coyote.games.duel.decks import encode, ready_decks
from coyote.games.duel.sets import core_set
from table.kit_table import PATIENCE
from web.conftest import OpenPage, axe_violations


def tile(card: str) -> str:
    return f'.tile[data-id="{card}"]'


def test_building_a_deck(open_page: OpenPage) -> None:
    page = open_page("/decks")
    verdict = page.locator(".verdict")
    expect(verdict).to_contain_text("Too few cards: 0, at least 15 are needed")
    page.locator("#deck-start").select_option("ready:oasis")
    expect(verdict).to_contain_text("ready to play")
    expect(page.locator(".deck-count")).to_contain_text("20 cards")

    page.locator(f"{tile('ember')} .add").click()
    expect(verdict).to_contain_text("2 rules are broken")
    expect(verdict).to_contain_text("Too many cards: 21, at most 20 are allowed")
    expect(verdict).to_contain_text("3 copies of the common card «Ember», at most 2 are allowed")
    expect(verdict.get_by_role("link").first).to_have_attribute("href", re.compile("/rules/duel#D19"))
    expect(page.locator(".line.wrong")).to_have_attribute("data-id", "ember")
    expect(page.locator("#code-out")).to_have_value("")
    expect(page.locator(".play-link")).to_be_hidden()

    page.locator(f"{tile('ember')} .less").click()
    expect(page.locator("#code-out")).to_have_value(encode(ready_decks()["oasis"], core_set()))

    page.get_by_role("button", name="Deal").click()
    page.locator(".dealt figure").nth(2).wait_for(
        timeout=1000 * PATIENCE
    )  # the rules may have to be compiled
    expect(
        page.get_by_role("img", name=re.compile("What it does, and when. Attack: at once "))
    ).to_be_visible()


def test_a_deck_travels_by_its_code_and_is_kept(open_page: OpenPage) -> None:
    page = open_page("/decks", lang="ru", phone=True)
    verdict = page.locator(".verdict")
    code = encode(ready_decks()["magpies"], core_set())
    page.locator("#code-in").fill(code[:-1])
    page.get_by_role("button", name="Открыть").click()
    expect(page.locator(".toast")).to_contain_text("Код колоды повреждён")
    page.locator("#code-in").fill(code)
    page.get_by_role("button", name="Открыть").click()
    expect(verdict).to_contain_text("Колода готова к игре")
    expect(page.locator("#code-out")).to_have_value(code)
    expect(page.locator(".play-link")).to_have_attribute("href", f"/?game=duel&deck={code}")

    page.locator("#deck-name").fill("Мои сороки")
    page.get_by_role("button", name="Сохранить").click()
    page.get_by_role("button", name="Очистить").click()
    expect(verdict).to_contain_text("Карт 0, а нужно не меньше 15")
    page.reload()
    expect(verdict).to_contain_text("Карт 0")  # what was being built is still there
    page.locator("#deck-start").select_option("saved:Мои сороки")
    expect(page.locator("#code-out")).to_have_value(code)
    page.get_by_role("button", name="Удалить").click()
    page.get_by_role("dialog").get_by_role("button", name="Удалить").click()
    expect(page.locator("#deck-start")).not_to_contain_text("Мои сороки")


def test_a_link_brings_a_deck(open_page: OpenPage) -> None:
    code = encode(ready_decks()["pack"], core_set())
    page = open_page(f"/decks?code={code}")
    expect(page.locator("#code-out")).to_have_value(code)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_build(open_page: OpenPage, theme: str) -> None:
    page = open_page("/decks", theme=theme, lang="ru")
    page.locator("#deck-start").select_option("ready:oasis")
    expect(page.locator(".verdict")).to_contain_text("готова")
    page.locator(f"{tile('ember')} .add").click()
    expect(page.locator(".verdict")).to_contain_text("Нарушено 2 правила")
    page.get_by_role("searchbox").fill("кактус")
    assert axe_violations(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
