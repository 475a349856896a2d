"""How a game stands where a main action is due: a chance to win, from signs that are weighed.

The weights of the signs, one set for each edition, were learned from how games ended
(`tools/learn_madness.py`).
"""

import numpy as np

from coyote.bots.madness.thumb import FIRM
from coyote.games.madness.cards import JOKERS, N_PLAIN, STRONGER
from coyote.games.madness.rules import verdict
from coyote.games.madness.state import WON
from coyote.kernel.bits import EMPTY, count, lowest, without_lowest
from coyote.kernel.jit import rule
from coyote.kernel.seats import NONE, other

JOKER_SET = np.uint64(sum(1 << card for card in JOKERS))
USUAL_FIELDS = 3.0  # in the editions that the weights were learned from

SIGNS = (
    "the turn", "the lead", "its square", "a field to be answered", "a field that is lost",
    "can beat the Boss", "they could", "cards in hand", "theirs", "how firm the hand is", "theirs is",
    "jokers", "their jokers", "more cards than they", "… with fields closed", "fields closed",
    "the lead late in the game", "how firm the Boss is", "can win at once", "they will win at once",
    "no card left", "they have one at most", "how late it is",
)  # fmt: skip
N_SIGNS = len(SIGNS)


@rule
def firmness(cards):
    total = 0.0
    while cards:
        total += FIRM[lowest(cards)]
        cards = without_lowest(cards)
    return total


@rule
def list_signs(s, ed, scale, x):
    """Write what speaks for and against the mover, in the order of SIGNS.

    Under house rules (M25) a sign counts as much as the points that it stands for; `scale` makes a lead
    of what it would be in the edition that the weights were learned from.
    """
    me = np.int64(s.mover)
    them = other(me)
    mine, theirs = s.hands[me], s.hands[them]
    lead = np.float64(s.lead if me == 0 else -s.lead)
    points = lead
    lead *= scale
    closed = 0.0
    answer = lost = 0
    for field in range(ed.fields):
        if s.marker[field] != NONE:
            closed += 1.0
        elif verdict(s, field, them) == WON:
            can_answer = (mine & STRONGER[s.tops[field, them]]) != EMPTY
            answer += can_answer
            lost += not can_answer
    can = (mine & STRONGER[s.boss]) != EMPTY
    late = 1.0 - s.left / (N_PLAIN + ed.jokers - 2 * ed.hand - ed.extra - 1)
    more = np.float64((s.held[me] > s.held[them]) - np.int64(s.held[me] < s.held[them]))
    x[0] = 1.0
    x[1] = lead
    x[2] = lead * abs(lead)
    x[3] = answer * ed.field_points
    x[4] = lost * ed.field_points
    x[5] = can * ed.boss_points
    x[6] = ((theirs & STRONGER[s.boss]) != EMPTY) * ed.boss_points
    x[7] = s.held[me]
    x[8] = s.held[them]
    x[9] = firmness(mine)
    x[10] = firmness(theirs)
    x[11] = count(mine & JOKER_SET)
    x[12] = count(theirs & JOKER_SET)
    closed *= USUAL_FIELDS / ed.fields
    x[13] = more * ed.hand_points  # M20
    x[14] = more * closed * ed.hand_points
    x[15] = closed
    x[16] = lead * late
    x[17] = FIRM[s.boss]
    x[18] = points + can * ed.boss_points >= ed.goal  # M10
    x[19] = lost * ed.field_points - points >= ed.goal
    x[20] = (s.held[me] == 0) & (ed.starvation != 0)
    x[21] = (s.held[them] <= 1) & (ed.starvation != 0)
    x[22] = late


@rule
def judge(s, ed, weights, scale, x):
    """Seat 0's chance to win; `x` is room for the signs."""
    list_signs(s, ed, scale, x)
    total = 0.0
    for i in range(N_SIGNS):
        total += weights[i] * x[i]
    return 1.0 / (1.0 + np.exp(-total if s.mover == 0 else total))
