"""Rules of thumb for Madness: what a move seems worth, and a light policy for playing on.

Both look only at the cards of the seat that chooses and at what lies open.
"""

import numpy as np

from coyote.bots.madness.ending import may_win_now, wins_at_once
from coyote.games.madness.actions import (
    ATTACK,
    BEAT,
    CLOSE,
    DECLINE,
    DRAW,
    DROP,
    DROP_NOTHING,
    PASS,
    PUSH,
    STEAL,
    laid_card,
    laid_field,
)
from coyote.games.madness.cards import N_CARDS, STRONGER, beats, equal
from coyote.games.madness.editions import MOST_FIELDS
from coyote.games.madness.rules import targets, verdict
from coyote.games.madness.state import MAIN, TUT, WON
from coyote.kernel.bits import EMPTY, count, lowest, without_lowest
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.seats import NONE, other

# How hard a card is to beat, from 0 to 1: most cards beat an Ace, only Aces and Jokers beat a King (M2).
FIRM = np.array([1 - int(STRONGER[card]).bit_count() / N_CARDS for card in range(N_CARDS)], np.float64)


@rule
def is_lost(s, field, seat):
    """M12  Whether the opponent wins the field when their turn comes, if nothing is laid there."""
    return verdict(s, field, other(seat)) == WON


@rule
def count_open(s, ed):
    n = 0
    for field in range(ed.fields):
        n += s.marker[field] == NONE
    return n


# ---------------------------------------------------------------- what a move seems worth

WIN = 100.0  # more than anything else is worth


@rule
def weigh_attack(s, seat, field, card):
    """A bare field with a firm card; best of all, the answer to an attack."""
    mine, theirs = s.tops[field, seat], s.tops[field, other(seat)]
    if theirs == NONE:
        return 0.5 + 2.5 * FIRM[card] ** 2 if mine == NONE else 0.1
    if beats(card, theirs):
        return 0.1 if verdict(s, field, seat) == WON else 3.0 + 2.0 * FIRM[card]
    return 0.8 if equal(card, theirs) else 0.05


@rule
def weigh_close(s, ed, seat, field, card):
    """Where it wins the round (M17, classic) with a card that is hard to steal from; else with a poor one."""
    if ed.closer and count_open(s, ed) == 1:
        return 1.0 + 5.0 * FIRM[card]
    if is_lost(s, field, seat):
        return 1.5 - 0.75 * FIRM[card]
    return 0.3 - 0.3 * FIRM[card]


@rule
def weigh_main(s, ed, seat, action):
    if action < CLOSE:
        return weigh_attack(s, seat, laid_field(action), laid_card(action))
    if action < BEAT:
        return weigh_close(s, ed, seat, laid_field(action), laid_card(action))
    if action < PASS:
        return 6.0 - 2.0 * FIRM[laid_card(action)] if ed.boss_points else 0.2  # for as little as will do
    return 0.3


@rule
def weigh_tut(s, ed, seat, action):
    """Draw while the hand is small, drop the weak, push a Boss that is easy to beat."""
    if action == PUSH:
        return 0.0 if s.held[seat] == 0 and ed.starvation else 0.2 + 2.0 * (1.0 - FIRM[s.boss]) ** 2  # M13
    if DROP <= action < DROP_NOTHING:
        return 1.2 * (1.0 - FIRM[action - DROP]) ** 2
    return 3.0 if s.held[seat] < ed.hand else 1.5


@rule
def would_starve(s, ed, seat):
    """M13  Whether a seat that gives its last card in a Chance begins its own turn with none."""
    return (s.held[seat] == 1) & (s.left > 1) & (ed.starvation != 0)


@rule
def weigh_coyote(s, ed, seat, action):
    """M18  Steal with as little as will do, where there is something to steal, but not with the last card."""
    if action == DECLINE:
        return 0.3
    if would_starve(s, ed, seat):
        return 0.0
    return (4.0 if ed.round_points else 0.2) - 2.0 * FIRM[action - STEAL]


@rule
def weigh(s, ed, seat, action):
    """What a legal move seems worth; only the order of these numbers means something."""
    if s.phase == MAIN:
        return weigh_main(s, ed, seat, action)
    if s.phase == TUT:
        return weigh_tut(s, ed, seat, action)
    return weigh_coyote(s, ed, seat, action)


@rule
def likely(worth, best):
    """A worth beside the best one as a rough chance to win."""
    return max(0.0, worth) / (max(0.0, worth) + best) if best > 0.0 else 0.0


@big_rule
def think(v, ed, seat, t, world, log):
    """Write down what is thought of each legal move, and which are liked best; nothing beats a win."""
    best = -np.inf
    near = may_win_now(v, ed, seat)
    for i in range(t.n):
        action = np.int64(t.legal[i])
        t.likely[i] = weigh(v, ed, seat, action)
        if near and wins_at_once(v, ed, seat, action, world, log):
            t.likely[i] += WIN
        best = max(best, t.likely[i])
    t.n_equals = 0
    for i in range(t.n):
        if t.likely[i] == best:
            t.equals[t.n_equals] = i
            t.n_equals += 1
        t.likely[i] = likely(t.likely[i], best)
        t.examined[i] = 0


# ---------------------------------------------------------------- playing on

OF = 64  # the chances below are so many of 64


@rule
def any_of(dice, cards):
    """Any card of a set that is not empty."""
    for _ in range(roll(dice, 0, count(cards))):
        cards = without_lowest(cards)
    return lowest(cards)


@rule
def answer_attack(s, ed, seat):
    """The weakest card that stops the opponent from winning a field (M12), or NONE."""
    for field in range(ed.fields):
        if is_lost(s, field, seat):
            answers = s.hands[seat] & STRONGER[s.tops[field, other(seat)]]
            if answers:
                return ATTACK + field * N_CARDS + lowest(answers)
    return NONE


@rule
def light_main(s, ed, seat, dice):
    """Mostly beat the Boss or answer an attack, each with the weakest card that can; or attack."""
    hand = s.hands[seat]
    if hand == EMPTY:
        return np.int64(PASS)
    luck = roll(dice, 0, OF)
    beaters = hand & STRONGER[s.boss]
    if beaters and luck < 40 and ed.boss_points:
        return BEAT + lowest(beaters)
    answer = answer_attack(s, ed, seat)
    if answer != NONE and luck < 56:
        return answer
    places = targets(s, ed)
    if places and luck < 62:
        card = max(any_of(dice, hand), any_of(dice, hand))
        return ATTACK + any_of(dice, places) % MOST_FIELDS * N_CARDS + card
    return np.int64(PASS)


@rule
def light_tut(s, seat, dice):
    hand = s.hands[seat]
    luck = roll(dice, 0, OF)
    if hand == EMPTY or luck < 36:
        return np.int64(DRAW)
    return DROP + lowest(hand) if luck < 54 else np.int64(PUSH)


@rule
def light_coyote(s, ed, seat, dice):
    stealers = s.hands[seat] & STRONGER[s.marker[s.closing]]
    if stealers and roll(dice, 0, OF) < 60 and ed.round_points:
        return STEAL + lowest(stealers)
    return np.int64(DECLINE)


@rule
def light(s, ed, seat, dice):
    """A move for playing a game on: quick, legal, and not foolish."""
    if s.phase == MAIN:
        return light_main(s, ed, seat, dice)
    if s.phase == TUT:
        return light_tut(s, seat, dice)
    return light_coyote(s, ed, seat, dice)
