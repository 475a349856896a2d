"""One's own games: what goes on, how the others ended, and their sums."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from table.kit_table import Guest, Seat, Server
from web.conftest import OpenPage, axe_violations

LONG = "Анна-Мария Длинноимённая-Кузнецова-Белых"
SIZES = [(320, 640), (390, 844), (844, 390), (683, 384), (1366, 768), (2560, 1440)]


def against_bot(guest: Guest, **terms: Any) -> Seat:
    made = guest.make(**{"game": "madness", "opponent": "bot", "bot": "random", "begins": "host", **terms})
    seat = guest.sit(made["room"])
    seat.ready()
    seat.wait(lambda update: update["phase"] == "playing")
    return seat


def against_person(guest: Guest, other: Guest, **terms: Any) -> tuple[Seat, Seat]:
    made = guest.make(**{"game": "madness", **terms})
    other.join(made)
    seats = guest.sit(made["room"]), other.sit(made["room"])
    for seat in seats:
        seat.ready()
    for seat in seats:
        seat.wait(lambda update: update["phase"] == "playing")
    return seats


@pytest.fixture(scope="module")
def anna(server: Server) -> Guest:
    """With games of all kinds, more than a list shows at once."""
    anna, boris = server.guest("Anna"), server.guest(LONG)
    for _ in range(20):
        against_bot(anna, options={"edition": "classic"}).do("resign")
    mine, theirs = against_person(anna, boris)
    theirs.do("resign")
    mine.wait(lambda update: update["result"])
    against_bot(anna, game="duel", deck="magpies", bot="level:1").do("resign")
    against_bot(anna).do("abort")
    anna.make(game="duel", clock={"days": 3}, deck="pack")
    against_person(anna, boris, begins="other", clock={"days": 2})
    against_person(anna, boris, begins="host", clock={"days": 2})
    return anna


def own_page(open_page: OpenPage, guest: Guest, **how: Any) -> Page:
    page = open_page("/rules", **how)
    name, value = guest.cookie.split("=", 1)
    page.context.add_cookies([{"name": name, "value": value, "url": page.url}])
    page.evaluate("localStorage.setItem('guest', 'yes')")
    page.goto("/games")
    page.locator(".sums > *").first.wait_for()
    return page


def test_what_waits_for_me_is_first_and_ends_are_told(open_page: OpenPage, anna: Guest) -> None:
    page = own_page(open_page, anna)
    expect(page.locator(".top [aria-current=page]")).to_have_text("Games")
    going = page.locator(".going .own-game .mark")
    expect(going).to_have_text(["Your turn", "Their turn", "Nobody came yet"])
    over = page.locator(".games:not(.going) .own-game")
    expect(over).to_have_count(20)
    expect(over.nth(0)).to_contain_text("Called off")
    expect(over.nth(1)).to_contain_text("decks: Magpies")
    expect(over.nth(2)).to_contain_text(f"Against {LONG}")
    expect(over.nth(2).locator(".mark")).to_have_text("Won")
    expect(over.nth(2).locator(".why")).to_have_text("Resignation")
    page.get_by_role("button", name="Show more").click()
    expect(over).to_have_count(23)
    expect(page.get_by_role("button", name="Show more")).to_be_hidden()
    over.nth(2).get_by_role("link", name="Replay").click()
    page.wait_for_url("**/replay/*")


def test_games_are_chosen(open_page: OpenPage, anna: Guest) -> None:
    page = own_page(open_page, anna, lang="ru")
    over = page.locator(".games:not(.going) .own-game")
    page.get_by_label("Итог").select_option("Выигрыши")
    expect(over).to_have_count(1)
    page.get_by_label("Соперник").select_option("Щенок")
    expect(over).to_have_count(0)
    expect(page.get_by_text("Таких оконченных партий пока нет.")).to_be_visible()
    page.get_by_label("Итог").select_option("Все")
    expect(over).to_have_count(1)
    page.get_by_label("Соперник").select_option("Все")
    page.locator("#games-game").select_option("madness/classic")
    expect(over).to_have_count(20)
    expect(over.first.locator(".mark")).to_have_text("Проигрыш")
    opponents = page.locator(".sums table", has_text="По соперникам").locator("tbody tr")
    expect(opponents).to_have_count(3)
    expect(opponents.filter(has_text=LONG).locator(".counts")).to_have_text("1 · 0 · 0")
    page.locator("#sums-game").select_option("duel")
    expect(opponents).to_have_count(1)


def test_a_game_is_given_up_from_the_list(open_page: OpenPage, server: Server) -> None:
    vera = server.guest("Vera")
    vera.make(game="madness")
    playing = against_bot(vera)
    page = own_page(open_page, vera)
    rows = page.locator(".going .own-game")
    expect(rows).to_have_count(2)
    rows.filter(has_text="Your turn").get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    playing.wait(lambda update: update["phase"] == "over")
    expect(rows).to_have_count(1)
    rows.get_by_role("button", name="Close").click()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(page.get_by_text("No game of yours is unfinished.")).to_be_visible()
    assert vera.ask("GET", "/api/me/games?phase=going")["games"] == []


@pytest.mark.parametrize(("lang", "theme"), [("en", "dark"), ("ru", "light")])
def test_it_fits_every_screen_and_is_sound(open_page: OpenPage, anna: Guest, lang: str, theme: str) -> None:
    page = own_page(open_page, anna, lang=lang, theme=theme, phone=True)
    assert axe_violations(page) == []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (width, height)
        small = page.evaluate(
            "[...document.querySelectorAll('main a, main button, main select, nav a')]"
            ".filter((one) => one.checkVisibility())"
            ".filter((one) => { const box = one.getBoundingClientRect();"
            " return box.width < 40 || box.height < 40 }).map((one) => one.textContent)"
        )
        assert small == [], (width, height)
        cut = page.evaluate(
            "[...document.querySelectorAll('.own-game *, .sums *')]"
            ".filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1"
            " && getComputedStyle(one).display !== 'inline' && !one.closest('.visually-hidden'))"
            ".map((one) => one.outerHTML.slice(0, 80))"
        )
        assert cut == [], (width, height)


def test_who_has_not_played_is_asked_to(open_page: OpenPage) -> None:
    page = open_page("/games")
    expect(page.locator("main")).to_contain_text("You have not played here yet.")
    page.get_by_role("link", name="Play a game").click()
    page.locator("button.big").wait_for()
