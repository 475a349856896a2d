"""What a card is worth in points of health, from its text alone: a first estimate, made without playing.

Each effect is worth its points, or so much for each card it moves, for every turn in which it is due, less
for later ones and for what is not sure to come. Blocks count no further than what is usually attacked with.
The numbers below are of the middle of a usual game; the core set's common cards come to 10 to 13 points
with them, and its rare ones to more. What a card does together with others nobody learns from its text: for
that it is weighed by playing.
"""

from __future__ import annotations

from typing import Final

from coyote.games.duel.cards import card_table
from coyote.games.duel.language import ALL, Action, Condition, Effect, Per, Program, Zone
from coyote.games.duel.rules import is_due
from coyote.games.duel.sets import Card, CardSet, core_set

LATER: Final = 0.93  # what a point is worth a turn later
GETS_THROUGH: Final = 0.9  # the part of an attack that is not blocked
HEALS: Final = 0.95  # the part of healing that is not above the most
LAST_TURN: Final = 8  # effects that are due later hardly come any more
USUAL_BLOW: Final = 11.0  # what an opponent attacks with who does
TIMED: Final = 0.95  # how often a blow comes when a block is played
UNTIMED: Final = 0.7  # and when a block comes later than it was played
DRAWN: Final = 2.5  # a card more in hand
LOST: Final = 2.0  # a card fewer in hand
IN_DECK: Final = 0.6  # a card fewer in deck or discard
IN_PLAY: Final = 6.0  # a card that still works
THIS_CARD: Final = 5.0  # this card, which is not there any more in the next deck
AUTO: Final = 4.5  # it takes no turn
USUAL: Final = {Per.HAND: 3.5, Per.OPPONENT_HAND: 3.5, Per.DISCARD: 6.0}  # cards that are counted
LIKELY: Final = {
    None: 1.0,
    Condition.ATTACKED: 0.65,
    Condition.NOT_ATTACKED: 0.35,
    Condition.NO_CARD: 0.1,
}


def price(program: Program) -> float:
    """What the card is worth to whoever plays it.

    >>> from coyote.games.duel.language import read
    >>> round(price(read("Attack 12."))), round(price(read("Attack 2.")))
    (11, 2)
    """
    return sum(prices(program)) + (AUTO if program.auto else 0.0)


def usual_prices(card: Card) -> tuple[float, float]:
    """Between which most cards of the core set are that are as rare and have the same traits."""
    alike = sorted(
        price(one.program)
        for one in core_set().cards
        if (one.program.auto, one.program.super) == (card.program.auto, card.program.super)
        and (one.rarity == card.rarity or one.program.super)
    ) or [price(one.program) for one in core_set().cards if one.program.super]
    ninth = len(alike) // 9
    return round(alike[ninth], 1), round(alike[-1 - ninth], 1)


def prices(program: Program) -> list[float]:
    """The same for each effect by itself."""
    return [
        sum(_worth(effect, turn) for turn in turns)
        for effect, turns in zip(program.effects, due(program), strict=True)
    ]


def due(program: Program) -> list[list[int]]:
    """For each effect the turns from now in which it comes (D22), as the rules have it."""
    table = card_table(CardSet("", (Card("card", "", "", "common", program),)))
    last = max(effect.last for effect in program.effects)
    rows = range(1, 1 + len(program.effects))
    return [[age for age in range(last + 1) if is_due(table, row, age)] for row in rows]


def _worth(effect: Effect, turn: int) -> float:
    if turn > LAST_TURN:
        return 0.0
    sign = -1.0 if effect.opponent else 1.0
    met = UNTIMED / TIMED if effect.action is Action.BLOCK and turn else 1.0
    return sign * _chance(effect) * LATER**turn * _points(effect) * met


def _chance(effect: Effect) -> float:
    """D23  How likely the condition is; health passes through all values from the most to nothing."""
    if effect.condition is Condition.HEALTH:
        return min(0.9, 0.1 + effect.threshold / 120)
    return LIKELY[effect.condition]


def _points(effect: Effect) -> float:
    """To whoever acts."""
    times = USUAL[effect.per] if effect.per else 1.0
    match effect.action:
        case Action.ATTACK:
            return effect.amount * times * GETS_THROUGH
        case Action.HEAL:
            return effect.amount * times * HEALS
        case Action.BLOCK:
            return _blocked(USUAL_BLOW * 2 if effect.amount == ALL else effect.amount * times)
        case Action.DRAW:
            return DRAWN * effect.amount
        case Action.SET_ASIDE_THIS:
            return -THIS_CARD
    return -{Zone.HAND: LOST, Zone.PLAY: IN_PLAY}.get(effect.zone or Zone.HAND, IN_DECK) * effect.amount


def _blocked(amount: float) -> float:
    """Blows differ: of a larger block each point is needed more seldom."""
    full = min(amount, USUAL_BLOW)
    return TIMED * (full + 0.35 * (min(amount, 2 * USUAL_BLOW) - full))
