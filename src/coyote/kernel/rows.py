"""What is known of one finished game, for counting: one row, the same for every game.

field         what it is
------------  ----------------------------------------------------------------------------
winner        the seat that won, or NONE
reason        why the game ended by the rules: a place in the game's REASONS; NONE: a bot failed
turns         how many there were
decisions     [seat] how many choices it made
choices       [seat] how many moves were legal at these, all together
forced        [seat] how many of these had one legal move
lead_changes  how often the lead went from one seat to the other
behind        the largest lead that the loser ever had: what the winner came back from
half          the seat that led after half of the turns, or NONE
points        [seat, source] what points were for
made          [seat, kind] moves made, by kind
offered       [seat, kind] choices at which a move of the kind was legal
drawn,        [seat] sets of cards drawn and played, where players bring decks:
played        bit k is the k-th kind on the seat's list
"""

import numpy as np

from coyote.kernel.jit import rule
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import NONE, other

UNTOLD = np.int64(
    -2
)  # in place of a reason: more happened in a turn than could be noted, so points are missing
MOST_TURNS = 2048  # who led after later ones is not remembered

# What is remembered of a game until it is over.
NOTES = record_dtype(
    [
        ("leader", np.int64),  # who led last, while anybody did
        ("most", np.int64, 2),  # [seat] the largest lead
        ("leaders", np.int8, MOST_TURNS),  # [turn] who led after it, or NONE; 0: before the first
    ]
)


def row_dtype(sources, kinds):
    """`sources` of points and `kinds` of moves are the game's."""
    return record_dtype(
        [
            ("winner", np.int8),
            ("reason", np.int8),
            ("half", np.int8),
            ("turns", np.int16),
            ("lead_changes", np.int16),
            ("behind", np.int16),
            ("decisions", np.int16, 2),
            ("forced", np.int16, 2),
            ("choices", np.int32, 2),
            ("points", np.int32, (2, len(sources))),
            ("made", np.int32, (2, len(kinds))),
            ("offered", np.int32, (2, len(kinds))),
            ("drawn", np.uint64, 2),
            ("played", np.uint64, 2),
        ]
    )


@rule
def begin_row(row, notes, lead):
    """A game is dealt; the row is blank."""
    notes.leader = NONE
    notes.most[0] = notes.most[1] = 0
    note_lead(row, notes, 0, lead)


@rule
def kind_of(kinds, action):
    """The kind of a move; moves beyond the table are of the last kind."""
    return np.int64(kinds[min(action, len(kinds) - 1)])


@rule
def note_choice(row, kinds, seat, legal, n, action):
    """A seat chooses one of n legal moves."""
    row.decisions[seat] += 1
    row.choices[seat] += n
    row.forced[seat] += n == 1
    row.made[seat, kind_of(kinds, action)] += 1
    offered = 0
    for i in range(n):
        offered |= 1 << kind_of(kinds, legal[i])
    for kind in range(row.offered.shape[1]):
        row.offered[seat, kind] += (offered >> kind) & 1


@rule
def note_lead(row, notes, turn, lead):
    """The lead of seat 0 after a choice made in that turn."""
    leader = NONE
    if lead != 0:
        leader = 1 if lead < 0 else 0
        row.lead_changes += notes.leader == other(leader)
        notes.leader = leader
        notes.most[leader] = max(notes.most[leader], abs(np.int64(lead)))
    notes.leaders[min(turn, MOST_TURNS - 1)] = leader


@rule
def end_row(row, notes, winner, reason, turns):
    row.winner = winner
    row.reason = reason
    row.turns = turns
    row.behind = notes.most[other(winner)] if winner != NONE else 0
    row.half = notes.leaders[min(turns // 2, MOST_TURNS - 1)]
