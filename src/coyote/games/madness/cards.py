"""The 54 cards and their order of strength (M1-M4).

    card    0 .. 51   rank * 4 + suit, ranks 2 3 4 5 6 7 8 9 T J Q K A, suits C D H S
    card   52, 53     the jokers X1 (red) and X2 (black)

Only pairs are ever compared (M2), so strength is a table of who beats whom. It is worked out here
once, from the rule, and the kernel only looks it up.
"""

import numpy as np

from coyote.kernel.bits import ONE, has
from coyote.kernel.jit import rule

N_CARDS = 54
N_PLAIN = 52  # M1  and as many jokers as the house rules say, X1 first
RANKS = "23456789TJQKA"
SUITS = "CDHS"
JOKERS = (52, 53)
NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS) + ("X1", "X2")
NUMBERS = {name: card for card, name in enumerate(NAMES)}
KING, ACE, JOKER = 11, 12, 13  # as `rank` gives them


def strength(rank: int, against: int) -> int:
    """M2  An Ace is worth 14 against a King and 1 against anything else."""
    if rank == ACE:
        return 14 if against == KING else 1
    return rank + 2


def is_stronger(card: int, laid: int) -> bool:
    """M2, M3, M4  Whether a card played on a card that lies there is strictly stronger than it."""
    if card in JOKERS:
        return True
    if laid in JOKERS:
        return False
    return strength(card // 4, laid // 4) > strength(laid // 4, card // 4)


# STRONGER[laid] is the set of cards that beat it.
STRONGER = np.array(
    [sum(1 << card for card in range(N_CARDS) if is_stronger(card, laid)) for laid in range(N_CARDS)],
    dtype=np.uint64,
)


@rule
def all_cards(jokers):
    """M1  The cards of a game, as a set."""
    return (ONE << np.uint64(N_PLAIN + jokers)) - ONE


@rule
def rank_of(card):
    return card >> 2


@rule
def is_joker(card):
    return card >= N_PLAIN


@rule
def beats(card, laid):
    """Whether `card`, played now, is strictly stronger than `laid`."""
    return has(STRONGER[laid], card)


@rule
def equal(card, laid):
    """M4  Cards of one rank are equal, jokers aside."""
    return rank_of(card) == rank_of(laid) and not is_joker(card)
