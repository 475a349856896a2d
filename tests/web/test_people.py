"""People at one table: ready before the clock runs, offers, signs, leaving, watching; two at one device."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from table.kit_table import QUICK, Server
from web.conftest import OpenPage, Pages, axe_violations, wait_until_prepared
from web.kit_web import a_guest, ask, click_move, wait_for_turn
from web.test_story import PHONE

CLOCK = {"clock": {"minutes": 5, "increment": 2}, "begins": "host"}


def two_people(open_page: OpenPage, **terms: Any) -> tuple[Page, Page]:
    """Both at the table of a room; the cards are not dealt where they have to be ready first."""
    anna, boris = a_guest(open_page, "Anna"), a_guest(open_page, "Boris", size=PHONE)
    made = ask(anna, "/api/rooms", {"game": "madness", "opponent": "link", **terms})
    ask(boris, f"/api/rooms/{made['room']}/join", {"invite": made["invite"]})
    for page in (anna, boris):
        page.goto(f"/room/{made['room']}")
    return anna, boris


def both_are_ready(*pages: Page) -> None:
    for page in pages:
        page.get_by_role("button", name="Ready", exact=True).click()
    for page in pages:
        page.locator("madness-table").wait_for()


def test_a_clock_waits_until_both_are_ready_and_a_game_can_be_called_off(open_page: OpenPage) -> None:
    anna, boris = two_people(open_page, **CLOCK)
    anna.get_by_role("button", name="Ready", exact=True).wait_for()
    assert anna.title().startswith("● Ready?")
    assert axe_violations(anna) == []
    boris.get_by_role("button", name="Ready", exact=True).click()
    expect(boris.locator(".dealing")).to_contain_text("Waiting for Anna")
    expect(anna.locator(".notice")).to_contain_text("Boris is ready")
    assert anna.locator("madness-table").count() == 0
    anna.get_by_role("button", name="Ready", exact=True).click()
    wait_for_turn(anna)
    expect(anna.locator(".player.mine .clock")).to_be_visible()
    expect(anna.locator(".player.mine .name")).to_have_text("You")
    expect(boris.locator(".player.theirs .name")).to_have_text("Anna")
    anna.get_by_role("button", name="Call the game off").click()
    anna.get_by_role("dialog").get_by_role("button", name="Call it off").click()
    for page in (anna, boris):
        expect(page.locator(".end.aborted h2")).to_have_text("The game was called off")


def test_offers_move_nothing_and_their_answers_are_told(open_page: OpenPage) -> None:
    anna, boris = two_people(open_page, begins="host")
    wait_for_turn(anna)
    boris.locator("madness-table").wait_for()
    before = boris.locator(".hand").bounding_box()
    anna.get_by_role("button", name="Offer a draw").click()
    expect(boris.locator(".offer")).to_contain_text("Anna offers a draw")
    assert boris.locator(".hand").bounding_box() == before
    boris.locator(".offer").get_by_role("button", name="No").click()
    expect(anna.locator(".newest")).to_contain_text("Boris declines")
    boris.locator(".more").click()
    boris.locator(".sheet").get_by_role("button", name="Offer a draw").click()
    anna.locator(".offer").get_by_role("button", name="Yes").click()
    anna.get_by_role("dialog").get_by_role("button", name="No").click()  # a finger may slip
    expect(anna.locator(".offer")).to_be_visible()
    anna.locator(".offer").get_by_role("button", name="Yes").click()
    anna.get_by_role("dialog").get_by_role("button", name="Agree").click()
    for page in (anna, boris):
        expect(page.locator(".end.drawn .why")).to_contain_text("agreement")


def test_signs_are_seen_beside_the_name_and_can_be_muted(open_page: OpenPage) -> None:
    anna, boris = two_people(open_page, begins="host")
    for page in (anna, boris):
        page.locator("madness-table").wait_for()
    boris.get_by_role("button", name="Say something").click()
    assert axe_violations(boris) == []
    boris.locator("[data-emote='luck']").click()
    expect(anna.locator(".player.theirs .bubble")).to_have_text("Good luck!")
    expect(boris.locator(".player.mine .bubble")).to_have_text("Good luck!")
    expect(anna.locator(".bubble")).to_have_count(0)  # for a few seconds
    boris.get_by_role("button", name="Say something").click()
    boris.get_by_role("button", name="Do not show theirs").click()
    anna.get_by_role("button", name="Say something").click()
    anna.locator("[data-emote='hello']").click()
    expect(anna.locator(".player.mine .bubble")).to_be_visible()
    assert boris.locator(".bubble").count() == 0


def test_spectators_know_that_they_are_and_players_that_there_are_some(open_page: OpenPage) -> None:
    anna, boris = two_people(open_page)
    boris.locator("madness-table").wait_for()
    path = anna.url[anna.url.index("/room/") :]
    spectator = open_page(path)
    expect(spectator.locator(".prompt")).to_contain_text("You are watching")
    expect(spectator.locator(".eye")).to_have_text("Watching")
    expect(anna.locator(".eye")).to_have_text("1")
    expect(anna.locator(".watched")).to_have_text("1 person watches.")
    spectator.goto("/api/games")
    expect(anna.locator(".eye")).to_be_hidden()


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[Server]:
    """Where the win can be claimed soon after somebody has left."""
    with Server(f"sqlite:///{tmp_path}/own.sqlite3", "--limit", "claim_seconds=1", *QUICK) as started:
        wait_until_prepared(started)
        yield started


def test_the_win_is_claimed_from_somebody_who_has_left(browser: Browser, impatient: Server) -> None:
    pages = Pages(browser, impatient)
    anna, boris = two_people(pages.open, **CLOCK)
    both_are_ready(anna, boris)
    for page in (anna, boris):
        click_move(page, wait_for_turn(page)[0])
        page.locator("[data-act='draw']").click()
    assert anna.locator(".tools .claim").count() == 0
    boris.goto("/api/games")
    anna.get_by_role("button", name="Claim the win").click()
    anna.get_by_role("dialog").get_by_role("button", name="Claim the win").click()
    expect(anna.locator(".end.won")).to_be_visible()
    boris.goto(anna.url[anna.url.index("/room/") :])
    expect(boris.locator(".end.lost .why")).to_contain_text("away")
    assert not pages.close()


def test_two_at_one_device_watch_the_reveal_of_a_duel_together(open_page: OpenPage) -> None:
    page = a_guest(open_page, "Anna", reduced=False, pace="fast")
    terms = {"game": "duel", "opponent": "self", "deck": "wildfire", "their_deck": "wildfire"}
    page.goto(f"/room/{ask(page, '/api/rooms', terms)['room']}")
    chosen = []
    for _ in range(2):
        page.get_by_role("button", name="show my cards").click()
        held = page.locator("duel-table [data-held]").first
        held.wait_for()
        chosen.append(held.get_attribute("data-card"))
        held.click()
        page.locator("duel-table .go").click()
        page.get_by_role("button", name="show my cards").wait_for()
    assert page.locator("[data-held]").count() == 0, "nobody's hand is open"
    shown = [page.locator(f"[data-slot='{seat}'] [data-card]").get_attribute("data-card") for seat in (0, 1)]
    assert shown == chosen
    told = page.locator(".newest").inner_text()
    assert told.count(" plays ") == 2 and "You" not in told, "said to both"
    assert "draws a card" in told
