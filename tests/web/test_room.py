"""The page of a room: losing the connection, the server dying, offers, hints, the end."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from table.kit_table import QUICK, Server
from web.conftest import OFFLINE, Pages, axe_violations, wait_until_prepared
from web.kit_web import click_move, new_game, room_of, wait_for_turn
from web.test_madness import friend_joins


def host_begins(page: Any) -> None:
    page.evaluate("localStorage.setItem('lobby', JSON.stringify({begins: 'host'}))")
    page.reload()


def test_a_game_goes_on_after_the_network_was_away(pages: Pages) -> None:
    pages.allow(OFFLINE)
    page = pages.open("/")
    host_begins(page)
    new_game(page, "Computer")
    moves = wait_for_turn(page)
    page.context.set_offline(True)
    expect(page.locator(".connection.lost")).to_be_visible()
    click_move(page, moves[0])  # asked while nobody hears it
    page.context.set_offline(False)
    expect(page.locator(".connection.open")).to_be_visible()
    expect(page.locator("[data-act='draw']")).to_be_enabled()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    with Server(f"sqlite:///{tmp_path}/own.sqlite3") as started:
        wait_until_prepared(started)
        yield started


def test_a_game_goes_on_after_the_server_was_killed(browser: Browser, own_server: Server) -> None:
    pages = Pages(browser, own_server)
    pages.allow(OFFLINE)
    page = pages.open("/")
    host_begins(page)
    new_game(page, "Computer")
    moves = wait_for_turn(page)
    click_move(page, moves[0])
    expect(page.locator("[data-act='draw']")).to_be_enabled()
    port = own_server.host.rpartition(":")[2]
    own_server.kill()
    expect(page.locator(".connection.lost")).to_be_visible()
    page.locator("[data-act='draw']").click()
    own_server.options = ("--port", port, *QUICK)
    own_server.start()
    expect(page.locator(".connection.open")).to_be_visible(timeout=300_000)
    wait_for_turn(page)
    expect(page.locator(".older")).to_contain_text("You draw")
    assert not pages.close()


def test_offers_presence_undo_and_resignation(open_page: Any) -> None:
    host = open_page("/")
    host_begins(host)
    new_game(host, "A friend")
    guest = friend_joins(open_page, host, theme="dark")
    expect(host.locator(".sheet .about")).to_have_text("Madness · standard")
    moves = wait_for_turn(host)
    click_move(host, moves[0])
    expect(host.locator("[data-act='draw']")).to_be_enabled()
    host.get_by_role("button", name="Take back").click()  # nothing was seen yet: no need to ask
    expect(host.locator("[data-act='pass']")).to_be_enabled()
    assert sorted(wait_for_turn(host)) == sorted(moves)
    guest.get_by_role("button", name="Offer a draw").click()
    expect(host.locator(".offer")).to_contain_text("Boris offers a draw")
    host.locator(".offer").get_by_role("button", name="No").click()
    expect(host.locator(".offer")).to_have_count(0)
    guest.goto("/")
    expect(host.locator(".player.theirs.away")).to_be_visible()
    guest.go_back()
    expect(host.locator(".player.theirs.away")).to_have_count(0)
    guest.get_by_role("button", name="Resign").click()
    guest.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(host.locator(".end.won")).to_be_visible()
    expect(guest.locator(".end.lost")).to_be_visible()
    expect(host.locator(".end a[href$='#verify']")).to_be_visible()


def test_somebody_looks_on_and_sees_no_hand(open_page: Any) -> None:
    host = open_page("/")
    new_game(host, "A friend")
    friend_joins(open_page, host)
    host.locator("madness-table").wait_for()
    spectator = open_page(host.url[host.url.index("/room/") :], phone=True)
    spectator.locator("madness-table").wait_for()
    assert spectator.locator(".hand [data-card], .their-hand [data-card]").count() == 0
    assert spectator.locator("[data-act]").count() == 0


def test_a_hint_says_why_and_after_the_end_comes_another_game(open_page: Any) -> None:
    page = open_page("/", phone=True)
    host_begins(page)
    new_game(page, "Computer")
    wait_for_turn(page)
    page.locator(".quick .hint").click()
    expect(page.locator(".prompt.hinted")).to_contain_text("% to win", timeout=300_000)
    expect(page.locator("madness-table .hint").first).to_be_visible()
    page.locator(".more").click()
    page.locator(".sheet .resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".end.lost")).to_be_visible()
    assert axe_violations(page) == []
    room = room_of(page)
    page.locator(".end .rematch").click()
    page.wait_for_url(lambda url: room not in url)
    wait_for_turn(page)


def test_a_room_that_is_none_says_so(open_page: Any) -> None:
    page = open_page("/room/nonsense")
    expect(page.get_by_role("heading", name="There is no such game")).to_be_visible()
