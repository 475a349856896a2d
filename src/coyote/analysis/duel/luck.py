"""What chance did in a duel, by sampling: the same choices again with other cards on top (D2, D13, D15).

What lies in a deck is known to whoever looks back, its order is not: each is as likely as another until the
cards come. So a turn is settled many times with decks shuffled anew, and each time it is judged how the duel
stands, as the search does. The mean of that is how it stood before chance spoke, and after it.
"""

import numpy as np

from coyote.bots.duel.thumb import look, worth
from coyote.bots.duel.tree import play_out, turn
from coyote.games.duel.rules import FIRST_PLAY, HOLD, deal, legal
from coyote.kernel.chance import shuffle
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.seats import NONE

DEALT_ANEW = -2  # in place of a choice: the cards are dealt anew first
NOT_CHOSEN = NONE  # nobody has chosen yet: it is played on from here


@rule
def new_key(s, dice):
    """Other chance from here on."""
    for i in range(2):
        roll(dice, i, 2)
        s.key[i] = dice[i]
    s.counter = 0


@rule
def mix_decks(s):
    for seat in range(2):
        shuffle(s, s.deck[seat], s.in_deck[seat])


@big_rule
def stands(s, cards, net, ed, first, second, n, t, luck, log, dice, world, words):
    """Seat 0's chance to win after two choices, on average over what chance may do; and its variance.

    Each of n samples has its chance from its number and `words`, so that other choices are compared under
    the same. `luck` is that chance is real.
    """
    w = world[0]
    total = squares = 0.0
    for k in range(n):
        world[0] = s
        dice[0] = words[0] + np.uint64(k)
        dice[1] = words[1] ^ np.uint64(k)
        new_key(w, dice)
        if first == DEALT_ANEW:
            deal(w, cards, ed, luck, log, dice)
        else:
            mix_decks(w)
            if first != NOT_CHOSEN:
                turn(w, cards, ed, luck, log, first, second)
        value = play_out(t, w, cards, net, ed, luck, log, dice)
        total += value
        squares += value * value
    mean = total / n
    return mean, max(0.0, squares / n - mean * mean) / n


@big_rule
def usual_choice(s, cards, ed, t, seat):
    """What rules of thumb would choose: what a decision is measured by."""
    look(s, cards, ed, t.due)
    n = legal(s, seat, t.legal[seat])
    best, most = np.int64(HOLD), 0.0
    for i in range(1, n):
        move = np.int64(t.legal[seat, i])
        value = worth(s, cards, ed, t.due, seat, move - FIRST_PLAY)
        if value > most:
            best, most = move, value
    return best
