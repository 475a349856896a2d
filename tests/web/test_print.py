"""What comes out of the printer: sizes in millimetres, backs behind their fronts, nothing cut off."""

import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from coyote.cli.cards_print import printed_file
from coyote.games.duel.decks import encode, ready_decks
from coyote.games.duel.sets import core_set, parse_set
from table.kit_table import Server
from web.conftest import OpenPage, axe_violations

MM = 96 / 25.4
POINT = 25.4 / 72
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
# Every card and mark on its own sheet, in millimetres, as it lies when it is printed.
PLACES = """() => [...document.querySelectorAll('.leaf')].map((leaf) => {
  const paper = leaf.getBoundingClientRect();
  const box = (one) => {
    const at = one.getBoundingClientRect();
    return [at.left - paper.left, at.top - paper.top, at.width, at.height].map((px) => px * 25.4 / 96);
  };
  return {
    side: leaf.dataset.side, paper: [paper.width, paper.height].map((px) => px * 25.4 / 96),
    cards: [...leaf.querySelectorAll('.cut')].map((one) => ({name: one.dataset.card, box: box(one)})),
    grounds: [...leaf.querySelectorAll('.cut > .ground')].map(box),
    marks: [...leaf.querySelectorAll('.cut-mark')].map(box),
  };
})"""
OVERFLOWING = """() => [...document.querySelectorAll('.cut .inside')].filter((one) =>
  one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1).length"""


def opened(open_page: OpenPage, query: str, **look: Any) -> Page:
    page = open_page(f"/print?{query}", **look)
    page.locator(".leaf").first.wait_for()
    page.emulate_media(media="print")
    return page


def pages_of(pdf: bytes) -> list[tuple[float, float]]:
    """Width and height of each page in millimetres, from the PDF's own words."""
    text = pdf + b"".join(
        inflated(found[1]) for found in re.finditer(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    )
    boxes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", text)
    return [(float(wide) * POINT, float(high) * POINT) for wide, high in boxes]


def inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


def printed(page: Page) -> list[tuple[float, float]]:
    return pages_of(page.pdf(prefer_css_page_size=True, print_background=True))


@pytest.mark.parametrize(
    ("paper", "bleed", "wide_sheet", "each"),
    [("a4", "", False, 9), ("letter", "", False, 9), ("a4", "yes", True, 8), ("letter", "yes", True, 6)],
)
def test_cards_have_poker_size_and_backs_lie_behind_them(
    open_page: OpenPage, paper: str, bleed: str, wide_sheet: bool, each: int
) -> None:
    page = opened(open_page, f"what=deck:oasis&paper={paper}&bleed={bleed}&backs=yes")
    sheets = page.evaluate(PLACES)
    short, long = PAPERS[paper]
    size = (long, short) if wide_sheet else (short, long)
    assert printed(page) == [pytest.approx(size, abs=0.2)] * len(sheets), (
        "one page for each sheet, of its size"
    )
    fronts, backs = sheets[0::2], sheets[1::2]
    assert {sheet["side"] for sheet in fronts} == {"front"} and {sheet["side"] for sheet in backs} == {"back"}
    assert sorted(card["name"] for sheet in fronts for card in sheet["cards"]) == ready_decks()["oasis"].ids()
    assert max(len(sheet["cards"]) for sheet in fronts) == each
    for front, back in zip(fronts, backs, strict=True):
        for sheet in (front, back):
            assert sheet["paper"] == pytest.approx(size, abs=0.05)
            for card in sheet["cards"]:
                assert card["box"][2:] == pytest.approx([63, 88], abs=0.02)
            over = 3 if bleed else 0
            for ground in sheet["grounds"]:
                assert ground[2:] == pytest.approx([63 + 2 * over, 88 + 2 * over], abs=0.02)
            for left, top, wide, high in (*sheet["grounds"], *sheet["marks"]):
                assert left > 0 and top > 0 and left + wide < size[0] and top + high < size[1]
        mirrored = [
            [size[0] - left - 63, top] for left, top, _, _ in (card["box"] for card in front["cards"])
        ]
        for expected, card in zip(mirrored, back["cards"], strict=True):
            assert card["box"][:2] == pytest.approx(expected, abs=0.02)


def test_no_card_lies_on_another_and_every_mark_is_at_a_cut(open_page: OpenPage) -> None:
    (sheet, *_) = opened(open_page, "what=deck:pack&bleed=yes").evaluate(PLACES)
    boxes = sheet["grounds"]
    for number, one in enumerate(boxes):
        for two in boxes[:number]:
            wide = min(one[0] + one[2], two[0] + two[2]) - max(one[0], two[0])
            high = min(one[1] + one[3], two[1] + two[3]) - max(one[1], two[1])
            assert wide < 0.02 or high < 0.02
    cuts = [edge for card in sheet["cards"] for edge in (card["box"][0], card["box"][0] + 63)]
    upright = [mark[0] + mark[2] / 2 for mark in sheet["marks"] if mark[3] > mark[2]]
    assert upright and all(min(abs(x - cut) for cut in cuts) < 0.02 for x in upright)
    assert {round(x, 1) for x in upright} == {round(cut, 1) for cut in cuts}


@pytest.mark.parametrize("langs", ["ru", "en", "both"])
def test_all_cards_of_the_core_set_hold_their_texts(open_page: OpenPage, langs: str) -> None:
    page = opened(open_page, f"langs={langs}")
    assert page.locator(".cut").count() == len(core_set().cards)
    assert page.evaluate(OVERFLOWING) == 0
    first = page.locator('[data-card="ember"]').first.inner_text()
    assert ("Уголёк" in first) == (langs != "en") and ("Ember" in first) == (langs != "ru")
    assert page.locator('[data-card="ember"] .card-art').count() == 1


def test_a_deck_comes_by_its_code_and_a_list_by_its_names(open_page: OpenPage) -> None:
    code = encode(ready_decks()["pack"], core_set())
    page = opened(open_page, f"code={code}&copies=2")
    assert page.locator(".cut").count() == 2 * ready_decks()["pack"].size
    page.emulate_media(media="screen")
    page.locator("#what").select_option("core")
    page.locator("#copies").fill("1")
    page.locator("#list").fill("2 уголек\nspark = 3\nNobody\nComet")
    expect(page.locator(".cut")).to_have_count(6)
    expect(page.locator(".wrong")).to_contain_text("Nobody")
    expect(page.locator(".told")).to_have_text(re.compile(r"6\scards"))
    page.reload()  # all of it stands in the address
    expect(page.locator(".cut")).to_have_count(6)


def test_a_wrong_code_says_so_and_prints_nothing(open_page: OpenPage) -> None:
    page = open_page("/print?code=nonsense", lang="ru")
    expect(page.locator(".wrong")).to_contain_text("повреждён")
    expect(page.locator(".go")).to_be_disabled()
    expect(page.locator(".leaf")).to_have_count(0)


def test_a_version_of_a_set_is_printed_by_its_digest(open_page: OpenPage, server: Server) -> None:
    text = (Path(__file__).parents[2] / "src/coyote/games/duel/first-set.en.toml").read_text("utf-8")
    page = open_page("/api/games")
    page.request.post("/api/guest", data={"name": "Designer"})
    made = page.request.post("/api/sets", data={"name": "Dunes", "text": text}).json()
    version = page.request.post(f"/api/sets/{made['id']}/versions").json()
    page.goto(f"/print?set={version['digest']}")
    expect(page.locator(".cut")).to_have_count(9)
    expect(page.locator(".foot").first).not_to_contain_text("core")


def test_madness_has_54_cards_of_its_own(open_page: OpenPage) -> None:
    page = opened(open_page, "what=playing&langs=both")
    cards = page.locator(".cut")
    assert cards.count() == 54 and len(printed(page)) == 6
    queen = page.locator('[data-card="QH"] .index text')
    assert queen.all_text_contents() == ["Q", "Д"], "each corner speaks its language"
    pips = page.locator('[data-card="TS"] .pip')
    assert pips.count() == 10 + 2, "ten, and one in each corner"


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("kind", ["madness/standard", "madness/classic", "duel"])
def test_rules_are_one_page_in_each_language(open_page: OpenPage, kind: str, paper: str) -> None:
    page = opened(open_page, f"what=rules:{kind}&langs=both&paper={paper}")
    assert printed(page) == [pytest.approx(PAPERS[paper], abs=0.2)] * 2
    sheets = page.locator(".rules-sheet")
    for lang in ("en", "ru"):
        sheet = page.locator(f".rules-sheet[lang={lang}]")
        expect(sheet).to_have_count(1)
        assert sheet.evaluate("one => one.scrollHeight <= one.clientHeight + 1"), "nothing is cut off"
        assert sheet.locator("dl > div").count() >= 9
    words = sheets.all_inner_texts()
    assert all(re.search(r"M17" if kind != "duel" else "D19", text) for text in words)
    assert ("M13" in words[0]) == kind.startswith("madness")


def test_little_ink_has_no_grounds(open_page: OpenPage) -> None:
    page = opened(open_page, "what=deck:oasis&saving=yes&backs=yes")
    filled = page.evaluate(
        "() => [...document.querySelectorAll('.cut > .ground, .cut .inside, .cut .duel-card')].map((one) =>"
        " [getComputedStyle(one).backgroundImage, getComputedStyle(one).backgroundColor])"
    )
    assert {tuple(one) for one in filled} == {("none", "rgba(0, 0, 0, 0)")}


def test_what_is_printed_is_the_same_at_night(open_page: OpenPage) -> None:
    colour = "() => getComputedStyle(document.querySelector('.card-art .sky')).fill"
    looks = [
        opened(open_page, "what=deck:oasis", theme=theme).evaluate(colour) for theme in ("light", "dark")
    ]
    assert looks[0] == looks[1]


@pytest.mark.parametrize(("lang", "theme"), [("en", "light"), ("ru", "dark")])
def test_everybody_can_use_the_page(open_page: OpenPage, lang: str, theme: str) -> None:
    page = open_page("/print?what=deck:oasis", lang=lang, theme=theme, phone=True)
    page.locator(".leaf").first.wait_for()
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("start", "way"),
    [
        ("/cards", "/print"),
        ("/decks", "/print?code="),
        ("/rules/madness?edition=classic", "madness%2Fclassic"),
    ],
)
def test_pages_lead_to_their_print(open_page: OpenPage, start: str, way: str) -> None:
    page = open_page(start)
    if start == "/decks":
        page.locator("#deck-start").select_option("ready:oasis")
    page.locator("a.print-link").click()
    page.wait_for_url("**/print**")
    assert way in page.url
    expect(page.locator(".leaf").first).to_be_visible()


# ---------------------------------------------------------------- the file of `coyote cards print`

LONGEST = "For 9 turns: if attacked: attack 9 for each card in hand, heal 9 for each card in hand. " * 6
LOOK = {"paper": "a4", "marks": True, "bleed": False, "backs": True, "saving": False}


def test_a_file_of_its_own_shows_the_same_and_asks_nobody(
    browser: Browser, open_page: OpenPage, tmp_path: Path
) -> None:
    deck = ready_decks()["oasis"]
    (tmp_path / "cards.html").write_text(printed_file(core_set(), deck.ids(), ["en", "ru"], LOOK), "utf-8")
    page = browser.new_page()
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda said: complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((tmp_path / "cards.html").as_uri())
    page.locator(".leaf").first.wait_for()
    page.emulate_media(media="print")
    assert complaints == []
    assert {url.split(":")[0] for url in asked} <= {"file", "data"} and len(
        [u for u in asked if "file" in u]
    ) == 1
    here = page.evaluate(PLACES)
    pages = printed(page)
    page.close()
    table = opened(open_page, "what=deck:oasis&langs=both&backs=yes").evaluate(PLACES)
    assert here == table and len(pages) == len(table) == 6


def test_names_in_a_file_never_become_markup_and_long_texts_fit(browser: Browser, tmp_path: Path) -> None:
    name = "</script><img src=x onerror=alert(1)>"
    text = (
        f"name = 'wild'\n[[card]]\nid = 'a'\nname = {{ ru = '{name}', en = '{name}' }}\nrarity = 'rare'\n"
        f"text = '{LONGEST.strip()}'\n"
    )
    cards = parse_set(text)
    (tmp_path / "cards.html").write_text(printed_file(cards, ["a"] * 10, ["en", "ru"], LOOK), "utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "cards.html").as_uri())
    page.locator(".leaf").first.wait_for()
    assert page.locator("img").count() == 0
    assert page.locator(".cut .name").first.inner_text().startswith(name)
    assert page.evaluate(OVERFLOWING) == 0
    page.close()
