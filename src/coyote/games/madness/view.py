"""What a seat may know (M8), and what it may suppose."""

from coyote.games.madness.cards import all_cards
from coyote.games.madness.editions import MOST_FIELDS
from coyote.games.madness.rules import can_answer, decider, take_top, to_hand, verdict
from coyote.games.madness.state import COYOTE, OVER
from coyote.kernel.bits import EMPTY, lowest, only, without_lowest
from coyote.kernel.chance import shuffle
from coyote.kernel.jit import rule
from coyote.kernel.seats import HIDDEN, NONE


@rule
def view(s, seat, out):
    """M8  Write to out[0] what the seat may know; seat -1 is a bystander.

    Only what is named here is copied: a new field of the state stays hidden until it is added.
    """
    v = out[0]
    hide(v, s.left)
    for owner in range(2):
        v.hands[owner] = s.hands[owner] if owner == seat else EMPTY
        v.held[owner] = s.held[owner]
    v.left = s.left
    v.boss = s.boss
    v.discard = s.discard
    v.gone = s.gone
    for field in range(MOST_FIELDS):
        for owner in range(2):
            v.tops[field, owner] = s.tops[field, owner]
            v.heights[field, owner] = s.heights[field, owner]
        v.last[field] = s.last[field]
        v.marker[field] = s.marker[field]
        v.winner[field] = s.winner[field]
    v.lead = s.lead
    v.mover = s.mover
    v.phase = s.phase
    v.back_to = s.back_to
    v.closing = s.closing
    v.turn = s.turn
    v.began_dry = s.began_dry
    v.moved = s.moved
    v.idle = s.idle
    v.reason = s.reason


@rule
def hide(v, left):
    """Nobody knows the deck or the key."""
    v.key[0] = v.key[1] = EMPTY
    v.counter = 0
    for i in range(len(v.deck)):
        v.deck[i] = HIDDEN if i < left else NONE


TOLD = 20 + 10 * MOST_FIELDS  # numbers


@rule
def told(v, ed, out):
    """Write to out all that everybody may know, in the order of `view_json.shape_of`."""
    coyote, over = v.phase == COYOTE, v.phase == OVER
    out[0], out[1], out[2] = v.phase, v.turn, v.mover
    out[3] = NONE if over else decider(v)
    out[4], out[5], out[6] = v.lead, v.held[0], v.held[1]
    out[7], out[8], out[9] = v.left, v.boss, v.discard
    out[10] = v.closing + 1 if coyote else NONE
    out[11] = v.back_to if coyote else NONE
    out[12], out[13], out[14] = v.began_dry, v.moved, v.idle
    out[15], out[16] = can_answer(v, 0), can_answer(v, 1)
    out[17], out[18], out[19] = over, v.reason, v.gone
    n = 20
    for field in range(ed.fields):
        out[n], out[n + 1] = v.tops[field, 0], v.tops[field, 1]
        out[n + 2], out[n + 3] = v.heights[field, 0], v.heights[field, 1]
        out[n + 4] = v.last[field]
        out[n + 5] = out[n + 6] = v.marker[field]
        out[n + 7] = v.winner[field]
        n += 8
    for field in range(ed.fields):
        out[n], out[n + 1] = verdict(v, field, 0), verdict(v, field, 1)
        n += 2


@rule
def seen(v):
    """Every card whose place is known to the owner of this view."""
    cards = v.hands[0] | v.hands[1] | v.gone | only(v.boss) | only(v.discard)
    for field in range(MOST_FIELDS):
        cards |= only(v.tops[field, 0]) | only(v.tops[field, 1]) | only(v.marker[field])
    return cards


@rule
def imagine(v, ed, seat, seed, out):
    """Write to out[0] a full state which the seat cannot tell from the real one.

    The unseen cards are spread evenly over the deck and the hidden hands; any cleverer guess is
    the business of a bot. A hand that lies open, as it does after a game, stays as it is.
    """
    out[0] = v
    s = out[0]
    s.key[0], s.key[1], s.counter = seed[0], seed[1], 0
    n = 0
    unseen = all_cards(ed.jokers) & ~seen(v)
    while unseen:
        s.deck[n] = lowest(unseen)
        unseen = without_lowest(unseen)
        n += 1
    shuffle(s, s.deck, n)
    s.left = n
    for owner in range(2):
        if (owner != seat) & (v.hands[owner] == EMPTY):
            s.held[owner] = 0
            for _ in range(v.held[owner]):
                to_hand(s, owner, take_top(s))
