"""Which table to draw for which game."""

from collections.abc import Sequence
from typing import Protocol

from rich.console import RenderableType

from coyote.cli.duel_table import DuelTable
from coyote.cli.madness_table import MadnessTable
from coyote.games.duel.game import Duel
from coyote.games.game import Game, Json
from coyote.text import Words


class Drawing(Protocol):
    def draw(self, view: Json, hands: Sequence[Sequence[str]] | None = None) -> RenderableType: ...


def table_for(game: Game, words: Words, names: Sequence[str]) -> Drawing:
    return DuelTable(words, names, game) if isinstance(game, Duel) else MadnessTable(words, names)
