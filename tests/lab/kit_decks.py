"""A small set with a card that is far too strong and one that does nothing, and how to ask about it."""

from typing import Any

from coyote.games.duel.decks import Deck, deck_of
from coyote.games.duel.game import Duel
from coyote.games.duel.sets import CardSet, parse_set
from coyote.games.game import Json
from coyote.lab.engines import SerialEngine
from coyote.lab.kept import Kept, run

TEXTS = {
    "claw": "Attack 6.",
    "bite": "Attack 5, heal 1.",
    "hide": "Block 6.",
    "rest": "Heal 5.",
    "doze": "Block 0.",
    "yawn": "Heal 1.",
    "howl": "Attack 4. Next turn: attack 3.",
    "bomb": "Attack 14.",
}
HOUSE = {"deck-min": 9, "deck-max": 12, "health": 24, "copies": 4}


def small_set() -> CardSet:
    cards = [
        f'[[card]]\nid = "{card}"\nname = {{ ru = "Карта", en = "Card {card}" }}\nrarity = "common"\n'
        f'text = "{text}"\n'
        for card, text in TEXTS.items()
    ]
    return parse_set('name = "small"\n' + "\n".join(cards))


GAME = Duel(card_set=small_set(), **HOUSE)


def deck(**copies: int) -> Deck:
    return deck_of("small", [card for card, n in copies.items() for _ in range(n)])


PLAIN = deck(claw=4, bite=3, hide=2, rest=1)
SLOW = deck(claw=3, hide=4, rest=3)
LAZY = deck(claw=4, bite=2, doze=2, yawn=2)
ARMED = deck(claw=4, bite=2, bomb=1, yawn=3)


def serial(kept: Kept | None = None) -> Any:
    engine = SerialEngine()
    return lambda task, pieces: run(engine, task, pieces, kept)


def silent(what: str, done: int, total: int) -> None:
    assert done > 0


def share(found: Json) -> tuple[float, float, float]:
    return found["mean"], found["low"], found["high"]
