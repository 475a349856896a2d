"""A game that only the tests know, in the browser: chosen in the lobby, played on the plain table.

Needs pages that are drawn from GET /api/games, `plain-table.js`, and Chromium.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from table.kit_table import Server, sqlite_in
from table.test_third_game import WithGoofspiel
from web.conftest import Pages, axe_violations, wait_until_prepared
from web.kit_web import checked_record, is_over, new_game, room_of

pytestmark = pytest.mark.usefixtures("third_game")

MOVES = "plain-table [data-act]"
TITLE = {"en": "Goofspiel", "ru": "Гуфшпиль"}
# The turn that the table shows is another one, or the game is over.
WENT_ON = """(before) => document.querySelector(".end") || [...document.querySelectorAll("plain-table dt")]
  .some((one) => one.textContent === "turn" && one.nextSibling.textContent !== before)"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with WithGoofspiel(sqlite_in(tmp_path_factory.mktemp("table"))) as started:
        wait_until_prepared(started)
        yield started


def play_out(*pages: Page) -> int:
    """Everybody presses the button of the first bid on offer, to the end; how many turns there were."""
    turns = 0
    while not is_over(pages[0]):
        before = pages[0].locator("plain-table dt:text-is('turn') + dd").inner_text()
        for page in pages:
            page.locator(MOVES).first.click()
        for page in pages:
            page.wait_for_function(WENT_ON, arg=before)
        turns += 1
    return turns


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_it_is_chosen_in_the_lobby_and_played_against_a_bot(pages: Pages, server: Server, lang: str) -> None:
    page = pages.open("/", lang=lang, phone=lang == "ru")
    new_game(page, TITLE[lang])
    expect(page.locator(MOVES)).to_have_count(5)
    expect(page.locator(".sheet .about")).to_have_text(TITLE[lang])
    assert axe_violations(page) == []
    assert play_out(page) == 5
    record = checked_record(server, page)
    assert record["game"] == "goofspiel" and len(record["moves"]) == 10
    page.goto(f"/replay/{room_of(page)}")
    expect(page.locator("plain-table")).to_be_visible()
    assert axe_violations(page) == []


def test_two_people_play_it_by_house_rules(pages: Pages, server: Server) -> None:
    """A sealed bid is seen by whoever made it, and by nobody else."""
    host = pages.open("/?game=goofspiel&cards=3")
    new_game(host, "Anybody")
    guest = pages.open("/")
    guest.locator(".game-row", has_text="Goofspiel · 3 cards").click()
    guest.get_by_role("button", name="Sit down").click()
    for page in (host, guest):
        expect(page.locator(MOVES)).to_have_count(3)
    host.locator(MOVES).nth(1).click()
    expect(host.locator("plain-table .p-chosen")).to_contain_text("bid 2")
    expect(guest.locator("plain-table .p-chosen")).to_have_count(0)
    assert play_out(host, guest) == 3
    record = checked_record(server, host)
    assert record["options"] == {"cards": 3}
    assert [move for _, move in record["moves"]] == [f"bid {k}" for k in (1, 1, 2, 2, 3, 3)]
