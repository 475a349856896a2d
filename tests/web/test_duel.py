"""The table of the duel in real browsers, on a real server: whole games with mouse, finger and keys."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from coyote.games.duel.decks import Deck, encode
from coyote.games.duel.sets import core_set
from web.conftest import OpenPage, axe_violations
from web.kit_web import a_guest, ask

# Blows and nothing else: a game that is soon over.
TWICE = ("ember", "sunstroke", "fever", "sugar-rush", "magpie")
ONCE = ("white-noon", "firecracker", "bargain", "dream-thief", "whirlwind")
FIERCE = encode(Deck("core", (*((id, 2) for id in TWICE), *((id, 1) for id in ONCE))), core_set())


def against_a_bot(open_page: OpenPage, **look: Any) -> Page:
    page = a_guest(open_page, "Anna", **look)
    made = ask(page, "/api/rooms", {"game": "duel", "opponent": "bot", "bot": "greedy", "deck": "wildfire"})
    page.goto(f"/room/{made['room']}")
    page.locator("duel-table [data-held]").first.wait_for()
    return page


def two_players(open_page: OpenPage) -> tuple[str, Page, Page]:
    anna, boris = a_guest(open_page, "Anna"), a_guest(open_page, "Boris", lang="ru", theme="dark")
    made = ask(anna, "/api/rooms", {"game": "duel", "opponent": "link", "deck": FIERCE})
    ask(boris, f"/api/rooms/{made['room']}/join", {"invite": made["invite"], "deck": FIERCE})
    for page in (anna, boris):
        page.goto(f"/room/{made['room']}")
    for page in (anna, boris):
        page.locator("duel-table [data-held]").first.wait_for()
    return made["room"], anna, boris


def turn(page: Page) -> int:
    found: int = page.evaluate("document.querySelector('duel-table').state.view.turn")
    return found


def is_over(page: Page) -> bool:
    return bool(page.evaluate("document.querySelector('duel-table').state.view.over"))


def wait_for_turn(page: Page, after: int) -> None:
    """Until that turn is over, and the table takes the next choice."""
    page.wait_for_function(
        "after => { const table = document.querySelector('duel-table'), { view } = table.state;"
        " return view.over || (view.turn > after && !table.busy); }",
        arg=after,
    )


def choose(page: Page) -> None:
    """The first card by two taps, or none where there is none."""
    held = page.locator("duel-table [data-held]")
    if held.count():
        held.first.click()
        page.locator("duel-table .go").click()
    else:
        page.locator("duel-table .hold").click()


def test_two_browsers_play_a_whole_duel(open_page: OpenPage, tmp_path: Path) -> None:
    room, anna, boris = two_players(open_page)
    while not is_over(anna):
        now = turn(anna)
        choose(anna)
        choose(boris)
        for page in (anna, boris):
            wait_for_turn(page, now)
    expect(anna.locator(".d-moment")).to_have_text("The game is over")
    expect(boris.locator(".d-moment")).to_have_text("Партия окончена")
    record = tmp_path / "duel.jsonl"
    record.write_bytes(anna.request.get(f"/api/rooms/{room}/record").body())
    checked = subprocess.run(
        [sys.executable, "-m", "coyote", "check", str(record), "--lang", "en"], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stderr
    shown = anna.evaluate("document.querySelector('duel-table').state.view")
    assert json.loads(record.read_text())["result"]["score"] == shown["health"]


def test_a_choice_is_secret_and_can_be_changed(open_page: OpenPage) -> None:
    room, anna, boris = two_players(open_page)
    table = boris.locator("duel-table")
    before = table.inner_html()
    cards = anna.locator("duel-table [data-held]")
    ids = [card.get_attribute("data-card") for card in cards.all()]
    first, second = ids[0], next(id for id in ids if id != ids[0])
    cards.nth(0).click()
    cards.nth(0).click()  # the second tap plays
    expect(anna.locator(".d-moment")).to_contain_text("Chosen: ")
    expect(anna.locator(".slot.mine .back")).to_be_visible()
    expect(anna.locator(".slot.theirs")).to_have_text("thinks…")
    assert table.inner_html() == before

    card = cards.nth(ids.index(second))
    card.drag_to(anna.locator(".d-arena"))
    name = card.locator(".name").inner_text()
    expect(anna.locator(".d-moment")).to_contain_text(f"Chosen: {name}")
    expect(anna.locator(".seat.chosen")).to_have_attribute("data-card", second or "")
    assert table.inner_html() == before

    boris.locator(".hold").click()
    wait_for_turn(boris, 1)
    expect(boris.locator(".slot.theirs .duel-card")).to_have_attribute("data-card", second or "")
    expect(boris.locator(".slot.mine")).to_contain_text("без карты")
    assert first != second


def test_with_keys_alone(open_page: OpenPage) -> None:
    page = against_a_bot(open_page)
    page.keyboard.press("1")
    expect(page.locator(".seat.picked")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator('[data-held="1"]')).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(page.locator(".seat.picked")).to_have_count(0)
    page.keyboard.press("1")
    page.keyboard.press("1")
    wait_for_turn(page, 1)
    page.keyboard.press("2")
    page.keyboard.press("ArrowUp")
    expect(page.locator(".go")).to_be_focused()
    page.keyboard.press("Enter")
    wait_for_turn(page, 2)
    page.keyboard.press("0")
    expect(page.locator(".hold")).to_be_focused()
    page.keyboard.press("Enter")
    wait_for_turn(page, 3)
    assert page.evaluate("document.querySelector('duel-table').contains(document.activeElement)")


def test_nothing_scrolls_on_a_phone(open_page: OpenPage) -> None:
    page = against_a_bot(open_page, phone=True, lang="ru", reduced=False)
    for _ in range(6):
        now = turn(page)
        held = page.locator("duel-table [data-held]")
        if held.count():
            held.last.tap()
        inside = page.evaluate(
            "() => { const root = document.documentElement;"
            " const parts = document.querySelectorAll('.choices button, .d-hand .seat, .d-bar, .d-arena');"
            " const all = [...parts].map(one => one.getBoundingClientRect());"
            " return root.scrollHeight <= innerHeight && root.scrollWidth <= innerWidth"
            " && all.every(box => box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1); }"
        )
        assert inside
        page.locator("duel-table .go" if held.count() else "duel-table .hold").tap()
        wait_for_turn(page, now)
        if is_over(page):
            break
    pile = page.locator(".lane.mine .d-pile.discard")
    pile.tap()
    dialog = page.get_by_role("dialog", name="Сброс: Anna")
    dialog.locator(".look").first.tap()
    expect(page.locator(".card-dialog .duel-card")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_play(open_page: OpenPage, theme: str) -> None:
    page = against_a_bot(open_page, theme=theme)
    for now in range(1, 4):
        choose(page)
        wait_for_turn(page, now)
    page.locator("duel-table [data-held]").first.click()
    page.wait_for_function("() => document.querySelectorAll('.float').length === 0")
    assert axe_violations(page) == []
