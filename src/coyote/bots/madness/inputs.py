"""What the net of Madness sees: a table and two hands as a short list of rows, each with its worth.

Everything is told from the side of the seat that decides: "mine" and "theirs". Nearly all inputs are there or
not (a rank held twice, a field with a Seven against a Nine); a few are numbers. The rows up to N_OWN need
only what the deciding seat may know, and the policy goes by them alone; those after it tell the other hand,
which a search has imagined. Options (M25) are inputs too; since they do not change during a game, a game
adds them to the bias once (`list_options`).
"""

import numpy as np

from coyote.bots.madness.fold import N_RANKS
from coyote.bots.madness.judge import firmness
from coyote.bots.madness.thumb import FIRM
from coyote.games.madness.cards import STRONGER, all_cards, rank_of
from coyote.games.madness.editions import MOST_FIELDS
from coyote.games.madness.rules import verdict
from coyote.games.madness.state import COYOTE, MAIN, TUT, WON
from coyote.games.madness.view import seen
from coyote.kernel.bits import EMPTY, count
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import Field
from coyote.kernel.seats import NONE, other

SAME_RANK = 4  # cards of a rank
TO_GO, HELD, APART, PENDING = 12, 13, 3, 3  # as far as things are told apart
TOPS = N_RANKS + 1
LEFT = np.array(
    [0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 7, *[8] * 4, *[9] * 5, *[10] * 6, *[11] * 7, *[12] * 8, *[13] * 14],
    np.int64,
)  # cards in the deck, in ever wider steps

# Options.
I_GOAL = 0  # numbers
I_HAND = I_GOAL + 1
I_EXTRA = I_HAND + 1
I_FIELDS = I_EXTRA + 1
I_JOKERS = I_FIELDS + MOST_FIELDS
I_CLOSE = I_JOKERS + 3
I_CLOSER = I_CLOSE + 3
I_CHANCE = I_CLOSER + 2
I_STARVATION = I_CHANCE + 2
I_FIELD_POINTS = I_STARVATION + 2
I_BOSS_POINTS = I_FIELD_POINTS + 4
I_ROUND_POINTS = I_BOSS_POINTS + 4
I_HAND_POINTS = I_ROUND_POINTS + 4
N_OPTIONS = I_HAND_POINTS + 4
# The table and the hand of whoever decides. "Late" is after the main action.
I_PHASE = N_OPTIONS  # main, TUT, a Chance before the main action, a Chance after it
I_MINE = I_PHASE + 4  # rank, how many of them
I_UNSEEN = I_MINE + N_RANKS * SAME_RANK
I_BOSS = I_UNSEEN + N_RANKS * SAME_RANK  # late, rank
I_BEATERS = I_BOSS + 2 * N_RANKS  # late, how many cards beat the Boss
I_MY_WAY = I_BEATERS + 8  # points that are wanting
I_THEIR_WAY = I_MY_WAY + TO_GO
I_LEFT = I_THEIR_WAY + TO_GO
I_HELD = I_LEFT + 14
I_THEY_HOLD = I_HELD + HELD
I_MORE = I_THEY_HOLD + HELD  # fields closed, how many cards more
I_PENDING = I_MORE + (MOST_FIELDS + 1) * (2 * APART + 1)  # late, fields closed, to be won, to be lost
I_FIELD = I_PENDING + 2 * (MOST_FIELDS + 1) * PENDING * PENDING  # my top, their top
I_ANSWERS = I_FIELD + TOPS * TOPS  # late, cards that answer where a field is being lost
I_DRY = I_ANSWERS + 2 * 3  # idle, began dry, moved
I_MARKER = I_DRY + 8  # rank of what closed the last field (M18)
I_STEALERS = I_MARKER + N_RANKS
I_LEAD = I_STEALERS + 4  # numbers: of the goal; squared; late in the game
I_FIRM = I_LEAD + 3
I_BOSS_FIRM = I_FIRM + 1
I_LATE = I_BOSS_FIRM + 1
N_OWN = I_LATE + 1
# The other hand.
I_THEIRS = N_OWN
I_THEIR_BEATERS = I_THEIRS + N_RANKS * SAME_RANK
I_THEIR_ANSWERS = I_THEIR_BEATERS + 8
I_THEIR_FIRM = I_THEIR_ANSWERS + 2 * 3
N_INPUTS = I_THEIR_FIRM + 1

MOST_SET = 128
LIST: list[Field] = [  # where inputs are listed
    ("n_set", np.int64),
    ("rows", np.int64, MOST_SET),
    ("worths", np.float32, MOST_SET),
]


@rule
def put(x, row, worth):
    x.rows[x.n_set] = row
    x.worths[x.n_set] = worth
    x.n_set += 1


@rule
def put_ranks(x, first, cards):
    """How many of each rank there are, where there are any."""
    for rank in range(N_RANKS):
        same = (cards >> np.uint64(SAME_RANK * rank)) & np.uint64(15)
        if same != EMPTY:
            put(x, first + rank * SAME_RANK + count(same) - 1, 1.0)


@rule
def put_options(x, ed):
    put(x, I_GOAL, ed.goal / 10.0)
    put(x, I_HAND, ed.hand / 5.0)
    put(x, I_EXTRA, ed.extra / 2.0)
    put(x, I_FIELDS + ed.fields - 1, 1.0)
    put(x, I_JOKERS + ed.jokers, 1.0)
    put(x, I_CLOSE + ed.close, 1.0)
    put(x, I_CLOSER + ed.closer, 1.0)
    put(x, I_CHANCE + ed.chance, 1.0)
    put(x, I_STARVATION + ed.starvation, 1.0)
    put(x, I_FIELD_POINTS + ed.field_points, 1.0)
    put(x, I_BOSS_POINTS + ed.boss_points, 1.0)
    put(x, I_ROUND_POINTS + ed.round_points, 1.0)
    put(x, I_HAND_POINTS + ed.hand_points, 1.0)


@rule
def put_fields(x, s, ed, me, late):
    """Each open field as a pair of cards, and how the fields stand together. How many are closed."""
    them = other(me)
    closed = won = lost = 0
    for field in range(ed.fields):
        mine, theirs = s.tops[field, me], s.tops[field, them]
        if s.marker[field] != NONE:
            closed += 1
        elif mine != NONE or theirs != NONE:
            put(x, I_FIELD + rank_of(mine + SAME_RANK) * TOPS + rank_of(theirs + SAME_RANK), 1.0)
            won += verdict(s, field, me) == WON
            if verdict(s, field, them) == WON:
                lost += 1
                put(x, I_ANSWERS + 3 * late + min(count(s.hands[me] & STRONGER[theirs]), 2), 1.0)
    pending = min(won, PENDING - 1) * PENDING + min(lost, PENDING - 1)
    put(x, I_PENDING + ((MOST_FIELDS + 1) * late + closed) * PENDING * PENDING + pending, 1.0)
    return closed


@rule
def put_lead(x, s, ed, me):
    """M10  How far it is to the goal, for both."""
    lead = np.int64(s.lead if me == 0 else -s.lead)
    put(x, I_MY_WAY + min(max(ed.goal - lead, 1), TO_GO) - 1, 1.0)
    put(x, I_THEIR_WAY + min(max(ed.goal + lead, 1), TO_GO) - 1, 1.0)
    share = lead / ed.goal
    over = 1.0 - s.left / 43.0
    put(x, I_LEAD, share)
    put(x, I_LEAD + 1, share * abs(share))
    put(x, I_LEAD + 2, share * over)
    put(x, I_LATE, over)


@rule
def put_chance(x, s, me):
    """M18  What lies there to be stolen from, and with how many cards."""
    marker = s.marker[s.closing]
    put(x, I_MARKER + rank_of(marker), 1.0)
    put(x, I_STEALERS + min(count(s.hands[me] & STRONGER[marker]), 3), 1.0)


@rule
def phase_of(s):
    if s.phase != COYOTE:
        return np.int64(s.phase == TUT)
    return np.int64(2 + (s.back_to == TUT))


@big_rule
def put_own(x, s, ed, me):
    """All that the seat itself may know."""
    them = other(me)
    late = np.int64(s.phase != MAIN)
    put(x, I_PHASE + phase_of(s), 1.0)
    put_ranks(x, I_MINE, s.hands[me])
    put_ranks(x, I_UNSEEN, (all_cards(ed.jokers) & ~seen(s)) | s.hands[them])
    put(x, I_BOSS + late * N_RANKS + rank_of(s.boss), 1.0)
    put(x, I_BEATERS + 4 * late + min(count(s.hands[me] & STRONGER[s.boss]), 3), 1.0)
    put(x, I_LEFT + LEFT[s.left], 1.0)
    put(x, I_HELD + min(s.held[me], HELD - 1), 1.0)
    put(x, I_THEY_HOLD + min(s.held[them], HELD - 1), 1.0)
    put_lead(x, s, ed, me)
    closed = put_fields(x, s, ed, me, late)
    more = min(max(np.int64(s.held[me]) - s.held[them], -APART), APART) + APART
    put(x, I_MORE + closed * (2 * APART + 1) + more, 1.0)
    if s.left == 0:
        put(x, I_DRY + 4 * (s.idle != 0) + 2 * (s.began_dry != 0) + (s.moved != 0), 1.0)
    if s.phase == COYOTE:
        put_chance(x, s, me)
    put(x, I_FIRM, firmness(s.hands[me]) / 4.0)
    put(x, I_BOSS_FIRM, FIRM[s.boss])


@big_rule
def put_theirs(x, s, ed, me):
    """The other hand, and what it can do."""
    them = other(me)
    late = np.int64(s.phase != MAIN)
    theirs = s.hands[them]
    put_ranks(x, I_THEIRS, theirs)
    put(x, I_THEIR_BEATERS + 4 * late + min(count(theirs & STRONGER[s.boss]), 3), 1.0)
    for field in range(ed.fields):
        if verdict(s, field, me) == WON:
            put(x, I_THEIR_ANSWERS + 3 * late + min(count(theirs & STRONGER[s.tops[field, me]]), 2), 1.0)
    put(x, I_THEIR_FIRM, firmness(theirs) / 4.0)


@rule
def list_own(s, ed, me, x):
    """The inputs of the policy."""
    x.n_set = 0
    put_own(x, s, ed, me)


@rule
def list_all(s, ed, me, x):
    """The inputs of the judgement, from a whole state."""
    x.n_set = 0
    put_own(x, s, ed, me)
    put_theirs(x, s, ed, me)


@rule
def list_options(ed, x):
    """What does not change during a game."""
    x.n_set = 0
    put_options(x, ed)
