"""Sets as files of other kinds: cards written as TOML, and the same as a table (CSV), both ways.

A table has the columns `id`, `name.ru`, `name.en`, `rarity` and `text`, in any order, named in its first
line; `,`, `;` or a tab stands between them, whichever the first line has. A card is a line. What a table
program would take for a formula is written with `'` before it, and read without it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

from coyote.text.harmless import harmless
from coyote.text.tomlfile import MOST_FAULTS, Faults, Table, Where, fault

from .sets import MOST_CARDS, Card, CheckedSet, check_cards

COLUMNS: Final = ("id", "name.ru", "name.en", "rarity", "text")
SEPARATORS: Final = ",;\t"
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
LONGEST_CELL: Final = 10_000


class Entry(NamedTuple):
    """A card as a file has it, right or wrong."""

    id: str
    ru: str
    en: str
    rarity: str
    text: str


def entry_of(card: Card) -> Entry:
    """In the language of the one who wrote it nobody knows any more: English, as records are."""
    return Entry(card.id, card.name_ru, card.name_en, card.rarity, card.text("en"))


def entry_in(data: Mapping[str, Any]) -> Entry:
    """What a table of a file says of a card; nothing where it says something else than text."""
    name = data.get("name")
    names: Mapping[str, Any] = name if isinstance(name, Mapping) else {}
    values = (data.get("id"), names.get("ru"), names.get("en"), data.get("rarity"), data.get("text"))
    return Entry(*(value if isinstance(value, str) else "" for value in values))


# ------------------------------------------------------------------------------
# TOML


def stanza(card: Entry) -> str:
    """A card as the core set writes its own."""
    return (
        f"[[card]]\nid = {quoted(card.id)}\nname = {{ ru = {quoted(card.ru)}, en = {quoted(card.en)} }}\n"
        f"rarity = {quoted(card.rarity)}\ntext = {quoted(card.text)}\n"
    )


def write_toml(name: str, cards: Iterable[Entry]) -> str:
    return "\n".join([f"name = {quoted(name)}\n", *map(stanza, cards)])


_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def quoted(text: str) -> str:
    """A TOML string of one line.

    >>> print(quoted('a "b"\\\\'))
    "a \\"b\\"\\\\"
    """
    return '"' + "".join(_ESCAPES.get(sign) or _plain(sign) for sign in text) + '"'


def _plain(sign: str) -> str:
    return sign if sign >= " " and sign != "\x7f" else f"\\u{ord(sign):04x}"


# ------------------------------------------------------------------------------
# CSV


def write_csv(cards: Iterable[Entry]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows([_guarded(cell) for cell in card] for card in cards)
    return out.getvalue()


def _guarded(cell: str) -> str:
    return f"'{cell}" if cell.lstrip("'").startswith(FORMULA) else cell


def _unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA) else cell


class Rows:
    """A table of cards: what stands in which line."""

    def __init__(self, file: str, lines: Sequence[int]) -> None:
        self.file, self.lines = file, lines

    def place(self, where: Where) -> dict[str, Any]:
        number = where[1] if len(where) > 1 and isinstance(where[1], int) else None
        return {"file": self.file, "line": 1 if number is None else self.lines[number], "column": 0}

    def place_inside(self, where: Where, offset: int) -> dict[str, Any]:
        return self.place(where)


def check_csv(text: str, file: str = "mine.csv", name: str = "", most: int = MOST_FAULTS) -> CheckedSet:
    """As `check_set`, from a table."""
    faults = Faults(most=most)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    head, *_ = lines.split("\n", 1)
    separator = max(SEPARATORS, key=head.count)
    reader = csv.reader(io.StringIO(lines), delimiter=separator)
    csv.field_size_limit(LONGEST_CELL)
    found: list[dict[str, Any]] = []
    where: list[int] = []
    try:
        columns = _columns(file, next(reader, []), faults)
        began = reader.line_num + 1
        for row in reader:
            if any(cell.strip() for cell in row):
                found.append(_entry(file, began, columns, row, faults))
                where.append(began)
            began = reader.line_num + 1
            if len(found) > MOST_CARDS or faults.enough:
                break
    except csv.Error as error:
        faults.append(fault(file, "file.csv", reader.line_num, why=harmless(str(error), 80)))
    if "file.columns" in [one.code for one in faults]:
        return CheckedSet(name, [], [], faults)
    places = Rows(file, where)
    tables = [Table(places, ("card", number), data, faults) for number, data in enumerate(found)]
    return check_cards(file, tables, name or "set", faults, [places])


def _columns(file: str, head: Sequence[str], faults: Faults) -> list[str | None]:
    """What each column is; all of them must be there, others are refused."""
    columns: list[str | None] = [cell.strip().lower() for cell in head]
    for place, name in enumerate(columns):
        if name not in COLUMNS:
            near = get_close_matches(str(name)[:40], COLUMNS, n=1)
            code = "file.unknown_near" if near else "file.unknown"
            faults.append(fault(file, code, 1, key=harmless(str(name)), near=near))
            columns[place] = None
    missing = [name for name in COLUMNS if name not in columns]
    if missing:
        faults.append(fault(file, "file.columns", 1, missing=missing, all=", ".join(COLUMNS)))
    return columns


def _entry(
    file: str, line: int, columns: Sequence[str | None], row: Sequence[str], faults: Faults
) -> dict[str, Any]:
    if any(cell.strip() for cell in row[len(columns) :]) and not faults.enough:
        faults.append(fault(file, "file.cells", line, n=len(columns)))
    cells = {name: _unguarded(cell).strip() for name, cell in zip(columns, row, strict=False) if name}
    data: dict[str, Any] = {key: cells[key] for key in ("id", "rarity", "text") if cells.get(key)}
    names = {lang: cells[f"name.{lang}"] for lang in ("ru", "en") if cells.get(f"name.{lang}")}
    return {**data, "name": names}


# ------------------------------------------------------------------------------
# Where cards stand


def spans(text: str, lines: Sequence[int]) -> list[tuple[int, int]]:
    """From the line of each `[[card]]` to the last line that belongs to it, blanks and comments after it not.

    `lines` are where the cards begin, in their order.
    """
    written = text.split("\n")
    ends = [*(line - 1 for line in lines[1:]), len(written)]
    found = []
    for first, end in zip(lines, ends, strict=False):
        last = end
        while last > first and re.fullmatch(r"\s*(#.*)?", written[last - 1]):
            last -= 1
        found.append((first, max(first, last)))
    return found
