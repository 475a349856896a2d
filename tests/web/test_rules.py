"""The rulebooks in the browser: found by number, by word and by edition."""

import re

import pytest
from playwright.sync_api import expect

from coyote.games.registry import GAMES
from coyote.table.pages import flat_words
from coyote.table.rulebook import book
from coyote.text.words import LANGUAGES, Lang
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


# ---------------------------------------------------------------- on the spot


def test_the_card_of_a_game_has_the_rules_that_are_played(open_page: OpenPage) -> None:
    page = open_page("/?game=madness&edition=standard&goal=7", phone=True, size={"width": 390, "height": 844})
    page.get_by_role("button", name="Rules in short").click()
    card = page.locator("dialog.rules-card")
    expect(card).to_contain_text("a lead of 7 wins at once (M10).")
    expect(card).to_contain_text("in the centre of an empty field")
    assert axe_violations(page) == []
    card.get_by_role("link", name="Rule M13").click()  # takes its place
    rule = page.locator("dialog.one-rule")
    expect(rule.get_by_role("heading")).to_have_text("M13 · Starvation")
    expect(card).to_have_count(0)
    assert axe_violations(page) == []
    expect(rule.get_by_role("link", name="The whole rulebook")).to_have_attribute(
        "href", "/rules/madness#M13"
    )
    page.keyboard.press("Escape")
    expect(rule).to_have_count(0)
    page.locator("label.option:has(input[value='madness/classic'])").click()
    page.get_by_role("button", name="Rules in short").click()
    expect(card).to_contain_text("a lead of 6 wins")
    expect(card).to_contain_text("any open field")
    expect(card).not_to_contain_text("an empty field")


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("game", ["madness", "duel"])
def test_a_card_is_one_screen(open_page: OpenPage, game: str, lang: str) -> None:
    page = open_page(f"/rules/{game}", lang=lang, size={"width": 1366, "height": 768})
    page.locator(".short-rules").click()
    card = page.locator("dialog.rules-card")
    expect(card).to_be_visible()
    assert card.evaluate("card => card.scrollHeight <= card.clientHeight")
    assert "{" not in card.inner_text()


def test_a_rule_is_read_where_it_is_cited(open_page: OpenPage) -> None:
    page = open_page("/", lang="ru", theme="dark")
    page.locator(".house summary").click()
    page.locator("[data-option=goal] a.rule").click()
    rule = page.locator("dialog.one-rule")
    expect(rule).to_contain_text("Нужно преимущество в 5 очков")
    expect(rule.locator("[data-edition]")).to_have_count(2)
    rule.get_by_role("link", name="Правило M25").first.click()
    expect(rule.get_by_role("heading", level=2)).to_contain_text("M25")
    expect(rule).to_have_count(1)
    assert len(page.context.pages) == 1
    rule.get_by_role("button", name="Закрыть").click()
    expect(page.locator("[data-option=goal] a.rule")).to_be_focused()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_line_of_a_card_is_of_its_game(lang: Lang) -> None:
    """The rules that it cites are in the book, its numbers are options, and its values can be had."""
    words = flat_words(lang)
    for game, kind in GAMES.items():
        options = {option.name: option.allowed for option in kind.OPTIONS}
        known = {rule["id"] for chapter in book(game, lang)["chapters"] for rule in chapter["rules"]}
        lines = {key: text for key, text in words.items() if key.startswith(f"rules.card.{game}.")}
        assert len(lines) > 8
        for key, text in lines.items():
            option, _, value = key.removeprefix(f"rules.card.{game}.").partition(".")
            assert not value or value in options[option], key
            assert set(re.findall(r"\{(\w+)\}", text)) <= {name.replace("-", "_") for name in options}, key
            cited = re.findall(rf"\b{kind.LETTER}\d+", text)
            assert cited and set(cited) <= known, key
            assert re.match(r"[^:]{3,30}: ", text) and text.endswith("."), key
