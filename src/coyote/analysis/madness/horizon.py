"""What a main action comes to by one's next turn, whatever the other holds and whatever comes: exhaustively.

The other has a hand of ghosts: every card that is not seen, as long as there are cards to play. So what holds
against it holds against every hand, and what fails fails by a card that the other may really have.
"""

import numpy as np

from coyote.bots.madness.ending import step
from coyote.bots.madness.fold import N_RANKS
from coyote.games.madness.actions import DROP, DROP_NOTHING, MOST_LEGAL, PASS
from coyote.games.madness.cards import N_CARDS, rank_of
from coyote.games.madness.rules import decider, legal, result
from coyote.games.madness.state import MAIN, OVER, TUT
from coyote.kernel.bits import EMPTY, lowest, only, without_lowest
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import NONE, other

TO_WIN, TO_LIVE = 0, 1  # what is asked for
ANY = -1
MOST_DEEP = 24

WAY = record_dtype(
    [
        ("legal", np.int16, (MOST_DEEP, MOST_LEGAL)),
        ("n", np.int64, MOST_DEEP),
        ("at", np.int64, MOST_DEEP),
        ("number", np.int64, (MOST_DEEP, N_RANKS)),
        ("place", np.int64, (MOST_DEEP, N_RANKS)),
        ("outcome", np.int64, MOST_DEEP),
        ("holds", np.int64, MOST_DEEP),  # of the move that is looked at: against all that came so far
        ("found", np.int64, MOST_DEEP),  # of the moves before it: any that holds, or all of the other's
    ]
)


@rule
def ghosts(unseen):
    """Two cards of each rank at most: nobody plays more of one before the turn comes back."""
    hand = EMPTY
    last, alike = NONE, 0
    while unseen:
        card = lowest(unseen)
        alike = alike + 1 if rank_of(card) == last else 1
        last = rank_of(card)
        if alike <= 2:
            hand |= only(card)
        unseen = without_lowest(unseen)
    return hand


@rule
def haunt(s, me):
    """The other has no card that lies with me, and none at all with an empty hand."""
    they = other(me)
    s.hands[they] &= ~s.hands[me]
    if s.held[they] <= 0:
        s.hands[they] = EMPTY


@rule
def is_over(s, me, turn):
    """Whether the question is answered: the game is over, or my next turn has come."""
    return s.phase == OVER or (s.phase == MAIN and s.mover == me and s.turn > turn)


@rule
def answer(s, me, asked):
    if s.phase != OVER:
        return asked == TO_LIVE
    winner, _, _ = result(s)
    return winner == me if asked == TO_WIN else winner != other(me)


@rule
def same_rank(first, second):
    """Whether two moves, of which the second stands right after the first, differ in the suit alone."""
    if (first >= DROP) & (second < DROP_NOTHING):
        return rank_of(first - DROP) == rank_of(second - DROP)
    if second >= PASS:
        return False
    return first // N_CARDS == second // N_CARDS and rank_of(first % N_CARDS) == rank_of(second % N_CARDS)


@rule
def list_moves(s, ed, w, deep, me):
    """The legal moves without those that come to the same. What the other drops never matters until then."""
    seat = decider(s)
    n = legal(s, ed, seat, w.legal[deep])
    kept = 0
    dropped = False
    for i in range(n):
        action = np.int64(w.legal[deep, i])
        drops = (action >= DROP) & (action < DROP_NOTHING)
        skip = action == DROP_NOTHING or (seat != me and drops and dropped)
        if not skip and (kept == 0 or not same_rank(np.int64(w.legal[deep, kept - 1]), action)):
            w.legal[deep, kept] = action
            kept += 1
            dropped = dropped or bool(drops)
    w.n[deep], w.at[deep], w.found[deep] = kept, 0, seat != me


@rule
def list_outcomes(s, w, deep, me):
    """My own cards may be any; what the other draws changes nothing, for ghosts hold all there is."""
    draws = (s.phase == TUT) & (s.left > 0) & (decider(s) == me)
    for rank in range(N_RANKS):
        w.number[deep, rank] = 0
    if not draws:
        w.number[deep, 0], w.place[deep, 0] = 1, NONE
    for i in range(s.left if draws else 0):
        rank = rank_of(np.int64(s.deck[i]))
        w.place[deep, rank] = i
        w.number[deep, rank] = 1
    w.outcome[deep], w.holds[deep] = NONE, 1


@rule
def next_outcome(w, deep):
    w.outcome[deep] += 1
    while w.outcome[deep] < N_RANKS and w.number[deep, w.outcome[deep]] == 0:
        w.outcome[deep] += 1
    return w.outcome[deep] < N_RANKS and w.holds[deep] == 1


@rule
def end_move(s, w, deep, me):
    """A move of mine that holds is enough; one of the other's that does not is, too."""
    mine = decider(s) == me
    w.found[deep] = w.holds[deep]
    w.at[deep] += 1
    if (w.holds[deep] == 1) == mine:
        w.at[deep] = w.n[deep]
    list_outcomes(s, w, deep, me)


@big_rule
def holds(tables, ed, log, w, me, asked, action, reply):
    """Whether a main action of tables[0] does what is asked for; `reply`: the other's main action, or ANY."""
    turn = tables[0].turn
    w.legal[0, 0], w.n[0], w.at[0], w.found[0] = action, 1, 0, 0
    list_outcomes(tables[0], w, 0, me)
    deep = 0
    while True:
        s = tables[deep]
        if w.at[deep] >= w.n[deep]:
            if deep == 0:
                return w.found[0] == 1
            found = w.found[deep]
            deep -= 1
            w.holds[deep] &= found
        elif not next_outcome(w, deep):
            end_move(s, w, deep, me)
        else:
            t = tables[deep + 1]
            tables[deep + 1] = s
            place = w.place[deep, w.outcome[deep]]
            if place != NONE:
                top = s.left - 1
                card = t.deck[place]
                t.deck[place] = t.deck[top]
                t.deck[top] = card
            step(t, ed, log, decider(s), np.int64(w.legal[deep, w.at[deep]]))
            haunt(t, me)
            if is_over(t, me, turn) or deep + 2 >= MOST_DEEP:
                w.holds[deep] &= answer(t, me, asked)
            else:
                deep += 1
                list_moves(t, ed, w, deep, me)
                if reply != ANY and t.phase == MAIN and t.mover != me:
                    w.legal[deep, 0], w.n[deep] = reply, 1
                list_outcomes(t, w, deep, me)
