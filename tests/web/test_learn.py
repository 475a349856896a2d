"""First games in the browser: played by clicking, as somebody who knows nothing would."""

import re

import pytest
from playwright.sync_api import Page, expect

from coyote.table.lessons import lesson
from web.conftest import DESKTOP, OpenPage, axe_violations
from web.kit_web import no_scrolling, nothing_overlaps

PHONE = {"width": 360, "height": 740}
ON_ITS_SIDE = {"width": 844, "height": 390}


def play(page: Page, game: str, move: str) -> None:
    """Make a move with the table itself."""
    if game == "duel":
        card = move.removeprefix("play ")
        page.locator(f"duel-table [data-held][data-card='{card}']").first.click()
        page.locator(f"duel-table button[data-act='{move}']").click()
        return
    verb, _, card = move.partition(" ")
    if card:
        page.locator(f"madness-table [data-held='{card}']").click()
        place = {"a": f"side-{verb[1:]}", "c": f"centre-{verb[1:]}", "b": "boss", "d": "discard"}
        target = f"[data-act='{move}']" if verb == "steal" else f"[data-place='{place[verb[0]]}']"
        page.locator(f"madness-table {target}").click()
    else:
        page.locator(f"madness-table [data-act='{move}']").click()


def frame(page: Page) -> list[list[float]]:
    """Where the words, the buttons and the table are."""
    found: list[list[float]] = page.evaluate(
        "() => ['.ln-words', '.ln-helpers', '.ln-stage'].map((one) => {"
        " const { x, y, width, height } = document.querySelector(one).getBoundingClientRect();"
        " return [x, y, width, height] })"
    )
    return found


def read_all(page: Page) -> bool:
    """Whether everything that is said is seen without scrolling."""
    found: bool = page.locator(".ln-words").evaluate("(one) => one.scrollHeight <= one.clientHeight + 1")
    return found


@pytest.mark.parametrize(
    ("game", "lang", "size"),
    [
        ("madness", "en", DESKTOP), ("madness", "ru", PHONE),
        ("duel", "ru", PHONE), ("duel", "en", ON_ITS_SIDE),
    ],
)  # fmt: skip
def test_a_lesson_is_played_to_its_end(
    open_page: OpenPage, game: str, lang: str, size: dict[str, int]
) -> None:
    """Every sentence waits for the learner, is whole, and stands where the one before stood."""
    page = open_page(f"/learn/{game}", lang=lang, phone=size != DESKTOP, size=size)
    expect(page.locator(".ln-say")).to_be_visible()
    steps, stands, told = lesson(game, lang)["steps"], frame(page), []
    for number, step in enumerate(steps[:-1]):
        told += [step["told"]] if step["told"] else []
        if not step["say"]:
            continue  # follows by itself
        expect(page.locator(".ln-say")).to_have_text(step["say"])
        expect(page.locator(".ln-told")).to_have_text(told)
        assert frame(page) == stands and read_all(page), step["say"]
        no_scrolling(page)
        if step["want"]:
            expect(page.locator(".hint:visible").first).to_be_visible()
            nothing_overlaps(page, f"{game}-table")
            play(page, game, step["want"])
        else:
            expect(page.locator("[data-helper=show]")).not_to_be_visible()
            page.locator("[data-helper=next]").click()
        told = []
        if steps[number + 1]["part"] != step["part"]:
            expect(page.locator(".ln-progress .note")).to_contain_text(
                lesson(game, lang)["parts"][step["part"] + 1]
            )
    expect(page.locator(".ln-say")).to_have_text(steps[-1]["say"])
    assert frame(page)[2] == stands[2]
    page.locator(".ln-helpers a.primary").click()
    deck = f"&deck={lesson(game, lang)['deck']}" if game == "duel" else ""
    expect(page).to_have_url(re.compile(rf"/\?game={game}&opponent=bot&level=1{re.escape(deck)}$"))


def test_nothing_is_replaced_by_time(open_page: OpenPage) -> None:
    """The Coyote's moves follow by themselves only where nothing is said; what was told before them stays."""
    page = open_page("/learn/madness", phone=True, reduced=False)
    page.locator("[data-helper=next]").click()
    for _ in range(2):
        page.locator("[data-helper=show]").click()
    expect(page.locator(".ln-told")).to_have_text("The four of clubs. Small, but keep it.")
    page.wait_for_timeout(1500)
    expect(page.locator(".ln-say")).to_have_text("Now it is the Coyote’s turn.")
    page.locator("[data-helper=next]").click()
    expect(page.locator(".ln-say")).to_contain_text("Answer him on the same field.")
    expect(page.locator(".ln-told")).to_contain_text("The Coyote defends with a nine.")


def test_another_move_gets_kind_words_and_nothing_is_lost(open_page: OpenPage) -> None:
    page = open_page("/learn/madness")
    page.locator("[data-helper=next]").click()
    page.locator("madness-table [data-act='pass']").click()
    expect(page.locator(".ln-kindly")).to_contain_text("do what glows")
    expect(page.locator("madness-table [data-held]")).to_have_count(5)
    page.locator("madness-table [data-held='3C']").click()
    page.locator("madness-table [data-place='boss']").click(force=True)
    expect(page.locator(".ln-kindly")).to_have_text("That is not possible now. See what glows.")
    play(page, "madness", "a1 7S")
    expect(page.locator(".ln-kindly")).to_have_count(0)
    expect(page.locator(".ln-dots .done")).to_have_count(1)


def test_one_goes_back_by_a_step_and_on_by_a_key(open_page: OpenPage) -> None:
    page = open_page("/learn/duel", lang="ru")
    back, show, onward = (page.locator(f"[data-helper={name}]") for name in ("back", "show", "next"))
    expect(onward).to_be_visible()
    expect(back).not_to_be_visible()
    page.keyboard.press("Enter")
    show.click()
    expect(page.locator(".ln-dots .done")).to_have_count(1)
    second = page.locator(".ln-words").inner_text()
    show.click()
    expect(page.locator(".ln-dots .done")).to_have_count(2)
    back.click()
    expect(page.locator(".ln-dots .done")).to_have_count(1)
    expect(page.locator(".ln-words")).to_have_text(second, use_inner_text=True)
    back.click()
    back.click()
    expect(onward).to_be_visible()
    expect(page.locator(".ln-leave")).to_have_text("Выйти")
    buttons = [show.bounding_box(), onward.bounding_box()]
    assert buttons[1] and (buttons[0] is None or buttons[0]["x"] + buttons[0]["width"] <= buttons[1]["x"])


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", ["madness", "duel"])
def test_everybody_can_follow_it(open_page: OpenPage, theme: str, game: str) -> None:
    page = open_page(f"/learn/{game}", theme=theme)
    page.locator("[data-helper=next]").click()
    expect(page.locator(".hint:visible").first).to_be_visible()
    assert axe_violations(page) == []
