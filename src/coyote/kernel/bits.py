"""Sets of up to 62 cards as one unsigned number."""

import numpy as np

from coyote.kernel.jit import bit_count, rule

EMPTY = np.uint64(0)
ONE = np.uint64(1)
_CARDS = np.uint64(2**62 - 1)


@rule
def only(card):
    """The set of one card; of NONE and HIDDEN, which shift out of sight, the empty set."""
    return (ONE << np.uint64(card & 63)) & _CARDS


@rule
def has(cards, card):
    return (cards >> np.uint64(card)) & ONE != EMPTY


@rule
def count(cards):
    """How many cards are in the set."""
    return np.int64(bit_count(cards))


@rule
def lowest(cards):
    """The lowest card of a set that is not empty."""
    return count(~cards & (cards - ONE))


@rule
def without_lowest(cards):
    return cards & (cards - ONE)
