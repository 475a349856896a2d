"""Ratings on the pages: chosen in the lobby, seen at the table, after the game, on the ladder, as a curve."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from coyote.table import ladder
from coyote.table.store import Store
from table.kit_table import Guest, Seat, Server
from table.test_ratings import RATED, move_once, over
from web.conftest import axe_violations


def sit_down(first: Guest, second: Guest, made: dict[str, str]) -> tuple[Seat, Seat]:
    second.join(made)
    seats = first.sit(made["room"]), second.sit(made["room"])
    for seat in seats:
        seat.ready()
    for seat in seats:
        seat.wait(lambda update: update["phase"] == "playing")
    return seats


def tell_luck(server: Server) -> None:
    """As the process does that finds it out when nobody waits."""
    store = Store(server.database)
    while room := ladder.next_without_luck(store):
        ladder.tell_luck(store, room, -0.1)  # whoever lost sat first, and had no luck
    store.close()


@pytest.fixture(scope="module")
def club(server: Server) -> dict[str, str]:
    """Four who have played some rated games; by name, where each is found on the ladder."""
    people = [server.guest(name) for name in ("Anna", "Boris", "Vera Petrovna", "Константин Благовещенский")]
    for n, (loser, winner) in enumerate([(0, 1), (0, 2), (1, 2), (3, 2), (3, 0), (0, 2)]):
        over(*sit_down(people[loser], people[winner], people[loser].make(**RATED)))
        assert n < 10
    tell_luck(server)
    found = people[0].ask("GET", "/api/ladder?game=madness&edition=classic&clock=slow")["players"]
    return {row["name"]: row["player"] for row in found}


@pytest.mark.parametrize(("lang", "theme"), [("en", "light"), ("ru", "dark")])
def test_the_ladder_and_a_curve(
    open_page: Callable[..., Page], club: dict[str, str], lang: str, theme: str
) -> None:
    where = "/ladder?game=madness&edition=classic&clock=slow"
    page = open_page(where, phone=True, lang=lang, theme=theme)
    row = page.locator("tbody tr").first
    expect(row.locator(".name")).to_have_text("Vera Petrovna")
    expect(row.locator(".rating")).to_contain_text("?")
    expect(row.locator(".skill")).to_have_text(re.compile(r"^\d{4}\?$"))
    about = "less the luck" if lang == "en" else "за вычетом удачи"
    expect(page.locator(".standings .note", has_text=about)).to_be_visible()
    assert not axe_violations(page)
    row.get_by_role("link").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/ladder/{club['Vera Petrovna']}")
    expect(page.locator("h1")).to_have_text("Vera Petrovna")
    expect(page.locator("p.skill")).to_contain_text(about)
    expect(page.locator("p.skill b")).to_have_text(re.compile(r"^\S+ \d{4}\?$"))
    curve = page.locator("svg.curve")
    expect(curve).to_have_attribute("role", "img")
    assert len((curve.locator(".line").get_attribute("points") or "").split()) == 4
    assert not axe_violations(page)


def test_where_nobody_plays_nobody_stands(open_page: Callable[..., Page], club: dict[str, str]) -> None:
    page = open_page("/ladder?game=duel&edition=&clock=days")
    expect(page.locator(".standings .note")).to_be_visible()
    page.locator("#ladder-kind").select_option("madness/classic")
    page.locator("#ladder-clock").select_option("slow")
    expect(page.locator("tbody tr")).to_have_count(4)
    assert "edition=classic&clock=slow" in page.url


def test_a_player_whom_nobody_knows(pages: object, open_page: Callable[..., Page]) -> None:
    pages.allow(r"404")  # type: ignore[attr-defined]
    page = open_page("/ladder/0123456789abcdef")
    expect(page.locator("main .panel")).to_contain_text("ladder")


def test_a_rated_game_is_chosen_in_the_lobby(open_page: Callable[..., Page], server: Server) -> None:
    """Choosing it asks for a clock where people play; house rules take the choice away."""
    page = open_page("/?game=madness&edition=classic&opponent=link")
    page.locator("button.big").wait_for()
    page.get_by_text("Clock and more").click()
    page.locator("#rated").select_option("rated")
    assert page.locator("#clock").input_value() == "minutes"
    page.locator("button.big").click()
    page.wait_for_url("**/room/*")
    expect(page.locator(".notice .chip", has_text="Rated")).to_be_visible()
    page.goto("/?game=madness&edition=classic&opponent=link&goal=7")
    page.locator("button.big").wait_for()
    expect(page.locator(".only-rateable")).to_be_hidden()
    page.locator("button.big").click()
    page.wait_for_url("**/room/*")
    room = page.url.split("/room/")[1].split("?")[0]
    assert not page.request.get(f"/api/rooms/{room}").json()["welcome"]["rated"]


def test_ratings_at_the_table_after_the_game_and_among_ones_own(
    open_page: Callable[..., Page], server: Server
) -> None:
    galya, boris = server.guest("Galya"), server.guest("Boris")
    first, second = sit_down(galya, boris, galya.make(**RATED))
    page = open_page("/healthz")
    cookie, _, value = galya.cookie.partition("=")
    page.context.add_cookies([{"name": cookie, "value": value, "url": f"http://{server.host}"}])
    known = json.dumps({"guest": "yes", "name": "Galya"})
    page.context.add_init_script(f"try {{ Object.assign(localStorage, {known}) }} catch {{}}")
    page.goto(f"/room/{first.room}")
    page.locator("madness-table [data-held]").first.wait_for()
    expect(page.locator(".player .rating")).to_have_text(["1500?", "1500?"])
    move_once(first, second)
    second.do("resign")
    told = page.locator(".end .rated")
    expect(told).to_contain_text("Galya: 1500 →")
    page.goto("/games")
    expect(page.locator(".own-game.won .what")).to_contain_text("1500 →")
