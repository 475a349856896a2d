"""Reports of every kind of figure, small and large, plain and strange, to be looked at."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from coyote.games.registry import make_game
from coyote.lab.figures import (
    COUNT,
    NUMBER,
    POINTS,
    SHARE,
    Bars,
    Cell,
    Column,
    Curves,
    Figure,
    HeatMap,
    Histogram,
    Link,
    Measure,
    Parts,
    Series,
    Table,
    Value,
)
from coyote.lab.report import Facts, Report, Section, play_link
from coyote.text import Lang


class Interval(NamedTuple):
    mean: float
    low: float
    high: float


LONG = {
    "en": "The Long Road Through the Painted Desert and Back Again Before the Rains",
    "ru": "Долгая дорога через Раскрашенную пустыню и обратно, пока не начались дожди",
}
STRANGE = '<img src=x onerror="alert(1)"> & "кавычки" \u202eпередом назад\u0007'
UNBROKEN = {"en": "Antidisestablishmentarianistically", "ru": "Достопримечательностинедостопримечательности"}
NAMES = {
    "en": ["Boneyard", "Briar", "Drought", "Magpies", "Moonrise", "Oasis", "The Pack", "Sweet Tooth",
           "Thunderhead", "Wildfire"],
    "ru": ["Кладбище костей", "Терновник", "Засуха", "Сороки", "Восход луны", "Оазис", "Стая", "Сладкоежка",
           "Грозовая туча", "Степной пожар"],
}  # fmt: skip
TITLES = {
    "en": ("Ten decks against each other", "Wins of the row’s deck against the column’s.", "deck", "against"),
    "ru": (
        "Десять колод друг против друга",
        "Доля очков колоды из строки против колоды из столбца.",
        "колода",
        "против",
    ),
}


def about(mean: float, reach: float) -> Interval:
    return Interval(mean, mean - reach, mean + reach)


def share(mean: float, reach: float) -> Interval:
    return Interval(mean, max(mean - reach, 0.0), min(mean + reach, 1.0))


def names(lang: Lang, n: int) -> list[str]:
    """With the worst ones among them, once there are many."""
    found = [f"{NAMES[lang][k % 10]}{f' {k // 10 + 1}' if k >= 10 else ''}" for k in range(n)]
    for place, name in ((3, LONG[lang]), (11, STRANGE), (17, UNBROKEN[lang]), (23, "")):
        if place < n and n > 10:
            found[place] = name
    return found


def matrix(lang: Lang, n: int, reach: float = 0.015) -> HeatMap:
    dice = random.Random(n)
    cells: list[list[Value]] = [[None] * n for _ in range(n)]
    for row in range(n):
        for column in range(row):
            mean = min(max(dice.gauss(0.5, 0.1), 0.0), 1.0)
            cells[row][column], cells[column][row] = share(mean, reach), share(1 - mean, reach)
    title, note, row_title, column_title = TITLES[lang]
    decks = names(lang, n)
    return HeatMap(
        f"{title} ({n})", decks, decks, cells, row_title=row_title, column_title=column_title, note=note
    )


def changes(lang: Lang) -> HeatMap:
    """Not square, with signs, one row, and values that are not known."""
    said = {"en": ("What a switch changes", "switch"), "ru": ("Что меняет настройка", "настройка")}[lang]
    cells: list[list[Value]] = [[about(0.031, 0.004), about(-0.12, 0.3), None, 0.0, about(float("nan"), 0)]]
    columns = ["hand", "extra", "komi", "goal", "boss"]
    return HeatMap(said[0], ["standard"], columns, cells, POINTS, middle=0.0, row_title=said[1])


def bars(lang: Lang, n: int, several: bool = False) -> Bars:
    said = {
        "en": ("Points against the field", "share of points", "even", "in the deck", "when drawn", "deck"),
        "ru": (
            "Очки против всех остальных колод",
            "доля очков",
            "поровну",
            "в колоде",
            "когда взята",
            "колода",
        ),
    }[lang]
    dice = random.Random(n)
    values = [share(dice.gauss(0.5, 0.06), 0.012) for _ in range(n)]
    series = [Series(said[3], values)]
    if several:
        series.append(Series(said[4], [share(one.mean + 0.03, 0.02) for one in values]))
    return Bars(
        f"{said[0]} ({n})", names(lang, n), series, SHARE, 0.5, said[2], said[1], said[5],
    )  # fmt: skip


def strange_bars(lang: Lang) -> Bars:
    """Intervals without width and wider than anything, infinite ones, nothing at all, names of strangers."""
    values: list[Value] = [
        about(0.01, 0.002), 0.0, about(-0.004, 0.9), about(0.003, float("inf")), None,
        about(0.0021, 0.0), Interval(0.008, 0.0079, 0.02),
    ]  # fmt: skip
    labels = [LONG[lang], STRANGE, UNBROKEN[lang], "±∞", "–", "0", "漢字のデッキ 🂡"]
    title = {"en": "What a card is worth", "ru": "Сколько стоит карта"}[lang]
    axis = {"en": "difference from a blank card", "ru": "разница с пустой картой"}[lang]
    reference = {"en": "worth nothing: the same as a blank", "ru": "не стоит ничего: то же, что пустая"}[lang]
    return Bars(title, labels, [Series("", values)], POINTS, 0.0, reference, axis)


def flat_bars(lang: Lang) -> Bars:
    title = {"en": "All alike", "ru": "Все одинаковы"}[lang]
    return Bars(title, ["A", "B"], [Series("", [0.0, 0.0])], NUMBER)


def curves(lang: Lang, n: int, along: Sequence[float | str] = (3, 4, 5, 6, 7, 8, 9)) -> Curves:
    said = {
        "en": ("First seat by goal", "share of the first seat", "goal", "even", "edition"),
        "ru": ("Первое место и цель партии", "доля очков первого места", "цель", "поровну", "редакция"),
    }[lang]
    dice = random.Random(n)
    series = []
    for k in range(n):
        start, slope = dice.gauss(0.55, 0.03), dice.gauss(0, 0.008)
        values: list[Value] = [
            share(start + slope * m + dice.gauss(0, 0.004), 0.006) for m in range(len(along))
        ]
        series.append(Series(LONG[lang] if k == 3 else f"{said[4]} {k + 1}", values))
    return Curves(f"{said[0]} ({n})", along, series, SHARE, 0.5, said[3], said[1], said[2])


def strange_curves(lang: Lang) -> Curves:
    """Gaps, a series of nothing, points without neighbours, values far apart, and many of them."""
    along = [float(k * k) for k in range(40)]
    title = {"en": "Long runs", "ru": "Длинные ряды"}[lang]
    steep: list[Value] = [about(1_000_000.0 * k, 40_000.0 * k) for k in range(40)]
    holes: list[Value] = [None if k % 7 == 0 or 20 < k < 24 else about(2e7 - 3e5 * k, 2e6) for k in range(40)]
    lonely: list[Value] = [*[None] * 39, about(1.5e7, 1e6)]
    series = [Series("∑", steep), Series("∂", holes), Series("·", lonely), Series("∅", [None] * 40)]
    return Curves(title, along, series, COUNT, along_axis="n²")


def histogram(lang: Lang, n: int, length: int = 40, most: int = 3000) -> Histogram:
    said = {"en": ("How long games are", "turns", "edition"), "ru": ("Длина партий", "ходов", "редакция")}[
        lang
    ]
    dice = random.Random(n)
    series = []
    for k in range(n):
        counts = [0] * length
        for _ in range(most):
            counts[min(max(int(dice.gauss(length / 2 + 2 * k, length / 6)), 0), length - 1)] += 1
        series.append(Series("" if n == 1 else LONG[lang] if k == 2 else f"{said[2]} {k + 1}", counts))
    return Histogram(f"{said[0]} ({length})", 1, series, said[1])


def parts(lang: Lang, n: int) -> Parts:
    said = {
        "en": ("How games end", ["goal", "endurance", "starvation", "hands", "draw"], "variant"),
        "ru": ("Чем кончаются партии", ["цель", "выносливость", "голод", "меньшая Рука", "ничья"], "вариант"),
    }[lang]
    dice = random.Random(n)
    rows = []
    for _ in range(n):
        weights = [dice.random() ** 2 for _ in said[1]]
        rows.append([weight / sum(weights) for weight in weights])
    rows[0] = [0.0, 1.0, 0.0, 0.0, 0.0]
    series = [Series(name, [row[k] for row in rows]) for k, name in enumerate(said[1])]
    return Parts(said[0], names(lang, n), series, said[2])


def trade_offs(lang: Lang) -> Table:
    said = {
        "en": ("Trade-offs", ["variant", "first seat", "change", "turns", "games", "why", "play"], "Play it"),
        "ru": (
            "Что на что меняется",
            ["вариант", "первое место", "изменение", "ходов", "партий", "почему", "сыграть"],
            "Сыграть",
        ),
    }[lang]
    measures = [NUMBER, SHARE, POINTS, Measure(digits=1), COUNT, NUMBER, NUMBER]
    link = Link(said[2], play_link("https://table.example", make_game("madness", goal=7)))
    rows: list[list[Cell]] = [
        ["komi 1", share(0.512, 0.004), about(-0.08, 0.005), 14.2, 12345, LONG[lang], link],
        [STRANGE, share(0.6, 0.004), about(0.0, 0.0), None, 1, "", Link(STRANGE, "javascript:alert(1)")],
    ]
    return Table(said[0], [Column(*one) for one in zip(said[1], measures, strict=True)], rows, LONG[lang])


def sections(lang: Lang) -> dict[str, list[Figure]]:
    words = ["empty", "open", "never"]
    return {
        "matrix": [matrix(lang, 10), matrix(lang, 2), changes(lang)],
        "large matrix": [matrix(lang, 30)],
        "bars": [bars(lang, 10), bars(lang, 2, several=True), strange_bars(lang), flat_bars(lang)],
        "many bars": [bars(lang, 30, several=True)],
        "curves": [curves(lang, 2), curves(lang, 1, [5]), curves(lang, 3, words), curves(lang, 8)],
        "strange curves": [strange_curves(lang), curves(lang, 12, words),
                           curves(lang, 8, [LONG[lang], *words, STRANGE, UNBROKEN[lang]])],
        "histograms": [histogram(lang, 1), histogram(lang, 3), histogram(lang, 2, 400),
                       histogram(lang, 1, 3, 0)],
        "parts": [parts(lang, 2), parts(lang, 12)],
        "tables": [trade_offs(lang)],
    }  # fmt: skip


def report(lang: Lang, kind: str, figures: Sequence[Figure]) -> Report:
    lead = {
        "en": "At goal 5 the first seat takes 56.1 % of the points, and no goal between 3 and 9 cures that.",
        "ru": "При цели 5 первое место берёт 56,1 % очков, и никакая цель от 3 до 9 этого не лечит.",
    }[lang]
    facts = Facts(
        "coyote lab sweep madness --set goal=3..9 --players greedy --width 0.5 --seed friday",
        "friday",
        75.2,
        {"Madness": 3},
        made_at=datetime(2026, 11, 17, 6, 30, tzinfo=UTC),
    )
    link = Link({"en": "Play goal 7", "ru": "Сыграть до 7"}[lang], "https://table.example/?game=madness")
    section = Section(kind.capitalize(), [LONG[lang] + ".", STRANGE], figures, [link, link])
    return Report(f"{kind}: {LONG[lang]}", [lead], [section], facts)
