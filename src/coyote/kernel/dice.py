"""Dice for players who play at random: quick, and no part of a deal.

Each seat has its own run of numbers (SplitMix64), so that one seat's choices do not move the other's.
"""

import numpy as np

from coyote.kernel.jit import rule

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@rule
def roll(dice, seat, n):
    """A number from 0 to n - 1, as even as 32 bits make it."""
    dice[seat] += _STEP
    z = dice[seat]
    z = (z ^ (z >> _30)) * _MIX1
    z = (z ^ (z >> _27)) * _MIX2
    z = z ^ (z >> _31)
    return np.int64(((z >> _32) * np.uint64(n)) >> _32)
