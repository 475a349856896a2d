"""Sets of up to 62 cards as one unsigned number."""

import numpy as np

from coyote.kernel.jit import rule

EMPTY = np.uint64(0)
ONE = np.uint64(1)
_CARDS = np.uint64(2**62 - 1)

# The masks of the usual halving count; the compiler knows the pattern and emits one instruction.
_PAIRS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_SUM = np.uint64(0x0101010101010101)
_S1, _S2, _S4, _S56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


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
    x = cards - ((cards >> _S1) & _PAIRS)
    x = (x & _FOURS) + ((x >> _S2) & _FOURS)
    x = (x + (x >> _S4)) & _BYTES
    return np.int64((x * _SUM) >> _S56)


@rule
def lowest(cards):
    """The lowest card of a set that is not empty."""
    return count(~cards & (cards - ONE))


@rule
def without_lowest(cards):
    return cards & (cards - ONE)


@rule
def nth(cards, n):
    """Card number n of a set, counted from 0 and from the lowest.

    The first steps are taken or not without a jump: n is often a roll of the dice, and a jump
    that the processor cannot foresee costs more than all of them.
    """
    for i in range(8):
        cards = without_lowest(cards) if i < n else cards
    for _ in range(8, n):
        cards = without_lowest(cards)
    return lowest(cards)
