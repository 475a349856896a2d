"""What the moves of Madness are to somebody who errs: see `deciding.notice`.

What people miss is a threat as a whole: a field that is about to be lost, the Boss, the Coyote's Chance, that
a field can be closed. Nobody fails to see that one may draw or pass; nobody starves of their own free will or
throws a Joker away; and a win at once is seen by all.
"""

import numpy as np

from coyote.bots.deciding import ABSURD, EVERYBODY_SEES, KINDS, PLAIN
from coyote.bots.madness.ending import may_win_now, wins_at_once
from coyote.bots.madness.thumb import is_lost, would_starve
from coyote.games.madness.actions import (
    BEAT,
    CLOSE,
    DECLINE,
    DRAW,
    DROP,
    DROP_NOTHING,
    PASS,
    PUSH,
    laid_field,
)
from coyote.games.madness.cards import is_joker
from coyote.kernel.jit import big_rule, rule

ANSWER, BOSS, CHANCE, CLOSING = range(KINDS, KINDS + 4)


@rule
def sight_of_main(v, ed, seat, action):
    if action == PASS:
        return EVERYBODY_SEES
    if action >= BEAT:
        return BOSS
    if is_lost(v, laid_field(action), seat):
        return ANSWER
    return CLOSING if action >= CLOSE else PLAIN


@rule
def sight_of_tut(v, ed, seat, action):
    if action == PUSH:
        return ABSURD if v.held[seat] == 0 and ed.starvation else PLAIN  # M13
    if DROP <= action < DROP_NOTHING and is_joker(action - DROP):
        return ABSURD
    return EVERYBODY_SEES if action in (DRAW, DROP_NOTHING) else PLAIN


@rule
def sight(v, ed, seat, action):
    if action < DRAW:
        return sight_of_main(v, ed, seat, action)
    if action <= PUSH:
        return sight_of_tut(v, ed, seat, action)
    if action == DECLINE:
        return EVERYBODY_SEES
    return ABSURD if would_starve(v, ed, seat) else CHANCE


@big_rule
def write_sights(v, ed, seat, t, world, log):
    """`world` is room for one state."""
    near = may_win_now(v, ed, seat)
    for i in range(t.n):
        action = np.int64(t.legal[i])
        wins = near and wins_at_once(v, ed, seat, action, world, log)
        t.sight[i] = EVERYBODY_SEES if wins else sight(v, ed, seat, action)
