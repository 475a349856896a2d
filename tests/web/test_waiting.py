"""A page that is asked to wait, to come again or to go does so, and says it."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from web.conftest import OFFLINE, OpenPage, Pages, axe_violations
from web.kit_web import new_game, wait_for_turn

Json = dict[str, Any]


class Moody:
    """A server that closes its first connections with this code, or says this before anything else."""

    def __init__(self, page: Page, closes: list[tuple[int, str]] = (), says: Json | None = None) -> None:  # type: ignore[assignment]
        self.closes, self.says, self.opened = list(closes), says, 0
        page.route_web_socket(re.compile(r"/socket(\?|$)"), self.stand)

    def stand(self, socket: WebSocketRoute) -> None:
        self.opened += 1
        if self.closes:
            code, reason = self.closes.pop(0)
            return socket.on_message(lambda _: socket.close(code=code, reason=reason))
        if self.says:
            return socket.on_message(lambda _: socket.send(json.dumps(self.says)))
        socket.connect_to_server()


def a_game(page: Page) -> None:
    page.evaluate("localStorage.setItem('lobby', JSON.stringify({begins: 'host'}))")
    page.reload()
    new_game(page)


def test_a_room_that_has_moved_is_followed_at_once(open_page: OpenPage) -> None:
    page = open_page("/")
    moody = Moody(page, [(1012, "")] * 2)
    a_game(page)
    wait_for_turn(page)
    assert moody.opened == 3
    expect(page.locator(".connection")).to_be_hidden()  # nothing was lost


@pytest.mark.parametrize(("code", "reason"), [(1013, "1"), (1008, ""), (1006, "")])
def test_a_server_that_has_too_many_is_asked_again(pages: Pages, code: int, reason: str) -> None:
    pages.allow(OFFLINE)
    page = pages.open("/")
    moody = Moody(page, [(1011 if code == 1006 else code, reason)])
    a_game(page)
    expect(page.locator(".connection.lost")).to_be_visible()
    wait_for_turn(page)
    assert moody.opened == 2


def test_a_game_that_was_ended_says_why_in_place_of_the_table(open_page: OpenPage) -> None:
    page = open_page("/", phone=True)
    why = "The rules of this game have changed, and it cannot go on."
    moody = Moody(page, says={"type": "error", "code": "room.ended", "text": why, "rule": None, "id": None})
    a_game(page)
    expect(page.get_by_role("heading", name="This game has ended")).to_be_visible()
    expect(page.locator(".why")).to_have_text(why)
    assert axe_violations(page) == []
    page.wait_for_timeout(1000)
    assert moody.opened == 1


def test_who_asks_too_fast_slows_down_and_loses_nothing(open_page: OpenPage) -> None:
    page = open_page("/")
    refused: list[str] = []

    def stand(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(socket.send)

        def hear(text: str | bytes) -> None:
            kind = json.loads(text)["type"]
            if refused.count(kind) < 2:  # each kind of message twice, the first one too
                refused.append(kind)
                told = {"type": "error", "code": "room.too_fast", "text": "", "rule": None, "id": None}
                return socket.send(json.dumps(told))
            server.send(text)

        socket.on_message(hear)

    page.route_web_socket(re.compile(r"/socket(\?|$)"), stand)
    a_game(page)
    wait_for_turn(page)
    assert {kind: refused.count(kind) for kind in set(refused)} == {"hello": 2, "seal": 2, "ready": 2}


def test_a_request_that_came_too_early_is_made_again_and_the_page_says_so(pages: Pages) -> None:
    pages.allow("status of 429")
    page = pages.open("/", lang="ru")
    tries: list[str] = []

    def make(route: Route) -> None:
        tries.append(route.request.method)
        if len(tries) > 1:
            return route.continue_()
        route.fulfill(
            status=429, headers={"retry-after": "2"}, json={"code": "room.too_many_requests", "text": "—"}
        )

    page.route("**/api/rooms", make)
    page.locator("button.big").click()
    expect(page.locator(".toast.waiting")).to_have_text("Сервер занят. Продолжим сами через 2 секунды.")
    page.wait_for_url("**/room/*")
    assert tries == ["POST", "POST"]


def test_who_has_to_wait_long_is_told_and_may_ask_again(pages: Pages) -> None:
    pages.allow("status of 429")
    page = pages.open("/")
    problem = {"code": "room.too_many_rooms", "text": "You have too many games.", "rule": None}
    page.route(
        "**/api/rooms", lambda route: route.fulfill(status=429, headers={"retry-after": "3600"}, json=problem)
    )
    page.locator("button.big").click()
    expect(page.locator("form.new-game")).to_contain_text("You have too many games.")
    expect(page.locator("button.big")).to_be_enabled()
