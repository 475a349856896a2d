"""Madness, in the order of the rulebook. Functions here trust their arguments: `Match` checks.

Short names: `s` the state, `ed` the edition's row, `log` what happened, `seat` 0 or 1.
"""

import numpy as np

from coyote.games.madness import events as ev
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
from coyote.games.madness.cards import N_CARDS, N_PLAIN, STRONGER, beats, equal, is_joker
from coyote.games.madness.editions import EMPTY_ONES, MOST_FIELDS, OPEN_ONES
from coyote.games.madness.state import (
    COYOTE,
    DRAWN,
    ENDURANCE,
    LEAD,
    MAIN,
    OVER,
    STALL,
    STARVATION,
    STAYS_OPEN,
    TUT,
    WON,
)
from coyote.kernel.bits import EMPTY, lowest, only, without_lowest
from coyote.kernel.chance import shuffle
from coyote.kernel.events import note
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.seats import NONE, other, seat_bit

# ---------------------------------------------------------------- cards in motion


@rule
def take_top(s):
    """The top card leaves a deck that is not empty."""
    s.left -= 1
    card = np.int64(s.deck[s.left])
    s.deck[s.left] = NONE
    return card


@rule
def to_hand(s, seat, card):
    s.hands[seat] |= only(card)
    s.held[seat] += 1


@rule
def from_hand(s, seat, card):
    s.hands[seat] ^= only(card)
    s.held[seat] -= 1
    s.moved = 1  # M24


@rule
def cover(s, card):
    """A card that was shown goes out of sight, for good."""
    s.gone |= only(card)


@rule
def to_boss(s, card):
    cover(s, s.boss)
    s.boss = card


@rule
def to_discard(s, card):
    cover(s, s.discard)
    s.discard = card


# ---------------------------------------------------------------- setup


@big_rule
def clear_table(s):
    """A table with no card on it."""
    s.gone = EMPTY
    s.boss = s.discard = NONE
    for seat in range(2):
        s.hands[seat] = EMPTY
        s.held[seat] = 0
    for field in range(MOST_FIELDS):
        clear_field(s, field)
    s.lead = s.mover = 0
    s.phase = s.back_to = MAIN
    s.closing = s.reason = NONE
    s.turn = 1
    s.began_dry = s.moved = s.idle = 0


@rule
def clear_field(s, field):
    for seat in range(2):
        s.tops[field, seat] = NONE
        s.heights[field, seat] = 0
    s.last[field] = s.marker[field] = s.winner[field] = NONE


@rule
def shuffle_deck(s, ed, seed):
    """M1, M11  52 cards and the jokers."""
    s.key[0] = seed[0]
    s.key[1] = seed[1]
    s.counter = 0
    s.left = N_PLAIN + ed.jokers
    for card in range(N_CARDS):
        s.deck[card] = card if card < s.left else NONE
    shuffle(s, s.deck, s.left)


@rule
def deal_hand(s, seat, n):
    """M11  The n top cards."""
    hand = EMPTY
    for i in range(s.left - n, s.left):
        hand |= only(s.deck[i])
        s.deck[i] = NONE
    s.hands[seat] = hand
    s.held[seat] = n
    s.left -= n


@rule
def lay_out(s, ed):
    """M11  The hands, seat 0 first, and a Boss: after them, in classic before. M9  Seat 1 may begin ahead."""
    clear_table(s)
    if ed.boss:
        s.boss = take_top(s)
    deal_hand(s, 0, ed.hand)
    deal_hand(s, 1, ed.hand + ed.extra)
    if not ed.boss:
        s.boss = take_top(s)
    s.lead = -ed.komi


@rule
def deal(s, ed, seed):
    """M11  Shuffle, deal, turn up the first Boss; seat 0 begins. All chance comes from the seed."""
    shuffle_deck(s, ed, seed)
    lay_out(s, ed)


# ---------------------------------------------------------------- points and the end


@big_rule
def finish(s, log, reason, winner):
    s.phase = OVER
    s.reason = reason
    note(log, ev.END, winner, reason, s.lead)


@rule
def leader(s):
    if s.lead == 0:
        return NONE
    return 0 if s.lead > 0 else 1


@rule
def gain_point(s, ed, log, seat, source):
    """M9  One point, which pulls the lead one step. M10  The goal wins at once."""
    s.lead += 1 - 2 * seat
    note(log, ev.POINT, seat, source, s.lead)
    if abs(s.lead) >= ed.goal:
        finish(s, log, LEAD, seat)


@rule
def gain_points(s, ed, log, seat, source, points):
    """M9  Strictly one at a time: the first that wins is the last."""
    for _ in range(points):
        if s.phase != OVER:
            gain_point(s, ed, log, seat, source)


@rule
def starve(s, ed, log):
    """M13  After settling: no card in hand, and a deck that is not empty (M23): lost at once."""
    if (s.held[s.mover] == 0) & (s.left > 0) & (ed.starvation != 0):
        finish(s, log, STARVATION, other(s.mover))


@rule
def end_if_spent(s, log):
    """M22  Deck and both hands empty: the game ends, and the lead decides."""
    if s.left == 0 and s.held[0] == 0 and s.held[1] == 0 and s.phase != OVER:
        finish(s, log, ENDURANCE, leader(s))


# ---------------------------------------------------------------- the turn


@rule
def begin_turn(s, ed, log):
    s.phase = MAIN
    s.began_dry = s.left == 0
    s.moved = 0
    note(log, ev.TURN, s.mover, s.turn, NONE)
    settle(s, ed, log)  # M12
    if s.phase == MAIN:
        starve(s, ed, log)  # M13


@rule
def end_turn(s, ed, log):
    """M24  Two idle turns in a row end the game; otherwise the turn passes."""
    s.idle = s.idle + 1 if s.began_dry and not s.moved else 0
    if s.idle == 2:
        finish(s, log, STALL, leader(s))
        return
    s.mover = other(s.mover)
    s.turn += 1
    begin_turn(s, ed, log)


# ---------------------------------------------------------------- M12 settling


@rule
def settle(s, ed, log):
    """M12  The fields in their order, each where the mover has a card on an open side."""
    for field in range(ed.fields):
        if s.phase == MAIN:
            settle_field(s, ed, log, field)


@rule
def settle_field(s, ed, log, field):
    """M12  A field that is won, or drawn, closes; and with the last of them the round ends (M16)."""
    outcome = verdict(s, field, s.mover)
    if outcome == STAYS_OPEN:
        return
    if outcome == WON:
        close_field(s, log, field, s.tops[field, s.mover], s.mover)
        gain_points(s, ed, log, s.mover, ev.FOR_FIELD, ed.field_points)
    else:
        close_field(s, log, field, s.tops[field, other(s.mover)], NONE)  # M6: of the one who did not lay last
    end_round_if_closed(s, ed, log, field, s.winner[field])


@rule
def verdict(s, field, seat):
    """M12  What settling does with a field when a turn of the seat begins.

    Unanswered or stronger: won. Equal, and the seat laid last: drawn. Otherwise it stays open.
    """
    mine, theirs = s.tops[field, seat], s.tops[field, other(seat)]
    if (s.marker[field] != NONE) | (mine == NONE):
        return STAYS_OPEN
    laid_last = s.last[field] == seat
    if theirs == NONE or stronger_on_field(mine, theirs, laid_last):
        return WON
    return DRAWN if laid_last and equal(mine, theirs) else STAYS_OPEN


@rule
def stronger_on_field(mine, theirs, laid_last):
    """M3  Of two jokers the one laid last is the stronger, so an earlier one beats nothing."""
    return beats(mine, theirs) and (laid_last or not is_joker(theirs))


@rule
def close_field(s, log, field, marker, winner):
    """M6  The covering stack is the marker."""
    s.marker[field] = marker
    s.winner[field] = winner
    note(log, ev.FIELD, winner, field, marker)


# ---------------------------------------------------------------- M14 the main action


@rule
def main_action(s, ed, log, seat, action):
    """M14  Exactly one: attack, close a field, beat the Boss, pass."""
    s.phase = TUT
    if action < CLOSE:
        attack(s, log, seat, laid_field(action), laid_card(action))
    elif action < BEAT:
        close(s, ed, log, seat, laid_field(action), laid_card(action))
    elif action < PASS:
        beat_boss(s, ed, log, seat, laid_card(action))
    else:
        note(log, ev.PASS, seat, NONE, NONE)
    end_if_spent(s, log)  # M22


@rule
def attack(s, log, seat, field, card):
    """M14 Attack, M7  The card covers what lies on that side."""
    from_hand(s, seat, card)
    cover(s, s.tops[field, seat])
    s.tops[field, seat] = card
    s.heights[field, seat] += 1
    s.last[field] = seat
    note(log, ev.ATTACK, seat, field, card)


@rule
def close(s, ed, log, seat, field, card):
    """M14 Close  Nobody wins the field. M17  In classic the closer of the last field wins the round."""
    from_hand(s, seat, card)
    s.marker[field] = card
    note(log, ev.CLOSE, seat, field, card)
    end_round_if_closed(s, ed, log, field, seat if ed.closer else NONE)


@rule
def beat_boss(s, ed, log, seat, card):
    """M14 Beat the Boss  The card is the new Boss and earns a point."""
    note(log, ev.BEAT, seat, card, s.boss)
    from_hand(s, seat, card)
    to_boss(s, card)
    gain_points(s, ed, log, seat, ev.FOR_BOSS, ed.boss_points)


# ---------------------------------------------------------------- M15 TUT


@rule
def tut_action(s, ed, log, seat, action):
    """M15  Exactly one: draw, drop, push. Then the turn passes."""
    if action == PUSH:
        push(s, log, seat)
    else:
        if DROP <= action < DROP_NOTHING:
            drop(s, log, seat, action - DROP)
        draw(s, log, seat)
    end_if_spent(s, log)  # M22
    if s.phase != OVER:
        end_turn(s, ed, log)


@rule
def draw(s, log, seat):
    """M15 Draw  With an empty deck, nothing."""
    if s.left == 0:
        note(log, ev.NO_DRAW, seat, NONE, NONE)
        return
    card = take_top(s)
    to_hand(s, seat, card)
    note(log, ev.DRAW, seat, card, NONE)


@rule
def drop(s, log, seat, card):
    """M15 Drop  A card to the discard, before the draw."""
    from_hand(s, seat, card)
    to_discard(s, card)
    note(log, ev.DROP, seat, card, NONE)


@rule
def push(s, log, seat):
    """M15 Push  The top card is the new Boss, for no point; with an empty deck, nothing."""
    if s.left == 0:
        note(log, ev.NO_PUSH, seat, NONE, NONE)
        return
    card = take_top(s)
    to_boss(s, card)
    note(log, ev.PUSH, seat, card, NONE)


# ---------------------------------------------------------------- the end of a round


@rule
def any_open(s, ed):
    """M6"""
    some = 0
    for field in range(ed.fields):
        some |= s.marker[field] == NONE
    return some


@rule
def end_round_if_closed(s, ed, log, field, winner):
    """M16  The moment all fields are closed. M17  No winner: no Chance and no points."""
    if s.phase == OVER or any_open(s, ed):
        return
    note(log, ev.ROUND, winner, field, s.marker[field])
    if winner == NONE:
        clear_fields(s, ed, log, NONE)
        return
    s.closing = field
    if ed.chance and s.held[other(winner)] > 0:  # M18: with an empty hand it is skipped
        s.back_to = s.phase
        s.phase = COYOTE
    else:
        conclude_round(s, ed, log, winner, NONE)


@big_rule
def coyote_action(s, ed, log, seat, action):
    """M18  Steal with a stronger card, or decline. Then the turn goes on where it was (M16)."""
    s.phase = s.back_to
    s.back_to = MAIN
    if action == DECLINE:
        note(log, ev.DECLINE, seat, NONE, NONE)
        conclude_round(s, ed, log, other(seat), NONE)
    else:
        steal(s, log, seat, action - STEAL)
        conclude_round(s, ed, log, seat, action - STEAL)
    end_if_spent(s, log)  # M22
    if s.phase == MAIN:
        starve(s, ed, log)  # M13


@rule
def steal(s, log, seat, card):
    """M18  The card of the Chance goes to the discard."""
    note(log, ev.STEAL, seat, card, s.marker[s.closing])
    from_hand(s, seat, card)
    to_discard(s, card)


@big_rule
def conclude_round(s, ed, log, winner, played):
    """M19-M21  The points, then the fields are cleared. `played` is the card of the Chance or NONE."""
    s.closing = NONE
    gain_points(s, ed, log, winner, ev.FOR_ROUND, ed.round_points)  # M19
    if s.phase != OVER:
        gain_hand_point(s, ed, log)  # M20
    if s.phase != OVER:
        clear_fields(s, ed, log, played if ed.chance_card else NONE)  # M21


@rule
def gain_hand_point(s, ed, log):
    """M20  To the player with fewer cards; on equal hands nobody."""
    if s.held[0] != s.held[1]:
        gain_points(s, ed, log, 0 if s.held[0] < s.held[1] else 1, ev.FOR_HAND, ed.hand_points)


@big_rule
def clear_fields(s, ed, log, on_top):
    """M21  All cards of the fields go to the discard.

    The last to come there is what closed the last field, and it lies on top, unless the card of a
    Chance is to lie on all of them (classic).
    """
    top = s.marker[ed.fields - 1] if on_top == NONE else on_top
    cover(s, s.discard)
    for field in range(ed.fields):
        for seat in range(2):
            cover(s, s.tops[field, seat])
        cover(s, s.marker[field])
        clear_field(s, field)
    s.gone &= ~only(top)
    s.discard = top
    note(log, ev.CLEAR, NONE, top, NONE)


# ---------------------------------------------------------------- the Game interface


@rule
def result(s):
    """The winner or NONE, why the game ended or NONE, and the lead."""
    winner = NONE
    if s.reason == STARVATION:
        winner = other(s.mover)
    elif s.reason != NONE:
        winner = leader(s)
    return winner, s.reason, s.lead


@rule
def decider(s):
    """The seat that owes the choice while a game goes on: the mover, but in a Chance the other one (M18)."""
    return np.int64(other(s.mover) if s.phase == COYOTE else s.mover)


@rule
def can_answer(s, seat):
    """M14  Whether the seat has a main action before its open fields are settled (M12).

    Whoever has made the main action of this turn has none.
    """
    made = (s.phase == TUT) | ((s.phase == COYOTE) & (s.back_to == TUT))
    return s.phase != OVER and not (made and seat == s.mover)


@rule
def actors(s):
    """Who owes a choice: one seat, or nobody when the game is over."""
    return 0 if s.phase == OVER else seat_bit(decider(s))


@rule
def act(s, ed, log, seat, action):
    if s.phase == MAIN:
        main_action(s, ed, log, seat, action)
    elif s.phase == TUT:
        tut_action(s, ed, log, seat, action)
    else:
        coyote_action(s, ed, log, seat, action)


@rule
def targets(s, ed):
    """M14  Where a card may be laid, as a set: 0-3 the fields to attack, 4-7 the fields to close."""
    places = 0
    for field in range(ed.fields):
        is_open = s.marker[field] == NONE
        is_bare = (s.tops[field, 0] == NONE) & (s.tops[field, 1] == NONE)  # M6 empty
        closes = (ed.close == OPEN_ONES) | (is_bare & (ed.close == EMPTY_ONES))
        places |= is_open << field
        places |= (is_open & closes) << (field + MOST_FIELDS)
    return np.uint64(places)


@rule
def list_cards(cards, first, out, n):
    """Append one action for each card of a set."""
    while cards:
        out[n] = first + lowest(cards)
        n += 1
        cards = without_lowest(cards)
    return n


@rule
def legal_main(s, ed, seat, out):
    """M14"""
    hand = s.hands[seat]
    places = targets(s, ed)
    n = 0
    while places:
        n = list_cards(hand, ATTACK + lowest(places) * N_CARDS, out, n)
        places = without_lowest(places)
    n = list_cards(hand & STRONGER[s.boss], BEAT, out, n)
    out[n] = PASS
    return n + 1


@rule
def legal_tut(s, seat, out):
    """M15  All three, always."""
    out[0] = DRAW
    n = list_cards(s.hands[seat], DROP, out, 1)
    if n == 1:
        out[1] = DROP_NOTHING
        n = 2
    out[n] = PUSH
    return n + 1


@rule
def legal_coyote(s, seat, out):
    """M18"""
    n = list_cards(s.hands[seat] & STRONGER[s.marker[s.closing]], STEAL, out, 0)
    out[n] = DECLINE
    return n + 1


@rule
def legal(s, ed, seat, out):
    """Write the seat's legal actions, in rising order; none where it owes no choice."""
    if s.phase == OVER or actors(s) != seat_bit(seat):
        return 0
    if s.phase == MAIN:
        return legal_main(s, ed, seat, out)
    if s.phase == TUT:
        return legal_tut(s, seat, out)
    return legal_coyote(s, seat, out)
