"""Rules of thumb: what a card is worth just now, in points of health, to whoever would play it.

They look at the table and at the number of cards in hands, which both players know (D18), so they work
on a view as well as on a whole state.
"""

import numpy as np

from coyote.bots.duel.sure import LEVEL, LOST, WON, clash, wins_surely
from coyote.games.duel import cards as c
from coyote.games.duel.rules import HOLD, is_due
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.seats import NONE, other

# What is usual at the table, in points.
CARD = 1.0  # a card in hand: one is played a turn and one is drawn, so a further one is only choice
IN_DECK = 0.4  # a card in the deck: fewer of them, and the fifth deck comes sooner (D14)
IN_PLAY = 5.0  # a card of the opponent's that still works
BLOW = 10.0  # an attack that somebody picks
PICKS_BLOW = 0.6  # how often somebody with cards in hand picks one
GETS_THROUGH = 0.85  # the part of an attack that is not blocked
WAIT = 0.95  # what a point is worth a turn later
MOST_TURNS = 6  # how far ahead effects are counted
KILLS = 60.0
SAVES = 45.0
SURE = 1000.0  # more than all others together

SUMS = 3  # `due`: by seat, the ATTACK, HEAL and BLOCK that is sure to come this turn; no rule for others yet


@big_rule
def look(s, cards, ed, due):
    """due[seat] gets the Attack, Heal and Block that cards already in play will do this turn (D8)."""
    for seat in range(2):
        for action in range(SUMS):
            due[seat, action] = 0.0
    for owner in range(2):
        for i in range(s.in_play[owner]):
            kind = np.int64(s.play[owner, i])
            for row in range(cards[kind, c.FROM], cards[kind, c.UNTIL]):
                if cards[row, c.ACTION] < SUMS and is_due(cards, row, s.age[owner, i]):
                    who = other(owner) if cards[row, c.OPPONENT] else owner
                    chance = chance_of(s, cards, ed, row, owner, due)
                    due[who, cards[row, c.ACTION]] += chance * points(s, cards, ed, row, who, 0)


@rule
def points(s, cards, ed, row, who, leaving):
    """D24  The amount; `leaving` cards of the one acting are about to leave the hand."""
    if cards[row, c.ACTION] == c.BLOCK and cards[row, c.AMOUNT] == c.BLOCK_ALL:
        return 99.0
    per = cards[row, c.PER]
    times = 1.0
    if per == c.PER_HAND:
        times = s.in_hand[who] - leaving
    elif per == c.PER_THEIR_HAND:
        times = max(0.0, s.in_hand[other(who)] - 0.8)
    elif per == c.PER_DISCARD:
        times = s.in_discard[who] * 1.0
    return cards[row, c.AMOUNT] * times


@rule
def chance_of(s, cards, ed, row, owner, due):
    """D23  How likely a condition is to hold."""
    condition = cards[row, c.CONDITION]
    if condition == c.ALWAYS:
        return 1.0
    if condition == c.IF_HEALTH:
        return 1.0 if s.health[owner] <= cards[row, c.THRESHOLD] else 0.1
    if condition == c.IF_PASSED:
        return 0.1 if s.in_hand[other(owner)] > 0 else 1.0
    attacked = (
        1.0 if due[other(owner), c.ATTACK] > 0 else (PICKS_BLOW if s.in_hand[other(owner)] > 0 else 0.0)
    )
    return attacked if condition == c.IF_ATTACKED else 1.0 - attacked


@rule
def blow(s, seat):
    """What the seat may be expected to pick, as an attack."""
    return BLOW * PICKS_BLOW if s.in_hand[seat] > 0 else 0.0


@big_rule
def worth(s, cards, ed, due, me, kind):
    """What playing a card of this kind is worth to `me`, all its turns together."""
    they = other(me)
    total = attack = block = heal = 0.0
    for row in range(cards[kind, c.FROM], cards[kind, c.UNTIL]):
        who = they if cards[row, c.OPPONENT] else me
        sign = 1.0 if who == me else -1.0
        first = cards[row, c.FIRST]
        turns = min(cards[row, c.LAST_DUE] - first + 1, MOST_TURNS)
        chance = chance_of(s, cards, ed, row, me, due) * WAIT**first
        action = cards[row, c.ACTION]
        if cards[row, c.ON_CARDS]:
            total += chance * turns * moved(s, cards, ed, row, who, me)
            continue
        amount = points(s, cards, ed, row, who, 1 if who == me else 0)
        if action == c.ATTACK:
            total += sign * chance * turns * amount * GETS_THROUGH
        elif action == c.HEAL:
            total += sign * chance * healed(s, due, who, amount * turns, first)
        elif action == c.BLOCK:
            total += sign * chance * blocked(s, due, who, amount, first, turns)
        if first == 0 and who == me:
            attack += chance * amount if action == c.ATTACK else 0.0
            heal += chance * amount if action == c.HEAL else 0.0
            block += chance * amount if action == c.BLOCK else 0.0
    return total + finish(s, due, me, they, attack) + rescue(s, due, me, they, block, heal)


@rule
def healed(s, due, who, amount, first):
    """Healing counts up to what is missing, and what will be when it comes."""
    missing = (
        s.max_health[who] - s.health[who] + due[other(who), c.ATTACK] + blow(s, other(who)) * (1 + first)
    )
    return min(amount, missing)


@rule
def blocked(s, due, who, amount, first, turns):
    """A Block counts up to what is likely to come, this turn and in the turns after it."""
    they = other(who)
    usual = blow(s, they)
    gain = 0.0
    if first == 0:
        gain = min(amount, max(0.0, due[they, c.ATTACK] - due[who, c.BLOCK]) + usual)
        turns -= 1
    return gain + turns * min(amount, usual)


@rule
def moved(s, cards, ed, row, who, me):
    """What an effect on cards is worth: more cards for me, fewer for them (D12, D15, D16)."""
    sign = 1.0 if who == me else -1.0
    n = cards[row, c.AMOUNT]
    action, zone = cards[row, c.ACTION], cards[row, c.ZONE]
    hand = s.in_hand[who] - (1 if who == me else 0)
    if action == c.ASIDE_THIS:
        return -1.0
    if action == c.DRAW:
        return sign * CARD * min(n, ed.hand_limit - hand)
    if zone == c.FROM_HAND:
        return -sign * CARD * min(n, hand)
    if zone == c.FROM_PLAY:
        return -sign * IN_PLAY * min(n, s.in_play[who])
    return -sign * IN_DECK * min(n, s.in_deck[who] + s.in_discard[who])


@rule
def finish(s, due, me, they, attack):
    """The last blow comes before everything."""
    reach = attack + due[me, c.ATTACK] - due[they, c.BLOCK] - due[they, c.HEAL]
    already = due[me, c.ATTACK] - due[they, c.BLOCK] - due[they, c.HEAL]
    return KILLS if reach >= s.health[they] and already < s.health[they] else 0.0


@rule
def rescue(s, due, me, they, block, heal):
    """What is sure to come this turn must be survived."""
    left = s.health[me] + due[me, c.HEAL] - max(0.0, due[they, c.ATTACK] - due[me, c.BLOCK])
    with_it = s.health[me] + due[me, c.HEAL] + heal
    with_it -= max(0.0, due[they, c.ATTACK] - due[me, c.BLOCK] - block)
    return SAVES if left <= 0 and with_it > 0 else 0.0


@rule
def weigh(s, cards, ed, due, me, legal, n, out):
    """out[i] gets the worth of each legal move; to hold is worth nothing."""
    for i in range(n):
        out[i] = 0.0 if legal[i] == HOLD else worth(s, cards, ed, due, me, np.int64(legal[i]) - 1)


@big_rule
def weigh_all(s, cards, ed, due, me, legal, n, out):
    look(s, cards, ed, due)
    weigh(s, cards, ed, due, me, legal, n, out)


@rule
def foresee(v, cards, ed, n_kinds, log, world, seat, t):
    """The end of the game comes before all points: if the other holds, and still more if it is sure."""
    for i in range(t.n):
        move = np.int64(t.legal[i])
        end = clash(v, cards, log, world, seat, move, NONE)
        if end == WON:
            t.likely[i] += KILLS
            if wins_surely(v, cards, ed, n_kinds, log, world, seat, move):
                t.likely[i] += SURE
        elif end == LOST:
            t.likely[i] -= SURE
        elif end == LEVEL:
            t.likely[i] -= KILLS


SCALE = 20.0  # points that are a good part of a game
AS_GOOD = 1e-9  # points by which a move may be behind and still be one of the best


@rule
def likely(points):
    """A worth in points as a rough chance to win."""
    return 1.0 / (1.0 + np.exp(-points / SCALE))


@big_rule
def think(v, cards, ed, n_kinds, log, world, due, seat, t):
    """Write down what is thought of each legal move, and which are liked best."""
    weigh_all(v, cards, ed, due, seat, t.legal, t.n, t.likely)
    foresee(v, cards, ed, n_kinds, log, world, seat, t)
    best = -np.inf
    for i in range(t.n):
        best = max(best, t.likely[i])
    t.n_equals = 0
    for i in range(t.n):
        if t.likely[i] >= best - AS_GOOD:
            t.equals[t.n_equals] = i
            t.n_equals += 1
        t.likely[i] = likely(t.likely[i])
        t.examined[i] = 0
