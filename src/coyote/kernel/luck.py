"""Chance that is already known: what a record says of it, for following games made elsewhere.

An empty array means real chance. Otherwise it is

    luck[0]      where to read next
    luck[1]      how many entries did not fit what the rules asked for
    luck[2:]     for each entry: its heading, for a shuffle the number of cards, then the kinds
"""

import numpy as np
import numpy.typing as npt

from coyote.kernel.jit import rule

START = 2
NO_CHOICE = -2  # chance is real, or the entry does not fit
LARGEST = 62  # number of an action or a zone
SHUFFLE = LARGEST + 1  # beside the actions, in a heading

REAL_CHANCE: npt.NDArray[np.int16] = np.zeros(0, np.int16)


@rule
def heading(seat, what, zone):
    """One number for each of two seats, 64 things that may be done, and 64 zones."""
    return (seat << 12) | (what << 6) | zone


@rule
def fits(luck, wanted):
    """Whether the next entry has this heading; then it is read past."""
    if luck[0] < len(luck) and luck[luck[0]] == wanted:
        luck[0] += 1
        return True
    luck[1] += 1
    return False


@rule
def known_pick(luck, seat, action, zone):
    """The kind that an entry says was picked, or NO_CHOICE."""
    if len(luck) == 0 or not fits(luck, heading(seat, action, zone)):
        return NO_CHOICE
    luck[0] += 1
    return np.int64(luck[luck[0] - 1])


@rule
def confirmed(luck, kind, place):
    """Whether a pick that is known can be: the card was found at a place. Otherwise it does not fit."""
    if kind == NO_CHOICE:
        return False
    if place < 0:
        luck[1] += 1
    return place >= 0


@rule
def known_shuffle(luck, seat, deck, n):
    """Put the deck in the order of an entry, top first; False where chance is real or it does not fit."""
    if len(luck) == 0 or not fits(luck, heading(seat, SHUFFLE, 0)):
        return False
    size = luck[luck[0]]
    luck[0] += 1
    start = luck[0]
    luck[0] += size
    if size != n:
        luck[1] += 1
        return False
    for place in range(n - 1, -1, -1):
        if not bring(deck, place, luck[start + n - 1 - place]):
            luck[1] += 1
            return False
    return True


@rule
def bring(deck, place, kind):
    """Change a card of this kind, from this place or below, with the one in this place."""
    for i in range(place, -1, -1):
        if deck[i] == kind:
            deck[i] = deck[place]
            deck[place] = kind
            return True
    return False


def left_over(luck: npt.NDArray[np.int16]) -> int:
    """How many numbers have not been read."""
    return max(len(luck) - int(luck[0]), 0) if len(luck) else 0


def misfits(luck: npt.NDArray[np.int16]) -> int:
    return int(luck[1]) if len(luck) else 0
