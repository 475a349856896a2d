"""Chance: SipHash-2-4 in counter mode. `docs/fairness.md` describes it for other programs.

Any record with the fields `key` (two uint64) and `counter` (int64) can draw. What a player sees
of the words drawn does not let them compute the next one: that needs the key.
"""

import numpy as np

from coyote.kernel.bits import ONE
from coyote.kernel.jit import high_word, rule
from coyote.kernel.record import Field

CHANCE_FIELDS: list[Field] = [("key", np.uint64, 2), ("counter", np.int64)]
ROLLS_PER_WORD = 9  # 54 * 53 * ... * 46 < 2**51: a word is turned away once in 8,000

_V0 = np.uint64(0x736F6D6570736575)
_V1 = np.uint64(0x646F72616E646F6D)
_V2 = np.uint64(0x6C7967656E657261)
_V3 = np.uint64(0x7465646279746573)
_LENGTH = np.uint64(8 << 56)  # the message is the counter: eight bytes
_FINISH = np.uint64(0xFF)
_64 = 64


@rule
def _turn(x, n):
    return (x << np.uint64(n)) | (x >> np.uint64(_64 - n))


@rule
def _round(v0, v1, v2, v3):
    v0 = v0 + v1
    v1 = _turn(v1, 13) ^ v0
    v0 = _turn(v0, 32)
    v2 = v2 + v3
    v3 = _turn(v3, 16) ^ v2
    v0 = v0 + v3
    v3 = _turn(v3, 21) ^ v0
    v2 = v2 + v1
    v1 = _turn(v1, 17) ^ v2
    v2 = _turn(v2, 32)
    return v0, v1, v2, v3


@rule
def siphash(key0, key1, message):
    """SipHash-2-4 of one eight-byte little-endian message."""
    v0, v1, v2, v3 = _V0 ^ key0, _V1 ^ key1, _V2 ^ key0, _V3 ^ key1
    v3 = v3 ^ message
    v0, v1, v2, v3 = _round(v0, v1, v2, v3)
    v0, v1, v2, v3 = _round(v0, v1, v2, v3)
    v0 = v0 ^ message
    v3 = v3 ^ _LENGTH
    v0, v1, v2, v3 = _round(v0, v1, v2, v3)
    v0, v1, v2, v3 = _round(v0, v1, v2, v3)
    v0 = v0 ^ _LENGTH
    v2 = v2 ^ _FINISH
    v0, v1, v2, v3 = _round(v0, v1, v2, v3)
    v0, v1, v2, v3 = _round(v0, v1, v2, v3)
    v0, v1, v2, v3 = _round(v0, v1, v2, v3)
    v0, v1, v2, v3 = _round(v0, v1, v2, v3)
    return v0 ^ v1 ^ v2 ^ v3


@rule
def next_word(c):
    """The next 64 bits of the stream."""
    word = siphash(c.key[0], c.key[1], np.uint64(c.counter))
    c.counter += 1
    return word


@rule
def fair_word(c, product):
    """A word whose rolls with these bounds come out exactly even: the few that would not are skipped."""
    while True:
        word = next_word(c)
        rest = word * product
        if rest >= product or rest >= (~product + ONE) % product:
            return word


@rule
def below(c, n):
    """A fair number from 0 to n - 1."""
    bound = np.uint64(n)
    return np.int64(high_word(fair_word(c, bound), bound))


@rule
def shuffle(c, cards, n):
    """Shuffle the first n cards: for i from n down to 2, swap card i with a card from 1 to i."""
    i = np.uint64(n)
    while i > ONE:
        product = ONE
        stop = i
        for _ in range(ROLLS_PER_WORD):
            if stop > ONE:
                product *= stop
                stop -= ONE
        word = fair_word(c, product)
        while i > stop:
            roll = high_word(word, i)
            word *= i
            i -= ONE
            card = cards[i]
            cards[i] = cards[roll]
            cards[roll] = card


@rule
def game_words(source, game, seed, dice):
    """Game number `game` of a series: two words for its seed, one for each seat's dice."""
    for i in range(2):
        seed[i] = siphash(source[0], source[1], np.uint64(4 * game + i))
        dice[i] = siphash(source[0], source[1], np.uint64(4 * game + 2 + i))
