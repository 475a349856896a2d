"""Small tables of Madness solved exactly: what each move is worth when both hands lie open.

Every line is tried to its end, and every card that may come from the deck, as often as it is likely. What was
found for a table is remembered: suits never matter (M1), and neither does what lies beneath.
"""

import numpy as np

from coyote.bots.madness.ending import step
from coyote.bots.madness.fold import N_RANKS
from coyote.games.madness.actions import DROP_NOTHING, MOST_LEGAL
from coyote.games.madness.cards import rank_of
from coyote.games.madness.rules import decider, legal, result
from coyote.games.madness.state import OVER, TUT
from coyote.kernel.bits import lowest, without_lowest
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import NONE

MOST_DEEP = 160  # choices and cards in a row
REMEMBERED = 1 << 20
MOST_KNOWN = 1 << 19  # a table that needs more is given up
GIVEN_UP = -1.0

MEMORY = record_dtype(
    [
        ("keys", np.uint64, REMEMBERED),
        ("values", np.float32, REMEMBERED),
        ("n", np.int64),
        ("most", np.int64),
        # the way from the first table: its moves, the outcomes of the one that is looked at, what is known
        ("legal", np.int16, (MOST_DEEP, MOST_LEGAL)),
        ("number", np.int64, (MOST_DEEP, N_RANKS)),
        ("place", np.int64, (MOST_DEEP, N_RANKS)),
        ("weight", np.int64, MOST_DEEP),
        ("outcome", np.int64, MOST_DEEP),
        ("total", np.float64, MOST_DEEP),
        ("n_legal", np.int64, MOST_DEEP),
        ("at", np.int64, MOST_DEEP),
        ("best", np.float64, MOST_DEEP),
        ("key", np.uint64, MOST_DEEP),
    ]
)

_MIX1, _MIX2, _MIX3 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB), np.uint64(1)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)


@rule
def mixed(z):
    z = (z ^ (z >> _30)) * _MIX1
    z = (z ^ (z >> _27)) * _MIX2
    return z ^ (z >> _31)


@rule
def add(key, number):
    return mixed(key * np.uint64(0x9E3779B97F4A7C15) + np.uint64(number + 64))


@rule
def ranks_in(cards):
    """A number for the ranks of a set, three bits each; four cards of a rank at most."""
    found = np.uint64(0)
    while cards:
        found += _MIX3 << np.uint64(3 * rank_of(lowest(cards)))
        cards = without_lowest(cards)
    return found


@rule
def rank_or_none(card):
    return NONE if card == NONE else rank_of(np.int64(card))


@rule
def key_of(s, ed):
    """Tables with the same key come to the same."""
    key = mixed(ranks_in(s.hands[0]) * np.uint64(3) + ranks_in(s.hands[1]) * np.uint64(5))
    key = mixed(key ^ ranks_in(s.hands[0]))
    deck = np.uint64(0)
    for i in range(s.left):
        deck += _MIX3 << np.uint64(3 * rank_of(np.int64(s.deck[i])))
    key = mixed(key + deck)
    for field in range(ed.fields):
        for seat in range(2):
            key = add(key, rank_or_none(s.tops[field, seat]))
        key = add(key, s.last[field])
        key = add(key, rank_or_none(s.marker[field]))
        key = add(key, s.winner[field])
    key = add(key, rank_or_none(s.boss))
    key = add(key, s.lead)
    key = add(key, s.mover)
    key = add(key, s.phase * 4 + s.back_to)
    key = add(key, s.closing)
    key = add(key, s.began_dry * 16 + s.moved * 8 + s.idle)
    return key | _MIX3  # 0 is an empty place


@rule
def place_for(m, key):
    at = np.int64(key >> np.uint64(40)) & (REMEMBERED - 1)
    while m.keys[at] != np.uint64(0) and m.keys[at] != key:
        at = (at + 1) & (REMEMBERED - 1)
    return at


@rule
def won(s):
    winner, _, _ = result(s)
    return 0.5 if winner == NONE else 1.0 - winner


# ---------------------------------------------------------------- what may come of a move


@rule
def list_outcomes(s, m, deep):
    """The ranks that may come from the deck with the move that is looked at, or one thing alone."""
    draws = (s.phase == TUT) & (s.left > 0)
    for rank in range(N_RANKS):
        m.number[deep, rank] = 0
    if not draws:
        m.number[deep, 0] = 1
        m.place[deep, 0] = NONE
    for i in range(s.left if draws else 0):
        rank = rank_of(np.int64(s.deck[i]))
        m.place[deep, rank] = i
        m.number[deep, rank] += 1
    m.weight[deep] = s.left if draws else 1
    m.outcome[deep] = NONE
    m.total[deep] = 0.0


@rule
def next_outcome(m, deep):
    """Whether there is one more."""
    m.outcome[deep] += 1
    while m.outcome[deep] < N_RANKS and m.number[deep, m.outcome[deep]] == 0:
        m.outcome[deep] += 1
    return m.outcome[deep] < N_RANKS


@big_rule
def make(tables, deep, ed, log, m):
    """On the next table: the move that is looked at, with what comes of it."""
    s, t = tables[deep], tables[deep + 1]
    tables[deep + 1] = s
    place = m.place[deep, m.outcome[deep]]
    if place != NONE:
        top = s.left - 1
        card = t.deck[place]
        t.deck[place] = t.deck[top]
        t.deck[top] = card
    step(t, ed, log, decider(s), np.int64(m.legal[deep, m.at[deep]]))


# ---------------------------------------------------------------- one table on the way


@rule
def begin_table(s, m, deep, n, key):
    m.n_legal[deep], m.at[deep], m.key[deep] = n, 0, key
    m.best[deep] = -1.0
    list_outcomes(s, m, deep)


@rule
def take(m, deep, found):
    """What came of one outcome, for seat 0."""
    m.total[deep] += m.number[deep, m.outcome[deep]] * found


@rule
def end_move(s, m, deep):
    """All outcomes of a move are known; on to the next, or past all where it wins for sure. M15: to drop with
    an empty hand is to draw."""
    mine = m.total[deep] / m.weight[deep]
    m.best[deep] = max(m.best[deep], mine if decider(s) == 0 else 1.0 - mine)
    m.at[deep] += 1
    if m.at[deep] < m.n_legal[deep] and m.legal[deep, m.at[deep]] == DROP_NOTHING:
        m.at[deep] += 1
    if m.best[deep] >= 1.0:
        m.at[deep] = m.n_legal[deep]
    list_outcomes(s, m, deep)


@rule
def end_table(s, m, deep):
    """What it is worth to seat 0, remembered."""
    best = m.best[deep] if decider(s) == 0 else 1.0 - m.best[deep]
    if m.key[deep]:
        at = place_for(m, m.key[deep])
        m.keys[at] = m.key[deep]
        m.values[at] = best
        m.n += 1
    return best


@big_rule
def value_after(tables, ed, log, m, action):
    """What seat 0 has of tables[0] after a move; GIVEN_UP where there is too much to try."""
    deep = 0
    m.legal[0, 0] = action
    begin_table(tables[0], m, 0, 1, np.uint64(0))
    while True:
        s = tables[deep]
        if m.at[deep] >= m.n_legal[deep]:
            found = end_table(s, m, deep)
            if deep == 0:
                return found
            deep -= 1
            take(m, deep, found)
        elif not next_outcome(m, deep):
            end_move(s, m, deep)
        else:
            make(tables, deep, ed, log, m)
            t = tables[deep + 1]
            key = np.uint64(0) if t.phase == OVER else key_of(t, ed)
            at = place_for(m, key) if key else np.int64(0)
            if t.phase == OVER:
                take(m, deep, won(t))
            elif m.keys[at] == key:
                take(m, deep, np.float64(m.values[at]))
            elif m.n >= m.most or deep + 2 >= MOST_DEEP:
                return GIVEN_UP
            else:
                deep += 1
                begin_table(t, m, deep, legal(t, ed, decider(t), m.legal[deep]), key)


@rule
def forget(m):
    m.n = 0
    for i in range(REMEMBERED):
        m.keys[i] = np.uint64(0)
