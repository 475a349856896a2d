"""Reports as people see them: in a browser, large and small, by day and by night, and on paper."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from coyote.games.registry import make_game
from coyote.lab.figures import (
    COUNT,
    NUMBER,
    POINTS,
    SHARE,
    Figure,
    HeatMap,
    Histogram,
    Measure,
    Series,
    Table,
    Value,
)
from coyote.lab.pictures.axes import extent, spread, ticks
from coyote.lab.pictures.letters import fitted, readable, width
from coyote.lab.report import duration, play_link, write_report
from coyote.text import LANGUAGES, Lang, Words
from web import sample_reports
from web.conftest import axe_violations
from web.sample_reports import STRANGE, Interval, about, matrix, share

MEASURE = Path(__file__).with_name("measure_report.js").read_text(encoding="utf-8")
KINDS = list(sample_reports.sections("en"))
SMALL = ("matrix", "bars", "curves", "histograms", "parts", "tables")
OPEN = "document.querySelectorAll('details').forEach((one) => (one.open = true))"
WINDOWS = (360, 390, 844, 1366)
MOST_BYTES = 150_000


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def opened(page: Page, path: Path, kind: str, lang: Lang) -> list[Figure]:
    figures = sample_reports.sections(lang)[kind]
    write_report(sample_reports.report(lang, kind, figures), path, lang)
    page.goto(path.as_uri())
    return figures


# ---------------------------------------------------------------- looked at


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_overlaps_sticks_out_or_is_hard_to_read(
    page: Page, tmp_path: Path, kind: str, lang: Lang
) -> None:
    opened(page, tmp_path / "report.html", kind, lang)
    page.evaluate(OPEN)
    for wide in WINDOWS:
        page.set_viewport_size({"width": wide, "height": 800})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            assert page.evaluate(MEASURE) == [], (wide, theme)


def test_the_measure_finds_what_is_wrong(page: Page, tmp_path: Path) -> None:
    """Lest all be well because nothing is looked at."""
    opened(page, tmp_path / "report.html", "bars", "en")
    page.set_viewport_size({"width": 1366, "height": 800})
    page.emulate_media(color_scheme="light")
    page.evaluate("""() => {
        const [one, two, three] = document.querySelectorAll("svg.wide text");
        one.after(one.cloneNode(true));
        two.setAttribute("x", -40);
        three.style.fill = "#eee";
        document.querySelector("h1").style.cssText = "width: 2000px; max-width: none";
    }""")
    found = " | ".join(page.evaluate(MEASURE))
    for fault in ("» over «", "out of the picture", "hard to read", "the page is"):
        assert fault in found


@pytest.mark.parametrize(("theme", "wide"), [("light", 1366), ("dark", 390)])
def test_everybody_can_read_it(page: Page, tmp_path: Path, theme: str, wide: int) -> None:
    """All kinds on one page; the large ones have nothing that small ones have not."""
    kinds = sample_reports.sections("ru")
    figures = [figure for kind in SMALL for figure in kinds[kind]]
    path = tmp_path / "report.html"
    write_report(sample_reports.report("ru", "all", figures), path, "ru")
    page.goto(path.as_uri())
    page.set_viewport_size({"width": wide, "height": 800})
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    page.evaluate(OPEN)
    assert axe_violations(page) == []


def labels_of(figure: Figure) -> Iterator[str]:
    """Everything that a picture has to name."""
    yield from (getattr(figure, name, "") for name in ("axis", "along_axis", "reference_label", "row_title"))
    for name in ("labels", "rows", "columns", "along"):
        yield from (one for one in getattr(figure, name, ()) if isinstance(one, str))
    series = getattr(figure, "series", ())
    if len(series) > 1:
        yield from (one.name for one in series if any(value is not None for value in one.values))


@pytest.mark.parametrize("wide", [360, 1366])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "tables"])
def test_every_label_is_there(page: Page, tmp_path: Path, kind: str, wide: int) -> None:
    """As a text, in its lines, or in full for a pointer that rests on what is left of it."""
    figures = opened(page, tmp_path / "report.html", kind, "ru")
    page.set_viewport_size({"width": wide, "height": 800})
    for figure, shown in zip(figures, page.locator("figure").all(), strict=True):
        said = shown.evaluate("""figure => [...figure.querySelectorAll("svg")]
            .filter((one) => one.getClientRects().length)
            .flatMap((one) => [...one.querySelectorAll("text, title")])
            .map((one) => one.textContent).join(" ")""")
        assert [label for label in labels_of(figure) if readable(label) not in said] == []


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_one_small_file_without_script_or_address(page: Page, tmp_path: Path, kind: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    path = tmp_path / "report.html"
    opened(page, path, kind, "ru")
    html = path.read_text(encoding="utf-8")
    assert len(html.encode()) < MOST_BYTES
    assert not re.search(r"<script|<img|<iframe|@import|\bon\w+=\w", re.sub(r"&lt;img.*?&gt;", "", html))
    assert {one for one in asked if not one.startswith("data:")} == {path.as_uri()}
    links = set(re.findall(r'href="(?!data:)([^"?]*)', html))
    assert links == {"https://table.example/"}
    assert page.locator("img, script").count() == 0


def test_on_paper_the_tables_are_open_and_nothing_scrolls(page: Page, tmp_path: Path) -> None:
    """All but the table of a matrix that is wider than paper."""
    path = tmp_path / "report.html"
    figures: list[Figure] = [matrix("ru", 10), matrix("ru", 30), sample_reports.curves("ru", 8)]
    write_report(sample_reports.report("ru", "paper", figures), path, "ru")
    page.goto(path.as_uri())
    page.set_viewport_size({"width": 700, "height": 1000})
    page.emulate_media(media="print", color_scheme="dark")
    try:
        found = page.evaluate("""() => ({
            tables: [...document.querySelectorAll("table")].map((one) => one.clientHeight > 40),
            scrolls: [...document.querySelectorAll(".map")].some((one) => one.scrollWidth > one.clientWidth),
            wide: document.documentElement.scrollWidth,
            ground: getComputedStyle(document.body).backgroundImage,
            ink: getComputedStyle(document.querySelector("h1")).color,
        })""")
    finally:
        page.emulate_media(media="screen", color_scheme="light")
    assert found["tables"] == [True, False, True] and found["wide"] == 700
    assert (found["scrolls"], found["ground"]) == (False, "none")
    assert found["ink"] == "rgb(42, 34, 48)"  # dark letters, whatever the screen has


# ---------------------------------------------------------------- what is in it


@pytest.mark.parametrize("lang", LANGUAGES)
def test_facts_say_how_it_came_about(lang: Lang) -> None:
    words = Words(lang)
    figures = sample_reports.sections(lang)["tables"]
    report = sample_reports.report(lang, "tables", figures)
    facts = dict(replace(report.facts, more=[("engine", "ray")]).rows(words))
    assert facts[words("report.command")].startswith("coyote lab sweep")
    assert facts[words("report.seed")] == "friday" and facts["engine"] == "ray"
    assert re.search(r"Coyote \d.*Python 3\.\d+.*Madness.* 3$", facts[words("report.versions")])
    assert facts[words("report.made_at")] == "2026-11-17 06:30 UTC"
    html = report.html(lang)
    assert html.startswith("<!doctype html>") and f'lang="{lang}"' in html
    told = re.sub(r"</?(code|span)>", "", html)
    for name, said in report.facts.rows(words):
        assert f"<dt>{name}</dt><dd>{said}</dd>" in told


def test_names_of_strangers_are_only_names() -> None:
    html = sample_reports.report("ru", "tables", sample_reports.sections("ru")["tables"]).html("ru")
    assert STRANGE not in html and "\u202e" not in html and "\a" not in html
    assert "javascript:" not in html


def test_tables_say_intervals_and_what_is_missing() -> None:
    cells: list[list[Value]] = [[None, Interval(0.534, 0.519, 0.549)], [0.5, Interval(-0.01, -0.02, 0.03)]]
    figure = HeatMap("T", ["a", ""], ["a", "b"], cells)
    table = figure.table(Words("en"))
    assert [row[0] for row in table.rows] == ["a", ""]
    html = sample_reports.report("ru", "x", [figure]).html("ru")
    assert "<td>–<td>53,4\u00a0%<small>51,9–54,9</small>" in html
    assert "<td>50,0\u00a0%<td>−1,0\u00a0%<small>от −2,0 до 3,0</small>" in html


@pytest.mark.parametrize(
    ("measure", "value", "english", "russian"),
    [
        (SHARE, 0.534, "53.4\u00a0%", "53,4\u00a0%"),
        (POINTS, 0.012, "+1.2", "+1,2"),
        (POINTS, -0.0001, "0.0", "0,0"),
        (NUMBER, -1234.56, "−1,234.6", "−1\u00a0234,6"),
        (COUNT, 2000, "2,000", "2\u00a0000"),
        (Measure(digits=2, signed=True), 0.5, "+0.50", "+0,50"),
        (NUMBER, float("inf"), "∞", "∞"),
    ],
)
def test_numbers_are_said_as_the_language_does(
    measure: Measure, value: float, english: str, russian: str
) -> None:
    assert [measure.say(value, Words(lang)) for lang in ("en", "ru")] == [english, russian]


@pytest.mark.parametrize(
    ("seconds", "english", "russian"),
    [(0.84, "0.8 s", "0,8 с"), (59.6, "1 min 0 s", "1 мин 0 с"), (75, "1 min 15 s", "1 мин 15 с"),
     (7500, "2 h 5 min", "2 ч 5 мин")],
)  # fmt: skip
def test_time_spent(seconds: float, english: str, russian: str) -> None:
    assert [duration(seconds, Words(lang)) for lang in ("en", "ru")] == [english, russian]


def test_a_long_histogram_is_added_up_and_nothing_is_lost() -> None:
    figure = Histogram("T", 7, [Series("a", list(range(333)))])
    binned = figure.binned(60)
    assert (binned.start, binned.width) == (0, 10)
    assert sum(binned.series[0].values) == sum(range(333))  # type: ignore[arg-type]
    assert [binned.label(k, Words("en")) for k in (0, 1)] == ["0–9", "10–19"]
    assert figure.binned(400) is figure


def test_a_report_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    report = sample_reports.report("en", "tables", [matrix("en", 2)])
    path = tmp_path / "report.html"
    path.write_text("before")
    broken = replace(
        report, sections=[replace(report.sections[0], figures=[Table("T", [], [["too", "many"]])])]
    )
    with pytest.raises(ValueError, match="zip"):
        write_report(broken, path, "en")
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]
    write_report(report, path, "en")
    assert path.read_text(encoding="utf-8") == report.html("en")


# ---------------------------------------------------------------- where things lie


def test_ticks_are_round_and_within() -> None:
    assert ticks(0.43, 0.61, 5) == [0.45, 0.5, 0.55, 0.6]
    assert ticks(-3, 1_000_000, 6) == [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]
    assert ticks(0.4999, 0.5001, 3) == [0.4999, 0.5, 0.5001]
    assert ticks(1, 4, 10, least=1.0) == [1, 2, 3, 4]


def test_one_wide_interval_does_not_make_all_others_points() -> None:
    usual = [about(0.01 * k, 0.002) for k in range(5)]
    low, high = extent([*usual, about(0.02, 0.9), about(0.02, float("inf"))], POINTS)
    assert -0.1 < low < 0 < 0.04 < high < 0.15
    assert extent([share(0.99, 0.2)], SHARE)[1] == 1.0
    assert extent([], SHARE) == (0.0, 1.0)
    assert extent([float("nan"), None, 3.0], NUMBER)[0] < 3 < extent([3.0], NUMBER)[1]


def test_names_move_apart_and_stay_within() -> None:
    levels = spread([50, 50, 50, 95, 99], 10, 0, 100)
    assert all(two - one >= 10 - 1e-9 for one, two in zip(levels, levels[1:], strict=False))
    assert min(levels) >= 0 and max(levels) <= 100
    assert spread([20.0, 80.0], 10, 0, 100) == [20.0, 80.0]


def test_a_text_that_is_made_to_fit_fits() -> None:
    for text in ("plain", STRANGE, "Щ" * 80, "one two three four five six", "漢字", ""):
        for lines in (1, 2, 3):
            found = fitted(text, 90, 12, lines)
            assert 1 <= len(found) <= lines
            assert all(width(line, 12) <= 90 for line in found)


# ---------------------------------------------------------------- links


def test_a_link_names_what_differs_and_the_decks() -> None:
    game = make_game("duel", health=50, **{"hand-limit": 5})
    link = play_link("http://localhost:8000/", game, "boneyard", "a+b/c=", level=5)
    assert link == (
        "http://localhost:8000/?game=duel&health=50&hand-limit=5&opponent=bot&level=5"
        "&deck=boneyard&their_deck=a%2Bb%2Fc%3D"
    )
