"""The gallery of cards in a browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from web.conftest import OpenPage, axe_violations

CARDS = ".card-grid > li:visible"


def names(page: Page) -> list[str]:
    return page.locator(f"{CARDS} .name").all_text_contents()  # what is out of sight is not laid out


def test_search_and_filters(open_page: OpenPage) -> None:
    page = open_page("/cards")
    expect(page.locator(CARDS)).to_have_count(88)
    search = page.get_by_role("searchbox")
    search.fill("уголек")  # the other language, and without the dots of ё
    expect(page.locator(CARDS)).to_have_count(1)
    expect(page.locator(f"{CARDS} .name")).to_have_text(["Ember"])
    search.fill("draw a card")
    expect(page.locator(".found")).to_have_text("11 cards")
    assert "Spark" in names(page) and "Ember" not in names(page)
    search.fill("")
    page.get_by_role("button", name="Super", exact=True).click()
    expect(page.locator(CARDS)).to_have_count(9)
    page.get_by_role("button", name="Auto", exact=True).click()
    expect(page.locator(f"{CARDS} .name")).to_have_text(["Comet"])
    page.get_by_role("button", name="Common", exact=True).click()
    expect(page.locator(".none")).to_be_visible()
    page.get_by_role("button", name="Rare", exact=True).click()  # of the two rarities, one at a time
    expect(page.locator(f"{CARDS} .name")).to_have_text(["Comet"])
    page.get_by_role("button", name="Clear").click()
    expect(page.locator(CARDS)).to_have_count(88)


def test_a_card_has_an_address(open_page: OpenPage) -> None:
    page = open_page("/cards#night-thief", lang="ru", phone=True)
    dialog = page.get_by_role("dialog", name="Вор ночи")
    expect(dialog).to_contain_text(
        "Супер. Атака 20. Противник: отложи 2 карты из руки, отложи карту из игры."
    )
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page).not_to_have_url(re.compile("#"))
    page.locator('[data-id="ember"] a').click()
    expect(page.get_by_role("dialog", name="Уголёк")).to_contain_text("Атака 12.")
    expect(page).to_have_url(re.compile("#ember$"))


def test_all_pictures_differ_and_stay_the_same(open_page: OpenPage) -> None:
    page = open_page("/cards")
    expect(page.locator(CARDS)).to_have_count(88)
    drawn = "[...document.querySelectorAll('.card-grid .card-art')].map(one => one.outerHTML)"
    first = page.evaluate(drawn)
    assert len(set(first)) == 88
    # Apart from the land and the sun, which follow from the id, what the cards do tells most of them apart.
    figures = page.evaluate(
        "[...document.querySelectorAll('.card-grid .card-art')]"
        ".map(one => [...one.querySelectorAll('.fig, .time')].map(part => part.outerHTML).join(''))"
    )
    assert len(set(figures)) > 80
    page.reload()
    expect(page.locator(CARDS)).to_have_count(88)
    assert page.evaluate(drawn) == first


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_use_the_gallery(open_page: OpenPage, theme: str) -> None:
    page = open_page("/cards", theme=theme, lang="ru", phone=True)
    page.get_by_role("button", name="Супер", exact=True).click()  # one card is like another; a few are enough
    expect(page.locator(CARDS)).to_have_count(9)
    assert axe_violations(page) == []
    page.goto("/cards#eclipse")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
