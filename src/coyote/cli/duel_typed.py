"""Moves of the duel as people type and read them: cards by their names."""

import re
from collections.abc import Sequence
from dataclasses import replace

from rich.console import RenderableType
from rich.table import Table

from coyote.cli.typed import Doubt
from coyote.games.duel.game import Duel
from coyote.text import Refusal, Words
from coyote.text.words import Lang

PLAY = re.compile(r"(play|играть|сыграть)\s+", re.IGNORECASE)
HOLD = ("hold", "pass", "пас", "не играть")


class DuelTyping:
    """A card by its id or by its name in any language, with `play` before it or without."""

    def __init__(self, words: Words, game: Duel) -> None:
        self.words, self.game = words, game

    def read(self, typed: str, legal: Sequence[str]) -> str:
        said = " ".join(typed.lower().split())
        if said in HOLD:
            return "hold"
        called = PLAY.sub("", said, count=1).strip('«»"“”')
        if called in self.game.card_set.by_id:
            return f"play {called}"
        named = [move for move in legal if called in self._names(move)]
        if len(named) > 1:
            raise Doubt(typed, *named[:2])
        return named[0] if named else typed

    def _names(self, move: str) -> list[str]:
        card = move.removeprefix("play ")
        return [] if card == move else [self.game.title(card, lang).lower() for lang in ("en", "ru")]

    def write(self, move: str) -> str:
        card = move.removeprefix("play ")
        if card == move:
            return self.words("duel.move.hold")
        return self.words("duel.move.play", title=self.game.title(card, self.words.lang))

    def listed(self, moves: Sequence[str]) -> RenderableType:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(justify="right", style="dim")
        lang: Lang = "ru" if self.words.lang == "ru" else "en"
        for number, move in enumerate(moves, 1):
            card = move.removeprefix("play ")
            text = "" if card == move else self.game.card_set.by_id[card].text(lang)
            grid.add_row(str(number), self.write(move), "" if card == move else card, text)
        return grid

    def unread(self, refusal: Refusal) -> Refusal:
        return replace(refusal, code="duel.typing.unread") if refusal.code == "refusal.no_choice" else refusal

    def in_text(self, noted: str) -> str:
        verb, _, card = noted.partition(" ")
        is_move = noted == "hold" or (verb == "play" and card in self.game.card_set.by_id)
        return self.write(noted) if is_move else noted
