"""Decks and their cards as answers of the lab tell them."""

from collections.abc import Mapping

from coyote.games.duel.decks import Deck, encode, ready_decks
from coyote.games.duel.game import Duel
from coyote.games.game import Json
from coyote.text import LANGUAGES, Words


def duel_frame(game: Duel) -> Json:
    """The game that is asked about."""
    return {"game": game.name, "rules": game.rules_version, "options": game.options, "set": game.public_key()}


def lists(decks: Mapping[str, Deck]) -> Json:
    return {name: deck.ids() for name, deck in decks.items()}


def code_of(deck: Deck, game: Duel) -> str:
    return encode(deck, game.card_set, game.limits)


def titles(deck: Deck, game: Duel) -> Json:
    """What its cards are called in each language."""
    cards = [game.card_set.by_id[card_id] for card_id, _ in deck.cards]
    return {card.id: {lang: card.name(lang) for lang in LANGUAGES} for card in cards}


def deck_title(name: str, words: Words) -> str:
    """A ready deck is called as it is everywhere; any other as it was named."""
    return ready_decks()[name].name("ru" if words.lang == "ru" else "en") if name in ready_decks() else name
