"""How bots decide, compiled: what the games share, for whole games that are played without Python.

The dice of `seed`, and of rules of thumb, levels and searches all that is not a game's own.
"""

import numpy as np

from coyote.kernel.dice import roll
from coyote.kernel.jit import big_rule, rule
from coyote.kernel.record import record_dtype
from coyote.kernel.seats import NONE
from coyote.kernel.sha256 import padded, sha256

# What a bot goes by.
SERIES_DICE, ANY_MOVE, BY_THUMB, BY_SEARCH, BY_LEVEL = range(5)

PLAN = record_dtype(
    [
        ("way", np.int64),
        ("simulations", np.int64),  # of a search; a level without any goes by the rules of thumb
        ("misses", np.float64),  # of a level, as in `levels`
        ("overlooks", np.float64),
        ("hurries", np.float64),
    ]
)


def thoughts_dtype(most):
    """What a bot thinks of each of `most` legal moves at most."""
    return record_dtype(
        [
            ("n", np.int64),
            ("legal", np.int16, most),
            ("likely", np.float64, most),  # the chance of winning with it; 0 where nobody knows
            ("examined", np.int64, most),  # in how many simulations
            ("equals", np.int64, most),  # the places of those that the rules of thumb like best
            ("n_equals", np.int64),
            ("sight", np.int8, most),  # what a level may make of it, below
            ("noticed", np.int8, most),
        ]
    )


# ---------------------------------------------------------------- choosing among thoughts


@rule
def one_of_equals(t, dice):
    return t.equals[roll(dice, 0, t.n_equals)]


@rule
def is_better(t, i, j):
    """Whether move i was examined more often than move j, or as often and is likelier to win."""
    if t.examined[i] != t.examined[j]:
        return t.examined[i] > t.examined[j]
    return t.likely[i] > t.likely[j]


@rule
def most_examined(t):
    """The first of the best."""
    best = np.int64(0)
    for i in range(1, t.n):
        if is_better(t, i, best):
            best = np.int64(i)
    return best


# ---------------------------------------------------------------- levels

# The sight of a move: what it is to somebody who errs. Each game has kinds of its own from KINDS on; moves of
# a kind are missed together, as one misses a threat and with it all that would answer it.
EVERYBODY_SEES, ABSURD, PLAIN, KINDS = range(4)
MOST_KINDS = 5


@rule
def chance(dice, share):
    return roll(dice, 1, 1000) < 1000 * share


@big_rule
def notice(t, misses, overlooks, dice):
    """Which moves come to mind; one at least does. What is absurd does only where there is nothing else."""
    missed = 0
    for kind in range(MOST_KINDS):
        missed |= chance(dice, misses) << kind
    some = sane = False
    for i in range(t.n):
        overlooked = chance(dice, overlooks)
        if t.sight[i] >= KINDS:
            overlooked |= missed >> (t.sight[i] - KINDS) & 1 == 1
        t.noticed[i] = t.sight[i] == EVERYBODY_SEES or (t.sight[i] != ABSURD and not overlooked)
        some |= t.noticed[i] != 0
        sane |= t.sight[i] != ABSURD
    if not some:
        notice_any(t, sane, roll(dice, 1, t.n))


@rule
def notice_any(t, sane, first):
    """The first move from a place on that is not absurd, if there is one."""
    for i in range(t.n):
        at = (first + i) % t.n
        if not sane or t.sight[at] != ABSURD:
            t.noticed[at] = 1
            break


@rule
def best_noticed(t, picked):
    """The answer itself if it came to mind, or else the best that did."""
    if t.noticed[picked]:
        return np.int64(picked)
    best = NONE
    for i in range(t.n):
        if t.noticed[i] and (best == NONE or is_better(t, i, best)):
            best = i
    return best


# ---------------------------------------------------------------- dice

_BOT = np.frombuffer(b"bot ", np.uint8).copy()
_SEAT = np.frombuffer(b"seat ", np.uint8).copy()
_HEX = np.frombuffer(b"0123456789abcdef", np.uint8).copy()
_SPACE, _ZERO = ord(" "), ord("0")
SEED = 32  # letters of a seed
ASKED = len("bot ") + SEED + len(" 0 ")  # letters before the view


def box_dtype(view):
    """What dice are made in; `view` is the type of a game's views."""
    return record_dtype(
        [
            ("seeds", np.uint8, (2, SEED)),  # of the bots, by seat, as text
            ("dice", np.uint64, 2),  # for one answer
            ("message", np.uint8, padded(ASKED + view.itemsize)),
            ("hashed", np.uint32, 8),
            ("w", np.uint32, 64),
        ]
    )


@rule
def write(out, at, text):
    """Where the text ends."""
    for i in range(len(text)):
        out[at + i] = text[i]
    return at + len(text)


@rule
def write_byte(out, at, byte):
    out[at] = _HEX[byte >> 4]
    out[at + 1] = _HEX[byte & 15]


@rule
def byte_of(box, i):
    """A byte of the hash."""
    return (np.int64(box.hashed[i // 4]) >> (24 - 8 * (i % 4))) & 255


@big_rule
def make_seed(box, dice, bot, seat):
    """A bot's own seed, as `seeds.bot_seed` has it; `bot` is its number in a match, or NONE."""
    at = write(box.message, 0, _BOT)
    for i in range(16):
        write_byte(box.message, at + 2 * i, np.int64(dice[i // 8] >> np.uint64(8 * (i % 8))) & 255)
    at += 32
    box.message[at] = _SPACE
    at += 1
    if bot != NONE:
        at = write(box.message, at, _BOT)
        box.message[at] = _ZERO + bot
        box.message[at + 1] = _SPACE
        at += 2
    at = write(box.message, at, _SEAT)
    box.message[at] = _ZERO + seat
    sha256(box.message, at + 1, box.hashed, box.w)
    for i in range(16):
        write_byte(box.seeds[seat], 2 * i, byte_of(box, i))


@big_rule
def make_dice(box, seat, view):
    """The dice of one answer, as `seed.dice_for` has them; `view` are the bytes of what the seat may know."""
    at = write(box.message, 0, _BOT)
    at = write(box.message, at, box.seeds[seat])
    box.message[at] = box.message[at + 2] = _SPACE
    box.message[at + 1] = _ZERO + seat
    sha256(box.message, write(box.message, at + 3, view), box.hashed, box.w)
    for i in range(2):
        box.dice[i] = 0
        for j in range(8):
            box.dice[i] |= np.uint64(byte_of(box, 8 * i + j)) << np.uint64(8 * j)
