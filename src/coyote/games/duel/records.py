"""What a record of a duel says of set, decks and chance, both ways."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.games.duel import cards as c
from coyote.games.duel import events as ev
from coyote.games.duel.decks import Deck, DeckLimits, deck_of, faults
from coyote.games.duel.language import CardTextError, read
from coyote.games.duel.sets import ID, MOST_CARDS, RARITIES, Card, CardSet, core_set
from coyote.games.duel.setup import Decks
from coyote.games.game import Json, Record, RecordError
from coyote.kernel.luck import SHUFFLE, START, heading
from coyote.kernel.seats import NONE

PICKS = {"discard": c.DISCARD, "aside": c.ASIDE}
ZONES = {"hand": c.FROM_HAND, "discard": c.FROM_DISCARD, "play": c.FROM_PLAY}
MOST_CHANCE = 30_000  # numbers; far more than any game needs


# ---------------------------------------------------------------- writing


def write_deal(s: Record, card_set: CardSet) -> Json:
    """Set, decks and Supers of a table whose decks are shuffled and not yet drawn from."""
    ids = [card.id for card in card_set.cards]
    listed = sorted(
        {ids[kind] for seat in range(2) for kind in s.listed[seat, : s.n_listed[seat]]}, key=ids.index
    )
    return {
        "set": {"name": card_set.name, "cards": [_card(card_set.by_id[card_id]) for card_id in listed]},
        "decks": [[ids[kind] for kind in s.deck[seat, : s.in_deck[seat]][::-1]] for seat in range(2)],
        "super": [None if kind == NONE else ids[kind] for kind in s.super],
    }


def write_set(card_set: CardSet) -> Json:
    """The whole set with the names of its cards, for a saved game."""
    cards = [{**_card(card), "ru": card.name_ru, "en": card.name_en} for card in card_set.cards]
    return {"name": card_set.name, "cards": cards}


def _card(card: Card) -> Json:
    return {"id": card.id, "rarity": card.rarity, "text": card.text("en")}


def write_chance(rows: Sequence[Sequence[int]], ids: list[str]) -> list[list[Any]]:
    """The shuffles and picks among what happened."""
    chance: list[list[Any]] = []
    for kind, seat, a, b in rows:
        if kind == ev.NEW_DECK and a > 0:
            chance.append(["shuffle", seat, []])
        elif kind == ev.ORDER:
            chance[-1][2].append(ids[a])
        elif kind in (ev.DISCARD, ev.ASIDE) and b != c.FROM_DECK:
            chance.append(["discard" if kind == ev.DISCARD else "aside", seat, c.ZONE_NAMES[b], ids[a]])
    return chance


# ---------------------------------------------------------------- reading


def read_decks(record: Json, card_set: CardSet, limits: DeckLimits) -> Decks:
    """The two decks, checked against D19."""
    decks, supers = record.get("decks"), record.get("super")
    if not _is_pair(decks) or not all(_is_list_of_text(deck) for deck in decks or []):
        raise RecordError("record.decks", "D19")
    if not _is_pair(supers) or not all(card is None or isinstance(card, str) for card in supers or []):
        raise RecordError("record.super", "D17")
    assert decks is not None and supers is not None
    read = [read_deck(card_set, limits, decks[seat], supers[seat], seat) for seat in range(2)]
    return Decks(card_set, limits, tuple(read))


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2


def _is_list_of_text(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def read_cards(value: Any) -> CardSet:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise RecordError("record.set", "D20")
    entries = value.get("cards")
    if not isinstance(entries, list) or not 0 < len(entries) <= MOST_CARDS:
        raise RecordError("record.set", "D20")
    cards = [read_card(entry) for entry in entries]
    if len({card.id for card in cards}) < len(cards):
        raise RecordError("record.set", "D20")
    return CardSet(value["name"], tuple(cards))


def read_card(entry: Any) -> Card:
    if not isinstance(entry, dict) or not all(
        isinstance(entry.get(k), str) for k in ("id", "rarity", "text")
    ):
        raise RecordError("record.set", "D20")
    if not ID.fullmatch(entry["id"]) or entry["rarity"] not in RARITIES:
        raise RecordError("record.card", "D19", name=entry["id"][:40], why=entry["rarity"][:40])
    try:
        program = read(entry["text"])
    except CardTextError as error:
        raise RecordError("record.card", "D25", name=entry["id"], why=error.refusal) from None
    known = core_set().get(entry["id"])
    if known and known.program == program and "en" not in entry:  # records carry no names
        return replace(known, rarity=entry["rarity"])
    ru, en = (str(entry.get(lang, entry["id"])) for lang in ("ru", "en"))
    return Card(entry["id"], ru, en, entry["rarity"], program)


def read_deck(card_set: CardSet, limits: DeckLimits, ids: list[str], super_: str | None, seat: int) -> Deck:
    """D19, and D17: the Super, and no other, is named apart."""
    deck = deck_of(card_set.name, [*ids, super_] if super_ else ids)
    if broken := faults(deck, card_set, limits):
        raise RecordError("record.deck_faults", "D19", seat=seat, why=broken[0])
    wrong = [i for i in ids if card_set.by_id[i].program.super]
    if wrong or (super_ and not card_set.by_id[super_].program.super):
        raise RecordError("record.super", "D17")
    return deck


def read_chance(record: Json, kinds: dict[str, int]) -> npt.NDArray[np.int16]:
    """The chance of a record as the kernel takes it (see `luck`)."""
    entries = record.get("chance")
    if not isinstance(entries, list):
        raise RecordError("record.chance_list", "D15")
    numbers = [START, 0]
    for entry in entries:
        numbers += _entry(entry, kinds)
        if len(numbers) > MOST_CHANCE:
            raise RecordError("record.chance_list", "D15")
    return np.array(numbers, np.int16)


def _entry(entry: Any, kinds: dict[str, int]) -> list[int]:
    match entry:
        case [_, bool(), *_]:  # true and false are no seats
            pass
        case ["shuffle", 0 | 1 as seat, list() as ids] if all(isinstance(i, str) and i in kinds for i in ids):
            return [int(heading(seat, SHUFFLE, 0)), len(ids), *(kinds[card_id] for card_id in ids)]
        case [
            "discard" | "aside" as what,
            0 | 1 as seat,
            "hand" | "discard" | "play" as zone,
            str(card_id),
        ] if card_id in kinds:
            return [int(heading(seat, PICKS[what], ZONES[zone])), kinds[card_id]]
    raise RecordError("record.chance_entry", "D15", entry=str(entry)[:60])
