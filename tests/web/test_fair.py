"""The browser's part in a fair shuffle: what it notes down, seals and checks before it tells its number."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from coyote.fairness import check_fair, seal
from table.kit_table import Server
from web.conftest import OpenPage, Pages, axe_violations
from web.kit_web import checked_record, new_game, noted, room_of, wait_for_turn
from web.test_madness import friend_joins
from web.test_replay import record_of

Json = dict[str, Any]
Change = Callable[[Json], Json | None]


class Between:
    """Between a page and the server: changes what the server says, and hears what the page says."""

    def __init__(self, page: Page, change: Change) -> None:
        self.change, self.heard = change, list[Json]()
        page.route_web_socket(re.compile(r"/socket(\?|$)"), self.stand)

    def stand(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def from_page(text: str | bytes) -> None:
            self.heard.append(json.loads(text))
            server.send(text)

        def from_server(text: str | bytes) -> None:
            if told := self.change(json.loads(text)):
                socket.send(json.dumps(told))

        socket.on_message(from_page)
        server.on_message(from_server)

    def types(self) -> list[str]:
        return [message["type"] for message in self.heard]


def in_context(change: Callable[[Json], Any]) -> Change:
    def changed(message: Json) -> Json:
        if message.get("context"):
            said = json.loads(message["context"])
            change(said)
            message["context"] = json.dumps(said, sort_keys=True, separators=(",", ":"))
        return message

    return changed


def in_welcome(**changed: Any) -> Change:
    return lambda message: message | changed if message["type"] == "welcome" else message


LIES: dict[str, Change] = {
    "form": lambda message: (
        message | {"context": message["context"] + " "} if message.get("context") else message
    ),
    "room": in_context(lambda said: said.update(room="elsewhere")),
    "game": in_context(lambda said: said.update(game="duel")),
    "rules": in_context(lambda said: said.update(rules=99)),
    "options": in_context(lambda said: said.update(options={"edition": "classic"})),
    "own": in_context(lambda said: said.update(seals=["", seal("00" * 32)])),
    "other": in_welcome(opponent="link"),  # who has no seal is said to be a person
    "nobody": in_context(lambda said: said.update(seals=[text or seal("00" * 32) for text in said["seals"]])),
    "commitment": in_welcome(commitment="0" * 64),  # another one than when the room was made
}


@pytest.mark.parametrize("lie", LIES)
def test_no_number_is_told_where_the_server_lies(open_page: OpenPage, lie: str) -> None:
    lang = "ru" if lie in ("room", "commitment") else "en"
    page = open_page("/", phone=True, lang=lang)
    between = Between(page, LIES[lie])
    new_game(page)
    expect(page.locator(f"[data-difference={lie}]")).to_be_visible()
    expect(page.locator("madness-table")).to_have_count(0)
    assert "seal" in between.types() and "ready" not in between.types()
    assert axe_violations(page) == []
    page.get_by_role("button", name="Закрыть партию" if lang == "ru" else "Close this game").click()
    page.wait_for_url("**/")


def test_both_are_sealed_before_either_number_is_told(open_page: OpenPage, server: Server) -> None:
    host = open_page("/")
    said: list[Json] = []
    between = Between(host, lambda message: said.append(message) or message)  # type: ignore[func-returns-value]
    new_game(host, "A friend")
    guest = friend_joins(open_page, host)
    host.locator("madness-table").wait_for()
    order = [one for one in between.types() if one in ("seal", "ready")]
    assert order == ["seal", "ready"]
    contexts = [message["context"] for message in said if message.get("context")]
    assert len(set(contexts)) == 1 and all(json.loads(contexts[0])["seals"])
    assert all(message["context"] is None for message in said if not all(message.get("sealed", [True])))
    guest.get_by_role("button", name="Resign").click()
    guest.get_by_role("dialog").get_by_role("button", name="Resign").click()
    room = room_of(host)
    for page in (host, guest):
        expect(page.locator(".end")).to_be_visible()
        checked_record(server, page)
        page.goto(f"/replay/{room}")
        expect(page.locator("[data-check=seals].yes")).to_be_attached()
        expect(page.locator("[data-check=noted].yes")).to_be_attached()
        expect(page.locator("[data-who=both][data-safe=yes]")).to_be_visible()


def test_two_tabs_of_one_player_do_not_call_an_honest_game_false(
    pages: Pages, open_page: OpenPage, server: Server
) -> None:
    for _ in range(3):
        host = open_page("/")
        new_game(host, "A friend")
        second = host.context.new_page()
        pages.listen(second)
        second.goto(host.url)
        second.locator("#invite-link").wait_for()
        guest = friend_joins(open_page, host)
        for page in (host, second):
            page.locator("madness-table").wait_for()
        guest.get_by_role("button", name="Resign").click()
        guest.get_by_role("dialog").get_by_role("button", name="Resign").click()
        guest.locator(".end").wait_for()
        room = room_of(host)
        second.goto(f"/replay/{room}")
        expect(second.locator("[data-check=noted].yes")).to_be_attached()
        kept = noted(second, room)
        assert set(kept["nonces"]) & set(record_of(server, room)["fair"]["nonces"])
        check_fair(record_of(server, room))


@pytest.mark.parametrize("what", ["commitment", "context"])
def test_a_reload_that_finds_something_else_warns(open_page: OpenPage, what: str) -> None:
    page = open_page("/", phone=True)
    page.evaluate("localStorage.setItem('lobby', JSON.stringify({begins: 'host'}))")
    page.reload()
    new_game(page)
    wait_for_turn(page)
    expect(page.locator(".warning")).to_be_hidden()
    key = f"fair:{room_of(page)}:{what}"
    before = page.evaluate("(key) => localStorage.getItem(key)", key)
    page.reload()
    wait_for_turn(page)
    assert page.evaluate("(key) => localStorage.getItem(key)", key) == before
    expect(page.locator(".warning")).to_be_hidden()
    page.evaluate("(key) => localStorage.setItem(key, '0'.repeat(64))", key)  # so the server says another now
    page.reload()
    wait_for_turn(page)
    expect(page.locator(".warning")).to_contain_text("Do not trust this deal.")
    assert page.evaluate("(key) => localStorage.getItem(key)", key) == "0" * 64


def test_a_reload_between_seal_and_number_goes_on_with_the_same_number(
    open_page: OpenPage, server: Server
) -> None:
    page = open_page("/")
    Between(page, lambda message: None if message.get("context") else message)  # the context never comes
    new_game(page)
    expect(page.locator(".dealing")).to_be_visible()
    page.wait_for_function("() => Object.keys(localStorage).some((key) => key.includes(':nonce:'))")
    kept = noted(page, room_of(page))
    assert kept["context"] is None and len(kept["nonces"]) == 1
    again = page.context.new_page()
    again.goto(page.url)
    again.locator("madness-table").wait_for()
    assert noted(again, room_of(page))["nonces"] == kept["nonces"]


def test_a_browser_that_is_full_of_notes_can_play(open_page: OpenPage) -> None:
    page = open_page("/")
    page.locator("#my-name").fill("Anna")
    page.locator(".name-box button").click()
    expect(page.locator(".name-box button")).to_be_disabled()
    page.evaluate(
        "() => { let size = 1 << 20; while (size > 100) try {"
        " localStorage.setItem(`fair:old-${Object.keys(localStorage).length}:context`, 'x'.repeat(size)); }"
        " catch { size >>= 1; } }"
    )
    page.locator("button.big").click()
    page.locator("madness-table").wait_for()
    kept = noted(page, room_of(page))
    assert kept["commitment"] and kept["context"] and len(kept["nonces"]) == 1
