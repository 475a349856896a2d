"""Every page at every size of window, with as much on it as there can be: nothing lies over anything else,
nothing is out of reach, everything is large enough."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from table.kit_table import Server
from web.conftest import Pages
from web.test_tables import CARDS, SET, Json, duel, madness

MEASURE = (Path(__file__).parent / "measure.js").read_text(encoding="utf-8")
# Phones upright and on their side, pages at twice and at one and a half times their size, large windows.
SIZES = [
    (320, 568), (360, 640), (390, 844), (568, 320), (667, 375), (740, 360), (844, 390), (683, 384),
    (911, 512), (820, 1180), (1366, 768), (2560, 1440),
]  # fmt: skip
SOME = [(320, 568), (683, 384), (1366, 768)]
TOUCHED = 500  # a window that is narrower or lower is a phone's
NAMES = {"en": "Bartholomew Featherstone", "ru": "Константин Благовещенский"}


def measured(page: Page, width: int, height: int) -> list[str]:
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found: list[str] = page.evaluate(MEASURE, width < TOUCHED or height < TOUCHED)
    return found


def at_all_sizes(page: Page, name: str, sizes: list[tuple[int, int]] = SIZES) -> list[str]:
    found: dict[str, list[str]] = {}
    for width, height in sizes:
        for one in measured(page, width, height):
            found.setdefault(one, []).append(f"{width}x{height}")
    return [f"{name}: {one} at {', '.join(where)}" for one, where in found.items()]


# ---------------------------------------------------------------- what is on a table


def crowded_madness(fields: int, cards: int, **told: Any) -> Json:
    """Stacks on the fields, which may all be attacked or closed."""
    state = madness(fields, cards, **told)
    takes = [n for n, one in enumerate(state["view"]["fields"], 1) if not one["closed"]]
    state["legal"] += [f"c{n} {card}" for n in takes for card in state["view"]["hand"]]
    for one in state["view"]["fields"]:
        one["heights"] = [height and 3 for height in one["heights"]]
    return state


def tut() -> Json:
    state = madness(3, 6, lead=-4, phase="tut")
    return {**state, "legal": ["draw", "push", *(f"drop {card}" for card in CARDS[:6])]}


def chance() -> Json:
    state = madness(3, 5, closing=3, phase="coyote")
    return {**state, "legal": ["decline", *(f"steal {card}" for card in CARDS[:3])]}


def opened(state: Json, hands: list[list[str]]) -> Json:
    return {**state, "view": {**state["view"], "over": True}, "legal": [], "open": {"hands": hands}}


MADNESS: dict[str, Json] = {
    "three fields": crowded_madness(3, 10, lead=2),
    "four fields": crowded_madness(4, 10, goal=20, lead=-13),
    "two fields": crowded_madness(2, 6, goal=7, lead=-7),
    "one field": crowded_madness(1, 3, goal=1),
    "tut": tut(),
    "chance": chance(),
    "over": opened(crowded_madness(3, 6, lead=5), [CARDS[:6], CARDS[20:27]]),
}
MANY = [["brushfire", 0]] * 6
FULL: Json = {"play": [MANY, MANY], "due": [[[0, 3]] * 6] * 2, "aside": [["comet"], ["comet"]]}
TURN = [
    {"kind": "reveal", "seat": 0, "title": "ember"},
    {"kind": "reveal", "seat": 1, "title": "howl"},
    {"kind": "strike", "seat": 0, "title": "ember", "points": 12},
    {"kind": "guard", "seat": 1, "title": "howl", "points": 9},
    {"kind": "strike", "seat": 1, "title": "howl", "points": 70},
    {"kind": "damage", "seat": 0, "damage": 70, "blocked": 0},
]
DUEL: dict[str, Json] = {
    "ten cards": duel(10, **FULL),
    "last turn": {**duel(5, turn=5), "events": TURN},
    "over": opened(duel(6, **FULL), [list(SET[:6]), list(SET[:8])]),
}


def table_states(page: Page, game: str, states: dict[str, Json], name: str, sizes: list[Any]) -> list[str]:
    """Made situations on the table of a real room."""
    faults = []
    for state, told in states.items():
        put(page, game, told, name)
        faults += at_all_sizes(page, f"{game}: {state}", sizes)
    return faults


def put(page: Page, game: str, told: Json, name: str) -> None:
    """A situation on the table, with the first card picked that can do anything."""
    page.evaluate(
        "([game, told]) => { const table = document.querySelector(`${game}-table`);"
        " table.skip(); table.pace = 0; table.show(told);"
        " table.querySelector('[data-held]:not(.useless)')?.click() }",
        [game, {**told, "names": [name, name[::-1]]}],
    )


# ---------------------------------------------------------------- the pages


class Visit:
    """Somebody with a long name, and a browser."""

    def __init__(self, pages: Pages, server: Server, lang: str) -> None:
        self.name = NAMES[lang]
        self.guest, self.other = server.guest(self.name), server.guest(self.name[::-1])
        self.page = pages.open("/api/games", lang=lang)
        cookie, _, value = self.guest.cookie.partition("=")
        context = self.page.context
        context.add_cookies([{"name": cookie, "value": value, "url": f"http://{server.host}"}])
        known = {"guest": "yes", "name": self.name}
        context.add_init_script(f"Object.assign(localStorage, {json.dumps(known)})")

    def room(self, game: str, **terms: Any) -> str:
        decks = {"deck": "random"} if game == "duel" else {}
        return str(
            self.guest.make(game=game, **{"opponent": "bot", "bot": "random", **decks, **terms})["room"]
        )

    def finished(self, game: str) -> str:
        room = self.room(game, begins="host")
        seat = self.guest.sit(room)
        seat.ready()
        seat.wait(lambda update: update["phase"] == "playing")
        seat.do("resign")
        seat.close()
        return room

    def go(self, path: str, waits: str) -> Page:
        self.page.set_viewport_size({"width": 1366, "height": 768})
        self.page.goto(path)
        self.page.locator(waits).first.wait_for()
        return self.page


# Pages that are what they are at once: where, and what is waited for.
PLAIN = {
    "lobby": ("/", "button.big"),
    "lobby of the duel": ("/?game=duel", "button.big"),
    "house rules": ("/?game=madness&goal=7&fields=2", ".house"),
    "cards": ("/cards", ".duel-card"),
    "decks": ("/decks", ".duel-card"),
    "workshop": ("/workshop", ".new-set"),
    "rules of Madness": ("/rules/madness", "main h2"),
    "rules of the duel": ("/rules/duel", "main h2"),
    "named house rules": ("/rules/variants?new=yes&game=madness&goal=7", "#variant-name"),
    "print": ("/print?what=deck:oasis&langs=both", ".leaf"),
    "me": ("/me", "main h1"),
    "puzzles": ("/puzzles", ".pz-asked h2"),
    "a puzzle whose field says much": ("/puzzles/madness-standard-209", ".pz-asked h2"),
    "duplicate": ("/boards", "button.big"),
    "tournament": ("/tournaments", "button.big"),
    "judge": ("/judge", ".bosses .mini"),
    "ladder": ("/ladder", ".standings > *"),
    "lesson of Madness": ("/learn/madness", "madness-table .playing-card"),
    "lesson of the duel": ("/learn/duel", "duel-table .duel-card"),
    "no such room": ("/room/nowhere", ".notice"),
    "no such page": ("/nowhere", "body"),
}

LONG = ("cards", "decks", "rules of Madness", "rules of the duel")  # much to measure, and little that changes


@pytest.mark.parametrize(("lang", "sizes"), [("ru", SIZES), ("en", SOME)])
def test_every_page_fits_every_window(
    pages: Pages, server: Server, lang: str, sizes: list[tuple[int, int]]
) -> None:
    pages.allow(r"404")
    visit = Visit(pages, server, lang)
    faults = []
    for name, (path, waits) in PLAIN.items():
        faults += at_all_sizes(visit.go(path, waits), name, SOME if name in LONG else sizes)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(("lang", "sizes"), [("ru", SIZES), ("en", SOME)])
def test_every_room_fits_every_window(
    pages: Pages, server: Server, lang: str, sizes: list[tuple[int, int]]
) -> None:
    visit = Visit(pages, server, lang)
    joined = visit.other.make(game="duel", opponent="open", deck="random")["room"]
    rooms = {
        "invitation": (f"/room/{visit.room('madness', opponent='link')}", ".notice"),
        "to be joined": (f"/room/{joined}", ".notice form"),
        "one device": (
            f"/room/{visit.room('madness', opponent='self', other_name=visit.other.name)}",
            ".pass",
        ),
    }
    faults = []
    for name, (path, waits) in rooms.items():
        faults += at_all_sizes(visit.go(path, waits), name, sizes)
    for game, over in (("madness", MADNESS["over"]), ("duel", DUEL["over"])):
        room = visit.finished(game)
        for what, path in (("end", f"/room/{room}"), ("replay", f"/replay/{room}")):
            page = visit.go(path, f"{game}-table .{game[0]}t")
            page.locator(".end, .proof").first.wait_for()
            put(page, game, over, visit.name)
            faults += at_all_sizes(page, f"{what} of {game}", sizes)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(("lang", "sizes"), [("ru", SIZES), ("en", SOME)])
def test_every_table_fits_every_window(
    pages: Pages, server: Server, lang: str, sizes: list[tuple[int, int]]
) -> None:
    visit = Visit(pages, server, lang)
    faults = []
    for game, states in (("madness", MADNESS), ("duel", DUEL)):
        page = visit.go(f"/room/{visit.room(game, begins='host')}", "[data-held]")
        faults += table_states(page, game, states, visit.name, sizes)
    assert not faults, "\n".join(faults)
