"""Text from elsewhere made fit for a message of ours: short, and nothing in it that a terminal would obey."""

import unicodedata

BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs with nothing to see


def harmless(text: str, most: int = 40) -> str:
    """Cut where it gets long; what cannot be printed is replaced by a sign that can.

    >>> harmless("red: \\x1b[31m"), harmless("on and on and on", 9)
    ('red: �[31m', 'on and o…')
    """
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in cut)


def one_line(text: str, most: int = 40) -> str:
    """As `harmless`, with every line break and run of spaces as one space.

    >>> one_line("no such host\\r\\n  (try again)\\n")
    'no such host (try again)'
    """
    return harmless(" ".join(text.split()), most)


def visible(text: str) -> str:
    """What of a text can be seen: no spaces, no marks on nothing, no letters that are blank.

    >>> visible(" a\\u3164 "), visible("\\u3164\\ufe0f")
    ('a', '')
    """
    return "".join(sign for sign in text if sign not in BLANK and unicodedata.category(sign)[0] not in "ZCM")
