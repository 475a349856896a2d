"""What a seat may know of a duel (D18), and what it may suppose."""

import numpy as np

from coyote.games.duel import cards as c
from coyote.games.duel.editions import MOST_CARDS
from coyote.games.duel.rules import clear_table, count, due_in, is_costly, lying, put, remove
from coyote.kernel.bits import EMPTY
from coyote.kernel.chance import below, shuffle
from coyote.kernel.jit import rule
from coyote.kernel.seats import HIDDEN, NONE


@rule
def view(s, ed, seat, out):
    """D18  Write to out[0] what the seat may know; seat -1 is a bystander.

    Only what is named here is copied: a new field of the state stays hidden until it is added.
    """
    v = out[0]
    v.key[0] = v.key[1] = EMPTY
    v.counter = 0
    clear_table(v)
    v.turn = s.turn
    v.over = s.over
    for owner in range(2):
        copy_open(s, v, owner)
        for i in range(s.in_deck[owner]):
            v.deck[owner, i] = HIDDEN
        for i in range(s.in_hand[owner]):
            v.hand[owner, i] = s.hand[owner, i] if owner == seat else HIDDEN
        sees_list = (owner == seat) | (ed.open_lists == 1)
        for i in range(MOST_CARDS):
            hidden = HIDDEN if i < s.n_listed[owner] else NONE
            v.listed[owner, i] = s.listed[owner, i] if sees_list else hidden
        v.choice[owner] = s.choice[owner] if owner == seat else NONE


@rule
def copy_open(s, v, owner):
    """What lies open on one side of the table."""
    for i in range(MOST_CARDS):
        v.discard[owner, i] = s.discard[owner, i]
        v.play[owner, i] = s.play[owner, i]
        v.age[owner, i] = s.age[owner, i]
        v.leaves[owner, i] = s.leaves[owner, i]
        v.aside[owner, i] = s.aside[owner, i]
        v.shown[owner, i] = s.shown[owner, i]
    v.in_deck[owner] = s.in_deck[owner]
    v.in_hand[owner] = s.in_hand[owner]
    v.in_discard[owner] = s.in_discard[owner]
    v.in_play[owner] = s.in_play[owner]
    v.in_aside[owner] = s.in_aside[owner]
    v.n_listed[owner] = s.n_listed[owner]
    v.n_shown[owner] = s.n_shown[owner]
    v.super[owner] = s.super[owner]
    v.health[owner] = s.health[owner]
    v.max_health[owner] = s.max_health[owner]
    v.deck_number[owner] = s.deck_number[owner]


@rule
def forecast(v, cards, ed, due, left, wears):
    """D22  For each card in play when it works next, and its last turns; D14  whose draws cost."""
    for owner in range(2):
        wears[owner] = is_costly(v, ed, owner)
        for i in range(v.in_play[owner]):
            kind, age = np.int64(v.play[owner, i]), np.int64(v.age[owner, i])
            due[owner, i] = due_in(cards, kind, age)
            left[owner, i] = cards[kind, c.LAST] - age + 1


@rule
def imagine(v, cards, ed, n_kinds, seat, seed, out):
    """Write to out[0] a full state which the seat cannot tell from the real one.

    A list that the seat knows is dealt anew; one that it does not know is filled up with any cards
    that make a legal deck (D19), each kind as likely as another.
    """
    out[0] = v
    s = out[0]
    s.key[0], s.key[1], s.counter = seed[0], seed[1], 0
    for owner in range(2):
        if s.listed[owner, 0] == HIDDEN:
            invent_list(s, cards, ed, n_kinds, owner)
        fill_hidden(s, cards, owner, seat)


@rule
def copies(s, owner, upto, kind):
    n = 0
    for i in range(upto):
        n += s.listed[owner, i] == kind
    return n


@rule
def trait_count(s, cards, owner, upto, trait):
    n = 0
    for i in range(upto):
        n += cards[s.listed[owner, i], trait]
    return n


@rule
def fits_list(s, cards, ed, owner, upto, kind, in_hand):
    """D19  Whether one more card of this kind, no Super, may be on the list; no Auto is in hand (D5)."""
    if in_hand and cards[kind, c.AUTO]:
        return False
    if copies(s, owner, upto, kind) >= (ed.rare_copies if cards[kind, c.RARE] else ed.copies):
        return False
    return not (cards[kind, c.AUTO] and trait_count(s, cards, owner, upto, c.AUTO) >= ed.autos)


@rule
def invent_list(s, cards, ed, n_kinds, owner):
    """A list that has the cards shown, and others to fill it.

    So many of them are no Autos that the hand can be without (D5). None is a Super: those were seen
    before the game (D2).
    """
    for i in range(s.n_shown[owner]):
        s.listed[owner, i] = s.shown[owner, i]
    n = np.int64(s.n_shown[owner])
    for_hand = n + s.in_hand[owner] - shown_for_hand(s, cards, owner)
    while n < s.n_listed[owner]:
        kind = below(s, n_kinds)
        tries = 0
        while cards[kind, c.SUPER] or not fits_list(s, cards, ed, owner, n, kind, n < for_hand):
            kind = (kind + 1) % n_kinds
            tries += 1
            if tries > n_kinds:  # a set too small for a legal deck: nothing better is to be had
                break
        s.listed[owner, n] = kind
        n += 1
    sort_list(s, owner)


@rule
def shown_for_hand(s, cards, owner):
    """How many cards that were shown are out of sight again and may be in the hand: all but Autos."""
    n = 0
    for i in range(s.n_shown[owner]):
        n += 1 - cards[s.shown[owner, i], c.AUTO]
    for i in range(s.in_play[owner]):
        n -= 1 - cards[s.play[owner, i], c.AUTO]
    for i in range(s.in_discard[owner]):
        n -= 1 - cards[s.discard[owner, i], c.AUTO]
    for i in range(s.in_aside[owner]):
        n -= 1 - cards[s.aside[owner, i], c.AUTO]
    return n


@rule
def sort_list(s, owner):
    for i in range(1, s.n_listed[owner]):
        kind = s.listed[owner, i]
        j = i
        while j > 0 and s.listed[owner, j - 1] > kind:
            s.listed[owner, j] = s.listed[owner, j - 1]
            j -= 1
        s.listed[owner, j] = kind


@rule
def fill_hidden(s, cards, owner, seat):
    """The cards of the list that lie nowhere in sight are shuffled into deck and hand."""
    in_hand = s.in_hand[owner]
    s.in_deck[owner] = 0
    for i in range(s.n_listed[owner]):
        kind = s.listed[owner, i]
        if copies(s, owner, i, kind) >= in_sight(s, owner, seat, kind):
            put(s.deck, s.in_deck, owner, kind)
    shuffle(s, s.deck[owner], s.in_deck[owner])
    if owner != seat:
        s.in_hand[owner] = 0
        for _ in range(in_hand):
            put(s.hand, s.in_hand, owner, remove(s.deck, s.in_deck, owner, last_plain(s, cards, owner)))


@rule
def last_plain(s, cards, owner):
    """The place nearest the top of a card that is not Auto: such a card would be in play (D5)."""
    for i in range(s.in_deck[owner] - 1, -1, -1):
        if not cards[s.deck[owner, i], c.AUTO]:
            return i
    return np.int64(s.in_deck[owner] - 1)


@rule
def in_sight(s, owner, seat, kind):
    """How many cards of a kind the seat sees of this owner's."""
    n = lying(s, owner, kind)
    if owner == seat:
        n += count(s.hand, s.in_hand, owner, kind)
    return n
