"""How wide a text will be, and how it is made to fit, before anybody's font is known.

The widths are those of a wide font (DejaVu Sans), rounded up: in most others a text takes some room less.
"""

import re
import unicodedata
from collections.abc import Iterable

LAST = 4  # letters of a last word that is kept: a number, mostly
LONGEST = 400  # letters of a label that are looked at
SPACES = "\u00a0\u202f"
WIDTHS = {
    0.3: "'IJijl" + SPACES[1],
    0.35: " ,./:;\\|·" + SPACES[0],
    0.4: "()-[]ft",
    0.5: '!r"*_`–',
    0.65: "0123456789$?FLEPSTYabcdeghknopqsuvxyz{}«»",
    0.8: "ABCDGHKNOQRUVXZ&",
    0.85: "#+<=>^w~−±×",
    1.0: "%@WMm—…",
    1.1: "\u0436\u0448\u0449\u044e\u0444\u0416\u0428\u0429\u042e\u0424\u041c\u042b",  # wide Cyrillic letters
}
UNSEEN = ("Cf", "Cs", "Co", "Cn")
OF_LETTER = {letter: width for width, letters in WIDTHS.items() for letter in letters}
BOLD = 1.12


def readable(text: str) -> str:
    """In one line, and without signs that hide, turn round or command; spaces that hold stay.

    >>> readable("red\\n \\x1b[31m \\u202ebackwards")
    'red [31m backwards'
    """
    kinds = ((letter, unicodedata.category(letter)) for letter in text)
    seen = "".join(
        " " if kind in ("Cc", "Zl", "Zp") else letter for letter, kind in kinds if kind not in UNSEEN
    )
    return re.sub(" +", " ", seen).strip(" ")


def named(text: str) -> str:
    """A label that is never nothing."""
    return readable(text) or "–"


def letter_width(letter: str) -> float:
    if letter in OF_LETTER:
        return OF_LETTER[letter]
    kind = unicodedata.category(letter)
    if kind in ("Mn", "Me"):
        return 0.0
    if kind == "Ll":
        return 0.7
    return 0.85 if ord(letter) < 0x1100 else 1.35  # signs from afar may be as wide as high, and more


def width(text: str, size: float, bold: bool = False) -> float:
    """In pixels, and rather too much than too little."""
    return sum(map(letter_width, text)) * size * (BOLD if bold else 1)


def widest(texts: Iterable[str], size: float, bold: bool = False) -> float:
    return max((width(text, size, bold) for text in texts), default=0.0)


def shortened(text: str, room: float, size: float, bold: bool = False) -> str:
    """As much of it as there is room for, with a sign where something is missing; a short last word stays.

    >>> shortened("The painted desert 12", 110, 12)
    'The painted… 12'
    """
    if width(text, size, bold) <= room:
        return text
    head, _, last = text.rpartition(" ")
    tail = f"… {last}" if head and len(last) <= LAST else "…"
    head = head if len(tail) > 1 else text
    while head and width(head + tail, size, bold) > room:
        head = head[:-1]
    return head.rstrip(" ,.-–·") + tail


def fitted(text: str, room: float, size: float, most: int = 1, bold: bool = False) -> list[str]:
    """In up to so many lines, broken between words; never no line.

    >>> fitted("the long way round", 80, 12, most=2)
    ['the long', 'way round']
    >>> fitted("the long way round", 60, 12, most=1)
    ['the lon…']
    """
    words = readable(text)[:LONGEST].split(" ")
    lines = [words[0]]
    for n, word in enumerate(words[1:], 1):
        if width(f"{lines[-1]} {word}", size, bold) <= room:
            lines[-1] += f" {word}"
        elif len(lines) < most:
            lines.append(word)
        else:
            lines[-1] = " ".join([lines[-1], *words[n:]])
            break
    return [shortened(line, room, size, bold) for line in lines]


def fits(text: str, room: float, size: float, most: int = 1) -> bool:
    """Whether nothing of it is cut off."""
    return " ".join(fitted(text, room, size, most)) == readable(text)
