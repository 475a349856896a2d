"""Moves of Madness as people type and read them: with the signs they see, in either alphabet.

Every other letter that looks the same means the same, whichever alphabet it is of. T alone does not: in
notation it is the ten, and on a Russian card Т is the Ace (Туз). Whoever types it may mean either, and the
keyboard's alphabet proves nothing. So in Russian the ten is written 10 wherever it is shown, and a T that
may be the other card is never guessed: only one of the two is legal, or the player is asked.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from coyote.cli.typed import Doubt
from coyote.games.madness.cards import NAMES
from coyote.games.madness.notation import ACTIONS
from coyote.text import Refusal, Words

SUITS = {
    "♣": "C", "♦": "D", "♥": "H", "♠": "S", "Т": "C", "T": "C", "Б": "D", "Ч": "H", "П": "S",
    "С": "C", "Н": "H", "★": "1", "☆": "2",
}  # fmt: skip
RANKS = {"10": "T", "В": "J", "Д": "Q", "К": "K", "А": "A", "Х": "X", "ДЖ": "X", "JK": "X"}
RUSSIAN_SUITS = "ТБЧП♣♦♥♠"  # beside them Т is the Ace that is drawn so
VERBS = {
    "pass": "pass", "пас": "pass", "пропустить": "pass", "draw": "draw", "тянуть": "draw", "drop": "drop",
    "удалить": "drop", "push": "push", "толкнуть": "push", "decline": "decline", "отказ": "decline",
    "отказаться": "decline", "steal": "steal", "украсть": "steal", "перехватить": "steal", "a": "a", "а": "a",
    "attack": "a", "атака": "a", "атаковать": "a", "c": "c", "с": "c", "close": "c", "з": "c", "закрыть": "c",
    "b": "b", "б": "b", "boss": "b", "босс": "b",
}  # fmt: skip
WITH_FIELD = ("a", "c")

VERB = re.compile(f"({'|'.join(sorted(VERBS, key=len, reverse=True))})", re.IGNORECASE)
CARD = re.compile(r"(10|ДЖ|JK|[2-9TТJQKКAАВДXХ])([CСDHНSТTБЧП♣♦♥♠12★☆])")


class MadnessTyping:
    """
    >>> russian = MadnessTyping(Words("ru"), None)
    >>> [russian.read(typed, ()) for typed in ("а1 В♥", "удалить 10т", "тянуть", "b KD", "с2дж1")]
    ['a1 JH', 'drop TC', 'draw', 'b KD', 'c2 X1']
    >>> russian.read("b TC", ["b TC"]), russian.read("b TC", ["b AC"]), russian.write("b AC")
    ('b TC', 'b AC', 'б ТТ')
    >>> russian.read("b TC", ["b TC", "b AC"])
    Traceback (most recent call last):
    coyote.cli.typed.Doubt: “b TC” can be read in two ways: type б 10Т or б ТТ.
    """

    def __init__(self, words: Words, game: Any) -> None:
        self.words = words

    def read(self, typed: str, legal: Sequence[str]) -> str:
        plain = "".join(typed.split())
        if not (verb := VERB.match(plain)):
            return typed
        action, rest = VERBS[verb[0].lower()], plain[verb.end() :].upper()
        if action in WITH_FIELD:
            action, rest = action + rest[:1], rest[1:]
        if not rest:
            return action
        if not (card := CARD.fullmatch(rest)):
            return typed
        readings = [f"{action} {name}" for name in self._cards(card[1], card[2])]
        return self._meant(typed, readings, legal)

    def _cards(self, rank: str, suit: str) -> list[str]:
        """The card; of a T that may be two, first the one that its alphabet says."""
        suit_name = SUITS.get(suit, suit)
        russian = self.words.lang == "ru"
        if rank == "T":
            return [f"T{suit_name}", f"A{suit_name}"] if russian else [f"T{suit_name}"]
        if rank == "Т":
            sure = russian and suit in RUSSIAN_SUITS
            return [f"A{suit_name}"] if sure else [f"A{suit_name}", f"T{suit_name}"]
        return [RANKS.get(rank, rank) + suit_name]

    def _meant(self, typed: str, readings: list[str], legal: Sequence[str]) -> str:
        possible = [move for move in readings if move in legal]
        if len(possible) > 1:
            raise Doubt(typed, *sorted(map(self.write, possible)))
        return (possible or readings)[0]

    def write(self, move: str) -> str:
        verb, field, card = parts(move)
        name = f"{verb}_nothing" if verb == "drop" and not card else verb
        return self.words(
            f"madness.move.{name}", field=field, typed=self.words.card_typed(card) if card else ""
        )

    def listed(self, moves: Sequence[str]) -> RenderableType:
        """What can be done, and behind it the cards with the numbers of the moves."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True)
        grid.add_column()
        groups: dict[tuple[str, str], Text] = {}
        for number, move in enumerate(moves, 1):
            verb, field, card = parts(move)
            line = groups.setdefault((verb, field), Text())
            line.append(f"{number}\u00a0", "dim").append(self.words.card(card) if card else self.write(move))
            line.append("   ")
        for (verb, field), line in groups.items():
            grid.add_row(self.words(f"madness.list.{verb}", field=field), line)
        return grid

    def unread(self, refusal: Refusal) -> Refusal:
        return (
            replace(refusal, code="madness.typing.unread") if refusal.code == "refusal.no_move" else refusal
        )

    def in_text(self, noted: str) -> str:
        if noted in NAMES:
            return self.words.card(noted)
        return self.write(noted) if noted in ACTIONS else noted


def parts(move: str) -> tuple[str, str, str]:
    """Verb, field and card of a move in notation.

    >>> parts("a1 7S"), parts("drop 5C"), parts("pass")
    (('a', '1', '7S'), ('drop', '', '5C'), ('pass', '', ''))
    """
    verb, _, card = move.partition(" ")
    return (verb[0], verb[1], card) if verb[0] in WITH_FIELD and verb[1:].isdigit() else (verb, "", card)
