"""A set of cards as one flat table of numbers, which the kernel takes as an argument.

A new card needs no recompilation: it is a new row.

    rows 0 .. n - 1   one for each card of the set: AUTO, SUPER, RARE, LAST (the last age at which
                      it is due), FROM, UNTIL, ASKS (about attacks), MOVES (has effects on cards)
    the rest          one for each effect: ACTION, AMOUNT, PER, ZONE, OPPONENT, FIRST, LAST_DUE,
                      CONDITION, THRESHOLD, ON_CARDS (1: D10, 0: D9);
                      those of a card are the rows FROM .. UNTIL - 1
"""

import numpy as np
import numpy.typing as npt

from coyote.games.duel.language import ALL, POINTS, Action, Condition, Effect, Per, Zone
from coyote.games.duel.sets import Card, CardSet

AUTO, SUPER, RARE, LAST, FROM, UNTIL, ASKS, MOVES = range(8)
ACTION, AMOUNT, PER, ZONE, OPPONENT, FIRST, LAST_DUE, CONDITION, THRESHOLD, ON_CARDS = range(10)
WIDTH = 10

ACTIONS = {action: number for number, action in enumerate(Action)}  # a new one comes last: the order is kept
ATTACK, HEAL, BLOCK = ACTIONS[Action.ATTACK], ACTIONS[Action.HEAL], ACTIONS[Action.BLOCK]
DRAW, DISCARD = ACTIONS[Action.DRAW], ACTIONS[Action.DISCARD]
ASIDE, ASIDE_THIS = ACTIONS[Action.SET_ASIDE], ACTIONS[Action.SET_ASIDE_THIS]
ONCE, PER_HAND, PER_THEIR_HAND, PER_DISCARD = range(4)
FROM_HAND, FROM_DECK, FROM_DISCARD, FROM_PLAY = range(4)
ALWAYS, IF_ATTACKED, IF_NOT_ATTACKED, IF_HEALTH, IF_PASSED = range(5)
BLOCK_ALL = ALL

PERS = {None: ONCE, Per.HAND: PER_HAND, Per.OPPONENT_HAND: PER_THEIR_HAND, Per.DISCARD: PER_DISCARD}
ZONES = {
    None: FROM_HAND,
    Zone.HAND: FROM_HAND,
    Zone.DECK: FROM_DECK,
    Zone.DISCARD: FROM_DISCARD,
    Zone.PLAY: FROM_PLAY,
}
ZONE_NAMES = ("hand", "deck", "discard", "play")
CONDITIONS = {
    None: ALWAYS,
    Condition.ATTACKED: IF_ATTACKED,
    Condition.NOT_ATTACKED: IF_NOT_ATTACKED,
    Condition.HEALTH: IF_HEALTH,
    Condition.NO_CARD: IF_PASSED,
}

Table = npt.NDArray[np.int32]  # a set of 2,000 cards with 16 effects each has more rows than 16 bits count


def card_table(cards: CardSet) -> Table:
    """The set as numbers; a card's kind is its place in the set."""
    rows = [effect_row(effect) for card in cards.cards for effect in card.program.effects]
    heads = []
    start = len(cards.cards)
    for card in cards.cards:
        heads.append(card_row(card, start))
        start += len(card.program.effects)
    return np.array([*heads, *rows], np.int32).reshape(-1, WIDTH)


def card_row(card: Card, start: int) -> list[int]:
    program = card.program
    last = max(effect.last for effect in program.effects)
    head = [program.auto, program.super, card.rarity == "rare", last, start, start + len(program.effects)]
    asks = any(effect.condition in (Condition.ATTACKED, Condition.NOT_ATTACKED) for effect in program.effects)
    head += [asks, any(effect.action not in POINTS for effect in program.effects)]
    return [int(value) for value in head] + [0] * (WIDTH - len(head))


def effect_row(effect: Effect) -> list[int]:
    return [
        ACTIONS[effect.action],
        effect.amount,
        PERS[effect.per],
        ZONES[effect.zone],
        int(effect.opponent),
        effect.first,
        effect.last,
        CONDITIONS[effect.condition],
        effect.threshold,
        int(effect.action not in POINTS),
    ]
