"""A report: one HTML file with all that it needs, to be read, sent and printed. It has no script.

facts = Facts(command="coyote lab sweep …", seed=1, seconds=12.3, rules={"Madness": 3})
report = Report("Goal 3 to 9", ["What was found, in a sentence."], [Section("Edge", figures=[curves])], facts)
write_report(report, Path("goal.html"), "en")
"""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import count
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from coyote.records import written_whole
from coyote.text import Lang, Words
from coyote.text.titles import Named

from .figures import Cell, Column, Figure, Link, Table, mean_of, span_of
from .look import coyote, data_address, style_sheet
from .pictures import picture
from .pictures.letters import named
from .pictures.svg import safe

ON_PAPER = 13  # columns of a table that a sheet of paper has room for


@dataclass(frozen=True)
class Facts:
    """How a report came about: `rules` by the titles of games; `more` has what else a question tells."""

    command: str
    seed: int | str
    seconds: float
    rules: Mapping[str, int] = field(default_factory=dict)
    more: Sequence[tuple[str, str]] = ()
    made_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def rows(self, words: Words) -> list[tuple[str, str]]:
        programs = {"Coyote": version("coyote"), "Python": platform.python_version()}
        rules = [words("report.rules", game=game, version=number) for game, number in self.rules.items()]
        return [
            (words("report.command"), self.command),
            (words("report.seed"), str(self.seed)),
            *self.more,
            (words("report.versions"), ", ".join([*(f"{n} {v}" for n, v in programs.items()), *rules])),
            (words("report.made_at"), f"{self.made_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"),
            (words("report.spent"), duration(self.seconds, words)),
        ]


@dataclass(frozen=True)
class Section:
    title: str
    paragraphs: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    links: Sequence[Link] = ()


@dataclass(frozen=True)
class Report:
    """`lead` says what was found, before all pictures."""

    title: str
    lead: Sequence[str]
    sections: Sequence[Section]
    facts: Facts

    def html(self, lang: Lang) -> str:
        words, numbers = Words(lang), Numbers()
        body = "".join(section_html(section, words, numbers) for section in self.sections)
        return (
            f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta name="color-scheme" content="light dark">'
            f'<link rel="icon" href="{data_address("icon.svg")}">'
            f"<title>{safe(self.title)}</title><style>{style_sheet()}</style></head><body>"
            f'<header><p class="brand">{coyote()}Coyote <span>{safe(words("report.lab"))}</span></p>'
            f'<h1>{safe(self.title)}</h1><div class="lead">{paragraphs_html(self.lead)}</div></header>'
            f"<main>{body}</main>{facts_html(self.facts, words)}</body></html>\n"
        )


def write_report(report: Report, path: Path, lang: Lang) -> None:
    """The file is there as a whole, or as it was before."""
    html = report.html(lang)
    with written_whole(path) as file:
        file.write(html)


def play_link(address: str, game: Named, deck: str = "", their_deck: str = "", level: int = 3) -> str:
    """Where the table at this address has its form filled in with just this game, against a bot.

    Decks are ids of ready decks or codes.

    >>> from coyote.games.registry import make_game
    >>> play_link("https://table.example", make_game("madness", goal=7))
    'https://table.example/?game=madness&edition=standard&goal=7&opponent=bot&level=3'
    """
    asked = {
        "game": game.name,
        "edition": game.edition,
        **game.differences,
        "opponent": "bot",
        "level": level,
    }
    decks = {"deck": deck, "their_deck": their_deck}
    given = {name: value for name, value in {**asked, **decks}.items() if value != ""}
    return f"{address.rstrip('/')}/?{urlencode(given)}"


def duration(seconds: float, words: Words) -> str:
    """`0.8 s`, `12 s`, `3 min 20 s`, `2 h 5 min`"""
    if seconds < 10:
        return words("report.seconds", n=round(seconds, 1))
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 1:
        return words("report.seconds", n=rest)
    if minutes < 60:
        return words("report.minutes", minutes=minutes, seconds=rest)
    return words("report.hours", hours=minutes // 60, minutes=minutes % 60)


# ---------------------------------------------------------------- parts of the page


class Numbers:
    """Pictures and tables are numbered, each by themselves."""

    def __init__(self) -> None:
        self.pictures, self.tables = count(1), count(1)

    def next(self, figure: Figure, words: Words) -> str:
        if isinstance(figure, Table):
            return words("report.table", n=next(self.tables))
        return words("report.picture", n=next(self.pictures))


def paragraphs_html(paragraphs: Sequence[str]) -> str:
    return "".join(f"<p>{safe(text)}</p>" for text in paragraphs)


def section_html(section: Section, words: Words, numbers: Numbers) -> str:
    figures = "".join(figure_html(figure, numbers.next(figure, words), words) for figure in section.figures)
    links = "".join(f"<li>{link_html(link)}</li>" for link in section.links)
    return (
        f"<section><h2>{safe(section.title)}</h2>{paragraphs_html(section.paragraphs)}{figures}"
        + (f'<ul class="links">{links}</ul>' if links else "")
        + "</section>"
    )


def figure_html(figure: Figure, number: str, words: Words) -> str:
    """A picture has its table beneath, to be opened."""
    caption = f"<figcaption><span>{safe(number)}</span> {safe(figure.title)}</figcaption>"
    note = f'<p class="note">{safe(figure.note)}</p>' if figure.note else ""
    numbers = figure.table(words)
    table = table_html(numbers, words)
    if isinstance(figure, Table):
        return f"<figure>{caption}{table}{note}</figure>"
    broad = ' class="broad"' if len(numbers.columns) > ON_PAPER else ""
    opened = f"<details{broad}><summary>{safe(words('report.data'))}</summary>{table}</details>"
    return f"<figure>{caption}{picture(figure, words)}{note}{opened}</figure>"


def link_html(link: Link) -> str:
    """Only where a browser goes by itself: an address of another kind stays a text."""
    if urlsplit(link.address).scheme not in ("http", "https"):
        return safe(link.text)
    return f'<a href="{safe(link.address)}">{safe(link.text)}</a>'


def facts_html(facts: Facts, words: Words) -> str:
    command, *others = facts.rows(words)
    rows = "".join(f"<dt>{safe(name)}</dt><dd>{safe(said)}</dd>" for name, said in others)
    typed = " ".join(f"<span>{safe(word)}</span>" for word in command[1].split())
    first = f"<dt>{safe(command[0])}</dt><dd><code>{typed}</code></dd>"
    return f"<footer><div><h2>{safe(words('report.how'))}</h2><dl>{first}{rows}</dl></div></footer>"


def table_html(table: Table, words: Words) -> str:
    """Ends of cells and rows are left out, as HTML allows: a large table is half as long."""
    heads = "".join(head_html(table, n) for n in range(len(table.columns)))
    rows = "".join(row_html(table.columns, row, words) for row in table.rows)
    return (
        f'<div class="scroll" role="group" tabindex="0" aria-label="{safe(table.title)}">'
        f"<table><thead><tr>{heads}<tbody>{rows}</table></div>"
    )


def head_html(table: Table, n: int) -> str:
    worded = any(isinstance(row[n], str | Link) for row in table.rows)
    kind = ' class="words"' if worded else ""
    title = safe(table.columns[n].title)
    return f'<th scope="col"{kind}>{title}' if title else "<td>"


def row_html(columns: Sequence[Column], row: Sequence[Cell], words: Words) -> str:
    first, *others = zip(columns, row, strict=True)
    return f'<tr><th scope="row">{said_html(*first, words)}' + "".join(
        cell_html(*one, words) for one in others
    )


def cell_html(column: Column, cell: Cell, words: Words) -> str:
    kind = ' class="words"' if isinstance(cell, str | Link) else ""
    return f"<td{kind}>{said_html(column, cell, words)}"


def said_html(column: Column, cell: Cell, words: Words) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, Link):
        return link_html(cell)
    if isinstance(cell, str):
        return safe(named(cell))
    (low, high), measure = span_of(cell), column.measure
    interval = f"<small>{safe(measure.span(low, high, words))}</small>" if low < high else ""
    return safe(measure.say(mean_of(cell), words)) + interval
