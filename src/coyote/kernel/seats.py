"""Seats, and the few values that stand for nothing, nobody and unknown."""

import numpy as np

from coyote.kernel.jit import rule

# NumPy integers, because Numba compiles a function anew for every plain Python constant given to it.
NONE: int = np.int64(-1)  # type: ignore[assignment]  # no card, nobody
HIDDEN: int = np.int64(-2)  # type: ignore[assignment]  # a card is there, and this seat may not know which
SPECTATOR = -1  # the seat number of a bystander's view


@rule
def other(seat):
    return 1 - seat


@rule
def seat_bit(seat):
    """The bit of a seat in `actors`; a bystander has none."""
    return (seat + 1) & 3
