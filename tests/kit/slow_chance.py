"""Seeds, SipHash-2-4 and the shuffle once more, from their descriptions, in plain Python integers.

For tests only. Nothing here is shared with the engine.
"""

import hashlib
import re

WORD = 2**64
RANKS, SUITS = "23456789TJQKA", "CDHS"
PACK = [rank + suit for rank in RANKS for suit in SUITS] + ["X1", "X2"]


def siphash(key: bytes, message: bytes) -> int:
    """SipHash-2-4 as Aumasson and Bernstein describe it, for a message of any length."""
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    state = [
        k0 ^ int.from_bytes(b"somepseu", "big"),
        k1 ^ int.from_bytes(b"dorandom", "big"),
        k0 ^ int.from_bytes(b"lygenera", "big"),
        k1 ^ int.from_bytes(b"tedbytes", "big"),
    ]
    whole = len(message) // 8 * 8
    words = [message[i : i + 8] for i in range(0, whole, 8)]
    words.append(message[whole:].ljust(7, b"\0") + bytes([len(message) % 256]))
    for chunk in words:
        word = int.from_bytes(chunk, "little")
        state[3] ^= word
        for _ in range(2):
            sip_round(state)
        state[0] ^= word
    state[2] ^= 0xFF
    for _ in range(4):
        sip_round(state)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


def sip_round(v: list[int]) -> None:
    def rotate(x: int, by: int) -> int:
        return (x << by | x >> (64 - by)) % WORD

    v[0] = (v[0] + v[1]) % WORD
    v[2] = (v[2] + v[3]) % WORD
    v[1] = rotate(v[1], 13) ^ v[0]
    v[3] = rotate(v[3], 16) ^ v[2]
    v[0] = rotate(v[0], 32)
    v[2] = (v[2] + v[1]) % WORD
    v[0] = (v[0] + v[3]) % WORD
    v[1] = rotate(v[1], 17) ^ v[2]
    v[3] = rotate(v[3], 21) ^ v[0]
    v[2] = rotate(v[2], 32)


def is_fair(word: int, product: int) -> bool:
    """Whether a word counts: the last words, which would make some outcomes more likely, do not.

    Of the 2**64 words a roll below n sends floor or ceil of 2**64 / n to each outcome. Turning away
    those whose remainder is below 2**64 mod n leaves each outcome equally many.
    """
    return word * product % WORD >= WORD % product


class Stream:
    """The words of a key, one after the other."""

    def __init__(self, seed: str) -> None:
        self.key = bytes.fromhex(seed)
        self.counter = 0

    def word(self, product: int) -> int:
        while True:
            word = siphash(self.key, self.counter.to_bytes(8, "little"))
            self.counter += 1
            if is_fair(word, product):
                return word


def shuffled(seed: str, cards: list[str]) -> list[str]:
    """From the last card down: swap card i with one of the cards up to it; nine rolls a word."""
    cards = list(cards)
    stream = Stream(seed)
    bounds = list(range(len(cards), 1, -1))
    for start in range(0, len(bounds), 9):
        group = bounds[start : start + 9]
        product = 1
        for bound in group:
            product *= bound
        word = stream.word(product)
        for bound in group:
            roll, word = word * bound // WORD, word * bound % WORD
            cards[bound - 1], cards[roll] = cards[roll], cards[bound - 1]
    return cards


def seed_digits(text: str) -> str:
    """32 hexadecimal digits are a seed; any other text is hashed into one."""
    if re.fullmatch("[0-9a-f]{32}", text):
        return text
    return hashlib.sha256(text.encode()).digest()[:16].hex()


def deck_of(text: str) -> list[str]:
    """The deck that a seed text gives, top card first."""
    return shuffled(seed_digits(text), PACK)[::-1]
