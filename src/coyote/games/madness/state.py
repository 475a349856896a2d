"""The table of one game as a record (M5).

    field      who may know it          what it is
    ---------  -----------------------  -------------------------------------------------------
    key,       nobody                   where chance comes from
    counter
    deck       nobody                   the deck, bottom first: the top card is deck[left - 1]
    left       all                      how many cards the deck still has
    hands      the owner                one set of cards for each seat
    held       all                      how many cards each hand has
    boss       all                      the top card of the Boss pile
    discard    all                      the top card of the discard, or NONE
    gone       all who watched (M8)     the set of cards shown once and now covered: beneath the
                                        Boss, beneath the top of the discard, beneath the top of
                                        a side. The table never lists it; a good memory may.
    tops       all                      [field, seat] the top card of a side, or NONE (M7)
    heights    all                      [field, seat] how many cards lie there
    last       all                      [field] the seat that last laid a card on a side there
    marker     all                      [field] the card that closes the field, or NONE (M6)
    winner     all                      [field] who won a closed field, or NONE for a draw
    lead       all                      the score, positive for seat 0 (M9)
    mover      all                      the seat whose turn it is
    phase      all                      MAIN, TUT, COYOTE or OVER
    back_to    all                      COYOTE: the phase that the turn goes on with (M16)
    closing    all                      COYOTE: the field that closed last (M18)
    turn       all                      turns counted from 1
    began_dry  all                      the turn began with an empty deck (M24)
    moved      all                      a card has left a hand in this turn (M24)
    idle       all                      idle turns in a row just before this one (M24)
    reason     all                      why the game ended, or NONE

Every card is in exactly one of deck, hands, boss, discard, tops, a marker laid by Close, gone.
"""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from coyote.games.madness.cards import N_CARDS
from coyote.games.madness.editions import MOST_FIELDS
from coyote.kernel.chance import CHANCE_FIELDS
from coyote.kernel.record import record_dtype

MAIN, TUT, COYOTE, OVER = 0, 1, 2, 3
PHASES = ("main", "tut", "coyote", "over")

LEAD, STARVATION, ENDURANCE, STALL = 0, 1, 2, 3
REASONS = ("lead", "starvation", "endurance", "stall")

STAYS_OPEN, WON, DRAWN = 0, 1, 2  # what settling does with a field (M12)

STATE = record_dtype(
    [
        *CHANCE_FIELDS,
        ("hands", np.uint64, 2),
        ("gone", np.uint64),
        ("held", np.int16, 2),
        ("left", np.int16),
        ("boss", np.int16),
        ("discard", np.int16),
        ("tops", np.int16, (MOST_FIELDS, 2)),
        ("heights", np.int16, (MOST_FIELDS, 2)),
        ("last", np.int16, MOST_FIELDS),
        ("marker", np.int16, MOST_FIELDS),
        ("winner", np.int16, MOST_FIELDS),
        ("lead", np.int16),
        ("mover", np.int16),
        ("phase", np.int16),
        ("back_to", np.int16),
        ("closing", np.int16),
        ("turn", np.int16),
        ("began_dry", np.int16),
        ("moved", np.int16),
        ("idle", np.int16),
        ("reason", np.int16),
        ("deck", np.int8, N_CARDS),
    ]
)


class State(Protocol):
    """The same for editors and type checkers; a test holds that both have the same fields."""

    key: npt.NDArray[np.uint64]
    counter: int
    hands: npt.NDArray[np.uint64]
    gone: int
    held: npt.NDArray[np.int16]
    left: int
    boss: int
    discard: int
    tops: npt.NDArray[np.int16]
    heights: npt.NDArray[np.int16]
    last: npt.NDArray[np.int16]
    marker: npt.NDArray[np.int16]
    winner: npt.NDArray[np.int16]
    lead: int
    mover: int
    phase: int
    back_to: int
    closing: int
    turn: int
    began_dry: int
    moved: int
    idle: int
    reason: int
    deck: npt.NDArray[np.int8]
