"""The table of one duel as a record (D1). Cards are kinds: numbers of rows in the card table.

    field        who may know it (D18)   what it is
    -----------  ----------------------  -------------------------------------------------------
    key,         nobody                  where chance comes from
    counter
    deck         nobody                  [seat] bottom first: the top card is deck[seat, n - 1]
    hand         the owner               [seat] in the order in which the cards came (D5)
    discard      all                     [seat] in the order in which they came
    play         all                     [seat] in the order of entering; `age` and `leaves` go along
    age          all                     [seat] 0 in the turn of the reveal (D22)
    leaves       all                     [seat] 1 where "set aside this card" has worked (D16)
    aside        all                     [seat] out of the game, a Super that waits included
    in_deck,     all                     [seat] how many cards each of these zones has
    in_hand …
    super        all                     [seat] the Super that waits for its deck (D17), or NONE
    listed,      the owner (D18)         [seat] the deck list as it was brought, sorted
    n_listed     all                     [seat] how many cards are on it
    shown,       all                     [seat] the cards of the list that everybody has seen by now,
    n_shown                              wherever they are again, in the order of being seen first
    health,      all                     [seat] health and its maximum
    max_health
    deck_number  all                     [seat] which deck is being drawn from (D13)
    choice       the chooser             [seat] the sealed choice, or NONE (D6)
    turn         all                     counted from 1
    over         all                     1 when the game has ended

The rest is the turn being settled, and is blank between turns:

    passed       [seat] 1 where the seat picked no card
    attacked     [seat] 1 where the seat was attacked (D23)
    attack, heal, block   [seat] what each player does this turn, all in all (D9)
    was_health   [seat] health just after the reveal (D8)
    was, was_age, n_was   [seat] the cards in play just after the reveal
    mark         [seat] for each card in play, where it stood then
"""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from coyote.games.duel.editions import MOST_CARDS, MOST_HAND
from coyote.kernel.chance import CHANCE_FIELDS
from coyote.kernel.record import record_dtype

REASONS = ("health",)

STATE = record_dtype(
    [
        *CHANCE_FIELDS,
        ("health", np.int64, 2),
        ("max_health", np.int64, 2),
        ("was_health", np.int64, 2),
        ("attack", np.int64, 2),
        ("heal", np.int64, 2),
        ("block", np.int64, 2),
        ("deck", np.int16, (2, MOST_CARDS)),
        ("hand", np.int16, (2, MOST_HAND)),
        ("discard", np.int16, (2, MOST_CARDS)),
        ("play", np.int16, (2, MOST_CARDS)),
        ("age", np.int16, (2, MOST_CARDS)),
        ("leaves", np.int16, (2, MOST_CARDS)),
        ("mark", np.int16, (2, MOST_CARDS)),
        ("aside", np.int16, (2, MOST_CARDS)),
        ("listed", np.int16, (2, MOST_CARDS)),
        ("shown", np.int16, (2, MOST_CARDS)),
        ("was", np.int16, (2, MOST_CARDS)),
        ("was_age", np.int16, (2, MOST_CARDS)),
        ("in_deck", np.int16, 2),
        ("in_hand", np.int16, 2),
        ("in_discard", np.int16, 2),
        ("in_play", np.int16, 2),
        ("in_aside", np.int16, 2),
        ("n_listed", np.int16, 2),
        ("n_shown", np.int16, 2),
        ("n_was", np.int16, 2),
        ("super", np.int16, 2),
        ("deck_number", np.int32, 2),
        ("choice", np.int16, 2),
        ("passed", np.int16, 2),
        ("attacked", np.int16, 2),
        ("turn", np.int16),
        ("over", np.int16),
    ]
)


class State(Protocol):
    """The same for editors and type checkers; a test holds that both have the same fields."""

    key: npt.NDArray[np.uint64]
    counter: int
    health: npt.NDArray[np.int64]
    max_health: npt.NDArray[np.int64]
    was_health: npt.NDArray[np.int64]
    attack: npt.NDArray[np.int64]
    heal: npt.NDArray[np.int64]
    block: npt.NDArray[np.int64]
    deck: npt.NDArray[np.int16]
    hand: npt.NDArray[np.int16]
    discard: npt.NDArray[np.int16]
    play: npt.NDArray[np.int16]
    age: npt.NDArray[np.int16]
    leaves: npt.NDArray[np.int16]
    mark: npt.NDArray[np.int16]
    aside: npt.NDArray[np.int16]
    listed: npt.NDArray[np.int16]
    shown: npt.NDArray[np.int16]
    was: npt.NDArray[np.int16]
    was_age: npt.NDArray[np.int16]
    in_deck: npt.NDArray[np.int16]
    in_hand: npt.NDArray[np.int16]
    in_discard: npt.NDArray[np.int16]
    in_play: npt.NDArray[np.int16]
    in_aside: npt.NDArray[np.int16]
    n_listed: npt.NDArray[np.int16]
    n_shown: npt.NDArray[np.int16]
    n_was: npt.NDArray[np.int16]
    super: npt.NDArray[np.int16]
    deck_number: npt.NDArray[np.int32]
    choice: npt.NDArray[np.int16]
    passed: npt.NDArray[np.int16]
    attacked: npt.NDArray[np.int16]
    turn: int
    over: int
