"""Wins that nothing can prevent. What a turn does to health follows from the two choices alone (D7-D9), and
chance comes after it, so that each answer of the other player can be tried."""

import numpy as np

from coyote.games.duel import cards as c
from coyote.games.duel.rules import (
    FIRST_PLAY,
    HOLD,
    any_card,
    change_health,
    count,
    find_attacked,
    lying,
    remember,
    reveal,
)
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.seats import HIDDEN, NONE, other

OPEN, WON, LEVEL, LOST = range(4)  # how a turn ends for somebody; LEVEL: both are dead


@big_rule
def clash(v, cards, log, world, seat, move, answer):
    """D7-D9  How a turn ends for the seat, with its own move and a card that the other plays, or NONE."""
    world[0] = v
    s = world[0]
    they = other(seat)
    s.choice[seat] = move
    s.choice[they] = HOLD
    if answer != NONE:
        s.hand[they, 0] = answer
        s.choice[they] = FIRST_PLAY + answer
    for each in range(2):
        reveal(s, log, each)
        remember(s, each)
    if any_card(s, cards, c.ASKS):
        find_attacked(s, cards)
    change_health(s, cards, log)
    if s.health[they] <= 0:
        return LEVEL if s.health[seat] <= 0 else WON
    return LOST if s.health[seat] <= 0 else OPEN


@rule
def may_hold(v, cards, ed, they, kind):
    """D18, D19  Whether the other may have a card of this kind in hand, for all that the seat knows."""
    if cards[kind, c.AUTO]:
        return False
    out_of_sight = -lying(v, they, kind)
    if v.listed[they, 0] != HIDDEN:
        return out_of_sight + count(v.listed, v.n_listed, they, kind) > 0
    seen = count(v.shown, v.n_shown, they, kind)
    if out_of_sight + seen > 0:
        return True
    more = seen < (ed.rare_copies if cards[kind, c.RARE] else ed.copies)
    return v.n_shown[they] < v.n_listed[they] and more and not cards[kind, c.SUPER]


@big_rule
def wins_surely(v, cards, ed, n_kinds, log, world, seat, move):
    """Whether a move wins in this turn, whatever the other does."""
    they = other(seat)
    if clash(v, cards, log, world, seat, move, NONE) != WON:
        return False
    if v.in_hand[they] > 0:
        for kind in range(n_kinds):
            answered = may_hold(v, cards, ed, they, kind)
            if answered and clash(v, cards, log, world, seat, move, np.int64(kind)) != WON:
                return False
    return True


@rule
def prefer_sure(v, cards, ed, n_kinds, log, world, seat, t, picked):
    """The move that was picked, unless another one wins surely and this one does not."""
    sure = picked
    if not wins_surely(v, cards, ed, n_kinds, log, world, seat, np.int64(t.legal[picked])):
        sure = NONE
        for i in range(t.n):
            if sure == NONE and wins_surely(v, cards, ed, n_kinds, log, world, seat, np.int64(t.legal[i])):
                sure = np.int64(i)
    if sure != NONE:
        t.likely[sure] = 1.0
    return picked if sure == NONE else sure
