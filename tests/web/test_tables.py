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
            assert one["bottom"] - one["top"] >= 39.5 and one["right"] - one["left"] >= 31.5, one
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


# ---------------------------------------------------------------- motion

# Shows several situations one after the other, at a pace at which a test is always faster.
SHOW = """([states, pace]) => {
  const table = document.querySelector("main > :last-child");
  table.pace = pace;
  window.done = [];
  states.forEach((state, i) => table.show(state).then(() => done.push(i)));
}"""
SLOW = 200


def show(page: Page, states: list[Json], pace: float = SLOW) -> None:
    page.evaluate(SHOW, [states, pace])


def skip(page: Page) -> None:
    page.evaluate("document.querySelector('main > :last-child').skip()")


def shown(page: Page, key: str) -> Any:
    return page.evaluate("key => document.querySelector('main > :last-child').state.view[key]", key)


def drawn_by_the_other(deck: int) -> Json:
    events = [{"kind": "draw", "seat": 1, "card": None}]
    return {**madness(deck=deck, held=[5, 6]), "events": events}


def test_no_motion_is_cut_by_what_comes_next(open_page: OpenPage) -> None:
    page = some_page(open_page, reduced=False)
    lay(page, "madness", madness(deck=20))
    show(page, [drawn_by_the_other(19), drawn_by_the_other(18), madness(deck=17)])
    ghost = page.locator("madness-table .ghost.back")
    expect(ghost).to_have_count(1)  # the other one's card is on its way, and a page that complains fails
    assert shown(page, "deck") == 19
    assert page.evaluate("done") == []
    skip(page)
    assert shown(page, "deck") == 17
    expect(ghost).to_have_count(0)
    page.wait_for_function("() => done.length === 3")
    show(page, [drawn_by_the_other(16), madness(deck=15)], pace=0.01)
    page.wait_for_function("() => done.length === 2")
    assert shown(page, "deck") == 15
    show(page, [drawn_by_the_other(14), madness(deck=13)], pace=0)
    assert shown(page, "deck") == 13


def test_with_little_motion_everything_is_there_at_once(open_page: OpenPage) -> None:
    page = some_page(open_page)
    lay(page, "madness", madness(deck=20))
    show(page, [drawn_by_the_other(19), drawn_by_the_other(18)])
    assert shown(page, "deck") == 18
    page.wait_for_function("() => done.length === 2")


def test_a_hint_that_comes_early_waits_for_its_situation(open_page: OpenPage) -> None:
    page = some_page(open_page, reduced=False)
    lay(page, "madness", madness(deck=20))
    show(page, [drawn_by_the_other(19), madness(deck=18)])
    page.evaluate("document.querySelector('madness-table').highlight('a2 2H')")
    expect(page.locator("madness-table .hint")).to_have_count(0)
    skip(page)
    expect(page.locator("[data-place='side-2']")).to_have_class(re.compile("hint"))


# ---------------------------------------------------------------- choosing


def test_a_press_counts_although_everything_slides_away(open_page: OpenPage) -> None:
    page = some_page(open_page)
    lay(page, "madness", madness(3, 8))
    card = page.locator(f"[data-held='{CARDS[1]}']")
    card.hover(position={"x": 8, "y": 30})
    page.mouse.down()
    change(page, madness(3, 2))  # drawn anew, and elsewhere
    page.mouse.up()
    expect(card).to_have_attribute("aria-pressed", "true")
    card.hover(position={"x": 8, "y": 30})
    page.mouse.down()
    change(page, {**madness(3, 2), "legal": []})
    page.mouse.up()
    assert page.evaluate("document.querySelector('madness-table').dataset.moved") is None


def in_tut(cards: int = 3) -> Json:
    state = madness(3, cards, phase="tut")
    return {**state, "legal": ["draw", "push", *(f"drop {card}" for card in CARDS[:cards])]}


def test_what_is_dropped_wants_its_button(open_page: OpenPage) -> None:
    page = some_page(open_page)
    lay(page, "madness", in_tut())
    acts = page.locator(".acts button")
    expect(acts).to_have_text(["Draw", "Push the Boss", "Drop and draw"])
    card = page.locator(f"[data-held='{CARDS[2]}']")
    card.click()
    card.click()
    assert page.evaluate("document.querySelector('madness-table').dataset.moved") is None
    expect(page.locator(".held.picked")).to_have_count(0)
    acts.last.click()
    expect(acts.last).to_have_text("Drop which card?")
    card.click()
    acts.last.click()
    assert moved(page) == f"drop {CARDS[2]}"


def test_the_focus_stays_at_the_table(open_page: OpenPage) -> None:
    page = some_page(open_page)
    within = "document.querySelector('madness-table').contains(document.activeElement)"
    lay(page, "madness", madness())
    page.keyboard.press("0")
    for pressed, then in [("pass", in_tut()), ("draw", {**madness(), "legal": []}), (None, madness())]:
        if pressed:
            expect(page.locator(f"[data-act='{pressed}']")).to_be_focused()
            page.keyboard.press("Enter")
            assert moved(page) == pressed
            assert page.evaluate(within)
        change(page, then)
        assert page.evaluate(within)
    page.keyboard.press("2")
    expect(page.locator(f"[data-held='{CARDS[1]}']")).to_have_attribute("aria-pressed", "true")
    change(page, {**madness(3, 0), "legal": []})  # nothing is left that could have it
    assert page.evaluate(within)


def test_what_a_hint_means_stays_while_its_card_is_in_hand(open_page: OpenPage) -> None:
    page = some_page(open_page)
    lay(page, "madness", madness())
    page.evaluate("card => document.querySelector('madness-table').highlight(`a2 ${card}`)", CARDS[1])
    page.locator(f"[data-held='{CARDS[1]}']").click()
    place = page.locator("[data-place='side-2']")
    dashed = "one => getComputedStyle(one).outlineStyle"
    expect(place).to_have_class(re.compile("hint"))
    assert place.evaluate(dashed) == "dashed"
    assert page.locator("[data-place='side-1']").evaluate(dashed) == "solid"
    lay(page, "duel", duel())
    page.evaluate("document.querySelector('duel-table').highlight('play ember')")
    assert page.locator(".seat.hint .inside").evaluate(dashed) == "dashed"
    page.locator("[data-card='ember'][data-held]").click()
    assert page.locator(".go").evaluate(dashed) == "dashed"


def test_one_joker_is_red_and_the_other_is_black(open_page: OpenPage) -> None:
    page = some_page(open_page)
    lay(page, "madness", madness(hand=["X1", "X2", "7H", "7S"]))
    colours = page.locator(".hand .playing-card").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).color)"
    )
    assert colours[:2] == colours[2:] and colours[0] != colours[1]


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


BOTH = [{"kind": "reveal", "seat": 0, "title": "ember"}, {"kind": "reveal", "seat": 1, "title": "den"}]
TURN = [
    *BOTH,
    {"kind": "strike", "seat": 0, "title": "brushfire", "points": 5},
    {"kind": "strike", "seat": 0, "title": "ember", "points": 12},
    {"kind": "strike", "seat": 0, "title": "ember", "points": 14},
    {"kind": "guard_all", "seat": 1, "title": "den"},
    {"kind": "damage", "seat": 1, "damage": 0, "blocked": 31},
    {"kind": "work", "seat": 1, "title": "den"},
    {"kind": "draw", "seat": 1, "title": None, "number": 7},
    {"kind": "draw", "seat": 1, "title": None, "number": 7},
    {"kind": "leave", "seat": 0, "title": "ember", "goes": "discard"},
    {"kind": "turn", "seat": None, "turn": 5},
    {"kind": "draw", "seat": 0, "title": "great-hunt", "number": 1},
]


# Every mark that a card ever wears.
WATCH = """() => {
  window.marks = new Set();
  const watch = () => {
    for (const one of document.querySelectorAll(".lane .did")) {
      const { look } = one.closest("[data-look]").dataset;
      marks.add(`${one.closest(".play, .slot").classList[0]} ${look} ${one.textContent}`);
    }
  };
  new MutationObserver(watch).observe(document.body, { subtree: true, childList: true });
}"""


def after_a_turn(**told: Any) -> Json:
    state = duel(turn=5, health=[240, 500], play=[[["brushfire", 0]], []], due=[[[0, 2]], []], **told)
    state["view"]["hand"][-1] = "great-hunt"
    return {**state, "events": TURN}


def test_a_turn_is_told_by_its_cards(open_page: OpenPage) -> None:
    page = some_page(open_page, reduced=False)
    lay(page, "duel", duel(turn=4))
    show(page, [after_a_turn()])
    lying = page.locator(".lane.mine .play .look")
    expect(lying).to_have_count(3)  # as it was, until it is told
    expect(page.locator(".d-bar.mine .points")).to_have_text("250 / 400")
    expect(page.locator("[data-slot='1'] .duel-card")).to_have_attribute("data-card", "den")
    expect(page.locator(".d-hand .coming")).to_have_count(1)
    skip(page)
    expect(lying).to_have_count(1)
    expect(page.locator(".d-bar.mine .points")).to_have_text("240 / 400")
    expect(page.locator(".coming, .float, .flies")).to_have_count(0)
    # Until the next choice the cards that were played show what they did; of two equal ones it is the later.
    expect(page.locator("[data-slot='0'] .did")).to_have_text(["14"])
    expect(page.locator("[data-slot='1'] .did")).to_have_text(["∞", "2"])
    page.wait_for_function("() => done.length === 1")


def test_each_deed_is_marked_on_its_card(open_page: OpenPage) -> None:
    page = some_page(open_page, reduced=False)
    lay(page, "duel", duel(turn=4))
    page.evaluate(WATCH)
    show(page, [after_a_turn()], pace=0.1)
    page.wait_for_function("() => done.length === 1")
    told = set(page.evaluate("[...marks]"))
    assert told == {"play brushfire 5", "play ember 12", "slot ember 14", "slot den ∞", "slot den 2"}
    assert page.locator("duel-table").evaluate("one => one.motions().length") == 0


def test_at_one_device_the_second_one_knows_that_the_first_has_chosen(open_page: OpenPage) -> None:
    page = some_page(open_page)
    lay(page, "duel", duel())
    page.keyboard.press("1")
    page.keyboard.press("1")
    second = {**duel(), "seat": 1}
    second["view"]["seat"] = 1
    change(page, second)
    expect(page.locator(".slot.theirs")).to_have_text("has chosen")
    change(page, {**second, "view": {**second["view"], "turn": 5}, "events": BOTH})
    first = duel(turn=5)
    change(page, first)  # a new turn: nobody has chosen
    expect(page.locator(".slot.theirs")).not_to_contain_text("has chosen")
    expect(page.locator(".slot.theirs .duel-card")).to_have_attribute("data-card", "den")


def test_nobody_thinks_in_a_replay(open_page: OpenPage) -> None:
    page = some_page(open_page)
    for seat in (0, -1):
        lay(page, "duel", {**duel(seat=seat), "legal": []})
        expect(page.locator(".slot.theirs .hollow")).to_have_text("")
    lay(page, "duel", duel())
    expect(page.locator(".slot.theirs .hollow")).to_have_text("thinks…")


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
