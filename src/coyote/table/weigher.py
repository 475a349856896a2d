"""The process that weighs cards and decks by playing: one job after another, behind all that people wait for.

`weighing` starts it. A job is JSON; the answers are what is known so far, JSON too, and after each of them
the process waits to hear whether it shall go on. Everything has its length before it. How a comparison is
played is the lab's: the same deals with a card and without it.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from typing import Literal, NamedTuple

import msgspec

from coyote.games.duel.decks import Deck, deck_of, encode, faults, ready_decks
from coyote.games.duel.game import Duel
from coyote.games.duel.language import POINTS, read
from coyote.games.duel.pricing import price
from coyote.games.duel.records import read_cards
from coyote.games.duel.sets import Card, CardSet, core_set
from coyote.games.game import Json
from coyote.lab.cards import Arm, CardQuestion, DeckCards, blank_id, play_exchanged
from coyote.lab.matrix import Matrix, Players, Wanted, play_meetings
from coyote.lab.stats import Interval
from coyote.table.set_trial import hear, say
from coyote.text import Refused

KINDNESS = 15  # how far the process stands back
AGAINST = (
    "pack",
    "oasis",
    "thunderhead",
    "magpies",
    "sweet-tooth",
)  # of the core set; the first has the card
PAIR_CHUNK, PAIR_GAMES = 50, 400  # of a pairing of decks
WEIGHED, USUAL = "weighed", "usual"  # ids of the cards that are put into a deck
MEASURES = {  # by traits, or by rarity
    "blank auto": "tumbleweed", "blank super": "coyote-king", "blank auto super": "comet",
    "common": "ember", "rare": "dust-devil",
}  # fmt: skip

Says = Literal["strong", "usual", "weak", "dead"]


class Scale(NamedTuple):
    """How a card is weighed: who plays, and from where on a share over the measure, under it, over nothing
    says something."""

    bot: str
    chunk: int  # games of each way between two answers
    games: int  # of each way
    strong: float
    weak: float
    dead: float


BY_THUMB = Scale("greedy", 500, 10_000, strong=0.10, weak=0.07, dead=0.01)
AHEAD = Scale("search:60", 50, 1_500, strong=0.08, weak=0.05, dead=0.03)


# ---------------------------------------------------------------- a card


def weigh(
    card: Card, cards: CardSet, deck: Deck, against: Mapping[str, Deck], options: Json
) -> Iterator[Json]:
    """What a deck wins more with a card than with one that does nothing, and than with a usual one.

    The card takes the place of the one of the deck that it is most like; told after every so many games.
    """
    scale, place, usual = scale_for(card), place_for(card, cards, deck), usual_card(card)
    if place is None:
        raise Refused("workshop.no_place")
    more = [replace(card, id=WEIGHED), replace(usual, id=USUAL)]
    game = Duel(card_set=CardSet(cards.name, (*cards.cards, *more)), **Duel.known(options))
    question = CardQuestion(game, {"": deck}, dict(against), scale.bot, "workshop", Wanted(scale.games))
    ways = DeckCards(deck, [Arm(place, blank_id(card)), Arm(place, USUAL)], Arm(place, WEIGHED))
    nothing, as_usual = ways.arms
    for played in range(scale.chunk, scale.games + 1, scale.chunk):
        for arm in (ways.plain, *ways.arms):
            ways.add(arm, play_exchanged(question.piece(deck, arm, played - scale.chunk, played)))
        worth, over = ways.worth(nothing), ways.worth(as_usual)
        yield {
            "progress": played / scale.games,
            "says": verdict(worth, over, scale),
            "worth": worth.as_json(),
            "more": over.as_json(),
            "usual": usual.id,
            "place": place,
            "ahead": scale is AHEAD,
            "games": 3 * played,
        }


def scale_for(card: Card) -> Scale:
    """Rules of thumb know what points are worth; what becomes of cards shows only to those who look ahead."""
    is_points = all(effect.action in POINTS for effect in card.program.effects)
    return BY_THUMB if is_points else AHEAD


def verdict(worth: Interval, more: Interval, scale: Scale) -> Says:
    """What the numbers say of a card; the middle, as long as they say nothing for sure."""
    if worth.high < scale.dead:
        return "dead"
    if more.low > scale.strong:
        return "strong"
    return "weak" if more.high < -scale.weak else "usual"


def place_for(card: Card, cards: CardSet, deck: Deck) -> str | None:
    """The card of the deck that comes as this one does, nearest to it in price; None where there is none."""
    listed = [cards.by_id[card_id] for card_id, _ in deck.cards]
    alike = [one for one in listed if one.program.super == card.program.super]
    ranked = sorted(alike, key=lambda one: (one.id != card.id, *_unlike(card, one), one.id))
    return ranked[0].id if ranked else None


def _unlike(card: Card, other: Card) -> tuple[bool, bool, float]:
    far = abs(price(card.program) - price(other.program))
    return blank_id(card) != blank_id(other), card.rarity != other.rarity, far


def usual_card(card: Card) -> Card:
    """The card of the core set that others of its kind are measured by."""
    traits = blank_id(card)
    return core_set().by_id[MEASURES.get(traits) or MEASURES[card.rarity]]


# ---------------------------------------------------------------- decks


def weigh_set(cards: CardSet, decks: Mapping[str, Deck], options: Json) -> Iterator[Json]:
    """The decks of a set against each other, told after every so many games of each pairing."""
    game = Duel(card_set=cards, **Duel.known(options))
    matrix = Matrix(Players(game, BY_THUMB.bot, "workshop"), Wanted(PAIR_GAMES), dict(decks))
    names = list(decks)
    for first in range(0, PAIR_GAMES, PAIR_CHUNK):
        for pair in combinations(names, 2):
            found = play_meetings(matrix.piece(pair, first, first + PAIR_CHUNK))
            matrix.add(pair, found["counts"])
        yield {
            "progress": (first + PAIR_CHUNK) / PAIR_GAMES,
            "names": names,
            "codes": [encode(deck, cards, game.limits) for deck in decks.values()],
            "field": [matrix.field(name).as_json() for name in names],
            "matrix": [[None if a == b else matrix.share(a, b).as_json() for b in names] for a in names],
            "games": matrix.games,
        }


# ---------------------------------------------------------------- jobs


def answers(job: Json) -> Iterator[Json]:
    """What is asked, checked by the rules again: what comes from elsewhere is not believed."""
    cards = read_cards(job["cards"]) if job.get("cards") else core_set()
    options = job.get("options", {})
    decks = playable(job.get("decks", []), Duel(card_set=cards, **Duel.known(options)))
    if job["kind"] == "card":
        card = Card(job["id"], "", "", job["rarity"], read(job["text"]))
        return weigh_there(card, cards, decks, options)
    if len(decks) < 2:
        raise Refused("workshop.few_decks")
    return weigh_set(cards, decks, options)


def playable(told: list[Json], game: Duel) -> dict[str, Deck]:
    """Those of the decks that may be played, by their names."""
    found = {one["name"]: deck_of(game.card_set.name, one["cards"]) for one in told}
    return {name: deck for name, deck in found.items() if not faults(deck, game.card_set, game.limits)}


def weigh_there(card: Card, cards: CardSet, decks: dict[str, Deck], options: Json) -> Iterator[Json]:
    """In the first deck that has the card, or one like it; where there is none, in those of the core set."""
    if not decks:
        cards, options = core_set(), {}
        decks = {name: ready_decks()[name] for name in AGAINST}
    with_it = [deck for deck in decks.values() if card.id in dict(deck.cards)]
    hosts = [deck for deck in (*with_it, *decks.values()) if place_for(card, cards, deck)]
    if not hosts:
        raise Refused("workshop.no_place")
    return weigh(card, cards, hosts[0], decks, options)


def main() -> None:
    source, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    sys.stdout = sys.stderr  # nothing but answers goes the way of answers
    with suppress(OSError, AttributeError):
        os.nice(KINDNESS)
    prepare()
    say(out, b"ready")
    while (body := hear(source)) is not None:
        for told in all_answers(msgspec.json.decode(body)):
            say(out, msgspec.json.encode(told))
            if hear(source) != b"on":
                break


def all_answers(job: Json) -> Iterator[Json]:
    """The last one says that it is the last."""
    told: Json = {}
    try:
        for told in answers(job):
            yield {**told, "last": False}
    except Refused as error:
        yield {"refused": {lang: error.message(lang) for lang in ("ru", "en")}, "last": True}
    else:
        yield {**told, "last": True}


def prepare() -> None:
    """Whatever is compiled is compiled now."""
    decks = {name: ready_decks()[name] for name in AGAINST[:2]}
    host = decks[AGAINST[0]]
    for scale in (BY_THUMB, AHEAD):
        question = CardQuestion(Duel(), {"": host}, decks, scale.bot, "ready", Wanted(1))
        play_exchanged(question.piece(host, Arm("", ""), 0, 2))


if __name__ == "__main__":
    main()
