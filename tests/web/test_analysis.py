"""The analysis in the browser: asked for, drawn, read, gone through by keys, and tried from any move."""

import re
from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import expect

from table.kit_table import PATIENCE, Server, play_on, seat_two
from web.conftest import OpenPage, axe_violations

LONG = 1000 * PATIENCE  # what is compiled the first time takes its time


@pytest.fixture(scope="module")
def rooms(server: Server) -> Iterator[dict[str, str]]:
    found = {}
    for name in ("madness", "duel"):
        seats = seat_two(server, game=name)
        play_on(seats, Random(name))
        found[name] = seats[0].room
        for seat in seats:
            seat.close()
    yield found


@pytest.mark.parametrize(("name", "lang", "phone"), [("madness", "en", True), ("duel", "ru", False)])
def test_a_finished_game_is_analysed(
    open_page: OpenPage, rooms: dict[str, str], name: str, lang: str, phone: bool
) -> None:
    page = open_page(f"/replay/{rooms[name]}", lang=lang, phone=phone)
    page.locator(".an button.primary").click()
    expect(page.locator(".an-curve svg")).to_be_visible(timeout=LONG)
    rows = page.locator(".an-sums tbody tr").count()
    assert rows == 8 if name == "madness" else rows > 8, "in a duel habits are told as well"
    page.keyboard.press("Escape")
    page.locator("[data-control=forward]").click()
    one = page.locator(".an-one").first
    expect(one).to_contain_text(re.compile(r"\([MD]\d+\)"))
    expect(one.locator(".an-label")).to_be_visible()
    assert page.locator(".an-now").get_attribute("x1") != "0"
    tops = [page.locator(part).bounding_box() for part in (".rp-stage", ".rp-bar", ".an")]
    assert [top and top["y"] for top in tops] == sorted(top["y"] for top in tops if top), "the table first"
    wide = page.locator(".an-drawn").bounding_box()
    assert wide
    page.locator(".an-drawn").click(position={"x": wide["width"] - 2, "y": 20})
    assert page.locator(".an-now").get_attribute("x1") == "600"
    if name == "duel":
        page.locator("[data-control=forward]").click()  # in the first turn there is nothing to go by
        expect(page.locator(".an-moves thead tr").first.locator("th")).to_have_count(5)
    assert axe_violations(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "nothing is wider than the window"


def test_it_is_tried_from_a_move_and_left_again(open_page: OpenPage, rooms: dict[str, str]) -> None:
    page = open_page(f"/replay/{rooms['madness']}#analysis=yes")
    expect(page.locator(".an-curve svg")).to_be_visible(timeout=LONG)
    page.locator("[data-control=forward]").click()
    page.locator(".an-one button").first.click()
    expect(page.locator(".an-trying")).to_be_visible()
    expect(page.locator(".an-tools select")).to_be_visible()
    assert axe_violations(page) == []
    page.locator(".an-tools .primary").click()
    expect(page.locator(".an-trying")).to_have_count(0)
    expect(page.locator(".rp-counter b")).to_have_text(re.compile("^1 / "))


# ---------------------------------------------------------------- puzzles


@pytest.mark.parametrize(("lang", "phone"), [("en", True), ("ru", False)])
def test_a_puzzle_is_tried_refuted_and_solved(
    open_page: OpenPage, server: Server, lang: str, phone: bool
) -> None:
    guest = server.guest("Solver")
    listed = guest.ask("GET", "/api/puzzles")["files"][0]["puzzles"]
    today = next(one["id"] for one in listed if one["kind"] == "best")
    legal = guest.ask("GET", f"/api/puzzles/{today}")["legal"]
    right = {move: guest.ask("POST", f"/api/puzzles/{today}", {"move": move})["right"] for move in legal}
    page = open_page(f"/puzzles/{today}", lang=lang, phone=phone)
    expect(page.locator(".pz-asked h2")).to_be_visible()
    page.locator(".pz-list summary").click()
    wrong = next(move for move, good in right.items() if not good)
    assert page.locator(f"[data-move='{wrong}']").inner_text().rstrip(".") != wrong, "in words"
    page.locator(f"[data-move='{wrong}']").click()
    expect(page.locator(".pz-verdict.wrong")).not_to_be_empty()
    assert axe_violations(page) == []
    page.locator(f"[data-move='{next(move for move, good in right.items() if good)}']").click()
    expect(page.locator(".pz-verdict.right")).not_to_be_empty()
    expect(page.locator(".pz-after .primary")).to_be_visible()
    expect(page.locator(".pz-proof tbody tr").first).to_be_visible()  # the table of hands
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
