"""Replays in the browser: going through a game, and the proof that its shuffle was fair."""

import copy
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from table.kit_table import Server, play_on, seat_two
from table.test_duplicate import CHANGES, PROOFS, proved
from web.conftest import OpenPage, Pages, axe_violations

Json = dict[str, Any]
FAIRNESS = json.loads((Path(__file__).parents[1] / "data" / "fairness.json").read_text(encoding="utf-8"))
VECTORS: list[Json] = FAIRNESS["vectors"]
GAMES: dict[str, Json] = {
    "standard": {"game": "madness"},
    "classic": {"game": "madness", "options": {"edition": "classic"}},
    "duel": {"game": "duel"},
}


@pytest.fixture(scope="module")
def rooms(server: Server) -> Iterator[dict[str, str]]:
    """A finished room of each kind."""
    found = {}
    for name, terms in GAMES.items():
        seats = seat_two(server, **terms)
        play_on(seats, Random(name))
        found[name] = seats[0].room
        for seat in seats:
            seat.close()
    yield found


def record_of(server: Server, room: str) -> Json:
    found: Json = server.guest("Reader").ask("GET", f"/api/rooms/{room}/record")
    return found


# ---------------------------------------------------------------- going through it


@pytest.mark.parametrize("name", list(GAMES))
def test_a_game_is_gone_through(
    open_page: OpenPage, rooms: dict[str, str], server: Server, name: str
) -> None:
    page = open_page(f"/replay/{rooms[name]}", phone=name == "classic")
    slider, counter = page.locator("input[type=range]"), page.locator(".rp-counter b")
    expect(counter).to_have_text(re.compile("^0 / "))
    last = int(slider.get_attribute("max") or "0")
    moves = record_of(server, rooms[name])["moves"]
    assert last == (len(moves) // 2 if name == "duel" else len(moves))
    for key, place in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)]:
        page.keyboard.press(key)
        expect(counter).to_have_text(f"{place} / {last}")
    page.locator("[data-control=last]").click()
    expect(page.locator(".rp-ended")).to_be_visible()
    page.locator("[data-control=back]").click()
    expect(page.locator(".rp-ended")).to_have_count(0)
    page.locator(".rp-moves button").nth(3).click()
    expect(counter).to_have_text(f"3 / {last}")
    expect(page.locator(".rp-moves [aria-current]")).to_have_count(1)


def test_the_keys_step_wherever_one_has_clicked(open_page: OpenPage, rooms: dict[str, str]) -> None:
    """And what was clicked is not pressed again; what was reached by Tab is."""
    page = open_page(f"/replay/{rooms['standard']}#turn=3")
    counter, play = page.locator(".rp-counter b"), page.locator("[data-control=play]")
    expect(counter).to_have_text(re.compile("^[1-9]"))
    at, last = map(int, counter.inner_text().split(" / "))
    clicked = [
        "[data-eyes='1']",
        ".rp-moves button >> nth=2",
        "[data-control=back]",
        ".rp-speed",
        "madness-table",
    ]
    for where in [*clicked, "input[type=range]", ".proof summary >> nth=0"]:
        page.locator(where).click()
        for key, place in [("End", last), ("ArrowLeft", last - 1), ("Home", 0), ("ArrowRight", 1)]:
            page.keyboard.press(key)
            expect(counter).to_have_text(f"{place} / {last}")
        page.keyboard.press("Space")
        expect(play).to_have_attribute("aria-label", "Pause")
        page.keyboard.press("Space")
        expect(play).to_have_attribute("aria-label", "Play")
    expect(page.locator(".rp-speed")).to_have_text("2×")
    page.locator(".rp-check").click()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(counter).to_have_text("1")
    play.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # one step on
    expect(counter).to_have_text("2")
    page.keyboard.press("Space")
    expect(counter).to_have_text("3")
    page.keyboard.press("ArrowLeft")
    expect(counter).to_have_text("2")
    expect(play).to_have_attribute("aria-label", "Play")


@pytest.mark.parametrize("name", ["standard", "duel"])
def test_the_end_says_once_who_won_and_by_which_rule(
    open_page: OpenPage, rooms: dict[str, str], name: str
) -> None:
    page = open_page(f"/replay/{rooms[name]}", size={"width": 768, "height": 1024})
    page.locator("[data-control=last]").click()
    ended = page.locator(".rp-sentence p").first
    expect(ended).to_have_class("rp-ended")
    expect(ended.locator("a.rule")).to_have_text(re.compile(r"^[MD]\d+$"))
    box, inside = page.locator(".rp-sentence").bounding_box(), ended.bounding_box()
    assert box and inside and inside["y"] + inside["height"] <= box["y"] + box["height"]
    said = ended.inner_text()
    assert page.locator(".rp-sentence").inner_text().count(said) == 1


def test_a_step_of_a_duel_shows_both_cards_however_one_came_to_it(
    open_page: OpenPage, rooms: dict[str, str]
) -> None:
    page = open_page(f"/replay/{rooms['duel']}#turn=4")
    slots = page.locator("duel-table .last")
    expect(slots).to_have_count(2)
    seen = [slots.nth(n).inner_text() for n in range(2)]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(slots).to_have_text(seen, use_inner_text=True)
    expect(page.locator("duel-table")).not_to_contain_text("thinks")


def test_a_link_leads_to_a_turn_and_to_a_seat(open_page: OpenPage, rooms: dict[str, str]) -> None:
    page = open_page(f"/replay/{rooms['standard']}#turn=4&seat=1", lang="ru")
    expect(page.locator(".rp-counter span")).to_have_text("Ход 4")
    expect(page.locator("[data-eyes='1']")).to_have_attribute("aria-pressed", "true")
    shown = page.locator("madness-table [data-held]")
    mine = [card.get_attribute("data-held") for card in shown.all()]
    page.locator(".rp-eyes button").nth(0).click()
    expect(page).to_have_url(re.compile("#turn=4&seat=0"))
    page.locator(".rp-eyes button").nth(2).click()
    expect(page).to_have_url(re.compile("#turn=4&seat=open"))
    hands = page.locator("madness-table .their-hand [data-card]")
    expect(hands).to_have_count(len(mine))
    assert sorted(str(card.get_attribute("data-card")) for card in hands.all()) == sorted(map(str, mine))


def test_the_future_can_be_hidden(open_page: OpenPage, rooms: dict[str, str]) -> None:
    page = open_page(f"/replay/{rooms['duel']}#turn=3", theme="dark")
    expect(page.locator(".rp-counter b")).to_have_text(re.compile("^2 / "))
    everything = page.locator(".rp-moves button").count()
    page.locator(".rp-check").click()
    expect(page.locator(".rp-moves button")).to_have_count(3)
    expect(page.locator(".rp-dark")).to_be_visible()
    expect(page.locator(".rp-counter b")).to_have_text("2")
    page.locator("[data-control=forward]").click()
    expect(page.locator(".rp-moves button")).to_have_count(4)
    page.locator("[data-control=last]").click()
    expect(page.locator(".rp-moves button")).to_have_count(everything)


def test_it_plays_by_itself(open_page: OpenPage, rooms: dict[str, str]) -> None:
    page = open_page(f"/replay/{rooms['standard']}")
    expect(page.locator(".rp-counter b")).to_have_text(re.compile("^0 /"))
    page.locator("h1").click()
    page.keyboard.press("Space")
    for speed in ("2×", "4×", "0.5×", "1×", "2×", "4×"):
        page.locator(".rp-speed").click()
        expect(page.locator(".rp-speed")).to_have_text(speed)
    expect(page.locator(".rp-counter b")).to_have_text(re.compile("^[3-9] /"))
    page.locator("[data-control=play]").click()
    expect(page.locator("[data-control=play]")).to_have_attribute("aria-label", "Play")


def test_a_room_that_is_not_there_says_so(open_page: OpenPage, pages: Pages) -> None:
    pages.allow("status of 404")
    page = open_page("/replay/nowhere", lang="ru")
    expect(page.locator(".rp-lost")).to_be_visible()


# ---------------------------------------------------------------- the proof


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["classic", "duel"])
def test_the_shuffle_is_verified(
    open_page: OpenPage, rooms: dict[str, str], server: Server, name: str, theme: str
) -> None:
    """With what the page of the room noted down before the deal, every step has something to compare."""
    record = record_of(server, rooms[name])
    page = open_page("/rules/duel", theme=theme)
    keep(page, rooms[name], record)
    page.goto(f"/replay/{rooms[name]}")
    expect(page.locator(".proof.good")).to_be_visible()
    expect(page.locator("[data-check=noted].yes")).to_be_attached()
    expect(page.locator("[data-who][data-safe=yes]")).to_have_count(3)
    deal = page.locator("[data-check=decks]" if name == "duel" else "[data-check=deck]")
    deal.locator("summary").click()
    dealt = record["decks"][0] if name == "duel" else record["deck"]
    expect(deal.locator("code").first).to_have_text(" ".join(dealt))
    assert axe_violations(page) == []


def keep(page: Page, room: str, record: Json, **changed: str) -> None:
    """As the page of the room does it before the deal."""
    fair = record["fair"]
    kept = {
        "commitment": fair["commitment"],
        "context": fair["context"],
        "nonce": next(nonce for nonce in fair["nonces"] if nonce),
    } | changed
    notes = {f"fair:{room}:{what}": kept[what] for what in ("commitment", "context")}
    notes |= {f"fair:{room}:nonce:0:{nonce}": "" for nonce in (kept["nonce"], "ab" * 32)}
    if changed.get("nonce"):
        del notes[f"fair:{room}:nonce:0:{'ab' * 32}"]
    page.evaluate("(notes) => Object.assign(localStorage, notes)", notes)


def test_without_notes_the_page_says_so(open_page: OpenPage, rooms: dict[str, str]) -> None:
    page = open_page(f"/replay/{rooms['standard']}", lang="ru")
    expect(page.locator(".proof.good")).to_be_visible()
    expect(page.locator("[data-check=not_noted].none")).to_be_attached()
    assert page.locator("[data-who]").evaluate_all("(all) => all.map((one) => one.dataset.safe)") == [
        "yes", "no", "no",
    ]  # fmt: skip


@pytest.mark.parametrize("changed", ["commitment", "context", "nonce"])
def test_another_than_what_was_noted_is_refuted(
    open_page: OpenPage, rooms: dict[str, str], server: Server, changed: str
) -> None:
    page = open_page("/rules/duel")
    keep(page, rooms["standard"], record_of(server, rooms["standard"]), **{changed: "0" * 64})
    page.goto(f"/replay/{rooms['standard']}")
    expect(page.locator(".proof.bad")).to_be_visible()
    expect(page.locator("[data-check=noted].no")).to_be_attached()


def test_a_record_that_was_tampered_with_is_refuted(
    open_page: OpenPage, rooms: dict[str, str], server: Server
) -> None:
    """The server sends a deck with two cards exchanged."""
    record = record_of(server, rooms["standard"])
    record["deck"][0], record["deck"][20] = record["deck"][20], record["deck"][0]
    page = open_page("/rules/duel")
    page.route("**/record", lambda route: route.fulfill(json=record))
    page.goto(f"/replay/{rooms['standard']}")
    expect(page.locator(".proof.bad")).to_be_visible()
    expect(page.locator("[data-check=deck].no")).to_be_attached()


VERIFY = """async ([record, noted, plain]) => {
  if (plain) Object.defineProperty(globalThis.crypto, "subtle", { value: undefined, configurable: true });
  const { verify, refuted } = await import("/static/now/verify.js");
  const checks = await verify(record, noted);
  return { refuted: refuted(checks), values: Object.fromEntries(checks.flatMap((check) => check.values)) };
}"""


def verified(page: Page, record: Json, plain: bool = False) -> Json:
    found: Json = page.evaluate(VERIFY, [record, None, plain])
    return found


@pytest.mark.parametrize("plain", [False, True], ids=["browser's own SHA-256", "ours"])
def test_the_vectors_of_the_fairness_page(open_page: OpenPage, plain: bool) -> None:
    page = open_page("/rules/duel")
    for vector in VECTORS:
        found = verified(page, vector["record"], plain)
        assert not found["refuted"]
        assert found["values"]["commitment"] == vector["commitment"]
        assert found["values"]["setup"] == vector["setup_digest"]
        assert found["values"]["digest"] == vector["hmac"]
        assert found["values"]["seed"] == vector["seed"]
    for change in FAIRNESS["refuted"]:
        record = copy.deepcopy(VECTORS[change["vector"]]["record"])
        *path, last = change["path"]
        part: Any = record
        for key in path:
            part = part[key]
        part[last] = change["value"]
        assert verified(page, record, plain)["refuted"], change["code"]


def test_a_deal_for_several_tables_is_verified_as_the_command_does(open_page: OpenPage) -> None:
    page = open_page("/rules/duel")
    wrong = [proved("abc", 3), proved("abc-1", 0)]
    for record in (proved(*asked) for asked in PROOFS):
        assert not verified(page, record)["refuted"]
        wrong += [{**record, "board": {**record["board"], key: value}} for key, value in CHANGES]
    wrong.append({**record, "board": {**record["board"], "table": 1}})
    for record in wrong:
        assert verified(page, record)["refuted"], record["board"]


def test_a_game_whose_deal_the_page_does_not_know_is_left_to_the_command(
    open_page: OpenPage, rooms: dict[str, str], server: Server
) -> None:
    """Nothing is called verified that was not."""
    record = record_of(server, rooms["standard"])
    record["game"] = "whist"
    page = open_page("/rules/duel")
    page.route("**/record", lambda route: route.fulfill(json=record))
    page.goto(f"/replay/{rooms['standard']}")
    expect(page.locator(".proof.open")).to_contain_text("coyote verify")
    expect(page.locator("[data-check=unknown_deal].none")).to_be_attached()
    expect(page.locator("[data-check=seed].yes")).to_be_attached()


def test_what_is_no_record_is_refuted(open_page: OpenPage) -> None:
    page = open_page("/rules/duel")
    whole = VECTORS[1]["record"]
    for missing in ("fair", "seed", "set", "decks", "super"):
        assert verified(page, {key: value for key, value in whole.items() if key != missing})["refuted"]
    waits = copy.deepcopy(whole)
    waits["decks"][1].append(waits["super"][1])
    waits["super"][1] = None
    assert verified(page, waits)["refuted"]


def test_our_own_sha256_is_everybodys(open_page: OpenPage) -> None:
    page = open_page("/rules/duel")
    digest = """async (bytes) => {
      const { plainSha256, toHex } = await import("/static/now/sha256.js");
      return toHex(plainSha256(new Uint8Array(bytes)));
    }"""
    for length in (0, 1, 55, 56, 63, 64, 65, 119, 120, 1000):
        message = bytes(7 * i % 256 for i in range(length))
        assert page.evaluate(digest, list(message)) == hashlib.sha256(message).hexdigest()
