"""The workshop in a browser: cards are written, mended, picked from lists, weighed, brought along."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from coyote.games.duel.sets import parse_set
from table.kit_table import PATIENCE
from table.kit_workshop import DECK, OTHER, small_set
from web.conftest import OpenPage, Pages, axe_violations
from web.kit_web import ask
from web.test_sizes import SOME, at_all_sizes

Json = dict[str, Any]
TEXT = "#card-text"


def own_set(open_page: OpenPage, text: str = "", **look: Any) -> tuple[Page, Json]:
    """A set of somebody's own, and the page that shows it."""
    page = open_page("/workshop", **look)
    page.locator("#new-name").wait_for()
    ask(page, "/api/guest", {"name": "Anna"})
    page.evaluate("Object.assign(localStorage, { guest: 'yes', name: 'Anna' })")
    made: Json = ask(page, "/api/sets", {"name": "Desert", "text": text})
    page.goto(f"/workshop?set={made['id']}")
    expect(page.locator(".draft-state")).to_have_class(re.compile("saved"))
    return page, made


def kept(page: Page, made: Json) -> Json:
    found: Json = page.request.get(f"/api/sets/{made['id']}").json()
    return found


def saved(page: Page) -> None:
    """What was typed is read, and then kept."""
    expect(page.locator(".draft-state")).to_have_class("draft-state saved")


def change(page: Page, made: Json, **changes: Any) -> Json:
    body = {"revision": kept(page, made)["revision"], **changes}
    found: Json = page.request.put(f"/api/sets/{made['id']}", data=body).json()
    return found


def new_card(page: Page, text: str) -> None:
    page.get_by_role("button", name="New card").click()
    page.locator(TEXT).click()
    page.keyboard.type(text)


# ---------------------------------------------------------------- a card


def test_a_card_is_written_mended_and_kept(open_page: OpenPage) -> None:
    page = open_page("/workshop")
    page.locator("#new-name").fill("Desert")
    page.get_by_role("button", name="Make").click()
    page.wait_for_url("**/workshop?set=*")
    new_card(page, "Attak 8, draw a card. In 2 turns: blok 5.")
    expect(page.locator(".text-under mark")).to_have_text(["Attak", "blok"])
    page.get_by_role("button", name="Write «Attack»").click()
    expect(page.locator(TEXT)).to_have_value("Attack 8, draw a card. In 2 turns: blok 5.")
    page.keyboard.press("Control+z")  # as whatever is typed
    expect(page.locator(TEXT)).to_have_value("Attak 8, draw a card. In 2 turns: blok 5.")
    expect(page.locator(".mend")).to_have_count(2)
    page.locator(".mend").first.click()
    expect(page.locator(".mend")).to_have_count(1)
    page.locator(".mend").click()
    expect(page.locator(".text-under mark")).to_have_count(0)

    beside = page.locator(".beside-card")
    expect(beside.locator(".duel-card .words")).to_have_text("Attack 8, draw a card. In 2 turns: block 5.")
    expect(beside.locator(".other-text")).to_have_text("Атака 8, возьми карту. Через 2 хода: блок 5.")
    expect(beside.locator(".steps li")).to_have_count(3)
    expect(beside.locator(".turns li")).to_have_text(
        [re.compile("now"), re.compile(r"\+1"), re.compile(r"\+2")]
    )
    expect(beside.locator(".turns li").nth(2)).to_contain_text("5")
    expect(beside.locator(".price")).to_contain_text("points of health")
    expect(beside.locator(".near-cards")).to_contain_text("Spark")

    expect(page.locator(".card-faults")).to_contain_text("name")  # it has none yet
    page.locator("#name-ru").fill("Вихрь")
    page.locator("#name-en").fill("Whirl")
    page.locator("#card-id").fill("whirl")
    expect(page.locator(".card-list")).to_contain_text("Whirl")
    expect(page.locator(".card-faults li")).to_have_count(0)
    saved(page)
    page.reload()
    expect(page.locator("#name-ru")).to_have_value("Вихрь")
    beside.get_by_role("button", name="Write it in this language").click()
    expect(page.locator(TEXT)).to_have_value("Атака 8, возьми карту. Через 2 хода: блок 5.")
    saved(page)
    text = page.request.get(f"/api/sets/{page.url.split('set=')[1].split('#')[0]}").json()["text"]
    (card,) = parse_set(text, name="x").cards
    assert (card.id, card.name_ru, card.text("en")) == (
        "whirl",
        "Вихрь",
        "Attack 8, draw a card. In 2 turns: block 5.",
    )
    assert "Атака 8" in text


def test_the_text_and_the_lists_show_each_other(open_page: OpenPage) -> None:
    page, made = own_set(open_page)
    new_card(page, "Bl")
    expect(page.locator(".next-words li")).to_have_text(["Block"])
    page.keyboard.press("ArrowDown")
    expect(page.locator(TEXT)).to_have_attribute("aria-activedescendant", "next-0")
    page.keyboard.press("Enter")
    expect(page.locator(TEXT)).to_have_value("Block ")
    page.keyboard.type("5")
    page.locator(".next-words").get_by_text(".", exact=True).click()  # by touch
    expect(page.locator(TEXT)).to_have_value("Block 5. ")
    amount = page.get_by_label("How much", exact=True)
    expect(amount).to_have_value("5")
    amount.fill("7")
    expect(page.locator(TEXT)).to_have_value("Block 7.")
    page.get_by_label("all", exact=True).check()
    expect(page.locator(TEXT)).to_have_value("Block all.")
    page.get_by_role("button", name="One more effect").click()
    page.get_by_label("What", exact=True).nth(1).select_option("discard")
    page.get_by_label("Whose", exact=True).nth(1).select_option("they")
    expect(page.locator(TEXT)).to_have_value(re.compile("Opponent: discard"))
    page.get_by_label("Begins in turns", exact=True).nth(1).fill("2")
    page.get_by_label("Lasts turns", exact=True).nth(1).fill("2")
    expect(page.locator(".effect .wrong").nth(1)).to_contain_text("Several turns")  # no card can say that
    page.get_by_label("Begins in turns", exact=True).nth(1).fill("1")
    expect(page.locator(TEXT)).to_have_value(
        "Block all. For 2 turns from the next: opponent: discard a card."
    )
    page.get_by_label("Auto", exact=True).check()
    expect(page.locator(TEXT)).to_have_value(re.compile(r"^Auto\. "))
    saved(page)
    assert "Auto. " in kept(page, made)["text"]


def test_a_card_of_the_core_set_is_copied_and_changed(open_page: OpenPage) -> None:
    page, made = own_set(open_page, "# mine\n" + small_set("Desert", cards=3), lang="ru", phone=True)
    page.get_by_role("button", name="Из основного набора").click()
    page.get_by_role("searchbox").fill("уголёк")
    page.locator(".core-card:visible").first.click()
    expect(page.locator("#card-id")).to_have_value("ember")
    expect(page.locator(TEXT)).to_have_value("Атака 12.")
    expect(page.locator(".near-cards .same").first).to_contain_text("Уголёк")
    page.locator(TEXT).fill("Атака 13.")
    page.get_by_role("link", name="Все карты").click()
    expect(page.locator(".card-list li").last).to_contain_text("Атака 13.")
    expect(page.locator(".card-list li")).to_have_count(4)
    page.get_by_role("link", name="Карта 1").click()
    page.get_by_role("button", name="Убрать карту").click()
    page.get_by_role("dialog").get_by_role("button", name="Убрать карту").click()
    expect(page.locator(".card-list li")).to_have_count(3)
    saved(page)
    text = kept(page, made)["text"]
    assert "Атака 13." in text
    assert text.startswith("# mine\n") and [card.id for card in parse_set(text).cards] == [
        "card-0",
        "card-2",
        "ember",
    ]


# ---------------------------------------------------------------- the file


def test_a_hundred_cards_come_at_once_and_every_fault_leads_to_its_line(
    open_page: OpenPage, tmp_path: Path
) -> None:
    page, made = own_set(open_page)
    rows = [
        f"card-{n},Карта {n},Card {n},common,{'Atack' if n % 25 == 7 else 'Attack'} {n + 1}."
        for n in range(100)
    ]
    table = tmp_path / "hundred.csv"
    table.write_text("\n".join(["id,name.ru,name.en,rarity,text", *rows]), encoding="utf-8")
    page.get_by_role("link", name="File").click()
    page.locator("#bring").set_input_files(table)
    expect(page.locator(".file-told")).to_have_text("4 things to mend")
    fault = page.locator(".set-faults button").nth(1)
    expect(fault).to_contain_text("card-32")
    fault.click()
    chosen = page.locator("#set-file").evaluate(
        "(file) => file.value.slice(file.selectionStart, file.selectionEnd)"
    )
    assert "Atack 33" in chosen
    page.locator("#set-file").fill(page.locator("#set-file").input_value().replace("Atack", "Attack"))
    expect(page.locator(".file-told")).to_have_text("100 cards, nothing to mend.")
    saved(page)
    for format in ("TOML", "CSV"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save as {format}").click()
        text = Path(download.value.path()).read_text(encoding="utf-8")
        assert text == kept(page, made)["text"] if format == "TOML" else text.count("\n") == 101
    page.locator('[data-tab="cards"]').click()
    expect(page.locator(".card-list li")).to_have_count(100)


def test_a_change_from_elsewhere_is_told_and_nothing_is_lost(pages: Pages) -> None:
    pages.allow("409")
    page, made = own_set(pages.open, small_set("Desert", cards=2))
    page.get_by_role("link", name="Card 0").click()
    expect(page.locator(TEXT)).to_have_value("Attack 12.")
    change(page, made, text=small_set("Desert", cards=3))
    page.locator(TEXT).fill("Attack 20.")
    expect(page.locator(".draft-state")).to_contain_text("changed meanwhile")
    assert "Attack 20" not in kept(page, made)["text"]
    page.get_by_role("button", name="Mine, as it is here").click()
    saved(page)
    assert "Attack 20." in kept(page, made)["text"] and len(parse_set(kept(page, made)["text"]).cards) == 2
    change(page, made, text=small_set("Desert", cards=3))
    page.locator(TEXT).fill("Attack 21.")
    page.get_by_role("button", name="The one from there").click()
    expect(page.locator(".card-list li")).to_have_count(3)
    assert "Attack 21" not in kept(page, made)["text"]


# ---------------------------------------------------------------- what a set is for


def test_a_set_is_published_shown_to_others_and_deleted(pages: Pages) -> None:
    pages.allow("422", "404")
    page, made = own_set(pages.open, small_set("Desert").replace("Attack 12", "Attak 12"))
    page.get_by_role("button", name="Play with it").click()
    expect(page.locator(".set-faults li")).to_have_count(1)  # it leads to what is to be mended
    page.locator("#set-file").fill(small_set("Desert"))
    saved(page)
    page.get_by_role("link", name="Versions and decks").click()
    page.get_by_role("button", name="Publish the draft").click()
    version = page.locator(".version")
    expect(version).to_contain_text("Version 1")
    digest = kept(page, made)["latest"]["digest"]
    ways = {
        "Play": f"/?game=duel&set={digest}",
        "Decks": f"/decks?set={digest}",
        "Print": f"/print?set={digest}",
    }
    for name, href in ways.items():
        expect(version.get_by_role("link", name=name)).to_have_attribute("href", href)
    page.get_by_role("button", name="Publish the draft").click()
    expect(page.locator("#voice")).to_have_text("Nothing has changed: this is version 1.")

    friend = pages.open(f"/workshop?set={made['id']}")
    expect(friend.locator("main")).to_contain_text("There is no such set")
    page.locator("#set-sight").select_option("listed")
    saved(page)
    friend.goto("/workshop")
    friend.locator(f"a[href='/workshop?set={made['id']}']").click()
    expect(friend.locator(".duel-card")).to_have_count(10)
    friend.get_by_role("button", name="Copy it").click()
    expect(friend.locator("#set-name")).to_have_value("Desert, my way")
    expect(friend.locator(".card-list li")).to_have_count(10)

    page.locator("#set-name").fill("core")
    page.locator("#set-name").blur()
    expect(page.locator(".toast").last).to_contain_text("core")  # that name is taken
    expect(page.locator("#set-name")).to_have_value("Desert")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Delete the set").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_url("**/workshop")
    expect(page.locator(".own-sets")).to_contain_text("None yet")


def test_cards_and_decks_are_weighed_until_one_types_on(pages: Pages) -> None:
    pages.allow("404")
    page, made = own_set(pages.open, small_set("Dunes"))
    page.set_default_timeout(1000 * PATIENCE)
    expect(page.locator(".card-list li")).to_have_count(10)
    decks = [{"name": "Low", "cards": DECK}, {"name": "High", "cards": OTHER}]
    change(page, made, decks=decks)
    page.reload()
    page.get_by_role("link", name="Versions and decks").click()
    page.get_by_role("button", name="Publish the draft").click()
    page.get_by_role("button", name="Weigh the decks").click()
    expect(page.locator(".heat tbody tr")).to_have_count(2, timeout=1000 * PATIENCE)
    expect(page.locator(".heat .warm").first).to_contain_text("%")

    page.locator('[data-tab="cards"]').click()
    page.get_by_role("link", name="Card 9").click()
    page.get_by_role("button", name="Weigh the card").click()
    box = page.locator(".card-editor .weigh-box")
    expect(box.locator(".interval")).to_have_count(2, timeout=1000 * PATIENCE)
    expect(box.locator("[class*=verdict-]")).to_contain_text("%")
    page.locator(TEXT).fill("Attack 1.")
    expect(box.locator(".interval")).to_have_count(0)
    expect(box.locator("progress")).to_be_hidden()


# ---------------------------------------------------------------- everybody


@pytest.mark.parametrize(("lang", "theme"), [("ru", "light"), ("en", "dark")])
def test_everybody_can_write_cards(open_page: OpenPage, lang: str, theme: str) -> None:
    page, _ = own_set(open_page, small_set("Desert").replace("Attack 13", "Attak 13"), lang=lang, theme=theme)
    page.goto(f"{page.url.split('#')[0]}#card/2")
    expect(page.locator(".text-under mark")).to_have_count(1)
    assert axe_violations(page) == []
    page.locator(TEXT).fill("For 3 turns: attack 5. If not attacked: opponent: discard a card from hand, ")
    expect(page.locator(".next-words li").first).to_be_visible()
    page.locator(TEXT).fill("For 3 turns: attack 5. Opponent: discard a card from hand.")
    expect(page.locator(".turns li")).to_have_count(3)
    saved(page)
    assert axe_violations(page) == []
    faults = at_all_sizes(page, "card", SOME)
    for tab in ("cards", "file", "ways"):
        page.set_viewport_size({"width": 1280, "height": 800})
        page.locator(f'[data-tab="{tab}"]').click()
        assert axe_violations(page) == []
        faults += at_all_sizes(page, tab, SOME)
    assert not faults, "\n".join(faults)
