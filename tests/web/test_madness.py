"""Whole games of Madness by clicking, dragging, touching and typing."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from table.kit_table import Server
from web.kit_web import (
    checked_record,
    click_move,
    legal,
    new_game,
    no_scrolling,
    play_out,
    room_of,
    sentence_says,
    wait_for_turn,
)


def friend_joins(open_page: Any, host: Page, **how: Any) -> Page:
    link = host.locator("#invite-link").input_value()
    guest: Page = open_page(link[link.index("/room/") :], **how)
    guest.get_by_label("Your name").fill("Boris")
    guest.get_by_role("button", name="Sit down and play").click()
    guest.locator("madness-table").wait_for()
    return guest


@pytest.mark.parametrize("edition", ["Madness", "Madness, classic"])
def test_two_browsers_play_a_whole_game_by_a_friends_link(
    open_page: Any, server: Server, edition: str
) -> None:
    host = open_page("/")
    new_game(host, edition, "A friend")
    guest = friend_joins(open_page, host, phone=True)
    host.locator("madness-table").wait_for()
    play_out([host, guest], seed=len(edition))
    for page in (host, guest):
        expect(page.locator(".end .rematch")).to_be_visible()
        no_scrolling(page)
    room = room_of(host)
    for page in (host, guest):
        assert checked_record(server, page)["game"] == "madness"
    guest.locator(".end .rematch").click()
    host.locator(".offer").get_by_role("button", name="Yes").click()
    for page in (host, guest):
        page.wait_for_url(lambda url: room not in url)
        page.locator("madness-table").wait_for()


def test_against_the_computer_on_a_phone_nothing_scrolls(open_page: Any) -> None:
    page = open_page("/", phone=True, theme="dark", lang="ru")
    new_game(page, "Щенок")
    for _ in range(4):
        moves = wait_for_turn(page)
        no_scrolling(page)
        for target in page.locator("madness-table button:visible").all():
            box = target.bounding_box()
            assert box and box["height"] >= 43.5, target.inner_html()
        click_move(page, next((move for move in moves if move.startswith(("a", "dr"))), moves[0]))
        page.wait_for_function("() => !document.querySelector('madness-table').busy")


def test_a_card_is_dragged_and_slides_back_where_it_may_not_go(open_page: Any) -> None:
    page = open_page("/", reduced=False)
    page.evaluate("localStorage.setItem('lobby', JSON.stringify({begins: 'host'}))")
    page.reload()
    new_game(page, "Computer")
    moves = wait_for_turn(page)
    card = moves[0].split(" ")[1]
    drag(page, card, "discard")
    sentence_says(page, "action")  # the rules say why not, with their number
    expect(page.locator(".prompt.refused .rule")).to_have_text("M14")
    assert sorted(legal(page)) == sorted(moves)
    drag(page, card, "side-2")
    expect(page.locator(f"[data-place='side-2'] [data-card='{card}']")).to_be_visible()
    expect(page.locator("[data-act='draw']")).to_be_visible()


def drag(page: Page, card: str, place: str) -> None:
    start, end = page.locator(f"[data-held='{card}']"), page.locator(f"[data-place='{place}']")
    start.hover()
    page.mouse.down()
    box = end.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
    page.mouse.up()


def test_a_turn_with_the_keyboard_alone(open_page: Any) -> None:
    page = open_page("/")
    page.evaluate("localStorage.setItem('lobby', JSON.stringify({begins: 'host'}))")
    page.reload()
    page.locator("button.big").focus()
    page.keyboard.press("Enter")
    wait_for_turn(page)
    page.locator("main").focus()
    while page.evaluate("!document.activeElement.dataset.held"):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    card = page.evaluate("document.activeElement.dataset.held")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.classList.contains('can')")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("3")
    expect(page.locator(f"[data-place='side-3'] [data-card='{card}']")).to_be_visible()
    # The focus stays at the table, so that the turn goes on without a search for it.
    assert page.evaluate("Boolean(document.activeElement.closest('madness-table'))")
    while page.evaluate("document.activeElement.dataset.act !== 'draw'"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.older').textContent.includes('You draw')")


def test_two_at_one_device_never_see_each_others_hand(open_page: Any) -> None:
    page = open_page("/")
    new_game(page, "Here, in turns")
    for _ in range(3):
        ready = page.get_by_role("button", name="show my cards")
        ready.wait_for()  # at a table that shows what anybody may see
        expect(page.locator("madness-table")).to_be_visible()
        assert page.locator("[data-held], .hand [data-card], .their-hand [data-card]").count() == 0
        ready.click()
        for _ in range(2):  # the main action, and TUT
            page.locator("[data-held]").first.wait_for()
            click_move(page, wait_for_turn(page)[0])
            page.wait_for_function(
                "() => document.querySelector('.pass') || !document.querySelector('madness-table').busy"
            )


def test_a_move_that_was_tampered_with_is_refused_in_words(open_page: Any) -> None:
    page = open_page("/", lang="ru")
    page.evaluate("localStorage.setItem('lobby', JSON.stringify({begins: 'host'}))")
    page.reload()
    new_game(page, "Компьютер")
    moves = wait_for_turn(page)
    page.evaluate(
        "document.querySelector('madness-table').dispatchEvent("
        "new CustomEvent('move', {detail: 'a1 ZZ', bubbles: true}))"
    )
    expect(page.locator(".prompt.refused")).to_be_visible()
    assert sorted(legal(page)) == sorted(moves)
    click_move(page, moves[0])
    expect(page.locator("[data-act='draw']")).to_be_visible()
