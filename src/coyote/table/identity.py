"""Who somebody is: an id that cannot be guessed, signed by this server. Nothing to register.

A cookie or a bot's token is `id.time.mark`: who, when it was given (milliseconds since 1970), and the
server's mark under both. The first version gave `id.mark`, which counts as given before all time.
"""

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from coyote.text import LANGUAGES, Words

COOKIE = "coyote_guest"
LONGEST_TOKEN = 200  # more than any of ours has
LONGEST_NAME = 40
LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # of codes: none that is taken for another
CODE_LENGTH = 10  # 50 bits, for ten minutes
FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")  # letters and signs that show nothing
MOST_MARKS = 3  # on one letter
SEEN = frozenset("LNPS")  # kinds of which a name needs at least one: letters, numbers, signs


@dataclass(frozen=True)
class Guest:
    id: str
    name: str
    owner: str = ""  # of a bot: whose it is


class Shown(NamedTuple):
    """What a genuine token says."""

    id: str
    given: int


def new_id() -> str:
    return secrets.token_urlsafe(18)


def _mark(said: str, key: bytes) -> str:
    return hmac.digest(key, f"guest {said}".encode(), "sha256").hex()[:40]


def sign(id: str, given: int, key: bytes) -> str:
    """What a cookie or a bot's token holds.

    >>> unsign(sign("anna", 7, b"key"), b"key"), unsign("anna.7.0", b"key"), unsign("anna.0", b"key")
    (Shown(id='anna', given=7), None, None)
    """
    said = f"{id}.{given}"
    return f"{said}.{_mark(said, key)}"


def unsign(token: str, key: bytes) -> Shown | None:
    said, _, mark = token.rpartition(".")
    if not said or not token.isascii() or not hmac.compare_digest(mark, _mark(said, key)):
        return None
    id, _, given = said.partition(".")  # no id has a point in it
    return Shown(id, int(given or 0))


def own_cookie(cookies: str) -> str:
    """Our cookie's value among those that a browser has for this host; "" where it is not there, or not ours.

    >>> own_cookie("a=1; coyote_guest=anna.7.0; b"), own_cookie('coyote_guest="anna"')
    ('anna.7.0', '')
    """
    for pair in cookies.split(";"):
        name, _, value = pair.partition("=")
        if name.strip() == COOKIE:
            value = value.strip()
            return value if len(value) <= LONGEST_TOKEN and '"' not in value else ""
    return ""


# ---------------------------------------------------------------- codes for another device


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def code_digest(typed: str) -> str:
    """What is kept of a code. Small letters, spaces and hyphens do not matter.

    >>> code_digest("abcde-fghjk") == code_digest("ABCDE FGHJK")
    True
    """
    code = "".join(letter for letter in typed.upper() if letter.isalnum())
    return hashlib.sha256(f"code {code}".encode()).hexdigest()


# ---------------------------------------------------------------- names


def clean_name(text: str) -> str:
    """A name to show: letters and signs that can be seen, single spaces, not too long; "" where none can.

    >>> clean_name("  Anna\\u202e   B. "), clean_name("\\u3164\\u0301 ")
    ('Anna B.', '')
    """
    kept = "".join(letter for letter in text if letter == " " or not _hidden(letter))
    kept = "".join(_without_towers(kept))
    name = " ".join(kept.split())[:LONGEST_NAME].strip()
    return name if any(unicodedata.category(letter)[0] in SEEN for letter in name) else ""


def _without_towers(text: str) -> Iterator[str]:
    """A letter carries some marks; with dozens of them it would be drawn over the lines around it."""
    marks = 0
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter)[0] == "M" else 0
        if marks <= MOST_MARKS:
            yield letter


def _hidden(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "CZ" or letter in FILLERS


def is_bots(name: str) -> bool:
    """Whether pages would show the name as a bot of ours, or as one or the table itself is called in either
    language.

    >>> is_bots("level:5"), is_bots("Greedy"), is_bots("ｌevel：5\\ufe0f"), is_bots("coyote"), is_bots("Anna")
    (True, True, True, True, False)
    """
    name = _bare(name)
    return any(Words(lang).bot(name) or name in _called(lang) for lang in LANGUAGES)


def _bare(name: str) -> str:
    """The letters alone: marks may be invisible, too."""
    apart = unicodedata.normalize("NFKD", name)
    return "".join(letter for letter in apart if unicodedata.category(letter)[0] != "M").casefold()


def _called(lang: str) -> frozenset[str]:
    words = Words(lang)
    found = [words("table.called"), *words.find("level").values(), *words.find("bot.names").values()]
    return frozenset(_bare(name) for name in found if isinstance(name, str))
