"""Who somebody is: an id that cannot be guessed, signed by this server. Nothing to register."""

import hmac
import secrets
import unicodedata
from dataclasses import dataclass

LONGEST_NAME = 40


@dataclass(frozen=True)
class Guest:
    id: str
    name: str
    owner: str = ""  # of a bot: whose it is


def new_id() -> str:
    return secrets.token_urlsafe(18)


def _mark(id: str, key: bytes) -> str:
    return hmac.digest(key, f"guest {id}".encode(), "sha256").hex()[:40]


def sign(id: str, key: bytes) -> str:
    """What a cookie or a bot's token holds.

    >>> unsign(sign("anna", b"key"), b"key"), unsign("anna.0", b"key")
    ('anna', None)
    """
    return f"{id}.{_mark(id, key)}"


def unsign(token: str, key: bytes) -> str | None:
    id, _, mark = token.rpartition(".")
    if not id or not token.isascii():
        return None
    return id if hmac.compare_digest(mark, _mark(id, key)) else None


def clean_name(text: str) -> str:
    """A name to show: letters and signs that can be seen, single spaces, not too long.

    >>> clean_name("  Anna\\u202e   B. ")
    'Anna B.'
    """
    seen = "".join(letter for letter in text if unicodedata.category(letter)[0] not in "CZ" or letter == " ")
    return " ".join(seen.split())[:LONGEST_NAME].strip()
