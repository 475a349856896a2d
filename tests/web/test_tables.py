"""Tables on their own, told what they show: few and many fields, any goal, many cards, a game that is new."""

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.conftest import OpenPage, axe_violations

Json = dict[str, Any]
WEB = Path(__file__).parents[2] / "src" / "coyote" / "table" / "web"
# What a room leaves for its table: phones upright, a phone on its side, a desktop.
STAGES = {"phone": (374, 680), "small": (344, 470), "side": (590, 330), "desktop": (840, 700)}
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "SHDC"]
SET = ("ember", "spark", "scouts", "howl", "den", "mirage", "waterhole", "fever", "sunstroke", "great-hunt")
LAY = """async ([game, state, [width, height]]) => {
  const { makeTable } = await import("/static/now/game-table.js");
  await (await import("/static/now/words.js")).loadWords();
  const table = await makeTable(game);
  const stage = document.createElement("main");
  stage.style.cssText = "flex: none; max-width: none; margin: 0; padding: 0";
  Object.assign(stage.style, { width: `${width}px`, height: `${height}px` });
  const title = document.createElement("h1");
  title.className = "visually-hidden";
  title.append(game);
  stage.append(title, table);
  document.body.replaceChildren(stage);
  table.addEventListener("move", (event) => (table.dataset.moved = event.detail));
  table.show(state);
}"""
# Each button with where it is, and how much of it is not under the next card or beyond the edge.
TARGETS = """table => [...table.querySelectorAll("button")].filter((one) => one.offsetParent).map((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const name = one.dataset.place ?? one.dataset.act ?? one.className;
  return { name, left, top, right, bottom, row: Boolean(one.closest("[data-scroll]")) };
})"""


def some_page(open_page: OpenPage, **look: Any) -> Page:
    """Any page: its words and its styles are what counts."""
    page = open_page("/cards", **look)
    page.locator("main h1").wait_for()
    return page


def lay(page: Page, game: str, state: Json, stage: str = "desktop") -> None:
    page.evaluate(LAY, [game, state, STAGES[stage]])


def change(page: Page, state: Json) -> None:
    page.evaluate("state => document.querySelector('main > :last-child').show(state)", state)


def moved(page: Page) -> str:
    found: str = page.evaluate("document.querySelector('main > :last-child').dataset.moved")
    return found


def state_of(view: Json, legal: list[str], hands: list[list[str]] | None = None) -> Json:
    opened = {"hands": hands} if hands else None
    return {"view": view, "legal": legal, "events": [], "seat": 0, "names": ["Anna", "Boris"], "open": opened}


# ---------------------------------------------------------------- Madness


def a_field(mine: str | None = None, theirs: str | None = None, marker: str | None = None) -> Json:
    tops = [mine, theirs]
    heights = [0 if top is None else 1 for top in tops]
    closed = marker is not None
    return {
        "tops": tops,
        "heights": heights,
        "last": 1,
        "closed": closed,
        "marker": marker,
        "winner": 0 if closed else None,
    }


FIELDS = [a_field("9H", "KD"), a_field(None, "7C"), a_field(marker="QS"), a_field("TS", "TD")]
OUTLOOK = [["open", "won"], ["open", "won"], ["open", "open"], ["drawn", "open"]]


def madness(fields: int = 3, cards: int = 5, **told: Any) -> Json:
    hand = CARDS[:cards]
    view = {
        "game": "madness", "options": {}, "seat": 0, "phase": "main", "turn": 3, "mover": 0, "lead": 0,
        "goal": 5, "hand": hand, "held": [cards, cards], "deck": 20, "boss": "8D", "discard": "5C",
        "fields": FIELDS[:fields], "outlook": OUTLOOK[:fields], "decider": 0, "can_answer": [True, True],
        "closing": None, "back_to": None, "began_dry": False, "moved": False, "idle": 0, "memory": [],
        "over": False, "reason": None,
    }  # fmt: skip
    takes = [n for n in range(1, fields + 1) if not FIELDS[n - 1]["closed"]]
    legal = ["pass", *(f"a{n} {card}" for n in takes for card in hand), *(f"b {card}" for card in hand)]
    return state_of({**view, **told}, legal)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_one_to_four_fields_and_many_cards_are_all_in_reach(open_page: OpenPage, lang: str) -> None:
    page = some_page(open_page, lang=lang)
    many = [(1, 1, 1), (2, 5, 7), (3, 10, 8), (4, 13, 20), (4, 24, 6)]
    for stage, (fields, cards, goal) in product(STAGES, many):
        width, height = STAGES[stage]
        lay(page, "madness", madness(fields, cards, goal=goal, lead=-goal), stage)
        table = page.locator("madness-table")
        expect(table.locator(".field-of-war")).to_have_count(fields)
        held = table.locator("[data-held]")
        held.last.click()
        for one in table.evaluate(TARGETS):
            inside = one["top"] >= -1 and one["bottom"] <= height + 1
            assert inside and (one["row"] or (one["left"] >= -1 and one["right"] <= width + 1)), one
            assert one["bottom"] - one["top"] >= 43.5 and one["right"] - one["left"] >= 31.5, one
        expect(held.last).to_have_class(re.compile("picked"))
        held.first.focus()
        box = held.first.bounding_box()
        assert box and box["x"] >= -1, "the first card is scrolled back to"
        cut = (
            "[...document.querySelectorAll('.told')].filter((one) => one.scrollHeight > one.clientHeight + 1)"
        )
        assert page.evaluate(f"{cut}.length") == 0


def test_a_long_way_is_one_cube_with_its_number(open_page: OpenPage) -> None:
    page = some_page(open_page)
    lay(page, "madness", madness(goal=5, lead=2))
    expect(page.locator(".rope .cube")).to_have_count(10)
    expect(page.locator(".rope .cubes.mine .full")).to_have_count(2)
    change(page, madness(goal=20, lead=-13))
    expect(page.locator(".rope .cube")).to_have_text("13")
    knot, cube = page.locator(".way .knot").bounding_box(), page.locator(".way .cube").bounding_box()
    assert knot and cube and cube["x"] < knot["x"]
    expect(page.locator(".rope")).to_have_attribute("aria-label", re.compile("Boris leads by 13; 20 win"))


def test_a_table_says_what_it_is_told(open_page: OpenPage) -> None:
    page = some_page(open_page)
    lay(page, "madness", madness(mover=0, phase="tut", can_answer=[True, True]))
    expect(page.locator(".told").first).to_contain_text("they attack — answer")
    change(page, madness(mover=1, phase="main", can_answer=[False, True]))
    expect(page.locator(".told").first).to_contain_text("theirs")
    chance = madness(closing=3, phase="coyote", decider=0, mover=0)
    change(page, {**chance, "legal": []})
    expect(page.locator(".moment")).to_contain_text("Anna may steal")


def test_digits_reach_every_field(open_page: OpenPage) -> None:
    page = some_page(open_page)
    lay(page, "madness", madness(4))
    page.keyboard.press("2")
    page.keyboard.press("4")
    assert moved(page) == f"a4 {CARDS[1]}"


def test_a_row_stays_where_it_was_scrolled_to(open_page: OpenPage) -> None:
    page = some_page(open_page)
    lay(page, "madness", madness(3, 24), "small")
    hand = page.locator(".hand")
    hand.hover(position={"x": 20, "y": 40})
    page.mouse.wheel(0, 200)
    page.wait_for_function("document.querySelector('.hand').scrollLeft >= 150")
    before = hand.evaluate("one => one.scrollLeft")
    change(page, madness(3, 23))
    assert hand.evaluate("one => one.scrollLeft") == before
    assert hand.evaluate("one => getComputedStyle(one.firstElementChild).touchAction") == "pan-x"
    change(page, madness(3, 3))
    assert hand.evaluate("one => getComputedStyle(one.firstElementChild).touchAction") == "none"


# ---------------------------------------------------------------- the duel


def duel(cards: int = 5, **told: Any) -> Json:
    hand = list(SET[:cards])
    view = {
        "game": "duel", "options": {}, "seat": 0, "turn": 4, "health": [250, 500], "max": [400, 500],
        "full": 500, "hand": hand, "held": [cards, cards], "deck": [30, 40], "deck_number": [1, 7],
        "wears": [True, False], "discard": [list(SET) * 4, []], "aside": [[], []], "shown": [[], []],
        "play": [[["brushfire", 0], ["ember", 0], ["clouds", 1]], []], "due": [[[0, 3], [0, 1], [2, 3]], []],
        "super": [None, None], "lists": [None, None], "chosen": None, "over": False,
    }  # fmt: skip
    return state_of({**view, **told}, ["hold", *(f"play {card}" for card in hand)])


def test_the_duel_shows_what_it_is_told(open_page: OpenPage) -> None:
    page = some_page(open_page)
    lay(page, "duel", duel())
    meter = page.get_by_role("meter", name="Anna")
    expect(meter).to_have_attribute("aria-valuemax", "500")
    box, fill = meter.bounding_box(), meter.locator(".fill").bounding_box()
    assert box and fill and abs(fill["width"] / box["width"] - 0.5) < 0.01
    waits = page.locator(".lane.mine .countdown .long")
    expect(waits).to_have_text(["3 turns more", "now", "in 2 turns"])
    expect(page.locator(".d-bar.mine .worn")).to_have_count(1)
    expect(page.locator(".d-bar.theirs .worn")).to_have_count(0)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_ten_cards_and_a_long_table_are_in_reach(open_page: OpenPage, stage: str, lang: str) -> None:
    page = some_page(open_page, lang=lang)
    width, height = STAGES[stage]
    many = [["brushfire", 0]] * 9
    lay(
        page, "duel", duel(10, play=[many, many], due=[[[0, 3]] * 9] * 2, aside=[["comet"], ["comet"]]), stage
    )
    held = page.locator("duel-table [data-held]")
    held.last.click()
    expect(held.last).to_have_class(re.compile("picked"))
    for one in page.locator("duel-table").evaluate(TARGETS):
        inside = one["top"] >= -1 and one["bottom"] <= height + 1
        assert inside and (one["row"] or (one["left"] >= -1 and one["right"] <= width + 1)), one
        assert one["row"] or one["bottom"] - one["top"] >= 43.5, one
    parts = ".d-bar, .d-arena, .counts, .choices button"
    spill = (
        f"[...document.querySelectorAll('{parts}')].filter((one) => one.scrollWidth > one.clientWidth + 1)"
    )
    assert page.evaluate(f"{spill}.map((one) => one.className)") == []


# ---------------------------------------------------------------- a game without a table of its own

NIM = {
    "game": "nim", "options": {}, "seat": 0, "turn": 4, "heaps": [3, 4, 5], "score": [2, 1], "over": False,
    "hand": ["stone", "<b>leaf</b>"], "held": [2, 6], "last_taken": None, "lucky": True, "chosen": None,
    "board": [{"size": 3, "owner": None}, {"size": 1, "owner": 0}, {"size": 2, "owner": 1}],
}  # fmt: skip


@pytest.mark.parametrize("name", ["nim", "constructor"])
def test_a_game_that_nobody_knows_can_be_played(open_page: OpenPage, name: str) -> None:
    page = some_page(open_page, theme="dark")
    lay(page, name, state_of(NIM, ["take 1 2", "take 2 1", "pass"]), "phone")
    table = page.locator("plain-table")
    expect(table.locator("dt", has_text="last taken")).to_have_count(1)
    expect(table.locator("dd", has_text="3, 4, 5")).to_have_count(1)
    expect(table).to_contain_text("Boris · 6 cards")
    expect(table.locator(".chip")).to_have_text(["stone", "<b>leaf</b>"])
    score = table.locator("dt:text-is('score') + dd li")
    expect(score).to_have_text(["Anna: 2", "Boris: 1"])
    assert axe_violations(page) == []
    page.keyboard.press("2")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert moved(page) == "take 1 2"
    expect(table.locator("[data-act='pass']")).to_have_attribute("aria-disabled", "true")
    change(page, state_of({**NIM, "chosen": "take 1 2"}, ["take 1 2", "take 2 1", "pass"]))
    expect(table).to_contain_text("Chosen: take 1 2.")
    expect(table.get_by_role("button", pressed=True)).to_have_text("take 1 2")
    expect(table.get_by_role("button", name="take 1 2")).to_be_focused()
    page.evaluate("document.querySelector('plain-table').highlight('pass')")
    expect(table.locator(".hint")).to_have_text("pass")


def test_a_list_that_is_of_two_for_once_is_nobodys(open_page: OpenPage) -> None:
    page = some_page(open_page)
    for heaps, taken in [([3, 4, 5], [[], []]), ([4, 5], [[3, 1], [2, 1]])]:
        state = state_of({**NIM, "heaps": heaps, "taken": taken}, [])
        lay(page, "nim", state) if len(heaps) == 3 else change(page, state)
    expect(page.locator("dt:text-is('heaps') + dd")).to_have_text("4, 5")
    expect(page.locator("dt:text-is('taken') + dd li")).to_have_text(["Anna: 3, 1", "Boris: 2, 1"])


def test_the_hands_of_a_game_that_is_over_lie_open(open_page: OpenPage) -> None:
    page = some_page(open_page, lang="ru")
    over = {**NIM, "over": True, "seat": -1, "hand": []}
    lay(page, "nim", state_of(over, [], [["a", "b"], ["c"]]))
    expect(page.locator("plain-table .chip")).to_have_text(["c", "a", "b"])
    lay(
        page,
        "madness",
        {**madness(4, 16), "legal": [], "open": {"hands": [CARDS[:16], CARDS[16:32]]}},
        "small",
    )
    expect(page.locator(".their-hand.open .playing-card")).to_have_count(16)


# ---------------------------------------------------------------- no rule


def test_no_table_knows_a_rule() -> None:
    rules = (
        r"\bedition\b",
        r"deck_number[^,;\n]*[<>]",
        r"\.mover\b",
        r'"(main|tut)"',
        r"\.(first|last)\b\s*[<>]",
    )
    tables = [
        path for game in ("madness", "duel", "plain", "table", "game") for path in WEB.glob(f"{game}-*.js")
    ]
    assert len(tables) > 8
    for path in tables:
        for rule in rules:
            assert not re.search(rule, path.read_text(encoding="utf-8")), (path.name, rule)
