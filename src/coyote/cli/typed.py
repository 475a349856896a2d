"""Moves as people type and read them."""

from collections.abc import Sequence
from typing import Protocol

from rich.columns import Columns
from rich.console import RenderableType

from coyote.games.game import Game
from coyote.text import Refusal, Refused, Words


class Doubt(Refused):
    """What was typed may be either of two legal moves."""

    def __init__(self, typed: str, first: str, second: str) -> None:
        super().__init__(Refusal("play.doubt", values={"text": typed, "first": first, "second": second}))


class Typing(Protocol):
    """How people type the moves of one game."""

    def __init__(self, words: Words, game: Game) -> None: ...

    def read(self, typed: str, legal: Sequence[str]) -> str:
        """In notation; what cannot be read stays as it is. Doubt where either of two moves is meant."""

    def write(self, move: str) -> str:
        """As it may be typed in the language of the words."""

    def listed(self, moves: Sequence[str]) -> RenderableType:
        """Moves with the numbers that they have in this order, in words."""

    def unread(self, refusal: Refusal) -> Refusal:
        """Why it is no move, said with moves as people type them here."""

    def in_text(self, noted: str) -> str:
        """What a rulebook has in notation: a move as it is typed, a card as drawn, the rest as it is."""


class PlainTyping:
    """For a game whose notation is all there is."""

    def __init__(self, words: Words, game: Game) -> None:
        self.words = words

    def read(self, typed: str, legal: Sequence[str]) -> str:
        return typed

    def write(self, move: str) -> str:
        return move

    def listed(self, moves: Sequence[str]) -> RenderableType:
        return Columns(
            [f"[dim]{number:3}[/] {move}" for number, move in enumerate(moves, 1)],
            padding=(0, 3),
            column_first=True,
        )

    def unread(self, refusal: Refusal) -> Refusal:
        return refusal

    def in_text(self, noted: str) -> str:
        return noted
