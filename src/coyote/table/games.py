"""The games that rooms are played in, made once for each way to play them. For one thread."""

import hashlib
from collections import OrderedDict
from random import Random

import msgspec

from coyote.games.duel import records
from coyote.games.duel.decks import Deck, DeckCodeError, decode, faults, random_deck, ready_decks
from coyote.games.duel.game import DEFAULT_DECKS, RANDOM, Duel
from coyote.games.duel.sets import CardSet, core_set, parse_set
from coyote.games.game import Game, Json, OptionError
from coyote.games.registry import make_game

Decks = list[list[str] | None]


class Games:
    """`sets` are the card sets by their digest; all threads share them and nobody changes them."""

    def __init__(self, sets: dict[str, Json], most: int = 256) -> None:
        self.sets, self.most = sets, most
        self._card_sets: dict[str, CardSet] = {}
        self._games: OrderedDict[bytes, Game] = OrderedDict()

    def get(self, name: str, options: Json, card_set: str, decks: Decks) -> Game:
        """Decks stand in the order of the seats."""
        key = msgspec.json.encode((name, options, card_set, decks), order="sorted")
        if key not in self._games:
            self._games[key] = self._make(name, options, card_set, decks)
            if len(self._games) > self.most:
                self._games.popitem(last=False)
        self._games.move_to_end(key)
        return self._games[key]

    def _make(self, name: str, options: Json, card_set: str, decks: Decks) -> Game:
        if name != "duel":
            return make_game(name, **options)
        cards = self.card_set(card_set)
        return Duel(card_set=cards, decks=[records.deck_of(cards, deck or []) for deck in decks], **options)

    def card_set(self, digest: str) -> CardSet:
        if digest not in self._card_sets:
            self._card_sets[digest] = records.read_cards(self.sets[digest])
        return self._card_sets[digest]


# ---------------------------------------------------------------- what people ask for


def written_set(text: str | None) -> tuple[str, Json]:
    """A card set, the core one where none is given, and its digest. FileError tells what is wrong."""
    written = records.write_set(core_set() if text is None else parse_set(text))
    return hashlib.sha256(msgspec.json.encode(written, order="sorted")).hexdigest()[:32], written


def chosen_deck(text: str | None, party: int, cards: CardSet, dice: Random) -> list[str]:
    """The cards of a deck by its name or code, or of a random one; OptionError, DeckCodeError."""
    if text is None:
        text = DEFAULT_DECKS[party] if cards.name == core_set().name else RANDOM
    if text == RANDOM:
        return _random(cards, dice).ids()
    deck = ready_decks()[text] if text in ready_decks() else _decoded(text, cards)
    if broken := faults(deck, cards):
        reasons = {lang: "; ".join(fault.message(lang) for fault in broken) for lang in ("en", "ru")}
        raise OptionError("option.deck", name=deck.id or "?", reasons=reasons)
    return deck.ids()


def _random(cards: CardSet, dice: Random) -> Deck:
    try:
        return random_deck(cards, dice)
    except ValueError:
        raise OptionError("option.small_set", name=cards.name) from None


def _decoded(code: str, cards: CardSet) -> Deck:
    try:
        return decode(code, cards)
    except DeckCodeError as error:
        if error.why != "damaged":
            raise
        raise OptionError(
            "fault.no_deck", name=code[:40], known=", ".join([*ready_decks(), RANDOM])
        ) from None
