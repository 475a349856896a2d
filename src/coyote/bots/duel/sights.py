"""What the moves of the duel are to somebody who errs: see `deciding.notice`.

What people miss is what only works later, what moves cards rather than health, and that a card would save
them this turn. A last blow is seen by all, and so is that one may hold.
"""

import numpy as np

from coyote.bots.deciding import EVERYBODY_SEES, KINDS, PLAIN
from coyote.bots.duel.thumb import KILLS, SAVES, weigh_all
from coyote.games.duel import cards as c
from coyote.games.duel.rules import FIRST_PLAY, HOLD
from coyote.kernel.jit import big_rule, rule

SAVING, LATER, MOVING = range(KINDS, KINDS + 3)
MOSTLY = 0.8  # of the points that a last blow, or a rescue, is worth to the rules of thumb


@rule
def sight_of_card(cards, kind):
    """By the first of its effects that come at once; a card that has none of them works later."""
    for row in range(cards[kind, c.FROM], cards[kind, c.UNTIL]):
        if cards[row, c.FIRST] == 0:
            return MOVING if cards[row, c.ON_CARDS] else PLAIN
    return LATER


@rule
def sight(cards, move, worth):
    if move == HOLD or worth >= MOSTLY * KILLS:
        return EVERYBODY_SEES
    return SAVING if worth >= MOSTLY * SAVES else sight_of_card(cards, move - FIRST_PLAY)


@big_rule
def write_sights(v, cards, ed, due, worth, seat, t):
    """`due` and `worth` are room for what the rules of thumb say."""
    weigh_all(v, cards, ed, due, seat, t.legal, t.n, worth)
    for i in range(t.n):
        t.sight[i] = sight(cards, np.int64(t.legal[i]), worth[i])
