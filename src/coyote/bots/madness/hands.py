"""Which hands the other may have: all that fit, and what they have done speaks for some more than for others.

Pages tell the other's last decisions: the table as everybody saw it, and the move. A hand that they may have
now is walked back through these: what was played since was in it, and any of its cards may be the one that
was drawn last. At each decision the policy says how likely that hand would have made that move. Hands are
weighed so once, when a search begins; each simulation then takes one of them, the likelier the more often.
"""

import numpy as np

from coyote.bots.madness.fold import first_bare, folded, list_moves
from coyote.bots.madness.nets import weigh_moves
from coyote.games.madness.actions import DECLINE, DRAW, DROP, DROP_NOTHING, PASS, STEAL, laid_card
from coyote.games.madness.cards import all_cards
from coyote.games.madness.view import seen
from coyote.kernel.bits import EMPTY, count, lowest, only, without_lowest
from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import Field
from coyote.kernel.seats import NONE, other

MOST_HANDS = 1024
EACH = 16  # simulations of a search for each hand that is weighed
FEW = 128  # simulations of a search that is too short to weigh any
SHARP = 0.2  # how much of what the policy says of a decision counts: others think otherwise
LEAST = 0.02  # chance of any move at least, for the same reason
GOLDEN = (5**0.5 - 1) / 2

HANDS: list[Field] = [
    ("n_hands", np.int64),  # 0: none are weighed, any hand is as likely as any other
    ("hands", np.uint64, MOST_HANDS),
    ("bounds", np.float64, MOST_HANDS),  # running sums of their weights
    ("taken", np.float64),  # where in these sums the last hand was taken
]


@rule
def hands_for(simulations):
    """How many hands a search of so many simulations weighs."""
    return np.int64(min(simulations // EACH, MOST_HANDS)) if simulations >= FEW else np.int64(0)


@rule
def take_hand(x):
    """The next hand for a simulation; in the long run each as often as its weight says."""
    total = x.bounds[x.n_hands - 1]
    x.taken = (x.taken + GOLDEN * total) % total
    low, high = 0, x.n_hands - 1
    while low < high:
        middle = (low + high) // 2
        if x.bounds[middle] > x.taken:
            high = middle
        else:
            low = middle + 1
    return x.hands[low]


# ---------------------------------------------------------------- a hand, back through what was done


@rule
def any_of(cards, dice):
    """Any card of a set that is not empty, as a set."""
    for _ in range(roll(dice, 1, count(cards))):
        cards = without_lowest(cards)
    return only(lowest(cards))


@rule
def any_hand(v, ed, seat, dice):
    """So many cards as the other holds, of those that the seat does not see."""
    unseen = all_cards(ed.jokers) & ~seen(v)
    hand = EMPTY
    for _ in range(v.held[other(seat)]):
        card = any_of(unseen, dice)
        unseen ^= card
        hand |= card
    return hand


@rule
def card_played(action):
    """The card that leaves the hand with a move, or NONE."""
    if action < PASS:
        return np.int64(laid_card(action))
    if STEAL <= action < DECLINE:
        return np.int64(action - STEAL)
    if DROP <= action < DROP_NOTHING:
        return np.int64(action - DROP)
    return np.int64(NONE)


@rule
def draws(s, action):
    """M15  Whether a card comes to the hand with a move."""
    return (s.left > 0) & ((action == DRAW) | ((action >= DROP) & (action <= DROP_NOTHING)))


@rule
def hand_before(s, hand, action, dice):
    """The hand that a move was made with, from the hand after it."""
    if draws(s, action):
        hand ^= any_of(hand, dice)
    return hand | only(card_played(action))


# ---------------------------------------------------------------- how likely it is


@big_rule
def how_likely(s, ed, seat, action, net, biases, x):
    """How likely the policy makes this move with the hand that the seat has there."""
    n = list_moves(s, ed, seat, x)
    fold = folded(s, first_bare(s, ed), action)
    if x.stamped[fold] != x.stamp:
        return 0.0
    if n == 1:
        return 1.0
    weigh_moves(s, ed, seat, net, biases, x, n)
    return x.weights[x.place[fold]]


@rule
def speaks_for(hand, seat, ed, pages, moves, told, net, biases, x, world):
    """The logarithm of how likely all these decisions are with this hand; `told` were written so far, and
    the last ones are there."""
    total = 0.0
    for back in range(1, min(told, len(pages)) + 1):
        page, action = pages[(told - back) % len(pages)], np.int64(moves[(told - back) % len(pages)])
        hand = hand_before(page, hand, action, x.dice)
        world[0] = page
        world[0].hands[seat] = hand
        total += np.log(max(how_likely(world[0], ed, seat, action, net, biases, x), LEAST))
    return total


@big_rule
def weigh_hands(v, ed, seat, pages, moves, told, n, net, biases, x, world):
    """Weigh n hands of the other by what they have done, for the search that was begun. `world` is room for
    one state."""
    they = other(seat)
    if told == 0 or n == 0 or v.left == 0 or v.held[they] == 0 or v.hands[they] != EMPTY:
        return
    most = -np.inf
    for i in range(n):
        x.hands[i] = any_hand(v, ed, seat, x.dice)
        x.bounds[i] = SHARP * speaks_for(x.hands[i], they, ed, pages, moves, told, net, biases, x, world)
        most = max(most, x.bounds[i])
    total = 0.0
    for i in range(n):
        total += np.exp(x.bounds[i] - most)
        x.bounds[i] = total
    x.n_hands = n
    x.taken = 0.0
