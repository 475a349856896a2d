"""What happened is told: step by step, completely, once, on every screen; and the end says why."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from table.kit_table import Server
from web.conftest import OpenPage, Pages, axe_violations
from web.kit_web import (
    a_guest,
    ask,
    checked_record,
    click_move,
    legal,
    no_scrolling,
    play_out,
    room_of,
    wait_for_turn,
)

PHONE = {"width": 390, "height": 844}
# Whenever the table is shown something: what happened, how many moves it offers, and when all is at rest.
SHOWN = """() => {
  const table = document.querySelector("madness-table");
  const [show, shown] = [table.show, (globalThis.shown = [])];
  table.show = (state) => {
    shown.push(["show", state.events.map((event) => event.kind), state.legal.length]);
    const rest = show.call(table, state);
    rest.then(() => shown.push(["rest"]));
    return rest;
  };
}"""


def against_a_bot(page: Page, **terms: Any) -> None:
    game = {"game": "madness", "opponent": "bot", "bot": "level:1", "begins": "host", **terms}
    page.goto(f"/room/{ask(page, '/api/rooms', game)['room']}")
    page.locator("[data-held]").first.wait_for()


def newest(page: Page) -> str:
    return page.locator(".newest").inner_text()


def voice(page: Page) -> str:
    return page.locator("#voice").text_content() or ""


def my_turn_is_over(page: Page) -> None:
    """Pass and draw; time stands still, so nothing that the computer does is shown yet."""
    wait_for_turn(page)
    page.locator("[data-act='pass']").click()
    page.locator("[data-act='draw']").click()
    page.wait_for_function("() => document.title.startsWith('●')")  # it has chosen twice by now


# ---------------------------------------------------------------- pace


def test_the_computers_turn_is_shown_in_steps_that_wait_for_each_other(open_page: OpenPage) -> None:
    page = a_guest(open_page, "Anna", pace="normal", reduced=False)
    against_a_bot(page)
    wait_for_turn(page)
    page.clock.install()
    page.evaluate(SHOWN)
    my_turn_is_over(page)
    assert legal(page) == [], "nothing is offered before the newest is shown"
    expect(page.locator(".newest")).not_to_contain_text("Pup")
    page.clock.run_for(750)
    expect(page.locator(".newest")).to_contain_text("Pup")
    first = newest(page)
    assert legal(page) == []
    page.clock.run_for(750)
    page.wait_for_function("() => document.querySelector('madness-table').options.length")
    assert newest(page).startswith(first) and len(newest(page)) > len(first), "the first step stays told"
    steps = page.evaluate("shown")
    shown = [step for step in steps if step[0] == "show" and step[1]]
    assert [bool(legal) for _, _, legal in shown] == [True, False, False, True]
    for before, after in zip(steps, steps[1:], strict=False):
        assert (before[0], after[0]) != ("show", "show"), "nothing is cut by what comes next"


def test_a_tap_skips_to_the_newest_and_does_nothing_else(open_page: OpenPage) -> None:
    page = a_guest(open_page, "Anna", pace="slow", reduced=False)
    against_a_bot(page)
    wait_for_turn(page)
    page.clock.install()
    my_turn_is_over(page)
    card = page.locator("[data-held]").first
    card.click()
    expect(page.locator(".newest")).to_contain_text(re.compile("Pup (draws|drops|pushes)"))  # its last choice
    moves = wait_for_turn(page)
    expect(page.locator("[aria-pressed='true'][data-held]")).to_have_count(0)
    my_turn_is_over(page)
    page.keyboard.press("3")
    assert wait_for_turn(page) and moves
    expect(page.locator("[aria-pressed='true'][data-held]")).to_have_count(0)


def test_pace_and_sound_are_kept(open_page: OpenPage) -> None:
    page = a_guest(open_page, "Anna")
    against_a_bot(page)
    page.get_by_label("Pace").select_option("slow")
    sound = page.get_by_role("button", name="Sound and vibration")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    click_move(page, wait_for_turn(page)[0])
    page.reload()
    expect(page.get_by_label("Pace")).to_have_value("slow")
    expect(sound).to_have_attribute("aria-pressed", "true")


# ---------------------------------------------------------------- what is told


def test_all_since_ones_last_choice_is_told_once_and_stays_to_be_read(open_page: OpenPage) -> None:
    page = a_guest(open_page, "Anna", size=PHONE)
    against_a_bot(page)
    page.evaluate(
        "() => { globalThis.heard = []; const voice = document.querySelector('#voice');"
        " const watch = new MutationObserver(() => heard.push(voice.textContent));"
        " watch.observe(voice, {childList: true, characterData: true, subtree: true}) }"
    )
    for _ in range(3):
        wait_for_turn(page)
        page.locator("[data-act='pass']").click()
        page.locator("[data-act='draw']").wait_for()
        page.wait_for_function("() => document.querySelector('#voice').textContent.includes('TUT')")
        page.evaluate("() => (globalThis.heard = [])")
        page.locator("[data-act='draw']").click()
        page.locator("[data-act='pass']").wait_for()
    lines = page.locator(".newest li").all_inner_texts()
    assert lines[0].startswith("You draw") and any("Pup" in line for line in lines[1:])
    page.wait_for_function("text => heard.join(' ').includes(text)", arg="Your turn: attack")
    heard = " ".join(page.evaluate("heard"))
    for line in lines:
        assert heard.count(line.strip()) == lines.count(line), (line, heard)
    assert not re.search(r"\bM\d+\b", heard), "nobody wants to hear the numbers of rules"
    page.locator(".unfold").click()
    now = page.locator(".older .turn").first.inner_text()
    for line in lines:
        assert line.strip() in now
    expect(page.locator(".older .turn").nth(1)).to_contain_text("You pass")
    assert axe_violations(page) == []


def test_the_log_is_one_step_of_tab_and_its_rules_are_reached_by_arrows(open_page: OpenPage) -> None:
    page = a_guest(open_page, "Anna")
    against_a_bot(page)
    click_move(page, wait_for_turn(page)[0])
    expect(page.locator(".older a, .newest a")).not_to_have_count(0)
    assert page.locator(".older a:not([tabindex='-1']), .newest a:not([tabindex='-1'])").count() == 0
    page.locator(".newest").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.matches('.newest a.rule')")


# The voice has told the same turn that is to be read.
SAID_AND_SHOWN = """() => {
  const said = document.querySelector("#voice").textContent;
  const shown = [...document.querySelectorAll(".newest li")].map((li) => li.firstChild.textContent.trim());
  const hurts = shown.filter((line) => line.includes("урона"));
  return said.includes("Выберите") && hurts.every((line) => said.includes(line));
}"""


def test_the_duel_tells_both_cards_and_what_each_of_them_did(open_page: OpenPage) -> None:
    page = a_guest(open_page, "Анна", size=PHONE, lang="ru")
    against_a_bot(page, game="duel", bot="greedy", deck="wildfire", their_deck="wildfire")
    damage = re.compile(r"Вы получаете (\d+) урона: ([^.]+)\.")
    for _ in range(8):
        turn = page.evaluate("document.querySelector('duel-table').state.view.turn")
        page.locator("duel-table [data-held]").first.click()
        page.locator("duel-table .go").click()
        page.wait_for_function(
            "turn => document.querySelector('duel-table').state.view.turn > turn", arg=turn
        )
        page.wait_for_function(SAID_AND_SHOWN)
        found = None if "лок" in voice(page) else damage.search(voice(page))  # a block would take its part
        if found:
            break
    assert found, "somebody strikes sooner or later"
    assert int(found[1]) == sum(int(n) for n in re.findall(r"» (\d+)", found[2]))
    text = page.locator(".newest").text_content() or ""
    assert "Вы играете карту" in text and "играет карту" in text and found[0] in text
    assert not re.search(r"\bD\d+\b", voice(page))


# ---------------------------------------------------------------- the end


def test_the_end_says_why_and_where_the_points_come_from(open_page: OpenPage, server: Server) -> None:
    page = a_guest(open_page, "Anna", size=PHONE)
    against_a_bot(page)
    play_out([page], seed=5)
    end = page.locator(".end")
    expect(end.locator("h2")).to_have_text(re.compile("You win!|You lose|A draw"))
    expect(end.locator(".why .rule")).to_have_text(re.compile(r"M\d+"))
    record = checked_record(server, page)
    mine, theirs = end.locator(".tally tbody tr:last-child td").all_inner_texts()
    points = [0 if text == "–" else int(text) for text in (mine, theirs)]
    assert abs(points[0] - points[1]) == abs(record["result"]["score"])
    expect(end.locator(".facts")).to_contain_text("turn")
    no_scrolling(page)
    assert axe_violations(page) == []
    end.locator(".fold").click()
    expect(end.locator(".why")).to_be_hidden()
    expect(page.locator(".rematch")).to_be_hidden()
    end.locator(".fold").click()
    expect(page.locator(".rematch")).to_be_visible()


def test_a_duel_ends_with_the_damage_of_each_card(open_page: OpenPage) -> None:
    page = a_guest(open_page, "Anna")
    against_a_bot(page, game="duel", bot="greedy", deck="wildfire", options={"health": 20})
    while not page.locator(".end").count():
        turn = page.evaluate("document.querySelector('duel-table').state.view.turn")
        page.evaluate(
            "() => { const held = document.querySelector('duel-table [data-held]'); held?.click();"
            " document.querySelector(held ? 'duel-table .go' : 'duel-table .hold').click(); }"
        )
        page.wait_for_function(
            "turn => document.querySelector('.end') ||"
            " document.querySelector('duel-table').state.view.turn > turn",
            arg=turn,
        )
    expect(page.locator(".end .why .rule")).to_have_text("D3")
    names = page.locator(".end .tally tbody th").all_inner_texts()
    assert names and all(name[0].isupper() or name[0].isdigit() for name in names), "names, and no ids"


# ---------------------------------------------------------------- my turn


def test_title_icon_and_notification_say_that_it_is_my_turn(pages: Pages) -> None:
    page = a_guest(pages.open, "Anna")
    page.context.grant_permissions(["notifications"])
    page.evaluate("localStorage.setItem('notify', 'on')")
    against_a_bot(page, bot="level:7")
    wait_for_turn(page)
    assert page.title().startswith("● Your move")
    expect(page.locator("link[rel='icon']")).to_have_attribute("href", re.compile("icon-turn"))
    page.locator("[data-act='pass']").click()
    # The tab is away now; notices are collected instead of shown, where a test cannot see them.
    page.evaluate(
        "() => { Object.defineProperty(document, 'hidden', {get: () => true}); globalThis.notices = [];"
        " globalThis.Notification = class { static permission = 'granted'; close() {}"
        " constructor(title, {body}) { notices.push([title, body]); } } }"
    )
    page.locator("[data-act='draw']").click()
    page.wait_for_function("() => notices.length")
    [[title, body]] = page.evaluate("notices")
    assert title.startswith("Your move") and "Coyote" in body
    assert page.title().startswith("● Your move")


# ---------------------------------------------------------------- every size

SIZES = [
    (320, 568),
    (360, 740),
    (390, 844),
    (740, 360),
    (844, 390),
    (683, 384),
    (911, 512),
    (1366, 768),
    (2560, 1440),
]
# All that can be pressed beside the table, as far as it is seen.
BESIDE = """() => [...document.querySelectorAll(":is(.top, .side-panel) :is(button, select), .top a")]
  .filter((one) => one.checkVisibility({visibilityProperty: true}) && one.getBoundingClientRect().width > 2)
  .map((one) => { const { left, top, right, bottom } = one.getBoundingClientRect();
    return { name: one.className || one.tagName, left, top, right, bottom }; })"""


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_everything_beside_the_table_is_in_reach_at_every_size(open_page: OpenPage, lang: str) -> None:
    page = a_guest(open_page, "Анна-Мария Длинноимённая", lang=lang)
    against_a_bot(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        no_scrolling(page)
        in_reach(page, width, height)
        more = page.locator(".top .more")
        if more.is_visible():
            more.click()
        page.locator(".sheet .resign").scroll_into_view_if_needed()
        expect(page.locator(".sheet .resign")).to_be_in_viewport()
        theme = page.locator(".sheet .theme")
        theme.scroll_into_view_if_needed()
        expect(theme).to_be_in_viewport()
        page.keyboard.press("Escape")
        expect(page.locator(".side-panel.open")).to_have_count(0)
    assert room_of(page)


def in_reach(page: Page, width: int, height: int) -> None:
    found = page.evaluate(BESIDE)
    for one in found:
        assert one["left"] >= -1 and one["right"] <= width + 1, (width, height, one)
        assert one["top"] >= -1 and one["bottom"] <= height + 1, (width, height, one)
        assert one["bottom"] - one["top"] >= 39.5 and one["right"] - one["left"] >= 39.5, (width, one)
    for i, one in enumerate(found):
        for two in found[i + 1 :]:
            wide = min(one["right"], two["right"]) - max(one["left"], two["left"])
            high = min(one["bottom"], two["bottom"]) - max(one["top"], two["top"])
            assert wide <= 1 or high <= 1, (width, height, one, two)


def test_a_tap_beside_the_sheet_closes_it_and_nothing_else(open_page: OpenPage) -> None:
    page = a_guest(open_page, "Anna", size=PHONE)
    against_a_bot(page)
    moves = wait_for_turn(page)
    box = page.locator("[data-act='pass']").bounding_box()
    assert box
    page.locator(".more").click()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".side-panel.open")).to_have_count(0)
    assert legal(page) == moves
    expect(page.locator(".older")).not_to_contain_text("You pass")
