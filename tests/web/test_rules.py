"""The rulebooks in the browser: found by number, by word and by edition."""

import pytest
from playwright.sync_api import expect

from web.conftest import OpenPage, axe_violations


@pytest.mark.parametrize(("lang", "theme"), [("en", "light"), ("ru", "dark")])
def test_a_rule_is_found_by_its_number_and_by_a_word(open_page: OpenPage, lang: str, theme: str) -> None:
    page = open_page("/rules/madness#M12", lang=lang, theme=theme)
    rule = page.locator("#M12")
    expect(rule).to_be_in_viewport()
    expect(rule).to_have_class("rule-text here")
    rule.locator("a.rule", has_text="M16").first.click()
    expect(page.locator("#M16")).to_be_in_viewport()
    page.locator("#search").fill("койот" if lang == "ru" else "coyote")
    expect(page.locator("#M18")).to_be_visible()
    expect(page.locator("#M4")).to_have_count(0)
    assert page.locator("mark").count() > 3
    page.locator("#search").fill("qwertz")
    expect(page.locator(".found")).not_to_be_empty()
    expect(page.locator(".chapter")).to_have_count(0)
    page.locator("#search").fill("")
    expect(page.locator("#M4")).to_be_visible()


def test_all_three_sets_of_rules_are_one_click_away(open_page: OpenPage) -> None:
    page = open_page("/rules/madness", phone=True)
    books = page.locator(".books a")
    expect(books).to_have_count(4)
    standard, classic = (page.locator(f"#M10 [data-edition={name}]") for name in ("standard", "classic"))
    expect(standard).to_be_visible()
    expect(classic).to_be_visible()
    page.locator(".books a[href$='edition=classic']").click()
    expect(classic).to_be_visible()
    expect(standard).to_have_count(0)
    page.locator(".books a[href$='edition=standard']").click()
    expect(standard).to_be_visible()
    expect(classic).to_have_count(0)
    page.locator(".books a[href='/rules/duel']").click()
    expect(page.locator("#D6")).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("game", "theme", "word"), [("madness", "light", "closing card"), ("duel", "dark", "greedy")]
)
def test_everybody_can_read_it(open_page: OpenPage, game: str, theme: str, word: str) -> None:
    """A part of the book: the whole has the same elements, only more of them."""
    page = open_page(f"/rules/{game}", theme=theme)
    page.locator("#search").fill(word)
    expect(page.locator("mark").first).to_be_visible()
    assert axe_violations(page) == []


def test_on_paper_there_is_only_the_book(open_page: OpenPage) -> None:
    page = open_page("/rules/duel")
    expect(page.locator("#D1")).to_be_attached()
    page.emulate_media(media="print")
    expect(page.locator(".contents")).to_be_hidden()
    expect(page.locator("header.top")).to_be_hidden()
    expect(page.locator("#D25")).to_be_visible()
