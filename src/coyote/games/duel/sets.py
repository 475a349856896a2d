"""Sets of cards: a TOML file of `[[card]]` tables read into cards, or refused with all its faults at once.

A set may give its `name` at the top; otherwise it is called as its file. The rules of decks are in `decks`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from os import PathLike
from pathlib import Path
from typing import Final, Literal

from .language import CardTextError, Lang, Program, read, write
from .tomlfile import Document, Fault, FileError, Table, load, parse, say, shown

Rarity = Literal["common", "rare"]
RARITIES: Final[tuple[Rarity, ...]] = ("common", "rare")

MOST_BYTES: Final = 4_000_000
"""A larger file is refused unread: 2,000 cards take about half a megabyte."""

LONGEST_NAME: Final = 60
"""Letters in the name of a set, which deck codes carry."""

CORE: Final = Path(__file__).with_name("core.toml")
ID: Final = re.compile(r"[a-z0-9-]+")


@dataclass(frozen=True, slots=True)
class Card:
    """A card: its id, its names, its rarity (D19) and what it does (D20)."""

    id: str
    name_ru: str
    name_en: str
    rarity: Rarity
    program: Program

    def name(self, lang: Lang) -> str:
        return self.name_ru if lang == "ru" else self.name_en

    def text(self, lang: Lang) -> str:
        return write(self.program, lang)


@dataclass(frozen=True)
class CardSet:
    """A named set of cards in the order of its file; no two have the same id."""

    name: str
    cards: tuple[Card, ...]

    @cached_property
    def by_id(self) -> dict[str, Card]:
        return {card.id: card for card in self.cards}

    def get(self, card_id: str) -> Card | None:
        return self.by_id.get(card_id)


class SetError(FileError):
    """A set file that is refused; `faults` lists everything that is wrong with it."""


def read_set(path: str | PathLike[str]) -> CardSet:
    """The set in a TOML file; raises `SetError` with every fault of the file."""
    return _checked(str(path), *load(path, MOST_BYTES, "card"))


def parse_set(text: str, file: str = "set.toml") -> CardSet:
    """As `read_set`, from text; `file` is what faults call it."""
    return _checked(file, *parse(file, text.replace("\r\n", "\n"), "card"))


@cache
def core_set() -> CardSet:
    """The core set that comes with the game."""
    return read_set(CORE)


_WORDS: Final[dict[str, dict[Lang, str]]] = {
    "card": {"en": "card «{id}»: ", "ru": "карта «{id}»: "},
    "no cards": {"en": "the set has no [[card]]", "ru": "в наборе нет ни одной [[card]]"},
    "long name": {
        "en": "the name of the set is longer than {most} letters",
        "ru": "имя набора длиннее {most} знаков",
    },
    "not tables": {
        "en": "each card is written under its own [[card]]",
        "ru": "каждая карта пишется под своей [[card]]",
    },
    "id": {
        "en": "the id may have only lowercase latin letters, digits and «-», not «{id}»",
        "ru": "в id могут быть только строчные латинские буквы, цифры и «-», а не «{id}»",
    },
    "duplicate": {
        "en": "the id is already taken by the card in line {line}",
        "ru": "id уже занят картой в строке {line}",
    },
    "rarity": {
        "en": "the rarity must be «common» or «rare», not «{rarity}»",
        "ru": "редкость должна быть «common» или «rare», а не «{rarity}»",
    },
    "text": {"en": "the text cannot be read: {en}", "ru": "текст не читается: {ru}"},
}


def _checked(file: str, documents: list[Document], faults: list[Fault]) -> CardSet:
    tables = [table for document in documents for table in _tables(document, faults)]
    if not tables and not faults:
        faults.append(Fault(file, 0, 0, say(_WORDS, "no cards")))
    cards = [_card(table) for table in tables]
    _refuse_duplicates(tables)
    name = _set_name(documents, faults)
    if faults:
        raise SetError(faults)
    return CardSet(name or Path(file).stem[:LONGEST_NAME], tuple(card for card in cards if card))


def _set_name(documents: list[Document], faults: list[Fault]) -> str | None:
    for document in documents:
        if "name" in document.data:
            top = Table(document, (), document.data, faults)
            name = top.title("name")
            if name is not None and len(name) > LONGEST_NAME:
                top.refuse("name", say(_WORDS, "long name", most=LONGEST_NAME))
            return name
    return None


def _tables(document: Document, faults: list[Fault]) -> list[Table]:
    """The tables that describe cards."""
    top = Table(document, (), document.data, faults)
    top.refuse_unknown("name", "card")
    cards = document.data.get("card", [])
    if not isinstance(cards, list) or not all(isinstance(card, dict) for card in cards):
        top.refuse("card", say(_WORDS, "not tables"))
        return []
    return [Table(document, ("card", number), card, faults) for number, card in enumerate(cards)]


def _card(table: Table) -> Card | None:
    card_id = _id(table)
    if card_id is not None:
        table.label = say(_WORDS, "card", id=card_id)
    table.refuse_unknown("id", "name", "rarity", "text")
    names = table.titles("name")
    rarity = _rarity(table)
    program = _program(table)
    if card_id is None or names is None or rarity is None or program is None:
        return None
    return Card(card_id, *names, rarity, program)


def _id(table: Table) -> str | None:
    card_id = table.text("id")
    if card_id is not None and not ID.fullmatch(card_id):
        table.refuse("id", say(_WORDS, "id", id=shown(card_id)))
        return None
    return card_id


def _rarity(table: Table) -> Rarity | None:
    rarity = table.text("rarity")
    if rarity is None or rarity in RARITIES:
        return rarity
    table.refuse("rarity", say(_WORDS, "rarity", rarity=shown(rarity)))
    return None


def _program(table: Table) -> Program | None:
    text = table.text("text")
    if text is None:
        return None
    try:
        return read(text)
    except CardTextError as error:
        table.refuse("text", say(_WORDS, "text", ru=error.why("ru"), en=error.why("en")), error.offset)
        return None


def _refuse_duplicates(tables: list[Table]) -> None:
    first: dict[str, Table] = {}
    for table in tables:
        card_id = table.data.get("id")
        if isinstance(card_id, str) and first.setdefault(card_id, table) is not table:
            table.refuse("id", say(_WORDS, "duplicate", line=first[card_id].line("id")))
