"""A designer's way: cards are written, mended by what the page says, weighed, made into a deck, played with a
friend, watched again and printed."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from table.kit_table import PATIENCE
from web.conftest import Pages
from web.kit_web import checked_record
from web.test_duel import choose, is_over, turn, wait_for_turn

# Each with a mistake that the page knows a nearer word for.
CARDS = [
    ("Spark", "Искра", "Atack 9.", "Attack 9."),
    ("Shade", "Тень", "Blok 6. Heal 2.", "Block 6. Heal 2."),
    ("Long Night", "Долгая ночь", "Next turn: atack 12.", "Next turn: attack 12."),
]
CORE = ["ember", "spark", "brushfire", "sunstroke", "cactus", "thorns"]  # to fill up a deck with


def write_card(page: Page, n: int, en: str, ru: str, text: str) -> None:
    page.get_by_role("button", name="New card", exact=True).click()
    page.wait_for_url(f"**#card/{n}")
    page.locator("#card-text").fill(text)
    page.locator("#name-en").fill(en)
    page.locator("#name-ru").fill(ru)


def mend(page: Page, meant: str) -> None:
    """As the page says: the wrong word is underlined, and one press writes the right one."""
    expect(page.locator(".text-under mark")).to_have_count(1)
    page.locator(".text-faults .mend").click()
    expect(page.locator("#card-text")).to_have_value(meant)
    expect(page.locator(".text-faults li")).to_have_count(0)


def take_from_core(page: Page, card: str, n: int) -> None:
    page.get_by_role("button", name="From the core set").click()
    page.locator(f'dialog li[data-id="{card}"] button').click()
    page.wait_for_url(f"**#card/{n}")
    expect(page.locator(".text-faults li")).to_have_count(0)


def test_from_a_first_word_to_paper(pages: Pages, tmp_path: Path) -> None:
    ann = pages.open("/workshop")
    ann.locator("#new-name").fill("Night Sands")
    ann.get_by_role("button", name="Make", exact=True).click()
    ann.wait_for_url("**/workshop?set=*")
    for n, (en, ru, wrong, right) in enumerate(CARDS, 1):
        write_card(ann, n, en, ru, wrong)
        mend(ann, right)
    expect(ann.locator(".card-editor")).to_contain_text(
        "В следующий ход: атака 12."
    )  # the other language, live

    ann.get_by_role("button", name="Weigh the card").click()
    expect(ann.locator(".card-editor .interval").first).to_be_visible(timeout=1000 * PATIENCE)
    expect(ann.locator(".card-editor .weigh-box .chip").first).to_be_visible()

    for n, card in enumerate(CORE, len(CARDS) + 1):
        take_from_core(ann, card, n)
    ann.get_by_role("button", name="Play with it").click()
    ann.wait_for_url(re.compile(r"/\?game=duel&set=[0-9a-f]{32}"))
    digest = ann.url.rpartition("=")[2]
    expect(ann.locator("#set-note")).to_contain_text("Night Sands")

    # A deck, by rules that let nine cards be enough and the game be short.
    ann.goto(f"/decks?set={digest}&deck-min=9&health=30")
    expect(ann.locator(".tile")).to_have_count(9)
    for tile in ann.locator(".tile .add").all():
        tile.click()
    expect(ann.locator(".verdict")).to_contain_text("ready to play")
    ann.locator("#deck-name").fill("Nine")
    ann.get_by_role("button", name="Save", exact=True).click()
    ann.locator(".play-link").click()
    ann.wait_for_url("**/?game=duel**")
    expect(ann.locator("#my_deck")).to_have_value("saved:Nine")

    # A friend by link, in another browser and the other language.
    ann.locator("label.option:has(input[value='link'])").click()
    ann.locator("button.big").click()
    link = ann.locator("#invite-link")
    expect(link).to_be_visible()
    boris = pages.open(re.sub(r"^https?://[^/]+", "", link.input_value()), lang="ru")
    expect(boris.locator(".notice")).to_contain_text("Night Sands")
    expect(boris.locator(".notice")).to_contain_text("30")
    boris.locator(".notice button.card-set").click()
    expect(boris.get_by_role("dialog")).to_contain_text("Долгая ночь")
    boris.keyboard.press("Escape")
    boris.get_by_role("button", name="Сесть за стол").click()
    for page in (ann, boris):
        page.locator("duel-table [data-held]").first.wait_for()
    assert "Long Night" in ann.evaluate(
        "() => [...document.querySelector('duel-table').cards.values()].map((one) => one.name.en)"
    )
    play_out(ann, boris)
    record = checked_record(pages.server, ann)
    ids = {card["id"] for card in record["set"]["cards"]}
    assert record["set"]["name"] == "Night Sands"
    assert ids >= {"spark", "shade", "long-night"}, ids

    # Once more from the beginning, and then on paper.
    room = ann.url.split("/room/")[1].split("?")[0]
    ann.goto(f"/replay/{room}")
    expect(ann.locator(".proof .strange")).to_contain_text("Night Sands")
    ann.goto(f"/print?set={digest}")
    expect(ann.locator(".sheet").first).to_be_visible()
    ann.pdf(path=tmp_path / "cards.pdf")
    assert (tmp_path / "cards.pdf").read_bytes().startswith(b"%PDF")


def play_out(*players: Page) -> None:
    while not is_over(players[0]):
        now = turn(players[0])
        for page in players:
            choose(page)
        for page in players:
            wait_for_turn(page, now)
