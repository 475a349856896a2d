"""How likely a good player is to make such a move: the search looks at likely moves first.

Every move belongs to one row of a table, by its kind and by the ranks that matter. The table itself,
one for each edition, was learned from what long searches looked at (`tools/learn_madness.py`).
"""

import numpy as np

from coyote.bots.madness.fold import N_RANKS, is_bare
from coyote.bots.madness.thumb import count_open, is_lost
from coyote.games.madness.actions import (
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
from coyote.games.madness.cards import beats, equal, rank_of
from coyote.games.madness.state import MAIN, TUT
from coyote.kernel.jit import rule
from coyote.kernel.seats import NONE, other

PAIRS = N_RANKS * N_RANKS
MOST_HELD = 9  # more cards in hand are no other case

R_BARE = 0  # attack a bare field: whether another one is about to be lost, rank
R_OVER = R_BARE + 2 * N_RANKS  # with a stronger card: their rank, rank
R_EVEN = R_OVER + PAIRS  # with an equal card: rank
R_UNDER = R_EVEN + N_RANKS  # with a weaker card: rank
R_CLOSE_LAST = R_UNDER + N_RANKS  # close the last open field: rank
R_CLOSE_LOST = R_CLOSE_LAST + N_RANKS  # close a field that is about to be lost: rank
R_CLOSE_BARE = R_CLOSE_LOST + N_RANKS
R_CLOSE_OTHER = R_CLOSE_BARE + N_RANKS
R_BEAT = R_CLOSE_OTHER + N_RANKS  # beat the Boss: its rank, rank
R_BEAT_WINS = R_BEAT + PAIRS  # … and win the game
R_PASS = R_BEAT_WINS + 1  # cards in hand
R_DRAW = R_PASS + MOST_HELD + 1  # cards in hand
R_DROP = R_DRAW + MOST_HELD + 1  # whether the hand is large, rank
R_DROP_NOTHING = R_DROP + 2 * N_RANKS
R_PUSH = R_DROP_NOTHING + 1  # whether the hand is small, the Boss's rank
R_STEAL = R_PUSH + 2 * N_RANKS  # rank
R_DECLINE = R_STEAL + N_RANKS  # the marker's rank
N_HABITS = R_DECLINE + N_RANKS


@rule
def surroundings(s, ed, seat):
    """How many fields are open, and whether one of them is about to be lost."""
    losing = 0
    for field in range(ed.fields):
        losing |= is_lost(s, field, seat)
    return count_open(s, ed), losing


@rule
def cards_held(s, seat):
    return min(np.int64(s.held[seat]), np.int64(MOST_HELD))


@rule
def attack_row(s, seat, losing, field, rank, card):
    theirs = s.tops[field, other(seat)]
    if theirs == NONE:
        return R_BARE + losing * N_RANKS + rank
    if beats(card, theirs):
        return R_OVER + rank_of(theirs) * N_RANKS + rank
    return (R_EVEN if equal(card, theirs) else R_UNDER) + rank


@rule
def close_row(s, seat, n_open, field, rank):
    if n_open == 1:
        return R_CLOSE_LAST + rank
    if is_lost(s, field, seat):
        return R_CLOSE_LOST + rank
    return (R_CLOSE_BARE if is_bare(s, field) else R_CLOSE_OTHER) + rank


@rule
def beat_row(s, ed, seat, rank):
    lead = s.lead if seat == 0 else -s.lead
    if lead + ed.boss_points >= ed.goal:  # M10
        return np.int64(R_BEAT_WINS)
    return R_BEAT + rank_of(s.boss) * N_RANKS + rank


@rule
def main_row(s, ed, seat, n_open, losing, action):
    rank = rank_of(laid_card(action))
    if action < CLOSE:
        return attack_row(s, seat, losing, laid_field(action), rank, laid_card(action))
    if action < BEAT:
        return close_row(s, seat, n_open, laid_field(action), rank)
    if action < PASS:
        return beat_row(s, ed, seat, rank)
    return R_PASS + cards_held(s, seat)


@rule
def tut_row(s, seat, action):
    held = cards_held(s, seat)
    if action == DRAW:
        return R_DRAW + held
    if action == PUSH:
        return R_PUSH + (held <= 2) * N_RANKS + rank_of(s.boss)
    if action == DROP_NOTHING:
        return np.int64(R_DROP_NOTHING)
    return R_DROP + (held > 3) * N_RANKS + rank_of(action - DROP)


@rule
def habit_row(s, ed, seat, n_open, losing, action):
    """The row of a legal move; `n_open` and `losing` are the `surroundings`."""
    if s.phase == MAIN:
        return main_row(s, ed, seat, n_open, losing, action)
    if s.phase == TUT:
        return tut_row(s, seat, action)
    if action == DECLINE:
        return R_DECLINE + rank_of(s.marker[s.closing])
    return R_STEAL + rank_of(action - STEAL)
