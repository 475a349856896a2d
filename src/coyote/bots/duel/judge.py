"""Who is ahead in a duel and which moves come to mind, by a small net that has learned both from the
search's own games.

The net sees a whole state. Of each side it sees some signs (health, how many cards are where, how far the
costly deck is) and every card, in the hand, the deck, the discard or in play at its age: what it makes of a
card stands in a table that is written once for a set of cards (`coyote.bots.duel.cardnet`), so that a card
costs one row to add. Both sides are looked at from either seat, and what counts is the difference: a table
and its mirror image always come to 1 together. Moves are liked by what a seat may know: there the other's
hand is with their deck.

    signs    the rows of the first layer for the signs. The first half of a row is for one's own side, the
             second for the other's.
    cards    ROWS such rows for each kind of card, as whole numbers of which FINE make 1
    hides    a row for each kind of card, for the other's side alone: what is added when it is not known to be
             in the hand but lies with the deck
    moves    a row for each move, by its number: how much it is liked is this row with the first layer
    always   what the first layer begins with: the house rules are in it
"""

from typing import Any, NamedTuple

import numpy as np

from coyote.bots.net import as_chance, cut_off, dot, layer
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.rules import is_costly
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.lanes import ROWS as AT_ONCE
from coyote.kernel.lanes import add_rows, add_whole_rows
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import NONE, other

FIRST, SECOND = 160, 32  # how wide the layers are
SIGNS = 22
AGES = 8  # ages of a card in play that are told apart
HAND, DECK, DISCARD, WAITS, PLAY = range(5)  # where a card is; in play it has a row for each age
ROWS = PLAY + AGES
MOST_HEALTH = 5.0  # hundreds of points
FINE = 256

LAYERS = record_dtype(  # above the first
    [
        ("second", np.float32, (FIRST, SECOND)),
        ("second_bias", np.float32, SECOND),
        ("third", np.float32, SECOND),
    ]
)
MOST_SIGNS = SIGNS + AT_ONCE
ROOM = record_dtype(  # to judge in
    [
        ("signs", np.float32, SIGNS),
        ("n_signs", np.int64),  # that are not nothing, and how much each is
        ("sign_rows", np.int64, MOST_SIGNS),
        ("worths", np.float32, MOST_SIGNS),
        ("n_cards", np.int64),
        ("card_rows", np.int64, MOST_CARDS),
        ("by_signs", np.float32, 2 * FIRST),
        ("by_cards", np.int16, 2 * FIRST),
        ("by_hand", np.int16, FIRST),
        ("sums", np.float32, (2, 2 * FIRST)),
        ("closed", np.float32, FIRST),  # of the other side, where its hand is not known
        ("first", np.float32, FIRST),
        ("next", np.float32, SECOND),
    ]
)


class Net(NamedTuple):
    """What a search judges with."""

    signs: Any
    cards: Any
    hides: Any
    moves: Any
    always: Any
    layers: Any
    room: Any


@rule
def at_most(number, most):
    return number if number < most else most


@rule
def list_signs(s, ed, seat, out):
    """The signs of one side; each is of the size of 1."""
    health, top = np.float32(s.health[seat]), np.float32(s.max_health[seat])
    hand, deck = np.float32(s.in_hand[seat]), np.float32(s.in_deck[seat])
    discard, play = np.float32(s.in_discard[seat]), np.float32(s.in_play[seat])
    cards = hand + deck + discard + play
    waits = s.super[seat] != NONE
    costly = is_costly(s, ed, seat)
    decks = np.float32(max(np.int64(ed.wear_from) - s.deck_number[seat], 0))
    free = deck + max(decks - np.float32(1.0), np.float32(0.0)) * cards
    out[0] = at_most(health / 100.0, MOST_HEALTH)
    out[1] = at_most(top / 100.0, MOST_HEALTH)
    out[2] = at_most(health, 10.0) / 10.0
    out[3] = at_most(health, 20.0) / 20.0
    out[4] = at_most(health, 40.0) / 40.0
    out[5] = at_most(health, 80.0) / 80.0
    out[6] = at_most((top - health) / 50.0, 2.0)
    out[7] = hand == 0.0
    out[8] = hand == 1.0
    out[9] = hand / 5.0
    out[10] = hand >= ed.hand_limit
    out[11] = deck / 10.0
    out[12] = deck == 0.0
    out[13] = discard / 10.0
    out[14] = play / 5.0
    out[15] = costly
    out[16] = at_most(decks, 4.0) / 4.0
    out[17] = 0.0 if costly else at_most(free, 80.0) / 40.0
    out[18] = cards / 20.0
    out[19] = waits
    out[20] = (np.float32(ed.super_deck) - s.deck_number[seat]) / 3.0 if waits else 0.0
    out[21] = at_most(top / ed.wear, 40.0) / 20.0 if costly else 0.0


@rule
def play_row(kind, age):
    return kind * ROWS + PLAY + min(age, AGES - 1)


@rule
def put_sign(room, row, worth):
    room.sign_rows[room.n_signs] = row
    room.worths[room.n_signs] = worth
    room.n_signs += 1


@rule
def add_signs(s, ed, signs, room, seat):
    """A row for each sign that is not nothing, filled up to a whole number of fours."""
    list_signs(s, ed, seat, room.signs)
    room.n_signs = 0
    for i in range(SIGNS):
        if room.signs[i] != 0.0:
            put_sign(room, i, room.signs[i])
    while room.n_signs % AT_ONCE:
        put_sign(room, 0, 0.0)
    for j in range(2 * FIRST):
        room.by_signs[j] = 0.0
    add_rows(room.by_signs, signs, room.sign_rows, room.worths, room.n_signs)


@rule
def put_card(room, row):
    room.card_rows[room.n_cards] = row
    room.n_cards += 1


@rule
def put_zone(room, zone, n, seat, where):
    """A row for each card that lies there."""
    for i in range(n[seat]):
        put_card(room, np.int64(zone[seat, i]) * ROWS + where)


@rule
def add_cards(s, cards, room, seat):
    room.n_cards = 0
    put_zone(room, s.hand, s.in_hand, seat, HAND)
    put_zone(room, s.deck, s.in_deck, seat, DECK)
    put_zone(room, s.discard, s.in_discard, seat, DISCARD)
    if s.super[seat] != NONE:
        put_card(room, np.int64(s.super[seat]) * ROWS + WAITS)
    for i in range(s.in_play[seat]):
        put_card(room, play_row(np.int64(s.play[seat, i]), np.int64(s.age[seat, i])))
    for j in range(2 * FIRST):
        room.by_cards[j] = 0
    add_whole_rows(room.by_cards, cards, room.card_rows, room.n_cards)


@big_rule
def add_side(s, ed, net, room, seat):
    """The sums of the first layer for one side: its signs, and its cards."""
    add_signs(s, ed, net.signs, room, seat)
    add_cards(s, net.cards, room, seat)
    for j in range(2 * FIRST):
        room.sums[seat, j] = room.by_signs[j] + np.float32(room.by_cards[j]) * np.float32(1.0 / FINE)


@big_rule
def close_hand(s, hides, room, seat):
    """The same for the other, to whom the hand and the deck are one."""
    room.n_cards = 0
    for i in range(s.in_hand[seat]):
        put_card(room, np.int64(s.hand[seat, i]))
    for j in range(FIRST):
        room.by_hand[j] = 0
    add_whole_rows(room.by_hand, hides, room.card_rows, room.n_cards)
    for j in range(FIRST):
        room.closed[j] = room.sums[seat, FIRST + j] + np.float32(room.by_hand[j]) * np.float32(1.0 / FINE)


@rule
def first_from(always, mine, theirs, out):
    """The first layer, from a seat."""
    for j in range(len(out)):
        out[j] = always[j] + (mine[j] + theirs[j])
    cut_off(out)


@rule
def seen_from(always, layers, room, seat):
    """How the table looks from a seat."""
    first_from(always, room.sums[seat], room.sums[other(seat), FIRST:], room.first)
    layer(room.first, layers.second, layers.second_bias, room.next)
    cut_off(room.next)
    return dot(room.next, layers.third)


@rule
def take_in(s, ed, net):
    """The sums of both sides."""
    for seat in range(2):
        add_side(s, ed, net, net.room, seat)


@big_rule
def judge(s, ed, net):
    """The chance of seat 0 to win, a draw counted half."""
    take_in(s, ed, net)
    mine = seen_from(net.always, net.layers, net.room, 0)
    return as_chance(mine - seen_from(net.always, net.layers, net.room, 1))


@big_rule
def propose(s, net, seat, legal, n, out):
    """out[i] gets how much less each move is liked than the best, at the table that was taken in last: the
    logarithm of how much rarer it is."""
    close_hand(s, net.hides, net.room, other(seat))
    first_from(net.always, net.room.sums[seat], net.room.closed, net.room.first)
    best = -np.inf
    for i in range(n):
        out[i] = dot(net.room.first, net.moves[legal[i]])
        best = max(best, out[i])
    for i in range(n):
        out[i] -= best
