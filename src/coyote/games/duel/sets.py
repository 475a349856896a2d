"""Sets of cards: a TOML file of `[[card]]` tables read into cards, or refused with all its faults at once.

A set may give its `name` at the top; otherwise it is called as its file. The rules of decks are in `decks`.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from os import PathLike
from pathlib import Path
from typing import Final, Literal

from coyote.text import LANGUAGES, Lang, Refusal, Words
from coyote.text.harmless import harmless
from coyote.text.tomlfile import (
    MOST_FAULTS,
    Document,
    Faults,
    FileError,
    Places,
    Table,
    fault,
    headers,
    load,
    parse,
)

from .language import CardTextError, Program, read, write

Rarity = Literal["common", "rare"]
RARITIES: Final[tuple[Rarity, ...]] = ("common", "rare")

MOST_BYTES: Final = 4_000_000
"""A larger file is refused unread: 2,000 cards take about half a megabyte."""

MOST_CARDS: Final = 2_000
MOST_EFFECTS: Final = 16
LONGEST_TEXT: Final = 600
LONGEST_ID: Final = 40
LONGEST_NAME: Final = 60
"""Characters in the name of a card, and in that of a set, which deck codes carry."""

CORE: Final = Path(__file__).with_name("core.toml")
ID: Final = re.compile(r"[a-z0-9-]+")
SET_NAME: Final = re.compile(r"[A-Za-zÀ-ÖØ-öø-ž\u0400-\u04ff0-9 .,:;!?'’\"«»()&+№/–—-]+")
"""Latin and Cyrillic letters, digits, signs. Other letters may look like any of these."""

_LIKE_LATIN: Final = str.maketrans("\u0441\u043e\u04e9\u00f80\u0433\u0435\u0454\u04bd\u044d3", "cooooreeeee")
"""What looks like a letter of "core"."""


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

    @cached_property
    def ids(self) -> list[str]:
        """By kind: a card's kind is its place in the set."""
        return [card.id for card in self.cards]

    @cached_property
    def kinds(self) -> dict[str, int]:
        return {card_id: kind for kind, card_id in enumerate(self.ids)}

    def get(self, card_id: str) -> Card | None:
        return self.by_id.get(card_id)

    @cached_property
    def digest(self) -> str:
        """What tells one set from another, whatever they are called: 32 hexadecimal digits."""
        cards = [
            {"id": c.id, "rarity": c.rarity, "text": c.text("en"), "ru": c.name_ru, "en": c.name_en}
            for c in self.cards
        ]
        written = json.dumps(
            {"name": self.name, "cards": cards}, ensure_ascii=False, sort_keys=True, separators=(",", ":")
        )
        return hashlib.sha256(written.encode(errors="surrogatepass")).hexdigest()[:32]


class SetError(FileError):
    """A set file that is refused, with everything that is wrong with it."""


def read_set(path: str | PathLike[str]) -> CardSet:
    """The set in a TOML file; raises `SetError` with every fault of the file."""
    text = load(path, MOST_BYTES)
    if isinstance(text, Refusal):
        raise SetError([text])
    return parse_set(text, str(path))


def parse_set(text: str, file: str = "set.toml", name: str = "") -> CardSet:
    """As `read_set`, from text; `file` is what faults call it, `name` what the set is if it does not say."""
    return check_set(text, file, name).whole()


@dataclass(frozen=True)
class CheckedSet:
    """A file of cards, whatever is wrong with it: what could be read, and every fault."""

    name: str
    cards: list[Card]
    tables: list[Table]  # all that describe cards, in their order
    faults: Faults

    def whole(self) -> CardSet:
        """The set, if nothing is wrong; raises `SetError`."""
        if self.faults:
            raise SetError(self.faults)
        return CardSet(self.name, tuple(self.cards))


def check_set(text: str, file: str = "set.toml", name: str = "", most: int = MOST_FAULTS) -> CheckedSet:
    """All that can be said of a set's text, with its first `most` faults."""
    cards = headers(text, "card")
    if len(cards) > MOST_CARDS:
        return _too_large(file, text.count("\n", 0, cards[MOST_CARDS]) + 1)
    documents, faults = parse(file, text, "card", most)
    tables = [table for document in documents for table in _tables(document, faults)]
    own = _set_name(documents, faults)
    return check_cards(file, tables, own or name or Path(file).stem[:LONGEST_NAME], faults, documents[:1])


def check_cards(
    file: str, tables: list[Table], name: str, faults: Faults, documents: Sequence[Places] = ()
) -> CheckedSet:
    """The cards that tables describe, wherever they stand; the set is called so in the first document."""
    if not tables and not faults:
        faults.append(fault(file, "set.no_cards"))
    if len(tables) > MOST_CARDS:  # not under a [[card]] each
        return _too_large(file, tables[MOST_CARDS].line(""))
    cards = [card for table in tables if not table.has_enough and (card := _card(table))]
    _refuse_duplicates(tables)
    if not faults:
        faults.extend(_false_core(file, documents, CardSet(name, tuple(cards))))
    return CheckedSet(name, cards, tables, faults)


@cache
def core_set() -> CardSet:
    """The core set that comes with the game."""
    return read_set(CORE)


def _set_name(documents: list[Document], faults: Faults) -> str | None:
    for document in documents:
        if "name" in document.data:
            top = Table(document, (), document.data, faults)
            name = top.title("name", LONGEST_NAME)
            if name is not None and not is_plain(name):
                top.refuse("name", "set.name", name=harmless(name))
            return name
    return None


def is_plain(name: str) -> bool:
    """Whether a name has the usual letters, and no word has both Latin and Cyrillic ones."""
    words = re.findall(r"\w+", name)
    mixed = any(re.search(r"[A-Za-zÀ-ž]", word) and re.search(r"[\u0400-\u04ff]", word) for word in words)
    return SET_NAME.fullmatch(name) is not None and not mixed


def sounds_official(name: str) -> bool:
    """Whether a name is, or looks like, that of the core set.

    >>> [sounds_official(name) for name in ("Official!", "c.0.r.é", "core 2", "Corel", "desert")]
    [True, True, True, False, False]
    """
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    bare = bare.casefold()
    spelled = [bare.translate(_LIKE_LATIN), bare]
    words = [word for text in spelled for word in (*re.findall(r"[^\W_]+", text), re.sub(r"[\W_]", "", text))]
    return any(word.rstrip("0123456789") == CORE.stem or word.startswith(_official()) for word in words)


@cache
def _official() -> tuple[str, ...]:
    """How words begin that a set of somebody's own may not call itself."""
    return tuple(word for lang in LANGUAGES for word in Words(lang)("set.official").split())


def _false_core(file: str, documents: Sequence[Places], made: CardSet) -> Iterator[Refusal]:
    """The name of the core set belongs to it alone."""
    if sounds_official(made.name) and file != str(CORE) and made.digest != core_set().digest:
        line = documents[0].place(("name",))["line"] if documents else 0
        yield fault(file, "set.core", line, name=harmless(made.name))


def _tables(document: Document, faults: Faults) -> list[Table]:
    """The tables that describe cards."""
    top = Table(document, (), document.data, faults)
    top.refuse_unknown("name", "card")
    cards = document.data.get("card", [])
    if not isinstance(cards, list) or not all(isinstance(card, dict) for card in cards):
        top.refuse("card", "set.not_tables")
        return []
    return [Table(document, ("card", number), card, faults) for number, card in enumerate(cards)]


def _too_large(file: str, line: int) -> CheckedSet:
    """Cards are counted before they are read, and only this is told."""
    return CheckedSet("", [], [], Faults([fault(file, "set.large", line, most=MOST_CARDS)]))


def _card(table: Table) -> Card | None:
    card_id = _id(table)
    if card_id is not None:
        table.about = Refusal("set.card", "", {"id": card_id})
    table.refuse_unknown("id", "name", "rarity", "text")
    names = table.titles("name", LONGEST_NAME)
    rarity = _rarity(table)
    program = _program(table)
    if card_id is None or names is None or rarity is None or program is None:
        return None
    return Card(card_id, names["ru"], names["en"], rarity, program)


def _id(table: Table) -> str | None:
    card_id = table.text("id", LONGEST_ID)
    if card_id is not None and not ID.fullmatch(card_id):
        table.refuse("id", "set.id", id=harmless(card_id))
        return None
    return card_id


def _rarity(table: Table) -> Rarity | None:
    rarity = table.text("rarity")
    if rarity is None or rarity in RARITIES:
        return rarity
    table.refuse("rarity", "set.rarity", rarity=harmless(rarity))
    return None


def _program(table: Table) -> Program | None:
    text = table.text("text", LONGEST_TEXT)
    if text is None:
        return None
    try:
        program = read(text)
    except CardTextError as error:
        table.refuse("text", "set.text", offset=error.values["offset"], why=error.refusal)
        return None
    if len(program.effects) > MOST_EFFECTS:
        table.refuse("text", "set.effects", count=len(program.effects), most=MOST_EFFECTS)
        return None
    return program


def _refuse_duplicates(tables: list[Table]) -> None:
    first: dict[str, Table] = {}
    for table in tables:
        if table.has_enough:
            return
        card_id = table.data.get("id")
        if isinstance(card_id, str) and first.setdefault(card_id, table) is not table:
            table.refuse("id", "set.duplicate", first=first[card_id].line("id"))
