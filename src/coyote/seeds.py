"""Seeds as text: 32 hexadecimal digits, or any other text, from which such digits are made."""

import hashlib
import re
import secrets

import numpy as np
import numpy.typing as npt

HEX_SEED = re.compile(r"[0-9a-f]{32}")


def new_seed() -> str:
    return secrets.token_hex(16)


def seed_from(text: str) -> str:
    """32 hexadecimal digits are themselves; any other text gives the first half of its SHA-256."""
    if HEX_SEED.fullmatch(text):
        return text
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def seed_words(seed: str) -> npt.NDArray[np.uint64]:
    """The two words of the key: the sixteen bytes, little end first."""
    return np.frombuffer(bytes.fromhex(seed), "<u8").astype(np.uint64)


def seed_text(words: npt.NDArray[np.uint64]) -> str:
    return np.asarray(words).astype("<u8").tobytes().hex()


def bot_seed(dice: npt.NDArray[np.uint64], who: str) -> str:
    """A bot's own seed, from the dice of a game of a series.

    From what one is told nobody learns the dice, or the seed of the other one.
    """
    return seed_from(f"bot {seed_text(dice)} {who}")
