"""Moves that come to the same, under one number.

Suits never matter to strength (M1) and neither do the numbers of bare fields, so a search that told
them apart would learn the same thing many times.

from   to    moves
-----  ----  ------------------------------------------------
    0    55  attack: field * 14 + rank
   56   111  close:  field * 14 + rank
  112   125  beat the Boss: rank
  126   130  pass, draw, drop with an empty hand, push, decline
  131   144  drop: rank
  145   158  steal: rank
  159   172  what chance did: the rank of the Boss that a push turned up
"""

import numpy as np

from coyote.games.madness.actions import (
    ATTACK,
    BEAT,
    DECLINE,
    DRAW,
    DROP,
    DROP_NOTHING,
    N_ACTIONS,
    PASS,
    PUSH,
    STEAL,
    laid_field,
)
from coyote.games.madness.cards import JOKER, N_CARDS
from coyote.games.madness.editions import MOST_FIELDS
from coyote.games.madness.rules import legal
from coyote.kernel.jit import rule
from coyote.kernel.seats import NONE

N_RANKS = JOKER + 1
F_ATTACK = 0
F_CLOSE = F_ATTACK + MOST_FIELDS * N_RANKS
F_BEAT = F_CLOSE + MOST_FIELDS * N_RANKS
F_PASS = F_BEAT + N_RANKS
F_DRAW, F_DROP_NOTHING, F_PUSH, F_DECLINE = F_PASS + 1, F_PASS + 2, F_PASS + 3, F_PASS + 4
F_DROP = F_DECLINE + 1
F_STEAL = F_DROP + N_RANKS
F_TURNED_UP = F_STEAL + N_RANKS
N_FOLDS = F_TURNED_UP + N_RANKS

SINGLE = {PASS: F_PASS, DRAW: F_DRAW, DROP_NOTHING: F_DROP_NOTHING, PUSH: F_PUSH, DECLINE: F_DECLINE}


def fold_one(action: int) -> int:
    if action in SINGLE:
        return SINGLE[action]
    for first, fold, cards in (
        (STEAL, F_STEAL, 1),
        (DROP, F_DROP, 1),
        (BEAT, F_BEAT, 1),
        (ATTACK, 0, 2 * MOST_FIELDS),
    ):
        if action >= first:
            place, card = divmod(action - first, N_CARDS)
            assert place < cards
            return fold + place * N_RANKS + card // 4
    raise ValueError(action)


FOLD = np.array([fold_one(action) for action in range(N_ACTIONS)], np.int16)


@rule
def is_bare(s, field):
    """M6  Open and with no card on either side."""
    return (s.marker[field] == NONE) & (s.tops[field, 0] == NONE) & (s.tops[field, 1] == NONE)


@rule
def first_bare(s, ed):
    """The field that stands for all bare ones."""
    for field in range(ed.fields):
        if is_bare(s, field):
            return np.int64(field)
    return np.int64(MOST_FIELDS)


@rule
def folded(s, bare, action):
    """The number of a legal move; `bare` is the first bare field."""
    fold = np.int64(FOLD[action])
    if action < BEAT:
        field = laid_field(action)
        if field > bare and is_bare(s, field):
            fold -= (field - bare) * N_RANKS
    return fold


@rule
def spare_fields(s, ed):
    """All bare fields but the first, as bits: whatever may be laid there may be laid on that one."""
    spare = np.int64(0)
    for field in range(first_bare(s, ed) + 1, ed.fields):
        spare |= np.int64(is_bare(s, field)) << np.int64(field)
    return spare


@rule
def list_moves(s, ed, seat, x):
    """List the legal moves, one of each fold."""
    n_legal = legal(s, ed, seat, x.legal)
    spare = spare_fields(s, ed)
    x.stamp += 1
    n = 0
    for i in range(n_legal):
        action = np.int64(x.legal[i])
        if spare and action < BEAT and (spare >> laid_field(action)) & 1:
            continue
        fold = np.int64(FOLD[action])
        if x.stamped[fold] != x.stamp:
            x.stamped[fold] = x.stamp
            x.place[fold] = n
            x.folds[n] = fold
            x.actions[n] = action
            x.entries[n] = 0
            n += 1
    return n
