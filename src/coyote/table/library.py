"""Cards and decks for the pages: the core set, the ready decks, decks of any set checked, a first hand dealt.

Nothing here is kept. What a deck may have is asked of `games.duel.decks` (D19), so no page decides it.
"""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from functools import cache, lru_cache
from threading import Lock
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from coyote.games.duel.decks import (
    Deck,
    DeckCodeError,
    deck_of,
    decode,
    encode,
    faults,
    ready_decks,
    set_of_code,
)
from coyote.games.duel.game import Duel
from coyote.games.duel.language import ACTIONS, ALL, POINTS, Action, Effect, Look, Program, Zone, write
from coyote.games.duel.sets import LONGEST_ID, Card, CardSet, core_set
from coyote.games.game import Game, Json
from coyote.match import Match
from coyote.table.bodies import Few, Strict, Word
from coyote.text import LANGUAGES, Lang, Refusal, Refused, Words, language_of_header

BLOCK_ALL_IS = 20  # points that "block all" counts for in the chart, as in `coyote deck show`
CHART = (Look.ATTACK, Look.BLOCK, Look.HEAL, Look.DRAW, Look.STRIP)  # the rows of the chart
FIRST_DECK = "oasis"  # most of its cards are met in the first game
MOST_IDS = 60  # of a deck that is asked about: more than any may have
KEPT_SETS = 16  # of guests, as pages show them: the last ones asked for
FIELDS = tuple(field.name for field in fields(Effect))
AGES = 5  # columns of the chart: this turn, the next … the fifth and later

router = APIRouter()


# ---------------------------------------------------------------- what is asked and answered


class CardShown(BaseModel):
    """A card; `pieces` are its text cut into `[kind, words]`, for keywords in their colours."""

    id: str
    rarity: str
    name: dict[Lang, str]
    text: dict[Lang, str]
    pieces: dict[Lang, list[tuple[str, str]]]
    auto: bool
    super: bool
    main: str = Field(description="what gives the card its colour: attack, block, heal, draw or strip")
    does: list[str] = Field(description="what its owner has of it: attack, block, heal, draw, strip")
    last: int = Field(description="the age at which the card is due for the last time (D22)")
    effects: list[dict[str, Any]]


class SetShown(BaseModel):
    set: str
    digest: str
    core: bool
    cards: list[CardShown]


class DeckShown(BaseModel):
    id: str
    name: dict[Lang, str]
    description: dict[Lang, str]
    cards: list[str]
    code: str


class AskedDeck(Strict):
    """A deck as a list of ids, two copies twice, or as a code; `set` is the digest of its set, if that is not
    the core one and a code does not say so; `options` are the house rules of the match."""

    cards: Annotated[list[Annotated[str, Field(max_length=LONGEST_ID)]], Few] = Field(
        default_factory=list, max_length=MOST_IDS
    )
    code: str | None = Field(None, max_length=400)
    set: str | None = Field(None, pattern=r"^[0-9a-f]{32}$")
    options: Annotated[dict[Word, Word | bool | int], Few] = Field(default_factory=dict, max_length=40)


class FaultShown(BaseModel):
    text: str
    rule: str | None
    cards: list[str]


class Work(BaseModel):
    """How much of one thing all cards of a deck do, by the age at which it is due."""

    what: str
    ages: list[int]


class Summary(BaseModel):
    cards: int
    common: int
    rare: int
    auto: int
    super: int
    works: list[Work]


class CheckedDeck(BaseModel):
    """`set` is the digest of the set that it was checked with."""

    set: str
    faults: list[FaultShown]
    code: str | None
    cards: list[str]
    summary: Summary


class Hand(BaseModel):
    """What a game with the deck may begin with; `play` are Autos, which come by themselves (D5)."""

    hand: list[str]
    play: list[str]


# ---------------------------------------------------------------- requests


@router.get("/api/cards")
def cards() -> SetShown:
    """The core set, with all that a page needs to show its cards."""
    return set_shown()


@router.get("/api/decks")
def decks() -> list[DeckShown]:
    """The ready decks, and first the one for whoever has just learned to play."""
    found = sorted(ready_decks().values(), key=lambda deck: deck.id != FIRST_DECK)
    return [deck_shown(deck) for deck in found]


@router.post("/api/decks/check")
def check(asked: AskedDeck, request: Request) -> CheckedDeck:
    """Everything that is wrong with a deck, its code where it is legal, and what it does."""
    lang = language_of_header(request.headers.get("accept-language", ""))
    game = asked_game(asked, request)
    cards = game.card_set
    try:
        deck = asked_deck(asked, cards)
    except DeckCodeError as error:
        return CheckedDeck(
            set=cards.digest,
            faults=[FaultShown(text=sentence(error.message(lang)), rule=None, cards=[])],
            code=None,
            cards=[],
            summary=summary([]),
        )
    found = faults(deck, cards, game.limits)
    return CheckedDeck(
        set=cards.digest,
        faults=[fault_shown(fault, cards, lang) for fault in found],
        code=None if found else code_of(deck, game),
        cards=deck.ids(),
        summary=summary(known(deck, cards)),
    )


@router.post("/api/decks/hand")
def hand(asked: AskedDeck, request: Request) -> Hand:
    """A first hand from a legal deck, dealt by the rules (D2, D5); nothing from any other."""
    game = asked_game(asked, request)
    try:
        deck = asked_deck(asked, game.card_set)
    except DeckCodeError:
        return Hand(hand=[], play=[])
    if faults(deck, game.card_set, game.limits):
        return Hand(hand=[], play=[])
    seen = Match(game, game.settle((deck, deck))).view_json(0)
    return Hand(hand=seen["hand"], play=[card_id for card_id, _age in seen["play"][0]])


def asked_game(asked: AskedDeck, request: Request) -> Duel:
    """The match that a deck is for; OptionError, Denied."""
    digest = asked.set
    if digest is None and asked.code is not None:
        with suppress(DeckCodeError):
            digest = set_of_code(asked.code)
    cards = core_set() if digest is None else request.app.state.card_sets.get(digest)
    return Duel(card_set=cards, **Duel.known(asked.options))


def asked_deck(asked: AskedDeck, cards: CardSet) -> Deck:
    return decode(asked.code, cards) if asked.code is not None else deck_of(cards.name, asked.cards)


def code_of(deck: Deck, game: Duel) -> str | None:
    """A code tells only so many copies."""
    try:
        return encode(deck, game.card_set, game.limits)
    except Refused:
        return None


def known(deck: Deck, cards: CardSet) -> list[Card]:
    return [card for card_id in deck.ids() if (card := cards.get(card_id))]


# ---------------------------------------------------------------- how things are shown


@cache
def set_shown() -> SetShown:
    return shown(core_set())


def shown(cards: CardSet) -> SetShown:
    shown = [card_shown(card) for card in cards.cards]
    return SetShown(set=cards.name, digest=cards.digest, core=is_core(cards), cards=shown)


def is_core(cards: CardSet) -> bool:
    """Whatever it is called."""
    return cards.digest == core_set().digest


def cards_of(game: Game) -> SetShown:
    """The cards that a game is played with; none where it has no set of them."""
    return (
        shown(game.card_set) if isinstance(game, Duel) else SetShown(set="", digest="", core=False, cards=[])
    )


_kept: OrderedDict[str, bytes] = OrderedDict()  # sets as pages show them, by their digests
_keeping = Lock()


def cards_json(game: Game) -> bytes:
    """The same as JSON."""
    return set_json(game.card_set) if isinstance(game, Duel) else cards_of(game).model_dump_json().encode()


def set_json(cards: CardSet) -> bytes:
    """A large set takes its time, so it is for a thread, and the last ones are kept."""
    body = _kept.get(cards.digest)
    if body is None:
        told = {"set": cards.name, "digest": cards.digest, "core": is_core(cards)}
        body = msgspec.json.encode({**told, "cards": [card_json(card) for card in cards.cards]})
    with _keeping:
        _kept[cards.digest] = body
        _kept.move_to_end(cards.digest)
        if len(_kept) > KEPT_SETS:
            _kept.popitem(last=False)
    return body


def card_shown(card: Card) -> CardShown:
    return CardShown(**card_json(card))


def card_json(card: Card) -> Json:
    """As `CardShown` has it."""
    program = card.program
    return {
        "id": card.id,
        "rarity": card.rarity,
        "name": {lang: card.name(lang) for lang in LANGUAGES},
        "text": {lang: card.text(lang) for lang in LANGUAGES},
        "pieces": {lang: list(pieces(program, lang)) for lang in LANGUAGES},
        "auto": program.auto,
        "super": program.super,
        "main": main(program),
        "does": sorted({what for effect in program.effects if (what := work_of(effect))}),
        "last": max(effect.last for effect in program.effects),
        "effects": [effect_shown(effect) for effect in program.effects],
    }


def effect_shown(effect: Effect) -> dict[str, Any]:
    """All of it, and what it looks like; `gain`: its owner has something of it."""
    look = ACTIONS[effect.action].look
    return {
        **{name: getattr(effect, name) for name in FIELDS},
        "last": effect.last,
        "look": look,
        "gain": work_of(effect) is not None,
    }


def main(program: Program) -> str:
    """A card's colour is that of what it does first; blows, cures and shields before the rest."""
    first = next((effect for effect in program.effects if effect.action in POINTS), program.effects[0])
    return ACTIONS[first.action].look


def pieces(program: Program, lang: Lang) -> Iterator[tuple[str, str]]:
    """The text cut up without a letter changed: traits, what is done (by its colour), and the rest."""
    text = write(program, lang)
    small = text.lower()
    at = 0
    for kind, words in keywords(program, text, lang):
        place = small.index(words, at)
        if place > at:
            yield "", text[at:place]
        at = place + len(words)
        yield kind, text[place:at]
    yield "", text[at:]


def keywords(program: Program, text: str, lang: Lang) -> Iterator[tuple[str, str]]:
    """What stands out in a text, in its order and in small letters."""
    traits = program.auto + program.super
    for word in text.split(maxsplit=traits)[:traits]:
        yield "trait", word.lower().rstrip(".")
    for effect in program.effects:
        yield ACTIONS[effect.action].look, bare(effect, lang)


def bare(effect: Effect, lang: Lang) -> str:
    """An action by itself: "attack 3" of "Next turn: attack 3 for each card in hand."."""
    return said(effect.action, effect.amount, effect.zone, lang)


@lru_cache(maxsize=4096)
def said(action: Action, amount: int, zone: Zone | None, lang: Lang) -> str:
    alone = Effect(action, amount, zone=zone)
    return write(Program(False, False, (alone,)), lang).rstrip(".").lower()


def deck_shown(deck: Deck) -> DeckShown:
    return DeckShown(
        id=deck.id,
        name={lang: deck.name(lang) for lang in LANGUAGES},
        description={lang: deck.description(lang) for lang in LANGUAGES},
        cards=deck.ids(),
        code=encode(deck, core_set()),
    )


def fault_shown(fault: Refusal, cards: CardSet, lang: Lang) -> FaultShown:
    """In words, with the cards by their names, as on the page; files and commands have them by ids."""
    ids = fault.values["cards"]
    names = [card.name(lang) if (card := cards.get(id)) else id for id in ids]
    text = Words(lang)(fault.code, **{**fault.values, "cards": names})
    return FaultShown(text=sentence(text), rule=fault.rule, cards=list(ids))


def sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def summary(listed: list[Card]) -> Summary:
    return Summary(
        cards=len(listed),
        common=sum(card.rarity == "common" for card in listed),
        rare=sum(card.rarity == "rare" for card in listed),
        auto=sum(card.program.auto for card in listed),
        super=sum(card.program.super for card in listed),
        works=works(listed),
    )


def works(listed: list[Card]) -> list[Work]:
    """What the cards do together, every due turn counted."""
    sums = {look.value: [0] * AGES for look in CHART}
    for card in listed:
        for effect in card.program.effects:
            if (what := work_of(effect)) is not None:
                for age in range(effect.first, effect.last + 1):
                    sums[what][min(age, AGES - 1)] += worth(effect)
    return [Work(what=what, ages=ages) for what, ages in sums.items()]


def work_of(effect: Effect) -> str | None:
    """What the owner has of an effect; None where it is a price that the owner pays."""
    kind = ACTIONS[effect.action]
    return kind.look if kind.counts and effect.opponent == kind.is_loss else None


def worth(effect: Effect) -> int:
    return BLOCK_ALL_IS if effect.amount == ALL else max(effect.amount, 1)
