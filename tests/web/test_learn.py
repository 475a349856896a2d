"""First games in the browser: played by clicking, as somebody who knows nothing would."""

import re

import pytest
from playwright.sync_api import Page, expect

from coyote.table.lessons import lesson
from web.conftest import DESKTOP, PHONE, OpenPage, axe_violations
from web.kit_web import no_scrolling, nothing_overlaps


def play(page: Page, game: str, move: str) -> None:
    """Make a move with the table itself."""
    if game == "duel":
        card = move.removeprefix("play ")
        page.locator(f"duel-table [data-held][data-card='{card}']").first.click()
        page.locator(f"duel-table button[data-act='{move}']").click()
        return
    verb, _, card = move.partition(" ")
    if card:
        page.locator(f"madness-table [data-held='{card}']").click()
        place = {"a": f"side-{verb[1:]}", "c": f"centre-{verb[1:]}", "b": "boss", "d": "discard"}
        target = f"[data-act='{move}']" if verb == "steal" else f"[data-place='{place[verb[0]]}']"
        page.locator(f"madness-table {target}").click()
    else:
        page.locator(f"madness-table [data-act='{move}']").click()


ON_ITS_SIDE = {"width": 740, "height": 360}


@pytest.mark.parametrize(
    ("game", "lang", "size"),
    [
        ("madness", "en", DESKTOP), ("madness", "ru", PHONE), ("madness", "ru", ON_ITS_SIDE),
        ("duel", "ru", DESKTOP), ("duel", "en", PHONE), ("duel", "ru", ON_ITS_SIDE),
    ],
)  # fmt: skip
def test_a_lesson_is_played_to_its_end(
    open_page: OpenPage, game: str, lang: str, size: dict[str, int]
) -> None:
    page = open_page(f"/learn/{game}", lang=lang, phone=size != DESKTOP, size=size)
    steps = [step for step in lesson(game, lang)["steps"] if step["want"]]
    for step in steps:
        expect(page.locator(".ln-say")).to_have_text(step["say"])
        expect(page.locator(".hint:visible").first).to_be_visible()
        no_scrolling(page)
        nothing_overlaps(page, f"{game}-table")
        play(page, game, step["want"])
    expect(page.locator(".ln-say")).to_have_text(lesson(game, lang)["steps"][-1]["say"])
    now_play = page.locator(f".ln-farewell a[href='/?game={game}']")
    expect(now_play).to_be_visible()
    now_play.click()
    expect(page).to_have_url(re.compile(rf"/\?game={game}$"))


def test_another_move_gets_kind_words_and_nothing_is_lost(open_page: OpenPage) -> None:
    page = open_page("/learn/madness")
    expect(page.locator(".ln-dots .now")).to_be_visible()
    page.locator("madness-table [data-act='pass']").click()
    expect(page.locator(".ln-kindly")).to_be_visible()
    expect(page.locator("madness-table [data-held]")).to_have_count(5)
    play(page, "madness", "a1 7S")
    expect(page.locator(".ln-kindly")).to_have_count(0)
    expect(page.locator(".ln-dots .done")).to_have_count(1)


def test_a_step_can_be_shown_and_seen_once_more(open_page: OpenPage) -> None:
    page = open_page("/learn/duel", lang="ru")
    show, again = page.locator(".ln-helpers button").nth(0), page.locator(".ln-helpers button").nth(1)
    show.click()
    expect(page.locator(".ln-dots .done")).to_have_count(1)
    again.click()
    expect(page.locator(".ln-dots .done")).to_have_count(0)
    expect(page.locator(".ln-helpers a")).to_have_attribute("href", "/?game=duel")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", ["madness", "duel"])
def test_everybody_can_follow_it(open_page: OpenPage, theme: str, game: str) -> None:
    page = open_page(f"/learn/{game}", theme=theme)
    expect(page.locator(".hint:visible").first).to_be_visible()
    assert axe_violations(page) == []
