"""Decks: their files, the rules they obey (D19), the ready decks, random decks and deck codes."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from os import PathLike
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Final, Literal

from .language import Lang
from .sets import ID, Card, CardSet, Rarity, core_set
from .tomlfile import Document, Fault, FileError, Said, Table, load, parse, say, shown

LEAST_CARDS: Final = 15
MOST_CARDS: Final = 20
MOST_COPIES: Final[dict[Rarity, int]] = {"common": 2, "rare": 1}
MOST_AUTO: Final = 2
MOST_SUPER: Final = 1

MOST_BYTES: Final = 100_000
"""A larger deck file is refused unread."""

MOST_LISTED: Final = 99
"""A file that lists more copies of a card is refused before the rules are asked."""

READY: Final = Path(__file__).with_name("decks")


@dataclass(frozen=True)
class Deck:
    """A list of cards of one set. Cards are kept sorted by id, so that equal decks are equal.

    `id` is how commands call it: the name of its file. It need not be legal: ask `faults`.
    """

    set: str
    cards: tuple[tuple[str, int], ...]
    id: str = ""
    name_ru: str = ""
    name_en: str = ""
    description_ru: str = ""
    description_en: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))

    @property
    def size(self) -> int:
        return sum(copies for _, copies in self.cards)

    def ids(self) -> list[str]:
        """Every card by its id, sorted, two copies twice."""
        return [card_id for card_id, copies in self.cards for _ in range(copies)]

    def name(self, lang: Lang) -> str:
        return (self.name_ru if lang == "ru" else self.name_en) or self.id

    def description(self, lang: Lang) -> str:
        return self.description_ru if lang == "ru" else self.description_en


# ------------------------------------------------------------------------------
# D19

_RULES: Final[dict[str, dict[Lang, str]]] = {
    "small": {
        "en": "too few cards: {count}, at least {limit} are needed",
        "ru": "карт {count}, а нужно не меньше {limit}",
    },
    "large": {
        "en": "too many cards: {count}, at most {limit} are allowed",
        "ru": "карт {count}, а можно не больше {limit}",
    },
    "common": {
        "en": "{count} copies of the common card «{card}», at most {limit} are allowed",
        "ru": "копий обычной карты «{card}» {count}, а можно не больше {limit}",
    },
    "rare": {
        "en": "{count} copies of the rare card «{card}», at most {limit} is allowed",
        "ru": "копий редкой карты «{card}» {count}, а можно не больше {limit}",
    },
    "auto": {
        "en": "{count} cards with Auto ({card}), at most {limit} are allowed",
        "ru": "карт с «Авто» {count} ({card}), а можно не больше {limit}",
    },
    "super": {
        "en": "{count} cards with Super ({card}), at most {limit} is allowed",
        "ru": "карт с «Супер» {count} ({card}), а можно не больше {limit}",
    },
    "unknown": {"en": "there is no card «{card}» in the set", "ru": "карты «{card}» в наборе нет"},
    "near": {
        "en": "there is no card «{card}» in the set — did you mean «{near}»?",
        "ru": "карты «{card}» в наборе нет — может быть, «{near}»?",
    },
    "set": {
        "en": "the deck is for the set «{deck_set}», not «{card_set}»",
        "ru": "колода для набора «{deck_set}», а не «{card_set}»",
    },
}


@dataclass(frozen=True, slots=True)
class DeckFault:
    """A rule of D19 that a deck breaks: which, how many there are and may be, and the cards concerned."""

    rule: str
    reason: Said
    cards: tuple[str, ...] = ()
    count: int = 0
    limit: int = 0

    def message(self, lang: Lang) -> str:
        return f"{self.reason[lang]} (D19)"

    def __str__(self) -> str:
        return self.message("en")


def faults(deck: Deck, card_set: CardSet) -> list[DeckFault]:
    """Every rule of D19 that the deck breaks; none if it is legal."""
    known = [(card, copies) for card_id, copies in deck.cards if (card := card_set.get(card_id))]
    return [
        *_set_faults(deck, card_set),
        *_size_faults(deck),
        *(_unknown_fault(card_id, card_set) for card_id, _ in deck.cards if card_id not in card_set.by_id),
        *(fault for card, copies in known for fault in _copy_faults(card, copies)),
        *_trait_faults("auto", MOST_AUTO, [(card, n) for card, n in known if card.program.auto]),
        *_trait_faults("super", MOST_SUPER, [(card, n) for card, n in known if card.program.super]),
    ]


def _set_faults(deck: Deck, card_set: CardSet) -> list[DeckFault]:
    if deck.set == card_set.name:
        return []
    return [DeckFault("set", say(_RULES, "set", deck_set=shown(deck.set), card_set=card_set.name))]


def _size_faults(deck: Deck) -> list[DeckFault]:
    if deck.size < LEAST_CARDS:
        return [_limit_fault("small", deck.size, LEAST_CARDS)]
    return [_limit_fault("large", deck.size, MOST_CARDS)] if deck.size > MOST_CARDS else []


def _unknown_fault(card_id: str, card_set: CardSet) -> DeckFault:
    near = get_close_matches(card_id, card_set.by_id, n=1)
    said = (
        say(_RULES, "near", card=shown(card_id), near=near[0])
        if near
        else say(_RULES, "unknown", card=shown(card_id))
    )
    return DeckFault("unknown", said, (card_id,))


def _copy_faults(card: Card, copies: int) -> list[DeckFault]:
    limit = MOST_COPIES[card.rarity]
    return [_limit_fault(card.rarity, copies, limit, [card])] if copies > limit else []


def _trait_faults(trait: str, limit: int, cards: list[tuple[Card, int]]) -> list[DeckFault]:
    count = sum(copies for _, copies in cards)
    return [_limit_fault(trait, count, limit, [card for card, _ in cards])] if count > limit else []


def _limit_fault(rule: str, count: int, limit: int, cards: Iterable[Card] = ()) -> DeckFault:
    ids = tuple(card.id for card in cards)
    return DeckFault(
        rule, say(_RULES, rule, count=count, limit=limit, card=", ".join(ids)), ids, count, limit
    )


# ------------------------------------------------------------------------------
# Files

_FILES: Final[dict[str, dict[Lang, str]]] = {
    "no cards": {"en": "the deck has no cards", "ru": "в колоде нет карт"},
    "id": {
        "en": "the id of a card may have only lowercase latin letters, digits and «-», not «{id}»",
        "ru": "в id карты могут быть только строчные латинские буквы, цифры и «-», а не «{id}»",
    },
    "copies": {
        "en": "the copies of «{id}» must be a whole number from 1 to {most}",
        "ru": "число копий «{id}» должно быть целым, от 1 до {most}",
    },
}


class DeckError(FileError):
    """A deck file that is refused; `faults` lists everything that is wrong with it."""


def read_deck(path: str | PathLike[str], card_set: CardSet | None = None) -> Deck:
    """The deck in a TOML file; raises `DeckError` with every fault of the file.

    With a set, what breaks D19 is refused as well, each fault with the line of its card.
    """
    return _checked(str(path), *load(path, MOST_BYTES), card_set)


def parse_deck(text: str, file: str = "deck.toml", card_set: CardSet | None = None) -> Deck:
    """As `read_deck`, from text; `file` is what faults call it."""
    return _checked(file, *parse(file, text.replace("\r\n", "\n")), card_set)


def _checked(file: str, documents: list[Document], found: list[Fault], card_set: CardSet | None) -> Deck:
    if not documents:
        raise DeckError(found)
    top = Table(documents[0], (), documents[0].data, found)
    deck = _deck(top, Path(file).stem)
    if card_set is not None:
        _refuse_broken_rules(top, deck, card_set)
    if found:
        raise DeckError(found)
    return deck


def _deck(top: Table, deck_id: str) -> Deck:
    top.refuse_unknown("name", "set", "cards", "description")
    name_ru, name_en = _either(top, "name")
    description_ru, description_en = _either(top, "description") if "description" in top.data else ("", "")
    set_name = top.title("set") or ""
    return Deck(set_name, _copies(top), deck_id, name_ru, name_en, description_ru, description_en)


def _either(top: Table, key: str) -> tuple[str, str]:
    """A title for both languages or one in each."""
    if isinstance(top.data.get(key), dict):
        return top.titles(key) or ("", "")
    title = top.title(key) or ""
    return title, title


def _copies(top: Table) -> tuple[tuple[str, int], ...]:
    table = top.table("cards")
    if table is None:
        return ()
    if not table.data:
        top.refuse("cards", say(_FILES, "no cards"))
    return tuple(
        (card_id, copies) for card_id, copies in table.data.items() if _is_entry(table, card_id, copies)
    )


def _is_entry(table: Table, card_id: str, copies: object) -> bool:
    if not ID.fullmatch(card_id):
        table.refuse(card_id, say(_FILES, "id", id=shown(card_id)))
    elif type(copies) is not int or not 1 <= copies <= MOST_LISTED:
        table.refuse(card_id, say(_FILES, "copies", id=card_id, most=MOST_LISTED))
    else:
        return True
    return False


def _refuse_broken_rules(top: Table, deck: Deck, card_set: CardSet) -> None:
    """D19 for a deck file. Once entries were refused, nobody can say that there are too few cards."""
    listed = top.data.get("cards")
    whole = isinstance(listed, dict) and 0 < len(listed) == len(deck.cards)
    for fault in faults(deck, card_set):
        where = "set" if fault.rule == "set" else "cards"
        reason = {lang: fault.message(lang) for lang in fault.reason}
        if fault.cards and (cards := top.table("cards")):
            cards.refuse(fault.cards[-1], reason)
        elif (fault.rule != "set" or deck.set) and (fault.rule != "small" or whole):
            top.refuse(where, reason)


@cache
def ready_decks() -> Mapping[str, Deck]:
    """The decks that come with the core set, by their ids."""
    decks = (read_deck(path, core_set()) for path in sorted(READY.glob("*.toml")))
    return MappingProxyType({deck.id: deck for deck in decks})


# ------------------------------------------------------------------------------
# Random decks


def random_deck(card_set: CardSet, rng: Random) -> Deck:
    """A legal deck (D19): any size, and as if cards were dealt from all allowed copies, unfit ones left out.

    Raises ValueError if the set has too few cards for a legal deck.
    """
    pool = [
        card
        for card in sorted(card_set.cards, key=lambda card: card.id)
        for _ in range(MOST_COPIES[card.rarity])
    ]
    size = rng.randint(LEAST_CARDS, MOST_CARDS)
    rng.shuffle(pool)
    chosen: dict[str, int] = {}
    auto = super_ = 0
    for card in pool:
        if sum(chosen.values()) == size:
            break
        if auto + card.program.auto <= MOST_AUTO and super_ + card.program.super <= MOST_SUPER:
            chosen[card.id] = chosen.get(card.id, 0) + 1
            auto += card.program.auto
            super_ += card.program.super
    if sum(chosen.values()) < LEAST_CARDS:
        raise ValueError(f"the set «{card_set.name}» has too few cards for a legal deck")
    return Deck(card_set.name, tuple(chosen.items()), "random", "Случайная", "Random")


# ------------------------------------------------------------------------------
# Codes

CODE_VERSION: Final = 1
CODE_LOWEST: Final = 1

CodeFault = Literal["damaged", "newer", "set", "cards"]

_CODES: Final[dict[str, dict[Lang, str]]] = {
    "damaged": {"en": "the deck code is damaged: a letter is wrong or missing", "ru": "код колоды повреждён"},
    "newer": {
        "en": "the deck code needs a newer Coyote (code version {version}, this one reads {ours})",
        "ru": "коду колоды нужен Coyote поновее (версия кода {version}, этот читает {ours})",
    },
    "set": {
        "en": "the deck code is for the set «{theirs}», not «{ours}»",
        "ru": "код колоды для набора «{theirs}», а не «{ours}»",
    },
    "cards": {
        "en": "the deck code names cards that the set «{ours}» does not have: {count}",
        "ru": "в коде колоды есть карты, которых нет в наборе «{ours}»: {count}",
    },
}


class DeckCodeError(ValueError):
    """A deck code that cannot be read, and why: damaged, too new, for another set, or with unknown cards."""

    def __init__(self, why: CodeFault, **values: object) -> None:
        self.why = why
        self.reason = say(_CODES, why, **values)
        super().__init__(self.reason["en"])

    def message(self, lang: Lang) -> str:
        return self.reason[lang]


def encode(deck: Deck, card_set: CardSet) -> str:
    """The code of a legal deck: text for a link or a message. Raises ValueError for a deck that breaks D19.

    Equal decks have equal codes: cards are sorted and the deck's own name is left out. The bytes, in URL-safe
    base64 without padding:

        version · lowest version able to read this · length and UTF-8 of the set's name · width ·
        number of single cards, their marks · number of double cards, their marks · CRC-32 of all before

    A card's mark is the first `width` bytes of the SHA-256 of its id: not of its place in the set, so a code
    survives added, removed, moved and renamed cards as long as the ids stay. Three bytes tell thousands of
    cards apart; where two cards of the set share a mark, the width grows until they do not.

    What later versions must keep: the first two bytes, the checksum at the end, and, if they put 1 as the
    lowest version, this order, with anything new just before the checksum.
    """
    broken = faults(deck, card_set)
    if broken:
        raise ValueError("\n".join(str(fault) for fault in broken))
    width = _width(card_set)
    name = deck.set.encode()
    body = bytes([CODE_VERSION, CODE_LOWEST, len(name)]) + name + bytes([width])
    for copies in (1, 2):
        marks = sorted(_mark(card_id, width) for card_id, n in deck.cards if n == copies)
        body += bytes([len(marks)]) + b"".join(marks)
    return base64.urlsafe_b64encode(body + _checksum(body)).decode().rstrip("=")


def decode(code: str, card_set: CardSet) -> Deck:
    """The deck of a code; raises `DeckCodeError`. It is legal unless the set changed: ask `faults`."""
    source = _Source(_body(code.strip()))
    version, lowest = source.byte(), source.byte()
    if lowest > CODE_VERSION:
        raise DeckCodeError("newer", version=version, ours=CODE_VERSION)
    name = source.text()
    if name != card_set.name:
        raise DeckCodeError("set", theirs=shown(name), ours=card_set.name)
    width = source.byte()
    single, double = source.marks(width), source.marks(width)
    marks = dict.fromkeys(single, 1) | dict.fromkeys(double, 2)
    if len(marks) < len(single) + len(double) or (version == CODE_VERSION and source.left):
        raise DeckCodeError("damaged")
    return Deck(name, _cards_of(marks, width, card_set))


def _cards_of(marks: Mapping[bytes, int], width: int, card_set: CardSet) -> tuple[tuple[str, int], ...]:
    """The cards that the marks mean; a mark that two cards share means none of them."""
    meant: dict[bytes, list[str]] = {}
    for card in card_set.cards:
        meant.setdefault(_mark(card.id, width), []).append(card.id)
    known = [(meant[mark][0], copies) for mark, copies in marks.items() if len(meant.get(mark, ())) == 1]
    if len(known) < len(marks):
        raise DeckCodeError("cards", ours=card_set.name, count=len(marks) - len(known))
    return tuple(known)


def _body(code: str) -> bytes:
    """The bytes before the checksum, if it is right and the code is written the one way it can be."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", code) or len(code) % 4 == 1:
        raise DeckCodeError("damaged")
    raw = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
    body, checksum = raw[:-4], raw[-4:]
    if checksum != _checksum(body) or base64.urlsafe_b64encode(raw).decode().rstrip("=") != code:
        raise DeckCodeError("damaged")
    return body


class _Source:
    """Bytes read one after another; running out of them means damage."""

    def __init__(self, left: bytes) -> None:
        self.left = left

    def take(self, count: int) -> bytes:
        if count > len(self.left):
            raise DeckCodeError("damaged")
        taken, self.left = self.left[:count], self.left[count:]
        return taken

    def byte(self) -> int:
        return self.take(1)[0]

    def text(self) -> str:
        return self.take(self.byte()).decode(errors="replace")

    def marks(self, width: int) -> list[bytes]:
        return [self.take(width) for _ in range(self.byte())]


def _checksum(body: bytes) -> bytes:
    return binascii.crc32(body).to_bytes(4, "big")


def _mark(card_id: str, width: int) -> bytes:
    return hashlib.sha256(card_id.encode()).digest()[:width]


def _width(card_set: CardSet) -> int:
    """The least number of bytes, from three, by which all cards of the set differ."""
    width = 3
    while len({_mark(card.id, width) for card in card_set.cards}) < len(card_set.cards):
        width += 1
    return width
