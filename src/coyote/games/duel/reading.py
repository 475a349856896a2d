"""All that can be said of one card while it is being written, from its text alone.

What is wrong and where, what may follow, its steps in plain words, the turns in which they come, the cards
nearest to it; and the other way round, from effects picked from lists to a text. Estimates of its price are
in `pricing`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from coyote.games.duel.language import (
    ACTIONS,
    ALL,
    LIMITS,
    POINTS,
    ZONES,
    Action,
    CardTextError,
    Condition,
    Effect,
    Program,
    continuations,
    language_of,
    read,
)
from coyote.games.duel.pricing import LAST_TURN, LATER, due
from coyote.games.duel.sets import LONGEST_TEXT, MOST_EFFECTS, Card
from coyote.text import Lang, Refusal

MOST_FAULTS: Final = 8  # of one text
_BETWEEN: Final = " \n\t"


# ------------------------------------------------------------------------------
# What is wrong


@dataclass(frozen=True)
class TextFault:
    """A fault of a text: what of it is underlined, and what could stand there."""

    start: int
    end: int
    why: Refusal
    expected: tuple[str, ...] = ()
    nearest: str | None = None


@dataclass(frozen=True)
class CardText:
    """A text, its program if it has one, and everything that is wrong with it."""

    text: str
    program: Program | None
    faults: list[TextFault]


def read_card(text: str) -> CardText:
    """Each sentence by itself, so that a fault in one does not hide those of the others."""
    if len(text) > LONGEST_TEXT:
        why = Refusal("file.long", "", {"key": "text", "most": LONGEST_TEXT})
        return CardText(text, None, [TextFault(LONGEST_TEXT, len(text), why)])
    faults: list[TextFault] = []
    left = text
    while len(faults) < MOST_FAULTS:
        try:
            program = read(left)
        except CardTextError as error:
            if faults and (error.code == "duel.text.empty" or error.values["offset"] <= faults[-1].start):
                break
            faults.append(_fault(text, error))
            left = _without_sentence(left, error.values["offset"])
        else:
            break
    if faults:
        return CardText(text, None, faults)
    if (count := len(program.effects)) > MOST_EFFECTS:
        why = Refusal("set.effects", "", {"count": count, "most": MOST_EFFECTS})
        return CardText(text, None, [TextFault(0, len(text), why)])
    return CardText(text, program, [])


def _fault(text: str, error: CardTextError) -> TextFault:
    start = error.values["offset"]
    end = start
    while end < len(text) and (text[end].isalnum() or text[end] in "'’"):
        end += 1
    values = {key: value for key, value in error.values.items() if key not in ("line", "column")}
    why = Refusal(error.code, error.refusal.rule, values)
    return TextFault(
        start, max(end, min(start + 1, len(text))), why, error.values["expected"], error.values["nearest"]
    )


def _without_sentence(text: str, at: int) -> str:
    """The text with spaces in the place of the sentence that has this letter; all others stay in place."""
    first = text.rfind(".", 0, at) + 1
    last = text.find(".", at)
    last = len(text) if last < 0 else last + 1
    return text[:first] + " " * (last - first) + text[last:]


# ------------------------------------------------------------------------------
# What may follow


def complete(text: str, at: int, lang: Lang) -> tuple[int, list[str]]:
    """What may stand at a place: where it begins, and words that begin as what is there already.

    >>> complete("Next turn: att", 14, "en")
    (11, ['attack'])
    """
    before = text[:at]
    start = at
    while start and (before[start - 1].isalpha() or before[start - 1] in "'’"):
        start -= 1
    whole = before[:start].strip()
    begun = before[start:]
    spoken = language_of(text) if any(letter.isalpha() for letter in text) else lang
    found = continuations(before[:start], spoken)
    if not begun and before and before[-1] not in _BETWEEN and not whole.endswith((".", ",", ":")):
        found = [word for word in found if word in ".,:"] or found
    opens = not whole or whole.endswith(".")
    told = [word if opens else word[0].lower() + word[1:] for word in found]
    return start, [word for word in told if word.casefold().startswith(begun.casefold())]


# ------------------------------------------------------------------------------
# What it does


@dataclass(frozen=True)
class Step:
    """An effect in plain words: when it comes, on what condition, what happens."""

    when: Refusal
    condition: Refusal | None
    what: Refusal


def steps(program: Program) -> list[Step]:
    return [Step(_when(effect), _condition(effect), _what(effect)) for effect in program.effects]


def _said(code: str, **values: Any) -> Refusal:
    return Refusal(f"duel.reading.{code}", "", values)


def _when(effect: Effect) -> Refusal:
    if effect.turns > 1:
        return _said("when.for_next" if effect.first else "when.for", n=effect.turns)
    return (
        (_said("when.now"), _said("when.next"))[effect.first]
        if effect.first < 2
        else _said("when.in", n=effect.first)
    )


def _condition(effect: Effect) -> Refusal | None:
    if effect.condition is None:
        return None
    return _said(f"condition.{effect.condition}", n=effect.threshold)


def _what(effect: Effect) -> Refusal:
    """Who does what; an amount that is counted says what of."""
    who = "they" if effect.opponent else "you"
    if effect.amount == ALL:
        return _said(f"{who}.block_all")
    amount = _said(f"per.{who}.{effect.per}", n=effect.amount) if effect.per else effect.amount
    zone = f".{effect.zone}" if effect.zone else ""
    return _said(f"{who}.{effect.action}{zone}", n=effect.amount, amount=amount)


def timeline(program: Program) -> list[tuple[int, list[int]]]:
    """The turns from now in which something comes, with the numbers of the effects that do (D22)."""
    turns: dict[int, list[int]] = {}
    for number, ages in enumerate(due(program)):
        for age in ages:
            turns.setdefault(age, []).append(number)
    return sorted(turns.items())


# ------------------------------------------------------------------------------
# From lists


FIELDS: Final = tuple(field.name for field in fields(Effect))


def effects_program(
    auto: bool, super_: bool, effects: Sequence[Mapping[str, Any]]
) -> tuple[Program | None, list[tuple[int, Refusal]]]:
    """The card with these effects; or what cannot be said, each with the number of its effect."""
    faults = [(number, why) for number, effect in enumerate(effects) for why in _unsayable(effect)]
    if not effects:
        faults.append((0, Refusal("duel.text.empty")))
    if faults:
        return None, faults
    return Program(auto, super_, tuple(Effect(**effect) for effect in effects)), []


def _unsayable(effect: Mapping[str, Any]) -> Iterator[Refusal]:
    """Why no card can say this effect."""
    action: Action = effect["action"]
    kind, amount = ACTIONS[action], effect["amount"]
    low, high = LIMITS["n" if action in POINTS else "cards"]
    if kind.counts and not low <= amount <= high and not (action is Action.BLOCK and amount == ALL):
        yield _said("unsayable.amount", low=low, high=high)
    if not kind.counts and amount:
        yield _said("unsayable.no_amount")
    if effect["per"] and (action not in POINTS or amount == ALL):
        yield _said("unsayable.per")
    if effect["zone"] not in ZONES.get(action, (None,)):
        yield _said("unsayable.zone")
    first, turns = effect["first"], effect["turns"]
    low, high = LIMITS["turns"]
    if not 0 <= first <= high or not low <= turns <= high or (turns > 1 and first > 1):
        yield _said("unsayable.time", most=high)
    low, high = LIMITS["n"]
    if not low <= effect["threshold"] <= high or (
        effect["threshold"] and effect["condition"] is not Condition.HEALTH
    ):
        yield _said("unsayable.threshold", low=low, high=high)
    if effect["opponent"] and action is Action.SET_ASIDE_THIS:
        yield Refusal("duel.reading.unsayable.this_card", "D16")


# ------------------------------------------------------------------------------
# What it is like


def difference(one: Program, other: Program) -> float:
    """How far two cards are from each other, in points of health about; 0 for cards that do the same."""
    mine, theirs = traits_of(one), traits_of(other)
    return sum(abs(mine[key] - theirs[key]) for key in mine.keys() | theirs.keys())


TRAIT: Final = 8.0  # how much a trait tells cards apart
MOVED: Final = 3.0  # a card that is moved, in points
ALL_BLOCKED: Final = 20.0
COUNTED: Final = 3.5  # cards that are usually counted (D24)


def traits_of(program: Program) -> dict[tuple[object, ...], float]:
    """How much of what a card does, all turns together; the same amount later is a little less."""
    found: dict[tuple[object, ...], float] = defaultdict(float)
    found["auto",] = TRAIT * program.auto
    found["super",] = TRAIT * program.super
    for effect, ages in zip(program.effects, due(program), strict=True):
        amount = ALL_BLOCKED if effect.amount == ALL else float(max(effect.amount, 1))
        amount *= (COUNTED if effect.per else 1.0) if effect.action in POINTS else MOVED
        does = (effect.action, effect.opponent, effect.zone)
        parts = {age: amount * LATER**age for age in ages if age <= LAST_TURN}
        found[does] += sum(parts.values())
        if effect.condition or effect.per:
            found[(*does, effect.condition, effect.per)] += sum(parts.values()) / 2
        for age, part in parts.items():
            found["when", age] += part / 3
    return found


def nearest(program: Program, cards: Iterable[Card], most: int = 3) -> list[tuple[Card, float]]:
    """The cards that do most nearly the same, the nearest first."""
    ranked = sorted(
        ((difference(program, card.program), card.id, card) for card in cards), key=lambda one: one[:2]
    )
    return [(card, far) for far, _, card in ranked[:most]]
