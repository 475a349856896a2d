"""Decks: their files, the rules they obey (D19), the ready decks, random decks and deck codes."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from os import PathLike
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple

from coyote.text import LANGUAGES, Lang, Refusal, Refused, Words
from coyote.text.harmless import harmless
from coyote.text.tomlfile import Document, Faults, FileError, Table, load, parse

from .sets import ID, LONGEST_ID, LONGEST_NAME, Card, CardSet, core_set


@dataclass(frozen=True)
class DeckLimits:
    """D19  What a deck may have; D26  a match may have other numbers than the usual ones."""

    deck_min: int = 15
    deck_max: int = 20
    copies: int = 2
    rare_copies: int = 1
    autos: int = 2
    supers: int = 1

    def copies_of(self, card: Card) -> int:
        return self.rare_copies if card.rarity == "rare" else self.copies


USUAL: Final = DeckLimits()

MOST_BYTES: Final = 100_000
"""A larger deck file is refused unread."""

MOST_LISTED: Final = 99
"""A file that lists more copies of a card is refused before the rules are asked."""

MOST_NEAR: Final = 3
"""Unknown cards of a deck for which the nearest known one is looked for."""

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


def deck_of(card_set_name: str, ids: Iterable[str]) -> Deck:
    """The deck of these cards, a copy for each time that an id is there."""
    return Deck(card_set_name, tuple(Counter(ids).items()))


# ------------------------------------------------------------------------------
# D19


def faults(deck: Deck, card_set: CardSet, limits: DeckLimits = USUAL) -> list[Refusal]:
    """Every rule of D19 that the deck breaks; none if it is legal.

    The values have `cards`, the ids of those concerned, and, where there are too many or too few, `count` and
    `limit`.
    """
    known = [(card, copies) for card_id, copies in deck.cards if (card := card_set.get(card_id))]
    autos = [(card, copies) for card, copies in known if card.program.auto]
    supers = [(card, copies) for card, copies in known if card.program.super]
    return [
        *_set_faults(deck, card_set),
        *_size_faults(deck, limits),
        *_unknown_faults(deck, card_set),
        *(fault for card, copies in known for fault in _copy_faults(card, copies, limits)),
        *_trait_faults("deck.auto" if limits.autos else "deck.no_auto", limits.autos, autos),
        *_trait_faults("deck.super" if limits.supers else "deck.no_super", limits.supers, supers),
    ]


def _set_faults(deck: Deck, card_set: CardSet) -> list[Refusal]:
    if deck.set == card_set.name:
        return []
    return [_fault("deck.set", deck_set=harmless(deck.set), card_set=card_set.name)]


def _size_faults(deck: Deck, limits: DeckLimits) -> list[Refusal]:
    if deck.size < limits.deck_min:
        return [_limit_fault("deck.small", deck.size, limits.deck_min)]
    return [_limit_fault("deck.large", deck.size, limits.deck_max)] if deck.size > limits.deck_max else []


def _unknown_faults(deck: Deck, card_set: CardSet) -> list[Refusal]:
    """For the first ones the card that was meant is looked for: that takes longer than all the rest.

    Whoever brings a deck of another set has meant none of these cards.
    """
    ids = [card_id for card_id, _ in deck.cards if card_id not in card_set.by_id]
    most = MOST_NEAR if deck.set == card_set.name else 0
    return [_unknown_fault(card_id, card_set, number < most) for number, card_id in enumerate(ids)]


def _unknown_fault(card_id: str, card_set: CardSet, search: bool) -> Refusal:
    near = get_close_matches(card_id, card_set.by_id, n=1) if search and len(card_id) <= LONGEST_ID else []
    code = "deck.unknown_near" if near else "deck.unknown"
    return _fault(code, [card_id], name=harmless(card_id), near=near)


def _copy_faults(card: Card, copies: int, limits: DeckLimits) -> list[Refusal]:
    limit = limits.copies_of(card)
    code = "deck.rare" if card.rarity == "rare" else "deck.common"
    return [_limit_fault(code, copies, limit, [card])] if copies > limit else []


def _trait_faults(code: str, limit: int, cards: list[tuple[Card, int]]) -> list[Refusal]:
    count = sum(copies for _, copies in cards)
    return [_limit_fault(code, count, limit, [card for card, _ in cards])] if count > limit else []


def _limit_fault(code: str, count: int, limit: int, cards: Iterable[Card] = ()) -> Refusal:
    return _fault(code, [card.id for card in cards], count=count, limit=limit, n=limit)


def _fault(code: str, cards: Sequence[str] = (), **values: object) -> Refusal:
    return Refusal(code, "D19", {"cards": tuple(cards), **values})


# ------------------------------------------------------------------------------
# Files


class DeckError(FileError):
    """A deck file that is refused, with everything that is wrong with it."""


def read_deck(path: str | PathLike[str], card_set: CardSet | None = None, limits: DeckLimits = USUAL) -> Deck:
    """The deck in a TOML file; raises `DeckError` with every fault of the file.

    With a set, what breaks D19 is refused as well, each fault with the line of its card.
    """
    text = load(path, MOST_BYTES)
    if isinstance(text, Refusal):
        raise DeckError([text])
    return parse_deck(text, str(path), card_set, limits)


def parse_deck(
    text: str, file: str = "deck.toml", card_set: CardSet | None = None, limits: DeckLimits = USUAL
) -> Deck:
    """As `read_deck`, from text; `file` is what faults call it."""
    return _checked(file, *parse(file, text), card_set, limits)


def _checked(
    file: str,
    documents: list[Document],
    refusals: Faults,
    card_set: CardSet | None,
    limits: DeckLimits,
) -> Deck:
    if not documents:
        raise DeckError(refusals)
    top = Table(documents[0], (), documents[0].data, refusals)
    deck = _deck(top, Path(file).stem)
    if card_set is not None:
        _refuse_broken_rules(top, deck, faults(deck, card_set, limits))
    if refusals:
        raise DeckError(refusals)
    return deck


def _deck(top: Table, deck_id: str) -> Deck:
    top.refuse_unknown("name", "set", "cards", "description")
    name = _either(top, "name", LONGEST_NAME)
    description = _either(top, "description") if "description" in top.data else {}
    set_name = top.title("set") or ""
    return Deck(
        set=set_name,
        cards=_copies(top),
        id=deck_id,
        name_ru=name.get("ru", ""),
        name_en=name.get("en", ""),
        description_ru=description.get("ru", ""),
        description_en=description.get("en", ""),
    )


def _either(top: Table, key: str, longest: int | None = None) -> dict[Lang, str]:
    """A title for all languages or one in each."""
    if isinstance(top.data.get(key), dict):
        return top.titles(key, longest) or {}
    title = top.title(key, longest)
    return {} if title is None else dict.fromkeys(LANGUAGES, title)


def _copies(top: Table) -> tuple[tuple[str, int], ...]:
    table = top.table("cards")
    if table is None:
        return ()
    if not table.data:
        top.refuse("cards", "deck.no_cards")
    return tuple(
        (card_id, copies) for card_id, copies in table.data.items() if _is_entry(table, card_id, copies)
    )


def _is_entry(table: Table, card_id: str, copies: object) -> bool:
    if not ID.fullmatch(card_id):
        table.refuse(card_id, "deck.id", id=harmless(card_id))
    elif type(copies) is not int or not 1 <= copies <= MOST_LISTED:
        table.refuse(card_id, "deck.number", id=harmless(card_id), most=MOST_LISTED)
    else:
        return True
    return False


def _refuse_broken_rules(top: Table, deck: Deck, broken: list[Refusal]) -> None:
    """D19 for a deck file. Once entries were refused, nobody can say that there are too few cards."""
    listed = top.data.get("cards")
    whole = isinstance(listed, dict) and 0 < len(listed) == len(deck.cards)
    for fault in broken:
        at = "set" if fault.code == "deck.set" else "cards"
        if fault.values["cards"] and (cards := top.table("cards")):
            cards.refuse(fault.values["cards"][-1], fault.code, fault.rule, **fault.values)
        elif (fault.code != "deck.set" or deck.set) and (fault.code != "deck.small" or whole):
            top.refuse(at, fault.code, fault.rule, **fault.values)


@cache
def ready_decks() -> Mapping[str, Deck]:
    """The decks that come with the core set, by their ids."""
    decks = (read_deck(path, core_set()) for path in sorted(READY.glob("*.toml")))
    return MappingProxyType({deck.id: deck for deck in decks})


# ------------------------------------------------------------------------------
# Random decks


def random_deck(card_set: CardSet, rng: Random, limits: DeckLimits = USUAL) -> Deck:
    """A legal deck (D19): any size, and as if cards were dealt from all allowed copies, unfit ones left out.

    Raises ValueError if the set has too few cards for a legal deck.
    """
    cards = sorted(card_set.cards, key=lambda card: card.id)
    pool = [card for card in cards for _ in range(limits.copies_of(card))]
    size = rng.randint(limits.deck_min, limits.deck_max)
    rng.shuffle(pool)
    chosen = _fitting(pool, size, limits)
    if len(chosen) < limits.deck_min:  # a card with both traits may have kept out two that have one each
        pool.sort(key=lambda card: card.program.auto + card.program.super)
        chosen = _fitting(pool, size, limits)
    if len(chosen) < limits.deck_min:
        raise Refused("option.small_set", "D19", name=card_set.name)
    deck = deck_of(card_set.name, [card.id for card in chosen])
    return replace(deck, id="random", name_ru=Words("ru")("deck.random"), name_en=Words("en")("deck.random"))


def _fitting(pool: list[Card], size: int, limits: DeckLimits) -> list[Card]:
    """The first cards of the pool that may be in one deck."""
    chosen: list[Card] = []
    autos = supers = 0
    for card in pool:
        if len(chosen) == size:
            break
        if autos + card.program.auto <= limits.autos and supers + card.program.super <= limits.supers:
            chosen.append(card)
            autos += card.program.auto
            supers += card.program.super
    return chosen


# ------------------------------------------------------------------------------
# Codes

CODE_VERSION: Final = 3
DIGEST_SINCE: Final = 3
DIGEST_BYTES: Final = 16
MOST_CODED: Final = {1: 2, 2: 4}
"""Copies of a card that a code can tell, by the lowest version able to read it."""


class DeckCodeError(Refused):
    """A deck code that cannot be read, and why: damaged, too new, for another set, or with unknown cards."""


def encode(deck: Deck, card_set: CardSet, limits: DeckLimits = USUAL) -> str:
    """The code of a legal deck: text for a link or a message. Raises ValueError for a deck that breaks D19.

    Equal decks have equal codes: cards are sorted and the deck's own name is left out. The bytes, in URL-safe
    base64 without padding:

        version · lowest version able to read this · length and UTF-8 of the set's name · width ·
        number of single cards, their marks · number of double cards, their marks ·
        from version 2 on, where the lowest is 2, the same for triple and for fourfold cards ·
        from version 3 on, the digest of the set that the deck was built from ·
        CRC-32 of all before

    Only a set other than the core one is named by its digest, since there may be many of its name, and each
    has versions. Another version of it reads the code all the same, as long as the ids are there.

    A card's mark is the first `width` bytes of the SHA-256 of its id: not of its place in the set, so a code
    survives added, removed, moved and renamed cards as long as the ids stay. Three bytes tell thousands of
    cards apart; where two cards of the set share a mark, the width grows until they do not.

    A code has the lowest version that can tell its deck. What later versions must keep: the first two bytes,
    the checksum at the end, and, if they put a version known here as the lowest, its order, with anything new
    just before the checksum.
    """
    broken = faults(deck, card_set, limits)
    if broken:
        raise Refused(broken)
    most = max((copies for _, copies in deck.cards), default=1)
    version = next((version for version, copies in MOST_CODED.items() if most <= copies), None)
    if version is None:
        raise DeckCodeError("deck.code.copies", "D26", most=max(MOST_CODED.values()))
    width = _width(card_set)
    name = deck.set.encode()
    digest = b"" if card_set.digest == core_set().digest else bytes.fromhex(card_set.digest)
    body = bytes([CODE_VERSION if digest else version, version, len(name)]) + name + bytes([width])
    for copies in range(1, MOST_CODED[version] + 1):
        marks = sorted(_mark(card_id, width) for card_id, n in deck.cards if n == copies)
        body += bytes([len(marks)]) + b"".join(marks)
    body += digest
    return base64.urlsafe_b64encode(body + _checksum(body)).decode().rstrip("=")


def decode(code: str, card_set: CardSet) -> Deck:
    """The deck of a code; raises `DeckCodeError`. It is legal unless the set changed: ask `faults`."""
    read = _read_code(code)
    if read.name != card_set.name:
        raise DeckCodeError("deck.code.set", theirs=harmless(read.name), ours=card_set.name)
    return Deck(read.name, _cards_of(read.marks, read.width, card_set))


def set_of_code(code: str) -> str | None:
    """The digest of the set that a code names, if it does; raises `DeckCodeError`."""
    return _read_code(code).digest


class _Code(NamedTuple):
    name: str
    width: int
    marks: Mapping[bytes, int]
    digest: str | None


def _read_code(code: str) -> _Code:
    source = _Source(_body(code.strip()))
    version, lowest = source.byte(), source.byte()
    if lowest > max(MOST_CODED):
        raise DeckCodeError("deck.code.newer", version=version, ours=CODE_VERSION)
    name = source.text()
    width = source.byte()
    groups = [source.marks(width) for _ in range(MOST_CODED[max(lowest, 1)])]
    marks = {mark: copies for copies, group in enumerate(groups, 1) for mark in group}
    digest = source.take(DIGEST_BYTES).hex() if version >= DIGEST_SINCE and source.left else None
    if len(marks) < sum(map(len, groups)) or (version <= CODE_VERSION and source.left):
        raise DeckCodeError("deck.code.damaged")
    return _Code(name, width, marks, digest)


def _cards_of(marks: Mapping[bytes, int], width: int, card_set: CardSet) -> tuple[tuple[str, int], ...]:
    """The cards that the marks mean; a mark that two cards share means none of them."""
    meant: dict[bytes, list[str]] = {}
    for card in card_set.cards:
        meant.setdefault(_mark(card.id, width), []).append(card.id)
    known = [(meant[mark][0], copies) for mark, copies in marks.items() if len(meant.get(mark, ())) == 1]
    if len(known) < len(marks):
        raise DeckCodeError("deck.code.cards", ours=card_set.name, count=len(marks) - len(known))
    return tuple(known)


def _body(code: str) -> bytes:
    """The bytes before the checksum, if it is right and the code is written the one way it can be."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", code) or len(code) % 4 == 1:
        raise DeckCodeError("deck.code.damaged")
    raw = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
    body, checksum = raw[:-4], raw[-4:]
    if checksum != _checksum(body) or base64.urlsafe_b64encode(raw).decode().rstrip("=") != code:
        raise DeckCodeError("deck.code.damaged")
    return body


class _Source:
    """Bytes read one after another; running out of them means damage."""

    def __init__(self, left: bytes) -> None:
        self.left = left

    def take(self, count: int) -> bytes:
        if count > len(self.left):
            raise DeckCodeError("deck.code.damaged")
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
