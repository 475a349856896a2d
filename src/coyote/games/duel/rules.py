"""The duel, in the order of the rulebook. Functions here trust their arguments: `Match` checks.

Short names: `s` the state, `cards` the card table, `ed` the row of options, `luck` chance that is
already known (empty: real chance), `log` what happened, `seat` 0 or 1, `kind` a card's row in the table.
"""

import numpy as np

from coyote.games.duel import cards as c
from coyote.games.duel import events as ev
from coyote.games.duel.editions import MOST_CARDS, MOST_HAND
from coyote.kernel.chance import below, shuffle
from coyote.kernel.events import note
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.luck import confirmed, known_pick, known_shuffle
from coyote.kernel.seats import NONE, other, seat_bit

HOLD = 0
BY_HEALTH = np.int64(0)  # the one reason why a duel ends by the rules
EVERYTHING = 10**12  # more than any attack: a Block of all
FIRST_PLAY = 1  # action 1 + kind plays a card of that kind


# ---------------------------------------------------------------- zones


@rule
def put(zone, sizes, seat, kind):
    """A card comes to a zone, as its last."""
    zone[seat, sizes[seat]] = kind
    sizes[seat] += 1


@rule
def remove(zone, sizes, seat, place):
    """The card at a place leaves; those after it move up."""
    kind = np.int64(zone[seat, place])
    sizes[seat] -= 1
    for i in range(place, sizes[seat]):
        zone[seat, i] = zone[seat, i + 1]
    zone[seat, sizes[seat]] = NONE
    return kind


@rule
def find(zone, sizes, seat, kind):
    """Where the first card of a kind is, or NONE."""
    for i in range(sizes[seat]):
        if zone[seat, i] == kind:
            return i
    return NONE


@rule
def enter_play(s, seat, kind):
    s.age[seat, s.in_play[seat]] = 0
    s.leaves[seat, s.in_play[seat]] = 0
    s.mark[seat, s.in_play[seat]] = NONE
    put(s.play, s.in_play, seat, kind)
    show(s, seat, kind)


@rule
def show(s, seat, kind):
    """D18  A card has come from the hand or the deck into sight, and nobody forgets it.

    Before the second deck no card goes back from there (D13), so that every one is a new one.
    """
    if s.deck_number[seat] == 1 or (s.n_shown[seat] < s.n_listed[seat] and is_new(s, seat, kind)):
        put(s.shown, s.n_shown, seat, kind)


@big_rule
def is_new(s, seat, kind):
    """Whether more cards of a kind lie in sight than were ever seen together."""
    return lying(s, seat, kind) > count(s.shown, s.n_shown, seat, kind)


@rule
def lying(s, seat, kind):
    """How many cards of a kind lie in everybody's sight."""
    n = count(s.play, s.in_play, seat, kind) + count(s.discard, s.in_discard, seat, kind)
    return n + count(s.aside, s.in_aside, seat, kind)


@rule
def count(zone, sizes, seat, kind):
    n = 0
    for i in range(sizes[seat]):
        n += zone[seat, i] == kind
    return n


@big_rule
def leave_play(s, seat, place):
    """A card leaves play, and its age and marks with it."""
    for i in range(place, s.in_play[seat] - 1):
        s.age[seat, i] = s.age[seat, i + 1]
        s.leaves[seat, i] = s.leaves[seat, i + 1]
        s.mark[seat, i] = s.mark[seat, i + 1]
    last = s.in_play[seat] - 1
    s.age[seat, last] = s.leaves[seat, last] = 0
    s.mark[seat, last] = NONE
    return remove(s.play, s.in_play, seat, place)


# ---------------------------------------------------------------- setup


@big_rule
def clear_seat(s, seat):
    for i in range(MOST_CARDS):
        s.deck[seat, i] = s.discard[seat, i] = s.play[seat, i] = s.aside[seat, i] = NONE
        s.mark[seat, i] = s.was[seat, i] = s.shown[seat, i] = NONE
        s.age[seat, i] = s.leaves[seat, i] = s.was_age[seat, i] = 0
    for i in range(MOST_HAND):
        s.hand[seat, i] = NONE
    s.in_deck[seat] = s.in_hand[seat] = s.in_discard[seat] = s.in_play[seat] = s.in_aside[seat] = 0
    s.n_shown[seat] = 0
    s.health[seat] = s.max_health[seat] = 0
    s.deck_number[seat] = 1
    s.choice[seat] = NONE
    s.super[seat] = NONE
    forget_turn(s, seat)


@rule
def forget_turn(s, seat):
    """Blank what only the settling of a turn needs."""
    for i in range(s.n_was[seat]):
        s.was[seat, i] = NONE
        s.was_age[seat, i] = 0
    s.passed[seat] = s.attacked[seat] = s.was_health[seat] = s.n_was[seat] = 0
    s.attack[seat] = s.heal[seat] = s.block[seat] = 0


@rule
def bring_deck(s, cards, ed, seat):
    """D1  Health. D2  The Super is set aside; the rest of the list is the deck."""
    s.health[seat] = s.max_health[seat] = ed.health
    for i in range(s.n_listed[seat]):
        kind = s.listed[seat, i]
        if cards[kind, c.SUPER]:
            s.super[seat] = kind
            put(s.aside, s.in_aside, seat, kind)
            show(s, seat, kind)
        else:
            put(s.deck, s.in_deck, seat, kind)


@rule
def clear_table(s):
    s.turn = s.over = 0
    for seat in range(2):
        clear_seat(s, seat)


@rule
def deal(s, cards, ed, luck, log, seed):
    """D1, D2  From the deck lists in `listed`; all chance comes from the seed."""
    shuffle_decks(s, cards, ed, seed)
    begin(s, cards, ed, luck, log)


@rule
def shuffle_decks(s, cards, ed, seed):
    """D2  Seat 0 first."""
    s.key[0] = seed[0]
    s.key[1] = seed[1]
    s.counter = 0
    clear_table(s)
    for seat in range(2):
        bring_deck(s, cards, ed, seat)
        shuffle(s, s.deck[seat], s.in_deck[seat])


@big_rule
def begin(s, cards, ed, luck, log):
    """D2  Each player takes the first cards; then the first turn."""
    for seat in range(2):
        for _ in range(ed.hand):
            draw(s, ed, luck, log, seat)
    begin_turn(s, cards, ed, luck, log)


# ---------------------------------------------------------------- the turn


@big_rule
def begin_turn(s, cards, ed, luck, log):
    s.turn += 1
    note(log, ev.TURN, NONE, s.turn, NONE)
    if s.turn > 1:  # D4
        for seat in range(2):
            draw(s, ed, luck, log, seat)
        end_if_dead(s, log)
    if not s.over:
        for seat in range(2):
            enter_autos(s, cards, log, seat)  # D5


@rule
def enter_autos(s, cards, log, seat):
    """D5  Every Auto in hand goes into play, in the order in which they came."""
    i = 0
    while i < s.in_hand[seat]:
        if cards[s.hand[seat, i], c.AUTO]:
            kind = remove(s.hand, s.in_hand, seat, i)
            enter_play(s, seat, kind)
            note(log, ev.AUTO, seat, kind, NONE)
        else:
            i += 1


@rule
def settle(s, cards, ed, luck, log):
    """D7-D11  Both have chosen."""
    for seat in range(2):
        reveal(s, log, seat)  # D7
        remember(s, seat)  # D8
    if any_card(s, cards, c.ASKS):
        find_attacked(s, cards)  # D23
    change_health(s, cards, log)  # D9
    end_if_dead(s, log)
    if not s.over and any_card(s, cards, c.MOVES):
        for seat in range(2):
            move_cards(s, cards, ed, luck, log, seat)  # D10
        end_if_dead(s, log)
    if not s.over:
        for seat in range(2):
            end_turn(s, cards, log, seat)  # D11
    for seat in range(2):
        forget_turn(s, seat)
    if not s.over:
        begin_turn(s, cards, ed, luck, log)


@rule
def reveal(s, log, seat):
    """D7  The picked card goes into play."""
    choice = np.int64(s.choice[seat])
    s.choice[seat] = NONE
    s.passed[seat] = choice == HOLD
    if choice == HOLD:
        note(log, ev.HOLD, seat, NONE, NONE)
        return
    kind = choice - FIRST_PLAY
    remove(s.hand, s.in_hand, seat, find(s.hand, s.in_hand, seat, kind))
    enter_play(s, seat, kind)
    note(log, ev.REVEAL, seat, kind, NONE)


@rule
def end_if_dead(s, log):
    """D3  Health at 0 or below loses; both at once is a draw."""
    if (s.health[0] <= 0) | (s.health[1] <= 0):
        s.over = 1
        note(log, ev.END, winner(s), BY_HEALTH, NONE)


@rule
def winner(s):
    if (s.health[0] <= 0) == (s.health[1] <= 0):
        return NONE
    return 0 if s.health[1] <= 0 else 1


# ---------------------------------------------------------------- D8 which effects work


@rule
def remember(s, seat):
    """D8  What works is settled from the state just after the reveal, so that state is kept."""
    s.was_health[seat] = s.health[seat]
    s.n_was[seat] = s.in_play[seat]
    for i in range(s.in_play[seat]):
        s.was[seat, i] = s.play[seat, i]
        s.was_age[seat, i] = s.age[seat, i]
        s.mark[seat, i] = i


@rule
def any_card(s, cards, trait):
    """Whether any card in play has this trait; most turns need not look further."""
    some = 0
    for owner in range(2):
        for i in range(s.n_was[owner]):
            some |= cards[s.was[owner, i], trait]
    return some != 0


@rule
def is_due(cards, row, age):
    """D22"""
    return (cards[row, c.FIRST] <= age) & (age <= cards[row, c.LAST_DUE])


@rule
def due_in(cards, kind, age):
    """D22  In how many turns a card of this age works next: 0 is this turn, NONE never again."""
    for turns in range(cards[kind, c.LAST] - age + 1):
        for row in range(cards[kind, c.FROM], cards[kind, c.UNTIL]):
            if is_due(cards, row, age + turns):
                return np.int64(turns)
    return NONE


@rule
def asks_about_attacks(cards, row):
    return (cards[row, c.CONDITION] == c.IF_ATTACKED) | (cards[row, c.CONDITION] == c.IF_NOT_ATTACKED)


@rule
def holds(s, cards, row, owner):
    """D23  The condition is always about the card's owner."""
    condition = cards[row, c.CONDITION]
    if condition == c.ALWAYS:
        return True
    if condition == c.IF_HEALTH:
        return s.was_health[owner] <= cards[row, c.THRESHOLD]
    if condition == c.IF_PASSED:
        return s.passed[other(owner)] == 1
    return (s.attacked[owner] == 1) == (condition == c.IF_ATTACKED)


@rule
def actor(cards, row, owner):
    """D21  After `Opponent:` the opponent is the one acting."""
    return other(owner) if cards[row, c.OPPONENT] else owner


@rule
def works(s, cards, row, owner, i):
    """D8  Whether an effect of card i, as it lay after the reveal, works this turn."""
    return is_due(cards, row, s.was_age[owner, i]) and holds(s, cards, row, owner)


@rule
def find_attacked(s, cards):
    """D23  Any attack that works counts, except those that themselves ask about attacks."""
    for owner in range(2):
        for i in range(s.n_was[owner]):
            kind = np.int64(s.was[owner, i])
            for row in range(cards[kind, c.FROM], cards[kind, c.UNTIL]):
                asks = asks_about_attacks(cards, row)
                if cards[row, c.ACTION] == c.ATTACK and not asks and works(s, cards, row, owner, i):
                    s.attacked[other(actor(cards, row, owner))] = 1


# ---------------------------------------------------------------- D9 health


@rule
def amount(s, cards, row, who):
    """D24  Counted amounts, seen from the one acting."""
    per = cards[row, c.PER]
    times = np.int64(1)
    if per == c.PER_HAND:
        times = np.int64(s.in_hand[who])
    elif per == c.PER_THEIR_HAND:
        times = np.int64(s.in_hand[other(who)])
    elif per == c.PER_DISCARD:
        times = np.int64(s.in_discard[who])
    return np.int64(cards[row, c.AMOUNT]) * times


@rule
def add_up(s, cards, log):
    """D8, D9  All Attack, Heal and Block of each player this turn."""
    for who in range(2):
        s.attack[who] = s.heal[who] = s.block[who] = 0
    for owner in range(2):
        for i in range(s.n_was[owner]):
            kind = np.int64(s.was[owner, i])
            for row in range(cards[kind, c.FROM], cards[kind, c.UNTIL]):
                if not cards[row, c.ON_CARDS] and works(s, cards, row, owner, i):
                    add(s, cards, log, kind, row, actor(cards, row, owner))


@rule
def add(s, cards, log, kind, row, who):
    points = amount(s, cards, row, who)
    if cards[row, c.ACTION] == c.ATTACK:
        s.attack[who] += points
        note(log, ev.STRIKE, who, kind, points)
    elif cards[row, c.ACTION] == c.HEAL:
        s.heal[who] += points
        note(log, ev.MEND, who, kind, points)
    elif cards[row, c.AMOUNT] == c.BLOCK_ALL:
        s.block[who] += EVERYTHING
        note(log, ev.GUARD_ALL, who, kind, NONE)
    else:
        s.block[who] += points
        note(log, ev.GUARD, who, kind, points)


@rule
def change_health(s, cards, log):
    """D9  Damage is Attack minus Block, not below 0; healing counts in the same moment."""
    add_up(s, cards, log)
    for seat in range(2):
        attack = s.attack[other(seat)]
        blocked = min(attack, s.block[seat])
        before = s.health[seat]
        s.health[seat] = min(s.max_health[seat], before - (attack - blocked) + s.heal[seat])
        if attack > 0:
            note(log, ev.DAMAGE, seat, attack - blocked, blocked)
        if s.heal[seat] > 0:
            note(log, ev.HEAL, seat, s.heal[seat], NONE)
        if s.health[seat] != before:
            note(log, ev.HEALTH, seat, s.health[seat], s.max_health[seat])


# ---------------------------------------------------------------- D10 cards


@big_rule
def move_cards(s, cards, ed, luck, log, seat):
    """D10  Effects of the player's own cards, then those that the opponent's cards put on them."""
    move_from(s, cards, ed, luck, log, seat, seat)
    move_from(s, cards, ed, luck, log, seat, other(seat))


@rule
def move_from(s, cards, ed, luck, log, seat, owner):
    for i in range(s.n_was[owner]):
        kind = np.int64(s.was[owner, i])
        if not cards[kind, c.MOVES]:
            continue
        for row in range(cards[kind, c.FROM], cards[kind, c.UNTIL]):
            if cards[row, c.ON_CARDS] and actor(cards, row, owner) == seat and works(s, cards, row, owner, i):
                if not is_out(s, ed, seat):
                    note(log, ev.WORK, owner, kind, NONE)
                move(s, cards, ed, luck, log, seat, row, i if owner == seat else NONE)


@big_rule
def move(s, cards, ed, luck, log, seat, row, source):
    """D20  One effect on cards; N cards are N picks, one after the other (D15)."""
    action = cards[row, c.ACTION]
    if action == c.ASIDE_THIS and not is_out(s, ed, seat):
        will_leave(s, seat, source)
    for _ in range(cards[row, c.AMOUNT]):
        if is_out(s, ed, seat):
            return
        if action == c.DRAW:
            draw(s, ed, luck, log, seat)
        else:
            take(s, luck, log, seat, action, cards[row, c.ZONE], source)


@rule
def is_out(s, ed, seat):
    """D10  A player without health left moves no more cards; in version 1 of the rules they did."""
    return (s.health[seat] <= 0) & (ed.version > 1)


@rule
def will_leave(s, seat, source):
    """D16  It has worked: the card goes aside when it leaves play under D11."""
    for i in range(s.in_play[seat]):
        if s.mark[seat, i] == source:
            s.leaves[seat, i] = 1


@big_rule
def draw(s, ed, luck, log, seat):
    """D12-D14  One card from the deck."""
    if s.in_deck[seat] == 0:
        new_deck(s, ed, luck, log, seat)
    kind = NONE
    if s.in_deck[seat] > 0:
        kind = remove(s.deck, s.in_deck, seat, s.in_deck[seat] - 1)
    if is_costly(s, ed, seat):
        wear(s, ed, log, seat)
    if kind == NONE:
        note(log, ev.NO_DRAW, seat, NONE, NONE)
    elif s.in_hand[seat] < ed.hand_limit:
        put(s.hand, s.in_hand, seat, kind)
        note(log, ev.DRAW, seat, kind, s.deck_number[seat])
    else:
        put(s.discard, s.in_discard, seat, kind)  # D12
        show(s, seat, kind)
        note(log, ev.BURN, seat, kind, NONE)


@rule
def is_costly(s, ed, seat):
    """D14  Whether each draw from the deck that is being drawn from costs."""
    return s.deck_number[seat] >= ed.wear_from


@rule
def wear(s, ed, log, seat):
    """D14  A draw from the fifth deck on, found or not, costs 5 of the maximum."""
    s.max_health[seat] -= ed.wear
    s.health[seat] = min(s.health[seat], s.max_health[seat])
    note(log, ev.WEAR, seat, s.max_health[seat], NONE)


@big_rule
def new_deck(s, ed, luck, log, seat):
    """D13  The discard is shuffled into a new deck, with the Super in the third (D17)."""
    s.deck_number[seat] += 1
    while s.in_discard[seat] > 0:
        put(s.deck, s.in_deck, seat, remove(s.discard, s.in_discard, seat, s.in_discard[seat] - 1))
    if s.deck_number[seat] == ed.super_deck and s.super[seat] != NONE:
        put(s.deck, s.in_deck, seat, s.super[seat])
        remove(s.aside, s.in_aside, seat, find(s.aside, s.in_aside, seat, s.super[seat]))
        s.super[seat] = NONE
    n = s.in_deck[seat]
    note(log, ev.NEW_DECK, seat, n, s.deck_number[seat])
    if n > 0:
        if not known_shuffle(luck, seat, s.deck[seat], n):
            shuffle(s, s.deck[seat], n)
        for place in range(n):
            note(log, ev.ORDER, seat, s.deck[seat, n - 1 - place], place)


@big_rule
def take(s, luck, log, seat, action, zone, source):
    """D15, D16  One card of a zone goes to the discard, or aside. An empty zone gives nothing."""
    kind = NONE
    if zone == c.FROM_DECK:
        if s.in_deck[seat] > 0:
            kind = remove(s.deck, s.in_deck, seat, s.in_deck[seat] - 1)
    elif zone == c.FROM_HAND:
        kind = take_random(s, luck, s.hand, s.in_hand, seat, action, zone)
    elif zone == c.FROM_DISCARD:
        kind = take_random(s, luck, s.discard, s.in_discard, seat, action, zone)
    else:
        kind = take_from_play(s, luck, seat, action, source)
    if kind == NONE:
        return
    if action == c.DISCARD:
        put(s.discard, s.in_discard, seat, kind)
        note(log, ev.DISCARD, seat, kind, zone)
    else:
        put(s.aside, s.in_aside, seat, kind)
        note(log, ev.ASIDE, seat, kind, zone)
    if zone == c.FROM_DECK or zone == c.FROM_HAND:
        show(s, seat, kind)


@big_rule
def take_random(s, luck, where, sizes, seat, action, zone):
    """A random card leaves; of several copies the one that came first."""
    if sizes[seat] == 0:
        return NONE
    kind = known_pick(luck, seat, action, zone)
    if not confirmed(luck, kind, find(where, sizes, seat, kind)):
        kind = np.int64(where[seat, below(s, sizes[seat])])
    return remove(where, sizes, seat, find(where, sizes, seat, kind))


@big_rule
def take_from_play(s, luck, seat, action, source):
    """D15  Any card in play but the one whose effect this is; of several copies the first to enter."""
    others = 0
    for i in range(s.in_play[seat]):
        others += s.mark[seat, i] != source
    if others == 0:
        return NONE
    kind = known_pick(luck, seat, action, c.FROM_PLAY)
    if not confirmed(luck, kind, first_other(s, seat, kind, source)):
        kind = nth_other(s, seat, below(s, others), source)
    return leave_play(s, seat, first_other(s, seat, kind, source))


@rule
def nth_other(s, seat, n, source):
    """The kind of card number n in play, leaving out the source."""
    for i in range(s.in_play[seat]):
        if s.mark[seat, i] != source:
            if n == 0:
                return np.int64(s.play[seat, i])
            n -= 1
    return NONE


@rule
def first_other(s, seat, kind, source):
    """Where the first card of a kind is in play, leaving out the source."""
    for i in range(s.in_play[seat]):
        if s.play[seat, i] == kind and s.mark[seat, i] != source:
            return i
    return NONE


# ---------------------------------------------------------------- D11 the end of the turn


@rule
def end_turn(s, cards, log, seat):
    """D11  Every card whose last due turn this was goes to the discard, or aside (D16)."""
    i = 0
    while i < s.in_play[seat]:
        kind = np.int64(s.play[seat, i])
        if s.age[seat, i] < cards[kind, c.LAST]:
            s.age[seat, i] += 1
            s.mark[seat, i] = NONE
            i += 1
            continue
        goes_aside = s.leaves[seat, i]
        leave_play(s, seat, i)
        if goes_aside:
            put(s.aside, s.in_aside, seat, kind)
        else:
            put(s.discard, s.in_discard, seat, kind)
        note(log, ev.LEAVE, seat, kind, goes_aside)


# ---------------------------------------------------------------- the Game interface


@rule
def actors(s):
    """Who owes a choice: each seat that has not chosen yet."""
    if s.over:
        return 0
    return (seat_bit(0) if s.choice[0] == NONE else 0) | (seat_bit(1) if s.choice[1] == NONE else 0)


@rule
def legal(s, seat, out):
    """D6  A card from hand, or none; two copies stand once."""
    if s.over or s.choice[seat] != NONE:
        return 0
    out[0] = HOLD
    n = 1
    for i in range(s.in_hand[seat]):
        if find(s.hand, s.in_hand, seat, s.hand[seat, i]) == i:
            out[n] = FIRST_PLAY + s.hand[seat, i]
            n += 1
    return n


@rule
def act(s, cards, ed, luck, log, seat, action):
    """D6  Seal the choice; when both have chosen, the turn is settled."""
    s.choice[seat] = action
    if s.choice[0] != NONE and s.choice[1] != NONE:
        settle(s, cards, ed, luck, log)
