"""Playing a game in a browser by its buttons, as a person does."""

import itertools
import random
import urllib.request
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from coyote.fairness import check_fair
from coyote.records import follow, parse_record
from table.kit_table import PATIENCE, Server

HELD = "madness-table [data-held]:not(.useless)"


# The two kinds of Madness, as short as a test can say it.
KINDS = {"Madness": "madness/standard", "Madness, classic": "madness/classic", "Duel": "duel"}


def ask(page: Page, path: str, body: Any) -> Any:
    return page.request.post(path, data=body).json()


def a_guest(open_page: Callable[..., Page], name: str, **look: Any) -> Page:
    page = open_page("/api/games", **look)  # any page: the cookie is what counts
    page.set_default_timeout(1000 * PATIENCE)  # the rules may have to be compiled first
    ask(page, "/api/guest", {"name": name})
    return page


def new_game(page: Page, *choices: str) -> None:
    """In the lobby: choose what the labels say, and go."""
    page.locator("button.big").wait_for()
    for choice in choices:
        tile = (
            page.locator(f"input[value='{KINDS[choice]}']")
            if choice in KINDS
            else page.get_by_text(choice, exact=True)
        )
        page.locator("label.option", has=tile).click()
    page.locator("button.big").click()
    page.wait_for_url("**/room/*")


def room_of(page: Page) -> str:
    return page.url.split("/room/")[1].split("?")[0]


def is_over(page: Page) -> bool:
    return page.locator(".end").count() > 0


def legal(page: Page) -> list[str]:
    """What the table offers now, as it keeps it to itself."""
    found: list[str] = page.evaluate(
        "() => { const table = document.querySelector('madness-table');"
        " return table && !table.busy ? table.options.map((one) => one.move) : [] }"
    )
    return found


def wait_for_turn(page: Page) -> list[str]:
    """The moves on offer; none once the game is over."""
    page.wait_for_function(
        "() => { const table = document.querySelector('madness-table');"
        " return document.querySelector('.end') || (table && !table.busy && table.options.length) }"
    )
    return [] if is_over(page) else legal(page)


def place_of(move: str) -> str:
    """Where a card is to be put for this move; nothing where a button makes it."""
    verb = move.split(" ")[0]
    if verb[0] == "a" and verb[1:].isdigit():
        return f"side-{verb[1:]}"
    if verb[0] == "c" and verb[1:].isdigit():
        return f"centre-{verb[1:]}"
    return ""


def steps_of(move: str) -> list[str]:
    """What is pressed for this move: the card and then the place, or a button."""
    _, _, card = move.partition(" ")
    place = place_of(move)
    last = f"[data-place='{place}']" if place else f"[data-act='{move}']"
    return [f"[data-held='{card}']", last] if card else [last]


def click_move(page: Page, move: str) -> None:
    for step in steps_of(move):
        page.locator(step).click(position={"x": 8, "y": 30})


def press_move(page: Page, move: str) -> None:
    """The same without a pointer and its patience, for games with many moves."""
    for step in steps_of(move):
        page.evaluate("(step) => document.querySelector(step).click()", step)


def choose(moves: list[str], dice: random.Random, bold: float) -> str:
    """The bold take points where they can, the others often pass: so games are short and have it all."""
    steals = [move for move in moves if move.startswith("steal")]
    bosses = [move for move in moves if move.startswith("b ")]
    cards = [move for move in moves if " " in move and not move.startswith("drop")]
    for some in (steals, bosses, cards):
        if some and dice.random() < bold:
            return dice.choice(some)
    return "pass" if "pass" in moves and dice.random() > bold else dice.choice(moves)


def play_out(pages: list[Page], seed: int, most: int = 400) -> int:
    """Whoever has to decide does, until the game is over."""
    dice, made = random.Random(seed), 0
    while made < most:
        for page, bold in zip(pages, (0.9, 0.12), strict=False):  # against a bot there is one
            if moves := legal(page):
                (click_move if made < 8 else press_move)(page, choose(moves, dice, bold))
                made += 1
                break
        else:
            if any(is_over(page) for page in pages):
                return made
            pages[0].wait_for_timeout(10)
    raise AssertionError("the game does not end")


def checked_record(server: Server, page: Page) -> dict[str, Any]:
    """The record of a finished game, after nothing was found wrong with its moves and its deal."""
    room = room_of(page)
    with urllib.request.urlopen(f"http://{server.host}/api/rooms/{room}/record") as answer:
        record = parse_record(answer.read().decode(), 1)
    follow(record)
    check_fair(record)
    kept, fair = noted(page, room), record["fair"]
    assert (kept["commitment"], kept["context"]) == (fair["commitment"], fair["context"])
    assert kept["nonces"] and set(kept["nonces"]) <= set(fair["nonces"])
    return record


def noted(page: Page, room: str) -> dict[str, Any]:
    """What the browser has written down about a deal."""
    kept: dict[str, str] = page.evaluate("() => ({...localStorage})")
    start = f"fair:{room}:"
    return {
        "commitment": kept.get(f"{start}commitment"),
        "context": kept.get(f"{start}context"),
        "nonces": [key.rpartition(":")[2] for key in kept if key.startswith(f"{start}nonce:")],
    }


def no_scrolling(page: Page) -> None:
    found = page.evaluate(
        "() => { const root = document.documentElement; return [root.scrollHeight <= innerHeight, "
        "root.scrollWidth <= innerWidth, document.body.scrollHeight <= innerHeight] }"
    )
    assert all(found), found


# Everything that can be pressed, with its row where it is in one that scrolls, and where it can be seen.
CONTROLS = """table => [...table.querySelectorAll("button")].filter((one) => one.offsetParent).map((one) => {
  const row = one.closest("[data-scroll]");
  const [box, frame] = [one, row ?? document.body].map((part) => part.getBoundingClientRect());
  return {
    name: one.dataset.place ?? one.dataset.act ?? one.className, row: row?.dataset.scroll ?? null,
    left: Math.max(box.left, frame.left), right: Math.min(box.right, frame.right),
    top: box.top, bottom: box.bottom,
  };
})"""


def nothing_overlaps(page: Page, table: str) -> None:
    """All is inside of the window, and nothing lies over anything else but cards over those of their row."""
    size = page.viewport_size
    found: list[dict[str, Any]] = page.locator(table).evaluate(CONTROLS)
    assert size and found
    for one in found:
        assert one["left"] >= -1 and one["right"] <= size["width"] + 1, one
        assert one["top"] >= -1 and one["bottom"] <= size["height"] + 1, one
    for one, two in itertools.combinations(found, 2):
        wide = min(one["right"], two["right"]) - max(one["left"], two["left"])
        high = min(one["bottom"], two["bottom"]) - max(one["top"], two["top"])
        neighbours = one["row"] is not None and one["row"] == two["row"]
        assert neighbours or wide <= 1 or high <= 1, (one, two)


def every_card_is_reached(page: Page, table: str, cards: int) -> None:
    """Each by a touch on the edge that is seen; where it was touched, it is picked."""
    held = page.locator(f"{table} [data-held]")
    expect(held).to_have_count(cards)
    for n in range(cards):
        card = held.nth(n)
        card.click(position={"x": 8, "y": 30})
        expect(card).to_have_attribute("aria-pressed", "true")
        nothing_overlaps(page, table)
        page.keyboard.press("Escape")
        expect(card).to_have_attribute("aria-pressed", "false")


def story(page: Page) -> str:
    return page.locator(".sentence").inner_text()


def sentence_says(page: Page, text: str) -> None:
    expect(page.locator(".sentence")).to_contain_text(text)
