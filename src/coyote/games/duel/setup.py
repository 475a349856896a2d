"""What the two players of a duel bring: their decks. Whose list is whose business says D18."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.games.duel.decks import (
    Deck,
    DeckCodeError,
    DeckLimits,
    deck_of,
    decode,
    faults,
    random_deck,
    ready_decks,
)
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.sets import CardSet
from coyote.games.game import Json, OptionError, Setup, Words64
from coyote.kernel.chance import game_words
from coyote.kernel.seats import NONE
from coyote.text.refusals import Refusal, Refused

RANDOM = "random"
DEFAULT_DECKS = ("pack", "oasis")


@dataclass(frozen=True)
class Decks(Setup):
    """By seat; None is a new random deck for each deal."""

    card_set: CardSet
    limits: DeckLimits
    decks: tuple[Deck | None, ...]

    def sealed(self) -> Json:
        listed = {card_id for deck in self.decks if deck for card_id in deck.ids()}
        cards = [card for card in self.card_set.cards if card.id in listed]
        written = [{"id": card.id, "rarity": card.rarity, "text": card.text("en")} for card in cards]
        return {
            "decks": [RANDOM if deck is None else deck.ids() for deck in self.decks],
            "set": {"name": self.card_set.name, "cards": written},
        }

    @property
    def is_drawn(self) -> bool:
        return None not in self.decks

    def for_seat(self, seat: int) -> Json:
        deck = self.decks[seat]
        return {"deck": RANDOM if deck is None else deck.ids()}

    def names(self) -> list[str]:
        return [RANDOM if deck is None else deck.id for deck in self.decks]

    # ------------------------------------------------------------ as numbers

    def lists(self, seed: Words64) -> npt.NDArray[np.int16]:
        """The deck lists of one deal."""
        return np.array([[self.row(deck, seed, seat) for seat, deck in enumerate(self.decks)]], np.int16)

    def row(self, deck: Deck | None, seed: Words64, seat: int) -> list[int]:
        """One list, in the order that the shuffle begins with. A random deck follows from the seed."""
        if deck is None:
            text = f"deck {seat} {seed.astype('<u8').tobytes().hex()}"
            dice = Random(hashlib.sha256(text.encode()).digest())
            deck = random_deck(self.card_set, dice, self.limits)
        kinds = sorted(self.card_set.kinds[card_id] for card_id in deck.ids())
        return kinds + [int(NONE)] * (MOST_CARDS - len(kinds))

    def series_lists(self, source: Words64, first: int, n: int) -> npt.NDArray[np.int16]:
        """The deck lists of a series: the same for every game, unless a deck is random."""
        if None not in self.decks:
            return self.lists(source)
        seed, dice = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
        rows = []
        for game in range(first, first + n):
            game_words(source, game, seed, dice)
            rows.append(self.lists(seed)[0])
        return np.array(rows, np.int16)


def settle(card_set: CardSet, limits: DeckLimits, wanted: Sequence[Any], dice: Random | None) -> Decks:
    """Decks by seat: a ready one's name, a code, cards, a deck, `random`, or None for the usual one."""
    decks: list[Deck | None] = []
    refusals: list[Refusal] = []
    for seat in range(2):
        try:
            asked = wanted[seat] if seat < len(wanted) else None
            decks.append(_deck(card_set, limits, asked, seat, dice))
        except OptionError as error:
            refusals += [refusal for refusal in error.refusals if refusal not in refusals]
    if refusals:
        raise OptionError(refusals)
    return Decks(card_set, limits, tuple(decks))


def _deck(cards: CardSet, limits: DeckLimits, asked: Any, seat: int, dice: Random | None) -> Deck | None:
    if asked is None:
        asked = _usual(cards, limits, seat)
    if asked == RANDOM:
        drawn = _random(cards, limits, dice or Random(0))
        return drawn if dice else None
    if isinstance(asked, str):
        asked = ready_decks()[asked] if asked in ready_decks() else _decoded(asked, cards)
    deck = asked if isinstance(asked, Deck) else deck_of(cards.name, list(asked))
    if broken := faults(deck, cards, limits):
        raise OptionError("option.deck", "D19", name=deck.id or "?", reasons=Refused(broken))
    return deck


def _usual(cards: CardSet, limits: DeckLimits, seat: int) -> str:
    """A ready deck, as long as the set and the house rules allow it."""
    name = DEFAULT_DECKS[seat]
    return RANDOM if faults(ready_decks()[name], cards, limits) else name


def _random(cards: CardSet, limits: DeckLimits, dice: Random) -> Deck:
    try:
        return random_deck(cards, dice, limits)
    except ValueError:
        raise OptionError("option.small_set", "D19", name=cards.name) from None


def _decoded(code: str, cards: CardSet) -> Deck:
    try:
        return decode(code, cards)
    except DeckCodeError as error:
        if error.code != "deck.code.damaged":
            raise OptionError(error.refusals) from None
        known = ", ".join([*ready_decks(), RANDOM])
        raise OptionError("fault.no_deck", name=code[:40], known=known) from None
