"""House rules with a name: made from the lobby's form, found by their address and on the list, played."""

import pytest
from playwright.sync_api import expect

from coyote.games.registry import GAMES
from coyote.table.measured import AS_IT_IS, tables
from table.kit_table import Server
from web.conftest import OpenPage, Pages, axe_violations


def test_rules_of_the_form_get_a_name_and_somebody_else_plays_by_them(pages: Pages) -> None:
    page = pages.open("/?game=madness&edition=classic")
    page.locator(".house summary").click()
    page.locator("#house-komi").fill("1")
    page.locator("#house-close").select_option("empty")
    page.get_by_role("link", name="Keep these under a name").click()
    page.locator("#variant-name").fill("Fair <b>classic</b>")
    page.locator("#variant-about").fill("For those who begin second.\nAnd for the fields.")
    page.get_by_label("Show on the list, for everybody").check()
    page.get_by_role("button", name="Keep", exact=True).click()
    page.wait_for_url("**/rules/variants/*")
    expect(page.locator("h1")).to_have_text("Fair <b>classic</b>")  # text, and no markup
    assert axe_violations(page) == []

    friend = pages.open("/rules/variants", lang="ru", phone=True)
    friend.get_by_role("link", name="Fair <b>classic</b>").first.click()
    expect(friend.locator(".about")).to_contain_text("And for the fields.")
    expect(friend.locator(".differs")).to_contain_text("классическая")
    expect(friend.locator(".differs li")).to_have_count(2)
    expect(friend.locator(".measured tbody tr")).to_have_count(3)  # the edition, and each change by itself
    expect(friend.locator(".measured")).to_contain_text("−9,7 ± 2,6")
    assert axe_violations(friend) == []
    assert friend.evaluate("document.documentElement.scrollWidth <= innerWidth")
    friend.get_by_role("link", name="Играть по этим правилам").click()
    expect(friend.locator("#house-komi")).to_have_value("1")
    expect(friend.locator("#house-close")).to_have_value("empty")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_whoever_made_them_changes_and_deletes_them(open_page: OpenPage, theme: str) -> None:
    page = open_page("/rules/variants?new=yes&game=duel&health=30", theme=theme)
    page.locator("#variant-name").fill("Short")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.wait_for_url("**/rules/variants/*")
    expect(page.locator(".differs li")).to_have_count(1)
    expect(page.locator(".measured")).to_contain_text("Nobody has measured it yet")
    page.locator(".own summary").first.click()
    page.locator("#variant-name").fill("Shorter")
    page.locator("#house-health").fill("20")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.locator("h1")).to_have_text("Shorter")
    expect(page.locator(".differs")).to_contain_text("20")
    assert axe_violations(page) == []
    page.locator(".own summary").first.click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_url("**/rules/variants")
    expect(page.locator("main")).not_to_contain_text("Shorter")


def test_an_address_that_leads_nowhere_says_so(pages: Pages, server: Server) -> None:
    pages.allow("status of 404")
    page = pages.open("/rules/variants/nothing-here")
    expect(page.locator("main .panel")).to_be_visible()
    expect(page.get_by_role("link", name="All house rules")).to_be_visible()


def test_what_is_measured_is_of_rules_that_there_are() -> None:
    for name, editions in tables().items():
        kind = GAMES[name]
        options = {option.name: option for option in kind.OPTIONS}
        for edition, changes in editions.items():
            assert AS_IT_IS in changes
            for option, values in changes.items():
                for value in values if option != AS_IT_IS else ():
                    allowed = options[option].allowed
                    assert (int(value) if isinstance(allowed, range) else value) in allowed
                    assert str(kind.EDITIONS[edition][option]) != value
