"""Moves as people type them: with the signs they see, in either alphabet."""

import re

SUITS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "Т": "C", "Б": "D", "Ч": "H", "П": "S"}
RANKS = {"10": "T", "В": "J", "Д": "Q", "К": "K", "Т": "A"}
VERBS = {
    "пас": "pass", "пропустить": "pass", "тянуть": "draw", "удалить": "drop", "толкнуть": "push",
    "отказ": "decline", "украсть": "steal", "перехватить": "steal", "босс": "b", "а": "a", "з": "c", "б": "b",
}  # fmt: skip

CARD = re.compile(r"(10|[2-9TJQKAВДКТ])([CDHS♣♦♥♠ТБЧП])", re.IGNORECASE)
VERB = re.compile(r"([а-яё]+)(\d?)(.*)", re.IGNORECASE | re.DOTALL)


def plain_move(text: str) -> str:
    """`атака` words, Russian ranks and suit signs as plain notation; anything else stays as it is.

    >>> plain_move("а1 В♥"), plain_move("drop 10♣"), plain_move("тянуть"), plain_move("b KD")
    ('a1 JH', 'drop TC', 'draw', 'b KD')
    """
    verb, _, card = text.strip().partition(" ")
    if (match := VERB.fullmatch(verb)) and match[1].lower() in VERBS:
        verb = VERBS[match[1].lower()] + match[2] + match[3]
    if match := CARD.fullmatch(card.strip()):
        rank, suit = match[1].upper(), match[2].upper()
        card = RANKS.get(rank, rank) + SUITS.get(suit, suit)
    return f"{verb} {card}".strip()
