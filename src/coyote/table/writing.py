"""A card as it is written, and a set as a file: what is asked of them, and all that can be answered."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from coyote.games.duel import reading
from coyote.games.duel.language import (
    ACTIONS,
    ALL,
    LIMITS,
    POINTS,
    Action,
    Condition,
    Per,
    Program,
    Zone,
    language_of,
    write,
)
from coyote.games.duel.pricing import price, prices, usual_prices
from coyote.games.duel.records import read_card
from coyote.games.duel.set_formats import Entry, stanza
from coyote.games.duel.sets import (
    LONGEST_ID,
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_EFFECTS,
    Card,
    Rarity,
    core_set,
)
from coyote.games.game import Json, RecordError
from coyote.table import library
from coyote.table.bodies import Few, Strict
from coyote.table.library import CardShown, card_shown
from coyote.table.set_trial import Format, as_said
from coyote.text import LANGUAGES, Lang, Refusal, Words

MOST_NEAR = 3
NEAR_SCALE = 12.0  # cards that are further from each other are not like each other

Both = dict[Lang, str]
Title = Annotated[str, Field(max_length=LONGEST_NAME)]


# ---------------------------------------------------------------- cards


class AboutCard(Strict):
    """What a card is besides its text; `set` is one of one's own, in which near cards are looked for."""

    id: str = Field("", max_length=LONGEST_ID)
    name: Annotated[dict[Lang, Title], Few] = Field(default_factory=dict)
    rarity: Rarity = "common"
    set: str | None = Field(None, max_length=40)


class WrittenCard(AboutCard):
    """`at` is where the next word shall stand; the end, if it is not said."""

    text: str = Field(max_length=2000)
    at: int | None = Field(None, ge=0, le=2000)
    lang: Lang | None = None


class PickedEffect(Strict):
    action: Action
    amount: int = 0
    per: Per | None = None
    zone: Zone | None = None
    opponent: bool = False
    first: int = 0
    turns: int = 1
    condition: Condition | None = None
    threshold: int = 0


class PickedCard(AboutCard):
    auto: bool = False
    super: bool = False
    effects: Annotated[list[PickedEffect], Few] = Field(max_length=16)


class CardFault(BaseModel):
    """A fault of a text from `start` to `end`, or of an effect by its number; `expected` may stand there."""

    start: int
    end: int
    effect: int | None
    code: str
    text: str
    expected: list[str]
    nearest: str | None


class Completions(BaseModel):
    start: int
    words: list[str]


class StepShown(BaseModel):
    when: Both
    condition: Both | None
    what: Both


class DueShown(BaseModel):
    """What comes in a turn, counted from the one in which the card is played: the numbers of its effects."""

    turn: int
    effects: list[int]


class PriceShown(BaseModel):
    """An estimate in points of health, of the whole card and of each effect; `usual` is the core set's."""

    points: float
    effects: list[float]
    usual: tuple[float, float]
    says: Literal["low", "usual", "high"]


class NearCard(BaseModel):
    id: str
    name: Both
    set: Literal["core", "own"]
    text: Both
    same: bool = Field(description="it does exactly the same")
    difference: float


class CardRead(BaseModel):
    """A card as far as it can be read; without a fault it has everything. `lang` is the text's."""

    text: str
    lang: Lang
    faults: list[CardFault]
    completions: Completions
    card: CardShown | None
    stanza: str = Field(description="the card as it stands in a set's file, right or wrong")
    steps: list[StepShown]
    timeline: list[DueShown]
    price: PriceShown | None
    nearest: list[NearCard]


class ActionShown(BaseModel):
    action: Action
    look: str
    title: Both
    counts: bool
    points: bool
    zones: list[Zone]
    least: int
    most: int
    all: int | None = Field(description="the amount that means all of it, where there is one")


class WordShown(BaseModel):
    key: str
    title: Both


class ConditionShown(WordShown):
    """`counts`: it has a number of its own, the threshold."""

    counts: bool


class LanguageShown(BaseModel):
    """All that effects can be picked from."""

    actions: list[ActionShown]
    per: list[WordShown]
    zones: list[WordShown]
    conditions: list[ConditionShown]
    traits: list[WordShown]
    most_turns: int
    most_threshold: int
    most_effects: int
    longest_text: int


# ---------------------------------------------------------------- files


class SetText(Strict):
    """`name` is what the set is called if it does not say; `into` asks for the same cards as such a file."""

    text: str
    format: Format = "toml"
    into: Format | None = None
    name: Title = ""


class SetFault(BaseModel):
    line: int
    column: int
    card: str | None
    code: str
    text: str


class CardInFile(BaseModel):
    """What a file says of a card, and the lines where it does; `good`: nothing is wrong with it."""

    id: str
    name: Both
    rarity: str
    text: str
    good: bool
    first: int
    last: int


class CheckedSet(BaseModel):
    """`digest` where nothing is wrong; `known`: a version of that digest is kept already."""

    name: str
    digest: str | None
    cards: list[CardInFile]
    faults: list[SetFault]
    written: str | None


# ---------------------------------------------------------------- how cards are shown


def read_written(asked: WrittenCard, own: list[Card], lang: Lang) -> CardRead:
    found = reading.read_card(asked.text)
    at = len(asked.text) if asked.at is None else min(asked.at, len(asked.text))
    start, words = reading.complete(asked.text, at, asked.lang or lang)
    shown = [
        CardFault(
            start=one.start, end=one.end, effect=None, code=one.why.code, text=said(one.why, lang),
            expected=list(one.expected), nearest=one.nearest,
        )
        for one in found.faults
    ]  # fmt: skip
    spoken = language_of(asked.text) if any(map(str.isalpha, asked.text)) else asked.lang or lang
    return card_read(
        asked, asked.text, spoken, found.program, shown, Completions(start=start, words=words), own
    )


def read_picked(asked: PickedCard, own: list[Card], lang: Lang) -> CardRead:
    picked = [effect.model_dump() for effect in asked.effects]
    program, wrong = reading.effects_program(asked.auto, asked.super, picked)
    shown = [
        CardFault(
            start=0, end=0, effect=number, code=why.code, text=said(why, lang), expected=[], nearest=None
        )
        for number, why in wrong
    ]
    text = write(program, lang) if program else ""
    return card_read(asked, text, lang, program, shown, Completions(start=len(text), words=[]), own)


def said(why: Refusal, lang: Lang) -> str:
    return library.sentence(Words(lang).refusal(why))


def card_read(
    asked: AboutCard,
    text: str,
    lang: Lang,
    program: Program | None,
    wrong: list[CardFault],
    completions: Completions,
    own: list[Card],
) -> CardRead:
    names = {one: asked.name.get(one, "") for one in LANGUAGES}
    written = stanza(Entry(asked.id, names["ru"], names["en"], asked.rarity, text))
    if program is None:
        return CardRead(
            text=text, lang=lang, faults=wrong, completions=completions, card=None, stanza=written, steps=[],
            timeline=[], price=None, nearest=[],
        )  # fmt: skip
    card = Card(asked.id or "card", names["ru"], names["en"], asked.rarity, program)
    return CardRead(
        text=text,
        lang=lang,
        faults=wrong,
        completions=completions,
        card=card_shown(card),
        stanza=written,
        steps=[
            StepShown(
                when=both(step.when),
                condition=both(step.condition) if step.condition else None,
                what=both(step.what),
            )
            for step in reading.steps(program)
        ],
        timeline=[DueShown(turn=turn, effects=effects) for turn, effects in reading.timeline(program)],
        price=price_shown(card),
        nearest=near_cards(card, own),
    )


def both(told: Refusal) -> Both:
    return {lang: Words(lang).refusal(told) for lang in LANGUAGES}


def price_shown(card: Card) -> PriceShown:
    points, usual = price(card.program), usual_prices(card)
    says: Literal["low", "usual", "high"] = (
        "low" if points < usual[0] else "high" if points > usual[1] else "usual"
    )
    return PriceShown(
        points=round(points, 1),
        effects=[round(one, 1) for one in prices(card.program)],
        usual=usual,
        says=says,
    )


def near_cards(card: Card, own: list[Card]) -> list[NearCard]:
    others = [one for one in own if one.id != card.id]
    found = [
        near_card(card, "core", *one) for one in reading.nearest(card.program, core_set().cards, MOST_NEAR)
    ]
    found += [near_card(card, "own", *one) for one in reading.nearest(card.program, others, MOST_NEAR)]
    near = [one for one in found if one.difference <= NEAR_SCALE]
    return sorted(near, key=lambda one: (not one.same, one.difference))


def near_card(card: Card, where: Literal["core", "own"], other: Card, far: float) -> NearCard:
    return NearCard(
        id=other.id,
        name={lang: other.name(lang) for lang in LANGUAGES},
        set=where,
        text={lang: other.text(lang) for lang in LANGUAGES},
        same=other.program == card.program,
        difference=round(far, 1),
    )


def good_cards(look: Json) -> list[Card]:
    cards = []
    for told in look["cards"]:
        if told["good"]:
            try:
                cards.append(read_card(told))
            except RecordError:
                continue
    return cards


def checked_set(look: Json, lang: Lang) -> CheckedSet:
    words = Words(lang)
    cards = [
        CardInFile(**{**told, "name": {"ru": told.pop("ru"), "en": told.pop("en")}})
        for told in map(dict, look["cards"])
    ]
    return CheckedSet(
        name=look["name"],
        digest=look["digest"],
        cards=cards,
        faults=[set_fault(as_said(told), words) for told in look["faults"]],
        written=look["written"],
    )


def set_fault(why: Refusal, words: Words) -> SetFault:
    about = why.values.get("about")
    return SetFault(
        line=why.values.get("line", 0),
        column=why.values.get("column", 0),
        card=about.values["id"] if about else None,
        code=why.code,
        text=library.sentence(words(why.code, **why.values)),
    )


def language_shown() -> LanguageShown:
    """The language of cards, for lists to pick effects from."""
    return LanguageShown(
        actions=[
            ActionShown(
                action=action, look=kind.look, title=titled(f"action.{action}"), counts=kind.counts,
                points=kind.points, zones=list(kind.zones),
                least=LIMITS["n" if action in POINTS else "cards"][0] if kind.counts else 0,
                most=LIMITS["n" if action in POINTS else "cards"][1] if kind.counts else 0,
                all=ALL if action is Action.BLOCK else None,
            )
            for action, kind in ACTIONS.items()
        ],
        per=[WordShown(key=one, title=titled(f"duel.reading.picked.per.{one}")) for one in Per],
        zones=[WordShown(key=one, title=titled(f"duel.reading.picked.zone.{one}")) for one in Zone],
        conditions=[
            ConditionShown(
                key=one,
                title=titled(f"duel.reading.picked.condition.{one}"),
                counts=one is Condition.HEALTH,
            )
            for one in Condition
        ],
        traits=[
            WordShown(key=one, title=titled(f"duel.reading.picked.trait.{one}")) for one in ("auto", "super")
        ],
        most_turns=LIMITS["turns"][1],
        most_threshold=LIMITS["n"][1],
        most_effects=MOST_EFFECTS,
        longest_text=LONGEST_TEXT,
    )  # fmt: skip


def titled(key: str) -> Both:
    return {lang: Words(lang)(key) for lang in LANGUAGES}
