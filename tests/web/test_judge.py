"""The judge for real cards: whole games of both editions are tapped, and the page says what the rules say."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from coyote.match import Match
from coyote.records import follow, parse_record
from web.conftest import axe_violations
from web.kit_web import choose


def tap(page: Page, *steps: str) -> None:
    for step in steps:
        page.evaluate("(step) => document.querySelector(step).click()", step)


def begin(page: Page, kind: str, boss: str) -> None:
    page.locator(".bosses .mini").first.wait_for()
    page.locator("#judge-kind").select_option(f"madness/{kind}")
    page.locator(f".bosses [data-card='{boss}']").click()
    page.locator(".verbs button").first.wait_for()


def steps_of(move: str, shown: str) -> list[str]:
    verb, _, card = move.partition(" ")
    card = card or shown
    return [f"[data-verb='{verb}']", *([f".pick [data-card='{card}']"] if card else [])]


def pushed(match: Match, since: int) -> str:
    return next((str(e.values["card"]) for e in match.events(-1, since) if e.kind == "push"), "")


def wait_for(page: Page, counts: int) -> None:
    page.wait_for_function(f"() => document.querySelector('.play')?.dataset.counts === '{counts}'")


@pytest.mark.parametrize(("kind", "lang"), [("standard", "en"), ("classic", "ru")])
def test_a_whole_game_is_tapped(open_page: Callable[..., Page], tmp_path: Path, kind: str, lang: str) -> None:
    match = Match("madness", seed=f"table {kind}", edition=kind)
    page, dice = open_page("/judge", phone=True, lang=lang), random.Random(kind)
    begin(page, kind, match.view_json(-1)["boss"])
    while not match.over:
        move, before = choose(match.legal(), dice, (0.9, 0.12)[match.actors[0]]), len(match.rows)
        match.play(move)
        tap(page, *steps_of(move, pushed(match, before)))
        wait_for(page, len(match.moves))
        if len(match.moves) % 10 == 0:
            same_table(page, match)
    same_table(page, match)
    expect(page.locator(".verbs button")).to_have_count(0)
    assert match.result is not None
    story = page.locator(".story")
    expect(story.locator(".rule").first).to_be_visible()
    with page.expect_download() as saved:
        page.locator(".save").click()
    saved.value.save_as(tmp_path / "judged.jsonl")
    record = parse_record((tmp_path / "judged.jsonl").read_text(encoding="utf-8"), 1)
    assert follow(record).result == match.result and record["options"] == {"edition": kind}


def same_table(page: Page, match: Match) -> None:
    """What lies on the page is what lies on the table."""
    view = match.view_json(-1)
    for n, field in enumerate(view["fields"]):
        shown = page.locator(".fields .field").nth(n)
        for seat in (0, 1):
            card = shown.locator(f".pile.seat-{seat} [data-card]")
            assert [one.get_attribute("data-card") for one in card.all()] == [
                top for top in [field["tops"][seat]] if top
            ]
    assert page.locator(".heap.boss [data-card]").get_attribute("data-card") == view["boss"]
    expect(page.locator(".heap.deck b")).to_have_text(str(view["deck"]))
    for seat in (0, 1):
        ahead = view["lead"] if seat == 0 else -view["lead"]
        told = page.locator(f".who.seat-{seat} .lead")
        expect(told).to_have_count(1 if ahead > 0 else 0)
        if ahead > 0:
            expect(told).to_contain_text(str(ahead))


def test_what_is_not_allowed_is_refused_with_its_rule(open_page: Callable[..., Page]) -> None:
    page = open_page("/judge", phone=True)
    begin(page, "standard", "9H")
    expect(page.locator(".pick [data-card='9H']")).to_be_disabled()
    page.locator("[data-verb='b']").click()
    page.locator(".pick [data-card='5C']").click()
    toast = page.locator(".toast")
    expect(toast).to_contain_text("A 5 does not beat a 9 Boss")
    expect(toast.locator(".rule")).to_have_text("M2")
    assert page.locator(".play").get_attribute("data-counts") == "0"
    page.locator(".pick [data-card='TC']").click()
    wait_for(page, 1)
    expect(page.locator(".who.seat-0 .lead")).to_contain_text("1")


def test_taps_are_undone_and_outlive_the_page(open_page: Callable[..., Page]) -> None:
    page = open_page("/judge", theme="dark", phone=True)
    begin(page, "classic", "9H")
    tap(page, "[data-verb='a2']", ".pick [data-card='KS']")
    wait_for(page, 1)
    tap(page, "[data-verb='push']", ".pick [data-card='2D']")
    wait_for(page, 2)
    page.reload()
    wait_for(page, 2)
    expect(page.locator(".heap.boss [data-card]")).to_have_attribute("data-card", "2D")
    expect(page.locator(".who.seat-1")).to_have_class("who seat-1 acting")
    assert not axe_violations(page)
    page.locator(".tools .undo").click()
    wait_for(page, 1)
    expect(page.locator(".heap.boss [data-card]")).to_have_attribute("data-card", "9H")
    page.locator(".tools .undo").click()
    wait_for(page, 0)
    page.locator(".tools .undo").click()
    page.locator(".bosses .mini").first.wait_for()
    assert not axe_violations(page)


def test_house_rules_are_judged_too(open_page: Callable[..., Page]) -> None:
    page = open_page("/judge")
    page.locator(".bosses .mini").first.wait_for()
    page.locator(".setup details summary").click()
    page.locator("#house-fields").fill("2")
    page.locator("#house-fields").dispatch_event("change")
    page.locator("#house-jokers").fill("0")
    page.locator("#house-jokers").dispatch_event("change")
    expect(page.locator(".bosses [data-card='X1']")).to_be_disabled()
    page.locator(".bosses [data-card='9H']").click()
    expect(page.locator(".fields .field")).to_have_count(2)
